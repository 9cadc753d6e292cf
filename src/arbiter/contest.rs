//! A whole match: which games are to be played, and the threads that play them.

use super::{
    Termination,
    engine::External,
    game::{self, Conditions},
    inprocess::InProcess,
    player::Player,
    record::GameRecord,
    spec::EngineSpec,
};
use crate::{
    openings::{Opening, RandomOpenings, SplitMix},
    search::{STACK_BYTES, Searcher},
};
use std::{
    collections::BTreeSet,
    path::PathBuf,
    sync::{
        atomic::{AtomicBool, AtomicUsize, Ordering},
        mpsc,
    },
    thread,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};
use xiangqi::types::Side;

/// Where openings come from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OpeningSource {
    /// A list, put in an order that the seed decides, and begun again where it ends.
    List(Vec<Opening>),
    /// Random positions.
    Random(RandomOpenings),
}

/// A part of a match, played by itself: pairs with number `index` modulo `count`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shard {
    /// From 0.
    pub index: u32,
    /// How many parts there are.
    pub count: u32,
}

/// What a match is.
#[derive(Clone, Debug)]
pub struct Contest {
    /// The engines.
    pub engines: [EngineSpec; 2],
    /// Games of the whole match.
    pub games: u32,
    /// Where they begin.
    pub openings: OpeningSource,
    /// Decides the order of openings, or the random ones.
    pub seed: u64,
    /// Games at a time.
    pub concurrency: usize,
    /// The rules of the games.
    pub conditions: Conditions,
    /// The part of the match to play.
    pub shard: Shard,
    /// How long an engine may take to start.
    pub startup: Duration,
    /// Where the engines' dialogues are kept.
    pub log: Option<PathBuf>,
}

/// How busy the workers were.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Workload {
    /// Threads that played.
    pub workers: usize,
    /// From the first game's start to the last game's end.
    pub wall: Duration,
    /// Time spent playing, over all threads.
    pub busy: Duration,
}

impl Workload {
    /// Share of the workers' time that was not spent playing, 0 to 1.
    pub fn idle(&self) -> f64 {
        let total = self.wall.as_secs_f64() * self.workers as f64;
        if total > 0.0 { (1.0 - self.busy.as_secs_f64() / total).max(0.0) } else { 0.0 }
    }
}

impl Contest {
    /// The pairs of this shard, in order.
    pub fn pairs(&self) -> Vec<u32> {
        let pairs = self.games.div_ceil(2);
        (0..pairs).filter(|pair| pair % self.shard.count == self.shard.index).collect()
    }

    /// The games of this shard, in order.
    pub fn numbers(&self) -> Vec<u32> {
        let pairs = self.pairs().into_iter();
        pairs.flat_map(|pair| [2 * pair, 2 * pair + 1]).filter(|&n| n < self.games).collect()
    }

    fn build_player(&self, engine: usize, worker: usize) -> Result<Box<dyn Player>, String> {
        let spec = &self.engines[engine];
        if spec.command.is_none() {
            return Ok(Box::new(InProcess::new(spec, self.conditions.rules)?));
        }
        if let Some(missing) = missing_program(spec) {
            return Err(missing);
        }
        let log = self.log.as_ref().map(|folder| {
            let name: String =
                spec.name.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
            folder.join(format!("{}-{name}-{}.log", worker + 1, engine + 1))
        });
        Ok(Box::new(External::new(spec.clone(), self.startup, log)))
    }
}

/// Says so if an engine's program is a path where no file is: a mistake of the user, not a loss of
/// the engine.
pub fn missing_program(spec: &EngineSpec) -> Option<String> {
    let program = spec.command.as_ref()?;
    let with_suffix = program.with_extension(std::env::consts::EXE_EXTENSION);
    let is_path = program.components().count() > 1;
    (is_path && !program.is_file() && !with_suffix.is_file())
        .then(|| format!("{}: there is no program {}", spec.name, program.display()))
}

/// The openings in the order in which pairs get them.
struct OpeningOrder<'a> {
    contest: &'a Contest,
    order: Vec<usize>,
}

impl<'a> OpeningOrder<'a> {
    fn new(contest: &'a Contest) -> Self {
        let count = match &contest.openings {
            OpeningSource::List(list) => list.len(),
            OpeningSource::Random(_) => 0,
        };
        let mut order: Vec<usize> = (0..count).collect();
        SplitMix::new(contest.seed, 0).shuffle(&mut order);
        Self { contest, order }
    }

    fn of_pair(&self, pair: u32, searcher: &mut Option<Searcher>) -> Result<Opening, String> {
        match &self.contest.openings {
            OpeningSource::List(list) => {
                Ok(list[self.order[pair as usize % self.order.len()]].clone())
            }
            OpeningSource::Random(random) => {
                let searcher = match searcher {
                    Some(searcher) => searcher,
                    None => {
                        let mut fresh = Searcher::new(1)
                            .map_err(|_| "1 MiB of memory can not be had".to_owned())?;
                        fresh.set_rules(self.contest.conditions.rules);
                        searcher.insert(fresh)
                    }
                };
                Ok(random.make(self.contest.seed, pair.into(), &Opening::default(), searcher))
            }
        }
    }
}

/// Plays the games of the contest that are not in `done`. Every finished game goes to `on_game`,
/// in the order in which they end; once that says `false`, or `abort` is set, games in progress
/// are dropped.
///
/// # Errors
/// A player that can not be built, or no thread to be had, before any game.
pub fn run(
    contest: &Contest,
    done: &BTreeSet<u32>,
    abort: &AtomicBool,
    on_game: &mut dyn FnMut(GameRecord) -> bool,
) -> Result<Workload, String> {
    let queue: Vec<u32> =
        contest.numbers().into_iter().filter(|number| !done.contains(number)).collect();
    let workers = contest.concurrency.clamp(1, queue.len().max(1));
    let mut seats = Vec::new();
    for worker in 0..workers {
        seats.push([contest.build_player(0, worker)?, contest.build_player(1, worker)?]);
    }
    let openings = OpeningOrder::new(contest);
    let (next, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
    let begin = Instant::now();
    let mut load = Workload { workers, ..Workload::default() };
    thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        for players in seats {
            let sender = sender.clone();
            let (queue, openings, next, stop) = (&queue, &openings, &next, &stop);
            let play = move || {
                let mut worker = Worker { contest, openings, players, searcher: None };
                while !stop.load(Ordering::Relaxed)
                    && let Some(&number) = queue.get(next.fetch_add(1, Ordering::Relaxed))
                {
                    let start = Instant::now();
                    let Some(record) = worker.play(number, stop) else { break };
                    if sender.send((record, start.elapsed())).is_err() {
                        break;
                    }
                }
            };
            // The built-in player searches in this thread.
            let builder = thread::Builder::new().stack_size(STACK_BYTES);
            if let Err(error) = builder.spawn_scoped(scope, play) {
                log::warn!("one worker less: {error}");
                load.workers -= 1;
            }
        }
        drop(sender);
        loop {
            match receiver.recv_timeout(POLL) {
                Ok((record, busy)) => {
                    load.busy += busy;
                    load.wall = begin.elapsed();
                    // Whoever ends us may end the engines as well, even before us: such a game is
                    // not lost but left.
                    if matches!(record.end.termination, Termination::Crash | Termination::NoStart) {
                        thread::sleep(POLL);
                        if abort.load(Ordering::Relaxed) {
                            stop.store(true, Ordering::Relaxed);
                        }
                    }
                    if !stop.load(Ordering::Relaxed) && !on_game(record) {
                        stop.store(true, Ordering::Relaxed);
                    }
                }
                Err(mpsc::RecvTimeoutError::Timeout) => {}
                Err(mpsc::RecvTimeoutError::Disconnected) => break,
            }
            if abort.load(Ordering::Relaxed) {
                stop.store(true, Ordering::Relaxed);
            }
        }
    });
    if load.workers == 0 {
        return Err("no thread to play in can be had".to_owned());
    }
    Ok(load)
}

/// How often the wish to abort is looked at.
const POLL: Duration = Duration::from_millis(50);

struct Worker<'a> {
    contest: &'a Contest,
    openings: &'a OpeningOrder<'a>,
    players: [Box<dyn Player>; 2],
    searcher: Option<Searcher>,
}

impl Worker<'_> {
    fn play(&mut self, number: u32, stop: &AtomicBool) -> Option<GameRecord> {
        let opening = self.openings.of_pair(number / 2, &mut self.searcher).ok()?;
        let red = number as usize % 2;
        let [first, second] = &mut self.players;
        let specs = &self.contest.engines;
        let (seats, limits): ([&mut dyn Player; 2], _) = if red == 0 {
            ([&mut **first, &mut **second], [&specs[0].limit, &specs[1].limit])
        } else {
            ([&mut **second, &mut **first], [&specs[1].limit, &specs[0].limit])
        };
        let label = format!("game {}", number + 1);
        let played = game::play(&opening, seats, limits, &self.contest.conditions, &label, stop)?;
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Some(GameRecord {
            number,
            red,
            fen: opening.fen,
            book: opening.moves.iter().map(ToString::to_string).collect(),
            plies: played.plies,
            fouls: played.fouls,
            ended: now.as_secs(),
            end: played.end,
        })
    }
}

impl GameRecord {
    /// The names of Red and Black.
    pub fn names<'a>(&self, engines: &'a [EngineSpec; 2]) -> [&'a str; 2] {
        Side::ALL.map(|side| engines[self.engine_of(side)].name.as_str())
    }
}
