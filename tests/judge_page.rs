//! `chuhe judge --html`: one file that needs nothing else, well formed, and that a browser shows.

mod page;

use page::{assert_a_browser_shows, assert_needs_nothing_else, assert_well_formed};
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// Writes the page of the official example, three times round.
fn ruling() -> (PathBuf, String) {
    let fen = "1r2kab1r/2c1a4/n1c1b1n2/4p2N1/p1p6/1C4P2/P1P1P4/2N1B3C/4A4/1RBAK2R1 w - - 0 1";
    let moves = ["h6i4 i9h9 i4h6 h9i9"; 2].join(" ");
    let name = format!("ruling-{:?}.html", std::thread::current().id());
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name.replace(['(', ')'], ""));
    let status = Command::new(env!("CARGO_BIN_EXE_chuhe"))
        .args(["judge", "--fen", fen, "--moves", &moves, "--html"])
        .arg(&file)
        .status()
        .unwrap();
    assert!(status.success());
    let text = fs::read_to_string(&file).unwrap();
    (file, text)
}

#[test]
fn it_needs_nothing_else() {
    let (_, text) = ruling();
    assert_needs_nothing_else(&text);
    assert!(!text.contains("<script"));
}

#[test]
fn it_says_everything() {
    let (_, text) = ruling();
    assert_eq!(text.matches("<svg ").count(), 5, "the start and four moves");
    for part in [
        "裁决：红方须变着（第26.4、24.3条）",
        "Ruling: Red must change (articles 26.4, 24.3)",
        "一方为禁止着法，另一方为允许着法，犯禁方必须立即变着",
        "吃黑车(h9)之法：马二进三，将５平４，车二进九。",
        "xq-arrow xq-attack",
        "xq-arrow xq-line",
    ] {
        assert!(text.contains(part), "{part}");
    }
}

#[test]
fn it_is_well_formed() {
    assert_well_formed(&ruling().1);
}

#[test]
fn a_browser_shows_it() {
    assert_a_browser_shows(&ruling().0);
}
