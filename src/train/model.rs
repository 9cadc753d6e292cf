//! The network in floating point: forward, loss and gradient.

use super::record::{Active, Decoder, Record};
use crate::eval::nnue::{MAX_HIDDEN, Network, NetworkError, QA, QB, Weights, features};
use rand::{Rng, SeedableRng, rngs::StdRng};
use serde::{Deserialize, Serialize};

/// The shape of a network.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Shape {
    /// Width of the hidden layer for one perspective.
    pub hidden: usize,
    /// Output buckets.
    pub buckets: usize,
}

impl Shape {
    /// How many parameters the network has.
    pub const fn parameters(self) -> usize {
        self.output_bias_at() + self.buckets
    }

    const fn feature_bias_at(self) -> usize {
        features::COUNT * self.hidden
    }

    const fn output_at(self) -> usize {
        self.feature_bias_at() + self.hidden
    }

    const fn output_bias_at(self) -> usize {
        self.output_at() + self.buckets * 2 * self.hidden
    }
}

/// The parameters, all in one list: a row for each feature, the hidden bias, two rows for each
/// bucket (mover's half, other's half), the output biases. A gradient has the same layout.
#[derive(Clone, PartialEq, Debug)]
pub struct Model {
    /// The shape.
    pub shape: Shape,
    /// The numbers.
    pub parameters: Vec<f32>,
}

/// What the trainer aims at for one position.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Target {
    /// Score units per unit of log-odds.
    pub scale: f32,
    /// The share of the game's result in the target; the rest is the search score's.
    pub result_share: f32,
}

impl Target {
    /// The expected points that the network should predict, from 0 to 1.
    #[inline]
    pub fn of(&self, record: &Record) -> f32 {
        let by_score = sigmoid(f32::from(record.score()) / self.scale);
        self.result_share * record.result().points() + (1.0 - self.result_share) * by_score
    }
}

/// The logistic function.
#[inline]
pub fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

impl Model {
    /// A model with small random weights.
    pub fn random(shape: Shape, seed: u64) -> Self {
        let mut random = StdRng::seed_from_u64(seed);
        // About 28 of the features are active, and all of the hidden layer.
        let feature_reach = 1.0 / 28_f32.sqrt();
        let output_reach = 1.0 / (2.0 * shape.hidden as f32).sqrt();
        let parameters = (0..shape.parameters())
            .map(|at| {
                if at < shape.feature_bias_at() {
                    random.random_range(-feature_reach..feature_reach)
                } else if at < shape.output_at() || at >= shape.output_bias_at() {
                    0.0
                } else {
                    random.random_range(-output_reach..output_reach)
                }
            })
            .collect();
        Self { shape, parameters }
    }

    /// The network of these weights in integers.
    ///
    /// # Errors
    /// If the engine does not know the shape.
    pub fn quantised(&self, scale: i32) -> Result<Network, NetworkError> {
        let Shape { hidden, buckets } = self.shape;
        let round = |list: &[f32], unit: i32| -> Vec<i16> {
            list.iter().map(|w| (w * unit as f32).round() as i16).collect()
        };
        let shape = self.shape;
        Network::new(Weights {
            hidden,
            buckets,
            scale,
            features: round(&self.parameters[..shape.feature_bias_at()], QA),
            feature_bias: round(&self.parameters[shape.feature_bias_at()..shape.output_at()], QA),
            output: round(&self.parameters[shape.output_at()..shape.output_bias_at()], QB),
            output_bias: self.parameters[shape.output_bias_at()..]
                .iter()
                .map(|w| (w * (QA * QB) as f32).round() as i32)
                .collect(),
        })
    }

    /// The output for a position, in log-odds for the mover.
    pub fn output(&self, active: &Active) -> f32 {
        let mut half = Halves::new();
        half.forward(self, active)
    }

    /// The summed loss over records, for judging; no mirroring.
    pub fn loss(&self, records: &[Record], decoder: &Decoder, target: &Target) -> f64 {
        let (mut halves, mut active) = (Halves::new(), Active::default());
        let one = |record: &Record| {
            decoder.decode(record, false, &mut active);
            let error = sigmoid(halves.forward(self, &active)) - target.of(record);
            f64::from(error * error)
        };
        records.iter().map(one).sum()
    }

    /// Adds the gradient of the summed loss over positions to `gradient`; returns the summed loss.
    /// Each position comes with whether it is to be mirrored.
    pub fn add_gradient<'a>(
        &self,
        positions: impl Iterator<Item = (&'a Record, bool)>,
        decoder: &Decoder,
        target: &Target,
        gradient: &mut [f32],
    ) -> f64 {
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has AVX2.
            return unsafe { self.add_gradient_avx2(positions, decoder, target, gradient) };
        }
        self.add_gradient_anywhere(positions, decoder, target, gradient)
    }

    /// The same code compiled for wider registers, about twice as fast. Additions and
    /// multiplications stay in their order and are not fused: the result is the same.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn add_gradient_avx2<'a>(
        &self,
        positions: impl Iterator<Item = (&'a Record, bool)>,
        decoder: &Decoder,
        target: &Target,
        gradient: &mut [f32],
    ) -> f64 {
        self.add_gradient_anywhere(positions, decoder, target, gradient)
    }

    #[inline(always)]
    fn add_gradient_anywhere<'a>(
        &self,
        positions: impl Iterator<Item = (&'a Record, bool)>,
        decoder: &Decoder,
        target: &Target,
        gradient: &mut [f32],
    ) -> f64 {
        let (mut halves, mut active) = (Halves::new(), Active::default());
        let mut loss = 0.0;
        for (record, mirrored) in positions {
            decoder.decode(record, mirrored, &mut active);
            let points = sigmoid(halves.forward(self, &active));
            let error = points - target.of(record);
            loss += f64::from(error * error);
            let slope = 2.0 * error * points * (1.0 - points);
            halves.backward(self, &active, slope, gradient);
        }
        loss
    }
}

/// The hidden layer of one position before its activation, both perspectives.
struct Halves([[f32; MAX_HIDDEN]; 2]);

/// Widths of which a whole number of registers is worked on together.
const WIDE_BLOCK: usize = 64;
const NARROW_BLOCK: usize = 16;

impl Halves {
    const fn new() -> Self {
        Self([[0.0; MAX_HIDDEN]; 2])
    }

    #[inline(always)]
    fn forward(&mut self, model: &Model, active: &Active) -> f32 {
        if model.shape.hidden.is_multiple_of(WIDE_BLOCK) {
            self.forward_by::<WIDE_BLOCK>(model, active)
        } else {
            self.forward_by::<NARROW_BLOCK>(model, active)
        }
    }

    #[inline(always)]
    fn forward_by<const BLOCK: usize>(&mut self, model: &Model, active: &Active) -> f32 {
        let (shape, parameters) = (model.shape, &model.parameters);
        let hidden = shape.hidden;
        let output = shape.output_at() + active.bucket * 2 * hidden;
        let mut sums = [0.0; BLOCK];
        for (half, list) in [&active.mover, &active.other].into_iter().enumerate() {
            for from in (0..hidden).step_by(BLOCK) {
                let mut values = block::<BLOCK>(parameters, shape.feature_bias_at() + from);
                for &feature in list {
                    let row = block::<BLOCK>(parameters, usize::from(feature) * hidden + from);
                    for i in 0..BLOCK {
                        values[i] += row[i];
                    }
                }
                let weights = block::<BLOCK>(parameters, output + half * hidden + from);
                for i in 0..BLOCK {
                    let clipped = values[i].clamp(0.0, 1.0);
                    sums[i] += clipped * clipped * weights[i];
                }
                self.0[half][from..from + BLOCK].copy_from_slice(&values);
            }
        }
        parameters[shape.output_bias_at() + active.bucket] + sums.iter().sum::<f32>()
    }

    /// `slope` is the derivative of the loss by the output.
    #[inline(always)]
    fn backward(&self, model: &Model, active: &Active, slope: f32, gradient: &mut [f32]) {
        if model.shape.hidden.is_multiple_of(WIDE_BLOCK) {
            self.backward_by::<WIDE_BLOCK>(model, active, slope, gradient);
        } else {
            self.backward_by::<NARROW_BLOCK>(model, active, slope, gradient);
        }
    }

    #[inline(always)]
    fn backward_by<const BLOCK: usize>(
        &self,
        model: &Model,
        active: &Active,
        slope: f32,
        gradient: &mut [f32],
    ) {
        let (shape, parameters) = (model.shape, &model.parameters);
        let hidden = shape.hidden;
        let output = shape.output_at() + active.bucket * 2 * hidden;
        gradient[shape.output_bias_at() + active.bucket] += slope;
        for (half, list) in [&active.mover, &active.other].into_iter().enumerate() {
            for from in (0..hidden).step_by(BLOCK) {
                let values = block::<BLOCK>(&self.0[half], from);
                let weights = block::<BLOCK>(parameters, output + half * hidden + from);
                let mut slopes = [0.0; BLOCK];
                let for_weights = block_mut::<BLOCK>(gradient, output + half * hidden + from);
                for i in 0..BLOCK {
                    let clipped = values[i].clamp(0.0, 1.0);
                    for_weights[i] += slope * clipped * clipped;
                    // Zero where the activation is flat: below 0 `clipped` is 0, above 1 it is cut.
                    let inside = if values[i] < 1.0 { clipped } else { 0.0 };
                    slopes[i] = slope * 2.0 * inside * weights[i];
                }
                let for_bias = block_mut::<BLOCK>(gradient, shape.feature_bias_at() + from);
                for i in 0..BLOCK {
                    for_bias[i] += slopes[i];
                }
                for &feature in list {
                    let row = usize::from(feature) * hidden + from;
                    let row = block_mut::<BLOCK>(gradient, row);
                    for i in 0..BLOCK {
                        row[i] += slopes[i];
                    }
                }
            }
        }
    }
}

#[inline(always)]
fn block<const BLOCK: usize>(list: &[f32], at: usize) -> [f32; BLOCK] {
    *list[at..].first_chunk().expect("a block inside the list")
}

#[inline(always)]
fn block_mut<const BLOCK: usize>(list: &mut [f32], at: usize) -> &mut [f32; BLOCK] {
    list[at..].first_chunk_mut().expect("a block inside the list")
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;
    use crate::train::WinDrawLoss;
    use rand::seq::IndexedRandom;
    use xiangqi::board::Position;

    #[test]
    fn avx2_and_plain_code_give_the_same_bits() {
        if !std::arch::is_x86_feature_detected!("avx2") {
            println!("skipped: this processor has no AVX2");
            return;
        }
        let mut random = StdRng::seed_from_u64(1);
        let mut position = Position::start();
        let mut records = Vec::new();
        for _ in 0..60 {
            let Some(&m) = position.legal_moves().choose(&mut random) else { break };
            position.make(m);
            let score = random.random_range(-900..900);
            records
                .push((Record::new(&position, score, WinDrawLoss::Win), random.random_bool(0.5)));
        }
        assert!(records.len() > 30);
        let target = Target { scale: 400.0, result_share: 0.3 };
        for (hidden, buckets) in [(16, 8), (64, 1), (80, 1), (256, 8)] {
            let shape = Shape { hidden, buckets };
            let model = Model::random(shape, 2);
            let decoder = Decoder::new(buckets);
            let positions = || records.iter().map(|(record, mirrored)| (record, *mirrored));
            let [mut plain, mut fast] = [(); 2].map(|()| vec![0.0; shape.parameters()]);
            let loss = model.add_gradient_anywhere(positions(), &decoder, &target, &mut plain);
            // SAFETY: the processor has AVX2.
            let same =
                unsafe { model.add_gradient_avx2(positions(), &decoder, &target, &mut fast) };
            assert_eq!(loss.to_bits(), same.to_bits());
            let bits = |list: &[f32]| list.iter().map(|value| value.to_bits()).collect::<Vec<_>>();
            assert!(bits(&plain) == bits(&fast), "{shape:?}");
            assert!(plain.iter().filter(|value| **value != 0.0).count() > 1000, "{shape:?}");
        }
    }
}
