//! How a network is trained, and what a training run tells of each epoch.

use super::model::{Shape, Target};
use crate::eval::nnue::{MAX_HIDDEN, features::BUCKET_CHOICES};
use serde::{Deserialize, Serialize};
use std::f32::consts::PI;

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

    /// The learning rate after this share of the run.
    pub(super) fn rate_at(&self, progress: f32) -> f32 {
        self.rate_end + (self.rate - self.rate_end) * 0.5 * (1.0 + (PI * progress).cos())
    }

    /// The target in an epoch, counted from 0.
    pub(super) fn target_in(&self, epoch: u32) -> Target {
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
