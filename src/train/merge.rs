//! Putting together game files that were made apart.

use super::{
    format::{Ending, FormatError, GameReader, GameRecord, GameWriter, Header},
    record::WinDrawLoss,
};
use std::{collections::HashSet, path::Path};

/// Copies the games of several files into one, each game once. Returns the games written and the
/// repeated ones left out.
///
/// # Errors
/// If a file cannot be read or written.
pub fn merge(inputs: &[&Path], output: &Path) -> Result<(u64, u64), FormatError> {
    let mut readers =
        inputs.iter().map(|path| GameReader::open(path)).collect::<Result<Vec<_>, _>>()?;
    let common = readers.first().map(GameReader::header).unwrap_or_default();
    let agree = readers.iter().all(|reader| {
        (reader.header().nodes, reader.header().evaluator) == (common.nodes, common.evaluator)
    });
    let header = if agree { Header { seed: 0, ..common } } else { Header::default() };
    let mut writer = GameWriter::append(output, header)?;
    let mut seen = HashSet::new();
    let mut repeated = 0;
    for reader in &mut readers {
        for game in reader.by_ref() {
            if seen.insert(game.moves_hash()) {
                writer.write(&game)?;
            } else {
                repeated += 1;
            }
        }
        reader.torn_bytes()?;
    }
    Ok((writer.games(), repeated))
}

/// Totals of a game that a progress line shows.
#[derive(Clone, Copy, Default, Debug)]
pub struct Tally {
    /// Games by result for Red: lost, drawn, won.
    pub results: [u64; 3],
    /// Games that ended by a rule on repetitions.
    pub repetitions: u64,
    /// Plies in all games.
    pub plies: u64,
}

impl Tally {
    /// Counts a game.
    pub fn add(&mut self, game: &GameRecord) {
        self.results[game.result as usize] += 1;
        self.plies += game.moves.len() as u64;
        self.repetitions +=
            u64::from(matches!(game.ending, Ending::RepetitionDraw | Ending::RepetitionLoss));
    }

    /// Games counted.
    pub fn games(&self) -> u64 {
        self.results.iter().sum()
    }

    /// The share of drawn games, from 0 to 1.
    pub fn draw_share(&self) -> f64 {
        self.results[WinDrawLoss::Draw as usize] as f64 / self.games().max(1) as f64
    }
}
