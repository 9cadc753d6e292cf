//! The search obeys the repetition rules (棋例): it does not complete a cycle that loses, holds on
//! where the other side would lose, and says so without calling it a mate.

#[path = "../crates/xiangqi/tests/common/mod.rs"]
mod common;

use chuhe::search::{Limits, Outcome, Searcher};
use std::time::Duration;
use xiangqi::{
    board::Position,
    game::Game,
    rules::{CycleRuling, RuleSet, judge},
    types::Move,
};

fn game(fen: &str, moves: &str) -> Game {
    let start: Position = fen.parse().expect(fen);
    Game::with_moves(start, moves.split_whitespace().map(|m| m.parse().expect(m))).expect(moves)
}

fn search(game: &Game, rules: RuleSet, depth: u32) -> Outcome {
    let limits = Limits {
        depth: Some(depth),
        move_time: Some(Duration::from_secs(10)),
        ..Limits::default()
    };
    let mut searcher = Searcher::new(4).expect("4 MiB");
    searcher.set_rules(rules);
    searcher.prepare(&limits);
    searcher.search(game, &limits, &mut |_| {})
}

/// A case of the corpus: where a cycle is closed for the second time.
#[derive(serde::Deserialize)]
struct Case {
    id: String,
    rule_set: String,
    fen: String,
    moves: Vec<String>,
    #[serde(default)]
    usable: bool,
    dup_of: Option<String>,
}

#[derive(serde::Deserialize)]
struct Cases {
    cases: Vec<Case>,
}

/// Goes on with the cycle that a game ends in until the side that must not is about to complete a
/// third occurrence; with the move that it must not play.
fn before_third(game: &Game, rules: RuleSet) -> Option<(Game, Move)> {
    let CycleRuling::Forbidden(side) = judge(game, rules).cycle_ruling else { return None };
    let first = game.earlier_occurrences().next()?;
    let cycle: Vec<Move> = game.moves().skip(first).collect();
    let mut game = game.clone();
    for &m in cycle.iter().cycle().take(3 * cycle.len()) {
        let mut after = game.clone();
        after.play(m).ok()?;
        if after.occurrences() >= 3 && game.position().side() == side {
            return Some((game, m));
        }
        game = after;
    }
    None
}

/// Whether the mover is mated at once whatever else it plays.
fn all_others_mated(position: &Position, m: Move) -> bool {
    position.legal_moves().into_iter().filter(|&other| other != m).all(|other| {
        let mut after = position.clone();
        after.make(other);
        after.legal_moves().into_iter().any(|reply| {
            let mut mated = after.clone();
            mated.make(reply);
            !mated.has_legal_move()
        })
    })
}

#[test]
fn a_side_at_fault_changes_before_the_third_occurrence() {
    let Some(file) = common::corpus("rules.json") else { return };
    let text = std::fs::read_to_string(file).expect("readable");
    let Cases { cases } = serde_json::from_str(&text).expect("cases");
    let mut asked = 0;
    for case in cases.iter().filter(|case| case.usable && case.dup_of.is_none()) {
        let rules = if case.rule_set.contains("1999") { RuleSet::Cn1999 } else { RuleSet::Axf };
        let Some((game, forbidden)) =
            before_third(&self::game(&case.fen, &case.moves.join(" ")), rules)
        else {
            continue;
        };
        let best = search(&game, rules, 8).best.expect("a move");
        asked += 1;
        if best == forbidden {
            let excused = all_others_mated(game.position(), forbidden);
            assert!(excused, "{} under {rules}: {best} completes the cycle", case.id);
        }
    }
    assert!(asked >= 60, "only {asked} cases came to a third occurrence");
}

/// A position in which a side is better off holding on: the other one must change or lose.
#[derive(serde::Deserialize)]
struct Hold {
    id: String,
    fen: String,
    moves: String,
    holds: String,
}

#[test]
fn a_side_in_the_right_holds_on() {
    let cases: Vec<Hold> =
        serde_json::from_str(include_str!("../crates/xiangqi/tests/data/hold_on.json"))
            .expect("positions");
    assert!(cases.len() >= 10);
    let wrong: Vec<String> = cases
        .iter()
        .filter_map(|case| {
            let found = search(&game(&case.fen, &case.moves), RuleSet::Cn1999, 8);
            let best = found.best.expect("a move").to_string();
            let holds = best == case.holds;
            (!holds).then(|| format!("{}: {best} ({}), not {}", case.id, found.score, case.holds))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_win_by_rule_is_no_mate_and_is_explained() {
    // The rook checks for ever, and must not; Black steps back for the third time.
    let fen = "4k4/R8/9/9/9/9/9/9/9/3K5 w - - 0 1";
    let game = game(fen, "a8a9 e9e8 a9a8 e8e9 a8a9 e9e8 a9a8");
    let limits = Limits { depth: Some(6), ..Limits::default() };
    let mut searcher = Searcher::new(4).expect("4 MiB");
    searcher.prepare(&limits);
    let mut explained = 0;
    searcher.search(&game, &limits, &mut |report| {
        assert!(!report.score.is_mate(), "{}", report.score);
        if report.score.is_rule() {
            let ruling = report.ruling.expect("a rule score comes with its ruling");
            assert_eq!(ruling.cycle_ruling, CycleRuling::Forbidden(xiangqi::types::Side::Red));
            explained += 1;
        }
    });
    assert!(explained > 0, "the win by rule was not seen");
}
