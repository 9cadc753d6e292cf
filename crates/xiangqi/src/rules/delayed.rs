//! Pieces that are won in several moves: by continuous checks or by an exchange (29.1).

use super::{
    exchange::{capture_gain, is_gain, real_roots, worth},
    mate::{Budget, checks},
    viewpoint::Viewpoint,
};
use crate::{
    board::Position,
    types::{Bitboard, Kind, Move, MoveList, Side, Square},
};

/// A chase by continuous checks (29.1) takes its piece after at most this many checks.
pub const CHASE_CHECKS: usize = 3;

/// Pieces of the side not to move that the mover wins by taking directly, among `wanted`; what
/// the way there brought or cost is `balance`. Kings and soldiers do not take (27.1, 27.2).
fn won_directly(
    position: &mut Position,
    wanted: Bitboard,
    balance: i32,
    view: &Viewpoint,
    budget: &mut Budget,
) -> Bitboard {
    let side = position.side();
    let idle = position.by_kind(Kind::King) | position.by_kind(Kind::Soldier);
    let mut won = Bitboard::EMPTY;
    for target in wanted & position.by_side(!side) {
        for from in position.attackers_of(target, side, position.occupied()) - idle {
            let m = Move::between(from, target);
            if view.allows(position, side, m)
                && budget.spend()
                && capture_gain(position, m, view)
                    .is_some_and(|gain| is_gain(gain) && is_gain(gain + balance))
            {
                won = won.with(target);
                break;
            }
        }
    }
    won
}

/// A set of squares as it was before `m`, if it is about the pieces of the side that played it.
fn before(set: Bitboard, m: Move) -> Bitboard {
    if set.contains(m.to()) { set.without(m.to()).with(m.from()) } else { set }
}

/// A set of squares as it is after `m`, if it is about the pieces of the side that plays it.
fn after(set: Bitboard, m: Move) -> Bitboard {
    if set.contains(m.from()) { set.without(m.from()).with(m.to()) } else { set }
}

/// A win of pieces in several moves.
#[derive(Clone, Copy, Default)]
pub struct DelayedWin {
    /// The pieces that are won for sure, each by some first move.
    pub targets: Bitboard,
    /// The first move that wins one of them.
    pub first: Option<Move>,
}

impl DelayedWin {
    fn add(&mut self, targets: Bitboard, m: Move) {
        if !targets.is_empty() && self.targets.is_empty() {
            self.first = Some(m);
        }
        self.targets |= targets;
    }
}

/// Pieces among `wanted` that the mover wins by at most `depth` checks and a capture, whatever the
/// replies; what the checks and replies took on the way is counted.
pub fn won_by_checks(
    position: &mut Position,
    depth: usize,
    wanted: Bitboard,
    view: &Viewpoint,
    budget: &mut Budget,
) -> DelayedWin {
    won_after_checks(position, depth, wanted, 0, view, budget)
}

fn won_after_checks(
    position: &mut Position,
    depth: usize,
    wanted: Bitboard,
    balance: i32,
    view: &Viewpoint,
    budget: &mut Budget,
) -> DelayedWin {
    let mut all = DelayedWin::default();
    let king = position.king(position.side());
    for m in checks(position, view) {
        let mut won = wanted.without(m.to()) - all.targets;
        if won.is_empty() {
            continue;
        }
        let gained = position.piece_on(m.to()).map_or(0, |piece| worth(piece, m.to()));
        let undo = position.make(m);
        for reply in position.legal_moves() {
            if !budget.spend() {
                won = Bitboard::EMPTY;
            }
            if won.is_empty() {
                break;
            }
            if reply.to() == king {
                continue; // An old check, not looked at here.
            }
            let lost = position.piece_on(reply.to()).map_or(0, |piece| worth(piece, reply.to()));
            let balance = balance + gained - lost;
            let undo = position.make(reply);
            let open = after(won, reply);
            let mut here = won_directly(position, open, balance, view, budget);
            if depth > 1 && here != open {
                here |= won_after_checks(position, depth - 1, open - here, balance, view, budget)
                    .targets;
            }
            position.unmake(reply, undo);
            won &= before(here, reply);
        }
        position.unmake(m, undo);
        all.add(won, m);
    }
    all
}

/// Pieces among `wanted` that the mover wins after an even trade: a capture that the other side
/// takes back, and then, however it took back, another capture.
pub fn won_by_exchange(
    position: &mut Position,
    wanted: Bitboard,
    view: &Viewpoint,
    budget: &mut Budget,
) -> DelayedWin {
    let side = position.side();
    let mut all = DelayedWin::default();
    let mut list = MoveList::new();
    position.captures(&mut list);
    for m in list {
        let Some(trade) = even_trade(position, side, m, view) else { continue };
        let mut won = wanted.without(m.to()) - all.targets;
        let undo = position.make(m);
        let roots = real_roots(position, m.to(), view);
        if roots.is_empty() {
            won = Bitboard::EMPTY;
        }
        for root in roots {
            if won.is_empty() {
                break;
            }
            let reply = Move::between(root, m.to());
            let undo = position.make(reply);
            let here = won_directly(position, after(won, reply), trade, view, budget);
            position.unmake(reply, undo);
            won &= before(here, reply);
        }
        position.unmake(m, undo);
        all.add(won, m);
    }
    all
}

/// What a capture that is taken back brings, if it is legal and no loss.
fn even_trade(position: &Position, side: Side, m: Move, view: &Viewpoint) -> Option<i32> {
    let value = |square: Square| position.piece_on(square).map_or(0, |piece| worth(piece, square));
    let (given, taken) = (value(m.from()), value(m.to()));
    let king = position.by_kind(Kind::King);
    let pieces = !king.contains(m.from()) && !king.contains(m.to());
    (pieces && taken > 0 && given <= taken && view.allows(position, side, m))
        .then_some(taken - given)
}
