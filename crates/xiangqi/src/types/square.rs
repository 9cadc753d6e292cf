//! The 90 points of the board.

use super::Side;
use std::{fmt, str::FromStr};

/// A point of the board: file a-i from Red's left, rank 0-9 from Red's side; index = rank * 9 + file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square(u8);

impl Square {
    /// How many squares there are.
    pub const NUM: usize = 90;
    /// Files on the board.
    pub const FILES: usize = 9;
    /// Ranks on the board.
    pub const RANKS: usize = 10;

    /// The square on `file` (0-8) and `rank` (0-9), or `None` off the board.
    #[inline]
    pub const fn new(file: u8, rank: u8) -> Option<Self> {
        if file < 9 && rank < 10 { Some(Self(rank * 9 + file)) } else { None }
    }

    /// The square with this index, or `None` from 90 up.
    #[inline]
    pub const fn from_index(index: usize) -> Option<Self> {
        if index < Self::NUM { Some(Self(index as u8)) } else { None }
    }

    /// The square with an index that the caller knows to be below 90.
    #[inline]
    pub(crate) const fn at(index: usize) -> Self {
        debug_assert!(index < Self::NUM);
        Self(index as u8)
    }

    /// All squares, a0 b0 ... i9.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + Clone {
        (0..Self::NUM as u8).map(Self)
    }

    /// 0-89, rank by rank.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// 0 for file a up to 8 for file i.
    #[inline]
    pub const fn file(self) -> u8 {
        self.0 % 9
    }

    /// 0-9 from Red's side.
    #[inline]
    pub const fn rank(self) -> u8 {
        self.0 / 9
    }

    /// The square `df` files and `dr` ranks away, if it is on the board.
    pub const fn offset(self, df: i8, dr: i8) -> Option<Self> {
        let (file, rank) = (self.file() as i8 + df, self.rank() as i8 + dr);
        if file < 0 || rank < 0 { None } else { Self::new(file as u8, rank as u8) }
    }

    /// The square as the other player sees it: ranks swapped, files kept.
    #[inline]
    pub const fn flipped(self) -> Self {
        Self((9 - self.rank()) * 9 + self.file())
    }

    /// The square in the left-right mirror.
    #[inline]
    pub const fn mirrored(self) -> Self {
        Self(self.rank() * 9 + 8 - self.file())
    }

    /// The square seen from `side`: unchanged for Red, flipped for Black.
    #[inline]
    pub const fn relative_to(self, side: Side) -> Self {
        match side {
            Side::Red => self,
            Side::Black => self.flipped(),
        }
    }

    /// Whether the square lies on the half of the board where `side` starts.
    #[inline]
    pub const fn is_home_half(self, side: Side) -> bool {
        match side {
            Side::Red => self.0 < 45,
            Side::Black => self.0 >= 45,
        }
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", (b'a' + self.file()) as char, self.rank())
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A text that is no square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParseSquareError;

impl fmt::Display for ParseSquareError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a square is a file a-i and a rank 0-9")
    }
}

impl std::error::Error for ParseSquareError {}

impl FromStr for Square {
    type Err = ParseSquareError;

    fn from_str(s: &str) -> Result<Self, Self::Err> {
        match *s.as_bytes() {
            [file @ b'a'..=b'i', rank @ b'0'..=b'9'] => {
                Self::new(file - b'a', rank - b'0').ok_or(ParseSquareError)
            }
            _ => Err(ParseSquareError),
        }
    }
}

const _: () = assert!(size_of::<Square>() == 1);
