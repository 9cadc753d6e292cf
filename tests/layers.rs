//! The rooms use each other only along the arrows of ARCHITECTURE.md, and within a room no two files
//! use each other.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Where rooms stand.
const TREES: [&str; 2] = ["crates/xiangqi/src", "src"];

/// The arrows that the map allows.
fn allowed() -> BTreeSet<(String, String)> {
    let map = fs::read_to_string(root().join("ARCHITECTURE.md")).expect("the map");
    let block = map.split("<!-- arrows -->").nth(1).expect("arrows").split("```").nth(1);
    let arrows = block.expect("a block").lines().filter_map(|line| line.split_once(" -> "));
    arrows.map(|(from, to)| (from.to_owned(), to.to_owned())).collect()
}

fn rust_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            rust_files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// Every file of a tree with its path inside it and its code up to its tests.
fn files(tree: &str) -> Vec<(PathBuf, String)> {
    let folder = root().join(tree);
    let mut paths = Vec::new();
    rust_files(&folder, &mut paths);
    paths.sort();
    let tests = |path: &Path| path.to_string_lossy().ends_with("_tests.rs");
    let code = |path: PathBuf| {
        let text = fs::read_to_string(&path).expect("a text");
        let code = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
        let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
        let code = lines.collect::<Vec<_>>().join("\n");
        (path.strip_prefix(&folder).expect("inside").to_owned(), code)
    };
    paths.into_iter().filter(|path| !tests(path)).map(code).collect()
}

/// The room of a file: its first folder, or its own name in the root of the tree.
fn room(path: &Path) -> String {
    let first = path.iter().next().expect("a name").to_string_lossy();
    first.trim_end_matches(".rs").to_owned()
}

/// The names that follow `prefix` in the code: `{a::B, c}` names a and c.
fn named_after(code: &str, prefix: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for (at, _) in code.match_indices(prefix) {
        if code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':') {
            continue;
        }
        let after = &code[at + prefix.len()..];
        let word = |text: &str| {
            text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>()
        };
        let Some(group) = after.strip_prefix('{') else {
            names.insert(word(after));
            continue;
        };
        let (mut depth, mut begins) = (0, true);
        for (at, c) in group.char_indices() {
            match c {
                '{' => depth += 1,
                '}' if depth == 0 => break,
                '}' => depth -= 1,
                ',' if depth == 0 => begins = true,
                c if begins && (c.is_alphanumeric() || c == '_') => {
                    names.insert(word(&group[at..]));
                    begins = false;
                }
                _ => {}
            }
        }
    }
    names
}

#[test]
fn rooms_use_each_other_along_the_arrows() {
    let allowed = allowed();
    assert!(allowed.len() > 20, "only {} arrows", allowed.len());
    let mut wrong = Vec::new();
    let mut used = BTreeSet::new();
    for tree in TREES {
        let files = files(tree);
        let rooms: BTreeSet<String> = files.iter().map(|(path, _)| room(path)).collect();
        for (path, code) in &files {
            let from = room(path);
            if ["lib", "main"].contains(&from.as_str()) {
                continue;
            }
            let mut targets = named_after(code, "crate::");
            targets.retain(|target| rooms.contains(target) && *target != from);
            if tree == "src" && !named_after(code, "xiangqi::").is_empty() {
                targets.insert("xiangqi".into());
            }
            for to in targets {
                let arrow = (from.clone(), to);
                if !allowed.contains(&arrow) {
                    wrong.push(format!("{tree}/{}: {} -> {}", path.display(), arrow.0, arrow.1));
                }
                used.insert(arrow);
            }
        }
    }
    assert!(wrong.is_empty(), "not in ARCHITECTURE.md:\n{}", wrong.join("\n"));
    let stale: Vec<_> = allowed.difference(&used).collect();
    assert!(stale.is_empty(), "in ARCHITECTURE.md, but nobody uses them: {stale:?}");
}

#[test]
fn no_two_files_of_a_room_use_each_other() {
    let mut circles = Vec::new();
    for tree in TREES {
        let mut uses: BTreeMap<(PathBuf, String), BTreeSet<String>> = BTreeMap::new();
        for (path, code) in files(tree) {
            let folder = path.parent().expect("a folder").to_owned();
            let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
            if folder.as_os_str().is_empty() || name == "mod" {
                continue;
            }
            uses.insert((folder, name), named_after(&code, "super::"));
        }
        for ((folder, one), targets) in &uses {
            for other in targets.iter().filter(|other| *other > one) {
                let back = uses.get(&(folder.clone(), other.clone()));
                if back.is_some_and(|targets| targets.contains(one)) {
                    circles.push(format!("{tree}/{}: {one} and {other}", folder.display()));
                }
            }
        }
    }
    assert!(circles.is_empty(), "{}", circles.join("\n"));
}

#[test]
fn names_are_found_in_use_lines() {
    let code = "use crate::{\n  a::{B, c::D},\n  e,\n};\nuse crate::f::G; let x = crate::h::i();";
    assert_eq!(named_after(code, "crate::"), ["a", "e", "f", "h"].map(String::from).into());
}
