//! `chuhe tune`: fits the weights of the hand-written evaluation to games.

use super::{Failure, dataset::expand};
use crate::train::{
    Record,
    model::Target,
    tune::{Samples, Settings, fit, tables},
};
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct Arguments {
    /// Game files
    #[arg(required = true, value_name = "GAMES")]
    files: Vec<PathBuf>,
    /// Passes over the positions
    #[arg(long, default_value_t = 15)]
    epochs: u32,
    /// Positions for each step
    #[arg(long, default_value_t = 8192)]
    batch: usize,
    /// The first step, in hundreds of score units
    #[arg(long, default_value_t = 0.01)]
    rate: f32,
    /// Pull towards the weights as they are
    #[arg(long, default_value_t = 0.02)]
    decay: f32,
    /// Share of the game's result in what is learnt, against the search's score
    #[arg(long, default_value_t = 0.5, value_name = "SHARE")]
    wdl: f32,
    /// Score units per unit of log-odds
    #[arg(long, default_value_t = 400)]
    scale: i32,
    /// Decides which positions are taken and their order
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The most positions used: each takes about 300 bytes
    #[arg(long, default_value_t = 1_000_000, value_name = "N")]
    positions: usize,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    if !(0.0..=1.0).contains(&arguments.wdl) || arguments.scale <= 0 {
        return Err(Failure::usage("a share is 0 to 1, and the scale above 0"));
    }
    let settings = Settings {
        target: Target { scale: arguments.scale as f32, result_share: arguments.wdl },
        epochs: arguments.epochs,
        batch: arguments.batch,
        rate: arguments.rate,
        decay: arguments.decay,
        seed: arguments.seed,
    };
    let (data, _) = expand(&arguments.files, arguments.seed)?;
    let first = |records: &[Record]| {
        let count = arguments.positions.min(records.len());
        Samples::new(&records[..count], settings.target)
    };
    let samples = [first(&data.training), first(&data.validation)];
    drop(data);
    let offsets = fit(samples.each_ref(), &settings, |epoch, training, validation| {
        eprintln!("epoch {epoch} training {training:.6} validation {validation:.6}");
    });
    say!("{}", tables(&offsets).to_string().trim_end());
    Ok(())
}
