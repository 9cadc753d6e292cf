//! What continuous checks bring: mates (28.2) and pieces (29.1). Both are bounded.

use super::exchange::{View, capture_gain, is_gain, worth};
use crate::{
    board::Position,
    types::{Bitboard, Kind, Move, MoveList, Side, Square},
};

/// A kill (28.2) mates by at most this many checks.
pub const KILL_CHECKS: usize = 4;

/// A chase by continuous checks (29.1) takes its piece after at most this many checks.
pub const CHASE_CHECKS: usize = 3;

/// How many moves one search may try. Over the cap the answer is "no", and the trace says so.
pub struct Budget {
    left: u32,
    /// Whether the cap was hit.
    pub hit: bool,
}

impl Budget {
    /// A budget of this many moves.
    pub const fn new(moves: u32) -> Self {
        Self { left: moves, hit: false }
    }

    /// Takes one move off; false if none is left.
    fn spend(&mut self) -> bool {
        match self.left.checked_sub(1) {
            Some(left) => self.left = left,
            None => self.hit = true,
        }
        !self.hit
    }
}

/// The mover's checks. Where it stands in an old check (see [`View`]) it need not answer it.
fn checks(position: &Position, view: &View) -> MoveList {
    let mut list = MoveList::new();
    let side = position.side();
    if position.in_check() && view.old_checkers[side.index()].is_empty() {
        position.evasions(&mut list);
    } else {
        position.captures(&mut list);
        position.quiets(&mut list);
    }
    list.retain(|m| {
        position.gives_check(*m)
            && position.piece_on(m.to()).is_none_or(|piece| piece.kind() != Kind::King)
            && view.allows(position, side, *m)
    });
    list
}

/// Whether the mover has a check that mates on the spot.
pub fn mates_at_once(position: &mut Position) -> bool {
    checks(position, &View::default()).into_iter().any(|m| {
        let undo = position.make(m);
        let mated = !position.has_legal_move();
        position.unmake(m, undo);
        mated
    })
}

/// The first check of a mate by at most [`KILL_CHECKS`] checks, and how many it takes.
pub fn kill(position: &mut Position, budget: &mut Budget) -> Option<(Move, usize)> {
    (1..=KILL_CHECKS).find_map(|depth| Some((mating_check(position, depth, budget)?, depth)))
}

/// A check that mates within `depth` checks, whatever the replies.
pub fn mating_check(position: &mut Position, depth: usize, budget: &mut Budget) -> Option<Move> {
    checks(position, &View::default()).into_iter().find(|&m| {
        if !budget.spend() {
            return false;
        }
        let undo = position.make(m);
        let mates = if depth == 1 {
            !position.has_legal_move()
        } else {
            position.legal_moves().into_iter().all(|reply| {
                let undo = position.make(reply);
                let mates = mating_check(position, depth - 1, budget).is_some();
                position.unmake(reply, undo);
                mates
            })
        };
        position.unmake(m, undo);
        mates && !budget.hit
    })
}

/// Pieces of the side not to move that the mover wins by taking directly, among `wanted`; what
/// the way there brought or cost is `balance`. Kings and soldiers do not take (27.1, 27.2).
fn won_directly(
    position: &mut Position,
    wanted: Bitboard,
    balance: i32,
    view: &View,
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
pub struct Prepared {
    /// The pieces that are won for sure, each by some first move.
    pub targets: Bitboard,
    /// The first move that wins one of them.
    pub first: Option<Move>,
}

impl Prepared {
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
    view: &View,
    budget: &mut Budget,
) -> Prepared {
    won_after_checks(position, depth, wanted, 0, view, budget)
}

fn won_after_checks(
    position: &mut Position,
    depth: usize,
    wanted: Bitboard,
    balance: i32,
    view: &View,
    budget: &mut Budget,
) -> Prepared {
    let mut all = Prepared::default();
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
    view: &View,
    budget: &mut Budget,
) -> Prepared {
    let side = position.side();
    let mut all = Prepared::default();
    let mut list = MoveList::new();
    position.captures(&mut list);
    for m in list {
        let Some(trade) = even_trade(position, side, m, view) else { continue };
        let mut won = wanted.without(m.to()) - all.targets;
        let undo = position.make(m);
        let roots = super::exchange::real_roots(position, m.to(), view);
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
fn even_trade(position: &Position, side: Side, m: Move, view: &View) -> Option<i32> {
    let value = |square: Square| position.piece_on(square).map_or(0, |piece| worth(piece, square));
    let (given, taken) = (value(m.from()), value(m.to()));
    let king = position.by_kind(Kind::King);
    let pieces = !king.contains(m.from()) && !king.contains(m.to());
    (pieces && taken > 0 && given <= taken && view.allows(position, side, m))
        .then_some(taken - given)
}
