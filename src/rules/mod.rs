//! 棋例: pure functions from a game to a ruling; no search, no input or output.

mod ruleset;

pub use ruleset::RuleSet;

use crate::{game::Game, types::Side};

/// What the repeated cycle deserves if it went on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CycleRuling {
    /// The last position has not occurred before.
    None,
    /// Both sides may go on: a draw (不变作和).
    Draw,
    /// This side alone plays forbidden moves and must change.
    Forbidden(Side),
}

/// What the rules say of the game as it stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// The game goes on.
    None,
    /// Drawn by repetition.
    Draw,
    /// This side must change now or lose (24.3).
    MustChange(Side),
    /// This side has lost.
    Loses(Side),
}

/// The ruling on a game's repetition.
#[derive(Clone, Debug)]
pub struct Ruling {
    /// As if the cycle went on; given from the second occurrence on.
    pub cycle_ruling: CycleRuling,
    /// What holds now.
    pub status: Status,
    /// How often the last position has occurred.
    pub occurrences: usize,
}

/// Rules on the repetition that the game's last move completes, if it does.
pub fn judge(game: &Game, _rules: RuleSet) -> Ruling {
    let occurrences = game.occurrences();
    Ruling { cycle_ruling: CycleRuling::None, status: Status::None, occurrences }
}

/// Whether the natural limit of moves without progress is reached (4.2.4, 23.3).
pub fn natural_limit_reached(game: &Game, _rules: RuleSet) -> bool {
    game.position().halfmove_clock() >= 120
}

/// Whether neither side has anything left to attack with (4.2.1).
pub fn material_draw(game: &Game) -> bool {
    Side::ALL.into_iter().all(|side| !game.position().has_attackers(side))
}
