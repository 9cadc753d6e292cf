//! What a search is asked for.

use super::skill::{Character, Skill};
use std::time::Duration;
use xiangqi::types::Move;

/// The mover's clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Clock {
    /// Time left until the next control, or for the whole game.
    pub remaining: Duration,
    /// Time added after each move.
    pub increment: Duration,
    /// Moves until the next control; `None` = sudden death.
    pub moves_to_go: Option<u32>,
}

/// When a search ends and which moves it looks at. Whichever limit is reached first ends it; with
/// none it runs until it is stopped.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// Depth in plies.
    pub depth: Option<u32>,
    /// Nodes, over all threads.
    pub nodes: Option<u64>,
    /// Start no further iteration after this many nodes. Costs fewer nodes for the depth reached
    /// than ending in the middle of an iteration, and is as repeatable.
    pub soft_nodes: Option<u64>,
    /// A fixed time for this move.
    pub move_time: Option<Duration>,
    /// The mover's clock, from which the search takes what it thinks right.
    pub clock: Option<Clock>,
    /// Time lost between the engine and whoever runs the clock, for each move; taken off both kinds
    /// of time.
    pub overhead: Duration,
    /// Stop at a proven mate in this many moves or fewer.
    pub mate: Option<u32>,
    /// Search on the opponent's time: no time limit holds until
    /// [`ponderhit`](crate::search::Signals::ponderhit).
    pub ponder: bool,
    /// Moves that must not be played at the root (`banmoves`).
    pub banned: Vec<Move>,
    /// If not empty, the only moves to consider at the root (`searchmoves`).
    pub only: Vec<Move>,
    /// How many best lines to report; 0 counts as 1.
    pub multi_pv: usize,
    /// Taste and chance in the evaluation.
    pub character: Character,
    /// A weaker engine, if any.
    pub skill: Option<Skill>,
    /// Rest for this many hundredths of the time spent working, to spare the machine.
    pub rest_percent: u32,
}

impl Limits {
    /// The limits of the search itself, where the skill is limited: less deep, and more lines to
    /// choose from.
    pub(super) fn weakened(&self) -> Self {
        let mut limits = self.clone();
        if let Some(skill) = self.skill {
            limits.depth = Some(self.depth.unwrap_or(u32::MAX).min(skill.depth()));
            limits.multi_pv = self.multi_pv.max(Skill::LINES);
        }
        limits
    }

    /// Whether nothing but a signal ends the search.
    pub fn is_endless(&self) -> bool {
        self.depth.is_none()
            && self.nodes.is_none()
            && self.soft_nodes.is_none()
            && self.move_time.is_none()
            && self.clock.is_none()
            && self.mate.is_none()
    }
}
