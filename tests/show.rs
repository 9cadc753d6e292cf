//! `chuhe show` as a process: boards as text and as pictures.
#![cfg(feature = "arbiter")]

use std::{
    fs,
    path::Path,
    process::{Command, Output},
};

fn show(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_chuhe"))
        .arg("show")
        .args(arguments)
        .output()
        .expect("the program runs")
}

fn shown(arguments: &[&str]) -> String {
    let output = show(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    assert!(output.stderr.is_empty(), "{arguments:?}");
    String::from_utf8(output.stdout).expect("a text")
}

fn file(name: &str, text: &str) -> String {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("show");
    fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join(name);
    fs::write(&path, text).expect("a file");
    path.to_string_lossy().into_owned()
}

const GAMES: &str = "[Red \"甲\"]\n[Black \"乙\"]\n[Result \"1-0\"]\n\n1. 炮二平五 马８进７ 2. 马二进三 1-0\n\n\
                     [Red \"丙\"]\n[Black \"丁\"]\n\n1. c3c4 *\n";

#[test]
fn the_board_after_moves_in_any_notation() {
    let text = shown(&["--fen", "startpos", "--moves", "炮二平五 h9g7"]);
    let lines: Vec<&str> = text.lines().collect();
    // Black's horse stands on g7 and left h9, which is marked.
    assert_eq!(lines[1], "9 (車)(馬)(象)(士)(將)(士)(象) 〇 (車)");
    assert_eq!(lines[3], "7  ・ (砲) ・  ・  ・  ・ (馬)(砲) ・");
    assert_eq!(lines[9], "2  ・  炮  ・  ・  炮  ・  ・  ・  ・");
    assert_eq!(lines[15], "第2着 黑方 马８进７ | ply 2 Black h9g7");
    assert_eq!(lines[16], "轮到红方 Red to move");
    assert!(lines[17].starts_with("rnbakab1r/9/1c4nc1/"), "{}", lines[17]);
    let text = shown(&["--letters", "--flip"]);
    assert!(text.starts_with("   1  2  3"), "{text}");
    assert!(text.contains("\n0  R  N  B  A  K  A  B  N  R\n"), "{text}");
}

#[test]
fn a_game_of_a_record() {
    let games = file("games.pgn", GAMES);
    let text = shown(&[&games]);
    assert!(text.starts_with("红方 Red: 甲   黑方 Black: 乙   赛果 Result: 1-0\n"), "{text}");
    assert!(
        text.contains("第3着 红方 马二进三 | ply 3 Red h0g2\n轮到黑方 Black to move"),
        "{text}"
    );
    assert!(shown(&[&games, "--ply", "1"]).contains("第1着 红方 炮二平五"));
    let start = shown(&[&games, "--ply", "0"]);
    assert!(!start.contains('第') && start.contains("轮到红方"), "{start}");
    assert!(shown(&[&games, "--game", "2"]).contains("第1着 红方 兵七进一"));
}

#[test]
fn the_end_of_a_game_is_said() {
    // One rook checks along the last rank, the other holds the one before it.
    let mate = shown(&["--fen", "3k5/R8/9/9/9/9/9/9/9/1R2K4 w - - 0 1", "--moves", "b0b9"]);
    assert!(mate.contains("黑方被将死 Black is checkmated"), "{mate}");
    let check = shown(&["--fen", "3k5/9/9/9/9/9/9/9/9/R3K4 w - - 0 1", "--moves", "a0a9"]);
    assert!(check.contains("轮到黑方，被将军 Black to move, in check"), "{check}");
}

#[test]
fn a_picture() {
    let path = file("board.svg", "");
    assert_eq!(shown(&["--moves", "h2e2", "--svg", &path]), "");
    let picture = fs::read_to_string(&path).expect("a picture");
    assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>\n"), "{picture}");
    assert!(picture.contains("<style>") && picture.contains("第1着 红方 炮二平五"));
    assert_eq!(picture.matches("<circle class=\"xq-disc").count(), 32);
    assert_eq!(picture.matches("xq-arrow xq-move").count(), 1);
    assert_eq!(shown(&["--moves", "h2e2", "--svg", "-"]), picture);
}

#[test]
fn what_is_wrong_is_said_in_one_line() {
    let games = file("wrong.pgn", GAMES);
    for (arguments, status) in [
        (&["--ply", "1"][..], 2),
        (&[&games, "--game", "3"], 2),
        (&[&games, "--game", "0"], 2),
        (&[&games, "--ply", "4"], 2),
        (&["--fen", "nonsense"], 2),
        (&["--moves", "h2e2 h2e2"], 2),
        (&["no such file"], 1),
        (&["--svg", "no such folder/board.svg"], 1),
    ] {
        let output = show(arguments);
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(status), "{arguments:?}: {error}");
        assert_eq!(error.lines().count(), 1, "{arguments:?}: {error}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
    }
    // What could be read of a damaged record is shown, and that it is not all.
    let damaged = file("damaged.pgn", "1. 炮二平五 马８进７ 2. 炮五进九 *\n");
    let output = show(&[&damaged]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stdout).contains("第2着 黑方 马８进７"));
    assert!(show(&[&damaged, "--ply", "2"]).status.success());
}
