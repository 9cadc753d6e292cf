//! Clocks (articles 6 and 22): time controls, and the clock of one player in one game.

use crate::search;
use std::{fmt, str::FromStr, time::Duration};

/// A stretch of the game with a time of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Session {
    /// Moves that must be played within it; `None` = the rest of the game.
    pub moves: Option<u32>,
    /// Time added when it begins. What was left before is kept.
    pub time: Duration,
    /// Time added after each move.
    pub increment: Duration,
}

/// Sessions in order; the last one repeats until the end of the game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TimeControl {
    sessions: Vec<Session>,
}

/// The schemes of articles 6.1 to 6.4; 6.5 is sudden death, with a time of the user's choice.
pub const SCHEMES: [(&str, &str); 4] = [
    ("6.1", "40/5400:10/900"),
    ("6.2", "30/3600:10/600"),
    ("6.3", "40/600:50/300"),
    ("6.4", "30/300"),
];

impl TimeControl {
    /// The session with this number from 0.
    fn session(&self, number: usize) -> Session {
        self.sessions[number.min(self.sessions.len() - 1)]
    }
}

/// Seconds as a user writes them.
pub(super) fn parse_seconds(text: &str) -> Option<Duration> {
    let seconds: f64 = text.parse().ok()?;
    Duration::try_from_secs_f64(seconds).ok()
}

/// Seconds as short as they can be written.
pub(super) fn seconds(time: Duration) -> String {
    format!("{}", (time.as_secs_f64() * 1e6).round() / 1e6)
}

impl FromStr for Session {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let (moves, rest) = match text.split_once('/') {
            Some((moves, rest)) => (Some(moves.parse().map_err(drop)?), rest),
            None => (None, text),
        };
        let (time, increment) = rest.split_once('+').unwrap_or((rest, "0"));
        let session = Self {
            moves,
            time: parse_seconds(time).ok_or(())?,
            increment: parse_seconds(increment).ok_or(())?,
        };
        let possible =
            session.moves != Some(0) && session.time + session.increment > Duration::ZERO;
        if possible { Ok(session) } else { Err(()) }
    }
}

impl FromStr for TimeControl {
    type Err = String;

    /// Reads `60+0.6`, `40/5400:10/900`, or a scheme of article 6: `6.1`-`6.4` behind `scheme=`
    /// in [`super::Limit`]. Seconds everywhere.
    fn from_str(text: &str) -> Result<Self, String> {
        let sessions = text.split(':').map(str::parse).collect::<Result<Vec<Session>, ()>>();
        match sessions {
            Ok(sessions)
                if sessions.split_last().is_some_and(|(_, earlier)| {
                    earlier.iter().all(|session| session.moves.is_some())
                }) =>
            {
                Ok(Self { sessions })
            }
            _ => Err(format!(
                "'{text}' is no time control such as 60, 60+0.6, 40/300 or 40/5400:10/900 (seconds)"
            )),
        }
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, session) in self.sessions.iter().enumerate() {
            if number > 0 {
                f.write_str(":")?;
            }
            if let Some(moves) = session.moves {
                write!(f, "{moves}/")?;
            }
            f.write_str(&seconds(session.time))?;
            if session.increment > Duration::ZERO {
                write!(f, "+{}", seconds(session.increment))?;
            }
        }
        Ok(())
    }
}

/// The time ran out, by this much.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Overdue(pub Duration);

/// The clock of one player.
#[derive(Clone, Debug)]
pub struct GameClock {
    control: TimeControl,
    session: usize,
    moves_left: Option<u32>,
    remaining: Duration,
}

impl GameClock {
    /// The clock before the first move.
    pub fn new(control: &TimeControl) -> Self {
        let first = control.session(0);
        Self {
            control: control.clone(),
            session: 0,
            moves_left: first.moves,
            remaining: first.time,
        }
    }

    /// Time left in this session.
    pub const fn remaining(&self) -> Duration {
        self.remaining
    }

    /// What an engine is told.
    pub fn view(&self) -> search::Clock {
        search::Clock {
            remaining: self.remaining,
            increment: self.control.session(self.session).increment,
            moves_to_go: self.moves_left,
        }
    }

    /// Takes the time of a move off the clock, and moves on to the next session where one ends.
    ///
    /// # Errors
    /// If more was used than was left and the margin together. Within the margin the clock stands
    /// at zero.
    pub fn spend(&mut self, used: Duration, margin: Duration) -> Result<(), Overdue> {
        if used > self.remaining + margin {
            return Err(Overdue(used - self.remaining));
        }
        let session = self.control.session(self.session);
        self.remaining = self.remaining.saturating_sub(used) + session.increment;
        if let Some(left) = &mut self.moves_left {
            *left -= 1;
            if *left == 0 {
                self.session += 1;
                let next = self.control.session(self.session);
                self.remaining += next.time;
                self.moves_left = next.moves;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NO_MARGIN: Duration = Duration::ZERO;

    fn clock(control: &str) -> GameClock {
        GameClock::new(&control.parse().unwrap())
    }

    fn s(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn sudden_death_with_increment() {
        let mut clock = clock("60+0.5");
        clock.spend(s(10), NO_MARGIN).unwrap();
        assert_eq!(clock.remaining(), Duration::from_millis(50_500));
        assert_eq!(clock.view().moves_to_go, None);
        assert_eq!(clock.view().increment, Duration::from_millis(500));
        assert_eq!(clock.spend(s(51), NO_MARGIN), Err(Overdue(Duration::from_millis(500))));
    }

    #[test]
    fn the_margin_forgives_and_is_not_given() {
        let mut clock = clock("1");
        clock.spend(Duration::from_millis(1100), Duration::from_millis(100)).unwrap();
        assert_eq!(clock.remaining(), Duration::ZERO);
        assert!(clock.spend(Duration::from_millis(101), Duration::from_millis(100)).is_err());
    }

    /// 6.1: 40 moves in 90 minutes, then 10 in every 15; time left over is kept.
    #[test]
    fn sessions_follow_each_other() {
        let mut clock = clock(SCHEMES[0].1);
        for played in 0..40 {
            assert_eq!(clock.view().moves_to_go, Some(40 - played));
            clock.spend(s(100), NO_MARGIN).unwrap();
        }
        assert_eq!(clock.remaining(), s(5400 - 4000 + 900));
        assert_eq!(clock.view().moves_to_go, Some(10));
        for _ in 0..10 {
            clock.spend(s(200), NO_MARGIN).unwrap();
        }
        assert_eq!(clock.remaining(), s(2300 - 2000 + 900));
        assert_eq!(clock.view().moves_to_go, Some(10));
    }

    #[test]
    fn controls_are_written_as_they_are_read() {
        for text in ["60", "60+0.6", "40/5400:10/900", "30/300", "40/10+0.25:5"] {
            assert_eq!(text.parse::<TimeControl>().unwrap().to_string(), text);
        }
        for text in ["", "x", "40/", "0/60", "-5", "60:60", "0", "1e400", "40/60:"] {
            assert!(text.parse::<TimeControl>().is_err(), "{text}");
        }
    }
}
