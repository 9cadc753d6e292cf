//! Real games replayed: every move of every game must be legal.

mod common;

use std::{
    fs,
    path::{Path, PathBuf},
};
use xiangqi::{
    board::Position,
    game::Game,
    notation::{GameTree, Script, Style},
    records::{self, Format, ReadGame, ReadOptions, WriteOptions},
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

fn files_in(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files_in(&path, found);
        } else if path.extension().is_some_and(|extension| extension != "log" && extension != "LOG")
        {
            found.push(path);
        }
    }
    found.sort();
}

fn corpus_files() -> Option<Vec<PathBuf>> {
    let mut files = Vec::new();
    for folder in ["games", "xqf", "ucci_logs"] {
        files_in(&common::corpus(folder)?, &mut files);
    }
    Some(files)
}

fn read_file(path: &Path) -> Vec<ReadGame> {
    let bytes = fs::read(path).expect("a readable file");
    records::read(&bytes, &ReadOptions::default())
        .unwrap_or_else(|why| panic!("{}: {why}", path.display()))
}

/// PGN in every notation and encoding, XQF 10 to 18, CBR, CBL, CBF, DhtmlXQ: everything is read, and
/// only the files made to hold bad moves lose any.
#[test]
fn every_record_of_the_corpus_is_read() {
    let Some(files) = corpus_files() else { return };
    let (mut games, mut pgn_games) = (0, 0);
    for path in &files {
        let read = read_file(path);
        games += read.len();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        if name.ends_with(".pgn") {
            pgn_games += read.len();
        }
        for game in &read {
            if let Some(loss) = game.failure() {
                eprintln!("{name}: {loss}");
                // One of the 1,446 variations has a move that is none; in one of WildHouse's a king
                // steps into check.
                let is_known = name.starts_with("BadMove")
                    || ["variations.txt", "WildHouse.xqf"].contains(&name.as_str());
                assert!(is_known && game.losses.len() == 1, "{name}: {:?}", game.losses);
            }
        }
    }
    assert!(pgn_games >= 1463, "only {pgn_games} games in PGN");
    assert!(games >= 1463 + 24 + 37 + 4 + 9, "only {games} games in {} files", files.len());
}

/// 38 records, one of them deleted, two of them headings without moves.
#[test]
fn the_library_of_the_corpus() {
    let Some(path) = common::corpus("games/cbl_1989_longhua_35games.CBL") else { return };
    let games = read_file(&path);
    assert_eq!(games.len(), 37);
    assert_eq!(games.iter().filter(|game| game.tree.move_count() > 0).count(), 35);
}

/// As many nodes as were counted by another reader: 32,124 moves in the largest sample.
#[test]
fn trees_of_the_corpus() {
    let count = |name: &str| {
        let path = common::corpus(name)?;
        Some(read_file(&path)[0].tree.move_count())
    };
    let Some(largest) = count("xqf/FiveGoatsTest.xqf") else { return };
    assert_eq!(largest, 32_124);
    let path = common::corpus("games/dhtmlxq/variations.txt").expect("a file beside the other");
    let game = read_file(&path).remove(0);
    let branches = game.tree.depth_first().filter(|&node| game.tree.next_sibling(node).is_some());
    assert_eq!(branches.count(), 1446, "a variation for each branch");
    let comments = game.tree.depth_first().filter(|&node| !game.tree.comment(node).is_empty());
    assert_eq!(comments.count(), 314);
}

/// The eight games stored as web pages stand in a PGN file in WXF notation, too.
#[test]
fn what_is_stored_twice_is_equal() {
    let Some(pgn) = common::corpus("games/xqdb_international_sample.pgn") else { return };
    let mut pages = Vec::new();
    files_in(&common::corpus("games/dhtmlxq").expect("a folder beside the file"), &mut pages);
    let moves = |game: &ReadGame| game.tree.main_moves().collect::<Vec<_>>();
    let games = read_file(&pgn);
    let known: Vec<_> = games.iter().map(moves).collect();
    let pages: Vec<_> =
        pages.iter().filter(|path| path.extension().is_some_and(|e| e == "html")).collect();
    assert_eq!(pages.len(), 8);
    for page in pages {
        let played = moves(&read_file(page)[0]);
        assert!(known.contains(&played), "{}: {played:?}", page.display());
    }
}

/// What was read is written in each format and read again: the same moves, and in the formats that
/// hold trees the same variations and comments.
#[test]
fn what_is_written_reads_back_equal() {
    let Some(files) = corpus_files() else { return };
    let formats = [
        Format::Pgn,
        Format::Xqf,
        Format::DhtmlXq,
        Format::Cbr,
        Format::Cbl,
        Format::Cbf,
        Format::Lines,
    ];
    for path in &files {
        // A few of each file are enough, and the largest tree once.
        for game in read_file(path).into_iter().take(5) {
            for format in formats {
                let tree = &game.tree;
                let style = Style::Chinese(Script::Simplified);
                let options = WriteOptions { style, ..WriteOptions::default() };
                let bytes = records::write(std::slice::from_ref(tree), format, &options)
                    .expect("a format that is written");
                let again = records::read(&bytes, &ReadOptions::default())
                    .unwrap_or_else(|why| panic!("{} as {format}: {why}", path.display()));
                assert_eq!(again.len(), 1, "{} as {format}", path.display());
                let again = &again[0];
                assert_eq!(again.losses, [], "{} as {format}", path.display());
                let has_tree = !matches!(format, Format::Cbf | Format::Lines);
                compare(tree, &again.tree, has_tree, &format!("{} as {format}", path.display()));
            }
        }
    }
}

fn compare(one: &GameTree, other: &GameTree, whole: bool, name: &str) {
    assert_eq!(one.start().fen_board(), other.start().fen_board(), "{name}");
    let moves = |tree: &GameTree| tree.main_moves().collect::<Vec<_>>();
    assert!(moves(one) == moves(other), "{name}");
    if !whole {
        return;
    }
    let nodes = |tree: &GameTree| {
        let node = |node| (tree.depth(node), tree.played(node), words(tree.comment(node)));
        tree.depth_first().map(node).collect::<Vec<_>>()
    };
    let (one, other) = (nodes(one), nodes(other));
    assert_eq!(one.len(), other.len(), "{name}");
    let differs = one.iter().zip(&other).position(|(one, other)| one != other);
    assert_eq!(differs.map(|at| (&one[at], &other[at])), None, "{name}");
}

/// A comment without what formats cannot keep: the kind of blanks, and the closing brace of PGN.
fn words(comment: &str) -> String {
    comment.replace(['｝', '}'], "").replace("［", "[").split_whitespace().collect()
}
