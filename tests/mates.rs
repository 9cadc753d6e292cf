//! Forced mates are found. The rates over the whole collections are printed by `make mates`.

#[path = "../crates/xiangqi/tests/common/mod.rs"]
mod common;

use chuhe::{
    eval::Score,
    search::{Limits, Searcher},
};
use std::time::{Duration, Instant};
use xiangqi::{board::Position, game::Game};

/// A position with a mate for the side to move.
#[derive(serde::Deserialize)]
struct Mate {
    fen: String,
    mate_in_at_most: u32,
}

#[derive(serde::Deserialize)]
struct Mates {
    cases: Vec<Mate>,
}

fn mates() -> Vec<Mate> {
    let Some(file) = common::corpus("mates/mates_public.json") else { return Vec::new() };
    let text = std::fs::read_to_string(file).expect("readable");
    let Mates { cases } = serde_json::from_str(&text).expect("cases");
    cases
}

/// The score after a search that ends at a mate in `moves` or fewer, or at the other limits.
fn score(searcher: &mut Searcher, fen: &str, limits: &Limits) -> Score {
    let game = Game::new(fen.parse::<Position>().expect(fen));
    searcher.clear();
    searcher.prepare(limits);
    searcher.search(&game, limits, &mut |_| {}).score
}

fn is_win(score: Score) -> bool {
    score.is_mate() && score > Score::DRAW
}

#[test]
fn mates_in_one_to_three_are_found_within_few_nodes() {
    let mut searcher = Searcher::new(4).expect("4 MiB");
    for (moves, nodes, least) in [(1, 2_000, 100), (2, 40_000, 97), (3, 80_000, 90)] {
        let cases = mates().into_iter().filter(|case| case.mate_in_at_most == moves);
        let limits = Limits { nodes: Some(nodes), mate: Some(moves), ..Limits::default() };
        let found: Vec<bool> =
            cases.take(100).map(|case| is_win(score(&mut searcher, &case.fen, &limits))).collect();
        let count = found.iter().filter(|&&found| found).count();
        assert!(count * 100 >= least * found.len(), "mates in {moves}: {count} of {}", found.len());
    }
}

/// The last check looks as if it lost its piece in exchange, but the defender that could take is
/// pinned. Mates in two that were not found within seconds while such checks were left out.
#[test]
fn mates_by_checks_that_look_lost_are_found() {
    let mut searcher = Searcher::new(4).expect("4 MiB");
    let limits = Limits { nodes: Some(60_000), mate: Some(2), ..Limits::default() };
    for fen in [
        "r4a2r/1N1kaR3/1n3R2b/3Cn3p/p8/4C1P2/1p2c3P/4B4/4A4/c2A1KB2 w - - 0 1",
        "3ak1b1r/r3aR3/4R3n/p3p4/6p1p/6P2/8P/9/4A4/2BAK1B2 w - - 0 1",
        "4ka3/1n1Ra4/4r4/p1p1R3p/5P3/4C4/P4r2P/4BA3/9/2B1KA3 w - - 0 1",
    ] {
        assert_eq!(score(&mut searcher, fen, &limits).mate_distance_moves(), Some(2), "{fen}");
    }
}

/// Prints how many mates of each length are found within `seconds` each.
fn print_rates(lengths: &[u32], seconds: u64) {
    let mut searcher = Searcher::new(64).expect("64 MiB");
    for &moves in lengths {
        let (mut all, mut found, mut as_short) = (0, 0, 0);
        let begin = Instant::now();
        for case in mates().iter().filter(|case| case.mate_in_at_most == moves) {
            let limits = Limits {
                move_time: Some(Duration::from_secs(seconds)),
                mate: Some(moves),
                ..Limits::default()
            };
            let score = score(&mut searcher, &case.fen, &limits);
            all += 1;
            found += u32::from(is_win(score));
            let distance = score.mate_distance_moves().unwrap_or(0);
            as_short += u32::from(distance > 0 && distance.unsigned_abs() <= moves);
        }
        println!(
            "mates in {moves}: {found} of {all} found within {seconds} s each ({:.1}%), {as_short} \
             as short as known, {:.1} s in all",
            100.0 * f64::from(found) / f64::from(all.max(1)),
            begin.elapsed().as_secs_f64()
        );
    }
}

#[test]
#[ignore = "minutes; run by `make mates`"]
fn rates_at_one_second() {
    print_rates(&[1, 2, 3], 1);
}

#[test]
#[ignore = "minutes; run by `make mates`"]
fn rates_at_two_seconds() {
    print_rates(&[1, 2, 3, 4, 5, 6], 2);
}

/// The composed endgames: the result is printed, nothing is asserted.
#[test]
#[ignore = "minutes; run by `make mates`"]
fn composed_endgames() {
    let Some(file) = common::corpus("mates/eleeye_endgames.ucci") else { return };
    let text = std::fs::read_to_string(file).expect("readable");
    let mut searcher = Searcher::new(64).expect("64 MiB");
    let limits =
        Limits { move_time: Some(Duration::from_secs(1)), mate: Some(60), ..Limits::default() };
    let (mut all, mut mated, mut won) = (0, 0, 0);
    for fen in text.lines().filter_map(|line| line.strip_prefix("position fen ")) {
        if fen.parse::<Position>().is_err() {
            println!("no legal position: {fen}");
            continue;
        }
        let score = score(&mut searcher, fen, &limits);
        all += 1;
        mated += u32::from(is_win(score));
        won += u32::from(score > Score::MINOR);
    }
    println!("composed endgames, 1 s each: {all} positions, {mated} mates, {won} winning scores");
}
