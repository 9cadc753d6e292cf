//! Which pseudo-legal moves leave the own king safe.

use super::{attacks, position::Position};
use crate::types::{Bitboard, Kind, Move, Square};

/// What a position has to know once to tell legal moves from pseudo-legal ones quickly.
///
/// A move can only expose the own king if the king moves, if it answers a check, if the piece
/// leaves a line or a horse's leg that it blocked (`shields`), or if it becomes the screen of a
/// cannon that had none (`screens`). Only these few are tried on the board.
#[derive(Clone, Copy, Debug)]
pub struct Legality {
    shields: Bitboard,
    screens: Bitboard,
    in_check: bool,
    king: Square,
}

impl Legality {
    /// Looks at the lines and leaps that end on the mover's king.
    pub fn of(position: &Position) -> Self {
        let us = position.side();
        let king = position.king(us);
        let occupied = position.occupied();
        let (ours, theirs) = (position.by_side(us), position.by_side(!us));
        let mut shields = Bitboard::EMPTY;
        let mut screens = Bitboard::EMPTY;

        let on_lines = attacks::cross(king) & theirs;
        let rooks = position.by_kind(Kind::Rook) | position.by_kind(Kind::King);
        for attacker in on_lines & rooks {
            let between = attacks::between(king, attacker);
            let blockers = between & occupied;
            if !blockers.has_several() {
                shields |= blockers & ours;
            }
        }
        for attacker in on_lines & position.by_kind(Kind::Cannon) {
            let between = attacks::between(king, attacker);
            let blockers = between & occupied;
            if blockers.is_empty() {
                screens |= between;
            } else if blockers.has_several() && !blockers.without_first().has_several() {
                shields |= blockers & ours;
            }
        }
        for horse in attacks::horse_unblocked(king) & theirs & position.by_kind(Kind::Horse) {
            if let Some(leg) = attacks::horse_leg(horse, king) {
                shields |= Bitboard::of(leg) & ours;
            }
        }
        Self { shields, screens, in_check: position.in_check(), king }
    }

    /// Whether a pseudo-legal move of the same position leaves the king safe.
    #[inline]
    pub fn allows(&self, position: &Position, m: Move) -> bool {
        let certain = !self.in_check
            && m.from() != self.king
            && !self.shields.contains(m.from())
            && !self.screens.contains(m.to());
        certain || position.leaves_king_safe(m)
    }

    /// Targets that a piece on `from` can reach without any doubt about the king.
    #[inline]
    pub(super) fn certain_targets(&self, from: Square) -> Bitboard {
        if self.in_check || from == self.king || self.shields.contains(from) {
            Bitboard::EMPTY
        } else {
            !self.screens
        }
    }
}

impl Position {
    /// Whether the mover's king is safe after a pseudo-legal move: neither attacked nor facing the
    /// other king. Works on the occupancy alone; nothing is made.
    pub fn leaves_king_safe(&self, m: Move) -> bool {
        let us = self.side();
        let (from, to) = (Bitboard::of(m.from()), Bitboard::of(m.to()));
        let king = if m.from() == self.king(us) { m.to() } else { self.king(us) };
        let occupied = (self.occupied() - from) | to;
        (self.king_attackers(us, king, occupied) - to).is_empty()
    }

    /// Whether a pseudo-legal move attacks the other king, directly or by opening or closing a
    /// line. Works on the occupancy alone; nothing is made.
    pub fn gives_check(&self, m: Move) -> bool {
        let us = self.side();
        let Some(piece) = self.piece_on(m.from()) else { return false };
        let king = self.king(!us);
        let (from, to) = (Bitboard::of(m.from()), Bitboard::of(m.to()));
        let occupied = (self.occupied() - from) | to;
        let (rook, cannon) = attacks::rook_and_cannon(king, occupied);
        let horse = attacks::horse_reverse(king, occupied);
        let direct = match piece.kind() {
            Kind::Rook => rook,
            Kind::Cannon => cannon,
            Kind::Horse => horse,
            Kind::Soldier => attacks::soldier_reverse(us, king),
            Kind::King | Kind::Advisor | Kind::Elephant => Bitboard::EMPTY,
        };
        if !direct.is_disjoint(to) {
            return true;
        }
        let discovered = rook & self.by_kind(Kind::Rook)
            | cannon & self.by_kind(Kind::Cannon)
            | horse & self.by_kind(Kind::Horse);
        !(discovered & (self.by_side(us) - from)).is_empty()
    }

    /// The squares from which the mover's pieces of each kind would attack the other king.
    pub fn check_squares(&self) -> CheckSquares {
        let king = self.king(!self.side());
        let (rook, cannon) = attacks::rook_and_cannon(king, self.occupied());
        CheckSquares {
            rook,
            cannon,
            horse: attacks::horse_reverse(king, self.occupied()),
            soldier: attacks::soldier_reverse(self.side(), king),
        }
    }

    /// Whether the move could be played if kings did not matter: an own piece goes where it can
    /// and takes nothing of its own.
    pub fn is_pseudo_legal(&self, m: Move) -> bool {
        let us = self.by_side(self.side());
        us.contains(m.from()) && (self.reach(m.from()) - us).contains(m.to())
    }

    /// Whether the move is legal, whatever its origin: a table, a user, a file.
    pub fn is_legal(&self, m: Move) -> bool {
        self.is_pseudo_legal(m) && self.leaves_king_safe(m)
    }
}

/// From where pieces attack a king as the lines stand.
#[derive(Clone, Copy, Debug)]
pub struct CheckSquares {
    rook: Bitboard,
    cannon: Bitboard,
    horse: Bitboard,
    soldier: Bitboard,
}

impl CheckSquares {
    /// Whether a piece of this kind gives check on that square. A move there does so as well,
    /// unless it has just opened or closed the line.
    pub const fn contains(&self, kind: Kind, square: Square) -> bool {
        let squares = match kind {
            Kind::Rook => self.rook,
            Kind::Cannon => self.cannon,
            Kind::Horse => self.horse,
            Kind::Soldier => self.soldier,
            Kind::King | Kind::Advisor | Kind::Elephant => return false,
        };
        squares.contains(square)
    }
}
