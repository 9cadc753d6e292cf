//! Which rules a game is judged by: a name, and the switches that it sets.

use std::{fmt, str::FromStr};

/// A set of repetition rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum RuleSet {
    /// The Chinese rules of 1999.
    #[default]
    Cn1999,
    /// The Asian rules.
    Axf,
    /// The simple rules of the computer leagues of 2005-2007.
    League,
}

/// What a rule set chooses. The judge has one code path and asks these.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Switches {
    /// How it is told whether a capture wins something.
    pub measure: GainTest,
    /// Whether a kill (杀, 28.2) is a forbidden move.
    pub kills: bool,
    /// Whether captures prepared by checks or by an exchange make a chase (29.1).
    pub prepared: bool,
    /// Whether only the chase of one and the same piece is perpetual (else 28.12: one or several).
    pub same_target: bool,
    /// Whether the cycle to be judged runs from the first of the last three occurrences.
    pub long_span: bool,
    /// The occurrence of a position at which a status is given.
    pub final_occurrence: usize,
    /// Whether a side at fault for other things than perpetual check gets one more cycle (24.3).
    pub warning_cycle: bool,
    /// Rounds without a capture that make a draw (4.2.4).
    pub limit_rounds: usize,
    /// How many checks of the claimant count as rounds (23.3); `None` for all of them.
    pub counted_checks: Option<usize>,
}

impl Switches {
    /// The rounds that a side may claim towards the natural limit when so many were played since
    /// the last capture and it gave so many checks among them (23.3).
    pub const fn claimed_rounds(&self, rounds: usize, checks: usize) -> usize {
        match self.counted_checks {
            Some(counted) => rounds.saturating_sub(checks.saturating_sub(counted)),
            None => rounds,
        }
    }
}

/// How it is told whether a capture wins something.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GainTest {
    /// By the values of 25.3 over the whole exchange, with real roots only (28.16, 29.3, 29.4).
    Exchange,
    /// The target must have no legal recapture; the rook is never protected from lesser pieces.
    Roots,
    /// By the moved piece alone, kinds of pieces, and recaptures by the way of moving.
    MovedPiece,
}

impl RuleSet {
    /// All rule sets, the default first.
    pub const ALL: [Self; 3] = [Self::Cn1999, Self::Axf, Self::League];

    /// The name used in options and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Cn1999 => "cn1999",
            Self::Axf => "axf",
            Self::League => "league",
        }
    }

    /// What this set chooses.
    pub const fn switches(self) -> Switches {
        match self {
            Self::Cn1999 => Switches {
                measure: GainTest::Exchange,
                kills: true,
                prepared: true,
                same_target: false,
                long_span: false,
                final_occurrence: 3,
                warning_cycle: true,
                limit_rounds: 60,
                counted_checks: Some(10),
            },
            Self::Axf => Switches {
                measure: GainTest::Roots,
                kills: false,
                prepared: false,
                same_target: true,
                long_span: true,
                final_occurrence: 3,
                warning_cycle: false,
                limit_rounds: 60,
                counted_checks: Some(10),
            },
            Self::League => Switches {
                measure: GainTest::MovedPiece,
                kills: false,
                prepared: false,
                same_target: true,
                long_span: false,
                final_occurrence: 4,
                warning_cycle: false,
                limit_rounds: 50,
                counted_checks: None,
            },
        }
    }
}

impl fmt::Display for RuleSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for RuleSet {
    type Err = String;

    fn from_str(s: &str) -> Result<Self, String> {
        Self::ALL
            .into_iter()
            .find(|rules| rules.name().eq_ignore_ascii_case(s))
            .ok_or_else(|| "a rule set is cn1999, axf or league".to_owned())
    }
}
