//! Games as PGN: coordinates (ICCS), with score, depth, time, nodes and clock of each move.

use super::{
    outcome::Verdict,
    player::EngineScore,
    record::{GameRecord, PlyRecord},
    spec::EngineSpec,
};
use std::fmt::Write;
use xiangqi::{board::START_FEN, types::Side};

/// The first tags of each game, by which a file of ours is known.
pub(super) const HEAD: &str = "[Game \"Chinese Chess\"]\n[Event \"chuhe match\"]\n";

/// What a PGN says besides the game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Heading {
    /// Names of Red and Black.
    pub players: [String; 2],
    /// Limits of Red and Black.
    pub limits: [String; 2],
    /// The clock, where both sides have the same, as `tc` takes it.
    pub time_control: Option<String>,
    /// Options that were set for Red and Black: `Hash=16, Threads=2`.
    pub options: [String; 2],
    /// Name of the rule set.
    pub rules: String,
}

impl Heading {
    /// Of a game between these engines, Red and Black.
    pub fn of(sides: [&EngineSpec; 2], rules: &str) -> Self {
        let controls = sides.map(|spec| spec.limit.control.as_ref().map(ToString::to_string));
        let [red, _] = controls;
        Self {
            players: sides.map(|spec| spec.name.clone()),
            limits: sides.map(|spec| spec.limit.to_string()),
            time_control: red.filter(|_| sides[0].limit.control == sides[1].limit.control),
            options: sides.map(EngineSpec::options_text),
            rules: rules.to_owned(),
        }
    }
}

/// Lines are broken before this column.
const WIDTH: usize = 100;

/// The whole text of one game, with an empty line behind it.
pub fn write(record: &GameRecord, heading: &Heading) -> String {
    let mut out = String::new();
    for (name, value) in tags(record, heading) {
        let value: String = value
            .chars()
            .map(|c| if c == '"' { '\'' } else { c })
            .filter(|c| !c.is_control())
            .collect();
        writeln!(out, "[{name} \"{value}\"]").expect("a string takes everything");
    }
    out.push('\n');
    let mut column = 0;
    for word in movetext(record) {
        let length = word.chars().count();
        if column > 0 {
            let breaks = column + 1 + length > WIDTH;
            out.push(if breaks { '\n' } else { ' ' });
            column = if breaks { 0 } else { column + 1 };
        }
        out.push_str(&word);
        column += length;
    }
    out.push_str("\n\n");
    out
}

fn result(verdict: Verdict) -> &'static str {
    // PGN knows no game that both sides lose.
    if verdict == Verdict::BothLose { "*" } else { verdict.pgn() }
}

fn tags(record: &GameRecord, heading: &Heading) -> Vec<(&'static str, String)> {
    let [red, black] = heading.players.clone();
    let mut tags = vec![
        ("Game", "Chinese Chess".to_owned()),
        ("Event", "chuhe match".to_owned()),
        ("Site", "?".to_owned()),
        ("Date", date(record.ended)),
        ("Round", format!("{}.{}", record.pair() + 1, record.number % 2 + 1)),
        ("Red", red),
        ("Black", black),
        ("Result", result(record.end.verdict).to_owned()),
        ("Format", "ICCS".to_owned()),
        ("Rules", heading.rules.clone()),
    ];
    if record.fen != START_FEN {
        tags.push(("SetUp", "1".to_owned()));
        tags.push(("FEN", record.fen.clone()));
    }
    tags.extend(heading.time_control.clone().map(|control| ("TimeControl", control)));
    let [red_limit, black_limit] = heading.limits.clone();
    tags.push(("RedLimit", red_limit));
    tags.push(("BlackLimit", black_limit));
    let names = ["RedOptions", "BlackOptions"].into_iter();
    let options = names.zip(heading.options.iter().cloned());
    tags.extend(options.filter(|(_, text)| !text.is_empty()));
    tags.push(("PlyCount", (record.book.len() + record.plies.len()).to_string()));
    if record.fouls != [0; 2] {
        tags.push(("Fouls", format!("red {}, black {}", record.fouls[0], record.fouls[1])));
    }
    let end = &record.end;
    let termination = end.termination.text();
    tags.push(("Termination", termination.to_owned()));
    if !end.detail.is_empty() {
        tags.push(("Detail", end.detail.clone()));
    }
    tags
}

/// The words of the movetext, in order.
fn movetext(record: &GameRecord) -> Vec<String> {
    let mut words = Vec::new();
    // Moves go on from the number that the FEN states.
    let mut fields = record.fen.split_whitespace();
    let black_first = fields.nth(1) == Some("b");
    let stated = fields.nth(3).and_then(|number| number.parse::<usize>().ok());
    let mut half = 2 * (stated.unwrap_or(1).max(1) - 1) + usize::from(black_first);
    let mut number = |words: &mut Vec<String>, first: bool| {
        if half.is_multiple_of(2) {
            words.push(format!("{}.", half / 2 + 1));
        } else if first {
            words.push(format!("{}...", half / 2 + 1));
        }
        half += 1;
    };
    let mut first = true;
    for played in &record.book {
        number(&mut words, first);
        words.push(iccs(played));
        words.push("{book}".to_owned());
        first = false;
    }
    for ply in &record.plies {
        number(&mut words, first);
        words.push(iccs(&ply.played));
        words.extend(comment(ply));
        first = false;
    }
    let loser = match record.end.verdict {
        Verdict::Win(winner) => {
            format!("{} wins: ", if winner == Side::Red { "Red" } else { "Black" })
        }
        _ => String::new(),
    };
    words.extend(format!("{{{loser}{}}}", record.end.termination).split(' ').map(str::to_owned));
    words.push(result(record.end.verdict).to_owned());
    words
}

/// `h2e2` as `H2-E2`.
fn iccs(played: &str) -> String {
    let upper = played.to_ascii_uppercase();
    match upper.split_at_checked(2) {
        Some((from, to)) => format!("{from}-{to}"),
        None => upper,
    }
}

/// `{+0.35/12 0.520s 10543n clk 59.480s}`, in words that may stand on different lines.
fn comment(ply: &PlyRecord) -> Vec<String> {
    let mut parts = Vec::new();
    match (ply.score, ply.depth) {
        (Some(score), Some(depth)) => parts.push(format!("{}/{depth}", score_text(score))),
        (Some(score), None) => parts.push(score_text(score)),
        (None, Some(depth)) => parts.push(format!("/{depth}")),
        (None, None) => {}
    }
    parts.push(format!("{:.3}s", ply.millis / 1000.0));
    parts.extend(ply.nodes.map(|nodes| format!("{nodes}n")));
    if let Some(clock) = ply.clock {
        parts.push("clk".to_owned());
        parts.push(format!("{:.3}s", clock as f64 / 1000.0));
    }
    if let Some(first) = parts.first_mut() {
        first.insert(0, '{');
    }
    if let Some(last) = parts.last_mut() {
        last.push('}');
    }
    parts
}

fn score_text(score: EngineScore) -> String {
    score.to_string()
}

/// A day as PGN writes it, from seconds since 1970 (civil calendar after H. Hinnant's
/// `days_from_civil`, inverted).
fn date(seconds: u64) -> String {
    let days = seconds / 86_400 + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    format!("{year:04}.{month:02}.{day:02}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arbiter::{End, Termination};

    #[test]
    fn days() {
        assert_eq!(date(0), "1970.01.01");
        assert_eq!(date(951_782_400), "2000.02.29");
        assert_eq!(date(1_700_000_000), "2023.11.14");
    }

    #[test]
    fn a_whole_game() {
        let ply = |played: &str, score, clock| PlyRecord {
            played: played.to_owned(),
            millis: 520.0,
            clock,
            score: Some(score),
            depth: Some(12),
            nodes: Some(10_543),
        };
        let record = GameRecord {
            number: 23,
            red: 1,
            fen: "4k4/9/9/9/9/9/9/9/4A4/3K5 b - - 0 7".to_owned(),
            book: vec!["e9f9".to_owned()],
            plies: vec![
                ply("e1d2", EngineScore::Points(35), Some(59_480)),
                ply("f9f8", EngineScore::Mate(-2), None),
            ],
            fouls: [0, 2],
            ended: 0,
            end: End::loss(Side::Black, Termination::IllegalMove).because("\"x\""),
        };
        let heading = Heading {
            players: ["B".to_owned(), "A".to_owned()],
            limits: ["tc=60".to_owned(), "nodes=5".to_owned()],
            time_control: None,
            options: ["Hash=16".to_owned(), String::new()],
            rules: "cn1999".to_owned(),
        };
        let text = write(&record, &heading);
        assert_eq!(
            text,
            "[Game \"Chinese Chess\"]\n[Event \"chuhe match\"]\n[Site \"?\"]\n\
            [Date \"1970.01.01\"]\n[Round \"12.2\"]\n[Red \"B\"]\n[Black \"A\"]\n[Result \"1-0\"]\n\
            [Format \"ICCS\"]\n[Rules \"cn1999\"]\n[SetUp \"1\"]\n\
            [FEN \"4k4/9/9/9/9/9/9/9/4A4/3K5 b - - 0 7\"]\n[RedLimit \"tc=60\"]\n\
            [BlackLimit \"nodes=5\"]\n[RedOptions \"Hash=16\"]\n[PlyCount \"3\"]\n[Fouls \"red 0, black 2\"]\n\
            [Termination \"illegal move\"]\n[Detail \"'x'\"]\n\n\
            7... E9-F9 {book} 8. E1-D2 {+0.35/12 0.520s 10543n clk 59.480s} F9-F8 {-M2/12 0.520s \
            10543n} {Red\nwins: illegal move} 1-0\n\n"
        );
    }
}
