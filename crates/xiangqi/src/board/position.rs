//! A position: bitboards, mailbox and incremental keys; making and taking back moves.

use super::{attacks, zobrist};
use crate::types::{Bitboard, Key, Kind, Move, Piece, Side, Square};
use std::fmt;

/// A legal position: about as much state as a FEN, and no history.
///
/// A `Position` that exists is valid in the sense of [`InvalidPosition`](super::InvalidPosition):
/// it comes from [`Position::start`], from a FEN ([`str::parse`]), or from legal moves out of
/// these. Only [`Position::make`] trusts its caller.
#[derive(Clone, PartialEq, Eq)]
pub struct Position {
    pub(super) kinds: [Bitboard; Kind::NUM],
    pub(super) sides: [Bitboard; Side::NUM],
    pub(super) mailbox: [Option<Piece>; Square::NUM],
    pub(super) kings: [Square; Side::NUM],
    pub(super) side: Side,
    pub(super) halfmove_clock: u16,
    pub(super) fullmove: u16,
    pub(super) keys: Keys,
    pub(super) checkers: Bitboard,
}

/// The incremental keys of a position. All of them but `all` leave the side to move out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Keys {
    pub all: Key,
    pub soldiers: Key,
    /// Advisors, elephants and kings.
    pub guards: Key,
    /// Rooks, horses and cannons of each side.
    pub attackers: [Key; Side::NUM],
}

impl Keys {
    #[inline]
    pub(super) fn toggle(&mut self, piece: Piece, square: Square) {
        let key = zobrist::piece(piece, square);
        self.all ^= key;
        match piece.kind() {
            Kind::Soldier => self.soldiers ^= key,
            Kind::King | Kind::Advisor | Kind::Elephant => self.guards ^= key,
            Kind::Horse | Kind::Rook | Kind::Cannon => self.attackers[piece.side().index()] ^= key,
        }
    }
}

/// What [`Position::unmake`] needs to take a move back.
#[derive(Clone, Copy)]
pub struct Undo {
    captured: Option<Piece>,
    halfmove_clock: u16,
    fullmove: u16,
    keys: Keys,
    checkers: Bitboard,
}

impl Undo {
    /// The piece that the move took.
    #[inline]
    pub const fn captured(&self) -> Option<Piece> {
        self.captured
    }
}

impl Position {
    // --- looking ---

    /// The side to move.
    #[inline]
    pub const fn side(&self) -> Side {
        self.side
    }

    /// The piece on a square.
    #[inline]
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        self.mailbox[square.index()]
    }

    /// All occupied squares.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.sides[0] | self.sides[1]
    }

    /// The squares of one side's pieces.
    #[inline]
    pub const fn by_side(&self, side: Side) -> Bitboard {
        self.sides[side.index()]
    }

    /// The squares of one kind of piece, both sides.
    #[inline]
    pub const fn by_kind(&self, kind: Kind) -> Bitboard {
        self.kinds[kind.index()]
    }

    /// The squares of one side's pieces of one kind.
    #[inline]
    pub fn pieces(&self, side: Side, kind: Kind) -> Bitboard {
        self.sides[side.index()] & self.kinds[kind.index()]
    }

    /// Where a side's king stands.
    #[inline]
    pub const fn king(&self, side: Side) -> Square {
        self.kings[side.index()]
    }

    /// The pieces that give check to the side to move; kings count where they face each other, but
    /// in a valid position they never do.
    #[inline]
    pub const fn checkers(&self) -> Bitboard {
        self.checkers
    }

    /// Whether the side to move is in check.
    #[inline]
    pub const fn in_check(&self) -> bool {
        !self.checkers.is_empty()
    }

    /// Plies since the last capture, as the FEN said or as counted since.
    #[inline]
    pub const fn halfmove_clock(&self) -> u16 {
        self.halfmove_clock
    }

    /// The number of the current round, from 1, as in a FEN.
    #[inline]
    pub const fn fullmove(&self) -> u16 {
        self.fullmove
    }

    /// The key of the whole position, side to move included and counters left out.
    #[inline]
    pub const fn key(&self) -> Key {
        self.keys.all
    }

    /// The key of the soldiers of both sides.
    #[inline]
    pub const fn soldier_key(&self) -> Key {
        self.keys.soldiers
    }

    /// The key of kings, advisors and elephants of both sides.
    #[inline]
    pub const fn guard_key(&self) -> Key {
        self.keys.guards
    }

    /// The key of one side's rooks, horses and cannons.
    #[inline]
    pub const fn attacker_key(&self, side: Side) -> Key {
        self.keys.attackers[side.index()]
    }

    /// The key of the position after a pseudo-legal move, without making it.
    #[inline]
    pub fn key_after(&self, m: Move) -> Key {
        let mut key = self.keys.all ^ zobrist::BLACK_TO_MOVE;
        if let Some(piece) = self.piece_on(m.from()) {
            key ^= zobrist::piece(piece, m.from()) ^ zobrist::piece(piece, m.to());
        }
        if let Some(captured) = self.piece_on(m.to()) {
            key ^= zobrist::piece(captured, m.to());
        }
        key
    }

    /// Whether either side has a rook, horse, cannon or soldier left: something that can ever
    /// attack a king (4.2.1).
    #[inline]
    pub fn has_attackers(&self) -> bool {
        let pieces = self.kinds[Kind::Rook.index()]
            | self.kinds[Kind::Horse.index()]
            | self.kinds[Kind::Cannon.index()]
            | self.kinds[Kind::Soldier.index()];
        !pieces.is_empty()
    }

    /// The pieces of `by` that attack `target`, given an occupancy; the kings' facing along a file
    /// counts as an attack on a king only, see [`Position::king_attackers`].
    pub fn attackers_of(&self, target: Square, by: Side, occupied: Bitboard) -> Bitboard {
        let (rook, cannon) = attacks::rook_and_cannon(target, occupied);
        let mut set = rook & self.kinds[Kind::Rook.index()]
            | cannon & self.kinds[Kind::Cannon.index()]
            | attacks::horse_reverse(target, occupied) & self.kinds[Kind::Horse.index()]
            | attacks::soldier_reverse(by, target) & self.kinds[Kind::Soldier.index()];
        if target.is_home_half(by) {
            set |= attacks::elephant(target, occupied) & self.kinds[Kind::Elephant.index()]
                | attacks::advisor(target) & self.kinds[Kind::Advisor.index()]
                | attacks::king(target) & self.kinds[Kind::King.index()];
        }
        // With a cannon on the target itself the occupancy need not hold the target: cannons and
        // rooks look at squares before them, the target only ends their line.
        set & self.sides[by.index()] & occupied
    }

    /// The pieces of the other side that attack `side`'s king if it stood on `king`, given an
    /// occupancy. The facing king counts. Pieces outside `occupied` are taken as captured.
    #[inline]
    pub fn king_attackers(&self, side: Side, king: Square, occupied: Bitboard) -> Bitboard {
        let (rook, cannon) = attacks::rook_and_cannon(king, occupied);
        let them = self.sides[(!side).index()] & occupied;
        (rook & (self.kinds[Kind::Rook.index()] | self.kinds[Kind::King.index()])
            | cannon & self.kinds[Kind::Cannon.index()]
            | attacks::horse_reverse(king, occupied) & self.kinds[Kind::Horse.index()]
            | attacks::soldier_reverse(!side, king) & self.kinds[Kind::Soldier.index()])
            & them
    }

    /// Where the piece on `square` could go by its way of moving, own pieces not excluded: quiet
    /// targets and captures (for a cannon: empty squares before its screens and the pieces right
    /// behind them). Empty if nothing stands there.
    pub fn reach(&self, square: Square) -> Bitboard {
        let occupied = self.occupied();
        let Some(piece) = self.piece_on(square) else { return Bitboard::EMPTY };
        match piece.kind() {
            Kind::King => attacks::king(square),
            Kind::Advisor => attacks::advisor(square),
            Kind::Elephant => attacks::elephant(square, occupied),
            Kind::Horse => attacks::horse(square, occupied),
            Kind::Rook => attacks::rook(square, occupied),
            Kind::Cannon => {
                let (rook, range) = attacks::rook_and_cannon(square, occupied);
                (rook - occupied) | (range & occupied)
            }
            Kind::Soldier => attacks::soldier(piece.side(), square),
        }
    }

    // --- moving ---

    /// Plays a move that the caller knows to be legal here, and returns what takes it back.
    ///
    /// # Panics
    /// If no piece stands on the square it comes from.
    pub fn make(&mut self, m: Move) -> Undo {
        let (from, to) = (m.from(), m.to());
        let piece = self.mailbox[from.index()].expect("a move starts on a piece");
        let captured = self.mailbox[to.index()];
        debug_assert!(captured.is_none_or(|c| c.side() != self.side && c.kind() != Kind::King));
        debug_assert_eq!(piece.side(), self.side);
        let undo = Undo {
            captured,
            halfmove_clock: self.halfmove_clock,
            fullmove: self.fullmove,
            keys: self.keys,
            checkers: self.checkers,
        };
        if let Some(captured) = captured {
            self.kinds[captured.kind().index()].toggle(to);
            self.sides[captured.side().index()].toggle(to);
            self.keys.toggle(captured, to);
            self.halfmove_clock = 0;
        } else {
            self.halfmove_clock = self.halfmove_clock.saturating_add(1);
        }
        self.move_piece(piece, from, to);
        self.keys.toggle(piece, from);
        self.keys.toggle(piece, to);
        if self.side == Side::Black {
            self.fullmove = self.fullmove.saturating_add(1);
        }
        self.side = !self.side;
        self.keys.all ^= zobrist::BLACK_TO_MOVE;
        self.checkers = self.king_attackers(self.side, self.king(self.side), self.occupied());
        undo
    }

    /// Takes back the last move made.
    ///
    /// # Panics
    /// If no piece stands on the square that the move went to.
    pub fn unmake(&mut self, m: Move, undo: Undo) {
        let (from, to) = (m.from(), m.to());
        let piece = self.mailbox[to.index()].expect("a made move ends on a piece");
        self.side = !self.side;
        self.move_piece(piece, to, from);
        if let Some(captured) = undo.captured {
            self.kinds[captured.kind().index()].toggle(to);
            self.sides[captured.side().index()].toggle(to);
            self.mailbox[to.index()] = Some(captured);
        }
        self.halfmove_clock = undo.halfmove_clock;
        self.fullmove = undo.fullmove;
        self.keys = undo.keys;
        self.checkers = undo.checkers;
    }

    /// Moves a piece in bitboards, mailbox and king squares; keys are the caller's.
    #[inline]
    fn move_piece(&mut self, piece: Piece, from: Square, to: Square) {
        let change = Bitboard::of(from) | Bitboard::of(to);
        self.kinds[piece.kind().index()] ^= change;
        self.sides[piece.side().index()] ^= change;
        self.mailbox[from.index()] = None;
        self.mailbox[to.index()] = Some(piece);
        if piece.kind() == Kind::King {
            self.kings[piece.side().index()] = to;
        }
    }

    /// Gives the turn to the other side without a move. The mover must not be in check.
    pub fn make_null(&mut self) -> Undo {
        debug_assert!(!self.in_check());
        let undo = Undo {
            captured: None,
            halfmove_clock: self.halfmove_clock,
            fullmove: self.fullmove,
            keys: self.keys,
            checkers: self.checkers,
        };
        self.side = !self.side;
        self.keys.all ^= zobrist::BLACK_TO_MOVE;
        self.halfmove_clock = self.halfmove_clock.saturating_add(1);
        // The side that moved last is never in check, so the new mover is not.
        self.checkers = Bitboard::EMPTY;
        undo
    }

    /// Takes a null move back.
    pub fn unmake_null(&mut self, undo: Undo) {
        self.side = !self.side;
        self.halfmove_clock = undo.halfmove_clock;
        self.keys = undo.keys;
        self.checkers = undo.checkers;
    }

    /// The same position with the other side to move, or `None` if that is no legal position
    /// because the mover stands in check.
    pub fn with_turn_passed(&self) -> Option<Self> {
        if self.in_check() {
            return None;
        }
        let mut passed = self.clone();
        passed.make_null();
        Some(passed)
    }

    /// The same pieces with the other side to move, even where that is no legal position because
    /// the side that has the move here stands in check. For questions about what a side could take
    /// if it were to move; [`Position::checkers`] is empty there, as at any mover's turn to attack.
    pub fn with_turn_taken(&self) -> Self {
        let mut taken = self.clone();
        taken.checkers = Bitboard::EMPTY;
        taken.make_null();
        taken
    }

    // --- symmetries ---

    /// The position with colours exchanged and the board turned around.
    pub fn colour_flipped(&self) -> Self {
        self.mapped(!self.side, |piece, square| (piece.recoloured(), square.flipped()))
    }

    /// The position in the left-right mirror.
    pub fn mirrored(&self) -> Self {
        self.mapped(self.side, |piece, square| (piece, square.mirrored()))
    }

    fn mapped(&self, side: Side, map: impl Fn(Piece, Square) -> (Piece, Square)) -> Self {
        let mut mailbox = [None; Square::NUM];
        for square in self.occupied() {
            if let Some(piece) = self.piece_on(square) {
                let (piece, square) = map(piece, square);
                mailbox[square.index()] = Some(piece);
            }
        }
        Self::assemble(mailbox, side, self.halfmove_clock, self.fullmove)
            .expect("a symmetry keeps a position valid")
    }

    /// Keys and checkers worked out from the pieces, for the tests of the incremental ones.
    pub(super) fn compute_keys(&self) -> Keys {
        let mut keys = Keys::default();
        for square in Square::all() {
            if let Some(piece) = self.mailbox[square.index()] {
                keys.toggle(piece, square);
            }
        }
        if self.side == Side::Black {
            keys.all ^= zobrist::BLACK_TO_MOVE;
        }
        keys
    }
}

impl fmt::Display for Position {
    /// A picture of the board with coordinates, then the FEN.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in (0..10).rev() {
            write!(f, "{rank} ")?;
            for file in 0..9 {
                let piece = Square::new(file, rank).and_then(|s| self.piece_on(s));
                write!(f, " {}", piece.map_or('.', Piece::letter))?;
            }
            writeln!(f)?;
        }
        writeln!(f, "   a b c d e f g h i")?;
        write!(f, "{}", self.fen())
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Position({})", self.fen())
    }
}
