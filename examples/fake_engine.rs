//! An engine that misbehaves in one chosen way, for the referee's tests:
//! `fake_engine PROTOCOL BEHAVIOUR [DETAIL]`. Otherwise it plays legal moves picked by the position
//! alone, so that it plays the same game every time.

use std::{
    io::{BufRead, Write},
    process::{Command, Stdio},
    time::Duration,
};
use xiangqi::{
    board::Position,
    game::Game,
    types::{Move, Square},
};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let mut next = || arguments.next().unwrap_or_default();
    let (protocol, behaviour, detail) = (next(), next(), next());
    if protocol.is_empty() {
        eprintln!("fake_engine PROTOCOL BEHAVIOUR [DETAIL]");
        return;
    }
    let mut fake = Fake {
        from_one: protocol == "uci1",
        ucci: protocol == "ucci",
        behaviour,
        detail,
        game: Game::default(),
        banned: Vec::new(),
        asked: 0,
    };
    fake.before_start();
    for line in std::io::stdin().lock().lines() {
        let Ok(line) = line else { return };
        if !fake.obey(&line) {
            return;
        }
    }
}

struct Fake {
    from_one: bool,
    ucci: bool,
    behaviour: String,
    detail: String,
    game: Game,
    banned: Vec<Move>,
    asked: usize,
}

fn say(text: &str) {
    let mut out = std::io::stdout().lock();
    // A referee that has gone away is no reason to complain.
    let _ = writeln!(out, "{text}");
    let _ = out.flush();
}

fn sleep_ms(millis: u64) {
    std::thread::sleep(Duration::from_millis(millis));
}

fn sleep_for_ever() -> ! {
    loop {
        sleep_ms(1000);
    }
}

impl Fake {
    fn is(&self, behaviour: &str) -> bool {
        self.behaviour == behaviour
    }

    fn number(&self) -> u64 {
        self.detail.parse().unwrap_or(0)
    }

    #[expect(clippy::zombie_processes, reason = "leaving a child behind is the misbehaviour")]
    fn before_start(&self) {
        match self.behaviour.as_str() {
            "dead" => std::process::exit(3),
            "deaf" => sleep_for_ever(),
            "slow-start" => sleep_ms(self.number()),
            // Leaves a child behind that holds our pipes, and writes its number down.
            "parent" => {
                let program = std::env::current_exe().expect("a path");
                let child = Command::new(program)
                    .args(["ucci", "deaf"])
                    .stdin(Stdio::null())
                    .spawn()
                    .expect("a child");
                std::fs::write(&self.detail, child.id().to_string()).expect("a file");
            }
            _ => {}
        }
    }

    fn obey(&mut self, line: &str) -> bool {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("ucci") if self.ucci => {
                say("id name fake\noption usemillisec type check default true\nucciok");
            }
            Some("uci") if !self.ucci => {
                say("id name fake");
                if self.from_one {
                    say("option name UCI_Variant type combo default xiangqi var xiangqi");
                }
                say("uciok");
            }
            Some("isready") if !self.is("never-ready") => say("readyok"),
            Some("position") => self.set_position(words),
            Some("banmoves") => self.banned = words.map(|m| self.read(m)).collect(),
            Some("go") => self.think(words),
            // Its answer and the `stop` have crossed, and it says so when its next move is due.
            Some("stop") if self.is("crossing") => {
                say(&format!("bestmove {}", self.write(self.pick())));
            }
            Some("stop") if self.is("late") => {
                sleep_ms(300);
                say(&format!("bestmove {}", self.write(self.pick())));
            }
            Some("quit") if !self.is("parent") => return false,
            _ => {}
        }
        true
    }

    fn set_position<'a>(&mut self, words: impl Iterator<Item = &'a str>) {
        let words: Vec<&str> = words.collect();
        let at = words.iter().position(|word| *word == "moves").unwrap_or(words.len());
        let start = match words[0] {
            "fen" => words[1..at].join(" ").parse().expect("a FEN"),
            _ => Position::start(),
        };
        let moves = words[at..].iter().skip(1).map(|m| self.read(m));
        self.game = Game::with_moves(start, moves).expect("legal moves");
        self.banned.clear();
    }

    fn read(&self, text: &str) -> Move {
        if !self.from_one {
            return text.parse().expect("a move");
        }
        let split = text[1..].find(char::is_alphabetic).expect("two squares") + 1;
        let square = |text: &str| {
            let rank: u8 = text[1..].parse().expect("a rank");
            Square::new(text.as_bytes()[0] - b'a', rank - 1).expect("a square")
        };
        Move::new(square(&text[..split]), square(&text[split..])).expect("a move")
    }

    fn write(&self, m: Move) -> String {
        let square = |s: Square| format!("{}{}", (b'a' + s.file()) as char, s.rank() + 1);
        if self.from_one { square(m.from()) + &square(m.to()) } else { m.to_string() }
    }

    /// A legal move that depends on the position alone.
    fn pick(&self) -> Move {
        let mut moves = self.game.position().legal_moves();
        moves.retain(|m| !self.banned.contains(m));
        let key = self.game.position().key().0.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 33;
        moves[key as usize % moves.len()]
    }

    /// The script's move for this square of the board, else any.
    fn scripted(&self, obedient: bool) -> Move {
        let position = self.game.position();
        let mut script = self.detail.split('-').map(|m| m.parse::<Move>().expect("a move"));
        let fits = |m: &Move| position.is_legal(*m) && !(obedient && self.banned.contains(m));
        script.find(fits).unwrap_or_else(|| self.pick())
    }

    fn think<'a>(&mut self, words: impl Iterator<Item = &'a str>) {
        self.asked += 1;
        let words: Vec<&str> = words.collect();
        if let Some(at) = words.iter().position(|word| *word == "searchmoves") {
            let allowed: Vec<Move> = words[at + 1..].iter().map(|m| self.read(m)).collect();
            self.banned = self.game.position().legal_moves().to_vec();
            self.banned.retain(|m| !allowed.contains(m));
        }
        let best = self.write(self.pick());
        match self.behaviour.as_str() {
            "slow" => sleep_ms(self.number()),
            "crossing" if self.asked > 1 => return say("nobestmove"),
            "silent" | "late" | "crossing" => return,
            "deaf-later" => sleep_for_ever(),
            "say" => return say(&format!("bestmove {}", self.detail)),
            "illegal" => return say("bestmove a0a9"),
            "garbage" => return say("bestmove \u{1}\u{2}炮二平五"),
            "die" if self.asked == 3 => std::process::exit(7),
            "resign" => return say(&format!("bestmove {best} resign")),
            "nomove" => return say("nobestmove"),
            "draws" => return say(&format!("bestmove {best} draw")),
            "script" => return say(&format!("bestmove {}", self.write(self.scripted(false)))),
            "obedient" => return say(&format!("bestmove {}", self.write(self.scripted(true)))),
            "twice" => say(&format!("bestmove {best}")),
            "flood" => {
                for _ in 0..20_000 {
                    say("info string \u{fffd} bestmove a0a1 readyok and more of it");
                }
            }
            "endless" => loop {
                say("info depth 1 score 1 nodes 1 pv a0a1");
            },
            "longline" => {
                let part = vec![b'x'; 1 << 16];
                for _ in 0..100 {
                    let _ = std::io::stdout().lock().write_all(&part);
                }
                say("");
            }
            _ => {}
        }
        say(&format!("info depth 4 score {} nodes 1234 pv {best}", self.detail.len()));
        say(&format!("bestmove {best}"));
    }
}
