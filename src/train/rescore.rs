//! New scores for old games: the moves and results stay, the scores come from today's engine.

use super::{
    datagen::search,
    format::{FormatError, GameReader, GameRecord, ScoredMove},
    parallel::{WorkError, try_in_order},
};
use crate::{
    eval::Backend,
    search::{HashError, Searcher},
};
use std::{ops::ControlFlow, path::Path};
use xiangqi::{game::Game, rules::RuleSet};

/// Memory of each worker's hash table.
const HASH_MEBIBYTES: usize = 4;

/// Searches every position of the games again, with this many nodes (soft), this evaluation and
/// these rules. The games come to `on_game` in the order given; it may end the work.
///
/// # Errors
/// If a hash table cannot be allocated or no thread be started.
pub fn rescore(
    games: impl Iterator<Item = GameRecord> + Send,
    soft_nodes: u64,
    backend: &Backend,
    rules: RuleSet,
    workers: usize,
    on_game: impl FnMut(GameRecord) -> ControlFlow<()>,
) -> Result<(), WorkError<HashError>> {
    try_in_order(
        games,
        workers,
        || {
            let mut searcher = Searcher::new(HASH_MEBIBYTES)?;
            searcher.set_backend(backend.clone());
            searcher.set_rules(rules);
            Ok(searcher)
        },
        |searcher, game| rescored(&game, searcher, soft_nodes),
        on_game,
    )
}

/// A number for the settings that a header does not hold by itself: the rules, and those with which
/// the games were played.
pub const fn settings_hash(played_with: u16, rules: RuleSet) -> u16 {
    // Rule sets are numbered from 1: 0 means unknown.
    let hash = played_with.rotate_left(3) ^ (rules as u16 + 1);
    if hash == 0 { u16::MAX } else { hash }
}

/// Skips the games of `reader` that the file `output` holds already.
///
/// # Errors
/// If the file cannot be read, or its games are others.
pub fn skip_done(reader: &mut GameReader, output: &Path) -> Result<(), FormatError> {
    let mut done = GameReader::open(output)?;
    while let Some(game) = done.next() {
        if reader.next().is_none_or(|old| old.moves_hash() != game.moves_hash()) {
            return Err(FormatError::OtherGames {
                path: output.to_owned(),
                source: reader.path().to_owned(),
                game: done.games(),
            });
        }
    }
    Ok(())
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
