//! Endings in which one side has a single attacking piece and the other none: which of them are
//! won and which drawn. A network or a hand-written evaluation counts pieces there, and thinks a
//! lone cannon worth a cannon.
//!
//! The lines that `docs/endings.md` lists are proved by the retrograde solver of
//! `tests/endings.rs`: an ending counts as won if nearly all of its positions are won with the
//! stronger side to move, as drawn if fewer than a quarter are. The others follow from those by
//! one guard more: of the weaker side, where that held already (a soldier or a cannon against more
//! guards), or of the stronger side, where it won already (a cannon with advisors).

use crate::eval::Score;
use xiangqi::{
    board::Position,
    types::{Kind, Side},
};

/// What an ending comes to in nearly all of its positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// This side wins.
    Won(Side),
    /// Nobody wins.
    Drawn,
}

impl Ending {
    /// What is known of a position; `None` if nothing is, as wherever more than one attacking
    /// piece stands.
    #[inline]
    pub fn of(position: &Position) -> Option<Self> {
        let attackers = position.by_kind(Kind::Rook)
            | position.by_kind(Kind::Horse)
            | position.by_kind(Kind::Cannon)
            | position.by_kind(Kind::Soldier);
        if attackers.has_several() { None } else { Self::of_few(position) }
    }

    fn of_few(position: &Position) -> Option<Self> {
        let count = |side, kind| position.pieces(side, kind).len();
        let guards = |side| (count(side, Kind::Advisor), count(side, Kind::Elephant));
        for side in Side::ALL {
            let won = |won: bool| Some(if won { Self::Won(side) } else { Self::Drawn });
            let (own, other) = (guards(side), guards(!side));
            if count(side, Kind::Rook) == 1 {
                // The full guard holds if it stands well, and falls if it does not.
                return if other == (2, 2) { None } else { won(true) };
            } else if count(side, Kind::Horse) == 1 {
                return won(other == (0, 0) || other == (1, 0));
            } else if count(side, Kind::Cannon) == 1 {
                return match (own, other) {
                    // It needs a screen of its own, and an elephant is a poor one.
                    ((0, 0), _) | ((0, 1), (0, 0)) => won(false),
                    ((1.., _), (_, 0) | (0, 1)) => won(true),
                    _ => None,
                };
            } else if let Some(soldier) = position.pieces(side, Kind::Soldier).first() {
                return won(other == (0, 0) && soldier.relative_to(side).rank() < 9);
            }
        }
        Some(Self::Drawn)
    }
}

/// The least that a won ending is worth, before what the evaluation says is added in part.
const WON: i32 = 500;
/// How much of the evaluation stays in a won ending, to tell its positions apart: one part in this
/// many.
const WON_SHARE: i32 = 4;
/// The same in a drawn one.
const DRAWN_SHARE: i32 = 16;

/// An evaluation set right where the ending is known; from the mover's view.
#[inline]
pub fn adjust(position: &Position, score: Score) -> Score {
    match Ending::of(position) {
        None => score,
        Some(Ending::Drawn) => Score(score.0 / DRAWN_SHARE),
        Some(Ending::Won(side)) => {
            let sign = if side == position.side() { 1 } else { -1 };
            let score = sign * score.0;
            Score(sign * score.max(WON + score / WON_SHARE)).clamp_to_eval()
        }
    }
}
