//! The hand-written evaluation: symmetries, and what a beginner knows.

#[path = "../crates/xiangqi/tests/common/mod.rs"]
mod common;

use chuhe::{
    eval::{
        Score, evaluate,
        hce::{FULL_PHASE, Sink, collect, phase},
        params::{COUNT, MATERIAL, TEMPO, WEIGHTS},
    },
    train::{
        Record, WinDrawLoss,
        model::Target,
        tune::{Samples, Settings, fit, tables},
    },
};
use common::walk_positions;
use xiangqi::{
    board::Position,
    types::{Kind, Side},
};

#[test]
fn colours_and_left_and_right_do_not_matter() {
    for position in walk_positions(0..60, 150) {
        let score = evaluate(&position);
        assert_eq!(evaluate(&position.colour_flipped()), score, "{position}");
        assert_eq!(evaluate(&position.mirrored()), score, "{position}");
        assert!(!score.is_decisive(), "{position}");
    }
}

/// Collects the counts, as a tuner does.
struct Counts(Vec<i32>);

impl Sink for Counts {
    fn add(&mut self, side: Side, index: usize, count: i32) {
        self.0[index] += if side == Side::Red { count } else { -count };
    }
}

#[test]
fn the_collected_counts_give_the_evaluation() {
    for position in walk_positions(60..70, 100) {
        let mut counts = Counts(vec![0; COUNT]);
        collect(&position, &mut counts);
        let sum = |pick: fn(&(i16, i16)) -> i16| {
            let terms = counts.0.iter().zip(&WEIGHTS);
            terms.map(|(count, weight)| count * i32::from(pick(weight))).sum::<i32>()
        };
        let (middlegame, endgame) = (sum(|w| w.0), sum(|w| w.1));
        let phase = phase(&position);
        assert!((0..=FULL_PHASE).contains(&phase));
        let red = (middlegame * phase + endgame * (FULL_PHASE - phase)) / FULL_PHASE;
        let mover = if position.side() == Side::Red { red } else { -red };
        assert_eq!(evaluate(&position), Score(mover), "{position}");
    }
}

fn red_score(fen: &str) -> i32 {
    let position: Position = fen.parse().expect(fen);
    assert_eq!(position.side(), Side::Red);
    evaluate(&position).0
}

#[test]
fn the_better_of_two_positions_scores_higher() {
    // (better for Red, worse for Red), otherwise alike.
    let pairs = [
        // An empty head cannon against one that stands aside.
        (
            "rnbakabnr/9/1c5c1/p1p3p1p/9/9/P1P3P1P/4C4/4A4/RNB1KABNR w",
            "rnbakabnr/9/1c5c1/p1p3p1p/9/9/P1P3P1P/7C1/4A4/RNB1KABNR w",
        ),
        // A soldier across the river against one at home.
        ("3ak4/9/9/9/4P4/9/9/9/9/4KA3 w", "3ak4/9/9/9/9/4P4/9/9/9/4KA3 w"),
        // A horse with free legs against one behind its soldier.
        (
            "rnbakabnr/9/1c5c1/p1p1p1p1p/9/6P2/P1P1P3P/1C4NC1/9/RNBAKAB1R w",
            "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C4NC1/9/RNBAKAB1R w",
        ),
        // Two soldiers side by side across the river against two apart.
        ("3a1k3/9/9/2PP5/9/9/9/9/9/4KA3 w", "3a1k3/9/9/P4P3/9/9/9/9/9/4KA3 w"),
    ];
    for (better, worse) in pairs {
        assert!(red_score(better) > red_score(worse), "{better}\n{worse}");
    }
}

#[test]
fn the_start_is_level_but_for_the_move() {
    let score = evaluate(&Position::start());
    assert!(score > Score(0) && score < Score(60), "{score:?}");
}

#[test]
fn a_fit_finds_what_the_scores_say() {
    // The scores are the evaluation's own, but for rooks, which are worth 80 more.
    let record = |position: Position| {
        let rooks = |side| position.pieces(side, Kind::Rook).len() as i32;
        let mover = position.side();
        let score = evaluate(&position).0 + 80 * (rooks(mover) - rooks(!mover));
        Record::new(&position, score as i16, WinDrawLoss::Draw)
    };
    let records: Vec<Record> = walk_positions(70..110, 150).map(record).collect();
    let target = Target { scale: 400.0, result_share: 0.0 };
    let settings = Settings { target, epochs: 10, batch: 256, rate: 0.03, decay: 0.0, seed: 1 };
    let samples = Samples::new(&records, target);
    let mut losses = Vec::new();
    let offsets = fit([&samples, &samples], &settings, |_, loss, _| losses.push(loss));
    assert_eq!(losses.len(), 11);
    assert!(losses[10] < losses[0] / 4.0, "{losses:?}");
    // In hundreds; tables of squares and mobility take a part of it.
    let rook = offsets[2 * (MATERIAL + Kind::Rook.index())];
    let horse = offsets[2 * (MATERIAL + Kind::Horse.index())];
    assert!(rook > 0.2 && horse.abs() < 0.1, "rook {rook} horse {horse}");
    // Without offsets the tables are those of the source.
    let (tempo, king) = (WEIGHTS[TEMPO], WEIGHTS[MATERIAL]);
    let begin = format!("TEMPO: 1 = [{tempo:?}];\nMATERIAL: 7 = [{king:?}, ");
    assert!(tables(&vec![0.0; 2 * COUNT]).starts_with(&begin));
}

/// The command says what the engine would see: here that a cannon alone wins nothing, whatever the
/// terms add up to.
#[test]
fn the_command_shows_the_evaluation_in_use() {
    let fen = "3k5/9/9/9/9/9/9/9/4C4/4K4 w - - 0 1";
    assert!(evaluate(&fen.parse().unwrap()).0 > 200);
    for net in ["", "hce"] {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_chuhe"));
        let output = command.args(["eval", "--fen", fen, "--net", net]).output().unwrap();
        assert!(output.status.success());
        let text = String::from_utf8(output.stdout).unwrap();
        let (what, score) = text.trim_end().lines().last().unwrap().rsplit_once(": ").unwrap();
        assert_eq!(what.contains("network ("), net.is_empty(), "{what}");
        assert!(score.parse::<i32>().unwrap().abs() < 30, "{score}");
    }
}
