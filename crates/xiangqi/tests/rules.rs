//! The judge against the collected cases.

use serde_json::Value;
use std::path::PathBuf;
mod common;

use xiangqi::{
    game::Game,
    rules::{CycleRuling, Judge, RuleSet, judge},
    types::Side,
};

/// Cases where the judge differs from the stated ruling; `docs/rules.md` argues each.
const DEVIATIONS: [(&str, &str); 2] = [("own-34-few-roots-a", "draw"), ("chessdb7-2", "red loses")];

fn cases() -> Vec<Value> {
    let Some(path) = common::corpus("rules.json") else { return Vec::new() };
    let text = std::fs::read_to_string(path).expect("a readable file");
    let all: Value = serde_json::from_str(&text).expect("the corpus is JSON");
    all["cases"].as_array().expect("a list of cases").clone()
}

fn text<'a>(case: &'a Value, field: &str) -> &'a str {
    case[field].as_str().unwrap_or_default()
}

fn rules(case: &Value) -> RuleSet {
    if text(case, "rule_set") == "CN1999" { RuleSet::Cn1999 } else { RuleSet::Axf }
}

fn game(case: &Value) -> Game {
    let moves = case["moves"].as_array().expect("moves");
    let moves = moves.iter().map(|m| m.as_str().unwrap().parse().unwrap());
    Game::with_moves(text(case, "fen").parse().expect("a position"), moves).expect("legal moves")
}

fn words(ruling: CycleRuling) -> &'static str {
    match ruling {
        CycleRuling::None => "none",
        CycleRuling::Draw => "draw",
        CycleRuling::Forbidden(Side::Red) => "red loses",
        CycleRuling::Forbidden(Side::Black) => "black loses",
    }
}

#[test]
fn every_case_gets_its_ruling() {
    for case in &cases() {
        let id = text(case, "id");
        let deviation = DEVIATIONS.iter().find(|(other, _)| *other == id);
        let expected = deviation.map_or(text(case, "verdict"), |(_, ours)| ours);
        let ruling = judge(&game(case), rules(case));
        assert_eq!(words(ruling.cycle_ruling), expected, "{id}: {:#?}", ruling.moves);
        assert_eq!(ruling.occurrences as u64, case["occurrences_in_moves"], "{id}");
        let quick = Judge::new(rules(case)).cycle_ruling(&game(case));
        assert_eq!(quick, ruling.cycle_ruling, "{id}");
    }
}

/// Cases of the project's own, in `tests/data`: each was worked out from the rule text by hand, as
/// its `why` says. In `labels` a `-` stands for any move that is no attack and a
/// `*` for any at all.
fn own_cases(file: &str) -> Vec<Value> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(file);
    serde_json::from_str(&std::fs::read_to_string(path).expect("the file")).expect("JSON")
}

fn own_game(case: &Value) -> Game {
    let moves = text(case, "moves").split(' ').map(|m| m.parse().expect("a move"));
    Game::with_moves(text(case, "fen").parse().expect("a position"), moves).expect("legal moves")
}

fn own_ruling(case: &Value) -> CycleRuling {
    match text(case, "ruling") {
        "red" => CycleRuling::Forbidden(Side::Red),
        "black" => CycleRuling::Forbidden(Side::Black),
        _ => CycleRuling::Draw,
    }
}

fn check_own(file: &str, rules: RuleSet) {
    let mut wrong = Vec::new();
    for case in own_cases(file) {
        let ruling = judge(&own_game(&case), rules);
        let labels = text(&case, "labels");
        let agree = labels.is_empty()
            || labels.split(' ').zip(&ruling.moves).all(|(label, judged)| match label {
                "*" => true,
                "-" => !judged.class.is_attack(),
                label => judged.class.name() == label,
            }) && labels.split(' ').count() == ruling.moves.len();
        if ruling.cycle_ruling != own_ruling(&case) || !agree {
            let moves = ruling
                .moves
                .iter()
                .map(|m| format!("\n  {} {} {:?} {}", m.played, m.class.name(), m.how, m.text.en));
            let moves: String = moves.collect();
            wrong.push(format!("{}: {:?}{moves}", text(&case, "id"), ruling.cycle_ruling));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn own_cn1999_cases() {
    check_own("cn1999.json", RuleSet::Cn1999);
}

#[test]
fn own_league_cases() {
    check_own("league.json", RuleSet::League);
}

/// Positions in which `side` is better off holding on: `moves` lead there, `holds` completes the
/// third occurrence, and the other side must then change or lose.
#[test]
fn hold_on_positions() {
    let cases = own_cases("hold_on.json");
    assert!(cases.len() >= 10);
    for case in cases {
        let id = text(&case, "id");
        let mut game = own_game(&case);
        assert_eq!(game.position().side().to_string(), text(&case, "side"), "{id}");
        let other = !game.position().side();
        game.play(text(&case, "holds").parse().expect("a move")).expect("a legal move");
        let ruling = judge(&game, RuleSet::Cn1999);
        assert_eq!(ruling.occurrences, 3, "{id}");
        assert_eq!(ruling.cycle_ruling, CycleRuling::Forbidden(other), "{id}: {ruling:#?}");
    }
}

/// The one case with labels from the rulebook.
#[test]
fn official_labels() {
    for case in cases().iter().filter(|case| !case["per_move_official"].is_null()) {
        for judged in judge(&game(case), RuleSet::Cn1999).moves {
            let label = case["per_move_official"][judged.played.to_string()].as_str().unwrap();
            assert!(label.starts_with(judged.class.name()), "{judged:?}: {label}");
        }
    }
}
