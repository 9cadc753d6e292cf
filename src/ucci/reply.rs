//! From a [`Reply`] to the lines that say it, in either dialect.

use super::{
    coordinates::Ranks,
    options::{Kind, Listed, OPTIONS, Spec},
    scale,
};
use crate::{
    eval::{Score, centipawns, chances},
    search::{Bound, Hit, Report},
};
use std::{fmt::Write, time::Duration};
use xiangqi::{
    rules::{RuleSet, Ruling},
    types::Move,
};

/// The two protocols.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Dialect {
    /// The Universal Chinese Chess Interface (中国象棋通用引擎协议), version 3.0.
    #[default]
    Ucci,
    /// The Universal Chess Interface, as today's xiangqi clients speak it.
    Uci,
}

/// How to say things to the present client.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Voice {
    /// The protocol.
    pub dialect: Dialect,
    /// The numbering of ranks.
    pub ranks: Ranks,
    /// Whether UCI's info lines tell the chances (`wdl`).
    pub wdl: bool,
    /// Whether UCCI's info lines are numbered; UCI's always are.
    pub multi_pv: bool,
}

/// What is known of one line of play; a [`Report`] that can be kept.
#[derive(Clone, PartialEq, Debug)]
#[expect(missing_docs, reason = "the names and the type's own text say it")]
pub struct Line {
    pub depth: u32,
    pub seldepth: u32,
    pub multi_pv: usize,
    pub score: Score,
    pub bound: Bound,
    pub nodes: u64,
    pub elapsed: Duration,
    pub hashfull: u32,
    pub pv: Vec<Move>,
    pub rule: Option<RuleNote>,
    pub is_last: bool,
}

/// Why a line of play is won or lost by the repetition rules.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RuleNote {
    /// The rules ruled by.
    pub rules: RuleSet,
    /// The articles that decide.
    pub articles: Vec<&'static str>,
    /// The ruling in words.
    pub reason: String,
    /// The moves that repeat.
    pub moves: Vec<Move>,
}

impl From<&Ruling> for RuleNote {
    fn from(ruling: &Ruling) -> Self {
        Self {
            rules: ruling.rules,
            articles: ruling.articles.clone(),
            reason: ruling.reason.en.clone(),
            moves: ruling.moves.iter().map(|judged| judged.played).collect(),
        }
    }
}

impl Line {
    /// A score that took no search.
    pub fn of_static(score: Score) -> Self {
        Self {
            depth: 0,
            seldepth: 0,
            multi_pv: 1,
            score,
            bound: Bound::Exact,
            nodes: 0,
            elapsed: Duration::ZERO,
            hashfull: 0,
            pv: Vec::new(),
            rule: None,
            is_last: false,
        }
    }
}

impl From<&Report<'_>> for Line {
    fn from(report: &Report<'_>) -> Self {
        Self {
            depth: report.depth,
            seldepth: report.seldepth,
            multi_pv: report.multi_pv,
            score: report.score,
            bound: report.bound,
            nodes: report.nodes,
            elapsed: report.elapsed,
            hashfull: report.hashfull,
            pv: report.pv.to_vec(),
            rule: report.ruling.map(RuleNote::from),
            is_last: report.is_last,
        }
    }
}

/// What the engine has to say.
#[derive(Clone, PartialEq, Debug)]
pub enum Reply {
    /// Who the engine is and what its options are, then `ucciok` or `uciok`.
    Handshake,
    /// `readyok`
    ReadyOk,
    /// An info line.
    Info(Line),
    /// A sentence for the user.
    Message(String),
    /// Why the score of a line is a win or a loss by rule.
    Rule(RuleNote),
    /// The answer to `go`.
    BestMove {
        /// The move to play.
        best: Move,
        /// The reply to think about meanwhile.
        ponder: Option<Move>,
        /// Offer a draw, or accept one.
        draw: bool,
        /// Give up.
        resign: bool,
    },
    /// The answer to `go` where there is no move.
    NoBestMove,
    /// The answer to `probe`.
    PopHash(Option<Hit>),
    /// `bye`
    Bye,
    /// The answer to a console command.
    Text(String),
}

impl Reply {
    /// The reply as text without the last line end; `None` if the dialect has no word for it.
    pub fn text(&self, voice: Voice) -> Option<String> {
        let ucci = voice.dialect == Dialect::Ucci;
        Some(match self {
            Self::Handshake => handshake(voice.dialect),
            Self::ReadyOk => "readyok".to_owned(),
            // UCCI cannot say that a score is only a bound.
            Self::Info(line) if ucci && line.bound != Bound::Exact => return None,
            Self::Info(line) => info(line, voice),
            Self::Message(text) if ucci => format!("info message {text}"),
            Self::Message(text) => format!("info string {text}"),
            Self::Rule(note) => return Self::Message(rule_note(note, voice)).text(voice),
            Self::BestMove { best, ponder, draw, resign } => {
                let mut text = format!("bestmove {}", voice.ranks.show(*best));
                if let Some(ponder) = ponder {
                    text += " ponder ";
                    text += &voice.ranks.show(*ponder);
                }
                // UCI has no such words.
                text += match (ucci, draw, resign) {
                    (true, _, true) => " resign",
                    (true, true, false) => " draw",
                    _ => "",
                };
                text
            }
            Self::NoBestMove if ucci => "nobestmove".to_owned(),
            Self::NoBestMove => "bestmove (none)".to_owned(),
            Self::PopHash(hit) => pop_hash(hit.as_ref(), voice),
            Self::Bye if ucci => "bye".to_owned(),
            Self::Bye => return None,
            Self::Text(text) => text.clone(),
        })
    }
}

fn handshake(dialect: Dialect) -> String {
    let mut text = format!("id name Chuhe {}\n", env!("CARGO_PKG_VERSION"));
    let (unlisted, last) = match dialect {
        Dialect::Ucci => {
            text += "id copyright the Chuhe authors, MIT licence\n";
            (Listed::Uci, "ucciok")
        }
        Dialect::Uci => (Listed::Ucci, "uciok"),
    };
    text += "id author the Chuhe authors\n";
    for spec in OPTIONS.iter().filter(|spec| spec.listed != unlisted) {
        text += &option(spec, dialect);
        text.push('\n');
    }
    #[cfg(feature = "tune")]
    for tunable in crate::search::params::tune::TUNABLES {
        text += &tune_option(tunable, dialect);
        text.push('\n');
    }
    text + last
}

/// The line that declares a constant of the search.
#[cfg(feature = "tune")]
fn tune_option(tunable: &crate::search::params::tune::Tunable, dialect: Dialect) -> String {
    let crate::search::params::tune::Tunable { name, default, min, max } = tunable;
    match dialect {
        Dialect::Ucci => format!("option {name} type spin min {min} max {max} default {default}"),
        Dialect::Uci => {
            format!("option name {name} type spin default {default} min {min} max {max}")
        }
    }
}

/// The line that declares an option.
pub fn option(spec: &Spec, dialect: Dialect) -> String {
    let mut text = match dialect {
        Dialect::Ucci => format!("option {}", spec.ucci),
        Dialect::Uci => format!("option name {}", spec.uci),
    };
    text += &match spec.kind {
        Kind::Check { default } => format!(" type check default {default}"),
        Kind::Spin { default, min, max } if dialect == Dialect::Ucci => {
            format!(" type spin min {min} max {max} default {default}")
        }
        Kind::Spin { default, min, max } => {
            format!(" type spin default {default} min {min} max {max}")
        }
        Kind::Combo(words) => {
            let default = words.first().copied().unwrap_or_default();
            let vars: String = words.iter().map(|word| format!(" var {word}")).collect();
            format!(" type combo default {default}{vars}")
        }
        Kind::Text { default } => format!(" type string default {default}"),
        Kind::Button => " type button".to_owned(),
    };
    text
}

fn pop_hash(hit: Option<&Hit>, voice: Voice) -> String {
    let mut text = "pophash".to_owned();
    let Some(hit) = hit else { return text };
    if let Some(best) = hit.best {
        text += " bestmove ";
        text += &voice.ranks.show(best);
    }
    for (word, bound) in [("lowerbound", hit.lower), ("upperbound", hit.upper)] {
        if let Some(score) = bound {
            let value = match voice.dialect {
                Dialect::Ucci => scale::ucci(score),
                Dialect::Uci => centipawns(score),
            };
            // Writing to a String cannot fail.
            let _ = write!(text, " {word} {value} depth {}", hit.depth);
        }
    }
    text
}

fn rule_note(note: &RuleNote, voice: Voice) -> String {
    let moves: Vec<String> = note.moves.iter().map(|&m| voice.ranks.show(m)).collect();
    let (rules, articles) = (note.rules, note.articles.join(", "));
    format!("repetition rule {rules} {articles}, moves {}: {}", moves.join(" "), note.reason)
}

fn info(line: &Line, voice: Voice) -> String {
    let ucci = voice.dialect == Dialect::Ucci;
    let mut text = format!("info depth {} seldepth {}", line.depth, line.seldepth);
    let millis = line.elapsed.as_millis() as u64;
    let nps = line.nodes.saturating_mul(1000) / millis.max(1);
    // Writing to a String cannot fail.
    let _ =
        if !ucci || voice.multi_pv { write!(text, " multipv {}", line.multi_pv) } else { Ok(()) };
    let _ = match (ucci, line.score.mate_distance_moves()) {
        (true, _) => write!(text, " score {}", scale::ucci(line.score)),
        (false, Some(moves)) => write!(text, " score mate {moves}"),
        (false, None) => write!(text, " score cp {}", centipawns(line.score)),
    };
    text += match line.bound {
        Bound::Exact => "",
        Bound::Lower => " lowerbound",
        Bound::Upper => " upperbound",
    };
    if !ucci && voice.wdl {
        let chances = chances(line.score);
        let _ = write!(text, " wdl {} {} {}", chances.win, chances.draw, chances.loss);
    }
    let _ = write!(
        text,
        " nodes {} nps {nps} hashfull {} tbhits 0 time {millis}",
        line.nodes, line.hashfull
    );
    if !line.pv.is_empty() {
        text += " pv";
        for &m in &line.pv {
            text.push(' ');
            text += &voice.ranks.show(m);
        }
    }
    text
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    const UCCI: Voice =
        Voice { dialect: Dialect::Ucci, ranks: Ranks::FromZero, wdl: false, multi_pv: false };
    const UCI: Voice = Voice { dialect: Dialect::Uci, ..UCCI };

    fn line(score: Score) -> Line {
        Line {
            depth: 7,
            seldepth: 12,
            nodes: 9000,
            elapsed: Duration::from_millis(30),
            hashfull: 5,
            pv: vec!["h2e2".parse().unwrap(), "h9g7".parse().unwrap()],
            ..Line::of_static(score)
        }
    }

    #[test]
    fn info_lines() {
        let ucci = Reply::Info(line(Score::MINOR)).text(UCCI).unwrap();
        assert_eq!(
            ucci,
            "info depth 7 seldepth 12 score 100 nodes 9000 nps 300000 hashfull 5 tbhits 0 time 30 \
             pv h2e2 h9g7"
        );
        let mate = Reply::Info(line(Score::mate_in(5))).text(UCI).unwrap();
        assert!(
            mate.starts_with("info depth 7 seldepth 12 multipv 1 score mate 3 nodes"),
            "{mate}"
        );
        let lost = Reply::Info(line(Score::mated_in(4))).text(UCI).unwrap();
        assert!(lost.contains(" score mate -2 nodes"), "{lost}");
        let bound = Line { bound: Bound::Lower, ..line(Score::DRAW) };
        let text = Reply::Info(bound.clone()).text(UCI).unwrap();
        assert!(text.contains(" score cp 0 lowerbound nodes"), "{text}");
        assert_eq!(Reply::Info(bound).text(UCCI), None);
        let wdl = Reply::Info(line(Score::DRAW)).text(Voice { wdl: true, ..UCI }).unwrap();
        assert!(wdl.contains(" score cp 0 wdl "), "{wdl}");
        let ten = Reply::Info(line(Score::DRAW)).text(Voice { ranks: Ranks::FromOne, ..UCI });
        assert!(ten.unwrap().ends_with(" pv h3e3 h10g8"));
    }

    #[test]
    fn answers() {
        let best = |draw, resign| Reply::BestMove {
            best: "h2e2".parse().unwrap(),
            ponder: Some("h9g7".parse().unwrap()),
            draw,
            resign,
        };
        assert_eq!(best(false, false).text(UCCI).unwrap(), "bestmove h2e2 ponder h9g7");
        assert_eq!(best(true, false).text(UCCI).unwrap(), "bestmove h2e2 ponder h9g7 draw");
        assert_eq!(best(false, true).text(UCCI).unwrap(), "bestmove h2e2 ponder h9g7 resign");
        assert_eq!(best(true, true).text(UCI).unwrap(), "bestmove h2e2 ponder h9g7");
        assert_eq!(Reply::NoBestMove.text(UCCI).unwrap(), "nobestmove");
        assert_eq!(Reply::NoBestMove.text(UCI).unwrap(), "bestmove (none)");
        assert_eq!(Reply::Bye.text(UCI), None);
        let message = Reply::Message("no".to_owned());
        assert_eq!(message.text(UCCI).unwrap(), "info message no");
        assert_eq!(message.text(UCI).unwrap(), "info string no");
    }

    #[test]
    fn a_win_by_rule_is_explained() {
        let note = RuleNote {
            rules: RuleSet::Cn1999,
            articles: vec!["26.1", "24.1"],
            reason: "Red must change or loses.".to_owned(),
            moves: vec!["a8a9".parse().unwrap(), "e9e8".parse().unwrap()],
        };
        let text = "repetition rule cn1999 26.1, 24.1, moves a8a9 e9e8: Red must change or loses.";
        let rule = Reply::Rule(note);
        assert_eq!(rule.text(UCCI).unwrap(), format!("info message {text}"));
        assert_eq!(rule.text(UCI).unwrap(), format!("info string {text}"));
        let ten = rule.text(Voice { ranks: Ranks::FromOne, ..UCI }).unwrap();
        assert!(ten.contains(" moves a9a10 e10e9: "), "{ten}");
        // The score of such a line is no mate.
        let won = Reply::Info(line(Score::rule_win_in(3)));
        assert!(won.text(UCCI).unwrap().contains(" score 28997 nodes"));
        assert!(won.text(UCI).unwrap().contains(" score cp 28997 nodes"));
    }

    #[test]
    fn probes() {
        let hit = Hit {
            best: Some("h2e2".parse().unwrap()),
            lower: Some(Score::MINOR),
            upper: None,
            depth: 9,
        };
        let pop = |hit: Option<Hit>| Reply::PopHash(hit).text(UCCI).unwrap();
        assert_eq!(pop(None), "pophash");
        assert_eq!(pop(Some(hit)), "pophash bestmove h2e2 lowerbound 100 depth 9");
        assert_eq!(
            pop(Some(Hit { best: None, upper: Some(Score::DRAW), ..hit })),
            "pophash lowerbound 100 depth 9 upperbound 0 depth 9"
        );
    }

    #[test]
    fn handshakes() {
        let ucci = Reply::Handshake.text(UCCI).unwrap();
        assert!(ucci.contains("\noption usemillisec type check default true\n"), "{ucci}");
        assert!(ucci.contains("\noption hashsize type spin min 0 max 1048576 default 64\n"));
        assert!(ucci.ends_with("\nucciok") && !ucci.contains("UCI_") && !ucci.contains(" name H"));
        let uci = Reply::Handshake.text(UCI).unwrap();
        assert!(uci.contains("\noption name UCI_Variant type combo default xiangqi var xiangqi\n"));
        assert!(uci.contains("\noption name Hash type spin default 64 min 0 max 1048576\n"));
        assert!(uci.ends_with("\nuciok") && !uci.contains("usemillisec"));
    }
}
