//! `chuhe review`: a game with the engine's remarks, as text, JSON, a page or an annotated record.

mod json;
mod page;
mod text;

use super::{Failure, given, headings, progress::progress_bar, shared};
use crate::{
    review::{self, Review},
    search::Limits,
};
use std::{
    io::{self, Write as _},
    path::{Path, PathBuf},
    time::Duration,
};
use xiangqi::{
    notation::GameTree,
    records::{self, Format, WriteOptions},
};

/// Nodes for each position where nobody says.
const DEFAULT_NODES: u64 = 200_000;

#[derive(clap::Args)]
#[command(after_help = "Examples:
  chuhe review game.xqf
  chuhe review games.pgn --game 3 --time 500 --html game.html
  chuhe review game.cbr --to pgn --out annotated.pgn")]
pub struct Arguments {
    #[command(flatten)]
    given: given::Arguments,
    /// Nodes for each position; 200000 where there is no other limit
    #[arg(long, value_name = "N", conflicts_with = "time")]
    nodes: Option<u64>,
    /// Milliseconds for each position
    #[arg(long, value_name = "MS")]
    time: Option<u64>,
    /// Write a page with the curve of the game and a board to play it through
    #[arg(long, value_name = "FILE", conflicts_with_all = ["json", "to"])]
    html: Option<PathBuf>,
    /// One JSON object, and nothing else
    #[arg(long, conflicts_with = "to")]
    json: bool,
    /// The record with the remarks in it: pgn, xqf, dhtmlxq, cbr, cbl or cbf
    #[arg(long, value_name = "FORMAT")]
    to: Option<String>,
    /// Write the record here
    #[arg(long, value_name = "FILE", requires = "to")]
    out: Option<PathBuf>,
    #[command(flatten)]
    engine: shared::EngineArguments,
}

/// A game that was gone through, and what its record says of it.
struct Reviewed {
    tags: headings::Tags,
    /// How long each position was looked at, Chinese and English.
    effort: (String, String),
    review: Review,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let format = arguments.to.as_deref().map(writable).transpose()?;
    let given = arguments.given.given()?;
    let plies = given.game.plies().len();
    if plies == 0 {
        // A record that breaks off at once says why itself.
        return Err(given.unread.unwrap_or_else(|| Failure::usage("there is no move to review")));
    }
    let mut searcher = arguments.engine.searcher()?;
    let (limits, effort) = limits(arguments)?;
    let bar = progress_bar(plies as u64 + 1, "positions");
    let review = shared::on_a_deep_stack(|| {
        let rules = arguments.engine.rules;
        review::review(&mut searcher, &given.game, &limits, rules, &mut || bar.inc(1))
    })?;
    bar.finish_and_clear();
    let reviewed = Reviewed { tags: headings::tags(&given.tree), effort, review };
    if let Some(format) = format {
        let bytes = annotated(given.tree, &reviewed, format)?;
        put(arguments.out.as_deref(), &bytes)?;
    } else if let Some(path) = &arguments.html {
        put(Some(path), page::page(&reviewed).as_bytes())?;
    } else if arguments.json {
        let output = json::Output::new(&reviewed);
        say!("{}", serde_json::to_string(&output).map_err(Failure::work)?);
    } else {
        put(None, text::text(&reviewed).as_bytes())?;
    }
    given.unread.map_or(Ok(()), Err)
}

/// A format that can hold remarks.
fn writable(name: &str) -> Result<Format, Failure> {
    match name.parse().map_err(Failure::usage)? {
        Format::Pfc => Err(Failure::usage(records::WriteError::ReadOnly(Format::Pfc))),
        Format::Lines => Err(Failure::usage("lines hold moves alone, no remarks")),
        format => Ok(format),
    }
}

fn limits(arguments: &Arguments) -> Result<(Limits, (String, String)), Failure> {
    if arguments.nodes == Some(0) || arguments.time == Some(0) {
        return Err(Failure::usage("--nodes and --time are at least 1"));
    }
    Ok(match arguments.time {
        Some(time) => (
            Limits { move_time: Some(Duration::from_millis(time)), ..Limits::default() },
            (format!("每局面{time}毫秒"), format!("{time} ms a position")),
        ),
        None => {
            let nodes = arguments.nodes.unwrap_or(DEFAULT_NODES);
            (
                Limits { nodes: Some(nodes), ..Limits::default() },
                (format!("每局面{nodes}节点"), format!("{nodes} nodes a position")),
            )
        }
    })
}

fn annotated(mut tree: GameTree, reviewed: &Reviewed, format: Format) -> Result<Vec<u8>, Failure> {
    review::annotate(&mut tree, &reviewed.review);
    records::write(&[tree], format, &WriteOptions::default()).map_err(Failure::work)
}

/// Writes to a file, or to standard output, where a reader that has seen enough may close the pipe.
fn put(path: Option<&Path>, bytes: &[u8]) -> Result<(), Failure> {
    match path {
        Some(path) => std::fs::write(path, bytes)
            .map_err(|why| Failure::work(format!("{}: {why}", path.display()))),
        None => match io::stdout().lock().write_all(bytes) {
            Err(why) if why.kind() != io::ErrorKind::BrokenPipe => {
                Err(Failure::work(format!("standard output: {why}")))
            }
            _ => Ok(()),
        },
    }
}
