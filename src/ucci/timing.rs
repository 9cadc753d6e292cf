//! From the keywords of a `go` to the limits of a search.

use super::{command::Go, options::Settings, reply::Dialect};
use crate::search::{Clock, Limits};
use std::time::Duration;
use xiangqi::types::{Move, Side};

/// The limits that a `go` asks for.
pub fn limits(
    go: &Go,
    dialect: Dialect,
    settings: &Settings,
    side: Side,
    banned: Vec<Move>,
    only: Vec<Move>,
) -> Limits {
    // Milliseconds in the unit of UCCI's times.
    let unit = if dialect == Dialect::Ucci && !settings.use_millisec { 1000 } else { 1 };
    let mut limits = Limits {
        depth: go.depth.map(|depth| u32::try_from(depth).unwrap_or(u32::MAX)),
        nodes: go.nodes,
        move_time: go.movetime.map(millis).into_iter().chain(lone_time(go, unit)).min(),
        clock: clock(go, unit, side),
        overhead: Duration::from_millis(settings.move_overhead),
        mate: go.mate.map(|moves| u32::try_from(moves).unwrap_or(u32::MAX)),
        ponder: go.ponder,
        banned,
        only,
        multi_pv: usize::try_from(settings.multi_pv).unwrap_or(1),
        ..Limits::default()
    };
    let has_own_time = limits.move_time.is_some() || limits.clock.is_some();
    if !go.infinite && !has_own_time && (names_a_clock(go) || limits.is_endless()) {
        limits.move_time = hint(go, unit);
    }
    limits
}

/// Whether a readable number tells of a game with clocks: such a `go` ends by time, whatever else
/// limits it.
fn names_a_clock(go: &Go) -> bool {
    let numbers = [
        go.opptime,
        go.wtime,
        go.btime,
        go.increment,
        go.oppincrement,
        go.winc,
        go.binc,
        go.movestogo,
        go.oppmovestogo,
    ];
    numbers.iter().any(Option::is_some)
}

/// The least and the most time for a move when there is no clock of one's own, only a hint of one.
const HINT_TIME: [Duration; 2] = [Duration::from_millis(50), Duration::from_millis(1000)];

/// The time for a move of a `go` that names something of a game with clocks, but not the mover's
/// time, or that has no number that can be read: it is not meant to last. A fortieth of the
/// other side's time and half an increment, held within [`HINT_TIME`]. `None` if it names nothing.
fn hint(go: &Go, unit: u64) -> Option<Duration> {
    let of = |value: Option<u64>, unit: u64| value.map(|v| millis(v.saturating_mul(unit)));
    let times = [of(go.opptime, unit), of(go.wtime, 1), of(go.btime, 1)];
    let increments =
        [of(go.increment, unit), of(go.oppincrement, unit), of(go.winc, 1), of(go.binc, 1)];
    let time = times.into_iter().flatten().max();
    let increment = increments.into_iter().flatten().max();
    let moves = go.movestogo.or(go.oppmovestogo);
    if time.is_none() && increment.is_none() && moves.is_none() && go.unread.is_none() {
        return None;
    }
    let [least, most] = HINT_TIME;
    let wanted = time.unwrap_or_default() / 40 + increment.unwrap_or_default() / 2;
    Some(wanted.clamp(least, most))
}

/// A time from outside, held within a year so that sums cannot overflow.
fn millis(ms: u64) -> Duration {
    Duration::from_millis(ms.min(365 * 24 * 3600 * 1000))
}

/// UCCI's `time` where it is for this move: alone, with no word about the rest of the game.
fn lone_time(go: &Go, unit: u64) -> Option<Duration> {
    let is_lone = go.increment.is_none() && go.opptime.is_none();
    let is_last = go.movestogo.is_none_or(|moves| moves <= 1);
    go.time.filter(|_| is_lone && is_last).map(|time| millis(time.saturating_mul(unit)))
}

/// The mover's clock: UCCI's `time`, else UCI's `wtime` or `btime`.
fn clock(go: &Go, unit: u64, side: Side) -> Option<Clock> {
    // Some clients write 0 where there is no control.
    let moves_to_go = go.movestogo.filter(|&moves| moves > 0);
    let moves_to_go = moves_to_go.map(|moves| u32::try_from(moves).unwrap_or(u32::MAX));
    if lone_time(go, unit).is_some() {
        return None;
    }
    if let Some(time) = go.time {
        let of = |value: u64| millis(value.saturating_mul(unit));
        return Some(Clock {
            remaining: of(time),
            increment: go.increment.map_or(Duration::ZERO, of),
            moves_to_go,
        });
    }
    let (time, increment) = match side {
        Side::Red => (go.wtime, go.winc),
        Side::Black => (go.btime, go.binc),
    };
    Some(Clock {
        remaining: millis(time?),
        increment: increment.map_or(Duration::ZERO, millis),
        moves_to_go,
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod tests {
    use super::super::command::{Command, parse};
    use super::*;

    fn limits_of(line: &str, settings: &Settings, side: Side) -> Limits {
        let Command::Go(go) = parse(line.as_bytes()) else { panic!("{line}") };
        limits(&go, Dialect::Ucci, settings, side, Vec::new(), Vec::new())
    }

    #[test]
    fn ucci_clocks() {
        let clock = |line| limits_of(line, &Settings::default(), Side::Black).clock.unwrap();
        let ms = Duration::from_millis;
        assert_eq!(
            clock("go time 10000 opptime 9000 oppincrement 7 increment 20"),
            Clock { remaining: ms(10000), increment: ms(20), moves_to_go: None }
        );
        assert_eq!(
            clock("go time 60000 opptime 58910 movestogo 40"),
            Clock { remaining: ms(60000), increment: ms(0), moves_to_go: Some(40) }
        );
        assert_eq!(clock("go time 500 opptime 400").moves_to_go, None);
        assert_eq!(clock("go time 500 opptime 400 movestogo 0").moves_to_go, None);
        for lone in ["go time 500 depth 10", "go time 500 movestogo 0", "go time 500 movestogo 1"] {
            let limits = limits_of(lone, &Settings::default(), Side::Red);
            assert_eq!((limits.move_time, limits.clock), (Some(ms(500)), None), "{lone}");
        }
        let seconds = Settings { use_millisec: false, ..Settings::default() };
        let slow = limits_of("go time 60 increment 2", &seconds, Side::Red).clock.unwrap();
        assert_eq!((slow.remaining, slow.increment), (ms(60000), ms(2000)));
    }

    #[test]
    fn uci_clocks() {
        let line = "go btime 3000 wtime 2000 winc 10 binc 20 movetime 900 depth 6";
        let red = limits_of(line, &Settings::default(), Side::Red);
        let black = limits_of(line, &Settings::default(), Side::Black);
        assert_eq!(red.clock.unwrap().remaining, Duration::from_millis(2000));
        assert_eq!(red.clock.unwrap().increment, Duration::from_millis(10));
        assert_eq!((red.depth, red.move_time), (Some(6), Some(Duration::from_millis(900))));
        assert_eq!(black.clock.unwrap().remaining, Duration::from_millis(3000));
        assert_eq!(black.overhead, Duration::from_millis(10));
        assert_eq!(black.move_time, Some(Duration::from_millis(900)));
    }

    #[test]
    fn a_hint_of_a_clock_is_no_endless_search() {
        // Of a game with clocks only the other side's part is known, or nothing can be read.
        for (line, ms) in [
            ("go opptime 200", 50),
            ("go increment 2 opptime 5000", 126),
            ("go movestogo 10", 50),
            ("go oppincrement 300", 150),
            ("go btime 200", 50),
            ("go winc 100 binc 100", 50),
            ("go wtime abc btime 200", 50),
            ("go btime 99999999999", 1000),
            ("go nodes None", 50),
            ("go depth x movetime y", 50),
            ("go ponder btime 8000", 200),
            // A depth, a number of nodes or a mate may be far off, too.
            ("go btime 200 depth 90", 50),
            ("go btime 200 nodes 99999999999", 50),
            ("go mate 5 btime 200", 50),
            ("go movestogo 40 depth 90", 50),
        ] {
            let limits = limits_of(line, &Settings::default(), Side::Red);
            assert_eq!(limits.move_time, Some(Duration::from_millis(ms)), "{line}");
        }
        for uncut in ["go depth 8 nodes None", "go depth 90", "go nodes 99999999999", "go mate 3"] {
            assert_eq!(
                limits_of(uncut, &Settings::default(), Side::Red).move_time,
                None,
                "{uncut}"
            );
        }
        for endless in
            ["go", "go infinite", "go infinite btime 200", "go ponder", "go searchmoves h2e2"]
        {
            assert!(limits_of(endless, &Settings::default(), Side::Red).is_endless(), "{endless}");
        }
    }

    #[test]
    fn whatever_stands_in_a_go_it_ends() {
        use rand::{Rng, SeedableRng, rngs::StdRng, seq::IndexedRandom};
        const WORDS: [&str; 15] = [
            "depth",
            "nodes",
            "mate",
            "movetime",
            "time",
            "increment",
            "movestogo",
            "opptime",
            "oppincrement",
            "oppmovestogo",
            "wtime",
            "btime",
            "winc",
            "binc",
            "draw",
        ];
        const VALUES: [&str; 9] =
            ["0", "1", "40", "5000", "-3", "x", "", "18446744073709551616", "1.5"];
        let mut random = StdRng::seed_from_u64(1);
        for _ in 0..20_000 {
            let mut line = "go".to_owned();
            for _ in 0..random.random_range(1..6) {
                let word = WORDS.choose(&mut random).unwrap();
                line += &format!(" {word} {}", VALUES.choose(&mut random).unwrap());
            }
            let named = WORDS[..14].iter().any(|word| line.contains(word));
            let waits = random.random_bool(0.2);
            if waits {
                line += " infinite";
            }
            let side = if random.random() { Side::Red } else { Side::Black };
            for dialect in [Dialect::Ucci, Dialect::Uci] {
                let Command::Go(go) = parse(line.as_bytes()) else { panic!("{line}") };
                let limits =
                    limits(&go, dialect, &Settings::default(), side, Vec::new(), Vec::new());
                assert!(waits || !named || !limits.is_endless(), "{line}");
            }
        }
    }

    #[test]
    fn absurd_numbers() {
        let huge = limits_of(
            "go time 99999999999999999999 increment 99999999999999999999 depth 99999999999 \
             nodes 99999999999999999999999",
            &Settings { use_millisec: false, ..Settings::default() },
            Side::Red,
        );
        let year = Duration::from_secs(365 * 24 * 3600);
        assert!(huge.clock.unwrap().remaining <= year);
        assert_eq!((huge.depth, huge.nodes), (Some(u32::MAX), Some(u64::MAX)));
        let none = limits_of("go time -7 movetime 0 nodes 0", &Settings::default(), Side::Red);
        assert_eq!(none.clock, None);
        assert_eq!((none.move_time, none.nodes), (Some(Duration::ZERO), Some(0)));
    }
}
