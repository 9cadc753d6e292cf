//! From where a position is looked at: as it is, or as it was before the move in question.

use crate::{
    board::Position,
    types::{Bitboard, Move, Side},
};

/// From where a position is looked at.
#[derive(Clone, Copy, Default)]
pub struct Viewpoint {
    /// Checkers of each side's king that stood there before the question: such an old check does
    /// not forbid a capture.
    pub old_checkers: [Bitboard; Side::NUM],
    /// Whether the question is what stood before the move: an attack that was only held up by a
    /// check or by a mate in return is not new later.
    pub before: bool,
}

impl Viewpoint {
    /// The position before a move of its mover.
    pub fn before(position: &Position) -> Self {
        let mut view = Self { before: true, ..Self::default() };
        view.old_checkers[position.side().index()] = position.checkers();
        view
    }

    /// Whether a pseudo-legal move of `side` gives no new check on its own king.
    pub fn allows(&self, position: &Position, side: Side, m: Move) -> bool {
        let (from, to) = (Bitboard::of(m.from()), Bitboard::of(m.to()));
        let king_moves = m.from() == position.king(side);
        let king = if king_moves { m.to() } else { position.king(side) };
        let occupied = (position.occupied() - from) | to;
        let attackers = position.king_attackers(side, king, occupied) - to;
        let old = if king_moves { Bitboard::EMPTY } else { self.old_checkers[side.index()] };
        (attackers - old).is_empty()
    }
}
