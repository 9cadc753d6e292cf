//! `chuhe analyse`: the board and the best lines, in coordinates and in Chinese notation.

use super::{
    Failure, given,
    progress::progress_bar,
    scores::{ScoreOutput, coordinates, rounded},
    shared,
    show::board,
    source::{Source, files},
};
use crate::{
    eval::{chances, expected_points},
    review::{Analysis, Line, analyse, chinese_line, score_words},
    search::{Limits, Searcher},
};
use indicatif::ProgressBar;
use serde::Serialize;
use std::{path::PathBuf, time::Duration};
use xiangqi::{
    game::Game,
    notation::DiagramOptions,
    records::ReadOptions,
    rules::{DueKind, RuleSet, outcome},
};

/// How long to think where nobody says, in milliseconds.
const DEFAULT_TIME: u64 = 3000;

#[derive(clap::Args)]
#[command(after_help = "Examples:
  chuhe analyse --moves \"炮二平五 马８进７\" --multipv 3
  chuhe analyse game.xqf --ply 30 --depth 16 --json")]
pub struct Arguments {
    /// Records of games, folders of them, or patterns; - is standard input
    #[arg(value_name = "FILE", conflicts_with_all = ["fen", "moves"])]
    inputs: Vec<PathBuf>,
    /// Only this game of each file
    #[arg(long, value_name = "N", requires = "inputs")]
    game: Option<usize>,
    /// After this many plies, 0 being the start; without it after the last one
    #[arg(long, value_name = "P")]
    ply: Option<usize>,
    /// The position that the moves start from, or startpos; without it the start position
    #[arg(long)]
    fen: Option<String>,
    /// The moves in any notation, in one argument or several
    #[arg(long, num_args = 1..)]
    moves: Vec<String>,
    /// Depth in plies
    #[arg(long, value_name = "D")]
    depth: Option<u32>,
    /// Time in milliseconds; 3000 where there is no other limit
    #[arg(long, value_name = "MS")]
    time: Option<u64>,
    /// Nodes
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// How many of the best lines to show
    #[arg(long, value_name = "N", default_value_t = 1)]
    multipv: usize,
    /// One JSON object a position, and nothing else
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    engine: shared::EngineArguments,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    if [arguments.depth == Some(0), arguments.multipv == 0].contains(&true) {
        return Err(Failure::usage("--depth and --multipv are at least 1"));
    }
    let mut searcher = arguments.engine.searcher()?;
    shared::on_a_deep_stack(|| {
        if arguments.inputs.is_empty() {
            let game = given::game(arguments.fen.as_deref(), &arguments.moves)?;
            let game =
                arguments.ply.map_or_else(|| Ok(game.clone()), |ply| given::up_to(&game, ply))?;
            return show(arguments, &mut searcher, "", &game, &ProgressBar::hidden());
        }
        records(arguments, &mut searcher)
    })?
}

/// Every game of every file, at the ply that was asked for. What cannot be read stops nothing.
fn records(arguments: &Arguments, searcher: &mut Searcher) -> Result<(), Failure> {
    let inputs = files(&arguments.inputs)?;
    let bar = progress_bar(inputs.len() as u64, "files");
    let (mut shown, mut bad) = (0, 0);
    let mut complain = |failure: Failure| {
        bad += 1;
        bar.suspend(|| eprintln!("chuhe: {failure}"));
    };
    for input in &inputs {
        let source = match Source::open(input, &ReadOptions::default()) {
            Ok(source) => source,
            Err(failure) if inputs.len() == 1 => return Err(failure),
            Err(failure) => {
                complain(failure);
                continue;
            }
        };
        let name = source.name.clone();
        for (i, read) in source.enumerate() {
            let number = i + 1;
            if arguments.game.is_some_and(|wanted| wanted != number) {
                continue;
            }
            let given = match read {
                Ok(read) => given::from_record(&name, read),
                Err(failure) => {
                    complain(failure);
                    break;
                }
            };
            let at = arguments.ply.unwrap_or(given.game.plies().len());
            match (given::up_to(&given.game, at), given.unread) {
                // The last position of what could be read is not that of the game.
                (Ok(_), Some(unread)) if arguments.ply.is_none() => complain(unread),
                (Ok(game), _) => {
                    let title = format!("{name}, game {number}");
                    show(arguments, searcher, &title, &game, &bar)?;
                    shown += 1;
                }
                (Err(failure), _) => complain(failure),
            }
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    match (shown, bad) {
        (0, 0) => Err(Failure::usage("no such game")),
        (_, 0) => Ok(()),
        _ => Err(Failure::work(format!("{bad} files or games could not be analysed"))),
    }
}

/// Analyses one position and prints what came out, above the bar.
fn show(
    arguments: &Arguments,
    searcher: &mut Searcher,
    title: &str,
    game: &Game,
    bar: &ProgressBar,
) -> Result<(), Failure> {
    let limits = limits(arguments);
    let analysis = analyse(searcher, game, &limits);
    let text = if arguments.json {
        let output = Output::new(title, game, &analysis, arguments.engine.rules);
        serde_json::to_string(&output).map_err(Failure::work)?
    } else {
        text(title, game, &analysis)
    };
    bar.suspend(|| say!("{text}"));
    Ok(())
}

/// The board and the lines, for people.
fn text(title: &str, game: &Game, analysis: &Analysis) -> String {
    let mut lines = Vec::new();
    if !title.is_empty() {
        lines.push(format!("=== {title}"));
    }
    lines.push(board(game, DiagramOptions::default()));
    if !analysis.lines.is_empty() {
        lines.push(format!(
            "\n深度 depth {}   节点 nodes {}   用时 time {:.2} s",
            analysis.depth,
            analysis.nodes,
            analysis.elapsed.as_secs_f64()
        ));
    }
    for (i, line) in analysis.lines.iter().enumerate() {
        let (score, share) = (score_words(line.score), 100.0 * expected_points(line.score));
        lines.push(format!("{}. {score}   胜率 win chances {share:.0}%", i + 1));
        lines.push(format!("   {}", chinese_line(game.position(), &line.moves).join(" ")));
        lines.push(format!("   {}", coordinates(&line.moves).join(" ")));
    }
    lines.join("\n")
}

fn limits(arguments: &Arguments) -> Limits {
    let Arguments { depth, nodes, .. } = *arguments;
    let time = arguments.time.or((depth.is_none() && nodes.is_none()).then_some(DEFAULT_TIME));
    Limits {
        depth,
        nodes,
        move_time: time.map(Duration::from_millis),
        multi_pv: arguments.multipv,
        ..Limits::default()
    }
}

#[derive(Serialize)]
struct Output<'a> {
    #[serde(skip_serializing_if = "str::is_empty")]
    source: &'a str,
    fen: String,
    side: String,
    ply: usize,
    depth: u32,
    nodes: u64,
    time_ms: u128,
    /// How the game ended, if it is over.
    over: Option<&'static str>,
    best: Option<String>,
    lines: Vec<LineOutput>,
}

#[derive(Serialize)]
struct LineOutput {
    multipv: usize,
    depth: u32,
    seldepth: u32,
    score: ScoreOutput,
    win_chances: f64,
    wdl: [u32; 3],
    moves: Vec<String>,
    chinese: Vec<String>,
}

impl<'a> Output<'a> {
    fn new(source: &'a str, game: &Game, analysis: &Analysis, rules: RuleSet) -> Self {
        let position = game.position();
        let line = |(i, line): (usize, &Line)| {
            let chances = chances(line.score);
            LineOutput {
                multipv: i + 1,
                depth: line.depth,
                seldepth: line.seldepth,
                score: ScoreOutput::from(line.score),
                win_chances: rounded(expected_points(line.score)),
                wdl: [chances.win, chances.draw, chances.loss],
                moves: coordinates(&line.moves),
                chinese: chinese_line(position, &line.moves),
            }
        };
        Self {
            source,
            fen: position.fen(),
            side: position.side().to_string(),
            ply: game.plies().len(),
            depth: analysis.depth,
            nodes: analysis.nodes,
            time_ms: analysis.elapsed.as_millis(),
            over: outcome(game, rules).map(|outcome| DueKind::Over(outcome.ending).name()),
            best: analysis.best().map(|m| m.to_string()),
            lines: analysis.lines.iter().enumerate().map(line).collect(),
        }
    }
}
