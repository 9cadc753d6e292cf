//! What several commands ask: which evaluation, how many workers.

use super::Failure;
use crate::eval::Backend;

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
