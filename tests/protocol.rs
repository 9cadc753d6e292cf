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

/// Commands that begin no search and end none, but for `ponderhit`.
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

/// What the session waits for.
#[derive(Clone, Copy, PartialEq)]
enum State {
    Idle,
    /// `stop`.
    Endless,
    /// `ponderhit` or `stop`.
    Pondering,
}

/// A model of the session in one letter an answer: M for `bestmove` or `nobestmove`, R for
/// `readyok`, P for `pophash`, B for `bye`. With `batch` on nothing is read before a limited search
/// has answered, so there is only one right order.
struct Model {
    state: State,
    is_ucci: bool,
    answers: String,
}

impl Model {
    fn answer_if(&mut self, states: &[State]) -> bool {
        let answers = states.contains(&self.state);
        if answers {
            self.answers.push('M');
            self.state = State::Idle;
        }
        answers
    }

    fn read(&mut self, line: &str) {
        let idle = self.state == State::Idle;
        match line {
            "isready" => self.answers.push('R'),
            _ if line.starts_with("probe") => self.answers.push('P'),
            _ if line.starts_with("ponderhit") => {
                self.answer_if(&[State::Pondering]);
            }
            "stop" => {
                let answered = self.answer_if(&[State::Endless, State::Pondering]);
                if !answered && self.is_ucci {
                    self.answers.push('M');
                }
            }
            "go" | "go infinite" if idle => self.state = State::Endless,
            _ if line.starts_with("go ponder") && idle => self.state = State::Pondering,
            _ if line.starts_with("go ") && idle => self.answers.push('M'),
            _ => {}
        }
    }

    /// The end of the input answers what is still open.
    fn end(&mut self) {
        self.answer_if(&[State::Endless, State::Pondering]);
        if self.is_ucci {
            self.answers.push('B');
        }
    }
}

/// The answers of an output in the same letters.
fn letters(output: &str) -> String {
    let letter = |line: &str| match line.split(' ').next()? {
        "bestmove" | "nobestmove" => Some('M'),
        "readyok" => Some('R'),
        "pophash" => Some('P'),
        "bye" => Some('B'),
        "info" | "id" | "option" | "ucciok" | "uciok" => None,
        _ => Some('?'),
    };
    output.lines().filter_map(letter).collect()
}

#[test]
fn the_answers_come_in_the_order_of_the_model() {
    const GOES: [&str; 8] = [
        "go",
        "go infinite",
        "go ponder depth 2",
        "go ponder time 20 increment 1 opptime 20",
        "go ponder draw depth 1",
        "stop",
        "stop",
        "ponderhit",
    ];
    for seed in 0..300 {
        let mut rng = StdRng::seed_from_u64(1000 + seed);
        let is_ucci = rng.random();
        let dialect = if is_ucci { "ucci" } else { "uci" };
        let mut input = format!("{dialect}\nsetoption hashsize 1\nsetoption batch true\n");
        let mut model = Model { state: State::Idle, is_ucci, answers: String::new() };
        for _ in 0..rng.random_range(1..40) {
            let line = match rng.random_range(0..10) {
                0..4 => *GOES.choose(&mut rng).unwrap(),
                4..6 => *LIMITED.choose(&mut rng).unwrap(),
                _ => *OTHERS.choose(&mut rng).unwrap(),
            };
            model.read(line);
            input += line;
            input.push('\n');
        }
        model.end();
        let output = session(&input);
        assert_eq!(letters(&output), model.answers, "seed {seed}:\n{input}---\n{output}");
    }
}

#[test]
fn randomness_changes_play_from_game_to_game() {
    let moves = |randomness: &str| {
        let game = "setoption newgame\nposition startpos\ngo depth 3\n";
        let head = "ucci\nsetoption hashsize 1\nsetoption batch true\nsetoption randomness";
        let output = session(&format!("{head} {randomness}\n{}", game.repeat(20)));
        let best = |line: &str| Some(line.strip_prefix("bestmove ")?.split(' ').next()?.to_owned());
        let moves: Vec<String> = output.lines().filter_map(best).collect();
        assert_eq!(moves.len(), 20);
        moves.into_iter().collect::<std::collections::BTreeSet<_>>()
    };
    assert_eq!(moves("none").len(), 1);
    assert!(moves("large").len() > 1);
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
            Kind::Text { default } => (default.to_owned(), "file".to_owned()),
            Kind::Button => (String::new(), "button".to_owned()),
        };
        assert_eq!(row[..4], [spec.ucci, spec.uci, &default, &values], "{row:?}");
    }
}
