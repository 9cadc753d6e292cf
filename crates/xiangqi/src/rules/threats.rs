//! What a side threatens to take: pairs of an attacker and a target, by each measure.

use super::{
    exchange::{capture_gain, is_gain, real_roots, worth},
    ruleset::GainTest,
    viewpoint::Viewpoint,
};
use crate::{
    board::{Position, attacks},
    types::{Bitboard, Kind, Move, Piece, Side, Square},
};
use arrayvec::ArrayVec;

/// One piece that threatens to take another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Threat {
    /// The square of the piece that would take.
    pub attacker: Square,
    /// The square of the piece that would be taken.
    pub target: Square,
}

/// Pairs of attackers and targets, kept on the stack.
pub type Pairs = ArrayVec<Threat, 64>;

/// The threats of one side.
#[derive(Clone, Default)]
pub struct Threats {
    /// Those that count as attacks.
    pub pairs: Pairs,
    /// Those of soldiers, which count only against an attack on every move (27.2), and of the
    /// king, which never count (27.1).
    pub idle: ArrayVec<Threat, 32>,
}

impl Threats {
    /// The threatened pieces.
    pub fn targets(&self) -> Bitboard {
        self.pairs.iter().map(|threat| threat.target).collect()
    }

    /// Whether the pair is among those that count or, for kings and soldiers, among the idle ones.
    pub fn contains(&self, threat: Threat) -> bool {
        self.pairs.contains(&threat) || self.idle.contains(&threat)
    }
}

/// What the side to move threatens to take.
pub fn threats(position: &mut Position, measure: GainTest, view: &Viewpoint) -> Threats {
    let side = position.side();
    let mut threats = Threats::default();
    for target in position.by_side(!side) {
        let Some(piece) = position.piece_on(target) else { continue };
        if worth(piece, target) == 0 {
            continue;
        }
        for from in position.attackers_of(target, side, position.occupied()) {
            let m = Move::between(from, target);
            let Some(attacker) = position.piece_on(from) else { continue };
            let idle = matches!(attacker.kind(), Kind::King | Kind::Soldier);
            let threatens = match measure {
                GainTest::Exchange => by_exchange(position, m, view),
                GainTest::Roots => !idle && by_roots(position, m, view),
                GainTest::MovedPiece => !idle && by_kind(position, m),
            };
            if threatens {
                let threat = Threat { attacker: from, target };
                // Neither list can overflow: each piece attacks at most eight others.
                let _ = if idle {
                    threats.idle.try_push(threat)
                } else {
                    threats.pairs.try_push(threat)
                };
            }
        }
    }
    threats
}

/// 29.1, 29.3, 29.4: the capture is legal, brings a gain over the whole exchange, and the taker is
/// not mated for it.
fn by_exchange(position: &mut Position, m: Move, view: &Viewpoint) -> bool {
    view.allows(position, position.side(), m)
        && !is_offer(position, m, view)
        && capture_gain(position, m, view).is_some_and(is_gain)
}

/// The Asian test: the capture is legal and nothing may take back, or a lesser piece takes a rook.
fn by_roots(position: &Position, m: Move, view: &Viewpoint) -> bool {
    let kinds = [m.from(), m.to()].map(|square| position.piece_on(square).map(Piece::kind));
    let lesser_on_rook = matches!(
        kinds,
        [Some(Kind::Horse | Kind::Cannon | Kind::Advisor | Kind::Elephant), Some(Kind::Rook)]
    );
    view.allows(position, position.side(), m)
        && !is_offer(position, m, view)
        && (lesser_on_rook || legal_roots(position, m, view).is_empty())
}

/// The league's test: a table of kinds, and no recapture by the way of moving.
fn by_kind(position: &Position, m: Move) -> bool {
    let kinds = [m.from(), m.to()].map(|square| position.piece_on(square).map(Piece::kind));
    let [Some(attacker), Some(target)] = kinds else { return false };
    let occupied = position.occupied().without(m.from());
    let open = || position.attackers_of(m.to(), !position.side(), occupied).is_empty();
    match (attacker, target) {
        (Kind::Horse | Kind::Cannon, Kind::Rook) => true,
        (Kind::Horse, Kind::Cannon | Kind::Soldier)
        | (Kind::Cannon, Kind::Horse | Kind::Soldier)
        | (Kind::Rook, Kind::Horse | Kind::Cannon | Kind::Soldier) => open(),
        _ => false,
    }
}

/// Whether attacker and target are rooks, horses or cannons both, and the target may as well take
/// the attacker: an offer to exchange (28.5, 28.6), no threat. A pinned target or one whose leg is
/// blocked may not.
fn is_offer(position: &Position, m: Move, view: &Viewpoint) -> bool {
    let kinds = [m.from(), m.to()].map(|square| position.piece_on(square).map(Piece::kind));
    kinds[0] == kinds[1]
        && matches!(kinds[0], Some(Kind::Rook | Kind::Horse | Kind::Cannon))
        && position.reach(m.to()).contains(m.from())
        && view.allows(position, !position.side(), m.reversed())
}

/// The pieces that may legally take back after the capture `m`: an old check does not forbid it.
pub fn legal_roots(position: &Position, m: Move, view: &Viewpoint) -> Bitboard {
    let owner = !position.side();
    let occupied = position.occupied().without(m.from());
    let roots = position.attackers_of(m.to(), owner, occupied).without(m.to());
    let old = view.old_checkers[owner.index()];
    roots
        .into_iter()
        .filter(|&from| {
            let king_takes = from == position.king(owner);
            let king = if king_takes { m.to() } else { position.king(owner) };
            let left = occupied.without(from).with(m.to());
            let attackers = position.king_attackers(owner, king, left).without(m.to());
            (if king_takes { attackers } else { attackers - old }).is_empty()
        })
        .collect()
}

/// Whether the piece on `from` attacks what stands on `to` by its way of moving.
pub fn attacks_square(position: &Position, from: Square, to: Square) -> bool {
    position.reach(from).contains(to)
}

/// Whether the capture needs a second attacker to gain: its target has a real root and the taker
/// is worth as much or more.
pub fn needs_help(position: &mut Position, m: Move, view: &Viewpoint) -> bool {
    let value = |square: Square| position.piece_on(square).map_or(0, |piece| worth(piece, square));
    if !position.is_pseudo_legal(m) || is_gain(value(m.to()) - value(m.from())) {
        return false;
    }
    let undo = position.make(m);
    let rooted = !real_roots(position, m.to(), view).is_empty();
    position.unmake(m, undo);
    rooted
}

/// The rooks of `owner` on `squares` that shield their king from an enemy horse.
pub fn horse_shields(position: &Position, owner: Side, squares: Bitboard) -> Bitboard {
    let horses = position.pieces(!owner, Kind::Horse);
    let king = position.king(owner);
    let occupied = position.occupied();
    let now = attacks::horse_reverse(king, occupied) & horses;
    (squares & position.pieces(owner, Kind::Rook))
        .into_iter()
        .filter(|&rook| attacks::horse_reverse(king, occupied.without(rook)) & horses != now)
        .collect()
}
