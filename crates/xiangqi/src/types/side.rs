//! The two players.

use std::{fmt, ops::Not};

/// A player: Red moves first and starts on ranks 0-4, Black on ranks 5-9.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[repr(u8)]
pub enum Side {
    /// Red (红), upper case in a FEN.
    Red,
    /// Black (黑), lower case in a FEN.
    Black,
}

impl Side {
    /// How many sides there are.
    pub const NUM: usize = 2;
    /// Both sides, Red first.
    pub const ALL: [Self; Self::NUM] = [Self::Red, Self::Black];

    /// Position of this side in [`Side::ALL`], for indexing tables.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The letter that a FEN uses for this side to move, `w` or `b`.
    pub const fn fen_letter(self) -> char {
        match self {
            Self::Red => 'w',
            Self::Black => 'b',
        }
    }
}

impl Not for Side {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        match self {
            Self::Red => Self::Black,
            Self::Black => Self::Red,
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Red => "red",
            Self::Black => "black",
        })
    }
}
