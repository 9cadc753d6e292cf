//! The built-in engine as a player: no process, no protocol.

use super::{
    player::{Answer, EngineScore, NotReady, Player, Task, Thought},
    spec::EngineSpec,
};
use crate::{
    eval::{Backend, Score},
    search::{Limits, Searcher},
};
use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::atomic::Ordering,
    time::Instant,
};
use xiangqi::rules::RuleSet;

/// Hash table of a player that is not told otherwise, in MiB. Small, because a fresh game clears
/// it and a match at few nodes plays many games.
const DEFAULT_HASH_MIB: usize = 16;

/// A searcher of its own.
pub struct InProcess {
    searcher: Searcher,
    setup: Setup,
}

/// What the searcher is built from.
struct Setup {
    hash_mib: usize,
    threads: usize,
    backend: Backend,
    rules: RuleSet,
}

impl InProcess {
    /// Builds the searcher that `spec` asks for, playing by these rules. The options are `Hash`
    /// (MiB), `Threads` and `EvalFile`.
    ///
    /// # Errors
    /// An unknown option, a network that can not be used, or memory that can not be had.
    pub fn new(spec: &EngineSpec, rules: RuleSet) -> Result<Self, String> {
        let mut setup =
            Setup { hash_mib: DEFAULT_HASH_MIB, threads: 1, backend: Backend::default(), rules };
        let size = |value: &str| value.parse().map_err(|_| format!("'{value}' is no number"));
        for (name, value) in &spec.options {
            match name.to_ascii_lowercase().as_str() {
                "hash" | "hashsize" => setup.hash_mib = size(value)?,
                "threads" => setup.threads = size(value)?,
                "evalfile" => {
                    setup.backend = Backend::named(value).map_err(|e| format!("'{value}': {e}"))?;
                }
                _ => {
                    let known = "Hash, Threads and EvalFile";
                    return Err(format!(
                        "the built-in player has no option '{name}', only {known}"
                    ));
                }
            }
        }
        Ok(Self { searcher: setup.searcher()?, setup })
    }
}

impl Setup {
    fn searcher(&self) -> Result<Searcher, String> {
        let mut searcher = Searcher::new(self.hash_mib)
            .map_err(|error| format!("{} MiB of memory can not be had", error.mebibytes))?;
        // Not on the clock of the first move.
        searcher.touch_hash();
        searcher.set_rules(self.rules);
        searcher.set_threads(self.threads);
        searcher.set_backend(self.backend.clone());
        Ok(searcher)
    }
}

/// A score in UCCI's unit. Wins by rule stay points: the opponent may still change.
fn engine_score(score: Score) -> EngineScore {
    match score.mate_distance_moves() {
        Some(moves) => EngineScore::Mate(moves),
        None => EngineScore::Points(score.0 * 100 / Score::MINOR.0),
    }
}

impl Player for InProcess {
    fn start_game(&mut self, _label: &str) -> Result<(), NotReady> {
        self.searcher.clear();
        Ok(())
    }

    fn think(&mut self, task: &Task<'_>) -> Thought {
        let limits = Limits {
            depth: task.limit.depth,
            nodes: task.limit.nodes,
            move_time: task.limit.move_time,
            clock: task.own,
            banned: task.banned.to_vec(),
            ..Limits::default()
        };
        let begin = Instant::now();
        self.searcher.prepare(&limits);
        let signals = self.searcher.signals();
        let search = AssertUnwindSafe(|| {
            self.searcher.search(task.game, &limits, &mut |_| {
                if task.abort.load(Ordering::Relaxed) {
                    signals.stop();
                }
            })
        });
        // A broken search ends its game, not the match. What it left behind is not used again.
        let Ok(outcome) = catch_unwind(search) else {
            if let Ok(fresh) = self.setup.searcher() {
                self.searcher = fresh;
            }
            return Thought {
                elapsed: begin.elapsed(),
                ..Thought::none(Answer::Gone("the search panicked".to_owned()))
            };
        };
        Thought {
            answer: match outcome.best {
                Some(played) => Answer::Play { played, draw: false },
                None => Answer::NoMove,
            },
            elapsed: begin.elapsed(),
            score: Some(engine_score(outcome.score)),
            depth: Some(outcome.depth),
            nodes: Some(outcome.nodes),
        }
    }
}
