//! What several test files share: seeded random walks, and where the test data stands.
#![allow(dead_code, reason = "each test file uses its own part")]

use rand::{Rng, SeedableRng, rngs::StdRng};
use std::{
    ops::Range,
    path::{Path, PathBuf},
};
use xiangqi::{board::Position, types::Move};

/// A start and up to `plies` random legal moves from it. Captures and checks are preferred now and
/// then, so that open and sharp positions occur.
pub fn random_walk(seed: u64, plies: usize) -> (Position, Vec<Move>) {
    let mut rng = StdRng::seed_from_u64(seed);
    let start = Position::start();
    let mut position = start.clone();
    let mut moves = Vec::new();
    while moves.len() < plies {
        let legal = position.legal_moves();
        if legal.is_empty() {
            break;
        }
        let sharp: Vec<Move> = legal
            .iter()
            .copied()
            .filter(|&m| position.piece_on(m.to()).is_some() || position.gives_check(m))
            .collect();
        let m = if !sharp.is_empty() && rng.random_bool(0.3) {
            sharp[rng.random_range(0..sharp.len())]
        } else {
            legal[rng.random_range(0..legal.len())]
        };
        position.make(m);
        moves.push(m);
    }
    (start, moves)
}

/// All positions on the walks with these seeds.
pub fn walk_positions(seeds: Range<u64>, plies: usize) -> impl Iterator<Item = Position> {
    seeds.flat_map(move |seed| {
        let (mut position, moves) = random_walk(seed, plies);
        let mut positions = vec![position.clone()];
        for m in moves {
            position.make(m);
            positions.push(position.clone());
        }
        positions
    })
}

/// A file of the shared test data, or `None` (with a note in the test's output) where it is not
/// there: the tests pass without it.
pub fn corpus(path: &str) -> Option<PathBuf> {
    // Both crates' tests ask, from their own folders.
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let found = from.map(|folder| folder.join("../shared/corpus").join(path)).find(|p| p.exists());
    if found.is_none() {
        eprintln!("skipped: no {path} in ../shared/corpus");
    }
    found
}
