//! `chuhe judge --html`: one file that needs nothing else, well formed, and that a browser shows.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// Writes the page of the official example, three times round.
fn page() -> (PathBuf, String) {
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
    let (_, text) = page();
    for outside in ["src=", "href=", "url(", "@import", "<script", "<link", "<img"] {
        assert!(!text.contains(outside), "{outside}");
    }
    // The one address is the name of the SVG language.
    assert_eq!(text.matches("http").count(), text.matches("http://www.w3.org/2000/svg").count());
    assert!(text.contains("prefers-color-scheme:dark") && text.contains("@media print"));
}

#[test]
fn it_says_everything() {
    let (_, text) = page();
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
    let (_, text) = page();
    let body = text.strip_prefix("<!DOCTYPE html>\n").unwrap();
    let mut open: Vec<&str> = Vec::new();
    for (i, piece) in body.split('<').enumerate() {
        let Some((tag, words)) = piece.split_once('>') else {
            assert!(i == 0 && piece.trim().is_empty(), "no tag: {piece}");
            continue;
        };
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "closes the wrong element");
        } else if !tag.ends_with('/') {
            open.push(tag.split_whitespace().next().unwrap());
        }
        assert!(open.last() == Some(&"style") || !words.contains('>'), "bare >: {words}");
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
        for entity in words.split('&').skip(1) {
            let name = entity.split(';').next().unwrap();
            assert!(["amp", "lt", "gt", "quot", "#39"].contains(&name), "{entity}");
        }
    }
    assert!(open.is_empty(), "left open: {open:?}");
}

#[test]
fn a_browser_shows_it() {
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let Some(browser) =
        names.into_iter().find(|name| Command::new(name).arg("--version").output().is_ok())
    else {
        eprintln!("skipped: no headless browser here");
        return;
    };
    let (file, _) = page();
    let picture = file.with_extension("png");
    let output = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--window-size=1100,2400"])
        .arg(format!("--screenshot={}", picture.display()))
        .arg(format!("file://{}", fs::canonicalize(&file).unwrap().display()))
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    // Boards in many colours: an empty page of this size is a few kilobytes.
    let bytes = fs::read(&picture).expect("a screenshot");
    assert!(bytes.starts_with(b"\x89PNG") && bytes.len() > 60_000, "{} bytes", bytes.len());
}
