//! What holds of every page that the program writes: one file, well formed, that a browser shows.

use std::{fs, path::Path, process::Command};

/// Nothing is loaded from elsewhere, and light, dark and print have their looks.
pub fn assert_needs_nothing_else(text: &str) {
    for outside in ["src=", "href=", "url(", "@import", "<link", "<img"] {
        assert!(!text.contains(outside), "{outside}");
    }
    // The one address is the name of the SVG language.
    assert_eq!(text.matches("http").count(), text.matches("http://www.w3.org/2000/svg").count());
    assert!(text.contains("prefers-color-scheme:dark") && text.contains("@media print"));
}

/// Every element is closed, every attribute and entity too.
pub fn assert_well_formed(text: &str) {
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

/// A headless browser makes a picture of the page that is not empty. Says aloud where there is none.
pub fn assert_a_browser_shows(file: &Path) {
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let Some(browser) =
        names.into_iter().find(|name| Command::new(name).arg("--version").output().is_ok())
    else {
        eprintln!("skipped: no headless browser here");
        return;
    };
    let picture = file.with_extension("png");
    let output = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--window-size=1100,2400"])
        .arg(format!("--screenshot={}", picture.display()))
        .arg(format!("file://{}", fs::canonicalize(file).unwrap().display()))
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    // Boards in many colours: an empty page of this size is a few kilobytes.
    let bytes = fs::read(&picture).expect("a screenshot");
    assert!(bytes.starts_with(b"\x89PNG") && bytes.len() > 60_000, "{} bytes", bytes.len());
}
