//! What a set of games holds, in numbers.

use super::{
    chances::{Outcomes, Step},
    format::GameRecord,
    record::Record,
};
use crate::eval::nnue::features;
use serde::Serialize;
use std::collections::BTreeMap;
use xiangqi::types::Kind::{Cannon, Horse, Rook};

/// Why a position is left out.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Rejection {
    /// Too early in the game.
    Opening,
    /// The score says that the game is decided.
    Decided,
    /// The mover is in check.
    InCheck,
    /// The move played captures: no quiet position.
    Capture,
    /// The move played gives check.
    Check,
    /// The position is part of a repeated cycle.
    Cycle,
    /// The same position, or a symmetric one, was kept before.
    Duplicate,
}

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
    /// For each score step the points that the mover made.
    pub points: BTreeMap<i32, f64>,
    /// How kept positions ended, for fitting the scale.
    #[serde(skip)]
    outcomes: Outcomes,
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
        let count = |kinds: &[xiangqi::types::Kind]| {
            pieces.iter().filter(|(piece, _)| kinds.contains(&piece.kind())).count() as u32
        };
        let (rooks, minors) = (count(&[Rook]), count(&[Horse, Cannon]));
        self.buckets[features::bucket(features::MATERIAL_BUCKETS, rooks, minors)] += 1;
        let step = i32::from(record.score()).div_euclid(Self::STEP) * Self::STEP;
        *self.scores.entry(step).or_default() += 1;
        *self.points.entry(step).or_default() += f64::from(record.result().points());
        self.outcomes.count(record.score().into(), record.result());
    }

    /// The scale that fits results best: score units per unit of log-odds, from the mean points in
    /// each step, by least squares over candidates. Scores from [`Outcomes::LIMIT`] on do not count.
    /// `None` without data.
    pub fn fitted_scale(&self) -> Option<i32> {
        let steps = self.outcomes.steps(Self::STEP);
        let error = |scale: i32| -> f64 {
            let step = |step: &Step| {
                let expected = 1.0 / (1.0 + (-step.score / f64::from(scale)).exp());
                let [_, drawn, won] = step.shares;
                (won + drawn / 2.0 - expected).powi(2) * step.positions as f64
            };
            steps.iter().map(step).sum()
        };
        let best = (100..=3000).step_by(10).min_by(|&a, &b| error(a).total_cmp(&error(b)));
        best.filter(|_| !steps.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::WinDrawLoss;
    use xiangqi::board::Position;

    #[test]
    fn the_scale_is_fitted_to_undecided_positions() {
        let mut statistics = Statistics::default();
        let mut keep = |score, result, count| {
            let record = Record::new(&Position::start(), score, result);
            (0..count).for_each(|_| statistics.keep(&record));
            statistics.fitted_scale()
        };
        assert_eq!(keep(3000, WinDrawLoss::Win, 1), None, "games are ended by such scores");
        // At a score of scale · ln 3 the mover makes three points of four; at scale · ln 7 seven of
        // eight. The scale is 500.
        keep(549, WinDrawLoss::Win, 50);
        keep(549, WinDrawLoss::Draw, 50);
        keep(973, WinDrawLoss::Win, 75);
        assert_eq!(keep(973, WinDrawLoss::Draw, 25), Some(500));
        // Where the result only repeats the score.
        for score in [2000, 2500, 3000] {
            assert_eq!(keep(score, WinDrawLoss::Win, 500), Some(500));
            assert_eq!(keep(-score, WinDrawLoss::Loss, 500), Some(500));
        }
        // A score below does count, wherever in its step.
        assert!(keep(1999, WinDrawLoss::Loss, 100) > Some(600));
    }
}
