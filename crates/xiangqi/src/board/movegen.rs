//! Generating moves: captures, quiet moves and evasions, pseudo-legal each; and legal moves.

use super::{attacks, legality::Legality, position::Position};
use crate::types::{Bitboard, Kind, Move, MoveList, Square};

impl Position {
    /// Calls `each` with every piece of the mover and those of `targets` that it reaches.
    /// `targets` must not hold the mover's own pieces.
    #[inline]
    fn for_each_reach(&self, targets: Bitboard, mut each: impl FnMut(Square, Bitboard)) {
        let side = self.side();
        let occupied = self.occupied();
        for from in self.pieces(side, Kind::Soldier) {
            each(from, attacks::soldier(side, from) & targets);
        }
        for from in self.pieces(side, Kind::Rook) {
            each(from, attacks::rook(from, occupied) & targets);
        }
        for from in self.pieces(side, Kind::Cannon) {
            let (rook, range) = attacks::rook_and_cannon(from, occupied);
            each(from, ((rook - occupied) | (range & occupied)) & targets);
        }
        for from in self.pieces(side, Kind::Horse) {
            each(from, attacks::horse(from, occupied) & targets);
        }
        for from in self.pieces(side, Kind::Elephant) {
            each(from, attacks::elephant(from, occupied) & targets);
        }
        for from in self.pieces(side, Kind::Advisor) {
            each(from, attacks::advisor(from) & targets);
        }
        let king = self.king(side);
        each(king, attacks::king(king) & targets);
    }

    fn push_moves(&self, targets: Bitboard, list: &mut MoveList) {
        self.for_each_reach(targets, |from, reach| {
            for to in reach {
                list.push(Move::between(from, to));
            }
        });
    }

    /// Adds all pseudo-legal captures.
    pub fn captures(&self, list: &mut MoveList) {
        self.push_moves(self.by_side(!self.side()), list);
    }

    /// Adds all pseudo-legal moves that take nothing.
    pub fn quiets(&self, list: &mut MoveList) {
        self.push_moves(!self.occupied(), list);
    }

    /// Adds the pseudo-legal moves that can answer the check that the mover is in: king moves,
    /// taking the checker, standing in its line (before a cannon: a second screen) or on its
    /// horse's leg, and for a cannon taking the screen away. Some may still be illegal.
    pub fn evasions(&self, list: &mut MoveList) {
        debug_assert!(self.in_check());
        let us = self.side();
        let own = self.by_side(us);
        let king = self.king(us);
        let checkers = self.checkers();
        let Some(checker) = checkers.first().filter(|_| !checkers.has_several()) else {
            // Two pieces at once: one move may still answer both, by moving a common screen.
            self.push_moves(!own, list);
            return;
        };
        let mut useful = checkers;
        let mut screen = Bitboard::EMPTY;
        match self.piece_on(checker).map(|piece| piece.kind()) {
            Some(Kind::Rook) => useful |= attacks::between(king, checker),
            Some(Kind::Cannon) => {
                let between = attacks::between(king, checker);
                screen = between & own;
                useful |= between;
            }
            Some(Kind::Horse) => {
                if let Some(leg) = attacks::horse_leg(checker, king) {
                    useful |= Bitboard::of(leg);
                }
            }
            _ => {}
        }
        let free = screen | Bitboard::of(king);
        self.for_each_reach(!own, |from, reach| {
            let targets = if free.contains(from) { reach } else { reach & useful };
            for to in targets {
                list.push(Move::between(from, to));
            }
        });
    }

    /// All legal moves.
    pub fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        if self.in_check() {
            self.evasions(&mut list);
        } else {
            self.push_moves(!self.by_side(self.side()), &mut list);
        }
        let legality = Legality::of(self);
        list.retain(|m| legality.allows(self, *m));
        list
    }

    /// Whether the mover has a legal move. If not it has lost: mated or stalemated (困毙).
    pub fn has_legal_move(&self) -> bool {
        // Any single legal move will do, and most positions have one among the first few.
        let own = self.by_side(self.side());
        let legality = Legality::of(self);
        let mut found = false;
        self.for_each_reach(!own, |from, reach| {
            found =
                found || reach.into_iter().any(|to| legality.allows(self, Move::between(from, to)));
        });
        found
    }

    /// How many legal moves there are, without listing them.
    pub fn count_legal(&self) -> u64 {
        if self.in_check() {
            return self.legal_moves().len() as u64;
        }
        let legality = Legality::of(self);
        let mut count = 0;
        self.for_each_reach(!self.by_side(self.side()), |from, reach| {
            let certain = reach & legality.certain_targets(from);
            count += u64::from(certain.len());
            for to in reach - certain {
                count += u64::from(self.leaves_king_safe(Move::between(from, to)));
            }
        });
        count
    }
}
