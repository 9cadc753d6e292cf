//! The search: [`Searcher`] takes a [`Game`] and [`Limits`], and reports through a callback. It
//! prints nothing.

mod limits;

pub use limits::{Clock, Limits};

use crate::{
    eval,
    game::Game,
    types::{Move, Score},
};
use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
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
}

/// A hash table that could not be allocated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HashError {
    /// The size asked for, in MiB.
    pub mebibytes: usize,
}

/// The engine's thinking: hash table, histories and threads.
pub struct Searcher {
    signals: Signals,
}

impl Searcher {
    /// A searcher with a hash table of this many MiB.
    ///
    /// # Errors
    /// If the memory cannot be had.
    pub fn new(_hash_mebibytes: usize) -> Result<Self, HashError> {
        Ok(Self { signals: Signals::default() })
    }

    /// A handle for other threads.
    pub fn signals(&self) -> Signals {
        self.signals.clone()
    }

    /// Must be called before [`Searcher::search`], in the thread that may also send signals, so
    /// that a signal sent right after is not lost.
    pub fn prepare(&mut self, limits: &Limits) {
        self.signals.stop.store(false, Ordering::Relaxed);
        self.signals.pondering.store(limits.ponder, Ordering::Relaxed);
    }

    /// Forgets everything learnt from earlier positions.
    pub fn clear(&mut self) {}

    /// Searches the game's last position until a limit is reached or [`Signals::stop`] comes.
    pub fn search(
        &mut self,
        game: &Game,
        limits: &Limits,
        on_report: &mut dyn FnMut(&Report<'_>),
    ) -> Outcome {
        let begin = Instant::now();
        let mut moves = game.position().legal_moves();
        moves.retain(|m| !limits.banned.contains(m));
        let Some(&best) = moves.first() else { return Outcome::default() };
        let score = eval::evaluate(game.position());
        on_report(&Report {
            depth: 1,
            seldepth: 1,
            multi_pv: 1,
            score,
            bound: Bound::Exact,
            nodes: 1,
            elapsed: begin.elapsed(),
            hashfull: 0,
            pv: &[best],
        });
        Outcome { best: Some(best), ponder: None, score, depth: 1, nodes: 1 }
    }
}
