//! Making networks: games of the engine against itself, training records, and the trainer.
//!
//! ```text
//! datagen -> game file -> dataset (filters, no duplicates, shuffled) -> trainer -> network
//!               ^  |
//!               rescore
//! ```
//!
//! Formats and recipe are described in `docs/nnue.md`.

pub mod format;
mod record;

pub use record::{Active, Decoder, Record, WinDrawLoss};
