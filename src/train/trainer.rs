//! The training loop: epochs over shuffled batches, several threads, the same result each time.

use super::{
    checkpoint::{Checkpoint, Fingerprint},
    dataset::Dataset,
    model::{Model, Target},
    optimiser::AdamW,
    recipe::{EpochReport, Recipe},
    record::{Decoder, Record},
};
use rand::{SeedableRng, rngs::StdRng, seq::SliceRandom};
use std::{
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::Instant,
};

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
