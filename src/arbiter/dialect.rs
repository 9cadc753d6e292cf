//! What is said to an engine and what it says, in UCCI and UCI: text only, no process.

use super::{
    player::{EngineScore, Task},
    spec::{Protocol, Ranks, Unit},
};
use crate::search::Clock;
use std::{fmt::Write, time::Duration};
use xiangqi::{
    board::START_FEN,
    game::Game,
    types::{Move, Side, Square},
};

/// How to talk to one engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Dialect {
    /// The protocol.
    pub protocol: Protocol,
    /// How it counts ranks.
    pub ranks: Ranks,
    /// The unit of times in UCCI.
    pub unit: Unit,
}

/// A line from an engine, as far as the referee understands it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Line {
    /// `ucciok` or `uciok`.
    Ready(Protocol),
    /// `readyok`.
    ReadyOk,
    /// `bestmove` with a move, perhaps with `draw` or `resign` behind it.
    BestMove {
        /// The move as it was written.
        text: String,
        /// `draw` followed.
        draw: bool,
        /// `resign` followed, or stood instead of a move.
        resign: bool,
    },
    /// `nobestmove`, or `bestmove` with one of the words that mean none.
    NoBestMove,
    /// `info` with something of use in it.
    Info {
        /// The score, of the first line of play.
        score: Option<EngineScore>,
        /// Depth in plies.
        depth: Option<u32>,
        /// Nodes.
        nodes: Option<u64>,
    },
    /// `option usemillisec` of UCCI.
    UsesMillis,
    /// The option `UCI_Variant` with xiangqi among its values.
    HasVariant,
    /// Anything else.
    Other,
}

impl Line {
    /// Reads a line. Never fails: what is not known is [`Line::Other`].
    pub fn parse(line: &str) -> Self {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("ucciok") => Self::Ready(Protocol::Ucci),
            Some("uciok") => Self::Ready(Protocol::Uci),
            Some("readyok") => Self::ReadyOk,
            Some("bestmove") => Self::parse_best_move(words),
            Some("nobestmove") => Self::NoBestMove,
            Some("info") => Self::parse_info(words),
            Some("option") => Self::parse_option(words),
            _ => Self::Other,
        }
    }

    fn parse_best_move<'a>(mut words: impl Iterator<Item = &'a str>) -> Self {
        let text = words.next().unwrap_or_default().to_owned();
        let rest: Vec<&str> = words.collect();
        match text.as_str() {
            "(none)" | "none" | "null" | "0000" => Self::NoBestMove,
            "resign" => Self::BestMove { text, draw: false, resign: true },
            _ => Self::BestMove {
                text,
                draw: rest.contains(&"draw"),
                resign: rest.contains(&"resign"),
            },
        }
    }

    fn parse_info<'a>(mut words: impl Iterator<Item = &'a str>) -> Self {
        let (mut score, mut depth, mut nodes) = (None, None, None);
        while let Some(word) = words.next() {
            match word {
                "depth" => depth = words.next().and_then(|word| word.parse().ok()),
                "nodes" => nodes = words.next().and_then(|word| word.parse().ok()),
                "score" => score = parse_score(&mut words),
                // Lines behind the first say nothing of the move that will be played.
                "multipv" if words.next() != Some("1") => return Self::Other,
                "pv" | "string" | "message" => break,
                _ => {}
            }
        }
        match (score, depth, nodes) {
            (None, None, None) => Self::Other,
            _ => Self::Info { score, depth, nodes },
        }
    }

    fn parse_option<'a>(words: impl Iterator<Item = &'a str>) -> Self {
        let words: Vec<&str> = words.collect();
        let has_variant =
            words.contains(&"UCI_Variant") && words.windows(2).any(|w| w == ["var", "xiangqi"]);
        match words.first() {
            Some(&"usemillisec") => Self::UsesMillis,
            _ if has_variant => Self::HasVariant,
            _ => Self::Other,
        }
    }
}

fn parse_score<'a>(words: &mut impl Iterator<Item = &'a str>) -> Option<EngineScore> {
    let first = words.next()?;
    match first {
        "cp" => words.next()?.parse().ok().map(EngineScore::Points),
        "mate" => words.next()?.parse().ok().map(EngineScore::Mate),
        _ => first.parse().ok().map(EngineScore::Points),
    }
}

impl Protocol {
    /// The word that begins a session.
    pub const fn greeting(self) -> &'static str {
        match self {
            Self::Ucci => "ucci",
            Self::Uci => "uci",
        }
    }
}

impl Dialect {
    /// Says that a new game begins.
    pub const fn new_game(&self) -> &'static str {
        match self.protocol {
            Protocol::Ucci => "setoption newgame",
            Protocol::Uci => "ucinewgame",
        }
    }

    /// Sets an option.
    pub fn set_option(&self, name: &str, value: &str) -> String {
        match self.protocol {
            Protocol::Ucci => format!("setoption {name} {value}").trim_end().to_owned(),
            Protocol::Uci if value.is_empty() => format!("setoption name {name}"),
            Protocol::Uci => format!("setoption name {name} value {value}"),
        }
    }

    /// A move as the engine writes it.
    pub fn write_move(&self, m: Move) -> String {
        match self.ranks {
            Ranks::FromZero => m.to_string(),
            Ranks::FromOne => [m.from(), m.to()]
                .iter()
                .map(|square| format!("{}{}", (b'a' + square.file()) as char, square.rank() + 1))
                .collect(),
        }
    }

    /// Reads a move as the engine writes it.
    pub fn read_move(&self, text: &str) -> Option<Move> {
        let second = text.get(1..)?.find(|c: char| c.is_ascii_lowercase())? + 1;
        let (from, to) = text.split_at_checked(second)?;
        Move::new(self.read_square(from)?, self.read_square(to)?)
    }

    fn read_square(&self, text: &str) -> Option<Square> {
        let (file, rank) = text.split_at_checked(1)?;
        if !rank.bytes().all(|b| b.is_ascii_digit()) || rank.len() > 2 {
            return None;
        }
        let file = file.bytes().next()?.checked_sub(b'a')?;
        let rank: u8 = rank.parse().ok()?;
        match self.ranks {
            Ranks::FromZero => Square::new(file, rank),
            Ranks::FromOne => Square::new(file, rank.checked_sub(1)?),
        }
    }

    /// The `position` command. UCCI gets the position after the last capture and the moves since,
    /// as its referees send it; UCI gets the whole game.
    pub fn position(&self, game: &Game) -> String {
        let plies = game.plies();
        let first = match self.protocol {
            Protocol::Ucci => plies.len() - game.reversible_plies(),
            Protocol::Uci => 0,
        };
        let fen = game.position_at(first).fen();
        let mut line = match self.protocol {
            Protocol::Uci if fen == START_FEN => "position startpos".to_owned(),
            _ => format!("position fen {fen}"),
        };
        if plies.len() > first {
            line.push_str(" moves");
            for ply in &plies[first..] {
                line.push(' ');
                line.push_str(&self.write_move(ply.played));
            }
        }
        line
    }

    /// The `banmoves` command of UCCI. UCI says the same within [`Dialect::go`].
    pub fn bans(&self, banned: &[Move]) -> Option<String> {
        (self.protocol == Protocol::Ucci && !banned.is_empty())
            .then(|| format!("banmoves {}", self.list(banned.iter().copied())))
    }

    fn list(&self, moves: impl Iterator<Item = Move>) -> String {
        moves.map(|m| self.write_move(m)).collect::<Vec<_>>().join(" ")
    }

    /// The `go` command.
    pub fn go(&self, task: &Task<'_>) -> String {
        match self.protocol {
            Protocol::Ucci => self.go_ucci(task),
            Protocol::Uci => self.go_uci(task),
        }
    }

    fn go_ucci(&self, task: &Task<'_>) -> String {
        let mut line = "go".to_owned();
        if task.draw_offered {
            line.push_str(" draw");
        }
        if let Some(depth) = task.limit.depth {
            push(&mut line, "depth", depth);
        }
        if let Some(nodes) = task.limit.nodes {
            push(&mut line, "nodes", nodes);
        }
        // UCCI has no fixed time: all of it for one move is the same.
        let fixed = task.limit.move_time.map(|time| Clock {
            remaining: task.own.map_or(time, |own| own.remaining.min(time)),
            increment: Duration::ZERO,
            moves_to_go: Some(1),
        });
        if let Some(own) = fixed.or(task.own) {
            self.push_clock(&mut line, "", &own);
            if let Some(other) = task.other {
                self.push_clock(&mut line, "opp", &other);
            }
        }
        line
    }

    fn push_clock(&self, line: &mut String, prefix: &str, clock: &Clock) {
        push(line, &format!("{prefix}time"), self.amount(clock.remaining));
        match clock.moves_to_go {
            Some(moves) => push(line, &format!("{prefix}movestogo"), moves),
            None => push(line, &format!("{prefix}increment"), self.amount(clock.increment)),
        }
    }

    /// A time in the engine's unit, rounded down.
    fn amount(&self, time: Duration) -> u128 {
        match self.unit {
            Unit::Millis => time.as_millis(),
            Unit::Seconds => time.as_secs().into(),
        }
    }

    fn go_uci(&self, task: &Task<'_>) -> String {
        let mut line = "go".to_owned();
        if let Some(depth) = task.limit.depth {
            push(&mut line, "depth", depth);
        }
        if let Some(nodes) = task.limit.nodes {
            push(&mut line, "nodes", nodes);
        }
        if let Some(time) = task.limit.move_time {
            push(&mut line, "movetime", time.as_millis());
        }
        if let Some(own) = task.own {
            // An opponent without a clock is told of as one that has as much time.
            let other = task.other.unwrap_or(own);
            let (red, black) = match task.game.position().side() {
                Side::Red => (own, other),
                Side::Black => (other, own),
            };
            push(&mut line, "wtime", red.remaining.as_millis());
            push(&mut line, "btime", black.remaining.as_millis());
            push(&mut line, "winc", red.increment.as_millis());
            push(&mut line, "binc", black.increment.as_millis());
            if let Some(moves) = own.moves_to_go {
                push(&mut line, "movestogo", moves);
            }
        }
        if !task.banned.is_empty() {
            let legal = task.game.position().legal_moves();
            let allowed = legal.into_iter().filter(|m| !task.banned.contains(m));
            push(&mut line, "searchmoves", self.list(allowed));
        }
        line
    }
}

fn push(line: &mut String, key: &str, value: impl std::fmt::Display) {
    write!(line, " {key} {value}").expect("a string takes everything");
}

#[cfg(test)]
#[path = "dialect_tests.rs"]
mod tests;
