//! `chuhe convert` as a process: files of all formats, folders, filters, what is wrong.
#![cfg(feature = "arbiter")]

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

fn convert(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_chuhe"))
        .arg("convert")
        .args(arguments)
        .output()
        .expect("the program runs")
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

const GAMES: &str = "[Red \"甲\"]\n[Black \"乙\"]\n[Result \"1-0\"]\n\n1. 炮二平五 {好} 马８进７ (1... h7e7) 1-0\n\n\
                     [Red \"丙\"]\n[Black \"丁\"]\n\n1. c3c4 *\n";

#[test]
fn there_and_back_through_every_format() {
    let folder = folder("convert");
    let path = |name: &str| folder.join(name).to_string_lossy().into_owned();
    fs::write(path("games.pgn"), GAMES).expect("a file");
    for format in ["xqf", "dhtmlxq", "cbr", "cbl", "cbf", "lines"] {
        let out = path(&format!("{format}/"));
        let there = convert(&[&path("games.pgn"), "--to", format, "--out", &out]);
        assert!(there.status.success(), "{format}: {}", text(&there.stderr));
        // A folder stands for the records in it.
        let back = convert(&[&out, "--to", "lines"]);
        assert!(back.status.success(), "{format}: {}", text(&back.stderr));
        let lines: Vec<String> = text(&back.stdout)
            .lines()
            .map(|line| line.split("moves ").nth(1).unwrap().into())
            .collect();
        assert_eq!(lines, ["h2e2 h9g7", "c3c4"], "{format}");
    }
    // A library is one file; another one holds one game.
    let library = convert(&[&path("games.pgn"), "--to", "cbl", "--out", &path("all.cbl")]);
    assert!(library.status.success());
    let one = convert(&[&path("games.pgn"), "--to", "xqf"]);
    assert_eq!((one.status.code(), text(&one.stdout)), (Some(2), String::new()));
    let pgn = convert(&[&path("all.cbl"), "--to", "pgn", "--moves", "wxf"]);
    assert!(
        text(&pgn.stdout).contains("1. C2.5 {好} 1... h8+7 (1... c8.5) 1-0"),
        "{}",
        text(&pgn.stdout)
    );
    let gbk = convert(&[
        &path("all.cbl"),
        "--to",
        "pgn",
        "--script",
        "traditional",
        "--encoding",
        "gb18030",
    ]);
    // 馬 is F1 52 in GBK.
    assert!(gbk.stdout.windows(2).any(|pair| pair == b"\xf1\x52"));
}

#[test]
fn games_are_chosen() {
    let folder = folder("convert-filter");
    let file = folder.join("games.pgn").to_string_lossy().into_owned();
    fs::write(&file, GAMES).expect("a file");
    let chosen = |filter: &str| {
        let output = convert(&[&file, "--to", "lines", "--filter", filter]);
        assert!(output.status.success(), "{filter}: {}", text(&output.stderr));
        text(&output.stdout)
            .lines()
            .filter_map(|line| Some(line.split("moves ").nth(1)?.to_owned()))
            .collect::<Vec<_>>()
    };
    assert_eq!(chosen("player=丁"), ["c3c4"]);
    assert_eq!(chosen("red=丁"), [""; 0]);
    assert_eq!(chosen("result=1-0"), ["h2e2 h9g7"]);
    assert_eq!(chosen("opening=炮二平五"), ["h2e2 h9g7"]);
    let after = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/2P6/P3P1P1P/1C5C1/9/RNBAKABNR b";
    assert_eq!(chosen(&format!("position={after}")), ["c3c4"]);
    assert_eq!(convert(&[&file, "--to", "lines", "--filter", "colour=red"]).status.code(), Some(2));
}

#[test]
fn one_bad_game_stops_no_other() {
    let folder = folder("convert-bad");
    let path = |name: &str| folder.join(name).to_string_lossy().into_owned();
    fs::write(path("a.pgn"), "1. 炮二平五 车5进1 *\n\n[Event \"B\"]\n\n1. c3c4 *\n")
        .expect("a file");
    let output = convert(&[&path("a.pgn"), &path("missing.pgn"), "--to", "lines"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(text(&output.stdout).lines().count(), 2);
    let errors = text(&output.stderr);
    assert!(
        errors.contains("a.pgn: game 1, line 1, ply 2: '车5进1' is not legal here"),
        "{errors}"
    );
    assert!(errors.contains("missing.pgn"), "{errors}");
    let same = convert(&[&path("a.pgn"), "--to", "pgn", "--out", &path("a.pgn")]);
    assert_eq!(same.status.code(), Some(2));
    assert_eq!(convert(&[&path("a.pgn"), "--to", "doc"]).status.code(), Some(2));
    assert_eq!(convert(&[&path("*.xyz"), "--to", "pgn"]).status.code(), Some(2));
    assert!(convert(&[&path("*.pgn"), "--to", "dhtmlxq"]).status.code() == Some(1));
}
