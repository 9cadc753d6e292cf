//! Fits the weights of the hand-written evaluation to positions of games: logistic loss against
//! scores and results, by Adam over mini-batches.

use super::{
    AdamW, Record,
    model::{Target, sigmoid},
};
use crate::eval::{
    hce::{FULL_PHASE, Sink, collect, phase},
    params::{COUNT, TERMS, WEIGHTS},
};
use rand::{SeedableRng, rngs::StdRng, seq::SliceRandom};
use std::fmt::Write;
use xiangqi::{
    board::Position,
    types::{Side, Square},
};

/// How the weights are fitted.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// What a position should be worth.
    pub target: Target,
    /// Passes over the positions.
    pub epochs: u32,
    /// Positions for each step.
    pub batch: usize,
    /// The first step in hundreds of score units; later ones shrink to nothing in a straight line.
    pub rate: f32,
    /// Pull towards the weights at the start, so that rare terms stay put.
    pub decay: f32,
    /// Decides the order.
    pub seed: u64,
}

/// A weight is the one at the start and so many units of this. [`AdamW`] keeps within twice it.
const UNIT: f32 = 100.0;

/// A position as it is to be fitted.
struct Sample {
    /// Where its counts begin.
    first: usize,
    /// How much of the middlegame is left, 0 to 1.
    middlegame: f32,
    /// The mover's share of the points.
    target: f32,
}

/// Positions to fit to: the counts of their terms, the mover's less the other's, one position after
/// the other.
#[derive(Default)]
pub struct Samples {
    list: Vec<Sample>,
    counts: Vec<(u16, i8)>,
}

struct Counts([i32; COUNT]);

impl Sink for Counts {
    fn add(&mut self, side: Side, index: usize, count: i32) {
        self.0[index] += if side == Side::Red { count } else { -count };
    }
}

impl Samples {
    /// The samples of these records. One that is no legal position is left out.
    pub fn new(records: &[Record], target: Target) -> Self {
        let mut samples = Self::default();
        for record in records {
            // The mover's pieces are Red's in a record.
            let mut mailbox = [None; Square::NUM];
            for (piece, square) in record.pieces() {
                mailbox[square.index()] = Some(piece);
            }
            let Ok(position) = Position::assemble(mailbox, Side::Red, 0, 1) else { continue };
            let mut counts = Counts([0; COUNT]);
            collect(&position, &mut counts);
            samples.list.push(Sample {
                first: samples.counts.len(),
                middlegame: phase(&position) as f32 / FULL_PHASE as f32,
                target: target.of(record),
            });
            let present = counts.0.iter().enumerate().filter(|(_, count)| **count != 0);
            samples.counts.extend(present.map(|(i, &count)| (i as u16, count as i8)));
        }
        samples
    }

    fn counts(&self, number: usize) -> &[(u16, i8)] {
        let end = self.list.get(number + 1).map_or(self.counts.len(), |next| next.first);
        &self.counts[self.list[number].first..end]
    }

    /// How far the points that the weights expect of a sample are off.
    fn error(&self, number: usize, offsets: &[f32], scale: f32) -> f32 {
        let Sample { middlegame, target, .. } = self.list[number];
        let worth = |&(index, count): &(u16, i8)| {
            let [m, e] = weight(offsets, usize::from(index));
            (m * middlegame + e * (1.0 - middlegame)) * f32::from(count)
        };
        sigmoid(self.counts(number).iter().map(worth).sum::<f32>() / scale) - target
    }

    /// The mean squared error.
    fn loss(&self, offsets: &[f32], scale: f32) -> f64 {
        let squares = (0..self.list.len()).map(|number| {
            let error = f64::from(self.error(number, offsets, scale));
            error * error
        });
        squares.sum::<f64>() / self.list.len().max(1) as f64
    }

    /// The slope of the logistic loss over a batch.
    fn gradient(&self, batch: &[usize], offsets: &[f32], scale: f32) -> Vec<f32> {
        let mut gradient = vec![0.0; 2 * COUNT];
        for &number in batch {
            let error = self.error(number, offsets, scale) / batch.len() as f32;
            let middlegame = self.list[number].middlegame;
            for &(index, count) in self.counts(number) {
                let slope = error * f32::from(count);
                gradient[2 * usize::from(index)] += slope * middlegame;
                gradient[2 * usize::from(index) + 1] += slope * (1.0 - middlegame);
            }
        }
        gradient
    }
}

/// A weight in the middlegame and in the endgame.
fn weight(offsets: &[f32], index: usize) -> [f32; 2] {
    let (m, e) = WEIGHTS[index];
    [f32::from(m) + UNIT * offsets[2 * index], f32::from(e) + UNIT * offsets[2 * index + 1]]
}

/// Fits the weights to `training`. `on_epoch` is told the epoch, and the loss over training and
/// validation, first for the weights as they were. The result is what was added to each weight in
/// the middlegame and in the endgame, in turns, in hundreds of score units.
pub fn fit(
    [training, validation]: [&Samples; 2],
    settings: &Settings,
    mut on_epoch: impl FnMut(u32, f64, f64),
) -> Vec<f32> {
    let scale = settings.target.scale;
    let mut offsets = vec![0.0; 2 * COUNT];
    let mut adam = AdamW::new(offsets.len());
    let mut order: Vec<usize> = (0..training.list.len()).collect();
    let mut random = StdRng::seed_from_u64(settings.seed);
    let batch = settings.batch.max(1);
    let steps = order.len().div_ceil(batch) as f32 * settings.epochs as f32;
    on_epoch(0, training.loss(&offsets, scale), validation.loss(&offsets, scale));
    for epoch in 1..=settings.epochs {
        order.shuffle(&mut random);
        for batch in order.chunks(batch) {
            let rate = settings.rate * (1.0 - adam.steps as f32 / steps);
            let gradient = training.gradient(batch, &offsets, scale);
            adam.step(&mut offsets, &gradient, rate, settings.decay);
        }
        on_epoch(epoch, training.loss(&offsets, scale), validation.loss(&offsets, scale));
    }
    offsets
}

/// The fitted weights, as the tables of `params.rs` are written.
pub fn tables(offsets: &[f32]) -> String {
    let mut text = String::new();
    for &(name, first, len) in TERMS {
        let weights = (first..first + len).map(|index| weight(offsets, index));
        let pairs: Vec<_> = weights.map(|[m, e]| format!("({m:.0}, {e:.0})")).collect();
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{name}: {len} = [{}];", pairs.join(", "));
    }
    text
}
