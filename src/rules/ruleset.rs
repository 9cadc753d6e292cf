//! Which rules a game is judged by.

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
