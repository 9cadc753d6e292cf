//! How bad a move was, by the win chances that it gave away.

/// Expected points lost from which on a move is an inaccuracy: about half a soldier in a level
/// position.
pub const INACCURACY: f64 = 0.05;
/// From which on it is a mistake: more than a soldier.
pub const MISTAKE: f64 = 0.10;
/// From which on it is a blunder: more than half a horse.
pub const BLUNDER: f64 = 0.20;

/// How bad a move was.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Severity {
    /// From [`INACCURACY`] on.
    Inaccuracy,
    /// From [`MISTAKE`] on.
    Mistake,
    /// From [`BLUNDER`] on.
    Blunder,
}

impl Severity {
    /// Every kind, the least first.
    pub const ALL: [Self; 3] = [Self::Inaccuracy, Self::Mistake, Self::Blunder];

    /// By the expected points lost, 0 to 1; `None` for a move that is good enough.
    pub fn of_loss(lost: f64) -> Option<Self> {
        match lost {
            lost if lost >= BLUNDER => Some(Self::Blunder),
            lost if lost >= MISTAKE => Some(Self::Mistake),
            lost if lost >= INACCURACY => Some(Self::Inaccuracy),
            _ => None,
        }
    }

    /// The name in output for programs.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Inaccuracy => "inaccuracy",
            Self::Mistake => "mistake",
            Self::Blunder => "blunder",
        }
    }

    /// As Chinese players say it.
    pub const fn chinese(self) -> &'static str {
        match self {
            Self::Inaccuracy => "缓着",
            Self::Mistake => "失误",
            Self::Blunder => "漏着",
        }
    }

    /// The mark of PGN: `?!`, `?`, `??`.
    pub const fn nag(self) -> u8 {
        match self {
            Self::Inaccuracy => 6,
            Self::Mistake => 2,
            Self::Blunder => 4,
        }
    }

    /// The mark behind the move, as books print it.
    pub const fn sign(self) -> &'static str {
        match self {
            Self::Inaccuracy => "?!",
            Self::Mistake => "?",
            Self::Blunder => "??",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::{Score, expected_points};

    #[test]
    fn thresholds() {
        let of = |lost| Severity::of_loss(lost);
        assert_eq!(of(0.0), None);
        assert_eq!(of(0.0499), None);
        assert_eq!(of(0.05), Some(Severity::Inaccuracy));
        assert_eq!(of(0.10), Some(Severity::Mistake));
        assert_eq!(of(0.20), Some(Severity::Blunder));
        assert_eq!(of(1.0), Some(Severity::Blunder));
        // A horse from a level position is a blunder, and nothing where all is won already.
        let lost = |before, after| expected_points(Score(before)) - expected_points(Score(after));
        assert_eq!(of(lost(0, -400)), Some(Severity::Blunder));
        assert_eq!(of(lost(0, -100)), Some(Severity::Inaccuracy));
        assert_eq!(of(lost(2400, 2000)), None);
    }
}
