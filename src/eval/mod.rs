//! Static evaluation.

mod evaluator;
pub mod nnue;

pub use evaluator::{Backend, Evaluator};

use crate::{
    board::Position,
    types::{Kind, Score},
};

/// The worth of a position from the mover's view.
pub fn evaluate(position: &Position) -> Score {
    const WORTH: [(Kind, i32); 6] = [
        (Kind::Rook, 900),
        (Kind::Horse, 400),
        (Kind::Cannon, 400),
        (Kind::Advisor, 160),
        (Kind::Elephant, 160),
        (Kind::Soldier, 100),
    ];
    let us = position.side();
    let balance = WORTH.into_iter().map(|(kind, worth)| {
        let count = |side| position.pieces(side, kind).len() as i32;
        worth * (count(us) - count(!us))
    });
    Score(balance.sum())
}
