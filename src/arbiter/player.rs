//! What the referee asks of a player, and what it gets back.

use super::limit::Limit;
use crate::search::Clock;
use serde::{Deserialize, Serialize};
use std::{fmt, sync::atomic::AtomicBool, time::Duration};
use xiangqi::{game::Game, types::Move};

/// A score as the engine reported it, from the mover's view.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EngineScore {
    /// In the engine's own unit, about a hundredth of a soldier or of a minor piece.
    Points(i32),
    /// Mate in this many moves; negative if the mover is mated.
    Mate(i32),
}

impl EngineScore {
    /// One number for comparisons: mates lie beyond all points.
    pub const fn points(self) -> i32 {
        match self {
            Self::Points(points) => points,
            Self::Mate(moves) if moves > 0 => 30_000 - moves,
            Self::Mate(moves) => -30_000 - moves,
        }
    }
}

impl fmt::Display for EngineScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Points(points) => {
                let sign = if points < 0 { '-' } else { '+' };
                let size = points.unsigned_abs();
                write!(f, "{sign}{}.{:02}", size / 100, size % 100)
            }
            Self::Mate(moves) if moves > 0 => write!(f, "+M{moves}"),
            Self::Mate(moves) => write!(f, "-M{}", moves.unsigned_abs()),
        }
    }
}

/// One move to find.
pub struct Task<'a> {
    /// The game so far.
    pub game: &'a Game,
    /// What the mover may spend.
    pub limit: &'a Limit,
    /// The mover's clock, if it has one.
    pub own: Option<Clock>,
    /// The opponent's.
    pub other: Option<Clock>,
    /// Moves that lose by the repetition rule; never all moves.
    pub banned: &'a [Move],
    /// The opponent offers a draw.
    pub draw_offered: bool,
    /// When a move is overdue and the player is told to stop.
    pub deadline: Duration,
    /// How long after that an answer still counts as one.
    pub grace: Duration,
    /// Set when no answer is wanted any more.
    pub abort: &'a AtomicBool,
}

/// What a player does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// Plays a move, and offers a draw or accepts the one offered.
    Play {
        /// The move, not yet known to be legal.
        played: Move,
        /// Whether `draw` came with it.
        draw: bool,
    },
    /// Answered with something that is no move.
    Unreadable(String),
    /// Resigns.
    Resign,
    /// Says that there is no move.
    NoMove,
    /// Gave no answer in time, not even after `stop`.
    Silent,
    /// Its process ended, or its pipes broke; in words.
    Gone(String),
}

/// An answer and what the player said about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Thought {
    /// The answer.
    pub answer: Answer,
    /// Time from the question to the answer.
    pub elapsed: Duration,
    /// The last score reported.
    pub score: Option<EngineScore>,
    /// The last depth reported, in plies.
    pub depth: Option<u32>,
    /// The last number of nodes reported.
    pub nodes: Option<u64>,
}

impl Thought {
    /// An answer without anything said about it, and no time used.
    pub const fn none(answer: Answer) -> Self {
        Self { answer, elapsed: Duration::ZERO, score: None, depth: None, nodes: None }
    }
}

/// Why a player can not begin a game, in words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotReady(pub String);

/// One engine, wherever it runs.
pub trait Player: Send {
    /// Makes ready for a new game, with nothing kept from earlier ones. `label` names the game in
    /// the log.
    ///
    /// # Errors
    /// If the engine does not start or does not answer.
    fn start_game(&mut self, label: &str) -> Result<(), NotReady>;

    /// Finds a move.
    fn think(&mut self, task: &Task<'_>) -> Thought;
}

#[cfg(test)]
mod tests {
    use super::EngineScore::*;

    #[test]
    fn scores_as_text_and_in_order() {
        assert_eq!(Points(-5).to_string(), "-0.05");
        assert_eq!(Points(1234).to_string(), "+12.34");
        assert_eq!((Mate(3).to_string(), Mate(-2).to_string()), ("+M3".into(), "-M2".into()));
        let order = [Mate(-1), Mate(-5), Points(-900), Points(900), Mate(5), Mate(1)];
        assert!(order.is_sorted_by_key(|score| score.points()));
        assert_eq!(Mate(0).points(), -30_000);
    }
}
