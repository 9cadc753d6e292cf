//! `chuhe judge`: the ruling on a game's repetition, as JSON or as a report to be read.

use super::Failure;
use serde::Serialize;
use std::{
    fmt::Write as _,
    io::{self, Write as _},
    path::{Path, PathBuf},
};
use xiangqi::{
    board::Position,
    game::Game,
    notation::{DiagramOptions, chinese_move, decode, diagram, parse_move, parse_pgn},
    rules::{
        CycleRuling, Judged, NaturalLimit, Part, RuleSet, Ruling, Status, judge, material_draw,
        natural_limit,
    },
    types::{Bitboard, Side},
};

#[derive(clap::Args)]
pub struct Arguments {
    /// The rules: cn1999, axf or league
    #[arg(long, default_value = "cn1999")]
    rules: String,
    /// One JSON object a game, and nothing else
    #[arg(long)]
    json: bool,
    /// The position that the moves start from; without it the start position
    #[arg(long, conflicts_with = "files")]
    fen: Option<String>,
    /// The moves in coordinates, in one argument or several
    #[arg(long, num_args = 1.., conflicts_with = "files")]
    moves: Vec<String>,
    /// Records in PGN with moves in coordinates
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let rules = arguments.rules.parse().map_err(Failure::usage)?;
    if arguments.files.is_empty() {
        if arguments.fen.is_none() && arguments.moves.is_empty() {
            return Err(Failure::usage("judge needs --fen, --moves or a file"));
        }
        return print(&given_game(arguments)?, "", rules, arguments.json);
    }
    for file in &arguments.files {
        judge_file(file, rules, arguments)?;
    }
    Ok(())
}

fn given_game(arguments: &Arguments) -> Result<Game, Failure> {
    let start = match &arguments.fen {
        Some(fen) => fen.parse().map_err(Failure::usage)?,
        None => Position::start(),
    };
    let mut game = Game::new(start);
    for word in arguments.moves.iter().flat_map(|moves| moves.split_whitespace()) {
        let m = parse_move(word).map_err(|why| {
            let word: String = word.chars().take(20).flat_map(char::escape_default).collect();
            Failure::usage(format!("'{word}': {why}"))
        })?;
        let ply = game.plies().len() + 1;
        game.play(m).map_err(|why| Failure::usage(format!("ply {ply}: {why}")))?;
    }
    Ok(game)
}

fn judge_file(file: &Path, rules: RuleSet, arguments: &Arguments) -> Result<(), Failure> {
    let name = file.display();
    let bytes = std::fs::read(file).map_err(|why| Failure::usage(format!("{name}: {why}")))?;
    let records =
        parse_pgn(&decode(&bytes)).map_err(|why| Failure::usage(format!("{name}: {why}")))?;
    let several = records.len() > 1 || arguments.files.len() > 1;
    for (i, record) in records.iter().enumerate() {
        let title = if several { format!("{name}, game {}", i + 1) } else { String::new() };
        print(&record.game, &title, rules, arguments.json)?;
    }
    Ok(())
}

fn print(game: &Game, title: &str, rules: RuleSet, json: bool) -> Result<(), Failure> {
    let ruling = judge(game, rules);
    let limit = natural_limit(game, rules);
    let text = if json {
        serde_json::to_string(&Output::new(game, &ruling, limit)).map_err(Failure::usage)? + "\n"
    } else {
        report(game, &ruling, &limit, title)
    };
    // A reader that has seen enough closes the pipe: no failure.
    match io::stdout().lock().write_all(text.as_bytes()) {
        Err(why) if why.kind() != io::ErrorKind::BrokenPipe => Err(Failure::usage(why)),
        _ => Ok(()),
    }
}

// --- JSON --------------------------------------------------------------------------------------

#[derive(Serialize)]
struct Output<'a> {
    rules: &'static str,
    plies: usize,
    occurrences: usize,
    cycle: Option<CycleOutput>,
    moves: Vec<MoveOutput<'a>>,
    red: PartOutput,
    black: PartOutput,
    cycle_ruling: &'static str,
    status: &'static str,
    articles: &'a [&'static str],
    reason: &'a str,
    reason_zh: &'a str,
    natural_limit: LimitOutput,
    material_draw: bool,
}

#[derive(Serialize)]
struct CycleOutput {
    first_ply: usize,
    last_ply: usize,
}

#[derive(Serialize)]
struct MoveOutput<'a> {
    ply: usize,
    side: String,
    #[serde(rename = "move")]
    played: String,
    chinese: String,
    class: &'static str,
    how: Option<&'static str>,
    attackers: Vec<String>,
    targets: Vec<String>,
    line: Option<String>,
    capped: bool,
    articles: &'a [&'static str],
    text: &'a str,
    text_zh: &'a str,
}

#[derive(Serialize)]
struct PartOutput {
    all_check: bool,
    forbidden: bool,
    kind: &'static str,
}

impl PartOutput {
    fn new(part: &Part) -> Self {
        Self { all_check: part.all_check(), forbidden: part.forbidden(), kind: part.kind.name() }
    }
}

#[derive(Serialize)]
struct LimitOutput {
    rounds: usize,
    red_count: usize,
    black_count: usize,
    limit: usize,
    reached: bool,
}

impl<'a> Output<'a> {
    fn new(game: &Game, ruling: &'a Ruling, limit: NaturalLimit) -> Self {
        let [red, black] = &ruling.parts;
        let moves = ruling.moves.iter().zip(chinese_moves(game, ruling));
        Self {
            rules: ruling.rules.name(),
            plies: game.plies().len(),
            occurrences: ruling.occurrences,
            cycle: ruling
                .cycle
                .map(|c| CycleOutput { first_ply: c.first_ply, last_ply: c.last_ply }),
            moves: moves.map(|(judged, chinese)| MoveOutput::new(judged, chinese)).collect(),
            red: PartOutput::new(red),
            black: PartOutput::new(black),
            cycle_ruling: ruling_name(ruling.cycle_ruling),
            status: status_name(ruling.status),
            articles: &ruling.articles,
            reason: &ruling.reason.en,
            reason_zh: &ruling.reason.zh,
            natural_limit: LimitOutput {
                rounds: limit.rounds,
                red_count: limit.counts[Side::Red.index()],
                black_count: limit.counts[Side::Black.index()],
                limit: limit.limit,
                reached: limit.reached(),
            },
            material_draw: material_draw(game),
        }
    }
}

impl<'a> MoveOutput<'a> {
    fn new(judged: &'a Judged, chinese: String) -> Self {
        let squares = |set: Bitboard| set.into_iter().map(|square| square.to_string()).collect();
        Self {
            ply: judged.ply,
            side: judged.side.to_string(),
            played: judged.played.to_string(),
            chinese,
            class: judged.class.name(),
            how: judged.how.map(|how| how.name()),
            attackers: squares(judged.attackers),
            targets: squares(judged.targets),
            line: judged.line.map(|m| m.to_string()),
            capped: judged.capped,
            articles: &judged.articles,
            text: &judged.text.en,
            text_zh: &judged.text.zh,
        }
    }
}

const fn ruling_name(ruling: CycleRuling) -> &'static str {
    match ruling {
        CycleRuling::None => "none",
        CycleRuling::Draw => "draw",
        CycleRuling::Forbidden(Side::Red) => "red_forbidden",
        CycleRuling::Forbidden(Side::Black) => "black_forbidden",
    }
}

const fn status_name(status: Status) -> &'static str {
    match status {
        Status::None => "none",
        Status::Draw => "draw",
        Status::MustChange(Side::Red) => "red_must_change",
        Status::MustChange(Side::Black) => "black_must_change",
        Status::Loses(Side::Red) => "red_loses",
        Status::Loses(Side::Black) => "black_loses",
    }
}

/// The moves of the cycle in Chinese notation.
fn chinese_moves(game: &Game, ruling: &Ruling) -> Vec<String> {
    let Some(cycle) = ruling.cycle else { return Vec::new() };
    let mut position = game.position_at(cycle.first_ply - 1);
    let mut notate = |judged: &Judged| {
        let text = chinese_move(&position, judged.played).unwrap_or_default();
        position.make(judged.played);
        text
    };
    ruling.moves.iter().map(&mut notate).collect()
}

// --- the report --------------------------------------------------------------------------------

fn report(game: &Game, ruling: &Ruling, limit: &NaturalLimit, title: &str) -> String {
    let mut out = String::new();
    // Writing to a string can not fail.
    let _ = write_report(&mut out, game, ruling, limit, title);
    out
}

fn write_report(
    out: &mut String,
    game: &Game,
    ruling: &Ruling,
    limit: &NaturalLimit,
    title: &str,
) -> std::fmt::Result {
    if !title.is_empty() {
        writeln!(out, "=== {title}")?;
    }
    let (rules, plies, occurrences) = (ruling.rules, game.plies().len(), ruling.occurrences);
    writeln!(out, "rules {rules}; {plies} plies; occurrence {occurrences} of the last position")?;
    if let Some(cycle) = ruling.cycle {
        let start = game.position_at(cycle.first_ply - 1);
        let (first, last) = (cycle.first_ply, cycle.last_ply);
        writeln!(
            out,
            "\nboard before ply {first} 循环起点\n{}",
            diagram(&start, DiagramOptions { legend: true, ..DiagramOptions::default() })
        )?;
        writeln!(out, "{}\n", start.fen())?;
        writeln!(out, "plies {first} to {last} 循环着法")?;
        for (judged, chinese) in ruling.moves.iter().zip(chinese_moves(game, ruling)) {
            write_move(out, judged, &chinese)?;
        }
        for side in Side::ALL {
            let kind = ruling.parts[side.index()].kind;
            writeln!(out, "{side}: {} {}", kind.name(), kind.chinese())?;
        }
        writeln!(out)?;
    }
    let names = (ruling_name(ruling.cycle_ruling), status_name(ruling.status));
    writeln!(out, "ruling {}; status {}; articles {}", names.0, names.1, list(&ruling.articles))?;
    writeln!(out, "  {}\n  {}", ruling.reason.zh, ruling.reason.en)?;
    let [red, black] = limit.counts;
    let reached = if limit.reached() { "reached" } else { "not reached" };
    writeln!(
        out,
        "natural limit {reached}: {} rounds without a capture, red counts {red}, black counts {black} of {}",
        limit.rounds, limit.limit
    )?;
    if material_draw(game) {
        writeln!(out, "drawn: neither side has anything to win with (4.2.1)")?;
    }
    writeln!(out)
}

fn write_move(out: &mut String, judged: &Judged, chinese: &str) -> std::fmt::Result {
    let class = judged.class;
    let how = judged.how.map_or(String::new(), |how| format!(" ({})", how.name()));
    writeln!(
        out,
        "{:>4} {:<5} {} {chinese}  {} {}{how}  [{}]",
        judged.ply,
        judged.side.to_string(),
        judged.played,
        class.chinese(),
        class.name(),
        list(&judged.articles)
    )?;
    writeln!(out, "       {}\n       {}", judged.text.zh, judged.text.en)
}

fn list(articles: &[&str]) -> String {
    if articles.is_empty() { "-".to_owned() } else { articles.join(", ") }
}
