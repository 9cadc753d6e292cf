//! `chuhe rescore`: new scores for old games.

use super::{Failure, training};
use crate::train::{
    format::{GameReader, GameWriter, Header},
    rescore::rescore,
};
use std::{ops::ControlFlow, path::PathBuf};

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
    /// Games at a time; without it one for each core
    #[arg(long, value_name = "N")]
    workers: Option<usize>,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let backend = training::backend(arguments.net.as_deref())?;
    let mut reader = GameReader::open(&arguments.input).map_err(Failure::work)?;
    let header =
        Header { nodes: arguments.nodes, seed: reader.header().seed, evaluator: backend.number() };
    let mut writer = GameWriter::append(&arguments.out, header).map_err(Failure::work)?;
    let done = usize::try_from(writer.games()).unwrap_or(usize::MAX);

    // The reader does not know how many games there are; it knows how far it is.
    let bar = training::progress_bar(1000, "thousandths");
    let workers = arguments.workers.unwrap_or_else(training::default_workers);
    let mut failure = None;
    let progress = std::sync::atomic::AtomicU64::new(0);
    let games = std::iter::from_fn(|| {
        let game = reader.next();
        let thousandths = (reader.progress() * 1000.0) as u64;
        progress.store(thousandths, std::sync::atomic::Ordering::Relaxed);
        game
    });
    rescore(games.skip(done), arguments.nodes.into(), &backend, workers, |game| {
        if let Err(error) = writer.write(&game) {
            failure = Some(error);
            return ControlFlow::Break(());
        }
        bar.set_position(progress.load(std::sync::atomic::Ordering::Relaxed));
        ControlFlow::Continue(())
    })
    .map_err(Failure::work)?;
    bar.finish_and_clear();
    if let Some(error) = failure {
        return Err(Failure::work(error));
    }
    let torn = reader.torn_bytes().map_err(Failure::work)?;
    if torn > 0 {
        eprintln!("{}: ignored {torn} bytes of an unfinished game", arguments.input.display());
    }
    say!("games {}", writer.games());
    Ok(())
}
