//! Counting the leaves of the game tree, to prove the move generator.

use super::position::Position;
use crate::types::Move;

/// No count is deeper than this: it would not end, and each ply takes some of the stack.
pub const MAX_PERFT_DEPTH: u32 = 60;

/// The number of legal move sequences of `depth` plies. The last ply is counted, not played.
pub fn perft(position: &mut Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.count_legal(),
        _ => {
            let mut nodes = 0;
            for m in position.legal_moves() {
                let undo = position.make(m);
                nodes += perft(position, depth - 1);
                position.unmake(m, undo);
            }
            nodes
        }
    }
}

/// [`perft`] for each first move by itself, in generation order. Empty at depth 0.
pub fn divide(position: &mut Position, depth: u32) -> Vec<(Move, u64)> {
    let Some(below) = depth.checked_sub(1) else { return Vec::new() };
    let moves = position.legal_moves();
    moves
        .into_iter()
        .map(|m| {
            let undo = position.make(m);
            let nodes = perft(position, below);
            position.unmake(m, undo);
            (m, nodes)
        })
        .collect()
}
