//! What the commands about networks share: choosing an evaluation, showing progress.

use super::Failure;
use crate::eval::{Backend, nnue::Network};
use indicatif::{ProgressBar, ProgressStyle};
use std::{path::Path, sync::Arc};

/// The evaluation that a `--net` option names: a file, or `hce` for the hand-written one. Without
/// the option it is what the engine uses by itself.
pub fn backend(choice: Option<&str>) -> Result<Backend, Failure> {
    match choice {
        None => Ok(Backend::default()),
        Some("hce") => Ok(Backend::Handwritten),
        Some(path) => match Network::load(Path::new(path)) {
            Ok(network) => Ok(Backend::Network(Arc::new(network))),
            Err(error) => Err(Failure::work(format!("{path}: {error}"))),
        },
    }
}

/// A number that identifies an evaluation in the head of a game file; 0 is the hand-written one.
pub fn evaluator_number(backend: &Backend) -> u64 {
    match backend {
        Backend::Handwritten => 0,
        Backend::Network(network) => network.checksum(),
    }
}

/// A bar on a terminal with rate and time left; nothing in a pipe.
pub fn progress_bar(total: u64, unit: &str) -> ProgressBar {
    let bar = ProgressBar::new(total);
    let template = format!(
        "{{bar:30}} {{human_pos}}/{{human_len}} {unit}, {{per_sec}}, {{eta}} left  {{msg}}"
    );
    if let Ok(style) = ProgressStyle::with_template(&template) {
        bar.set_style(style);
    }
    bar
}

/// How many threads or workers to use when nobody says.
pub fn default_workers() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
