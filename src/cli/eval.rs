//! `chuhe eval`: the static evaluation, and the parts of the hand-written one.

use super::{Failure, shared};
use crate::eval::{
    evaluate,
    hce::{FULL_PHASE, Sink, collect, phase},
    params::{COUNT, TERMS, WEIGHTS},
};
use xiangqi::types::Side;

#[derive(clap::Args)]
pub struct Arguments {
    /// The position, or startpos; without it the start position
    #[arg(long)]
    fen: Option<String>,
    /// The network that evaluates; `hce` is the hand-written evaluation
    #[arg(long, value_name = "FILE")]
    net: Option<String>,
}

/// The worth of each weight, red and black apart, at the position's phase.
struct Parts {
    phase: i32,
    worth: [Vec<f64>; Side::NUM],
}

impl Sink for Parts {
    fn add(&mut self, side: Side, index: usize, count: i32) {
        let (middlegame, endgame) = WEIGHTS[index];
        let weighted =
            i32::from(middlegame) * self.phase + i32::from(endgame) * (FULL_PHASE - self.phase);
        self.worth[side.index()][index] += f64::from(weighted * count) / f64::from(FULL_PHASE);
    }
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let position = shared::position(arguments.fen.as_deref())?;
    let backend = shared::backend(arguments.net.as_deref())?;
    let mut parts = Parts { phase: phase(&position), worth: [vec![0.0; COUNT], vec![0.0; COUNT]] };
    collect(&position, &mut parts);
    say!("{position}\n");
    say!("{:<20} {:>7} {:>7} {:>7}", "hand-written term", "red", "black", "total");
    for &(name, first, len) in TERMS {
        let sum = |side: Side| parts.worth[side.index()][first..first + len].iter().sum::<f64>();
        let (red, black) = (sum(Side::Red), sum(Side::Black));
        if red != 0.0 || black != 0.0 {
            let name = name.to_lowercase().replace('_', " ");
            say!("{name:<20} {red:>7.0} {black:>7.0} {:>7.0}", red - black);
        }
    }
    say!("phase {} of {FULL_PHASE}; 400 = a horse or a cannon", parts.phase);
    let hand_written = evaluate(&position);
    say!("hand-written evaluation {hand_written} for {}, who is to move", position.side());
    // What a search would see: with what is known of small endings.
    say!("{}: {}", backend.describe(), backend.evaluate(&position));
    Ok(())
}
