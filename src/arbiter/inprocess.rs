//! The built-in engine as a player: no process, no protocol.

use super::{
    player::{Answer, EngineScore, NotReady, Player, Task, Thought},
    spec::EngineSpec,
};
use crate::{
    search::{Limits, Searcher},
    types::Score,
};
use std::{sync::atomic::Ordering, time::Instant};

/// Hash table of a player that is not told otherwise, in MiB. Small, because a fresh game clears
/// it and a match at few nodes plays many games.
const DEFAULT_HASH_MIB: usize = 16;

/// A searcher of its own.
pub struct InProcess {
    searcher: Searcher,
}

impl InProcess {
    /// Builds the searcher that `spec` asks for. The only option is `Hash` (MiB).
    ///
    /// # Errors
    /// An unknown option, or memory that can not be had.
    pub fn new(spec: &EngineSpec) -> Result<Self, String> {
        let mut hash = DEFAULT_HASH_MIB;
        for (name, value) in &spec.options {
            if !name.eq_ignore_ascii_case("hash") && !name.eq_ignore_ascii_case("hashsize") {
                return Err(format!("the built-in player has no option '{name}', only Hash"));
            }
            hash = value.parse().map_err(|_| format!("'{value}' is no size in MiB"))?;
        }
        let searcher = Searcher::new(hash)
            .map_err(|error| format!("{} MiB of memory can not be had", error.mebibytes))?;
        Ok(Self { searcher })
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
        let outcome = self.searcher.search(task.game, &limits, &mut |_| {
            if task.abort.load(Ordering::Relaxed) {
                signals.stop();
            }
        });
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
