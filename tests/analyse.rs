//! `chuhe analyse` as a process: boards, lines in two notations, JSON.
#![cfg(feature = "arbiter")]

use serde_json::Value;
use std::{
    collections::BTreeSet,
    fs,
    path::Path,
    process::{Command, Output},
};
use xiangqi::{board::Position, notation::parse_move, types::Move};

fn analyse(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_chuhe"))
        .arg("analyse")
        .args(arguments)
        .output()
        .expect("the program runs")
}

/// What stands on standard output where all goes well and nothing is complained of.
fn printed(arguments: &[&str]) -> String {
    let output = analyse(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    assert!(output.stderr.is_empty(), "{arguments:?}");
    String::from_utf8(output.stdout).expect("a text")
}

fn objects(arguments: &[&str]) -> Vec<Value> {
    let text = printed(&[arguments, &["--json"]].concat());
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

fn file(name: &str, text: &str) -> String {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("analyse");
    fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join(name);
    fs::write(&path, text).expect("a file");
    path.to_string_lossy().into_owned()
}

/// The rook on a8 holds the rank before the last one; b0b9 and others mate.
const MATE: &str = "3k5/R8/9/9/9/9/9/9/9/1R2K4 w - - 0 1";

#[test]
fn a_mate_on_the_move() {
    let text = printed(&["--fen", MATE, "--depth", "3"]);
    assert!(text.contains("轮到红方 Red to move") && text.contains("(將)"), "{text}");
    assert!(text.contains("1. #1   胜率 win chances 100%\n"), "{text}");
    let [object] = &objects(&["--fen", MATE, "--depth", "3"])[..] else { panic!("one object") };
    assert_eq!(object["fen"], MATE);
    assert_eq!((&object["side"], &object["ply"]), (&"red".into(), &0.into()));
    let line = &object["lines"][0];
    assert_eq!(line["score"], serde_json::json!({"mate": 1}));
    assert_eq!(line["wdl"], serde_json::json!([1000, 0, 0]));
    assert_eq!(line["win_chances"], 1.0);
    assert_eq!(object["best"], line["moves"][0]);
    // A game that is over has no lines.
    let [over] = &objects(&["--fen", MATE, "--moves", "b0b9", "--depth", "3"])[..] else {
        panic!()
    };
    assert_eq!((&over["over"], &over["best"]), (&"mate".into(), &Value::Null));
    assert_eq!(over["lines"], serde_json::json!([]));
}

#[test]
fn several_lines_in_both_notations() {
    let arguments = ["--moves", "炮二平五 h9g7", "--multipv", "3", "--nodes", "5000"];
    let [object] = &objects(&arguments)[..] else { panic!("one object") };
    let lines = object["lines"].as_array().expect("lines");
    assert_eq!((lines.len(), &object["over"]), (3, &Value::Null));
    let mut firsts = BTreeSet::new();
    for (number, line) in lines.iter().enumerate() {
        assert_eq!(line["multipv"], number + 1);
        let text = |name: &str| line[name].as_array().expect("moves").clone();
        let (moves, chinese) = (text("moves"), text("chinese"));
        assert!(!moves.is_empty() && moves.len() == chinese.len());
        // Both notations name the same legal moves.
        let mut position: Position = object["fen"].as_str().expect("a FEN").parse().expect("one");
        for (m, chinese) in moves.iter().zip(&chinese) {
            let m: Move = m.as_str().expect("a move").parse().expect("one");
            assert_eq!(parse_move(&position, chinese.as_str().expect("a move")), Ok(m));
            position.make(m);
        }
        let wdl: u64 =
            line["wdl"].as_array().expect("three").iter().filter_map(Value::as_u64).sum();
        assert_eq!(wdl, 1000);
        firsts.insert(moves[0].to_string());
    }
    assert_eq!(firsts.len(), 3);
    let same = |mut object: Value| {
        object["time_ms"] = 0.into();
        object
    };
    // One thread and a limit of nodes: the same every time.
    assert_eq!(same(objects(&arguments).remove(0)), same(object.clone()));
}

#[test]
fn games_of_records() {
    let games = file("games.pgn", "1. h2e2 h9g7 *\n\n[Event \"two\"]\n\n1. c3c4 *\n");
    let plies = |arguments: &[&str]| -> Vec<u64> {
        let all = objects(&[&[&*games, "--depth", "1"], arguments].concat());
        all.iter().map(|object| object["ply"].as_u64().expect("a number")).collect()
    };
    assert_eq!(plies(&[]), [2, 1]);
    assert_eq!(plies(&["--game", "2"]), [1]);
    assert_eq!(plies(&["--game", "1", "--ply", "0"]), [0]);
    let text = printed(&[&games, "--depth", "1"]);
    assert_eq!(text.matches("=== ").count(), 2);
    assert!(text.contains("games.pgn, game 2\n"), "{text}");
}

#[test]
fn what_is_wrong_is_said() {
    let games = file("few.pgn", "1. h2e2 h9g7 *\n");
    let damaged = file("damaged.pgn", "1. h2e2 h2e2 *\n");
    for (arguments, status) in [
        (&["--depth", "0"][..], 2),
        (&["--multipv", "0"], 2),
        (&["--threads", "0"], 2),
        (&["--fen", "nonsense", "--depth", "1"], 2),
        (&["--moves", "h2e2 h2e2", "--depth", "1"], 2),
        (&["--depth", "1", "--ply", "1"], 2),
        (&[&games, "--game", "2", "--depth", "1"], 2),
        (&["no such file", "--depth", "1"], 1),
        (&["--net", "no such file", "--depth", "1"], 1),
    ] {
        let output = analyse(arguments);
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(status), "{arguments:?}: {error}");
        assert_eq!(error.lines().count(), 1, "{arguments:?}: {error}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
    }
    // What is damaged stops nothing else.
    let output = analyse(&[&damaged, &games, "--depth", "1", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(String::from_utf8_lossy(&output.stdout).lines().count(), 1);
}
