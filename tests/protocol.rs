//! Random command sequences against the state machine: each `go` has one answer and no more, and
//! the options that the documentation lists are those that the engine has.

use chuhe::ucci::{
    self,
    options::{Kind, OPTIONS},
};
use rand::{Rng, SeedableRng, rngs::StdRng, seq::IndexedRandom};
use std::{
    io::{Cursor, Write},
    sync::{Arc, Mutex},
};

#[derive(Clone, Default)]
struct Sink(Arc<Mutex<Vec<u8>>>);

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// What the engine says to this input, from start to end.
fn session(input: &str) -> String {
    let sink = Sink::default();
    ucci::run(Cursor::new(input.as_bytes().to_vec()), sink.clone());
    let bytes = sink.0.lock().unwrap().clone();
    String::from_utf8(bytes).expect("the engine speaks UTF-8")
}

/// Commands that leave the engine idle or are ignored; none of them is a `go` or a `stop`.
const OTHERS: [&str; 22] = [
    "isready",
    "position startpos",
    "position startpos moves h2e2 h9g7",
    "position fen 3k5/1R7/9/9/9/9/9/9/9/R3K4 w",
    "position fen 3k5/3P5/9/9/9/9/9/9/9/3RK4 b",
    "position fen rubbish",
    "position startpos moves a0a9",
    "fen rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR r moves",
    "banmoves h2e2 b2e2",
    "setoption newgame",
    "setoption hashsize 1",
    "setoption multipv 3",
    "setoption multipv 1",
    "setoption name Skill Level value 3",
    "setoption randomness large",
    "setoption style risky",
    "setoption repetitionrule axf",
    "probe startpos",
    "ponderhit",
    "ponderhit draw",
    "nonsense \u{1}\u{2}",
    "",
];

/// Searches that end by themselves.
const LIMITED: [&str; 8] = [
    "go depth 2",
    "go depth 0",
    "go nodes 200",
    "go nodes 0",
    "go time 1",
    "go draw time 20 increment 1 opptime 20",
    "go movetime 2",
    "go depth 1 searchmoves a0a1 b2b3",
];

fn count_answers(output: &str) -> usize {
    let starts = ["bestmove ", "nobestmove"];
    output.lines().filter(|line| starts.iter().any(|start| line.starts_with(start))).count()
}

#[test]
fn each_go_of_a_batch_has_one_answer() {
    for seed in 0..150 {
        let mut rng = StdRng::seed_from_u64(seed);
        let dialect = if rng.random() { "ucci" } else { "uci" };
        let mut input = format!("{dialect}\nsetoption hashsize 1\nsetoption batch true\n");
        let (mut goes, mut readies) = (0, 0);
        for _ in 0..rng.random_range(1..30) {
            let line = if rng.random_bool(0.3) {
                goes += 1;
                *LIMITED.choose(&mut rng).unwrap()
            } else {
                *OTHERS.choose(&mut rng).unwrap()
            };
            readies += usize::from(line == "isready");
            input += line;
            input.push('\n');
        }
        let output = session(&input);
        assert_eq!(count_answers(&output), goes, "seed {seed}:\n{input}---\n{output}");
        let ready = output.lines().filter(|line| *line == "readyok").count();
        assert_eq!(ready, readies, "seed {seed}");
    }
}

#[test]
fn each_go_without_end_has_one_answer() {
    // In UCI, where an idle `stop` says nothing. A `go` while thinking has no answer of its own, so
    // the model is: thinking since a go, idle since a stop.
    for seed in 0..150 {
        let mut rng = StdRng::seed_from_u64(1000 + seed);
        let mut input = "uci\nsetoption hashsize 1\n".to_owned();
        let (mut thinking, mut expected) = (false, 0);
        for _ in 0..rng.random_range(1..30) {
            let line = match rng.random_range(0..4) {
                0 => {
                    thinking = true;
                    *["go", "go infinite"].choose(&mut rng).unwrap()
                }
                1 => {
                    expected += usize::from(thinking);
                    thinking = false;
                    "stop"
                }
                _ => *OTHERS.choose(&mut rng).unwrap(),
            };
            input += line;
            input.push('\n');
        }
        // The end of the input answers what is still open.
        expected += usize::from(thinking);
        let output = session(&input);
        assert_eq!(count_answers(&output), expected, "seed {seed}:\n{input}---\n{output}");
    }
}

#[test]
fn random_bytes_do_no_harm() {
    let words = ["ucci", "uci", "position", "fen", "startpos", "moves", "go", "depth", "1", "\n"];
    for seed in 0..300 {
        let mut rng = StdRng::seed_from_u64(seed);
        let mut input = b"ucci\nsetoption hashsize 1\n".to_vec();
        for _ in 0..rng.random_range(0..200) {
            if rng.random_bool(0.5) {
                input.push(rng.random());
            } else {
                input.extend(words.choose(&mut rng).unwrap().bytes());
                input.push(b' ');
            }
        }
        let sink = Sink::default();
        ucci::run(Cursor::new(input), sink.clone());
        let output = sink.0.lock().unwrap().clone();
        assert!(String::from_utf8(output).is_ok(), "seed {seed}");
    }
}

#[test]
fn the_documented_options_are_the_real_ones() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/protocol.md");
    let text = std::fs::read_to_string(path).expect("docs/protocol.md stands here");
    let table = text.lines().skip_while(|line| !line.starts_with("| UCCI | UCI |")).skip(2);
    let rows: Vec<Vec<&str>> = table
        .take_while(|line| line.starts_with('|'))
        .map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
        .collect();
    assert_eq!(rows.len(), OPTIONS.len());
    for (row, spec) in rows.iter().zip(&OPTIONS) {
        let (default, values) = match spec.kind {
            Kind::Check { default } => (default.to_string(), "check".to_owned()),
            Kind::Spin { default, min, max } => (default.to_string(), format!("{min}-{max}")),
            Kind::Combo(words) => (words[0].to_owned(), words.join(" ")),
            Kind::Button => (String::new(), "button".to_owned()),
        };
        assert_eq!(row[..4], [spec.ucci, spec.uci, &default, &values], "{row:?}");
    }
}
