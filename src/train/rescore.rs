//! New scores for old games: the moves and results stay, the scores come from today's engine.

use super::{
    datagen::search,
    format::{GameRecord, ScoredMove},
    parallel::try_in_order,
};
use crate::{
    eval::Backend,
    game::Game,
    search::{HashError, Searcher},
};
use std::ops::ControlFlow;

/// Memory of each worker's hash table.
const HASH_MEBIBYTES: usize = 4;

/// Searches every position of the games again, with this many nodes (soft) and this evaluation.
/// The games come to `on_game` in the order given; it may end the work.
///
/// # Errors
/// If a hash table cannot be allocated.
pub fn rescore(
    games: impl Iterator<Item = GameRecord> + Send,
    soft_nodes: u64,
    backend: &Backend,
    workers: usize,
    on_game: impl FnMut(GameRecord) -> ControlFlow<()>,
) -> Result<(), HashError> {
    try_in_order(
        games,
        workers,
        || {
            let mut searcher = Searcher::new(HASH_MEBIBYTES)?;
            searcher.set_backend(backend.clone());
            Ok(searcher)
        },
        |searcher, game| rescored(&game, searcher, soft_nodes),
        on_game,
    )
}

fn rescored(record: &GameRecord, searcher: &mut Searcher, soft_nodes: u64) -> GameRecord {
    searcher.clear();
    let mut game = Game::new(record.start.clone());
    let score = |ply: &ScoredMove| {
        let score = search(searcher, &game, soft_nodes).score.0 as i16;
        game.play_legal(ply.played);
        ScoredMove { score, ..*ply }
    };
    let moves = record.moves.iter().map(score).collect();
    GameRecord { moves, ..record.clone() }
}
