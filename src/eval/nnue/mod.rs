//! The network evaluation: piece-square features, one hidden layer seen from both sides, and a
//! linear output, all in integers.
//!
//! The shape `(692 → H) × 2 → 1` with squared clipped ReLU is the usual first one of small engines;
//! its derivation and the file format stand in `docs/nnue.md`.

mod accumulator;
pub mod features;
mod network;
mod simd;

pub use accumulator::AccumulatorStack;
pub use network::{
    MAX_FEATURE_BIAS, MAX_FEATURE_WEIGHT, MAX_FILE_BYTES, MAX_HIDDEN, MAX_OUTPUT_WEIGHT, Network,
    NetworkError, QA, QB, Weights, builtin,
};
pub use simd::{Kernel, LANES, Lane};
