//! Scores and moves as JSON tells them.

use crate::eval::{Score, centipawns};
use serde::Serialize;
use xiangqi::types::Move;

/// A score in one of three units, from the view that the field's name says.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ScoreOutput {
    /// +100 wins half of the games.
    Cp(i32),
    /// Moves of the winner until mate, negative for the side that is mated.
    Mate(i32),
    /// 1 for a win by the repetition rule, -1 for a loss.
    Rule(i32),
}

impl From<Score> for ScoreOutput {
    fn from(score: Score) -> Self {
        match score.mate_distance_moves() {
            Some(moves) => Self::Mate(moves),
            None if score.is_rule() => Self::Rule(score.0.signum()),
            None => Self::Cp(centipawns(score)),
        }
    }
}

/// Moves in coordinates.
pub fn coordinates(moves: &[Move]) -> Vec<String> {
    moves.iter().map(ToString::to_string).collect()
}

/// A share with as many digits as it is worth.
pub fn rounded(share: f64) -> f64 {
    (share * 10_000.0).round() / 10_000.0
}
