//! What must hold of every ruling: symmetry, no dependence on where the cycle starts or how often
//! it was played, and a bound on random cycles.

mod common;

use rand::{Rng, SeedableRng, rngs::StdRng, seq::IndexedRandom};
use serde_json::Value;
use std::{path::PathBuf, time::Instant};
use xiangqi::{
    board::Position,
    game::Game,
    rules::{CycleRuling, Judge, RuleSet, judge},
    types::{Move, Side},
};

/// Every case as rules, start position and moves.
fn cases() -> Vec<(String, RuleSet, Position, Vec<Move>)> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let read = |path: &str| std::fs::read_to_string(root.join(path)).ok();
    let mut all = Vec::new();
    let mut add = |id: &Value, rules, fen: &Value, moves: Vec<Move>| {
        let id = id.as_str().unwrap().to_owned();
        all.push((id, rules, fen.as_str().unwrap().parse().unwrap(), moves));
    };
    let own =
        [("tests/data/cn1999.json", RuleSet::Cn1999), ("tests/data/league.json", RuleSet::League)];
    for (path, rules) in own {
        let cases: Vec<Value> = serde_json::from_str(&read(path).unwrap()).unwrap();
        for case in cases {
            let moves = case["moves"].as_str().unwrap().split(' ').map(|m| m.parse().unwrap());
            add(&case["id"], rules, &case["fen"], moves.collect());
        }
    }
    if let Some(path) = common::corpus("rules.json") {
        let text = std::fs::read_to_string(path).unwrap();
        let corpus: Value = serde_json::from_str(&text).unwrap();
        for case in corpus["cases"].as_array().unwrap() {
            let cn = case["rule_set"] == "CN1999";
            let rules = if cn { RuleSet::Cn1999 } else { RuleSet::Axf };
            let moves = case["moves"].as_array().unwrap().iter();
            let moves = moves.map(|m| m.as_str().unwrap().parse().unwrap());
            add(&case["id"], rules, &case["fen"], moves.collect());
        }
    } else {
        println!("skipped: the collected cases are not there");
    }
    all
}

fn rule(rules: RuleSet, start: &Position, moves: impl IntoIterator<Item = Move>) -> CycleRuling {
    let game = Game::with_moves(start.clone(), moves).expect("legal moves");
    let ruling = judge(&game, rules).cycle_ruling;
    assert_eq!(Judge::new(rules).cycle_ruling(&game), ruling, "{}", start.fen());
    ruling
}

const fn swapped(ruling: CycleRuling) -> CycleRuling {
    match ruling {
        CycleRuling::Forbidden(Side::Red) => CycleRuling::Forbidden(Side::Black),
        CycleRuling::Forbidden(Side::Black) => CycleRuling::Forbidden(Side::Red),
        other => other,
    }
}

#[test]
fn colours_and_mirror() {
    for (id, rules, start, moves) in cases() {
        let ruling = rule(rules, &start, moves.iter().copied());
        let flipped = rule(rules, &start.colour_flipped(), moves.iter().map(|m| m.flipped()));
        assert_eq!(flipped, swapped(ruling), "{id}: colours");
        let mirrored = rule(rules, &start.mirrored(), moves.iter().map(|m| m.mirrored()));
        assert_eq!(mirrored, ruling, "{id}: mirror");
        // The classes too.
        let classes = |start: &Position, moves: Vec<Move>| -> Vec<_> {
            let game = Game::with_moves(start.clone(), moves).unwrap();
            judge(&game, rules).moves.iter().map(|m| (m.class, m.how)).collect()
        };
        let mirrored = moves.iter().map(|m| m.mirrored()).collect();
        assert_eq!(classes(&start, moves), classes(&start.mirrored(), mirrored), "{id}: classes");
    }
}

#[test]
fn start_and_repeats_do_not_matter() {
    for (id, rules, start, moves) in cases() {
        let game = Game::with_moves(start.clone(), moves.iter().copied()).unwrap();
        let ruling = judge(&game, rules);
        let Some(cycle) = ruling.cycle else { panic!("{id}: no cycle") };
        // Where the span holds several cycles, a rotation would judge another span.
        let single = game.earlier_occurrences().next() == Some(cycle.first_ply - 1);
        let moves = &moves[cycle.first_ply - 1..];
        let start = game.position_at(cycle.first_ply - 1);
        for times in 1..=3 {
            let repeated = std::iter::repeat_n(moves, times).flatten().copied();
            let again = rule(rules, &start, repeated);
            assert_eq!(again, ruling.cycle_ruling, "{id}: {times} times");
        }
        if !single || rules == RuleSet::Axf {
            // Under the Asian rules two equal positions in a cycle can cut the span short.
            continue;
        }
        let mut rotated = moves.to_vec();
        let mut position = start.clone();
        for _ in 1..moves.len() {
            position.make(rotated[0]);
            rotated.rotate_left(1);
            let game = Game::with_moves(position.clone(), rotated.iter().copied()).unwrap();
            if game.occurrences() > 2 {
                continue; // From here the last cycle is a shorter one.
            }
            let again = rule(rules, &position, rotated.iter().copied());
            assert_eq!(again, ruling.cycle_ruling, "{id}: from {}", rotated[0]);
        }
    }
}

/// A random game that goes back and forth a lot: each side often takes its last move back.
fn walk(rng: &mut StdRng, start: &Position, plies: usize) -> Game {
    let mut game = Game::new(start.clone());
    for _ in 0..plies {
        let back = game.plies().len().checked_sub(2).map(|i| game.plies()[i].played.reversed());
        let moves = game.position().legal_moves();
        let m = match back {
            Some(back) if rng.random_bool(0.7) && moves.contains(&back) => Some(back),
            _ => moves.choose(rng).copied(),
        };
        let Some(m) = m else { break };
        game.play_legal(m);
    }
    game
}

fn judge_walks(count: usize, seed: u64) -> (usize, f64) {
    let starts: Vec<Position> = cases().into_iter().map(|(_, _, start, _)| start).collect();
    let mut rng = StdRng::seed_from_u64(seed);
    let (mut cycles, mut slowest) = (0, 0.0f64);
    for i in 0..count {
        let start = if i % 3 == 0 { &Position::start() } else { starts.choose(&mut rng).unwrap() };
        let game = walk(&mut rng, start, 24);
        let rules = RuleSet::ALL[i % 3];
        let mut shorter = game.clone();
        while shorter.occurrences() < 2 && shorter.take_back().is_some() {}
        cycles += usize::from(shorter.occurrences() >= 2);
        let begin = Instant::now();
        let ruling = judge(&shorter, rules);
        slowest = slowest.max(begin.elapsed().as_secs_f64());
        assert_eq!(Judge::new(rules).cycle_ruling(&shorter), ruling.cycle_ruling);
    }
    (cycles, slowest)
}

#[test]
fn random_repeating_walks() {
    let (cycles, slowest) = judge_walks(20_000, 1999);
    println!("{cycles} cycles, slowest {:.1} ms", slowest * 1000.0);
    assert!(cycles > 10_000, "{cycles}");
}
