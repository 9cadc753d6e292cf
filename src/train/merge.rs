//! Putting together game files that were made apart.

use super::{
    files::replace,
    format::{Ending, FormatError, GameReader, GameRecord, Header},
    record::WinDrawLoss,
};
use std::{
    collections::HashSet,
    io::{self, Write},
    path::{Path, PathBuf},
};

/// What was put together.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Merged {
    /// Games written.
    pub games: u64,
    /// Games left out because they were there already.
    pub repeated: u64,
    /// The inputs that end with an unfinished game, and its bytes.
    pub torn: Vec<(PathBuf, u64)>,
}

/// Copies the games of several files into one, each game once; the file appears when all of it is
/// written, and replaces what is there. `on_bytes` hears of bytes read.
///
/// # Errors
/// If a file cannot be read or written.
pub fn merge(
    inputs: &[&Path],
    output: &Path,
    mut on_bytes: impl FnMut(u64),
) -> Result<Merged, FormatError> {
    let mut readers =
        inputs.iter().map(|path| GameReader::open(path)).collect::<Result<Vec<_>, _>>()?;
    let header = common_header(&readers);
    let mut merged = Merged::default();
    let mut seen = HashSet::new();
    let written = replace(output, |out| {
        out.write_all(&header.to_bytes())?;
        for reader in &mut readers {
            let mut at = 0;
            while let Some(game) = reader.next() {
                if seen.insert(game.moves_hash()) {
                    out.write_all(&game.to_bytes())?;
                    merged.games += 1;
                } else {
                    merged.repeated += 1;
                }
                on_bytes(reader.bytes_read() - at);
                at = reader.bytes_read();
            }
            let torn = reader.torn_bytes().map_err(io::Error::other)?;
            if torn > 0 {
                merged.torn.push((reader.path().to_owned(), torn));
            }
        }
        Ok(())
    });
    match written.map_err(io::Error::downcast) {
        Ok(()) => Ok(merged),
        Err(Ok(of_an_input)) => Err(of_an_input),
        Err(Err(error)) => Err(FormatError::Io(output.to_owned(), error)),
    }
}

/// What is true of all the games.
fn common_header(readers: &[GameReader]) -> Header {
    let headers: Vec<Header> = readers.iter().map(GameReader::header).collect();
    let first = headers.first().copied().unwrap_or_default();
    let same_nodes = headers.iter().all(|header| header.nodes == first.nodes);
    let same_evaluator = headers.iter().all(|header| header.evaluator == first.evaluator);
    Header {
        nodes: if same_nodes { first.nodes } else { 0 },
        evaluator: if same_evaluator { first.evaluator } else { Header::MIXED },
        ..Header::default()
    }
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
