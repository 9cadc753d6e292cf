//! Rules on a repetition: the one official case of 1999 with a published board, played twice round,
//! and what each of its moves does.
//!
//! `cargo run -p xiangqi --example judge`

use std::error::Error;
use xiangqi::{
    game::Game,
    notation::chinese_move,
    rules::{RuleSet, judge},
};

fn main() -> Result<(), Box<dyn Error>> {
    let fen = "1r2kab1r/2c1a4/n1c1b1n2/4p2N1/p1p6/1C4P2/P1P1P4/2N1B3C/4A4/1RBAK2R1 w - - 0 1";
    let mut game = Game::new(fen.parse()?);
    for m in "h6i4 i9h9 i4h6 h9i9 ".repeat(2).split_whitespace() {
        game.play(m.parse()?)?;
    }
    let ruling = judge(&game, RuleSet::Cn1999);
    for judged in &ruling.moves {
        let before = game.position_at(judged.ply - 1);
        let written = chinese_move(&before, judged.played).unwrap_or_default();
        println!("{}. {} {written}", judged.ply, judged.side);
        println!("    {}\n    {}", judged.text.zh, judged.text.en);
    }
    println!("{}\n{}", ruling.reason.zh, ruling.reason.en);
    Ok(())
}
