//! `chuhe speedtest`: nodes per second with one thread, two, and so on.

use super::Failure;
use crate::search::{Limits, Searcher};
use std::time::{Duration, Instant};
use xiangqi::game::Game;

#[derive(clap::Args)]
pub struct Arguments {
    /// The most threads to try, at most as many as there are cores; without it as many
    #[arg(long)]
    threads: Option<usize>,
    /// Seconds for each number of threads
    #[arg(long, default_value_t = 5.0)]
    seconds: f64,
}

const HASH_MEBIBYTES: usize = 64;

const POSITIONS: [&str; 4] = [
    "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w",
    "r2akab1r/9/2n1b1nc1/p1p1p1p1p/9/2P3P2/P3P3P/1CN1C1N2/9/R1BAKABR1 b",
    "3akab2/5r3/2n1b1n2/p1p1p3p/6p2/2P1P4/P4RP1P/2N1C1N2/9/2BAKAB2 w",
    "2bak4/4a4/4b4/p3R3p/2p3p2/6P2/P1n1r3P/4B4/4A4/2BAK1N2 b",
];

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let asked = arguments.threads.unwrap_or(cores);
    let most = asked.min(cores);
    if asked > cores {
        eprintln!("{asked} threads share {cores} cores here: measured up to {cores}");
    }
    if most == 0 || !(0.01..=3600.0).contains(&arguments.seconds) {
        return Err(Failure::usage("at least one thread, and 0.01 to 3600 seconds"));
    }
    let time = Duration::from_secs_f64(arguments.seconds / POSITIONS.len() as f64);
    let limits = Limits { move_time: Some(time), ..Limits::default() };
    let mut single = None;
    for threads in 1..=most {
        let mut searcher = Searcher::new(HASH_MEBIBYTES).map_err(Failure::work)?;
        searcher.set_threads(threads);
        let mut nodes = 0;
        let begin = Instant::now();
        for fen in POSITIONS {
            let game = Game::new(fen.parse().map_err(Failure::work)?);
            searcher.clear();
            searcher.prepare(&limits);
            nodes += searcher.search(&game, &limits, &mut |_| {}).nodes;
        }
        let rate = nodes as f64 / begin.elapsed().as_secs_f64();
        let ratio = rate / *single.get_or_insert(rate);
        say!("threads {threads} nodes {nodes} nps {rate:.0} ratio {ratio:.2}");
    }
    Ok(())
}
