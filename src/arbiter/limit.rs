//! What each engine may spend on a move or a game.

use super::clock::{SCHEMES, TimeControl, parse_seconds, seconds};
use std::{fmt, time::Duration};

/// The limits of one engine. Several may hold at once; whichever is reached first ends a search.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Limit {
    /// The clock.
    pub control: Option<TimeControl>,
    /// A fixed time for each move.
    pub move_time: Option<Duration>,
    /// Nodes for each move.
    pub nodes: Option<u64>,
    /// Depth in plies for each move.
    pub depth: Option<u32>,
}

impl Limit {
    /// The keys that [`Limit::set`] knows.
    pub const KEYS: [&str; 5] = ["tc", "scheme", "movetime", "nodes", "depth"];

    /// Sets one limit from its key and value: `tc=60+0.6`, `scheme=6.1`, `movetime=100`
    /// (milliseconds), `nodes=10000`, `depth=8`.
    ///
    /// # Errors
    /// If the value is none, in words for the user. Unknown keys too.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
        let positive = |what: &str| format!("'{value}' is no {what} above zero");
        match key {
            "tc" => self.control = Some(value.parse()?),
            "scheme" => {
                let scheme = SCHEMES.iter().find(|(name, _)| *name == value);
                let (_, control) = scheme.ok_or_else(|| {
                    format!("'{value}' is no scheme of article 6: 6.1, 6.2, 6.3 or 6.4")
                })?;
                self.control = Some(control.parse()?);
            }
            "movetime" => {
                let millis: u64 = value
                    .parse()
                    .ok()
                    .filter(|&n| n > 0)
                    .ok_or_else(|| positive("time in milliseconds"))?;
                self.move_time = Some(Duration::from_millis(millis));
            }
            "nodes" => {
                let nodes = value.parse().ok().filter(|&n| n > 0);
                self.nodes = Some(nodes.ok_or_else(|| positive("number of nodes"))?);
            }
            "depth" => {
                let depth = value.parse().ok().filter(|&n| n > 0);
                self.depth = Some(depth.ok_or_else(|| positive("depth"))?);
            }
            _ => return Err(format!("'{key}' is no limit: {}", Self::KEYS.join(", "))),
        }
        Ok(())
    }

    /// Whether nothing ends a search.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The limits set in `self`, and where it sets none at all, those of `other`.
    pub fn or(self, other: &Self) -> Self {
        if self.is_empty() { other.clone() } else { self }
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            self.control.as_ref().map(|control| format!("tc={control}")),
            self.move_time.map(|time| format!("movetime={}", time.as_millis())),
            self.nodes.map(|nodes| format!("nodes={nodes}")),
            self.depth.map(|depth| format!("depth={depth}")),
        ];
        f.write_str(&parts.into_iter().flatten().collect::<Vec<_>>().join(","))
    }
}

/// Reads a duration of the command line given in seconds.
///
/// # Errors
/// In words for the user.
pub fn duration_from_seconds(text: &str) -> Result<Duration, String> {
    parse_seconds(text).ok_or_else(|| format!("'{text}' is no time in seconds"))
}

/// Writes a duration in seconds.
pub fn duration_in_seconds(time: Duration) -> String {
    seconds(time)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_written_as_they_are_read() {
        let mut limit = Limit::default();
        assert!(limit.is_empty());
        for (key, value) in
            [("scheme", "6.3"), ("movetime", "100"), ("nodes", "10000"), ("depth", "8")]
        {
            limit.set(key, value).unwrap();
        }
        assert_eq!(limit.to_string(), "tc=40/600:50/300,movetime=100,nodes=10000,depth=8");
        for (key, value) in
            [("scheme", "6.5"), ("nodes", "0"), ("depth", "-1"), ("movetime", ""), ("x", "1")]
        {
            assert!(limit.set(key, value).is_err(), "{key}={value}");
        }
    }
}
