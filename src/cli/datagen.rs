//! `chuhe datagen`: games of the engine against itself, with scores, for training.

use super::{Failure, progress, shared};
use crate::{
    eval::Score,
    train::{
        datagen::{Settings, generate},
        format::GameWriter,
        merge::Tally,
        opening::OpeningLines,
    },
};
use std::{fs, ops::ControlFlow, path::PathBuf, time::Instant};
use xiangqi::rules::RuleSet;

#[derive(clap::Args)]
#[command(
    after_help = "The file is appended to: the same command goes on where it was stopped, and makes the \
same games however often it is stopped and however many workers it has. On other machines use other \
seeds, and put the files together with `chuhe dataset merge`."
)]
pub struct Arguments {
    /// The game file
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Games that the file shall hold in the end
    #[arg(long, value_name = "N")]
    games: u64,
    /// Nodes after which a search starts no further iteration
    #[arg(long, default_value_t = 1500, value_parser = clap::value_parser!(u32).range(1..))]
    nodes: u32,
    /// Decides every game, together with its number
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Games at a time; without it one for each core
    #[arg(long, value_name = "N")]
    workers: Option<usize>,
    /// The network that plays; `hce` is the hand-written evaluation
    #[arg(long, value_name = "FILE")]
    net: Option<String>,
    /// Openings (see `match --openings`) that half of the games start with; two random plies at
    /// least follow
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Plies of the opening that are played at random, this many or one more
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u32).range(2..=60))]
    random_plies: u32,
    /// Throw a start away if a search says more than this (a horse is 400)
    #[arg(long, default_value_t = 400, value_name = "SCORE")]
    balance: i32,
    /// Repetition rules: cn1999, axf or league
    #[arg(long, default_value_t = RuleSet::default())]
    rules: RuleSet,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let openings = match &arguments.openings {
        None => OpeningLines::default(),
        Some(path) => {
            let named = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
            let text = fs::read(path).map_err(|e| Failure::work(named(&e)))?;
            OpeningLines::parse(&text, arguments.rules).map_err(|e| Failure::work(named(&e)))?
        }
    };
    let backend = shared::backend(arguments.net.as_deref())?;
    let settings = Settings {
        soft_nodes: arguments.nodes.into(),
        backend,
        openings,
        random_plies: arguments.random_plies,
        balance: Score(arguments.balance.max(1)),
        seed: arguments.seed,
        rules: arguments.rules,
    };
    let mut writer =
        GameWriter::append(&arguments.out, settings.header()).map_err(Failure::work)?;
    if writer.cut_bytes() > 0 {
        eprintln!("cut {} bytes of an unfinished game", writer.cut_bytes());
    }

    let begin = Instant::now();
    let numbers = writer.games()..arguments.games;
    let bar = progress::progress_bar(numbers.end.saturating_sub(numbers.start), "games");
    let workers = arguments.workers.unwrap_or_else(shared::default_workers);
    let mut tally = Tally::default();
    let mut failure = None;
    generate(&settings, numbers, workers, |game| {
        if let Err(error) = writer.write(&game) {
            failure = Some(error);
            return ControlFlow::Break(());
        }
        tally.add(&game);
        bar.inc(1);
        bar.set_message(format!("{} plies, {:.0}% drawn", tally.plies, tally.draw_share() * 100.0));
        ControlFlow::Continue(())
    })
    .map_err(Failure::work)?;
    bar.finish_and_clear();
    if let Some(error) = failure {
        return Err(Failure::work(error));
    }
    let hours = begin.elapsed().as_secs_f64() / 3600.0;
    let [black, drawn, red] = tally.results;
    say!(
        "games {} new {} red {red} drawn {drawn} black {black} repetitions {} plies {} \
         plies_per_hour {:.0}",
        writer.games(),
        tally.games(),
        tally.repetitions,
        tally.plies,
        tally.plies as f64 / hours.max(1e-9),
    );
    Ok(())
}
