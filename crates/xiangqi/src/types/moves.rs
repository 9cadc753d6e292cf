//! Moves and lists of moves.

use super::Square;
use arrayvec::ArrayVec;
use std::{fmt, num::NonZeroU16, str::FromStr};

/// An upper bound on the legal moves of one position.
///
/// Two rooks and two cannons 17 each, two horses 8, five soldiers 3, two elephants 4, two advisors
/// together 5, the king 4: no position reaches 120.
pub const MAX_MOVES: usize = 128;

/// The moves of one position, kept on the stack.
pub type MoveList = ArrayVec<Move, MAX_MOVES>;

/// A move from one square to another. Legality is a question for a position.
///
/// 14 bits are used: `from | to << 7`. The move a0a0 does not exist, which leaves zero free for
/// `Option<Move>`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move(NonZeroU16);

impl Move {
    /// The move between two squares, or `None` where they are the same.
    #[inline]
    pub const fn new(from: Square, to: Square) -> Option<Self> {
        if from.index() == to.index() {
            return None;
        }
        Self::from_bits((from.index() | to.index() << 7) as u16)
    }

    /// The move between two squares that the caller knows to differ.
    #[inline]
    pub(crate) const fn between(from: Square, to: Square) -> Self {
        match Self::new(from, to) {
            Some(m) => m,
            None => panic!("a move needs two squares"),
        }
    }

    /// Reads the 14-bit form, as stored in tables and files. `None` if it is no move.
    #[inline]
    pub const fn from_bits(bits: u16) -> Option<Self> {
        let (from, to) = (bits & 127, bits >> 7);
        if from as usize >= Square::NUM || to as usize >= Square::NUM || from == to {
            return None;
        }
        match NonZeroU16::new(bits) {
            Some(bits) => Some(Self(bits)),
            None => None,
        }
    }

    /// The 14-bit form: `from | to << 7`. Never zero.
    #[inline]
    pub const fn bits(self) -> u16 {
        self.0.get()
    }

    /// Where the piece comes from.
    #[inline]
    pub const fn from(self) -> Square {
        Square::at((self.0.get() & 127) as usize)
    }

    /// Where the piece goes.
    #[inline]
    pub const fn to(self) -> Square {
        Square::at((self.0.get() >> 7) as usize)
    }

    /// A dense index of (from, to) below `90 * 90`, for history tables.
    #[inline]
    pub const fn from_to_index(self) -> usize {
        self.from().index() * Square::NUM + self.to().index()
    }

    /// The same move with the board turned around.
    pub const fn flipped(self) -> Self {
        Self::between(self.from().flipped(), self.to().flipped())
    }

    /// The same move in the left-right mirror.
    pub const fn mirrored(self) -> Self {
        Self::between(self.from().mirrored(), self.to().mirrored())
    }

    /// The move that goes back.
    pub const fn reversed(self) -> Self {
        Self::between(self.to(), self.from())
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from(), self.to())
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A text that is no move in coordinates.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParseMoveError;

impl fmt::Display for ParseMoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a move is two different squares such as h2e2")
    }
}

impl std::error::Error for ParseMoveError {}

impl FromStr for Move {
    type Err = ParseMoveError;

    /// Reads four lower-case characters such as `h2e2`.
    fn from_str(s: &str) -> Result<Self, Self::Err> {
        let (from, to) = s.split_at_checked(2).ok_or(ParseMoveError)?;
        let from = from.parse().map_err(|_| ParseMoveError)?;
        let to = to.parse().map_err(|_| ParseMoveError)?;
        Self::new(from, to).ok_or(ParseMoveError)
    }
}

const _: () = assert!(size_of::<Option<Move>>() == 2);
