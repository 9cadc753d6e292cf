//! `chuhe match` as a tester meets it: engines that cannot start, options that do not exist, reports
//! in a pipe, what the summary says, exit statuses.

mod fakes;

use fakes::fake;
use std::{path::PathBuf, process::Command};

struct Run {
    status: i32,
    stdout: String,
    stderr: String,
}

fn chuhe_match(arguments: &[&str]) -> Run {
    let output = Command::new(env!("CARGO_BIN_EXE_chuhe")).arg("match").args(arguments).output();
    let output = output.expect("the program runs");
    Run {
        status: output.status.code().expect("an exit status"),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// A match of two games of the built-in engine against `opponent`.
fn against(opponent: &str, more: &[&str]) -> Run {
    let usual = ["--engine", "name=us", "--engine", opponent, "--each", "nodes=40", "--games", "2"];
    chuhe_match(&[&usual[..], more].concat())
}

/// The same fake without its protocol.
fn without_protocol(spec: &str) -> String {
    spec.replace("proto=ucci,", "").replace("proto=uci,", "")
}

#[test]
fn the_protocol_is_found_out() {
    for protocol in ["ucci", "uci", "uci1"] {
        let run = against(&without_protocol(&fake(protocol, "plain", "nodes=10")), &[]);
        assert_eq!(run.status, 0, "{protocol}: {}", run.stderr);
        assert!(run.stdout.contains("2 games"), "{}", run.stdout);
    }
    let ours = format!("name=them,cmd=\"{}\"", env!("CARGO_BIN_EXE_chuhe"));
    assert_eq!(against(&ours, &[]).status, 0);
}

/// No game is played against an engine that never starts.
#[test]
fn a_match_that_cannot_start_says_why() {
    let silent = fake("ucci", "deaf", "nodes=10");
    for (spec, more, words) in [
        ("name=no,cmd=no-such-program-anywhere", &[][..], "no:"),
        ("name=no,cmd=cargo,args=--version", &[], "no: it ended before it was ready"),
        (&silent, &["--startup", "0.3"], "fake: it does not get ready"),
    ] {
        let run = against(spec, more);
        assert_eq!((run.status, run.stdout.as_str()), (1, ""), "{spec}");
        assert!(run.stderr.contains(words), "{spec}: {}", run.stderr);
    }
}

#[test]
fn options_that_do_not_exist_are_told() {
    let chuhe = env!("CARGO_BIN_EXE_chuhe");
    for (option, words) in [
        ("Foo=1", "announces no option 'Foo'"),
        ("Hash=abc", "'abc' is no number"),
        ("Hash=-16", "not -16"),
    ] {
        let spec = format!("name=them,cmd=\"{chuhe}\",proto=uci,option.{option}");
        let run = against(&spec, &[]);
        assert_eq!(run.status, 0);
        assert!(
            run.stderr.contains("warning: them: ") && run.stderr.contains(words),
            "{}",
            run.stderr
        );
        let strict = against(&spec, &["--strict"]);
        assert_eq!((strict.status, strict.stdout.as_str()), (2, ""));
        assert!(strict.stderr.contains(words), "{}", strict.stderr);
    }
    let fine = format!("name=them,cmd=\"{chuhe}\",proto=uci,option.Hash=16");
    assert!(!against(&fine, &["--strict"]).stderr.contains("warning"));
}

#[test]
fn an_engine_that_fails_is_named() {
    for (behaviour, limit, kind) in
        [("die", "nodes=10", "crash 2"), ("silent", "movetime=50", "time 2")]
    {
        let run = against(&fake("ucci", behaviour, limit), &["--report", "0"]);
        assert_eq!(run.status, 3, "{}", run.stderr);
        assert!(run.stdout.contains(&format!("fake failed: {kind}")), "{}", run.stdout);
        assert!(run.stderr.contains(&format!("fake: {kind}")), "{}", run.stderr);
    }
}

#[test]
fn a_line_for_each_game_where_there_is_no_terminal() {
    let run = against("name=them", &[]);
    assert_eq!(run.stderr.lines().count(), 2, "{}", run.stderr);
    assert!(run.stderr.starts_with("1/2: game 1, us - them "), "{}", run.stderr);
    let all = against("name=them", &["--report", "2"]);
    assert_eq!(all.stderr.lines().count(), 1, "{}", all.stderr);
    assert_eq!(against("name=them", &["--report", "0"]).stderr, "");
}

#[test]
fn the_summary_states_the_conditions() {
    let run = against("name=them,option.Hash=2", &["--seed", "7"]);
    for words in [
        "name=us,nodes=40 against name=them,option.Hash=2,nodes=40",
        "rules=cn1999 openings=random seed=7",
        "with Red ",
        "1 worker, ",
    ] {
        assert!(run.stdout.contains(words), "{words}: {}", run.stdout);
    }
}

/// A record that names no rules is judged by those of the command line.
#[test]
fn records_without_rules_are_checked() {
    let path: PathBuf =
        std::env::temp_dir().join(format!("chuhe-no-rules-{}.pgn", std::process::id()));
    let game = "[Event \"a\"]\n[Result \"1-0\"]\n\
        [FEN \"3k5/8R/9/9/9/9/9/9/4A4/R3K4 w - - 0 1\"]\n\n1. A0-A9 1-0\n\n";
    std::fs::write(&path, game).unwrap();
    let file = path.to_str().unwrap();
    let run = chuhe_match(&["--check", file]);
    assert_eq!((run.status, run.stdout.as_str()), (0, "games 1 wrong 0\n"), "{}", run.stderr);
    std::fs::write(&path, game.replace("1-0", "0-1")).unwrap();
    let run = chuhe_match(&["--check", file, "--rules", "axf"]);
    assert_eq!(run.status, 1);
    assert!(run.stderr.contains("game 1, round -: 0-1 is stated, the rules say 1-0 by mate"));
    std::fs::remove_file(&path).unwrap();
}
