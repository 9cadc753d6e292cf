//! What a set of games holds, in numbers.

use super::{dataset::Rejection, format::GameRecord, record::Record};
use crate::{
    eval::nnue::features,
    types::Kind::{Cannon, Horse, Rook},
};
use serde::Serialize;
use std::collections::BTreeMap;

/// What a set of games holds.
#[derive(Clone, Default, Debug, Serialize)]
pub struct Statistics {
    /// Games read.
    pub games: u64,
    /// Plies read.
    pub plies: u64,
    /// Positions kept.
    pub kept: u64,
    /// Positions left out, by reason.
    pub rejected: BTreeMap<Rejection, u64>,
    /// Games lost, drawn and won by Red.
    pub results: [u64; 3],
    /// Games by ending.
    pub endings: BTreeMap<&'static str, u64>,
    /// Kept positions by the number of pieces on the board.
    pub pieces: BTreeMap<usize, u64>,
    /// Kept positions by output bucket, for networks with several.
    pub buckets: [u64; features::MATERIAL_BUCKETS],
    /// Kept positions by score for the mover, in steps of 200; the key is the lower bound.
    pub scores: BTreeMap<i32, u64>,
    /// For each score step the points that the mover made, for judging the scale.
    pub points: BTreeMap<i32, f64>,
}

impl Statistics {
    /// Scores are counted in steps of this.
    const STEP: i32 = 200;

    /// Counts a game as read.
    pub(super) fn read(&mut self, game: &GameRecord) {
        self.games += 1;
        self.plies += game.moves.len() as u64;
        self.results[game.result as usize] += 1;
        *self.endings.entry(game.ending.name()).or_default() += 1;
    }

    /// Counts a position as left out.
    pub(super) fn reject(&mut self, reason: Rejection) {
        *self.rejected.entry(reason).or_default() += 1;
    }

    /// Counts a position as kept.
    pub(super) fn keep(&mut self, record: &Record) {
        self.kept += 1;
        let pieces = record.pieces();
        *self.pieces.entry(pieces.len()).or_default() += 1;
        let count = |kinds: &[crate::types::Kind]| {
            pieces.iter().filter(|(piece, _)| kinds.contains(&piece.kind())).count() as u32
        };
        let (rooks, minors) = (count(&[Rook]), count(&[Horse, Cannon]));
        self.buckets[features::bucket(features::MATERIAL_BUCKETS, rooks, minors)] += 1;
        let step = i32::from(record.score()).div_euclid(Self::STEP) * Self::STEP;
        *self.scores.entry(step).or_default() += 1;
        *self.points.entry(step).or_default() += f64::from(record.result().points());
    }

    /// The scale that fits results best: score units per unit of log-odds, from the mean points in
    /// each step, by least squares over candidates. `None` without data.
    pub fn fitted_scale(&self) -> Option<i32> {
        let error = |scale: i32| -> f64 {
            let step = |(&low, &count): (&i32, &u64)| {
                let middle = f64::from(low + Self::STEP / 2) / f64::from(scale);
                let expected = 1.0 / (1.0 + (-middle).exp());
                let made = self.points.get(&low).copied().unwrap_or_default();
                (made / count as f64 - expected).powi(2) * count as f64
            };
            self.scores.iter().map(step).sum()
        };
        let best = (100..=3000).step_by(10).min_by(|&a, &b| error(a).total_cmp(&error(b)));
        best.filter(|_| self.kept > 0)
    }
}
