//! The documents say what is true: every command of a `console` block is run, and what it prints is
//! compared with what the document shows; every make target that a document names exists.
//!
//! In a `console` block a line that begins with `$ ` is a command and the lines below it are its
//! output. A line of `...` stands for any lines, `...` within a line for any text. A command without
//! output lines only has to succeed. `UPDATE_DOCS=1 cargo test --test docs` writes the output anew
//! where it differs; look at the difference before you commit it.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The documents that people read, in the order of their names.
fn documents() -> Vec<PathBuf> {
    let folders = ["", "docs", "crates/xiangqi"].map(|folder| root().join(folder));
    let files = folders.iter().flat_map(|folder| fs::read_dir(folder).expect("a folder"));
    let mut found: Vec<PathBuf> = files
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .collect();
    found.sort();
    found
}

/// One command of a `console` block, with the lines (from 0) at which its output stands.
struct Shown {
    command: String,
    first: usize,
    end: usize,
}

fn shown(lines: &[&str]) -> Vec<Shown> {
    let mut all: Vec<Shown> = Vec::new();
    let mut inside = false;
    for (number, line) in lines.iter().enumerate() {
        if line.starts_with("```") {
            inside = !inside && *line == "```console";
        } else if let Some(command) = line.strip_prefix("$ ").filter(|_| inside) {
            all.push(Shown { command: command.into(), first: number + 1, end: number + 1 });
        } else if inside && let Some(last) = all.last_mut() {
            last.end = number + 1;
        }
    }
    all
}

/// Words of a command line, with blanks kept inside double quotes.
fn words(command: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quoted = false;
    for c in command.chars() {
        match c {
            '"' => quoted = !quoted,
            ' ' if !quoted => words.push(String::new()),
            c => words.last_mut().expect("never empty").push(c),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Whether the text fits the pattern, in which `...` stands for any text.
fn fits(pattern: &str, text: &str) -> bool {
    let Some((before, after)) = pattern.split_once("...") else { return pattern == text };
    text.strip_prefix(before).is_some_and(|rest| {
        rest.char_indices().map(|(at, _)| at).chain([rest.len()]).any(|at| fits(after, &rest[at..]))
    })
}

/// Whether the output is what the lines show, in which a line of `...` stands for any lines.
fn fit(patterns: &[&str], output: &[&str]) -> bool {
    match patterns.split_first() {
        None => output.is_empty(),
        Some((&"...", rest)) => (0..=output.len()).any(|skip| fit(rest, &output[skip..])),
        Some((pattern, rest)) => output
            .split_first()
            .is_some_and(|(line, after)| fits(pattern, line) && fit(rest, after)),
    }
}

/// A folder of its own with the samples that the documents use, so that no command litters the tree.
fn workplace() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("docs");
    let samples = folder.join("examples");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&samples).expect("a folder");
    for entry in fs::read_dir(root().join("examples")).expect("examples") {
        let path = entry.expect("an entry").path();
        if path.is_file() {
            fs::copy(&path, samples.join(path.file_name().expect("a name"))).expect("a copy");
        }
    }
    folder
}

#[test]
fn every_command_prints_what_its_document_shows() {
    let folder = workplace();
    let update = std::env::var_os("UPDATE_DOCS").is_some();
    let (mut failures, mut commands) = (Vec::new(), 0);
    for path in documents() {
        let text = fs::read_to_string(&path).expect("a text");
        let lines: Vec<&str> = text.lines().collect();
        let mut changed: Vec<(Shown, String)> = Vec::new();
        for shown in shown(&lines) {
            commands += 1;
            let place = format!("{}:{}: {}", path.display(), shown.first, shown.command);
            let words = words(&shown.command);
            let Some(("chuhe", arguments)) = words.split_first().map(|(p, a)| (p.as_str(), a))
            else {
                failures.push(format!("{place}\n  console blocks hold commands of chuhe alone"));
                continue;
            };
            let run = Command::new(env!("CARGO_BIN_EXE_chuhe"))
                .args(arguments)
                .current_dir(&folder)
                .env("LC_ALL", "C.UTF-8")
                .stdin(std::process::Stdio::null())
                .output();
            let run = run.expect("the program starts");
            if !run.status.success() {
                let said = String::from_utf8_lossy(&run.stderr).into_owned();
                failures.push(format!("{place}\n  {}: {said}", run.status));
                continue;
            }
            let output = String::from_utf8(run.stdout).expect("UTF-8");
            let patterns = &lines[shown.first..shown.end];
            let printed: Vec<&str> = output.lines().map(str::trim_end).collect();
            if patterns.is_empty() || fit(patterns, &printed) {
                continue;
            }
            failures.push(format!("{place}\n  prints:\n{output}"));
            changed.push((shown, output));
        }
        if update && !changed.is_empty() {
            let mut lines: Vec<String> = lines.iter().map(|&line| line.to_owned()).collect();
            for (shown, output) in changed.into_iter().rev() {
                let new = output.lines().map(|line| line.trim_end().to_owned());
                lines.splice(shown.first..shown.end, new);
            }
            fs::write(&path, lines.join("\n") + "\n").expect("written");
        }
    }
    assert!(commands >= 5, "only {commands} commands were found");
    assert!(failures.is_empty(), "{} differ:\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn every_make_target_that_a_document_names_exists() {
    let makefile = fs::read_to_string(root().join("Makefile")).expect("a Makefile");
    let has = |target: &str| makefile.lines().any(|line| line.starts_with(&format!("{target}:")));
    let mut named = 0;
    for path in documents() {
        let text = fs::read_to_string(&path).expect("a text");
        for (at, word) in text.match_indices("make ") {
            let typed = text[..at].ends_with(['`', '\n']);
            let after = &text[at + word.len()..];
            let target: String =
                after.chars().take_while(|c| c.is_ascii_lowercase() || *c == '-').collect();
            if typed && !target.is_empty() {
                assert!(has(&target), "{}: make {target}", path.display());
                named += 1;
            }
        }
    }
    assert!(named > 10, "only {named} targets were found");
}

#[test]
fn patterns_fit_what_they_should() {
    assert!(fits("a ... c", "a b c") && fits("...", "") && fits("a...", "ab"));
    assert!(!fits("a ... c", "a b d") && !fits("a", "ab"));
    assert!(fit(&["a", "...", "d"], &["a", "b", "c", "d"]) && fit(&["..."], &[]));
    assert!(!fit(&["a"], &["a", "b"]) && !fit(&["a", "...", "e"], &["a", "b"]));
}
