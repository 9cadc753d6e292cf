//! The player of dialogues: reads a script line by line and holds the engine to it.

use crate::client::{Client, is_answer};
use std::time::{Duration, Instant};

struct Player {
    client: Client,
    /// How long an expected line may take.
    limit: Duration,
    /// All that the engine has said.
    heard: Vec<String>,
    exited: bool,
}

/// Plays a dialogue; the error says which line went wrong and how.
pub fn play(script: &str) -> Result<(), String> {
    let mut player = Player {
        client: Client::start(),
        limit: Duration::from_secs(20),
        heard: Vec::new(),
        exited: false,
    };
    for (n, line) in script.lines().enumerate() {
        player.step(line).map_err(|why| format!("line {}: {why}", n + 1))?;
    }
    player.end()
}

impl Player {
    fn step(&mut self, line: &str) -> Result<(), String> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "" | "#" => Ok(()),
            ">" => {
                let mut bytes = unescape(rest);
                bytes.push(b'\n');
                self.client.send_bytes(&bytes);
                Ok(())
            }
            // No line end behind it.
            ">>" => {
                self.client.send_bytes(&unescape(rest));
                Ok(())
            }
            "<" => self.expect(rest),
            "<<" => self.skip_to(rest),
            "within" => {
                self.limit = duration(rest)?;
                Ok(())
            }
            "silence" => self.silence(duration(rest)?),
            "never" => match self.heard.iter().find(|line| matches(rest, line)) {
                Some(line) => Err(format!("there was {line:?}")),
                None => Ok(()),
            },
            "at-most" => self.at_most(rest),
            "close" => {
                self.client.close_input();
                Ok(())
            }
            "exit" => self.exit(),
            "repeat" => self.repeat(rest),
            "self-play" => self.self_play(rest),
            _ => Err(format!("what is {line:?}?")),
        }
    }

    fn hear(&mut self, limit: Duration) -> Result<String, String> {
        let line = self.client.line(limit)?;
        self.heard.push(line.clone());
        Ok(line)
    }

    /// The next answer, or the next line of progress that fits, must be this.
    fn expect(&mut self, pattern: &str) -> Result<(), String> {
        let end = Instant::now() + self.limit;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            let line = self.hear(left).map_err(|why| format!("waiting for {pattern:?}: {why}"))?;
            if matches(pattern, &line) {
                return Ok(());
            }
            if is_answer(&line) {
                return Err(format!("got {line:?} instead of {pattern:?}"));
            }
        }
    }

    /// Some line must be this; all before it are passed over.
    fn skip_to(&mut self, pattern: &str) -> Result<(), String> {
        let end = Instant::now() + self.limit;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            let line = self.hear(left).map_err(|why| format!("waiting for {pattern:?}: {why}"))?;
            if matches(pattern, &line) {
                return Ok(());
            }
        }
    }

    /// No answer may come for a while.
    fn silence(&mut self, time: Duration) -> Result<(), String> {
        let end = Instant::now() + time;
        while let Ok(line) = self.hear(end.saturating_duration_since(Instant::now())) {
            if is_answer(&line) {
                return Err(format!("not asked for: {line:?}"));
            }
        }
        Ok(())
    }

    /// `at-most N PATTERN`: no more lines than that looked like this so far.
    fn at_most(&mut self, text: &str) -> Result<(), String> {
        let (count, pattern) = text.split_once(' ').ok_or("at-most N PATTERN")?;
        let count: usize = count.parse().map_err(|_| "no number")?;
        let found = self.heard.iter().filter(|line| matches(pattern, line)).count();
        if found > count { Err(format!("{found} lines like {pattern:?}")) } else { Ok(()) }
    }

    fn exit(&mut self) -> Result<(), String> {
        self.silence(Duration::from_millis(0))?;
        let status = self.client.exit(self.limit)?;
        self.exited = true;
        while let Ok(line) = self.hear(Duration::from_secs(1)) {
            if is_answer(&line) {
                return Err(format!("not asked for: {line:?}"));
            }
        }
        let errors = self.client.errors();
        match status.success() && errors.is_empty() {
            true => Ok(()),
            false => Err(format!("{status}, standard error: {errors:?}")),
        }
    }

    /// `repeat N TEXT AFTER`: one line of TEXT and N times AFTER, for lines too long to write down.
    fn repeat(&mut self, text: &str) -> Result<(), String> {
        let mut parts = text.splitn(3, " | ");
        let (Some(count), Some(start), Some(again)) = (parts.next(), parts.next(), parts.next())
        else {
            return Err("repeat COUNT | START | AGAIN".to_owned());
        };
        let count = count.parse().map_err(|_| "no count")?;
        let line = format!("{start}{}\n", again.repeat(count));
        self.client.send_bytes(&unescape(&line));
        Ok(())
    }

    /// `self-play PLIES GO`: the engine answers GO for both sides until a side has no move or so
    /// many plies are played.
    fn self_play(&mut self, text: &str) -> Result<(), String> {
        let (plies, go) = text.split_once(' ').ok_or("self-play PLIES GO")?;
        let plies: usize = plies.parse().map_err(|_| "no number of plies")?;
        let mut game = xiangqi::game::Game::default();
        let mut position = "position startpos moves".to_owned();
        while game.plies().len() < plies {
            self.client.send(&position);
            self.client.send(go);
            self.expect("bestmove * | nobestmove")?;
            let answer = self.heard.last().cloned().unwrap_or_default();
            let Some(best) = answer.split(' ').nth(1) else {
                return match game.position().has_legal_move() {
                    true => Err(format!("{answer} after {position}")),
                    false => Ok(()),
                };
            };
            let best = best.parse().map_err(|_| format!("{answer} after {position}"))?;
            game.play(best).map_err(|error| format!("{error} after {position}"))?;
            position += &format!(" {best}");
        }
        Ok(())
    }

    /// The script is over: the engine leaves, and has said nothing that was not expected.
    fn end(&mut self) -> Result<(), String> {
        if self.exited {
            return Ok(());
        }
        self.silence(Duration::from_millis(50))?;
        self.client.send("quit");
        self.client.close_input();
        self.limit = Duration::from_secs(5);
        let end = Instant::now() + self.limit;
        while let Ok(line) = self.hear(end.saturating_duration_since(Instant::now())) {
            if is_answer(&line) && line != "bye" {
                return Err(format!("not asked for: {line:?}"));
            }
        }
        self.exit()
    }
}

fn duration(text: &str) -> Result<Duration, String> {
    let ms = text.strip_suffix("ms").and_then(|number| number.parse().ok());
    ms.map(Duration::from_millis).ok_or_else(|| format!("{text:?} is no time such as 200ms"))
}

/// Whether a line is what a pattern says: `*` stands for anything, ` | ` for a choice.
fn matches(pattern: &str, line: &str) -> bool {
    pattern.split(" | ").any(|pattern| matches_one(pattern, line))
}

fn matches_one(pattern: &str, line: &str) -> bool {
    let Some((start, rest)) = pattern.split_once('*') else { return pattern == line };
    let Some(line) = line.strip_prefix(start) else { return false };
    (0..=line.len())
        .filter(|&at| line.is_char_boundary(at))
        .any(|at| matches_one(rest, &line[at..]))
}

/// `\r`, `\\` and `\xNN` stand for bytes.
fn unescape(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('\\') {
        bytes.extend(before.as_bytes());
        let (byte, length) = match behind.as_bytes() {
            [b'r', ..] => (b'\r', 1),
            [b'x', _, _, ..] => (u8::from_str_radix(&behind[1..3], 16).expect("hexadecimal"), 3),
            _ => (b'\\', 1),
        };
        bytes.push(byte);
        rest = &behind[length..];
    }
    bytes.extend(rest.as_bytes());
    bytes
}
