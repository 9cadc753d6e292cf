//! `chuhe perft`: counts leaf nodes.

use super::{Failure, shared};
use std::time::Instant;
use xiangqi::board::{MAX_PERFT_DEPTH, divide, perft};

#[derive(clap::Args)]
pub struct Arguments {
    /// Depth in plies
    #[arg(value_parser = clap::value_parser!(u32).range(..=i64::from(MAX_PERFT_DEPTH)))]
    depth: u32,
    /// The position, or startpos; without it the start position
    #[arg(long)]
    fen: Option<String>,
    /// Print the count of each first move
    #[arg(long)]
    divide: bool,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let mut position = shared::position(arguments.fen.as_deref())?;
    let begin = Instant::now();
    let nodes = if arguments.divide {
        let parts = divide(&mut position, arguments.depth);
        for (m, nodes) in &parts {
            say!("{m}: {nodes}");
        }
        if arguments.depth == 0 { 1 } else { parts.iter().map(|(_, nodes)| nodes).sum() }
    } else {
        perft(&mut position, arguments.depth)
    };
    let seconds = begin.elapsed().as_secs_f64();
    let rate = nodes as f64 / seconds.max(1e-9);
    say!("nodes {nodes} time_ms {:.0} nps {rate:.0}", seconds * 1000.0);
    Ok(())
}
