//! `chuhe train`: from games or records to a network.

use super::{Failure, dataset::expand, progress, shared};
use crate::train::{
    Checkpoint, EpochReport, Recipe, Trainer, curve, dataset::Dataset, files::replace, model::Shape,
};
use indicatif::ProgressBar;
use std::{
    fmt::Display,
    fs,
    io::{self, Read, Write},
    path::{Path, PathBuf},
    sync::atomic::AtomicBool,
};

#[derive(clap::Args)]
#[command(
    after_help = "After each epoch it writes the network and, beside NAME.nnue, NAME.csv and NAME.svg (the \
loss curve) and NAME.checkpoint (for --resume). A network named otherwise keeps its whole name before \
these endings: `net-0.1` has net-0.1.csv."
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
    /// Passes over the records, 1 or more
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
        let recipe = Recipe {
            shape: Shape { hidden: self.hidden, buckets: self.buckets },
            epochs: self.epochs,
            batch: self.batch,
            rate: self.rate,
            rate_end: self.rate_end,
            decay: self.decay,
            result_share: self.wdl,
            result_share_end: self.wdl_end.unwrap_or(self.wdl),
            scale: self.scale,
            seed: self.seed,
        };
        recipe.check().map_err(Failure::usage)?;
        Ok(recipe)
    }
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let recipe = arguments.recipe()?;
    let checkpoint = beside(&arguments.out, "checkpoint");
    let named = |error: &dyn Display| Failure::work(format!("{}: {error}", checkpoint.display()));
    let saved = arguments.resume.then(|| Checkpoint::load(&checkpoint)).transpose();
    let saved = saved.map_err(|error| named(&error))?;
    // The order of the records is part of the run that goes on.
    let seed = saved.as_ref().map_or(recipe.seed, |saved| saved.recipe.seed);
    let data = read_data(&arguments.data, seed)?;
    if data.training.is_empty() {
        return Err(Failure::work("there is nothing to learn from in these files"));
    }
    if u32::try_from(data.training.len()).is_ok_and(|count| count < u32::MAX / 2) {
        note(format!("training {} validation {}", data.training.len(), data.validation.len()));
    } else {
        return Err(Failure::work("more than two thousand million records"));
    }
    let threads = arguments.threads.unwrap_or_else(shared::default_workers);
    let mut trainer = match saved {
        Some(saved) => Trainer::resume(saved, &data, threads).map_err(|error| named(&error))?,
        None => Trainer::new(recipe, &data, threads),
    };

    let bar = progress_bar(trainer.recipe().epochs, trainer.history().len());
    loop {
        let done = trainer.history().len() as u64 * EPOCH_STEPS;
        let report = trainer.epoch(&AtomicBool::new(false), &mut |share| {
            bar.set_position(done + (share * EPOCH_STEPS as f64) as u64);
        });
        // Also where no epoch was left to do: the network may be gone.
        save(&trainer, &arguments.out)?;
        let Some(report) = report else { break };
        bar.suspend(|| note(describe(&report)));
    }
    bar.finish_and_clear();
    let network = trainer.model().quantised(trainer.recipe().scale).map_err(Failure::work)?;
    say!("{}", network.describe());
    Ok(())
}

/// Tells whoever watches; the work goes on if nobody does.
fn note(text: impl Display) {
    let _ = writeln!(io::stderr(), "{text}");
}

/// Steps of the bar in an epoch.
const EPOCH_STEPS: u64 = 1000;

/// A bar over all epochs. Those done in an earlier run count for nothing in rate and time left.
fn progress_bar(epochs: u32, done: usize) -> ProgressBar {
    let bar = progress::progress_bar(u64::from(epochs) * EPOCH_STEPS, "steps");
    bar.set_position(done as u64 * EPOCH_STEPS);
    bar.reset_eta();
    bar
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

/// The name of a file beside the network: its own ending is exchanged, any other kept, so that
/// `net-0.1` and `net-0.2`, or a network called `a.csv`, do not share files.
fn beside(network: &Path, extension: &str) -> PathBuf {
    if network.extension().is_some_and(|own| own == "nnue") {
        return network.with_extension(extension);
    }
    let mut name = network.as_os_str().to_owned();
    name.push(".");
    name.push(extension);
    name.into()
}

/// Writes everything that outlives an interruption.
fn save(trainer: &Trainer<'_>, out: &Path) -> Result<(), Failure> {
    let network = trainer.model().quantised(trainer.recipe().scale).map_err(Failure::work)?;
    let failed =
        |path: &Path, error: io::Error| Failure::work(format!("{}: {error}", path.display()));
    let write = |path: &Path, bytes: &[u8]| {
        replace(path, |out| out.write_all(bytes)).map_err(|error| failed(path, error))
    };
    write(out, &network.to_bytes())?;
    write(&beside(out, "csv"), curve::csv(trainer.history()).as_bytes())?;
    write(&beside(out, "svg"), curve::svg(trainer.history()).as_bytes())?;
    let checkpoint = beside(out, "checkpoint");
    trainer.checkpoint().save(&checkpoint).map_err(|error| failed(&checkpoint, error))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{thread, time::Duration};

    #[test]
    fn files_beside_the_network() {
        let name = |network: &str| beside(Path::new(network), "csv").display().to_string();
        assert_eq!(name("net.nnue"), "net.csv");
        assert_eq!(name("nets.v2/net-0.1.nnue"), "nets.v2/net-0.1.csv");
        assert_eq!(name("net-0.1"), "net-0.1.csv");
        assert_eq!(name("net-0.2"), "net-0.2.csv");
        assert_eq!(name("a.csv"), "a.csv.csv");
        assert_eq!(name("nets.v2/.nnue"), "nets.v2/.nnue.csv");
    }

    #[test]
    fn the_rate_after_a_resume_is_that_of_this_run() {
        let bar = progress_bar(40, 39);
        assert_eq!((bar.position(), bar.length()), (39_000, Some(40_000)));
        // Twenty steps in a tenth of a second or more; the work of the earlier run was 39,000.
        for step in 1..=20 {
            thread::sleep(Duration::from_millis(5));
            bar.set_position(39_000 + step);
        }
        assert!(bar.per_sec() < 400.0, "{} steps a second", bar.per_sec());
    }
}
