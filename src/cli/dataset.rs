//! `chuhe dataset`: looking at game files, merging them, and expanding them to records.

use super::{Failure, progress, wdl};
use crate::train::{
    dataset::{Dataset, Expansion, Filters},
    merge::merge,
    statistics::Statistics,
};
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Show what game files hold and how much of it is fit to learn from
    Stats {
        /// Game files
        #[arg(required = true, value_name = "GAMES")]
        files: Vec<PathBuf>,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Fit how often games are won from positions of a score (for `src/eval/chances.rs`)
    Wdl {
        /// Game files, and journals of matches in UCCI (FILE.jsonl, from `match --resume`)
        #[arg(required = true, value_name = "GAMES")]
        files: Vec<PathBuf>,
    },
    /// Put the games of several files into a new one, each game once
    Merge {
        /// Game files
        #[arg(required = true, value_name = "GAMES")]
        files: Vec<PathBuf>,
        /// The new file
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
    },
    /// Write filtered, shuffled training records, each position once
    Expand {
        /// Game files
        #[arg(required = true, value_name = "GAMES")]
        files: Vec<PathBuf>,
        /// The file of records
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
        /// Decides the order
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    match &arguments.command {
        Command::Stats { files, json } => {
            let (_, statistics) = expand(files, 0)?;
            if *json {
                let text = serde_json::to_string(&statistics).map_err(Failure::work)?;
                say!("{text}");
            } else {
                say!("{}", describe(&statistics).trim_end());
            }
        }
        Command::Wdl { files } => say!("{}", wdl::fit(files)?.to_string().trim_end()),
        Command::Merge { files, out } => {
            if out.exists() {
                return Err(Failure::work(format!("{} exists already", out.display())));
            }
            let inputs: Vec<&Path> = files.iter().map(PathBuf::as_path).collect();
            let bar = progress::file_bar(files);
            let merged = merge(&inputs, out, |bytes| bar.inc(bytes)).map_err(Failure::work)?;
            bar.finish_and_clear();
            merged.torn.iter().for_each(|(path, torn)| tell_torn(path, *torn));
            say!("games {} repeated {}", merged.games, merged.repeated);
        }
        Command::Expand { files, out, seed } => {
            let (data, _) = expand(files, *seed)?;
            data.save(out).map_err(|e| Failure::work(format!("{}: {e}", out.display())))?;
            say!("training {} validation {}", data.training.len(), data.validation.len());
        }
    }
    Ok(())
}

/// Reads game files into records; says on stderr what was torn.
pub fn expand(files: &[PathBuf], seed: u64) -> Result<(Dataset, Statistics), Failure> {
    let mut expansion = Expansion::new(Filters::default());
    let bar = progress::file_bar(files);
    for path in files {
        let torn = expansion.add_file(path, |bytes| bar.inc(bytes)).map_err(Failure::work)?;
        bar.suspend(|| tell_torn(path, torn));
    }
    bar.finish_and_clear();
    Ok(expansion.finish(seed))
}

/// Says what of a file was ignored.
pub fn tell_torn(path: &Path, bytes: u64) {
    if bytes > 0 {
        eprintln!("{}: ignored {bytes} bytes of an unfinished game", path.display());
    }
}

fn describe(statistics: &Statistics) -> String {
    use std::fmt::Write;
    let share = |count: u64, of: u64| count as f64 * 100.0 / of.max(1) as f64;
    let mut text = String::new();
    let Statistics { games, plies, kept, .. } = *statistics;
    let _ = writeln!(text, "games {games} plies {plies} kept {kept} ({:.1}%)", share(kept, plies));
    let [black, drawn, red] = statistics.results;
    let _ = writeln!(text, "red {red} drawn {drawn} black {black}");
    for (ending, count) in &statistics.endings {
        let _ = writeln!(text, "ending {ending} {count} ({:.1}%)", share(*count, games));
    }
    for (reason, count) in &statistics.rejected {
        let _ = writeln!(text, "left out {reason:?} {count} ({:.1}%)", share(*count, plies));
    }
    let buckets: Vec<_> =
        statistics.buckets.iter().map(|&b| format!("{:.1}%", share(b, kept))).collect();
    let _ = writeln!(text, "buckets {}", buckets.join(" "));
    if let Some(scale) = statistics.fitted_scale() {
        let _ = writeln!(text, "fitted scale {scale}");
    }
    text
}
