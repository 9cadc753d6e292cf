//! Showing the progress of long work on a terminal.

use indicatif::{ProgressBar, ProgressStyle};
#[cfg(feature = "train")]
use std::path::PathBuf;

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

/// Lets a bar begin where the work was left, with rate and time left of what is done from now on.
#[cfg(feature = "train")]
pub fn go_on_from(bar: &ProgressBar, done: u64) {
    bar.set_position(done);
    bar.reset_eta();
}

/// A bar in bytes for reading these files.
#[cfg(feature = "train")]
pub fn file_bar(files: &[PathBuf]) -> ProgressBar {
    let length = |path: &PathBuf| path.metadata().map_or(0, |data| data.len());
    progress_bar(files.iter().map(length).sum(), "bytes")
}

#[cfg(all(test, feature = "train"))]
mod tests {
    use super::*;

    #[test]
    fn a_bar_that_goes_on_counts_what_is_done_now() {
        let bar = progress_bar(1_000_000, "games");
        std::thread::sleep(std::time::Duration::from_millis(20));
        go_on_from(&bar, 900_000);
        assert_eq!(bar.position(), 900_000);
        assert!(bar.per_sec() < 1.0, "{} games a second", bar.per_sec());
    }
}
