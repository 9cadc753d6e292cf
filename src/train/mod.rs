//! Making networks: games of the engine against itself, training records, and the trainer.
//!
//! ```text
//! datagen -> game file -> dataset (filters, no duplicates, shuffled) -> trainer -> network
//!               ^  |
//!               rescore
//! ```
//!
//! Formats and recipe are described in `docs/nnue.md`.

pub mod chances;
mod checkpoint;
pub mod curve;
pub mod datagen;
pub mod dataset;
pub mod files;
pub mod format;
pub mod merge;
pub mod model;
pub mod opening;
mod optimiser;
mod parallel;
mod recipe;
mod record;
pub mod rescore;
pub mod statistics;
mod trainer;
pub mod tune;

pub use checkpoint::{Checkpoint, Fingerprint};
pub use optimiser::AdamW;
pub use recipe::{EpochReport, Recipe};
pub use record::{Active, Decoder, Record, WinDrawLoss};
pub use trainer::Trainer;
