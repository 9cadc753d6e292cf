//! What the commands about networks share: choosing an evaluation, showing progress.

use super::Failure;
use crate::eval::Backend;
use indicatif::{ProgressBar, ProgressStyle};

/// The evaluation that a `--net` option names; without it what the engine uses by itself.
pub fn backend(choice: Option<&str>) -> Result<Backend, Failure> {
    let choice = choice.unwrap_or_default();
    Backend::named(choice).map_err(|error| Failure::work(format!("{choice}: {error}")))
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
