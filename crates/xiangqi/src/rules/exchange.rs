//! Exchanges on one square, with the values of 25.3 and with real roots only (28.16).

use super::{mate::mates_at_once, viewpoint::Viewpoint};
use crate::{
    board::Position,
    types::{Bitboard, Kind, Move, Piece, Square},
};

/// What an exchange brings, in sixteenths of an advisor; soldiers across the river are one each,
/// so that they stay countable beside the pieces. [`is_gain`] reads it.
pub type Gain = i32;

const ADVISOR: Gain = 16;

/// The value of a piece by 25.3: a rook is two horses or two cannons, horse and cannon are equal,
/// advisor and elephant are equal. The text relates the two pairs by nothing but its order; a
/// horse is taken as two advisors. Kings and soldiers at home are no pieces of value.
pub const fn worth(piece: Piece, square: Square) -> Gain {
    match piece.kind() {
        Kind::Rook => 4 * ADVISOR,
        Kind::Horse | Kind::Cannon => 2 * ADVISOR,
        Kind::Advisor | Kind::Elephant => ADVISOR,
        Kind::Soldier => !square.is_home_half(piece.side()) as Gain,
        Kind::King => 0,
    }
}

/// Whether a sequence of captures wins something: pieces to the good and no soldier paid, or
/// equal pieces and a soldier to the good. A soldier for pieces, or pieces for soldiers, is no
/// gain (25.3: their value floats).
pub const fn is_gain(total: Gain) -> bool {
    // A soldier too few leaves a remainder just below a whole advisor.
    total > 0 && total & (ADVISOR - 1) < ADVISOR / 2
}

/// What the mover gains at best by taking on `square` and what follows there, at least 0: it may
/// decline. Only real recaptures count: legal, and not answered by mate in one.
///
/// Hidden roots (lines that the first capture opens) and short roots (more attackers than roots)
/// need no rule of their own: each step looks anew at what bears on the square.
pub fn best_recapture(position: &mut Position, square: Square, view: &Viewpoint) -> Gain {
    let Some(standing) = position.piece_on(square) else { return 0 };
    let value = worth(standing, square);
    let side = position.side();
    let mut best = 0;
    for from in position.attackers_of(square, side, position.occupied()) {
        if best >= value {
            break;
        }
        let m = Move::between(from, square);
        if !view.allows(position, side, m) {
            continue;
        }
        let undo = position.make(m);
        if !mates_at_once(position) {
            best = best.max(value - best_recapture(position, square, view));
        }
        position.unmake(m, undo);
    }
    best
}

/// The squares from which the mover really recaptures on `square`.
pub fn real_roots(position: &mut Position, square: Square, view: &Viewpoint) -> Bitboard {
    let side = position.side();
    let mut roots = Bitboard::EMPTY;
    for from in position.attackers_of(square, side, position.occupied()) {
        let m = Move::between(from, square);
        if view.allows(position, side, m) {
            let undo = position.make(m);
            if !mates_at_once(position) {
                roots = roots.with(from);
            }
            position.unmake(m, undo);
        }
    }
    roots
}

/// What the capture `m` brings in the end, or `None` if the taker is mated in one after it (29.4;
/// not asked about the time before the move, nor where nothing is gained).
pub fn capture_gain(position: &mut Position, m: Move, view: &Viewpoint) -> Option<Gain> {
    let taken = position.piece_on(m.to())?;
    let undo = position.make(m);
    let gain = worth(taken, m.to()) - best_recapture(position, m.to(), view);
    let mated = is_gain(gain) && !view.before && mates_at_once(position);
    position.unmake(m, undo);
    (!mated).then_some(gain)
}
