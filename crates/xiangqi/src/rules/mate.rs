//! Mates by continuous checks (28.2), within a bound and a budget.

use super::viewpoint::Viewpoint;
use crate::{
    board::Position,
    types::{Kind, Move, MoveList},
};

/// A kill (28.2) mates by at most this many checks.
pub const KILL_CHECKS: usize = 4;

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
    pub fn spend(&mut self) -> bool {
        match self.left.checked_sub(1) {
            Some(left) => self.left = left,
            None => self.hit = true,
        }
        !self.hit
    }
}

/// The mover's checks. Where it stands in an old check (see [`Viewpoint`]) it need not answer it.
pub fn checks(position: &Position, view: &Viewpoint) -> MoveList {
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
    checks(position, &Viewpoint::default()).into_iter().any(|m| {
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
    checks(position, &Viewpoint::default()).into_iter().find(|&m| {
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
