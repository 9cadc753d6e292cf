//! Real games replayed: every move of every game must be legal.

mod common;

use std::{
    fs,
    path::{Path, PathBuf},
};
use xiangqi::{
    board::Position,
    game::Game,
    notation::{decode, parse_pgn},
    types::Move,
};

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
    let text = fs::read_to_string(path).expect("the record is readable");
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

fn pgn_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            pgn_files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "pgn") {
            found.push(path);
        }
    }
}

/// Chinese, WXF, ICCS, coordinates and the algebra of chess programs; GBK and UTF-8; signed and
/// underlined: all of them are read, with legal moves.
#[test]
fn every_pgn_file_of_the_corpus_is_read() {
    let mut files = Vec::new();
    for folder in ["games", "ucci_logs"] {
        let Some(path) = common::corpus(folder) else { return };
        pgn_files(&path, &mut files);
    }
    assert!(files.len() >= 31, "only {} files", files.len());
    let mut games = 0;
    for path in files {
        let text = fs::read(&path).expect("a readable file");
        match parse_pgn(&decode(&text)) {
            Ok(read) => games += read.len(),
            Err(error) => panic!("{}: {error}", path.display()),
        }
    }
    assert!(games >= 1463, "only {games} games");
}
