//! `chuhe review` as a process: mistakes, rules, annotated records, the page.
#![cfg(feature = "arbiter")]

mod page;

use page::{assert_a_browser_shows, assert_needs_nothing_else, assert_well_formed};
use serde_json::Value;
use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};
use xiangqi::{
    notation::GameTree,
    records::{ReadOptions, read},
};

fn review(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_chuhe"))
        .arg("review")
        .args(arguments)
        .output()
        .expect("the program runs")
}

/// What stands on standard output where all goes well and nothing is complained of.
fn printed(arguments: &[&str]) -> String {
    let output = review(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    // No progress in a pipe.
    assert!(output.stderr.is_empty(), "{arguments:?}");
    String::from_utf8(output.stdout).expect("a text")
}

fn object(arguments: &[&str]) -> Value {
    serde_json::from_str(&printed(&[arguments, &["--json"]].concat())).expect("JSON")
}

fn path(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("review");
    fs::create_dir_all(&folder).expect("a folder");
    folder.join(name)
}

fn file(name: &str, text: &str) -> String {
    fs::write(path(name), text).expect("a file");
    path(name).to_string_lossy().into_owned()
}

/// The rook can check along the file of the king: 车八平六 车１平４ 车六进一 is mate. It walks up to be taken
/// instead, and is.
const BLUNDER: &str = "[Red \"</script><b>甲\"]\n[Black \"乙\"]\n[Result \"0-1\"]\n\
     [FEN \"3k5/9/9/9/9/9/9/9/r8/1R2K4 w - - 0 1\"]\n\n1. 车八进一 {急} 车１平２ 0-1\n";

/// The official case of 1999, whose cycle Red may not repeat.
const CASE: &str = "1r2kab1r/2c1a4/n1c1b1n2/4p2N1/p1p6/1C4P2/P1P1P4/2N1B3C/4A4/1RBAK2R1 w - - 0 1";

#[test]
fn a_blunder_and_what_was_better() {
    let game = file("blunder.pgn", BLUNDER);
    let object = object(&[&game, "--nodes", "5000"]);
    assert_eq!((&object["plies"], &object["rules"]), (&2.into(), &"cn1999".into()));
    assert_eq!(object["headers"]["Result"], "0-1");
    let curve: Vec<f64> =
        object["curve"].as_array().unwrap().iter().filter_map(Value::as_f64).collect();
    assert_eq!(curve, [1.0, 0.0, 0.0]);
    let [bad, forced] = &object["moves"].as_array().unwrap()[..] else { panic!("two moves") };
    assert_eq!((&bad["move"], &bad["chinese"]), (&"b0b1".into(), &"车八进一".into()));
    assert_eq!(
        (&bad["before"], &bad["after"], &bad["lost"]),
        (&1.0.into(), &0.0.into(), &1.0.into())
    );
    assert_eq!(bad["mark"], "blunder");
    assert_eq!(bad["better"]["score"], serde_json::json!({"mate": 2}));
    assert_eq!(bad["better"]["moves"], serde_json::json!(["b0d0", "a1d1", "d0d1"]));
    assert_eq!(bad["better"]["chinese"], serde_json::json!(["车八平六", "车１平４", "车六进一"]));
    assert_eq!(bad["text_zh"], "漏着：胜率100%→0%，宜走车八平六 车１平４ 车六进一");
    assert_eq!((&forced["mark"], &forced["lost"]), (&Value::Null, &0.0.into()));
    assert_eq!(object["red"]["blunders"], 1);
    assert_eq!(object["red"]["average_loss"], 1.0);
    assert_eq!(
        object["black"],
        serde_json::json!({
            "moves": 1, "inaccuracies": 0, "mistakes": 0, "blunders": 0, "average_loss": 0.0
        })
    );
    let text = printed(&[&game, "--nodes", "5000"]);
    assert!(
        text.contains("1. 红方 Red   车八进一 b0b1") && text.contains("?? 漏着 blunder"),
        "{text}"
    );
    assert!(text.contains("Blunder: win chances 100% → 0%; better b0d0 a1d1 d0d1\n"), "{text}");
    assert!(
        text.contains("红方 Red: 缓着 inaccuracies 0, 失误 mistakes 0, 漏着 blunders 1"),
        "{text}"
    );
}

#[test]
fn what_the_rules_had_to_say() {
    let moves = ["h6i4 i9h9 i4h6 h9i9"; 3].join(" ");
    let arguments = ["--fen", CASE, "--moves", &moves, "--nodes", "2000"];
    let object = object(&arguments);
    let due: Vec<(u64, &str, &str)> = object["due"]
        .as_array()
        .unwrap()
        .iter()
        .map(|due| {
            let word = |name: &str| due[name].as_str().unwrap();
            (due["ply"].as_u64().unwrap(), word("what"), word("side"))
        })
        .collect();
    // The third occurrence is at ply 8, the cycle repeated once more at ply 12.
    assert_eq!(due.first(), Some(&(8, "must_change", "red")));
    assert_eq!(due.last(), Some(&(12, "repetition_loss", "red")));
    assert_eq!(object["over"], "repetition_loss");
    let curve = object["curve"].as_array().unwrap();
    assert_eq!((curve.len(), &curve[12]), (13, &0.0.into()));
    // Where Red must change, it can: nothing is lost before the last repetition.
    assert!(curve[..11].iter().all(|share| share.as_f64().unwrap() > 0.2), "{curve:?}");
    let marks: Vec<&Value> =
        object["moves"].as_array().unwrap().iter().filter(|m| m["mark"] == "blunder").collect();
    assert_eq!(marks.len(), 1);
    assert_eq!(marks[0]["ply"], 11);
    let text = printed(&arguments);
    assert!(text.contains("棋例：红方循环不变，判负"), "{text}");
    assert!(text.contains("Rules: Red must change (26.4, 24.3)"), "{text}");
    // A mate is the end whatever is thought of it.
    let mate = "3k5/R8/9/9/9/9/9/9/9/1R2K4 w - - 0 1";
    let mated = self::object(&["--fen", mate, "--moves", "b0b9", "--nodes", "500"]);
    assert_eq!((&mated["over"], &mated["curve"][1]), (&"mate".into(), &1.0.into()));
    assert_eq!(mated["moves"][0]["mark"], Value::Null);
}

fn tree(bytes: &[u8]) -> GameTree {
    let mut games = read(bytes, &ReadOptions::default()).expect("a record");
    assert_eq!(games.len(), 1);
    let game = games.remove(0);
    assert!(game.losses.is_empty(), "{:?}", game.losses);
    game.tree
}

#[test]
fn remarks_in_records() {
    let game = file("record.pgn", BLUNDER);
    for format in ["pgn", "xqf", "dhtmlxq", "cbr", "cbl", "cbf"] {
        let out = path(&format!("annotated.{format}")).to_string_lossy().into_owned();
        assert_eq!(printed(&[&game, "--nodes", "5000", "--to", format, "--out", &out]), "");
        let tree = tree(&fs::read(&out).expect("a file"));
        let first = tree.main_line().next().expect("a move");
        let comment = tree.comment(first);
        assert!(comment.starts_with("急\n漏着：胜率100%→0%"), "{format}: {comment}");
        assert_eq!(tree.main_moves().count(), 2, "{format}");
        let last = tree.main_line().last().expect("a move");
        assert_eq!(tree.comment(last), "", "{format}");
        // The better line is a variation where the format holds any.
        let other = tree.children(tree.root()).nth(1);
        assert_eq!(other.is_some(), format != "cbf", "{format}");
        if let Some(other) = other {
            assert_eq!(tree.played(other).unwrap().to_string(), "b0d0");
            assert_eq!(tree.move_count(), 5, "{format}");
        }
        if format == "pgn" {
            assert_eq!(tree.nags(first), [4]);
            assert!(tree.header("Annotator").is_some_and(|name| name.starts_with("Chuhe")));
        }
    }
    let pgn = printed(&[&game, "--nodes", "5000", "--to", "pgn"]);
    assert!(pgn.contains("(1. 车八平六 车１平４ 2. 车六进一 {楚河 Chuhe: #2})"), "{pgn}");
}

#[test]
fn the_same_every_time() {
    let arguments = ["--moves", "炮二平五 马８进７ 马二进三 车９平８", "--nodes", "2000"];
    assert_eq!(printed(&arguments), printed(&arguments));
    let moves = object(&arguments)["moves"].as_array().unwrap().clone();
    for m in &moves {
        let share = |name: &str| m[name].as_f64().expect("a number");
        assert!(share("lost") >= 0.0 && share("lost") <= 1.0, "{m}");
        let mark = match share("lost") {
            lost if lost >= 0.2 => "blunder".into(),
            lost if lost >= 0.1 => "mistake".into(),
            lost if lost >= 0.05 => "inaccuracy".into(),
            _ => Value::Null,
        };
        assert_eq!(m["mark"], mark, "{m}");
    }
}

/// Writes the page of the blunder.
fn written(name: &str) -> (PathBuf, String) {
    let game = file(&format!("{name}.pgn"), BLUNDER);
    let html = path(&format!("{name}.html"));
    assert_eq!(printed(&[&game, "--nodes", "5000", "--html", &html.to_string_lossy()]), "");
    let text = fs::read_to_string(&html).expect("a page");
    (html, text)
}

#[test]
fn the_page() {
    let (file, text) = written("page");
    assert_needs_nothing_else(&text);
    let (before, rest) = text.split_once("<script type=\"application/json\" id=\"game\">").unwrap();
    let (data, rest) = rest.split_once("</script>").unwrap();
    let (script, after) =
        rest.trim_start().strip_prefix("<script>").unwrap().split_once("</script>").unwrap();
    // Names of a record are words, whatever stands in them.
    assert!(before.contains("&lt;/script&gt;&lt;b&gt;甲") && !before.contains("<b>甲"));
    assert_well_formed(&format!("{before}{after}"));
    for part in [
        "对局点评",
        "红方胜率",
        "漏着：胜率100%→0%，宜走车八平六",
        "class=\"curve\"",
        "cv-blunder",
        "xq-arrow xq-line",
        "data-do=\"flip\"",
    ] {
        assert!(before.contains(part), "{part}");
    }
    // The curve, the board to play on, and the one moment.
    assert_eq!(before.matches("<svg ").count(), 3);
    let data: Value = serde_json::from_str(data).expect("JSON");
    assert_eq!(
        data["boards"],
        serde_json::json!([
            "3k5/9/9/9/9/9/9/9/r8/1R2K4",
            "3k5/9/9/9/9/9/9/9/rR7/4K4",
            "3k5/9/9/9/9/9/9/9/1r7/4K4"
        ])
    );
    assert_eq!(data["moves"], serde_json::json!(["b0b1", "a1b1"]));
    assert_eq!(data["better"], serde_json::json!(["b0d0", null]));
    assert_eq!((&data["names"]["K"], &data["names"]["k"]), (&"帥".into(), &"將".into()));
    assert!(script.contains("ArrowRight"));
    assert_a_browser_shows(&file);
}

#[test]
fn what_is_wrong_is_said_in_one_line() {
    let game = file("wrong.pgn", "1. h2e2 h9g7 *\n");
    let empty = file("empty.pgn", "[Event \"none\"]\n\n*\n");
    for (arguments, status) in [
        (&[][..], 2),
        (&[&*empty], 2),
        (&[&game, "--nodes", "0"], 2),
        (&[&game, "--game", "2"], 2),
        (&[&game, "--to", "pfc"], 2),
        (&[&game, "--to", "lines"], 2),
        (&[&game, "--to", "nothing"], 2),
        (&["no such file"], 1),
        (&[&game, "--nodes", "9", "--html", "no such folder/page.html"], 1),
    ] {
        let output = review(arguments);
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(status), "{arguments:?}: {error}");
        assert_eq!(error.lines().count(), 1, "{arguments:?}: {error}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
    }
    for arguments in [&["--nodes", "9", "--time", "9"][..], &["--json", "--html", "page.html"]] {
        assert_eq!(review(&[&[&*game], arguments].concat()).status.code(), Some(2));
    }
    // What could be read of a damaged record is reviewed, and that it is not all is said.
    let damaged = file("damaged.pgn", "1. h2e2 h9g7 2. h2e2 *\n");
    let output = review(&[&damaged, "--nodes", "9", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let object: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(object["plies"], 2);
    assert_eq!(String::from_utf8_lossy(&output.stderr).lines().count(), 1);
}
