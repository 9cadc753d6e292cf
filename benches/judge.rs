//! Time of the judge. `cargo bench --bench judge` prints, for the cycles of real play and for cycles
//! in sharp endgames, how long a ruling takes: typical, rare and worst. Data that is not there is
//! passed over.

use rand::{Rng, SeedableRng, rngs::StdRng, seq::IndexedRandom};
use std::{path::PathBuf, time::Instant};
use xiangqi::{
    board::Position,
    game::Game,
    rules::{Judge, RuleSet, judge},
};

/// Cycles judged of each kind.
const CYCLES: usize = 5_000;

const MIDDLEGAMES: [&str; 4] = [
    "r1bakab1r/9/1cn2cn2/p1p1p1p1p/9/2P6/P3P1P1P/1C2C1N2/9/RNBAKAB1R w - - 0 5",
    "r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w - - 0 1",
    "1r2kab1r/2c1a4/n1c1b1n2/4p2N1/p1p6/1C4P2/P1P1P4/2N1B3C/4A4/1RBAK2R1 w - - 0 1",
    "2bakab2/3r5/2n1c2c1/p1R1p1p2/7np/2P2CP2/P2rP3P/2N1C1N2/4A4/2B1KAB1R w - - 0 1",
];

fn main() {
    let middlegames: Vec<Position> =
        MIDDLEGAMES.iter().map(|fen| fen.parse().expect("a legal position")).collect();
    measure("middlegames", &middlegames);
    let endgames = sharp_endgames();
    if endgames.is_empty() {
        println!("sharp endgames: skipped, no data");
    } else {
        measure("sharp endgames", &endgames);
    }
}

/// The composed endgames of the collected mates.
fn sharp_endgames() -> Vec<Position> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../shared/corpus/mates/eleeye_endgames.ucci");
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let fens = text.lines().filter_map(|line| line.strip_prefix("position fen "));
    fens.filter_map(|fen| fen.parse().ok()).collect()
}

fn measure(name: &str, starts: &[Position]) {
    let mut rng = StdRng::seed_from_u64(1999);
    let mut games = Vec::new();
    while games.len() < CYCLES {
        let Some(start) = starts.choose(&mut rng) else { return };
        games.extend(repeating_game(&mut rng, start));
    }
    let capped = games
        .iter()
        .filter(|game| judge(game, RuleSet::Cn1999).moves.iter().any(|m| m.capped))
        .count();
    println!("{name}: a search reached its cap in {capped} of {} cycles", games.len());
    for rules in RuleSet::ALL {
        let times = games.iter().map(|game| seconds(|| _ = judge(game, rules)));
        report(&format!("{name}, {rules}, judge"), times.collect());
        let cold = games.iter().map(|game| seconds(|| _ = Judge::new(rules).cycle_ruling(game)));
        report(&format!("{name}, {rules}, ruling alone"), cold.collect());
    }
}

/// A random game up to its first repetition: each side often takes its last move back, at once or
/// a few moves later.
fn repeating_game(rng: &mut StdRng, start: &Position) -> Option<Game> {
    let mut game = Game::new(start.clone());
    for _ in 0..40 {
        let plies = game.plies();
        let back = plies.len().checked_sub(2).map(|i| plies[i].played.reversed());
        let moves = game.position().legal_moves();
        let m = match back {
            Some(back) if rng.random_bool(0.6) && moves.contains(&back) => back,
            _ => *moves.choose(rng)?,
        };
        game.play_legal(m);
        if game.occurrences() > 1 {
            return Some(game);
        }
    }
    None
}

/// The best of three runs: other work on the machine must not count.
fn seconds(mut work: impl FnMut()) -> f64 {
    let run = |_| {
        let begin = Instant::now();
        work();
        begin.elapsed().as_secs_f64()
    };
    (0..3).map(run).fold(f64::INFINITY, f64::min)
}

fn report(name: &str, mut times: Vec<f64>) {
    times.sort_by(f64::total_cmp);
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize] * 1e3;
    println!(
        "{name:<40} median {:>7.3} ms, 99% {:>7.3} ms, worst {:>7.3} ms",
        at(0.5),
        at(0.99),
        at(1.0)
    );
}
