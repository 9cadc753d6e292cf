//! The trainer: its gradient against finite differences, repeatability, resuming, quantisation.

use chuhe::{
    eval::nnue::{Network, QA, QB, builtin, features},
    train::{
        Active, Checkpoint, Decoder, Recipe, Record, Trainer, WinDrawLoss, curve,
        dataset::Dataset,
        model::{Model, Shape, Target},
    },
};
use rand::{Rng, SeedableRng, rngs::StdRng, seq::IndexedRandom};
use std::{
    env, fs, io,
    path::PathBuf,
    process::{self, Command, Output, Stdio},
    sync::atomic::AtomicBool,
    time::Instant,
};
use xiangqi::{
    board::Position,
    types::{Kind, Side},
};

/// Positions of random games.
fn positions(count: usize, seed: u64) -> Vec<Position> {
    let mut random = StdRng::seed_from_u64(seed);
    let mut found = Vec::new();
    while found.len() < count {
        let mut position = Position::start();
        for _ in 0..120 {
            let Some(&m) = position.legal_moves().choose(&mut random) else { break };
            position.make(m);
            found.push(position.clone());
        }
    }
    found.truncate(count);
    found
}

/// A target that a network can learn: the material balance, with results to match.
fn record(position: &Position) -> Record {
    let worth = [0, 100, 100, 250, 500, 250, 60];
    let material = |side: Side| -> i32 {
        Kind::ALL
            .iter()
            .map(|&kind| worth[kind.index()] * position.pieces(side, kind).len() as i32)
            .sum()
    };
    let score = material(position.side()) - material(!position.side());
    let result = match score {
        ..-200 => WinDrawLoss::Loss,
        -200..=200 => WinDrawLoss::Draw,
        _ => WinDrawLoss::Win,
    };
    Record::new(position, score as i16, result)
}

fn dataset(training: usize, validation: usize) -> Dataset {
    let records = |count, seed| positions(count, seed).iter().map(record).collect();
    Dataset { training: records(training, 1), validation: records(validation, 2) }
}

fn recipe(shape: Shape, epochs: u32) -> Recipe {
    Recipe { shape, epochs, batch: 500, rate: 1e-2, rate_end: 1e-4, ..Recipe::default() }
}

/// The loss by its definition, in double precision.
fn reference_loss(model: &Model, records: &[(Record, bool)], target: &Target) -> f64 {
    let Shape { hidden, buckets } = model.shape;
    let p: Vec<f64> = model.parameters.iter().map(|&w| f64::from(w)).collect();
    let bias_at = features::COUNT * hidden;
    let output_at = bias_at + hidden;
    let mut total = 0.0;
    for &(record, mirrored) in records {
        let pieces = record.pieces();
        let mut sum = 0.0;
        let count = |kinds: &[Kind]| {
            pieces.iter().filter(|(piece, _)| kinds.contains(&piece.kind())).count() as u32
        };
        let (rooks, minors) = (count(&[Kind::Rook]), count(&[Kind::Horse, Kind::Cannon]));
        let bucket = features::bucket(buckets, rooks, minors);
        for (half, side) in Side::ALL.into_iter().enumerate() {
            for unit in 0..hidden {
                let mut value = p[bias_at + unit];
                for &(piece, square) in &pieces {
                    let square = if mirrored { square.mirrored() } else { square };
                    value += p[features::table().index(side, piece, square) * hidden + unit];
                }
                let active = value.clamp(0.0, 1.0).powi(2);
                sum += active * p[output_at + (bucket * 2 + half) * hidden + unit];
            }
        }
        sum += p[output_at + buckets * 2 * hidden + bucket];
        let sigmoid = |x: f64| 1.0 / (1.0 + (-x).exp());
        let by_score = sigmoid(f64::from(record.score()) / f64::from(target.scale));
        let share = f64::from(target.result_share);
        let aim = share * f64::from(record.result().points()) + (1.0 - share) * by_score;
        total += (sigmoid(sum) - aim).powi(2);
    }
    total
}

#[test]
fn gradient_equals_finite_differences() {
    for (hidden, buckets) in [(16, 8), (64, 1)] {
        let shape = Shape { hidden, buckets };
        let mut model = Model::random(shape, 3);
        let mut random = StdRng::seed_from_u64(4);
        // Away from zero, so that every part of the activation is met.
        for value in &mut model.parameters {
            *value += random.random_range(-0.2..0.25);
        }
        let target = Target { scale: 300.0, result_share: 0.4 };
        let records: Vec<(Record, bool)> =
            positions(40, 8).iter().map(|p| (record(p), random.random_bool(0.5))).collect();
        let mut gradient = vec![0.0; shape.parameters()];
        let decoder = Decoder::new(buckets);
        let loss = model.add_gradient(
            records.iter().map(|(record, mirrored)| (record, *mirrored)),
            &decoder,
            &target,
            &mut gradient,
        );
        let reference = reference_loss(&model, &records, &target);
        assert!((loss - reference).abs() < 1e-4 * reference, "{loss} and {reference}");

        let moving = gradient.iter().filter(|g| **g != 0.0).count();
        assert!(moving > 1000, "only {moving} parameters matter");
        let outputs = shape.parameters() - (buckets * 2 * hidden + buckets)..shape.parameters();
        let spots = (0..150).map(|_| random.random_range(0..shape.parameters()));
        let mut checked = 0;
        for spot in spots.chain(outputs) {
            let step = 1e-3;
            let with = |change: f32| {
                let mut changed = model.clone();
                changed.parameters[spot] += change;
                reference_loss(&changed, &records, &target)
            };
            let slope = (with(step) - with(-step)) / f64::from(2.0 * step);
            let error = (slope - f64::from(gradient[spot])).abs();
            // A kink of the activation inside the step bends the difference a little.
            assert!(error < 1e-3 + 0.01 * slope.abs(), "{spot}: {slope} and {}", gradient[spot]);
            checked += usize::from(slope.abs() > 0.01);
        }
        assert!(checked > 30, "only {checked} slopes of any size");
    }
}

/// Runs all epochs, and returns the trainer's last state.
fn train(mut trainer: Trainer<'_>) -> Checkpoint {
    while trainer.epoch(&AtomicBool::new(false), &mut |_| ()).is_some() {}
    trainer.checkpoint()
}

/// All but the speed.
fn same(a: &Checkpoint, b: &Checkpoint) -> bool {
    let losses = |c: &Checkpoint| -> Vec<_> {
        c.history.iter().map(|r| (r.epoch, r.steps, r.training_loss, r.validation_loss)).collect()
    };
    a.model == b.model && a.optimiser == b.optimiser && losses(a) == losses(b)
}

#[test]
fn learns_material_and_quantises_well() {
    let data = dataset(40_000, 1000);
    let shape = Shape { hidden: 64, buckets: 8 };
    let end = train(Trainer::new(recipe(shape, 6), &data, 2));
    let (first, last) = (end.history[0], end.history[5]);
    assert!(last.validation_loss < 0.25 * first.validation_loss, "{first:?} {last:?}");
    assert!(last.validation_loss < 0.01, "{last:?}");

    let (mean, worst) = quantisation_error(&end.model, &end.model.quantised(400).unwrap());
    assert!(mean < 8.0 && worst < 40.0, "mean {mean}, worst {worst}");
}

/// By how much network and model differ on positions of random games, in units of which a horse
/// has 400: on average and at worst.
fn quantisation_error(model: &Model, network: &Network) -> (f32, f32) {
    let (decoder, mut active) = (Decoder::new(model.shape.buckets), Active::default());
    let (mut worst, mut sum, mut count): (f32, f32, f32) = (0.0, 0.0, 0.0);
    for position in positions(10_000, 5) {
        decoder.decode(&record(&position), false, &mut active);
        let float = model.output(&active) * network.weights().scale as f32;
        let error = (float - network.evaluate(&position).0 as f32).abs();
        (worst, sum, count) = (worst.max(error), sum + error, count + 1.0);
    }
    println!("{:?}: quantisation error {} on average, {worst} at worst", model.shape, sum / count);
    (sum / count, worst)
}

/// The same for weights that long training gave: those inside the program, each moved by less than
/// rounding moved it.
#[test]
fn a_wide_trained_network_quantises_well() {
    let inside = builtin();
    let weights = inside.weights();
    let mut random = StdRng::seed_from_u64(6);
    let mut parameters = Vec::new();
    let mut unrounded = |list: &mut dyn Iterator<Item = i32>, unit: i32| {
        let one = |weight: i32| (weight as f32 + random.random_range(-0.49..0.49)) / unit as f32;
        parameters.extend(list.map(one));
    };
    unrounded(&mut weights.features.iter().map(|&w| i32::from(w)), QA);
    unrounded(&mut weights.feature_bias.iter().map(|&w| i32::from(w)), QA);
    unrounded(&mut weights.output.iter().map(|&w| i32::from(w)), QB);
    unrounded(&mut weights.output_bias.iter().copied(), QA * QB);
    let model =
        Model { shape: Shape { hidden: weights.hidden, buckets: weights.buckets }, parameters };
    assert_eq!(model.shape, Shape { hidden: 256, buckets: 8 });
    let network = model.quantised(weights.scale).unwrap();
    assert_eq!(network.checksum(), inside.checksum());
    let (mean, worst) = quantisation_error(&model, &network);
    // Measured: 15.3 and 56.7.
    assert!(mean < 18.0 && worst < 70.0, "mean {mean}, worst {worst}");
}

/// Eight steps in four epochs; the rate told is that of an epoch's second step.
#[test]
fn the_rate_follows_half_a_cosine() {
    let data = dataset(40, 0);
    let shape = Shape { hidden: 16, buckets: 1 };
    let recipe = Recipe { shape, epochs: 4, batch: 20, decay: 0.0, ..Recipe::default() };
    let recipe = Recipe { rate: 0.02, rate_end: 0.01, ..recipe };
    let end = train(Trainer::new(recipe.clone(), &data, 1));
    let rates: Vec<f32> = end.history.iter().map(|report| report.rate).collect();
    // 0.015 ± 0.005 · cos(π/8), ± 0.005 · cos(3π/8): after an eighth, three, five, seven of the way.
    for (rate, expected) in rates.iter().zip([0.019_619_4, 0.016_913_4, 0.013_086_6, 0.010_380_6]) {
        assert!((rate - expected).abs() < 1e-6, "{rates:?}");
    }
    // The first step of all moves whatever has a slope by the whole rate, as Adam's first does.
    let mut trainer = Trainer::new(Recipe { epochs: 1, batch: 40, ..recipe }, &data, 1);
    let before = trainer.model().parameters.clone();
    trainer.epoch(&AtomicBool::new(false), &mut |_| ()).unwrap();
    let moves = trainer.model().parameters.iter().zip(&before).map(|(a, b)| (a - b).abs());
    let furthest = moves.fold(0.0, f32::max);
    assert!((furthest - 0.02).abs() < 1e-5, "{furthest}");
}

/// With a rate of 0 nothing is learnt, and the loss tells the target.
#[test]
fn the_share_of_the_result_changes_evenly() {
    let won = |position| Record::new(position, 0, WinDrawLoss::Win);
    let data = Dataset { training: vec![won(&Position::start())], validation: Vec::new() };
    let shape = Shape { hidden: 16, buckets: 1 };
    let recipe = Recipe { shape, epochs: 4, rate: 0.0, rate_end: 0.0, ..Recipe::default() };
    let recipe = Recipe { result_share: 0.2, result_share_end: 0.8, ..recipe };
    let end = train(Trainer::new(recipe.clone(), &data, 1));
    let mut active = Active::default();
    // The start position is its own mirror.
    Decoder::new(1).decode(&data.training[0], false, &mut active);
    let points = 1.0 / (1.0 + f64::from(-end.model.output(&active)).exp());
    // Half a point by the score, a whole one by the result.
    for (report, (share, aim)) in
        end.history.iter().zip([(0.2, 0.6), (0.4, 0.7), (0.6, 0.8), (0.8, 0.9)])
    {
        assert!((report.result_share - share).abs() < 1e-6, "{report:?}");
        assert!((report.training_loss - (points - aim).powi(2)).abs() < 1e-5, "{report:?}");
    }
    let once = train(Trainer::new(Recipe { epochs: 1, ..recipe }, &data, 1));
    assert!((once.history[0].result_share - 0.2).abs() < 1e-6);
}

/// One position many times, and nothing learnt: the loss tells how many were mirrored. That the
/// gradient of a mirrored position is right is shown above.
#[test]
fn half_of_the_records_are_mirrored() {
    let position = positions(1000, 3).swap_remove(60);
    let record = Record::new(&position, 300, WinDrawLoss::Win);
    let data = Dataset { training: vec![record; 2000], validation: vec![record] };
    let shape = Shape { hidden: 16, buckets: 1 };
    let recipe = Recipe { shape, epochs: 3, rate: 0.0, rate_end: 0.0, ..Recipe::default() };
    let end = train(Trainer::new(recipe, &data, 2));
    let target = Target { scale: 400.0, result_share: 0.3 };
    let [plain, mirrored] =
        [false, true].map(|mirrored| reference_loss(&end.model, &[(record, mirrored)], &target));
    assert!((plain - mirrored).abs() > 0.01 * plain, "{plain} and {mirrored} are too alike");
    for report in &end.history {
        let share = (report.training_loss - plain) / (mirrored - plain);
        assert!((0.45..0.55).contains(&share), "{share} mirrored in epoch {}", report.epoch);
        assert!((report.validation_loss - plain).abs() < 1e-4 * plain, "no mirror here");
    }
}

#[test]
fn same_network_whatever_the_threads() {
    let data = dataset(2000, 100);
    let shape = Shape { hidden: 16, buckets: 1 };
    let runs = [1, 2, 3, 8].map(|threads| train(Trainer::new(recipe(shape, 2), &data, threads)));
    assert!(runs.iter().all(|run| same(run, &runs[0])));
    let other = Recipe { seed: 2, ..recipe(shape, 2) };
    assert!(!same(&train(Trainer::new(other, &data, 1)), &runs[0]));
}

/// With few games there may be none to validate with: the loss is no number, and goes on being none.
#[test]
fn resumes_without_validation_records() {
    let data = dataset(500, 0);
    let recipe = recipe(Shape { hidden: 16, buckets: 1 }, 2);
    let path = std::env::temp_dir().join(format!("chuhe-unvalidated-{}.bin", std::process::id()));
    let mut trainer = Trainer::new(recipe, &data, 1);
    let report = trainer.epoch(&AtomicBool::new(false), &mut |_| ()).unwrap();
    assert!(report.validation_loss.is_nan());
    trainer.checkpoint().save(&path).unwrap();
    let saved = Checkpoint::load(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    assert!(saved.history[0].validation_loss.is_nan());
    assert_eq!(train(Trainer::resume(saved, &data, 1).unwrap()).history.len(), 2);
}

#[test]
fn resumes_as_if_never_stopped() {
    let data = dataset(2000, 100);
    let recipe = recipe(Shape { hidden: 16, buckets: 8 }, 4);
    let straight = train(Trainer::new(recipe.clone(), &data, 1));

    let path = std::env::temp_dir().join(format!("chuhe-checkpoint-{}.bin", std::process::id()));
    let mut trainer = Trainer::new(recipe, &data, 1);
    for _ in 0..2 {
        trainer.epoch(&AtomicBool::new(false), &mut |_| ()).unwrap();
    }
    trainer.checkpoint().save(&path).unwrap();
    // Cut short in the third epoch; only what was saved counts.
    let stop = AtomicBool::new(false);
    let stopped =
        trainer.epoch(&stop, &mut |_| stop.store(true, std::sync::atomic::Ordering::Relaxed));
    assert!(stopped.is_none());
    let saved = Checkpoint::load(&path).unwrap();
    assert_eq!(saved.history.len(), 2);
    assert!(same(&train(Trainer::resume(saved, &data, 1).unwrap()), &straight));

    let bytes = std::fs::read(&path).unwrap();
    std::fs::write(&path, &bytes[..bytes.len() - 5]).unwrap();
    assert!(Checkpoint::load(&path).is_err());
    std::fs::remove_file(&path).unwrap();
}

#[test]
fn curves() {
    let data = dataset(1000, 100);
    let end = train(Trainer::new(recipe(Shape { hidden: 16, buckets: 1 }, 3), &data, 1));
    let csv = curve::csv(&end.history);
    assert_eq!(csv.lines().count(), 4);
    assert!(csv.lines().nth(3).unwrap().starts_with("3,6,"));
    let svg = curve::svg(&end.history);
    assert_eq!(svg.matches("<polyline").count(), 2);
    let points = svg.split("points=\"").nth(1).unwrap().split('"').next().unwrap();
    assert_eq!(points.split(' ').count(), 3);
    assert!(curve::svg(&[]).ends_with("</svg>\n"));
}

/// A folder with files of records, for runs of the program.
struct Folder(PathBuf);

impl Folder {
    /// Holds `a.records` and as many others in `b.records`.
    fn new(name: &str) -> Self {
        let folder = Self(env::temp_dir().join(format!("chuhe-train-{name}-{}", process::id())));
        fs::create_dir_all(&folder.0).unwrap();
        dataset(400, 40).save(&folder.file("a.records")).unwrap();
        let (mut other, swapped) = (dataset(400, 40), 17);
        other.training.swap(swapped, swapped + 1);
        other.save(&folder.file("b.records")).unwrap();
        folder
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// `chuhe train`, with epochs of two steps, three unless `more` says otherwise.
    fn command(&self, data: &str, network: &str, more: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_chuhe"));
        command.arg("train").arg(self.file(data)).arg("--out").arg(self.file(network));
        let epochs = if more.contains("--epochs") { "" } else { "--epochs 3" };
        let words = ["--hidden 16 --batch 200 --threads 1", epochs, more];
        command.args(words.iter().flat_map(|words| words.split_whitespace())).stdin(Stdio::null());
        command
    }

    fn train(&self, data: &str, network: &str, more: &str) -> Output {
        self.command(data, network, more).output().unwrap()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn the_result_is_printed_and_the_progress_told() {
    let folder = Folder::new("streams");
    let run = folder.train("a.records", "net.nnue", "");
    assert!(run.status.success());
    let (result, progress) =
        (String::from_utf8(run.stdout).unwrap(), String::from_utf8(run.stderr).unwrap());
    assert!(result.starts_with("(692 -> 16)x2 -> 1, ") && result.lines().count() == 1, "{result}");
    let epochs = progress.lines().filter(|line| line.starts_with("epoch "));
    assert_eq!(epochs.count(), 3, "{progress}");
}

/// As behind `| head`, where the reader goes away.
#[test]
fn nothing_is_lost_if_nobody_reads() {
    let folder = Folder::new("unread");
    for (network, both) in [("out.nnue", false), ("both.nnue", true)] {
        let closed = || {
            let (reader, writer) = io::pipe().unwrap();
            drop(reader);
            Stdio::from(writer)
        };
        let mut command = folder.command("a.records", network, "");
        command.stdout(closed()).stderr(if both { closed() } else { Stdio::null() });
        assert!(command.status().unwrap().success());
        let file = |extension| folder.file(network).with_extension(extension);
        assert_eq!(Checkpoint::load(&file("checkpoint")).unwrap().history.len(), 3);
        assert_eq!(fs::read_to_string(file("csv")).unwrap().lines().count(), 4);
        assert!(Network::load(&file("nnue")).is_ok());
    }
}

#[test]
fn goes_on_only_with_its_own_data() {
    let folder = Folder::new("data");
    assert!(folder.train("a.records", "net.nnue", "").status.success());
    let network = fs::read(folder.file("net.nnue")).unwrap();
    let other = folder.train("b.records", "net.nnue", "--resume");
    assert_eq!(other.status.code(), Some(1));
    let why = String::from_utf8(other.stderr).unwrap();
    assert!(why.ends_with("net.checkpoint: taken with other data\n"), "{why}");

    // With its own there is nothing left to do but to write what is missing.
    fs::remove_file(folder.file("net.nnue")).unwrap();
    assert!(folder.train("a.records", "net.nnue", "--resume").status.success());
    assert_eq!(fs::read(folder.file("net.nnue")).unwrap(), network);
}

#[test]
fn runs_do_not_share_files() {
    let folder = Folder::new("names");
    for (network, seed) in [("net-0.1", 1), ("net-0.2", 2), ("a.csv", 3)] {
        let run = folder.train("a.records", network, &format!("--seed {seed}"));
        assert!(run.status.success());
    }
    for (network, seed) in [("net-0.1", 1), ("net-0.2", 2), ("a.csv", 3)] {
        assert!(Network::load(&folder.file(network)).is_ok(), "{network}");
        let saved = Checkpoint::load(&folder.file(&format!("{network}.checkpoint"))).unwrap();
        assert_eq!(saved.recipe.seed, seed);
        assert!(folder.file(&format!("{network}.csv")).exists());
    }
}

#[test]
fn a_run_of_no_epochs_is_refused() {
    let folder = Folder::new("none");
    let run = folder.train("a.records", "net.nnue", "--epochs 0");
    assert_eq!(run.status.code(), Some(2));
    let why = String::from_utf8(run.stderr).unwrap();
    assert_eq!(why, "chuhe: epochs and batch are 1 or more, the scale 1 to 4000\n");
    assert!(!folder.file("net.nnue").exists());
}

/// Prints the speed of the trainer: `cargo test --release --test nnue_training -- --ignored
/// --nocapture`.
#[test]
#[ignore = "a measurement"]
fn throughput() {
    let data = dataset(400_000, 10);
    for (hidden, buckets) in [(64, 1), (128, 1), (128, 8), (256, 1)] {
        let recipe = Recipe { shape: Shape { hidden, buckets }, epochs: 2, ..Recipe::default() };
        let mut trainer = Trainer::new(recipe, &data, 1);
        let begin = Instant::now();
        let report = trainer.epoch(&AtomicBool::new(false), &mut |_| ()).unwrap();
        let rate = report.records_per_second;
        println!("{hidden} x {buckets}: {rate:.0} records/s ({:?})", begin.elapsed());
    }
}
