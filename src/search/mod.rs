//! The search: [`Searcher`] takes a [`Game`] and [`Limits`], and reports through a callback. It
//! prints nothing.

pub mod bench;
mod correction;
mod history;
mod huge_pages;
mod limits;
mod node;
#[cfg(feature = "tune")]
pub mod params;
#[cfg(not(feature = "tune"))]
mod params;
mod path;
mod picker;
mod prune;
mod qsearch;
mod reduce;
mod skill;
mod stack;
mod time;
mod tt;
mod worker;

pub use limits::{Clock, Limits};
pub use skill::{Character, Skill};

use crate::eval::{Backend, Score};
use once_cell::sync::Lazy;
use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Duration,
};
use time::Timer;
use tt::Table;
use tt::clocked_key;
use worker::{Shared, Task, Worker};
use xiangqi::{
    board::Position,
    game::Game,
    rules::{CycleRuling, RuleSet, Ruling, judge},
    types::Move,
};

/// How a reported score is to be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// The score is exact.
    Exact,
    /// The true score is at least this (fail high).
    Lower,
    /// The true score is at most this (fail low).
    Upper,
}

/// Progress of a search.
#[derive(Clone, Debug)]
pub struct Report<'a> {
    /// The depth of the iteration, in plies.
    pub depth: u32,
    /// The deepest ply reached.
    pub seldepth: u32,
    /// Which of the best lines this is, from 1.
    pub multi_pv: usize,
    /// The score from the mover's view.
    pub score: Score,
    /// If the score is a win or a loss by the repetition rule: the ruling that the line ends in.
    pub ruling: Option<&'a Ruling>,
    /// How the score is to be read.
    pub bound: Bound,
    /// Nodes searched so far, over all threads.
    pub nodes: u64,
    /// Time since the search began.
    pub elapsed: Duration,
    /// How full the hash table is, in thousandths.
    pub hashfull: u32,
    /// The principal variation.
    pub pv: &'a [Move],
    /// Whether it is the last word: the line begins with the move that is played. Every search whose
    /// other reports do not end with that line makes one.
    pub is_last: bool,
}

/// The result of a search.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Outcome {
    /// The move to play; `None` if the mover is mated or stalemated or every move is banned.
    pub best: Option<Move>,
    /// The reply that the search expects.
    pub ponder: Option<Move>,
    /// The score of the best move from the mover's view.
    pub score: Score,
    /// The last depth completed.
    pub depth: u32,
    /// Nodes searched, over all threads.
    pub nodes: u64,
}

/// A handle with which another thread can end or redirect a running search.
#[derive(Clone, Default)]
pub struct Signals {
    stop: Arc<AtomicBool>,
    pondering: Arc<AtomicBool>,
}

impl Signals {
    /// Ends the running search as soon as possible.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// The pondered move was played: the clock starts now.
    pub fn ponderhit(&self) {
        self.pondering.store(false, Ordering::Relaxed);
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    fn is_pondering(&self) -> bool {
        self.pondering.load(Ordering::Relaxed)
    }
}

/// A hash table that could not be allocated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HashError {
    /// The size asked for, in MiB.
    pub mebibytes: usize,
}

impl fmt::Display for HashError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no memory for a hash table of {} MiB", self.mebibytes)
    }
}

impl std::error::Error for HashError {}

/// What the hash table knows of a position, as UCCI's `probe` wants it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hit {
    /// The best move known; legal.
    pub best: Option<Move>,
    /// The score is at least this.
    pub lower: Option<Score>,
    /// The score is at most this.
    pub upper: Option<Score>,
    /// The depth to which the bounds were searched.
    pub depth: u32,
}

/// A handle with which another thread can look into the hash table, also during a search.
#[derive(Clone)]
pub struct Probe(Arc<Table>);

impl Probe {
    /// What is known of a position. After [`Searcher::set_hash`] this handle looks at the old
    /// table: take a new one.
    pub fn look_up(&self, position: &Position) -> Option<Hit> {
        let entry = self.0.probe(clocked_key(position.key(), position.halfmove_clock()), 0)?;
        let bounded = |bounds: [Bound; 2]| {
            entry.bound.filter(|bound| bounds.contains(bound)).map(|_| entry.score)
        };
        Some(Hit {
            best: entry.best.filter(|&m| position.is_legal(m)),
            lower: bounded([Bound::Exact, Bound::Lower]),
            upper: bounded([Bound::Exact, Bound::Upper]),
            depth: entry.depth.unsigned_abs(),
        })
    }
}

/// The most threads that a search can have.
pub const MAX_THREADS: usize = 256;

/// Stack of a thread that searches: a frame for each ply, with its move lists, and with room to
/// spare in unoptimised builds.
pub const STACK_BYTES: usize = 16 << 20;

/// The engine's thinking: hash table, histories and threads.
pub struct Searcher {
    signals: Signals,
    table: Arc<Table>,
    backend: Backend,
    rules: RuleSet,
    workers: Vec<Worker>,
}

impl Searcher {
    /// A searcher of one thread with a hash table of this many MiB (at least one).
    ///
    /// # Errors
    /// If there is not enough memory.
    pub fn new(hash_mebibytes: usize) -> Result<Self, HashError> {
        let table = Arc::new(Table::new(hash_mebibytes)?);
        let signals = Signals::default();
        let workers = vec![Worker::new(0, table.clone(), signals.clone())];
        Ok(Self { signals, table, backend: Backend::default(), rules: RuleSet::default(), workers })
    }

    /// A handle for other threads.
    pub fn signals(&self) -> Signals {
        self.signals.clone()
    }

    /// A handle to look into the hash table.
    pub fn probe(&self) -> Probe {
        Probe(self.table.clone())
    }

    /// Replaces the hash table by an empty one of this many MiB (at least one).
    ///
    /// # Errors
    /// If there is not enough memory; the old table stays then.
    pub fn set_hash(&mut self, mebibytes: usize) -> Result<(), HashError> {
        let table = Arc::new(Table::new(mebibytes)?);
        for worker in &mut self.workers {
            worker.table = table.clone();
        }
        self.table = table;
        Ok(())
    }

    /// Has the system lay memory behind a new hash table now; otherwise the first search waits for
    /// it, page by page, on its own time.
    pub fn touch_hash(&self) {
        self.table.touch(cores());
    }

    /// Searches with this many threads from now on, 1 to [`MAX_THREADS`].
    pub fn set_threads(&mut self, threads: usize) {
        let threads = threads.clamp(1, MAX_THREADS);
        self.workers.truncate(threads);
        for index in self.workers.len()..threads {
            let mut worker = Worker::new(index, self.table.clone(), self.signals.clone());
            worker.set_backend(&self.backend);
            worker.set_rules(self.rules);
            self.workers.push(worker);
        }
    }

    /// The rules on repetitions that it obeys.
    pub fn rules(&self) -> RuleSet {
        self.rules
    }

    /// Obeys these rules on repetitions from now on. What was learnt with others is forgotten.
    pub fn set_rules(&mut self, rules: RuleSet) {
        if rules == self.rules {
            return;
        }
        self.rules = rules;
        for worker in &mut self.workers {
            worker.set_rules(rules);
        }
        self.clear();
    }

    /// Evaluates with this from now on. What was learnt with another evaluation is forgotten.
    pub fn set_backend(&mut self, backend: Backend) {
        if backend.number() == self.backend.number() {
            return;
        }
        self.backend = backend;
        for worker in &mut self.workers {
            worker.set_backend(&self.backend);
        }
        self.clear();
    }

    /// Must be called before [`Searcher::search`], in the thread that may also send signals, so
    /// that a signal sent right after is not lost.
    pub fn prepare(&mut self, limits: &Limits) {
        self.signals.stop.store(false, Ordering::Relaxed);
        self.signals.pondering.store(limits.ponder, Ordering::Relaxed);
    }

    /// Forgets everything learnt from earlier positions.
    pub fn clear(&mut self) {
        self.table.clear(cores());
        for worker in &mut self.workers {
            worker.histories.clear();
            worker.corrections.clear();
        }
    }

    /// Searches the game's last position until a limit is reached or [`Signals::stop`] comes.
    /// Without limits, and while pondering, it does not return before that signal (or
    /// [`Signals::ponderhit`]), even if nothing is left to search.
    pub fn search(
        &mut self,
        game: &Game,
        limits: &Limits,
        on_report: &mut dyn FnMut(&Report<'_>),
    ) -> Outcome {
        let timer = Timer::start(limits);
        let root_moves = root_moves(game, limits, self.rules);
        if root_moves.is_empty() {
            let mated = !game.position().has_legal_move();
            let score = if mated { Score::mated_in(0) } else { Score::DRAW };
            return Outcome { score, ..Outcome::default() };
        }
        self.table.age();
        let shared = Arc::new(Shared::default());
        let weakened = limits.weakened();
        let shown = limits.multi_pv.max(1);
        // The move and the score of the report made last.
        let mut said = None;
        let mut on_line = |report: &Report<'_>| {
            if report.multi_pv <= shown {
                said = report.pv.first().map(|&first| (first, report.score));
                on_report(report);
            }
        };
        let task = Task { game, limits: &weakened, root_moves: &root_moves, shared: &shared };
        let Some((main, helpers)) = self.workers.split_first_mut() else {
            return Outcome::default();
        };
        thread::scope(|scope| {
            for helper in helpers {
                let task = &task;
                let builder = thread::Builder::new().stack_size(STACK_BYTES);
                // A thread that cannot be had is done without.
                let _ = builder.spawn_scoped(scope, || helper.run(task, None, &mut |_| {}));
            }
            main.run(&task, Some(timer), &mut on_line);
            main.wait_for_signal(limits);
            shared.halt();
        });
        let chosen =
            limits.skill.and_then(|skill| skill.choose(&main.root_moves, &mut rand::rng()));
        let chosen = chosen.unwrap_or(0);
        let best = &main.root_moves[chosen];
        let score = best.known_score().unwrap_or_default();
        if main.stopped || said != Some((best.played, score)) {
            main.report_choice(chosen, on_report);
        }
        Outcome {
            best: Some(best.played),
            ponder: best.pv.get(1).copied(),
            score,
            depth: main.completed,
            nodes: shared.nodes(),
        }
    }
}

/// Threads that the machine runs at once; asked for only once, since some systems look it up in
/// files.
fn cores() -> usize {
    static CORES: Lazy<usize> =
        Lazy::new(|| thread::available_parallelism().map_or(1, usize::from));
    *CORES
}

/// The moves that the limits leave to choose from, without those that complete a third occurrence at
/// the mover's fault if there are others: even a slow mate is better met on the board.
fn root_moves(game: &Game, limits: &Limits, rules: RuleSet) -> Vec<Move> {
    let moves = game.position().legal_moves().into_iter();
    let mut moves: Vec<Move> = moves
        .filter(|m| !limits.banned.contains(m))
        .filter(|m| limits.only.is_empty() || limits.only.contains(m))
        .collect();
    let free = |m: &Move| !completes_forbidden_cycle(game, *m, rules);
    let kept: Vec<Move> = moves.iter().copied().filter(free).collect();
    if !kept.is_empty() {
        moves = kept;
    }
    moves
}

/// Whether a legal move makes a position occur for the third time while the mover is at fault.
fn completes_forbidden_cycle(game: &Game, m: Move, rules: RuleSet) -> bool {
    let key = game.position().key_after(m);
    let played = game.plies().len();
    let reach = (game.reversible_plies() + 1).min(played);
    let earlier = (played - reach..=played).filter(|&at| game.key_at(at) == Some(key));
    if game.position().piece_on(m.to()).is_some() || earlier.count() < 2 {
        return false;
    }
    let mut after = game.clone();
    after.play_legal(m);
    judge(&after, rules).cycle_ruling == CycleRuling::Forbidden(game.position().side())
}
