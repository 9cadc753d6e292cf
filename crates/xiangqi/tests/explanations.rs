//! What rulings say in words, Chinese and English.

mod common;

use serde_json::Value;
use xiangqi::{
    game::Game,
    rules::{RuleSet, Ruling, article, judge},
    types::Side,
};

fn ruling(rules: RuleSet, fen: &str, moves: &str) -> Ruling {
    let moves = moves.split_whitespace().map(|m| m.parse().unwrap());
    judge(&Game::with_moves(fen.parse().unwrap(), moves).unwrap(), rules)
}

fn cn(fen: &str, moves: &str) -> Ruling {
    ruling(RuleSet::Cn1999, fen, moves)
}

#[test]
fn mixtures_are_named_by_what_is_in_them() {
    let checks = cn("4k4/R8/9/9/6p2/8P/9/9/9/3K5 w - - 0 1", "a8a9 e9e8 a9a8 e8e9");
    assert_eq!(checks.part_text(Side::Red).zh, "长将");
    assert_eq!(checks.part_text(Side::Black).zh, "走闲着，为允许着法");
    assert_eq!(checks.heading().zh, "裁决：尚未到裁决之时；红方须变着，不变判负（第26.1、24.1条）");
    assert_eq!(checks.moves[0].headline.zh, "红车(a9)照将。");
    assert_eq!(checks.moves[1].headline.en, "Answers the check: an idle move.");
}

#[test]
fn every_target_has_its_own_line() {
    let chase = cn("4k4/9/9/8p/c8/1R7/8P/9/4A4/4K4 w - - 0 1", "b4a4 a5b5 a4b4 b5a5");
    let first = &chase.moves[0];
    assert_eq!(first.headline.zh, "红车(a4)捉黑炮(a5)。");
    assert_eq!(first.evidence.len(), 1);
    assert_eq!(first.evidence[0].text.zh, "黑炮(a5)无根。车九进一，红方得炮。");
    assert_eq!(first.evidence[0].text.en, "The cannon a5 has no root. a4a5: Red wins a cannon.");
    assert_eq!(first.evidence[0].line, ["a4a5".parse().unwrap()]);
}

#[test]
fn articles_are_quoted() {
    let text = article("26.1").unwrap();
    assert_eq!(text.zh, "在任何情况下，均不允许单方面长将。");
    assert!(article("26.9").is_none());
}

/// The faults of language that reports once had, and marks of a sentence gone wrong.
const FAULTS: [&str; 11] = [
    "有根而得子子",
    "子车",
    "步之内",
    "红方允许着法",
    "黑方允许着法",
    " 1 rounds",
    "()",
    "  ",
    "，。",
    "the  ",
    "；；",
];

#[test]
fn no_report_has_a_known_fault() {
    let mut cases = Vec::new();
    for file in ["rules.json", "rules_more.json"] {
        let Some(path) = common::corpus(file) else { continue };
        let text = std::fs::read_to_string(path).unwrap();
        let corpus: Value = serde_json::from_str(&text).unwrap();
        cases.extend(corpus["cases"].as_array().unwrap().iter().cloned());
    }
    for case in &cases {
        let moves = match &case["moves"] {
            Value::String(moves) => moves.clone(),
            list => {
                let list = list.as_array().unwrap().iter().map(|m| m.as_str().unwrap());
                list.collect::<Vec<_>>().join(" ")
            }
        };
        for rules in RuleSet::ALL {
            let ruling = ruling(rules, case["fen"].as_str().unwrap(), &moves);
            let moves = ruling.moves.iter().map(|judged| judged.text.clone());
            for text in moves.chain([ruling.reason.clone(), ruling.heading()]) {
                for fault in FAULTS {
                    let found = text.zh.contains(fault) || text.en.contains(fault);
                    assert!(!found, "{}: {fault:?} in {text:?}", case["id"]);
                }
                assert!(text.en.is_ascii(), "{text:?}");
                assert!(!text.zh.is_empty() && !text.en.is_empty());
            }
        }
    }
}

#[test]
fn joint_attacks_name_both_pieces() {
    // Diagram 89 of the Asian rules, by the Chinese ones: cannon and rook against one root.
    let Some(path) = common::corpus("rules.json") else { return };
    let corpus: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let case = corpus["cases"].as_array().unwrap().iter().find(|c| c["id"] == "own-35-few-roots-b");
    let case = case.expect("the case");
    let moves: Vec<&str> =
        case["moves"].as_array().unwrap().iter().map(|m| m.as_str().unwrap()).collect();
    let ruling = cn(case["fen"].as_str().unwrap(), &moves.join(" "));
    assert_eq!(ruling.moves[0].headline.zh, "红炮(a4)、红车(a6)联合捉黑马(a8)。");
    assert_eq!(
        ruling.moves[0].evidence[0].text.zh,
        "黑马(a8)少根：黑炮(i8)不足以保护。炮九进四，炮９平１，车九进二，红方得马、炮，失炮。"
    );
}
