//! `chuhe bench`: the engine's fingerprint.

use super::Failure;
use crate::search::{Searcher, bench};

/// Deeper ones take days.
const MOST: i64 = 30;

#[derive(clap::Args)]
pub struct Arguments {
    /// Depth in plies, 1 to 30
    #[arg(default_value_t = bench::DEPTH, value_parser = clap::value_parser!(u32).range(1..=MOST))]
    depth: u32,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let mut searcher = Searcher::new(bench::HASH_MEBIBYTES).map_err(Failure::work)?;
    let summary =
        bench::run(&mut searcher, arguments.depth, &|| false, &mut |line| eprintln!("{line}"));
    say!("{summary}");
    Ok(())
}
