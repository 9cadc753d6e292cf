//! Real games replayed: every move of every game must be legal.

mod common;

use xiangqi::{board::Position, game::Game, types::Move};

/// The moves of each game of a coordinate PGN, numbers and tags left out.
fn games(text: &str) -> Vec<Vec<Move>> {
    let mut games: Vec<Vec<Move>> = Vec::new();
    for line in text.lines().map(str::trim) {
        if line.starts_with("[Event ") {
            games.push(Vec::new());
        } else if !line.starts_with('[')
            && let Some(game) = games.last_mut()
        {
            game.extend(line.split_whitespace().filter_map(|word| word.parse::<Move>().ok()));
        }
    }
    games
}

#[test]
fn hu_ronghua_1391_games_are_legal() {
    let Some(path) = common::corpus("games/Hu_Ronghua_1391_UCI_games.pgn") else { return };
    let text = std::fs::read_to_string(path).expect("the record is readable");
    let games = games(&text);
    assert_eq!(games.len(), 1391);
    let mut plies = 0;
    for (number, moves) in games.into_iter().enumerate() {
        plies += moves.len();
        let replayed = Game::with_moves(Position::start(), moves);
        assert!(replayed.is_ok(), "game {}: {:?}", number + 1, replayed.err());
    }
    assert!(plies > 1391 * 20, "only {plies} plies were read");
}
