//! The training loop: epochs over shuffled batches, several threads, the same result each time.

use super::{
    checkpoint::{Checkpoint, Fingerprint},
    dataset::Dataset,
    model::{Model, Shape, Target},
    optimiser::AdamW,
    record::{Decoder, Record},
};
use crate::eval::nnue::{MAX_HIDDEN, features::BUCKET_CHOICES};
use rand::{SeedableRng, rngs::StdRng, seq::SliceRandom};
use serde::{Deserialize, Serialize};
use std::{
    f32::consts::PI,
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::Instant,
};

/// What decides the outcome of a training run, together with the data.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Recipe {
    /// The shape of the network.
    pub shape: Shape,
    /// Passes over the training records.
    pub epochs: u32,
    /// Records for each step of the optimiser.
    pub batch: usize,
    /// Learning rate at the start.
    pub rate: f32,
    /// Learning rate at the end; in between it follows half a cosine.
    pub rate_end: f32,
    /// Decoupled weight decay.
    pub decay: f32,
    /// Share of the game's result in the target at the start; the rest is the search score's.
    pub result_share: f32,
    /// The same at the end; in between it changes evenly.
    pub result_share_end: f32,
    /// Score units per unit of log-odds, for targets and for the network's own scores.
    pub scale: i32,
    /// Seed of the first weights, of the order of the records and of their mirroring.
    pub seed: u64,
}

impl Default for Recipe {
    fn default() -> Self {
        Self {
            shape: Shape { hidden: 64, buckets: 1 },
            epochs: 40,
            batch: 16384,
            rate: 1e-3,
            rate_end: 1e-5,
            decay: 0.01,
            result_share: 0.3,
            result_share_end: 0.3,
            scale: 400,
            seed: 1,
        }
    }
}

impl Recipe {
    /// Whether a run can follow this recipe.
    ///
    /// # Errors
    /// The first thing that is out of range, in one line.
    pub fn check(&self) -> Result<(), String> {
        let Shape { hidden, buckets } = self.shape;
        if hidden == 0 || hidden > MAX_HIDDEN || !hidden.is_multiple_of(16) {
            return Err(format!("the width is 16 to {MAX_HIDDEN}, in steps of 16"));
        }
        if !BUCKET_CHOICES.contains(&buckets) {
            return Err(format!("the buckets are one of {BUCKET_CHOICES:?}"));
        }
        let shares = [self.result_share, self.result_share_end];
        if shares.iter().any(|share| !(0.0..=1.0).contains(share)) {
            return Err("a share is 0 to 1".to_owned());
        }
        let rates = [self.rate, self.rate_end, self.decay];
        if rates.iter().any(|rate| !rate.is_finite() || *rate < 0.0) {
            return Err("rates are not negative".to_owned());
        }
        if self.epochs == 0 || self.batch == 0 || !(1..=4000).contains(&self.scale) {
            return Err("epochs and batch are 1 or more, the scale 1 to 4000".to_owned());
        }
        Ok(())
    }

    fn rate_at(&self, progress: f32) -> f32 {
        self.rate_end + (self.rate - self.rate_end) * 0.5 * (1.0 + (PI * progress).cos())
    }

    /// The target in an epoch, counted from 0.
    fn target_in(&self, epoch: u32) -> Target {
        let progress = epoch as f32 / self.epochs.saturating_sub(1).max(1) as f32;
        let change = self.result_share_end - self.result_share;
        Target { scale: self.scale as f32, result_share: self.result_share + change * progress }
    }
}

/// One line of the loss curve.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct EpochReport {
    /// Epochs done, from 1.
    pub epoch: u32,
    /// Steps of the optimiser done.
    pub steps: u64,
    /// Learning rate at the end of the epoch.
    pub rate: f32,
    /// Share of the game's result in the target.
    pub result_share: f32,
    /// Mean loss over the epoch.
    #[serde(deserialize_with = "null_as_nan")]
    pub training_loss: f64,
    /// Mean loss on the validation records after the epoch; the target is this epoch's.
    /// Not a number where there are none.
    #[serde(deserialize_with = "null_as_nan")]
    pub validation_loss: f64,
    /// Records a second.
    pub records_per_second: f64,
}

/// JSON knows no NaN and writes `null` for it.
fn null_as_nan<'de, D: serde::Deserializer<'de>>(source: D) -> Result<f64, D::Error> {
    Ok(Option::deserialize(source)?.unwrap_or(f64::NAN))
}

/// Gradients are summed in this many parts whatever the number of threads, so that rounding, and
/// with it the network, does not depend on the machine.
const PARTS: usize = 8;

/// A training run.
pub struct Trainer<'a> {
    recipe: Recipe,
    data: &'a Dataset,
    fingerprint: Fingerprint,
    threads: usize,
    model: Model,
    optimiser: AdamW,
    history: Vec<EpochReport>,
    decoder: Decoder,
}

impl<'a> Trainer<'a> {
    /// A run from random weights. The recipe is one that [`Recipe::check`] finds possible.
    pub fn new(recipe: Recipe, data: &'a Dataset, threads: usize) -> Self {
        let model = Model::random(recipe.shape, recipe.seed);
        let optimiser = AdamW::new(model.parameters.len());
        let (decoder, fingerprint) = (Decoder::new(recipe.shape.buckets), Fingerprint::of(data));
        let history = Vec::new();
        Self { recipe, data, fingerprint, threads, model, optimiser, history, decoder }
    }

    /// Goes on where a checkpoint was taken.
    ///
    /// # Errors
    /// If the data is not what the run began with.
    pub fn resume(
        checkpoint: Checkpoint,
        data: &'a Dataset,
        threads: usize,
    ) -> Result<Self, &'static str> {
        let Checkpoint { recipe, model, optimiser, history, data: fingerprint } = checkpoint;
        if fingerprint != Fingerprint::of(data) {
            return Err("taken with other data");
        }
        let decoder = Decoder::new(recipe.shape.buckets);
        Ok(Self { recipe, data, fingerprint, threads, model, optimiser, history, decoder })
    }

    /// Everything needed to go on later.
    pub fn checkpoint(&self) -> Checkpoint {
        Checkpoint {
            recipe: self.recipe.clone(),
            model: self.model.clone(),
            optimiser: self.optimiser.clone(),
            history: self.history.clone(),
            data: self.fingerprint,
        }
    }

    /// The recipe that is followed.
    pub const fn recipe(&self) -> &Recipe {
        &self.recipe
    }

    /// The weights so far.
    pub const fn model(&self) -> &Model {
        &self.model
    }

    /// The epochs so far.
    pub fn history(&self) -> &[EpochReport] {
        &self.history
    }

    /// Runs one epoch; `None` when all are done, or when `stop` was set, after which the state is
    /// that of a run cut short: go on from the last checkpoint. `on_batch` hears the share of the
    /// epoch done.
    pub fn epoch(
        &mut self,
        stop: &AtomicBool,
        on_batch: &mut dyn FnMut(f64),
    ) -> Option<EpochReport> {
        let epoch = self.history.len() as u32;
        if epoch >= self.recipe.epochs || self.data.training.is_empty() {
            return None;
        }
        let begin = Instant::now();
        let order = self.order(epoch);
        let batches = order.len().div_ceil(self.recipe.batch);
        let target = self.recipe.target_in(epoch);
        let mut gradients = vec![vec![0.0; self.model.parameters.len()]; PARTS];
        let (mut loss, mut rate) = (0.0, self.recipe.rate);
        for (number, batch) in order.chunks(self.recipe.batch).enumerate() {
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            loss += self.gradient(batch, &target, &mut gradients);
            let done = epoch as f32 + number as f32 / batches as f32;
            rate = self.recipe.rate_at(done / self.recipe.epochs as f32);
            let total = &gradients[0];
            self.optimiser.step(&mut self.model.parameters, total, rate, self.recipe.decay);
            on_batch((number + 1) as f64 / batches as f64);
        }
        let report = EpochReport {
            epoch: epoch + 1,
            steps: self.optimiser.steps,
            rate,
            result_share: target.result_share,
            training_loss: loss / order.len() as f64,
            validation_loss: self.validation_loss(&target),
            records_per_second: order.len() as f64 / begin.elapsed().as_secs_f64(),
        };
        self.history.push(report);
        Some(report)
    }

    /// The order of the records in an epoch; the lowest bit says whether to mirror.
    fn order(&self, epoch: u32) -> Vec<u32> {
        let mut random = StdRng::seed_from_u64(self.recipe.seed ^ u64::from(epoch + 1) << 32);
        let mut order: Vec<u32> = (0..self.data.training.len() as u32).collect();
        order.shuffle(&mut random);
        let flips = rand::Rng::random::<u64>(&mut random);
        for (at, entry) in order.iter_mut().enumerate() {
            // A cheap balanced coin for each place in the order.
            let coin = (at as u64 ^ flips).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 63;
            *entry = *entry << 1 | coin as u32;
        }
        order
    }

    /// The mean gradient of a batch, left in `gradients[0]`; returns the summed loss.
    fn gradient(&self, batch: &[u32], target: &Target, gradients: &mut [Vec<f32>]) -> f64 {
        let size = batch.len().div_ceil(PARTS);
        let part = |number: usize| {
            let end = ((number + 1) * size).min(batch.len());
            &batch[(number * size).min(end)..end]
        };
        let work = |number: usize, gradient: &mut Vec<f32>| {
            gradient.fill(0.0);
            let records = part(number)
                .iter()
                .map(|&entry| (&self.data.training[(entry >> 1) as usize], entry & 1 != 0));
            self.model.add_gradient(records, &self.decoder, target, gradient)
        };
        let mut losses = [0.0; PARTS];
        let mut jobs: Vec<_> = gradients.iter_mut().zip(&mut losses).enumerate().collect();
        let share = PARTS.div_ceil(self.threads.clamp(1, PARTS));
        thread::scope(|scope| {
            while jobs.len() > share {
                let mine = jobs.split_off(jobs.len() - share);
                scope.spawn(|| run(mine, &work));
            }
            run(std::mem::take(&mut jobs), &work);
        });
        let (total, rest) = gradients.split_first_mut().expect("there are several parts");
        let scale = 1.0 / batch.len() as f32;
        for (at, sum) in total.iter_mut().enumerate() {
            *sum = rest.iter().fold(*sum, |sum, part| sum + part[at]) * scale;
        }
        losses.iter().sum()
    }

    fn validation_loss(&self, target: &Target) -> f64 {
        let records: &[Record] = &self.data.validation;
        if records.is_empty() {
            return f64::NAN;
        }
        self.model.loss(records, &self.decoder, target) / records.len() as f64
    }
}

type Job<'a> = (usize, (&'a mut Vec<f32>, &'a mut f64));

fn run(jobs: Vec<Job<'_>>, work: &impl Fn(usize, &mut Vec<f32>) -> f64) {
    for (number, (gradient, loss)) in jobs {
        *loss = work(number, gradient);
    }
}
