//! `chuhe judge` from the outside.

use serde_json::Value;
use std::process::{Command, Output};

const LONG_CHECK: &str = "4k4/R8/9/9/6p2/8P/9/9/9/3K5 w - - 0 1";
const CHECKS: &str = "a8a9 e9e8 a9a8 e8e9";

fn judge(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_chuhe")).arg("judge").args(arguments).output().unwrap()
}

fn json(arguments: &[&str]) -> Value {
    let output = judge(&[&["--json"], arguments].concat());
    assert!(output.status.success(), "{output:?}");
    serde_json::from_slice(&output.stdout).expect("one JSON object")
}

#[test]
fn the_whole_object() {
    let out = json(&["--fen", LONG_CHECK, "--moves", CHECKS]);
    assert_eq!(out["rules"], "cn1999");
    assert_eq!((&out["plies"], &out["occurrences"]), (&4.into(), &2.into()));
    assert_eq!(out["cycle"], serde_json::json!({"first_ply": 1, "last_ply": 4}));
    assert_eq!(out["moves"].as_array().unwrap().len(), 4);
    let first = &out["moves"][0];
    assert_eq!((&first["ply"], &first["side"]), (&1.into(), &"red".into()));
    assert_eq!((&first["move"], &first["class"]), (&"a8a9".into(), &"check".into()));
    assert_eq!(first["attackers"], serde_json::json!(["a9"]));
    assert_eq!(first["targets"], serde_json::json!(["e9"]));
    assert_eq!(first["articles"], serde_json::json!(["28.1"]));
    assert!(first["text"].as_str().is_some_and(|text| text.contains("rook a9")));
    let red = serde_json::json!({"all_check": true, "forbidden": true, "kind": "perpetual_check"});
    let black = serde_json::json!({"all_check": false, "forbidden": false, "kind": "allowed"});
    assert_eq!((&out["red"], &out["black"]), (&red, &black));
    assert_eq!((&out["cycle_ruling"], &out["status"]), (&"red_forbidden".into(), &"none".into()));
    assert_eq!(out["articles"], serde_json::json!(["26.1", "24.1"]));
    let limit = serde_json::json!({
        "rounds": 2, "red_count": 2, "black_count": 2, "limit": 60, "reached": false
    });
    assert_eq!(out["natural_limit"], limit);
    assert_eq!(out["material_draw"], false);
}

#[test]
fn status_by_occurrence() {
    let status = |rules: &str, cycles: usize| {
        let moves = vec![CHECKS; cycles].join(" ");
        json(&["--rules", rules, "--fen", LONG_CHECK, "--moves", &moves])["status"].clone()
    };
    assert_eq!(status("cn1999", 1), "none");
    assert_eq!(status("cn1999", 2), "red_loses");
    assert_eq!(status("axf", 2), "red_loses");
    assert_eq!(status("league", 2), "none");
    assert_eq!(status("league", 3), "red_loses");
    // A chase is warned first (24.3).
    let chase = |cycles: usize| {
        let moves = vec!["b4a4 a5b5 a4b4 b5a5"; cycles].join(" ");
        let fen = "4k4/9/9/8p/c8/1R7/8P/9/4A4/4K4 w - - 0 1";
        json(&["--fen", fen, "--moves", &moves])["status"].clone()
    };
    assert_eq!(chase(1), "none");
    assert_eq!(chase(2), "red_must_change");
    assert_eq!(chase(3), "red_loses");
}

#[test]
fn nothing_repeated() {
    let out = json(&["--moves", "h2e2", "h9g7"]);
    assert_eq!((&out["cycle"], &out["cycle_ruling"]), (&Value::Null, &"none".into()));
    assert_eq!((&out["plies"], &out["occurrences"]), (&2.into(), &1.into()));
}

#[test]
fn report_shows_board_moves_and_reasons() {
    let output = judge(&["--fen", LONG_CHECK, "--moves", CHECKS]);
    let text = String::from_utf8(output.stdout).unwrap();
    for part in ["车九进一", "将５进１", "照将", "checks the king", "26.1、24.1", "(將)", "长将"]
    {
        assert!(text.contains(part), "{part}: {text}");
    }
}

/// Arguments that are off are status 2, a file that cannot be read is work that failed.
#[test]
fn bad_input_is_one_line() {
    let bad: [(&[&str], i32); 7] = [
        (&[], 2),
        (&["--fen", "4k4 w"], 2),
        (&["--moves", "h2e2 h2e2"], 2),
        (&["--moves", "h2e"], 2),
        (&["--rules", "wxf", "--moves", "h2e2"], 2),
        (&["no-such-file.pgn"], 1),
        (&["Cargo.toml"], 1),
    ];
    for (arguments, status) in bad {
        let output = judge(arguments);
        assert_eq!(output.status.code(), Some(status), "{arguments:?}");
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(error.trim_end().lines().count(), 1, "{arguments:?}: {error}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
    }
}

/// Every case as one record file: an object a game, each with every field and every move explained.
#[test]
fn whole_output_on_every_case() {
    let root = std::path::PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let mut pgn = String::new();
    let mut games = 0;
    let mut add = |case: &Value| {
        let moves = match &case["moves"] {
            Value::String(moves) => moves.clone(),
            list => list
                .as_array()
                .unwrap()
                .iter()
                .map(|m| m.as_str().unwrap())
                .collect::<Vec<_>>()
                .join(" "),
        };
        pgn += &format!("[FEN \"{}\"]\n\n{moves} *\n\n", case["fen"].as_str().unwrap());
        games += 1;
    };
    let read = |path: &str| std::fs::read_to_string(root.join(path)).ok();
    let own: Value =
        serde_json::from_str(&read("crates/xiangqi/tests/data/cn1999.json").unwrap()).unwrap();
    own.as_array().unwrap().iter().for_each(&mut add);
    if let Some(text) = read("../shared/corpus/rules.json") {
        let corpus: Value = serde_json::from_str(&text).unwrap();
        corpus["cases"].as_array().unwrap().iter().for_each(&mut add);
    }
    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("cases.pgn");
    std::fs::write(&file, &pgn).unwrap();
    for rules in ["cn1999", "axf", "league"] {
        let output = judge(&["--json", "--rules", rules, file.to_str().unwrap()]);
        assert!(output.status.success(), "{output:?}");
        let text = String::from_utf8(output.stdout).unwrap();
        assert_eq!(text.lines().count(), games, "{rules}");
        for line in text.lines() {
            check_object(&serde_json::from_str(line).expect("one object a line"), rules);
        }
    }
}

fn check_object(out: &Value, rules: &str) {
    assert_eq!(out["rules"], rules);
    assert!(out["cycle"]["first_ply"].is_u64() && out["cycle"]["last_ply"] == out["plies"]);
    let text = |value: &Value| value.as_str().is_some_and(|text| !text.is_empty());
    for side in ["red", "black"] {
        assert!(out[side]["all_check"].is_boolean() && out[side]["forbidden"].is_boolean());
        assert!(text(&out[side]["kind"]));
    }
    assert!(text(&out["cycle_ruling"]) && text(&out["status"]) && text(&out["reason"]));
    assert!(!out["articles"].as_array().unwrap().is_empty());
    assert!(out["natural_limit"]["rounds"].is_u64() && out["material_draw"].is_boolean());
    for judged in out["moves"].as_array().unwrap() {
        assert!(text(&judged["text"]) && text(&judged["text_zh"]), "{judged}");
        assert!(text(&judged["chinese"]) && !judged["articles"].as_array().unwrap().is_empty());
        let attack = ["check", "kill", "chase"].map(Value::from).contains(&judged["class"]);
        let evidence = |field: &str| !judged[field].as_array().unwrap().is_empty();
        assert!(!attack || evidence("attackers") && evidence("targets"), "{judged}");
        assert_eq!(judged["how"].is_null(), judged["class"] != "chase", "{judged}");
    }
}

const OFFICIAL: &str =
    "1r2kab1r/2c1a4/n1c1b1n2/4p2N1/p1p6/1C4P2/P1P1P4/2N1B3C/4A4/1RBAK2R1 w - - 0 1";
const OFFICIAL_CYCLE: &str = "h6i4 i9h9 i4h6 h9i9";

fn report(arguments: &[&str]) -> String {
    let output = judge(arguments);
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_verdict_comes_first_in_words() {
    let moves = [OFFICIAL_CYCLE; 2].join(" ");
    let text = report(&["--fen", OFFICIAL, "--moves", &moves]);
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("裁决：红方须变着（第26.4、24.3条）"));
    assert_eq!(lines.next(), Some("Ruling: Red must change (articles 26.4, 24.3)"));
    for part in [
        "此局面第3次出现，此前见于开始时、第4着后。",
        "楚河",
        "红马(i4)走开，红炮(i2)捉黑车(i9)。",
        "吃黑车(h9)之法：马二进三，将５平４，车二进九。",
        "h6g8 e9d9 h0h9",
        "黑方一捉一闲，为允许着法。",
        "4 rounds without a capture",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn a_game_that_was_over_says_so_first() {
    // The official cycle four times is lost; then another move is played.
    let moves = [OFFICIAL_CYCLE; 3].join(" ") + " h0g0";
    let text = report(&["--fen", OFFICIAL, "--moves", &moves]);
    assert!(text.starts_with("注意：对局在第12着后已经结束：红方循环不变，判负"), "{text}");
    assert!(text.contains("第12着后的裁决") && text.contains("裁决：红方判负"), "{text}");
    let out = json(&["--fen", OFFICIAL, "--moves", &moves]);
    assert_eq!(out["over"]["ply"], 12);
    assert_eq!(
        (&out["over"]["what"], &out["over"]["side"]),
        (&"repetition_loss".into(), &"red".into())
    );
    // Three times round and then left: the change that was due is made.
    let moves = [OFFICIAL_CYCLE; 2].join(" ") + " h0g0";
    let text = report(&["--fen", OFFICIAL, "--moves", &moves]);
    assert!(text.starts_with("注意：第8着后红方须变着"), "{text}");
    assert_eq!(json(&["--fen", OFFICIAL, "--moves", &moves])["over"], Value::Null);
}

#[test]
fn scan_lists_what_was_due() {
    let moves = [OFFICIAL_CYCLE; 3].join(" ") + " h0g0";
    let out = json(&["--scan", "--fen", OFFICIAL, "--moves", &moves]);
    let due: Vec<(u64, &str)> = out["due"]
        .as_array()
        .unwrap()
        .iter()
        .map(|due| (due["ply"].as_u64().unwrap(), due["what"].as_str().unwrap()))
        .collect();
    // After ply 9 the position after ply 1 stands for the third time, and so on: each of them
    // calls for a change until the fourth occurrence loses.
    assert_eq!(due[0], (8, "must_change"));
    assert!(due.contains(&(12, "repetition_loss")), "{due:?}");
    let text = report(&["--scan", "--fen", OFFICIAL, "--moves", &moves]);
    assert!(
        text.contains("其中1局应更早结束") && text.contains("1 should have ended earlier"),
        "{text}"
    );
    // The eleventh check is the first that does not count.
    let checks = [CHECKS; 6].join(" ");
    let out = json(&["--scan", "--rules", "cn1999", "--fen", LONG_CHECK, "--moves", &checks]);
    let ten =
        out["due"].as_array().unwrap().iter().find(|due| due["what"] == "ten_checks").unwrap();
    assert_eq!((&ten["ply"], &ten["side"]), (&21.into(), &"red".into()));
}

#[test]
fn standard_input_players_and_the_start_position() {
    use std::{io::Write, process::Stdio};
    let mut child = Command::new(env!("CARGO_BIN_EXE_chuhe"))
        .args(["judge", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let pgn = "[Red \"甲\"]\n[Black \"乙\"]\n[Result \"1-0\"]\n\n1. h2e2 h9g7 1-0\n";
    child.stdin.take().unwrap().write_all(pgn.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.starts_with("红方 Red: 甲   黑方 Black: 乙   赛果 Result: 1-0\n裁决："), "{text}");
    assert!(text.contains("1 round without a capture"), "{text}");
    assert_eq!(json(&["--fen", "startpos", "--moves", "h2e2"])["plies"], 1);
}

#[test]
fn an_unreadable_file_stops_no_other() {
    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("one.pgn");
    std::fs::write(&file, "1. h2e2 *\n").unwrap();
    let output = judge(&["--json", "no-such-file.pgn", file.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(String::from_utf8(output.stdout).unwrap().lines().count(), 1);
}
