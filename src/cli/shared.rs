//! What several commands ask: which position, which evaluation, which engine, how many workers.

use super::Failure;
use crate::eval::Backend;
#[cfg(feature = "arbiter")]
use crate::search::{MAX_THREADS, STACK_BYTES, Searcher};
use xiangqi::board::Position;
#[cfg(feature = "arbiter")]
use xiangqi::rules::RuleSet;

/// The engine that goes through positions.
#[cfg(feature = "arbiter")]
#[derive(clap::Args)]
pub struct EngineArguments {
    /// Threads of the search
    #[arg(long, value_name = "T", default_value_t = 1)]
    threads: usize,
    /// The hash table's size in MiB
    #[arg(long, value_name = "MB", default_value_t = 64)]
    hash: usize,
    /// The network that evaluates; `hce` is the hand-written evaluation
    #[arg(long, value_name = "FILE")]
    net: Option<String>,
    /// Repetition rules: cn1999, axf or league
    #[arg(long, default_value_t = RuleSet::default())]
    pub rules: RuleSet,
}

#[cfg(feature = "arbiter")]
impl EngineArguments {
    /// The searcher that these ask for.
    ///
    /// # Errors
    /// If the numbers are off, or there is no such network or not enough memory.
    pub fn searcher(&self) -> Result<Searcher, Failure> {
        if !(1..=MAX_THREADS).contains(&self.threads) || self.hash == 0 {
            let message = format!("--threads is 1 to {MAX_THREADS}, --hash at least 1");
            return Err(Failure::usage(message));
        }
        let mut searcher = Searcher::new(self.hash).map_err(Failure::work)?;
        searcher.set_backend(backend(self.net.as_deref())?);
        searcher.set_rules(self.rules);
        searcher.set_threads(self.threads);
        Ok(searcher)
    }
}

/// Does work that searches where the stack is deep enough: the process's own is small on some
/// systems.
///
/// # Errors
/// If there is no memory for the stack.
#[cfg(feature = "arbiter")]
pub fn on_a_deep_stack<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T, Failure> {
    std::thread::scope(|scope| {
        let builder = std::thread::Builder::new().stack_size(STACK_BYTES);
        let thread = builder.spawn_scoped(scope, work).map_err(Failure::work)?;
        thread.join().map_err(|panic| std::panic::resume_unwind(panic))
    })
}

/// The position that a `--fen` option names: a FEN, or `startpos`, which is also what none means.
///
/// # Errors
/// If it is no position: the arguments are off.
pub fn position(fen: Option<&str>) -> Result<Position, Failure> {
    match fen.map(str::trim) {
        None | Some("startpos") => Ok(Position::start()),
        Some(fen) => fen.parse().map_err(Failure::usage),
    }
}

/// The evaluation that a `--net` option names; without it what the engine uses by itself.
pub fn backend(choice: Option<&str>) -> Result<Backend, Failure> {
    let choice = choice.unwrap_or_default();
    Backend::named(choice).map_err(|error| Failure::work(format!("{choice}: {error}")))
}

/// How many threads or workers to use when nobody says.
#[cfg(feature = "train")]
pub fn default_workers() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
