//! Work that goes on while commands are read: a search, or counting moves.

use super::{
    output::Brake,
    reply::{Line, RuleNote},
};
use crate::search::{Limits, Outcome, STACK_BYTES, Searcher, Signals, bench};
use crossbeam_channel::{Receiver, Sender, unbounded};
use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};
use xiangqi::{
    board::{Position, perft},
    game::Game,
};

/// News from the work.
pub enum Event {
    /// Progress of the search.
    Line(Line),
    /// The search is over; the searcher comes back.
    Searched(Box<Searcher>, Outcome),
    /// Something to print.
    Text(String),
    /// The work is over, and this is the last thing to print.
    Finished(String),
    /// The thread is gone without a result, which is a bug in it.
    Failed,
}

/// What the answer waits for, besides the end of the work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Hold {
    /// Nothing.
    None,
    /// `stop`: the search has no limit.
    Infinite,
    /// `ponderhit` or `stop`.
    Ponder,
}

/// What a count or a bench says instead of a total if it was stopped.
const ABORTED: &str = "aborted";

/// Work in progress.
pub struct Thinking {
    events: Receiver<Event>,
    signals: Signals,
    abort: Arc<AtomicBool>,
    /// What the answer waits for.
    pub hold: Hold,
    /// What it waits for after `ponderhit`.
    after_hit: Hold,
    /// The finished search whose answer has to wait.
    pub held: Option<Outcome>,
    /// The way out for info lines.
    pub brake: Brake,
    /// The win or loss by rule that was last explained.
    pub explained: Option<RuleNote>,
    /// Whether the answer will be a move in a game, rather than advice.
    pub plays: bool,
    /// Whether this is a count or a bench: other commands wait for its end, as clients expect that
    /// know it to be instant.
    pub is_console: bool,
    /// Whether the opponent offers a draw.
    pub draw_offered: bool,
}

impl Thinking {
    fn begin(
        signals: Signals,
        hold: Hold,
        work: impl FnOnce(Sender<Event>, Arc<AtomicBool>) + Send + 'static,
    ) -> Self {
        let (sender, events) = unbounded();
        let abort = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&abort);
        let thread = thread::Builder::new()
            .name("thinking".to_owned())
            .stack_size(STACK_BYTES)
            .spawn(move || work(sender, flag));
        if let Err(error) = thread {
            // The channel is closed now, so the work counts as failed.
            log::error!("no thread to think in: {error}");
        }
        Self {
            events,
            signals,
            abort,
            hold,
            after_hit: Hold::None,
            held: None,
            brake: Brake::new(Instant::now()),
            explained: None,
            plays: hold != Hold::Infinite,
            is_console: true,
            draw_offered: false,
        }
    }

    /// Starts a search.
    pub fn search(
        mut searcher: Box<Searcher>,
        game: Game,
        limits: Limits,
        hold: Hold,
        draw_offered: bool,
    ) -> Self {
        searcher.prepare(&limits);
        let after_hit = if limits.is_endless() { Hold::Infinite } else { Hold::None };
        let thinking = Self::begin(searcher.signals(), hold, move |sender, _| {
            // Nobody listens any more if a send fails: the process is about to end.
            let outcome = searcher.search(&game, &limits, &mut |report| {
                let _ = sender.send(Event::Line(Line::from(report)));
            });
            let _ = sender.send(Event::Searched(searcher, outcome));
        });
        Self { draw_offered, after_hit, is_console: false, ..thinking }
    }

    /// Starts the fixed search of [`bench`] with a searcher made for it.
    pub fn bench(mut searcher: Searcher, depth: u32) -> Self {
        Self::begin(searcher.signals(), Hold::None, move |sender, abort| {
            let say = |line: String| {
                let _ = sender.send(Event::Text(line));
            };
            let aborted = || abort.load(Ordering::SeqCst);
            let summary = bench::run(&mut searcher, depth, &aborted, &mut |line| say(line));
            let text = if aborted() { ABORTED.to_owned() } else { summary.to_string() };
            let _ = sender.send(Event::Finished(text));
        })
    }

    /// Starts counting the leaves below each move.
    pub fn count(
        mut position: Position,
        depth: u32,
        show: impl Fn(xiangqi::types::Move) -> String + Send + 'static,
    ) -> Self {
        Self::begin(Signals::default(), Hold::None, move |sender, abort| {
            let mut total = u64::from(depth == 0);
            for m in position.legal_moves().into_iter().take_while(|_| depth > 0) {
                let undo = position.make(m);
                let nodes = count(&mut position, depth - 1, &abort);
                position.unmake(m, undo);
                let Some(nodes) = nodes else { break };
                total += nodes;
                let _ = sender.send(Event::Text(format!("{}: {nodes}", show(m))));
            }
            let aborted = abort.load(Ordering::SeqCst);
            let total = format!("\nNodes searched: {total}");
            let _ = sender.send(Event::Finished(if aborted { ABORTED.to_owned() } else { total }));
        })
    }

    /// Where the news come from, if there will be more.
    pub fn events(&self) -> Option<&Receiver<Event>> {
        self.held.is_none().then_some(&self.events)
    }

    /// The next piece of news.
    pub fn wait(&self) -> Event {
        self.events.recv().unwrap_or(Event::Failed)
    }

    /// When a line that was held back may pass.
    pub fn line_due(&self) -> Option<Duration> {
        self.brake.wait()
    }

    /// Ends the work as soon as possible.
    pub fn stop(&mut self) {
        if self.hold == Hold::Ponder {
            // The opponent has played something else.
            self.plays = false;
        }
        self.hold = Hold::None;
        // In this order, so that work of several searches does not begin another one.
        self.abort.store(true, Ordering::SeqCst);
        self.signals.stop();
    }

    /// The pondered move was played.
    pub fn ponderhit(&mut self) {
        if self.hold == Hold::Ponder {
            self.hold = self.after_hit;
            self.signals.ponderhit();
        }
    }
}

/// Perft in portions small enough to be broken off; `None` if it was.
fn count(position: &mut Position, depth: u32, abort: &AtomicBool) -> Option<u64> {
    if abort.load(Ordering::Relaxed) {
        return None;
    }
    if depth <= 3 {
        return Some(perft(position, depth));
    }
    let mut total = 0;
    for m in position.legal_moves() {
        let undo = position.make(m);
        let nodes = count(position, depth - 1, abort);
        position.unmake(m, undo);
        total += nodes?;
    }
    Some(total)
}
