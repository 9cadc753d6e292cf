//! Plays random legal moves until the rules end the game, and shows them as players write them.
//!
//! `cargo run -p xiangqi --example random_game -- [SEED]`

use rand::{SeedableRng, rngs::StdRng, seq::IndexedRandom};
use std::{env, error::Error};
use xiangqi::{
    game::Game,
    notation::chinese_move,
    rules::{RuleSet, outcome},
};

fn main() -> Result<(), Box<dyn Error>> {
    let seed: u64 = env::args().nth(1).map_or(Ok(1), |seed| seed.parse())?;
    let mut random = StdRng::seed_from_u64(seed);
    let mut game = Game::default();
    let outcome = loop {
        if let Some(outcome) = outcome(&game, RuleSet::Cn1999) {
            break outcome;
        }
        let position = game.position();
        // Mate and stalemate end the game above, so there is a move.
        let Some(&m) = position.legal_moves().choose(&mut random) else { continue };
        let written = chinese_move(position, m).unwrap_or_default();
        println!("{:4} {m} {written}", game.plies().len() + 1);
        game.play(m)?;
    };
    println!("{}\n{outcome:?}", game.position().fen());
    Ok(())
}
