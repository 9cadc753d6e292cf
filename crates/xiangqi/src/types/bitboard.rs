//! Sets of squares.

use super::Square;
use std::{
    fmt,
    ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Sub},
};

/// An ordered set of squares, one bit each in the low 90 bits.
///
/// `|`, `&`, `^`, `!` and `-` are the set operations; iteration goes from a0 to i9.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Bitboard(u128);

impl Bitboard {
    /// No square.
    pub const EMPTY: Self = Self(0);
    /// Every square.
    pub const ALL: Self = Self((1 << Square::NUM) - 1);
    /// Red's half: ranks 0-4.
    pub const RED_HALF: Self = Self((1 << 45) - 1);
    /// Black's half: ranks 5-9.
    pub const BLACK_HALF: Self = Self(Self::ALL.0 & !Self::RED_HALF.0);
    /// The nine squares of each palace, both sides.
    pub const PALACES: Self = {
        let red = 0b111_000 | 0b111_000 << 9 | 0b111_000 << 18;
        Self(red | red << 63)
    };

    /// The set with these bits; bits from 90 up are dropped.
    #[inline]
    pub const fn from_bits(bits: u128) -> Self {
        Self(bits & Self::ALL.0)
    }

    /// Bit `i` stands for the square with index `i`.
    #[inline]
    pub const fn bits(self) -> u128 {
        self.0
    }

    /// The set of one square.
    #[inline]
    pub const fn of(square: Square) -> Self {
        Self(1 << square.index())
    }

    /// The squares of one file, 0-8.
    #[inline]
    pub const fn file(file: u8) -> Self {
        const FILE_A: u128 = {
            let mut bits = 0;
            let mut rank = 0;
            while rank < 10 {
                bits |= 1 << (rank * 9);
                rank += 1;
            }
            bits
        };
        Self(FILE_A << file)
    }

    /// The squares of one rank, 0-9.
    #[inline]
    pub const fn rank(rank: u8) -> Self {
        Self(0x1ff << (rank * 9))
    }

    /// Whether the square is in the set.
    #[inline]
    pub const fn contains(self, square: Square) -> bool {
        self.0 >> square.index() & 1 != 0
    }

    /// Whether the set has no square.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the sets share no square.
    #[inline]
    pub const fn is_disjoint(self, other: Self) -> bool {
        self.0 & other.0 == 0
    }

    /// Whether every square of this set is in the other.
    #[inline]
    pub const fn is_subset(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    /// How many squares are in the set.
    #[inline]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether the set has two squares or more; cheaper than [`Bitboard::len`].
    #[inline]
    pub const fn has_several(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// The set without its first square.
    #[inline]
    pub const fn without_first(self) -> Self {
        Self(self.0 & self.0.wrapping_sub(1))
    }

    /// The square with the lowest index.
    #[inline]
    pub const fn first(self) -> Option<Square> {
        if self.0 == 0 { None } else { Some(Square::at(self.0.trailing_zeros() as usize)) }
    }

    /// The set with the square added.
    #[inline]
    pub const fn with(self, square: Square) -> Self {
        Self(self.0 | 1 << square.index())
    }

    /// The set with the square taken out.
    #[inline]
    pub const fn without(self, square: Square) -> Self {
        Self(self.0 & !(1 << square.index()))
    }

    /// Adds or removes the square.
    #[inline]
    pub const fn toggle(&mut self, square: Square) {
        self.0 ^= 1 << square.index();
    }

    /// The set seen from the other side: ranks swapped.
    pub fn flipped(self) -> Self {
        self.into_iter().map(Square::flipped).collect()
    }

    /// The set in the left-right mirror.
    pub fn mirrored(self) -> Self {
        self.into_iter().map(Square::mirrored).collect()
    }
}

impl BitAnd for Bitboard {
    type Output = Self;

    #[inline]
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitOr for Bitboard {
    type Output = Self;

    #[inline]
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitXor for Bitboard {
    type Output = Self;

    #[inline]
    fn bitxor(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }
}

impl Sub for Bitboard {
    type Output = Self;

    #[inline]
    fn sub(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

impl Not for Bitboard {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        Self(!self.0 & Self::ALL.0)
    }
}

impl BitAndAssign for Bitboard {
    #[inline]
    fn bitand_assign(&mut self, other: Self) {
        self.0 &= other.0;
    }
}

impl BitOrAssign for Bitboard {
    #[inline]
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

impl BitXorAssign for Bitboard {
    #[inline]
    fn bitxor_assign(&mut self, other: Self) {
        self.0 ^= other.0;
    }
}

/// The squares of a set, a0 first.
#[derive(Clone)]
pub struct Squares(Bitboard);

impl Iterator for Squares {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        let square = self.0.first()?;
        self.0 = self.0.without_first();
        Some(square)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let len = self.0.len() as usize;
        (len, Some(len))
    }
}

impl ExactSizeIterator for Squares {}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;

    #[inline]
    fn into_iter(self) -> Squares {
        Squares(self)
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        squares.into_iter().fold(Self::EMPTY, Self::with)
    }
}

impl fmt::Debug for Bitboard {
    /// A picture with rank 9 on top.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in (0..10).rev() {
            for file in 0..9 {
                let here = Square::new(file, rank).is_some_and(|s| self.contains(s));
                f.write_str(if here { " x" } else { " ." })?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}
