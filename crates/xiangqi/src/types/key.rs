//! Hash keys.

use std::{
    fmt,
    ops::{BitXor, BitXorAssign},
};

/// A 64-bit Zobrist key, or a part of one. Keys combine with `^`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Key(pub u64);

impl Key {
    /// The key of nothing.
    pub const ZERO: Self = Self(0);
}

impl BitXor for Key {
    type Output = Self;

    #[inline]
    fn bitxor(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }
}

impl BitXorAssign for Key {
    #[inline]
    fn bitxor_assign(&mut self, other: Self) {
        self.0 ^= other.0;
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}
