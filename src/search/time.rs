//! Time: what a move may take. The soft bound ends the search between iterations, the hard bound
//! at once.

use super::{Limits, Signals};
use crate::eval::Score;
use std::time::{Duration, Instant};
use xiangqi::types::Move;

/// Moves that a game is expected to last yet when no control tells.
const MOVES_LEFT: u32 = 35;
/// With fewer moves to the control than the clock allows, this share of the time stays in reserve.
const RESERVE_DIVISOR: u32 = 20;
/// Percent of the soft bound after which no iteration begins in a case neither clear nor unclear.
const BASE_PERCENT: u32 = 75;
/// The hard bound is this many times the soft one, if the clock allows it.
const HARD_FACTOR: u32 = 4;
/// No move takes a bigger part of the clock than 1 / this; of the last two before the control each
/// may take half, since what is left then is kept.
const LARGEST_SHARE_DIVISOR: u32 = 3;

/// The bounds for one move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    /// About so much is to be used; `None` where nothing is gained by using less than all: with a
    /// fixed time for the move.
    pub soft: Option<Duration>,
    /// The search ends at this.
    pub hard: Duration,
}

impl Budget {
    /// What the limits allow; `None` if time plays no part.
    pub fn of(limits: &Limits) -> Option<Self> {
        let fixed = limits.move_time.map(|time| {
            let time = time.saturating_sub(limits.overhead);
            Self { soft: None, hard: time }
        });
        let clock = limits.clock.map(|clock| {
            let remaining = clock.remaining.saturating_sub(limits.overhead);
            let reserve = remaining / RESERVE_DIVISOR;
            let usable = remaining - reserve;
            let moves = clock.moves_to_go.map_or(MOVES_LEFT, |moves| moves.clamp(2, MOVES_LEFT));
            let soft = usable / moves + clock.increment * 3 / 4;
            // The overhead comes with every move to the control. Where it is all there is, a little
            // thinking still pays.
            let soft = soft.saturating_sub(limits.overhead).max(soft / 4);
            let largest = remaining / LARGEST_SHARE_DIVISOR.min(moves);
            let hard = (soft * HARD_FACTOR).min(largest).min(usable);
            Self { soft: Some(soft.min(hard)), hard }
        });
        match (fixed, clock) {
            (Some(a), Some(b)) => Some(Self { soft: b.soft, hard: a.hard.min(b.hard) }),
            (a, b) => a.or(b),
        }
    }
}

/// Pauses that spare the machine.
#[derive(Default)]
pub struct Rest {
    percent: u32,
    /// When the last pause ended.
    since: Option<Instant>,
}

impl Rest {
    /// Longest pause: a signal to stop must not wait.
    const LONGEST: Duration = Duration::from_millis(20);

    /// Rests for so many hundredths of the time worked.
    pub fn after(percent: u32) -> Self {
        Self { percent, since: (percent > 0).then(Instant::now) }
    }

    /// Sleeps for the share that is due.
    pub fn take(&mut self) {
        if let Some(since) = self.since {
            std::thread::sleep((since.elapsed() * self.percent / 100).min(Self::LONGEST));
            self.since = Some(Instant::now());
        }
    }
}

/// The stop-watch of one search.
pub struct Timer {
    /// When the search began.
    begin: Instant,
    /// When the mover's own clock began: later than `begin` if the search began by pondering.
    clock_begin: Option<Instant>,
    budget: Option<Budget>,
    /// Pondering took what the move deserves: it is played as soon as it may be.
    has_pondered_enough: bool,
}

impl Timer {
    /// Starts now.
    pub fn start(limits: &Limits) -> Self {
        let begin = Instant::now();
        let clock_begin = (!limits.ponder).then_some(begin);
        Self { begin, clock_begin, budget: Budget::of(limits), has_pondered_enough: false }
    }

    /// Time since the search began.
    pub fn elapsed(&self) -> Duration {
        self.begin.elapsed()
    }

    /// Time on the mover's clock; `None` while pondering.
    fn on_clock(&mut self, signals: &Signals) -> Option<Duration> {
        if self.clock_begin.is_none() && !signals.is_pondering() {
            self.clock_begin = Some(Instant::now());
        }
        self.clock_begin.map(|begin| begin.elapsed())
    }

    /// Whether the hard bound is reached.
    pub fn is_over(&mut self, signals: &Signals) -> bool {
        let Some(budget) = self.budget else { return false };
        let enough = self.has_pondered_enough;
        self.on_clock(signals).is_some_and(|spent| enough || spent >= budget.hard)
    }

    /// Whether another iteration is not worth starting, with the soft bound scaled by `percent`.
    /// Time spent pondering counts for it.
    pub fn is_enough(&mut self, signals: &Signals, percent: u32) -> bool {
        let Some(budget) = self.budget else { return false };
        let on_clock = self.on_clock(signals);
        match budget.soft {
            Some(soft) => {
                let enough = self.elapsed() >= soft * percent / 100;
                self.has_pondered_enough = enough && on_clock.is_none();
                enough && on_clock.is_some()
            }
            None => on_clock.is_some_and(|spent| spent >= budget.hard),
        }
    }
}

/// How sure the search is of its move, from iteration to iteration: of a clear case it need not
/// think long.
#[derive(Default)]
pub struct Confidence {
    /// Iterations since the best move changed.
    stable: u32,
    best: Option<Move>,
    score: Option<Score>,
}

impl Confidence {
    /// Takes the result of an iteration, and how many percent of all nodes went into the best move.
    /// Returns how many percent of the soft bound are to be used.
    pub fn percent(&mut self, best: Move, score: Score, node_share: u32) -> u32 {
        self.stable = if self.best == Some(best) { self.stable + 1 } else { 0 };
        // A score that falls is a reason to look for something else.
        let fall = self.score.map_or(0, |before| (before - score).0.clamp(-40, 160));
        self.best = Some(best);
        self.score = Some(score);
        let by_nodes = 165 - node_share.min(100);
        let by_stability = 130 - 8 * self.stable.min(8);
        let by_score = (100 + fall / 2).unsigned_abs();
        BASE_PERCENT * by_nodes / 100 * by_stability / 100 * by_score / 100
    }
}

#[cfg(test)]
mod tests {
    use super::super::Clock;
    use super::*;
    use std::sync::atomic::Ordering::Relaxed;

    fn budget(clock: Clock, overhead: u64) -> Budget {
        let overhead = Duration::from_millis(overhead);
        Budget::of(&Limits { clock: Some(clock), overhead, ..Limits::default() }).unwrap()
    }

    fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    #[test]
    fn whatever_the_clock_the_time_suffices() {
        for remaining in [0, 1, 5, 10, 50, 500, 5_000, 60_000, 3_600_000] {
            for increment in [0, 5, 100, 10_000] {
                for moves_to_go in [None, Some(0), Some(1), Some(2), Some(40), Some(10_000)] {
                    let clock =
                        Clock { remaining: ms(remaining), increment: ms(increment), moves_to_go };
                    let budget = budget(clock, 10);
                    assert!(budget.soft <= Some(budget.hard), "{clock:?} {budget:?}");
                    assert!(
                        budget.hard + ms(10).min(clock.remaining) <= clock.remaining,
                        "{clock:?} {budget:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_game_without_control_lasts() {
        let mut left = ms(60_000);
        for _ in 0..300 {
            let budget = budget(Clock { remaining: left, ..Clock::default() }, 0);
            left -= budget.soft.unwrap();
        }
        assert!(left > ms(5), "{left:?}");
    }

    #[test]
    fn a_clock_that_the_overhead_eats_still_gives_time() {
        for overhead in [10, 100, 1000] {
            let clock = Clock { remaining: ms(30 * overhead), ..Clock::default() };
            assert!(budget(clock, overhead).soft >= Some(ms(overhead / 10)), "{overhead}");
        }
    }

    #[test]
    fn the_last_move_before_the_control_leaves_time() {
        let clock = Clock { remaining: ms(600_000), moves_to_go: Some(1), ..Clock::default() };
        let budget = budget(clock, 10);
        assert!(budget.soft > Some(ms(100_000)) && budget.hard <= ms(300_000), "{budget:?}");
    }

    #[test]
    fn pondering_counts() {
        let clock = Clock { remaining: ms(700), ..Clock::default() };
        let limits = Limits { clock: Some(clock), ponder: true, ..Limits::default() };
        let signals = Signals::default();
        signals.pondering.store(true, Relaxed);
        let mut timer = Timer::start(&limits);
        std::thread::sleep(ms(40));
        assert!(!timer.is_enough(&signals, 100), "the opponent thinks yet");
        assert!(!timer.is_over(&signals));
        signals.ponderhit();
        assert!(timer.is_over(&signals), "at once");
    }

    #[test]
    fn clear_cases_take_less_time() {
        let m: Move = "h2e2".parse().unwrap();
        let other: Move = "b2e2".parse().unwrap();
        let mut clear = Confidence::default();
        let mut unclear = Confidence::default();
        let (mut short, mut long) = (0, 0);
        for i in 0..10 {
            short = clear.percent(m, Score(50), 95);
            long = unclear.percent(if i % 2 == 0 { m } else { other }, Score(-30 * i), 30);
        }
        assert!(short < 45, "{short}");
        assert!(long > 120, "{long}");
    }

    #[test]
    fn fixed_times_are_kept_less_the_overhead() {
        let limits = Limits { move_time: Some(ms(100)), overhead: ms(10), ..Limits::default() };
        assert_eq!(Budget::of(&limits), Some(Budget { soft: None, hard: ms(90) }));
        assert_eq!(Budget::of(&Limits::default()), None);
    }
}
