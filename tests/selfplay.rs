//! The engine plays whole games against itself over UCCI, from random openings at fixed nodes. An
//! illegal move, a panic, a stall or a missing or second answer fails the run.
//!
//! `SELFPLAY_GAMES` and `SELFPLAY_NODES` set the length (default: 20 games at 200 nodes a move).

mod client;

use client::{Client, is_answer};
use rand::{Rng, SeedableRng, rngs::StdRng};
use std::{collections::BTreeMap, env, time::Duration};
use xiangqi::{game::Game, rules, types::Move};

const STALL: Duration = Duration::from_secs(60);
const MAX_PLIES: usize = 400;

fn number(name: &str, default: u64) -> u64 {
    env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

fn start_engine() -> Client {
    let mut engine = Client::start();
    engine.send("ucci");
    assert_eq!(answer(&engine), "ucciok");
    engine.send("setoption hashsize 8");
    // This is about whole games, not about giving up.
    engine.send("setoption resign false");
    engine.send("setoption drawoffers false");
    engine
}

fn answer(engine: &Client) -> String {
    loop {
        let line = engine.line(STALL).expect("an answer");
        // What the engine says of the rules is no complaint.
        let complains =
            line.starts_with("info message") && !line.starts_with("info message repetition rule ");
        assert!(!complains, "{line}");
        if is_answer(&line) {
            return line;
        }
    }
}

/// The position as clients send it: in every other game the last capture's FEN with the quiet
/// moves since, else the start position with all moves.
fn position_command(game: &Game, from_capture: bool) -> String {
    let plies = game.plies().len();
    let since = if from_capture { game.reversible_plies() } else { plies };
    let start = game.position_at(plies - since);
    let moves: String = game.moves().skip(plies - since).map(|m| format!(" {m}")).collect();
    if from_capture {
        format!("position fen {} moves{moves}", start.fen())
    } else {
        format!("position startpos moves{moves}")
    }
}

/// Asks for one move; `None` if the engine says that there is none.
fn ask(engine: &mut Client, game: &Game, from_capture: bool, nodes: u64) -> Option<Move> {
    let position = position_command(game, from_capture);
    engine.send(&position);
    engine.send(&format!("go nodes {nodes}"));
    let line = answer(engine);
    // A second answer would come before this one.
    engine.send("isready");
    assert_eq!(answer(engine), "readyok", "after {line} to {position}");
    if line == "nobestmove" {
        return None;
    }
    let mut words = line.split(' ');
    assert_eq!(words.next(), Some("bestmove"), "{line} to {position}");
    let best = words.next().and_then(|word| word.parse().ok());
    Some(best.unwrap_or_else(|| panic!("{line} to {position}")))
}

/// How a game ended, or `None` while it goes on.
fn end_of(game: &Game) -> Option<&'static str> {
    let rules = rules::RuleSet::default();
    if !game.position().has_legal_move() {
        Some(if game.position().in_check() { "mate" } else { "stalemate" })
    } else if game.occurrences() >= 3 {
        Some("repetition")
    } else if rules::natural_limit_reached(game, rules) {
        Some("natural limit")
    } else if rules::material_draw(game) {
        Some("material")
    } else if game.plies().len() >= MAX_PLIES {
        Some("length")
    } else {
        None
    }
}

fn play(number: u64, engines: &mut [Client; 2], nodes: u64) -> (&'static str, usize) {
    let mut rng = StdRng::seed_from_u64(number);
    let mut game = Game::default();
    for _ in 0..rng.random_range(2..9) {
        let moves = game.position().legal_moves();
        if moves.is_empty() {
            break;
        }
        game.play_legal(moves[rng.random_range(0..moves.len())]);
    }
    for engine in engines.iter_mut() {
        engine.send("setoption newgame");
    }
    loop {
        if let Some(end) = end_of(&game) {
            if !game.position().has_legal_move() {
                let engine = &mut engines[game.plies().len() % 2];
                assert_eq!(ask(engine, &game, number % 2 == 1, nodes), None, "a lost root");
            }
            return (end, game.plies().len());
        }
        let engine = &mut engines[game.plies().len() % 2];
        let best = ask(engine, &game, number % 2 == 1, nodes);
        let best = best.unwrap_or_else(|| panic!("no move in {}", game.position().fen()));
        if let Err(error) = game.play(best) {
            panic!("game {number}: {error} in {}", game.position().fen());
        }
    }
}

/// Run by `make smoke` and `make selfplay`.
#[test]
#[ignore = "minutes long"]
fn whole_games() {
    let (games, nodes) = (number("SELFPLAY_GAMES", 20), number("SELFPLAY_NODES", 200));
    let mut engines = [start_engine(), start_engine()];
    let mut ends = BTreeMap::new();
    let mut plies = 0;
    for number in 0..games {
        let (end, length) = play(number, &mut engines, nodes);
        *ends.entry(end).or_insert(0u64) += 1;
        plies += length;
    }
    for engine in &mut engines {
        engine.send("quit");
        assert_eq!(answer(engine), "bye");
        assert!(engine.exit(Duration::from_secs(5)).expect("it exits").success());
        assert_eq!(engine.errors(), "");
    }
    println!(
        "{games} games of {plies} plies at {nodes} nodes a move: no illegal move, panic, stall or \
         missing answer; {ends:?}"
    );
    assert_eq!(ends.values().sum::<u64>(), games);
}
