//! `chuhe train`: from games or records to a network.

use super::{Failure, dataset::expand, training};
use crate::{
    eval::nnue::{MAX_HIDDEN, features::BUCKET_CHOICES},
    train::{
        Checkpoint, EpochReport, Recipe, Trainer, curve, dataset::Dataset, files::replace,
        model::Shape,
    },
};
use std::{
    fs,
    io::{Read, Write},
    path::{Path, PathBuf},
    sync::atomic::AtomicBool,
};

#[derive(clap::Args)]
#[command(
    after_help = "Beside the network it keeps, with the same name, .csv and .svg (the loss curve) and \
.checkpoint, written after each epoch."
)]
pub struct Arguments {
    /// Game files, or one file of records
    #[arg(required = true, value_name = "FILE")]
    data: Vec<PathBuf>,
    /// The network
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Width of the hidden layer for each perspective, a multiple of 16
    #[arg(long, default_value_t = 64)]
    hidden: usize,
    /// Output buckets: 1, or 8 by attacking material
    #[arg(long, default_value_t = 1)]
    buckets: usize,
    /// Passes over the records
    #[arg(long, default_value_t = 40)]
    epochs: u32,
    /// Records for each step
    #[arg(long, default_value_t = 16384)]
    batch: usize,
    /// Learning rate at the start
    #[arg(long, default_value_t = 1e-3)]
    rate: f32,
    /// Learning rate at the end
    #[arg(long, default_value_t = 1e-5)]
    rate_end: f32,
    /// Decoupled weight decay
    #[arg(long, default_value_t = 0.01)]
    decay: f32,
    /// Share of the game's result in what is learnt, against the search's score
    #[arg(long, default_value_t = 0.3, value_name = "SHARE")]
    wdl: f32,
    /// The same in the last epoch; without it the share does not change
    #[arg(long, value_name = "SHARE")]
    wdl_end: Option<f32>,
    /// Score units per unit of log-odds
    #[arg(long, default_value_t = 400)]
    scale: i32,
    /// Decides the first weights, the order and the mirroring
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads; without it one for each core. The network does not depend on it
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Go on from the checkpoint, with its recipe
    #[arg(long)]
    resume: bool,
}

impl Arguments {
    fn recipe(&self) -> Result<Recipe, Failure> {
        let shape = Shape { hidden: self.hidden, buckets: self.buckets };
        if shape.hidden == 0 || shape.hidden > MAX_HIDDEN || !shape.hidden.is_multiple_of(16) {
            return Err(Failure::usage(format!("the width is 16 to {MAX_HIDDEN}, in steps of 16")));
        }
        if !BUCKET_CHOICES.contains(&shape.buckets) {
            return Err(Failure::usage(format!("the buckets are one of {BUCKET_CHOICES:?}")));
        }
        let result_share_end = self.wdl_end.unwrap_or(self.wdl);
        let shares = [self.wdl, result_share_end];
        if shares.iter().any(|share| !(0.0..=1.0).contains(share)) {
            return Err(Failure::usage("a share is 0 to 1"));
        }
        let rates = [self.rate, self.rate_end, self.decay];
        if rates.iter().any(|rate| !rate.is_finite() || *rate < 0.0) {
            return Err(Failure::usage("rates are not negative"));
        }
        if self.batch == 0 || !(1..=4000).contains(&self.scale) {
            return Err(Failure::usage("the batch is 1 or more, the scale 1 to 4000"));
        }
        Ok(Recipe {
            shape,
            epochs: self.epochs,
            batch: self.batch,
            rate: self.rate,
            rate_end: self.rate_end,
            decay: self.decay,
            result_share: self.wdl,
            result_share_end,
            scale: self.scale,
            seed: self.seed,
        })
    }
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let recipe = arguments.recipe()?;
    let checkpoint = arguments.out.with_extension("checkpoint");
    let named =
        |error: &dyn std::fmt::Display| Failure::work(format!("{}: {error}", checkpoint.display()));
    let saved = arguments.resume.then(|| Checkpoint::load(&checkpoint)).transpose();
    let saved = saved.map_err(|error| named(&error))?;
    // The order of the records is part of the run that goes on.
    let seed = saved.as_ref().map_or(recipe.seed, |saved| saved.recipe.seed);
    let data = read_data(&arguments.data, seed)?;
    if data.training.is_empty() {
        return Err(Failure::work("there is nothing to learn from in these files"));
    }
    if u32::try_from(data.training.len()).is_ok_and(|count| count < u32::MAX / 2) {
        eprintln!("training {} validation {}", data.training.len(), data.validation.len());
    } else {
        return Err(Failure::work("more than two thousand million records"));
    }
    let threads = arguments.threads.unwrap_or_else(training::default_workers);
    let mut trainer = match saved {
        Some(saved) if saved.records != data.training.len() as u64 => {
            return Err(named(&"taken with other data"));
        }
        Some(saved) => Trainer::resume(saved, &data, threads),
        None => Trainer::new(recipe, &data, threads),
    };

    let bar = training::progress_bar(u64::from(trainer.recipe().epochs) * 1000, "steps");
    loop {
        let done = trainer.history().len() as u64 * 1000;
        let report = trainer.epoch(&AtomicBool::new(false), &mut |share| {
            bar.set_position(done + (share * 1000.0) as u64);
        });
        let Some(report) = report else { break };
        bar.suspend(|| say!("{}", describe(&report)));
        save(&trainer, &arguments.out, &checkpoint)?;
    }
    bar.finish_and_clear();
    let network = trainer.model().quantised(trainer.recipe().scale).map_err(Failure::work)?;
    say!("{}", network.describe());
    Ok(())
}

fn read_data(files: &[PathBuf], seed: u64) -> Result<Dataset, Failure> {
    if let [path] = files
        && is_records(path)
    {
        return Dataset::load(path).map_err(|e| Failure::work(format!("{}: {e}", path.display())));
    }
    expand(files, seed).map(|(data, _)| data)
}

fn is_records(path: &Path) -> bool {
    let mut head = [0; 8];
    let read = fs::File::open(path).and_then(|mut file| file.read_exact(&mut head));
    read.is_ok() && head == crate::train::dataset::MAGIC
}

fn describe(report: &EpochReport) -> String {
    format!(
        "epoch {} rate {:.2e} wdl {:.2} training {:.6} validation {:.6} records/s {:.0}",
        report.epoch,
        report.rate,
        report.result_share,
        report.training_loss,
        report.validation_loss,
        report.records_per_second,
    )
}

/// Writes everything that outlives an interruption.
fn save(trainer: &Trainer<'_>, out: &Path, checkpoint: &Path) -> Result<(), Failure> {
    let network = trainer.model().quantised(trainer.recipe().scale).map_err(Failure::work)?;
    let write = |path: &Path, bytes: &[u8]| {
        replace(path, |out| out.write_all(bytes))
            .map_err(|e| Failure::work(format!("{}: {e}", path.display())))
    };
    write(out, &network.to_bytes())?;
    write(&out.with_extension("csv"), curve::csv(trainer.history()).as_bytes())?;
    write(&out.with_extension("svg"), curve::svg(trainer.history()).as_bytes())?;
    let saved = trainer.checkpoint().save(checkpoint);
    saved.map_err(|e| Failure::work(format!("{}: {e}", checkpoint.display())))
}
