//! `chuhe bench`: the engine's fingerprint.

use super::Failure;
use crate::search::{Searcher, bench};

#[derive(clap::Args)]
pub struct Arguments {
    /// Depth in plies
    #[arg(default_value_t = bench::DEPTH)]
    depth: u32,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let mut searcher = Searcher::new(bench::HASH_MEBIBYTES).map_err(Failure::work)?;
    let summary =
        bench::run(&mut searcher, arguments.depth, &|| false, &mut |line| eprintln!("{line}"));
    say!("{summary}");
    Ok(())
}
