//! Static exchange evaluation: what a capture is worth once the dust has settled on its square.
//!
//! Every step looks the attackers up anew, since in xiangqi each capture can open and close lines:
//! a cannon gains or loses its screen, a horse its leg, and the kings may come to face each other.
//! Pins other than the facing of the kings are not looked at.

use super::Score;
use xiangqi::{
    board::{Position, attacks},
    types::{Bitboard, Kind, Move, Side, Square},
};

/// The kinds in the order in which they are sent into an exchange.
const CHEAPEST_FIRST: [Kind; Kind::NUM] = [
    Kind::Soldier,
    Kind::Advisor,
    Kind::Elephant,
    Kind::Horse,
    Kind::Cannon,
    Kind::Rook,
    Kind::King,
];

/// The exchange value of a kind, on the scale of [`Score::MINOR`].
pub const fn value(kind: Kind) -> Score {
    Score(match kind {
        Kind::King => 10_000,
        Kind::Rook => 2 * Score::MINOR.0 + Score::MINOR.0 / 4,
        Kind::Horse | Kind::Cannon => Score::MINOR.0,
        Kind::Advisor | Kind::Elephant => Score::MINOR.0 * 2 / 5,
        Kind::Soldier => Score::MINOR.0 / 4,
    })
}

/// What the mover gains by a pseudo-legal move if both sides then take on its target square as
/// long as it pays, the cheapest piece first. Quiet moves are 0 or a loss.
///
/// Where one side can choose between pieces of the same kind, the best of them counts, so that
/// the value is the same in the mirror.
pub fn see(position: &Position, m: Move) -> Score {
    let Some(piece) = position.piece_on(m.from()) else { return Score::DRAW };
    let gained = position.piece_on(m.to()).map_or(Score::DRAW, |taken| value(taken.kind()));
    let to = Bitboard::of(m.to());
    let occupied = (position.occupied() - Bitboard::of(m.from())) | to;
    let exchange = Exchange { position, square: m.to() };
    let mut kings = Side::ALL.map(|side| position.king(side));
    if piece.kind() == Kind::King {
        kings[position.side().index()] = m.to();
    }
    gained - exchange.best_capture(!position.side(), occupied, piece.kind(), kings)
}

/// Whether [`see`] is at least `threshold`.
pub fn see_ge(position: &Position, m: Move, threshold: Score) -> bool {
    let Some(piece) = position.piece_on(m.from()) else { return false };
    let gained = position.piece_on(m.to()).map_or(Score::DRAW, |taken| value(taken.kind()));
    if gained < threshold {
        return false;
    }
    // Even if the piece itself is lost for nothing.
    if gained - value(piece.kind()) >= threshold {
        return true;
    }
    see(position, m) >= threshold
}

/// An exchange on one square.
struct Exchange<'a> {
    position: &'a Position,
    square: Square,
}

impl Exchange<'_> {
    /// The most that `side` can gain by taking the `standing` piece, at least 0: it may decline.
    fn best_capture(
        &self,
        side: Side,
        occupied: Bitboard,
        standing: Kind,
        kings: [Square; Side::NUM],
    ) -> Score {
        let attackers = self.position.attackers_of(self.square, side, occupied);
        if attackers.is_empty() {
            return Score::DRAW;
        }
        let mut best = Score::DRAW;
        for kind in CHEAPEST_FIRST {
            let mut possible = false;
            for from in attackers & self.position.by_kind(kind) {
                let left = occupied.without(from);
                let mut kings = kings;
                if kind == Kind::King {
                    kings[side.index()] = self.square;
                }
                if self.exposes_king(side, kind, left, kings) {
                    continue;
                }
                possible = true;
                let reply = self.best_capture(!side, left, kind, kings);
                best = best.max(value(standing) - reply);
            }
            if possible {
                break;
            }
        }
        best
    }

    /// Whether the capture is illegal: a king steps onto an attacked square, or the kings face.
    fn exposes_king(
        &self,
        side: Side,
        kind: Kind,
        occupied: Bitboard,
        kings: [Square; Side::NUM],
    ) -> bool {
        let facing = kings[0].file() == kings[1].file()
            && attacks::between(kings[0], kings[1]).is_disjoint(occupied);
        facing
            || kind == Kind::King
                && !self.position.attackers_of(self.square, !side, occupied).is_empty()
    }
}
