//! Whether a game is over: the one home of the question. Referee, self-play, record checks, the
//! opening lists and the search's root ask here.

use super::{CycleKind, RuleSet, Ruling, Status, judge, material_draw, natural_limit_reached};
use crate::{game::Game, types::Side};

/// How a game ended on the board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ending {
    /// Checkmate (将死): the side to move is in check and has no legal move.
    Mate,
    /// Stalemate (困毙): the side to move is not in check and has no legal move. It loses.
    Stalemate,
    /// The side at fault went on with forbidden moves (24.1, 24.3).
    RepetitionLoss,
    /// Both sides may go on, or both are at fault (24.2).
    RepetitionDraw,
    /// Neither side has a piece to attack with.
    NoAttackers,
    /// The natural limit of rounds without a capture (自然限着).
    NaturalLimit,
}

/// The end of a game: how, and for whom.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// How it ended.
    pub ending: Ending,
    /// Who won; `None` is a draw.
    pub winner: Option<Side>,
    /// The articles of the competition rules of 1999 that end it.
    pub articles: &'static [&'static str],
}

impl Ending {
    /// Short English words for records.
    pub const fn text(self) -> &'static str {
        match self {
            Self::Mate => "mate",
            Self::Stalemate => "stalemate",
            Self::RepetitionLoss => "forbidden repetition",
            Self::RepetitionDraw => "draw by repetition",
            Self::NoAttackers => "no attacking material",
            Self::NaturalLimit => "natural limit",
        }
    }
}

impl Outcome {
    fn new(ending: Ending, winner: Option<Side>, articles: &'static [&'static str]) -> Self {
        Self { ending, winner, articles }
    }
}

/// What the rules say of the game as it stands: its end, or `None` if it goes on.
///
/// Mate and stalemate come before everything else that a position may show, then repetition, then
/// the want of attackers, then the natural limit.
pub fn outcome(game: &Game, rules: RuleSet) -> Option<Outcome> {
    if !game.position().has_legal_move() {
        return Some(without_a_move(game));
    }
    // Nothing holds before the final occurrence, and the full account is dear.
    let repeated = game.occurrences() >= rules.switches().final_occurrence;
    if let Some(outcome) = repeated.then(|| by_repetition(&judge(game, rules))).flatten() {
        return Some(outcome);
    }
    if material_draw(game) {
        return Some(Outcome::new(Ending::NoAttackers, None, &["4.2.1"]));
    }
    natural_limit_reached(game, rules)
        .then(|| Outcome::new(Ending::NaturalLimit, None, &["4.2.4", "23.3"]))
}

fn without_a_move(game: &Game) -> Outcome {
    let winner = Some(!game.position().side());
    if game.position().in_check() {
        Outcome::new(Ending::Mate, winner, &["3.1", "4.1.1"])
    } else {
        Outcome::new(Ending::Stalemate, winner, &["3.2", "4.1.3"])
    }
}

fn by_repetition(ruling: &Ruling) -> Option<Outcome> {
    match ruling.status {
        Status::None | Status::MustChange(_) => None,
        Status::Draw => Some(Outcome::new(Ending::RepetitionDraw, None, &["4.2.3", "24.2"])),
        Status::Loses(side) => {
            let checks = ruling.parts[side.index()].kind == CycleKind::PerpetualCheck;
            let articles: &[_] = if checks { &["4.1.7", "24.1"] } else { &["4.1.7", "24.3"] };
            Some(Outcome::new(Ending::RepetitionLoss, Some(!side), articles))
        }
    }
}
