//! Scores of positions, with ranges of their own for mates and for wins by the repetition rule.

use std::{
    fmt,
    ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign},
};

/// The deepest ply that a search can reach, counted from its root.
pub const MAX_PLY: usize = 128;

/// The value of a position from the mover's view. [`Score::MINOR`] is the worth of a minor piece;
/// the protocols print in units of their own.
///
/// | range | meaning |
/// |---|---|
/// | up to [`Score::EVAL_LIMIT`] | an evaluation |
/// | [`Score::RULE_WIN`] minus up to [`MAX_PLY`] | a win by the repetition rule, that many plies away |
/// | [`Score::MATE`] minus up to [`MAX_PLY`] | mate, that many plies away |
///
/// Negative scores mirror this for the side that loses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Score(pub i32);

impl Score {
    /// A draw.
    pub const DRAW: Self = Self(0);
    /// The nominal worth of a horse or a cannon. UCCI's unit is a hundredth of it.
    pub const MINOR: Self = Self(400);
    /// Above every score.
    pub const INFINITE: Self = Self(32_000);
    /// Mate on the spot; mate in `n` plies is `MATE - n`.
    pub const MATE: Self = Self(30_000);
    /// A win by the repetition rule (棋例) on the spot; in `n` plies it is `RULE_WIN - n`.
    ///
    /// It lies below every mate, so that a mate on the board is always preferred, and is never
    /// printed as a mate: the opponent may still change its moves.
    pub const RULE_WIN: Self = Self(29_000);
    /// No evaluation goes beyond this.
    pub const EVAL_LIMIT: Self = Self(28_000);

    /// The mover is mated in `plies`.
    #[inline]
    pub const fn mated_in(plies: usize) -> Self {
        Self(-Self::MATE.0 + plies as i32)
    }

    /// The mover mates in `plies`.
    #[inline]
    pub const fn mate_in(plies: usize) -> Self {
        Self(Self::MATE.0 - plies as i32)
    }

    /// The mover wins by the repetition rule in `plies`.
    #[inline]
    pub const fn rule_win_in(plies: usize) -> Self {
        Self(Self::RULE_WIN.0 - plies as i32)
    }

    /// The mover loses by the repetition rule in `plies`.
    #[inline]
    pub const fn rule_loss_in(plies: usize) -> Self {
        Self(-Self::RULE_WIN.0 + plies as i32)
    }

    /// Whether this is a mate, given or received.
    #[inline]
    pub const fn is_mate(self) -> bool {
        self.0.abs() >= Self::MATE.0 - MAX_PLY as i32 && self.0.abs() <= Self::MATE.0
    }

    /// Whether this is a win or loss by the repetition rule.
    #[inline]
    pub const fn is_rule(self) -> bool {
        self.0.abs() >= Self::RULE_WIN.0 - MAX_PLY as i32 && self.0.abs() <= Self::RULE_WIN.0
    }

    /// Whether the game is decided: a mate or a win by rule, for either side.
    #[inline]
    pub const fn is_decisive(self) -> bool {
        self.0.abs() > Self::EVAL_LIMIT.0
    }

    /// Moves of the winner until mate: positive if the mover wins, negative if it loses; `None` if
    /// this is no mate. Being mated now counts as 0.
    pub const fn mate_distance_moves(self) -> Option<i32> {
        if !self.is_mate() {
            None
        } else if self.0 > 0 {
            Some((Self::MATE.0 - self.0 + 1) / 2)
        } else {
            Some(-(Self::MATE.0 + self.0 + 1) / 2)
        }
    }

    /// The score held within the range of evaluations.
    #[inline]
    pub const fn clamp_to_eval(self) -> Self {
        let limit = Self::EVAL_LIMIT.0;
        if self.0 > limit {
            Self(limit)
        } else if self.0 < -limit {
            Self(-limit)
        } else {
            self
        }
    }
}

impl Neg for Score {
    type Output = Self;

    #[inline]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Add for Score {
    type Output = Self;

    #[inline]
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl Sub for Score {
    type Output = Self;

    #[inline]
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl AddAssign for Score {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        self.0 += other.0;
    }
}

impl SubAssign for Score {
    #[inline]
    fn sub_assign(&mut self, other: Self) {
        self.0 -= other.0;
    }
}

impl Mul<i32> for Score {
    type Output = Self;

    #[inline]
    fn mul(self, factor: i32) -> Self {
        Self(self.0 * factor)
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl fmt::Debug for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

const _: () = {
    assert!(Score::RULE_WIN.0 < Score::MATE.0 - MAX_PLY as i32);
    assert!(Score::EVAL_LIMIT.0 < Score::RULE_WIN.0 - MAX_PLY as i32);
};
