//! Key points of defence that make a plain draw at once (27.3).
//!
//! The text leaves open which they are. Only cases that hold whatever else stands on the board are
//! listed here; more can be added as further functions of the same form.

use super::{
    delayed::{CHASE_CHECKS, won_by_checks},
    mate::{Budget, kill},
    viewpoint::Viewpoint,
};
use crate::{
    board::Position,
    types::{Bitboard, Kind, Move, Side},
};

/// Whether `m`, which led to `position`, took such a point. The other side is to move.
pub fn holds_plain_draw(position: &Position, m: Move) -> bool {
    rook_takes_centre(position, m)
}

/// Rook against rook: each side has one rook and no other piece that can attack, and the
/// defender's rook goes to the centre file (单车占中). From there it keeps the other king from the
/// file behind which that side's rook would have to work. The other side must not mate or win the
/// rook by continuous checks.
fn rook_takes_centre(position: &Position, m: Move) -> bool {
    const CENTRE: Bitboard = Bitboard::file(4);
    let went = position.piece_on(m.to()).is_some_and(|piece| piece.kind() == Kind::Rook)
        && CENTRE.contains(m.to())
        && !CENTRE.contains(m.from());
    went && Side::ALL.into_iter().all(|side| has_only_a_rook(position, side))
        && is_safe(position, Bitboard::of(m.to()))
}

fn has_only_a_rook(position: &Position, side: Side) -> bool {
    let others = [Kind::Horse, Kind::Cannon, Kind::Soldier];
    position.pieces(side, Kind::Rook).len() == 1
        && others.into_iter().all(|kind| position.pieces(side, kind).is_empty())
}

/// Whether the mover can neither take the piece nor get at it or at the king by checks.
fn is_safe(position: &Position, piece: Bitboard) -> bool {
    let mut position = position.clone();
    let mut budget = Budget::new(MOVES);
    let attacked = piece.into_iter().any(|square| {
        !position.attackers_of(square, position.side(), position.occupied()).is_empty()
    });
    let view = Viewpoint::default();
    !attacked
        && kill(&mut position, &mut budget).is_none()
        && won_by_checks(&mut position, CHASE_CHECKS, piece, &view, &mut budget).targets.is_empty()
        && !budget.hit
}

/// The moves that may be tried for it; with two rooks on the board a few hundred do.
const MOVES: u32 = 2000;
