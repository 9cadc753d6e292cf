//! Properties of the network evaluation, on networks with random weights.

use chuhe::eval::{
    Backend, Evaluator, Score,
    nnue::{Kernel, Network, NetworkError, QA, QB, Weights, builtin, features},
};
use rand::{Rng, SeedableRng, rngs::StdRng, seq::IndexedRandom};
use std::{path::Path, sync::Arc};
use xiangqi::{
    board::Position,
    types::{Move, Side},
};

/// Weights of the size that training produces, with some at the limits of the format.
fn random_weights(hidden: usize, buckets: usize, seed: u64) -> Weights {
    let mut random = StdRng::seed_from_u64(seed);
    let mut list = |count: usize, usual: i16, limit: i16| -> Vec<i16> {
        (0..count)
            .map(|_| match random.random_range(0..50) {
                0 => limit,
                1 => -limit,
                _ => random.random_range(-usual..=usual),
            })
            .collect()
    };
    Weights {
        hidden,
        buckets,
        scale: 400,
        features: list(features::COUNT * hidden, 60, 900),
        feature_bias: list(hidden, 100, 3900),
        output: list(2 * hidden * buckets, 40, 127),
        output_bias: list(buckets, 1000, 9000).into_iter().map(i32::from).collect(),
    }
}

fn random_network(hidden: usize, buckets: usize, seed: u64) -> Network {
    Network::new(random_weights(hidden, buckets, seed)).unwrap()
}

/// Calls `visit` with the positions of random games.
fn random_positions(games: u64, plies: usize, mut visit: impl FnMut(&Position)) {
    for seed in 0..games {
        let mut random = StdRng::seed_from_u64(seed);
        let mut position = Position::start();
        for _ in 0..plies {
            let Some(&m) = position.legal_moves().choose(&mut random) else { break };
            position.make(m);
            visit(&position);
        }
    }
}

/// The definition of the output in floating point, written without the engine's arithmetic.
fn float_evaluate(weights: &Weights, position: &Position) -> f64 {
    let hidden = weights.hidden;
    let half = |side: Side| -> Vec<f64> {
        let mut sums: Vec<f64> = weights.feature_bias.iter().map(|&b| f64::from(b)).collect();
        for feature in features::table().active(position, side) {
            for (sum, weight) in sums.iter_mut().zip(&weights.features[feature * hidden..]) {
                *sum += f64::from(*weight);
            }
        }
        sums.into_iter().map(|s| (s / f64::from(QA)).clamp(0.0, 1.0).powi(2)).collect()
    };
    let bucket = features::bucket_of(position, weights.buckets);
    let output = &weights.output[bucket * 2 * hidden..][..2 * hidden];
    let layer = [half(position.side()), half(!position.side())].concat();
    let sum: f64 = layer.iter().zip(output).map(|(v, &w)| v * f64::from(w) / f64::from(QB)).sum();
    let bias = f64::from(weights.output_bias[bucket]) / f64::from(QA * QB);
    (sum + bias) * f64::from(weights.scale)
}

#[test]
fn integers_follow_the_definition() {
    for (hidden, buckets) in [(64, 1), (128, 8)] {
        let network = random_network(hidden, buckets, 7);
        let mut largest: f64 = 0.0;
        let mut count = 0;
        random_positions(30, 200, |position| {
            let exact = float_evaluate(network.weights(), position);
            largest = largest.max((exact - f64::from(network.evaluate(position).0)).abs());
            count += 1;
        });
        assert!(count > 3000, "{count} positions are too few");
        assert!(largest <= 1.1, "off by {largest}");
    }
}

#[test]
fn scalar_equals_simd() {
    if Kernel::detect() == Kernel::scalar() {
        println!("skipped: this processor has no faster kernel");
    }
    for hidden in [16, 64, 128, 256, 1024] {
        let fast = random_network(hidden, 8, hidden as u64);
        let slow = fast.clone().with_kernel(Kernel::scalar());
        random_positions(4, 150, |position| {
            assert_eq!(fast.evaluate(position), slow.evaluate(position));
        });
    }
}

#[test]
fn symmetric_in_the_colours() {
    let network = random_network(64, 8, 3);
    random_positions(8, 120, |position| {
        let flipped = position.colour_flipped();
        assert_eq!(network.evaluate(position), network.evaluate(&flipped));
    });
}

/// Walks a random tree and compares at some nodes, so that several plies are often pending.
fn walk(
    position: &mut Position,
    depth: u32,
    random: &mut StdRng,
    check: &mut dyn FnMut(&Position, Step),
) {
    if random.random_bool(0.4) {
        check(position, Step::Compare);
    }
    if depth == 0 {
        return;
    }
    let moves = position.legal_moves();
    for &m in moves.choose_multiple(random, 3) {
        check(position, Step::Push(m));
        let undo = position.make(m);
        walk(position, depth - 1, random, check);
        position.unmake(m, undo);
        check(position, Step::Pop);
    }
    if !position.in_check() && random.random_bool(0.2) {
        let undo = position.make_null();
        walk(position, depth - 1, random, check);
        position.unmake_null(undo);
    }
}

enum Step {
    Push(Move),
    Pop,
    Compare,
}

#[test]
fn incremental_equals_refresh() {
    let shapes =
        [(64, 8), (256, 1)].map(|shape| [Kernel::detect(), Kernel::scalar()].map(|k| (shape, k)));
    for ((hidden, buckets), kernel) in shapes.into_iter().flatten() {
        let network = Arc::new(random_network(hidden, buckets, 11).with_kernel(kernel));
        let backend = Backend::Network(Arc::clone(&network));
        let mut evaluator = Evaluator::new(&backend, &Position::start());
        let mut random = StdRng::seed_from_u64(5);
        let mut compared = 0;
        random_positions(12, 90, |position| {
            if random.random_bool(0.95) {
                return;
            }
            evaluator.reset(position);
            let mut position = position.clone();
            walk(&mut position, 5, &mut random, &mut |position, step| match step {
                Step::Push(m) => evaluator.push(position, m),
                Step::Pop => evaluator.pop(),
                Step::Compare => {
                    assert_eq!(evaluator.evaluate(position), network.evaluate(position));
                    compared += 1;
                }
            });
        });
        assert!(compared > 1000, "only {compared} comparisons");
    }
}

#[test]
fn the_network_inside_the_program() {
    let builtin = builtin();
    assert_eq!(Backend::default().number(), builtin.checksum());
    assert!(builtin.to_bytes().len() < 4_000_000);
    // It knows what a rook is worth, about: the start position without one of Black's.
    let fen = "rnbakabn1/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
    let score = builtin.evaluate(&fen.parse().unwrap());
    assert!((400..2500).contains(&score.0), "{score}");
    let level = builtin.evaluate(&Position::start());
    assert!(level.0.abs() < 150, "{level}");
}

#[test]
fn evaluations_by_name() {
    for name in ["hce", "HCE", " hce "] {
        assert!(matches!(Backend::named(name), Ok(Backend::Handwritten)));
    }
    for name in ["", "<builtin>", "<empty>"] {
        assert_eq!(Backend::named(name).unwrap().number(), Backend::default().number());
    }
    let missing = Backend::named("没有 such file.nnue").unwrap_err().to_string();
    assert!(missing.starts_with("cannot read the network: "), "{missing}");
    let network = random_network(16, 1, 4);
    let path = std::env::temp_dir().join(format!("chuhe-by-name-{}.nnue", std::process::id()));
    std::fs::write(&path, network.to_bytes()).unwrap();
    let named = Backend::named(path.to_str().unwrap()).unwrap();
    assert_eq!(named.number(), network.checksum());
    std::fs::remove_file(&path).unwrap();
}

#[test]
fn handwritten_backend_is_the_evaluation() {
    let position = Position::start();
    let mut evaluator = Evaluator::new(&Backend::Handwritten, &position);
    assert_eq!(evaluator.evaluate(&position), chuhe::eval::evaluate(&position));
}

#[test]
fn file_round_trip() {
    let network = random_network(32, 8, 1);
    let read = Network::from_bytes(&network.to_bytes()).unwrap();
    assert_eq!(read.weights(), network.weights());
    assert_eq!(read.checksum(), network.checksum());
    // Header 40, features 692 · 32, bias 32, output 8 · 64 shorts, and 8 output biases.
    assert_eq!(network.to_bytes().len(), 40 + (692 * 32 + 32 + 512) * 2 + 32);
}

/// The search keeps what it learnt with one evaluation only as long as that number stays.
#[test]
fn what_changes_scores_changes_the_number() {
    let network = random_network(32, 8, 1);
    let mut weights = network.weights().clone();
    weights.scale += 1;
    let rescaled = Network::new(weights.clone()).unwrap();
    weights.output_bias[7] += 1;
    let shifted = Network::new(weights).unwrap();
    let numbers = [network.checksum(), rescaled.checksum(), shifted.checksum()];
    assert!(numbers.iter().all(|n| numbers.iter().filter(|m| *m == n).count() == 1));
}

#[test]
fn refuses_damaged_files() {
    let bytes = random_network(32, 1, 1).to_bytes();
    for length in 0..bytes.len().min(200) {
        assert!(Network::from_bytes(&bytes[..length]).is_err(), "{length} bytes");
    }
    let short = Network::from_bytes(&bytes[..bytes.len() - 1]);
    assert!(matches!(short, Err(NetworkError::Length { .. })));
    let long = Network::from_bytes(&[bytes.clone(), vec![0]].concat());
    assert!(matches!(long, Err(NetworkError::Length { .. })));
    let mut damaged = bytes.clone();
    damaged[3000] ^= 1;
    assert!(matches!(Network::from_bytes(&damaged), Err(NetworkError::Checksum)));
    let mut other = bytes.clone();
    other[0] = b'X';
    assert!(matches!(Network::from_bytes(&other), Err(NetworkError::Foreign)));
    // Nothing in the header can change unnoticed.
    for at in 8..40 {
        let mut changed = bytes.clone();
        changed[at] ^= 0x11;
        assert!(Network::from_bytes(&changed).is_err(), "header byte {at}");
    }
}

#[test]
fn refuses_weights_that_could_overflow() {
    let mut weights = random_weights(16, 1, 1);
    weights.features[5] = 901;
    assert!(matches!(Network::new(weights.clone()), Err(NetworkError::OutOfRange)));
    weights.features[5] = 900;
    weights.feature_bias[0] = -3901;
    assert!(matches!(Network::new(weights.clone()), Err(NetworkError::OutOfRange)));
    weights.feature_bias[0] = -3900;
    weights.output[0] = -128;
    assert!(matches!(Network::new(weights.clone()), Err(NetworkError::OutOfRange)));
    weights.output[0] = -127;
    weights.scale = 0;
    assert!(matches!(Network::new(weights), Err(NetworkError::Unsupported(_))));
}

#[test]
fn loads_from_awkward_paths() {
    let folder = std::env::temp_dir().join(format!("chuhe net 网络 {}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("默认 network.nnue");
    let network = random_network(16, 1, 9);
    std::fs::write(&path, network.to_bytes()).unwrap();
    let loaded = Network::load(&path).unwrap();
    assert_eq!(loaded.checksum(), network.checksum());
    assert!(matches!(Network::load(&folder), Err(NetworkError::Io(_))));
    std::fs::write(&path, b"").unwrap();
    assert!(matches!(Network::load(&path), Err(NetworkError::Foreign)));
    std::fs::remove_dir_all(&folder).unwrap();
    assert!(matches!(Network::load(&path), Err(NetworkError::Io(_))));
    assert!(matches!(Network::load(Path::new("")), Err(NetworkError::Io(_))));
}

#[test]
fn extreme_weights_saturate_at_the_limit() {
    let mut weights = random_weights(1024, 1, 2);
    weights.features.fill(900);
    weights.feature_bias.fill(3900);
    weights.output.fill(127);
    weights.scale = 4000;
    let fast = Network::new(weights).unwrap();
    let slow = fast.clone().with_kernel(Kernel::scalar());
    let position = Position::start();
    assert_eq!(fast.evaluate(&position), slow.evaluate(&position));
    // 2048 · 127/64 in units of 4000 a piece is far beyond what an evaluation may say.
    assert_eq!(fast.evaluate(&position), Score::EVAL_LIMIT);
}
