//! What a move that is no attack does: exchange, offer, block, follow or nothing (28.5-28.9). For
//! the explanation only; all of these are allowed moves.

use super::{
    attack::Class,
    exchange::{real_roots, worth},
    viewpoint::Viewpoint,
};
use crate::{
    board::Position,
    types::{Bitboard, Kind, Move, Side, Square},
};

/// An idle move's name, with the pieces that it is about.
#[derive(Clone, Copy)]
pub struct Idle {
    pub class: Class,
    pub attackers: Bitboard,
    pub targets: Bitboard,
}

impl Idle {
    fn new(class: Class, attacker: Square, target: Square) -> Self {
        Self { class, attackers: Bitboard::of(attacker), targets: Bitboard::of(target) }
    }
}

/// Names a move that is no attack.
pub fn name(before: &Position, m: Move) -> Idle {
    let side = before.side();
    let mut after = before.clone();
    after.make(m);
    trade(before, &after, m, side)
        .or_else(|| block(before, &after, m, side))
        .or_else(|| follow(before, &after, m, side))
        .unwrap_or(Idle {
            class: Class::Idle,
            attackers: Bitboard::EMPTY,
            targets: Bitboard::EMPTY,
        })
}

/// New pairs of a piece of `side` and one of the other side that it attacks.
fn new_attacks<'a>(
    before: &'a Position,
    after: &'a Position,
    m: Move,
    side: Side,
) -> impl Iterator<Item = (Square, Square)> + 'a {
    let rest = after.by_side(side).without(m.to());
    std::iter::once(m.to()).chain(rest).flat_map(move |from| {
        let origin = if from == m.to() { m.from() } else { from };
        let new = (after.reach(from) - before.reach(origin)) & after.by_side(!side);
        new.into_iter().map(move |target| (from, target))
    })
}

/// 28.5 and 28.6: two pieces of a kind newly face each other. The mover's piece is rooted: an
/// exchange; it is not: an offer.
fn trade(before: &Position, after: &Position, m: Move, side: Side) -> Option<Idle> {
    let view = Viewpoint::default();
    new_attacks(before, after, m, side).find_map(|(from, target)| {
        let kind = after.piece_on(from)?.kind();
        let facing = after.piece_on(target)?.kind() == kind
            && matches!(kind, Kind::Rook | Kind::Horse | Kind::Cannon)
            && after.reach(target).contains(from);
        let capture = Move::new(target, from)?;
        if !facing || !view.allows(after, !side, capture) {
            return None;
        }
        let mut taken = after.clone();
        taken.make(capture);
        let rooted = !real_roots(&mut taken, from, &view).is_empty();
        Some(Idle::new(if rooted { Class::Exchange } else { Class::Offer }, from, target))
    })
}

/// 28.7: the moved piece stands in the way of a rook, cannon, horse or elephant, which reaches
/// fewer squares than before, and looks at one of the mover's pieces less.
fn block(before: &Position, after: &Position, m: Move, side: Side) -> Option<Idle> {
    let own = after.by_side(side).without(m.to());
    after.by_side(!side).into_iter().find_map(|enemy| {
        let lost = before.reach(enemy) - after.reach(enemy);
        let shielded = lost & own;
        let palace = Bitboard::PALACES
            & if side == Side::Red { Bitboard::RED_HALF } else { Bitboard::BLACK_HALF };
        let on_line = after.reach(enemy).contains(m.to());
        (!shielded.is_empty() || on_line && !(lost & palace).is_empty())
            .then(|| Idle::new(Class::Block, m.to(), enemy))
    })
}

/// 28.8: a piece of value, rooted or it would be a chase, is newly attacked.
fn follow(before: &Position, after: &Position, m: Move, side: Side) -> Option<Idle> {
    new_attacks(before, after, m, side).find_map(|(from, target)| {
        let attacker = after.piece_on(from)?.kind();
        let counts = !matches!(attacker, Kind::King | Kind::Soldier)
            && worth(after.piece_on(target)?, target) > 0;
        counts.then(|| Idle::new(Class::Follow, from, target))
    })
}
