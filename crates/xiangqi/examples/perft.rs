//! Counts the leaf nodes of the game tree, the standard check of a move generator.
//!
//! `cargo run --release -p xiangqi --example perft -- 5 ["FEN"]`

use std::{env, error::Error, time::Instant};
use xiangqi::board::{MAX_PERFT_DEPTH, Position, perft};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let depth: u32 = arguments.next().map_or(Ok(4), |depth| depth.parse())?;
    if depth > MAX_PERFT_DEPTH {
        return Err(format!("at most {MAX_PERFT_DEPTH} plies").into());
    }
    let mut position: Position = match arguments.next() {
        Some(fen) => fen.parse()?,
        None => Position::start(),
    };
    let begin = Instant::now();
    let nodes = perft(&mut position, depth);
    println!("perft {depth}: {nodes} in {} ms", begin.elapsed().as_millis());
    Ok(())
}
