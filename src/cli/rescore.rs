//! `chuhe rescore`: new scores for old games.

use super::{Failure, dataset::tell_torn, progress, shared};
use crate::train::{
    format::{GameReader, GameWriter, Header},
    rescore::{rescore, settings_hash, skip_done},
};
use std::{
    iter,
    ops::ControlFlow,
    path::PathBuf,
    sync::atomic::{AtomicU64, Ordering},
};
use xiangqi::rules::RuleSet;

#[derive(clap::Args)]
#[command(after_help = "The same command goes on where it was stopped.")]
pub struct Arguments {
    /// The games
    #[arg(value_name = "GAMES")]
    input: PathBuf,
    /// The same games with the new scores
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Nodes after which a search starts no further iteration
    #[arg(long, default_value_t = 2500, value_parser = clap::value_parser!(u32).range(1..))]
    nodes: u32,
    /// The network that scores; `hce` is the hand-written evaluation
    #[arg(long, value_name = "FILE")]
    net: Option<String>,
    /// Repetition rules: cn1999, axf or league
    #[arg(long, default_value_t = RuleSet::default())]
    rules: RuleSet,
    /// Games at a time; without it one for each core
    #[arg(long, value_name = "N")]
    workers: Option<usize>,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let backend = shared::backend(arguments.net.as_deref())?;
    let mut reader = GameReader::open(&arguments.input).map_err(Failure::work)?;
    let header = Header {
        nodes: arguments.nodes,
        seed: reader.header().seed,
        evaluator: backend.number(),
        settings: settings_hash(reader.header().settings, arguments.rules),
    };
    let mut writer = GameWriter::append(&arguments.out, header).map_err(Failure::work)?;
    skip_done(&mut reader, &arguments.out).map_err(Failure::work)?;

    // The reader does not know how many games there are; it knows how far it is.
    let bar = progress::progress_bar(reader.length(), "bytes");
    progress::go_on_from(&bar, reader.bytes_read());
    let workers = arguments.workers.unwrap_or_else(shared::default_workers);
    let mut failure = None;
    let progress = AtomicU64::new(reader.bytes_read());
    let games = iter::from_fn(|| {
        let game = reader.next();
        progress.store(reader.bytes_read(), Ordering::Relaxed);
        game
    });
    let nodes = arguments.nodes.into();
    rescore(games, nodes, &backend, arguments.rules, workers, |game| {
        if let Err(error) = writer.write(&game) {
            failure = Some(error);
            return ControlFlow::Break(());
        }
        bar.set_position(progress.load(Ordering::Relaxed));
        ControlFlow::Continue(())
    })
    .map_err(Failure::work)?;
    bar.finish_and_clear();
    if let Some(error) = failure {
        return Err(Failure::work(error));
    }
    tell_torn(&arguments.input, reader.torn_bytes().map_err(Failure::work)?);
    say!("games {}", writer.games());
    Ok(())
}
