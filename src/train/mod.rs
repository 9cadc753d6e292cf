//! Making networks: games of the engine against itself, training records, and the trainer.
//!
//! ```text
//! datagen -> game file -> dataset (filters, no duplicates, shuffled) -> trainer -> network
//!               ^  |
//!               rescore
//! ```
//!
//! Formats and recipe are described in `docs/nnue.md`.

mod checkpoint;
pub mod curve;
pub mod dataset;
pub mod format;
pub mod merge;
pub mod model;
mod optimiser;
mod record;
pub mod statistics;
mod trainer;

pub use checkpoint::Checkpoint;
pub use optimiser::AdamW;
pub use record::{Active, Decoder, Record, WinDrawLoss};
pub use trainer::{EpochReport, Recipe, Trainer};
