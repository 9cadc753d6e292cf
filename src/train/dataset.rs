//! From games to training records: which positions are worth learning from, each only once, split
//! by game and shuffled.

use super::{
    files::replace,
    format::{FormatError, GameReader, GameRecord},
    record::Record,
    statistics::{Rejection, Statistics},
};
use rand::{SeedableRng, rngs::StdRng, seq::SliceRandom};
use std::{
    collections::HashSet,
    fs::File,
    hash::{BuildHasherDefault, Hasher},
    io::{self, BufReader, Read, Write},
    path::Path,
};
use xiangqi::{game::Game, types::Side};

/// Which positions are kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Filters {
    /// The first ply that counts, from the start of the whole game: earlier ones are too alike.
    pub first_ply: u32,
    /// Scores beyond this, of a decided game, teach nothing.
    pub score_limit: i16,
    /// One game in this many is for validation.
    pub validation_period: u64,
}

impl Default for Filters {
    fn default() -> Self {
        Self { first_ply: 16, score_limit: 3000, validation_period: 50 }
    }
}

/// The positions of a set of games, split by game.
#[derive(Default)]
pub struct Dataset {
    /// Records to learn from.
    pub training: Vec<Record>,
    /// Records of other games, to judge by.
    pub validation: Vec<Record>,
}

/// Takes games, keeps records.
pub struct Expansion {
    filters: Filters,
    seen: HashSet<u64, BuildHasherDefault<PassThrough>>,
    data: Dataset,
    statistics: Statistics,
}

impl Expansion {
    /// An expansion that has seen nothing yet.
    pub fn new(filters: Filters) -> Self {
        let statistics = Statistics::default();
        Self { filters, seen: HashSet::default(), data: Dataset::default(), statistics }
    }

    /// Adds the games of a file, and returns the bytes of a torn tail that it ignored. `on_bytes`
    /// hears of bytes read.
    ///
    /// # Errors
    /// If the file cannot be read or is damaged.
    pub fn add_file(
        &mut self,
        path: &Path,
        mut on_bytes: impl FnMut(u64),
    ) -> Result<u64, FormatError> {
        let mut reader = GameReader::open(path)?;
        let mut at = 0;
        while let Some(game) = reader.next() {
            self.add(&game);
            on_bytes(reader.bytes_read() - at);
            at = reader.bytes_read();
        }
        reader.torn_bytes()
    }

    /// Adds one game.
    pub fn add(&mut self, game: &GameRecord) {
        self.statistics.read(game);
        let for_validation = game.moves_hash().is_multiple_of(self.filters.validation_period);
        for (ply, rejection) in self.filters.sift(game) {
            let record = match rejection {
                None => Some(ply).filter(|record| self.seen.insert(record.symmetric_hash())),
                Some(_) => None,
            };
            let Some(record) = record else {
                let reason = rejection.unwrap_or(Rejection::Duplicate);
                self.statistics.reject(reason);
                continue;
            };
            self.statistics.keep(&record);
            let list =
                if for_validation { &mut self.data.validation } else { &mut self.data.training };
            list.push(record);
        }
    }

    /// What was read and kept so far.
    pub const fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    /// The records in random order. Unshuffled, neighbours in a batch would come from one game.
    pub fn finish(self, seed: u64) -> (Dataset, Statistics) {
        let mut data = self.data;
        let mut random = StdRng::seed_from_u64(seed);
        data.training.shuffle(&mut random);
        data.validation.shuffle(&mut random);
        (data, self.statistics)
    }
}

impl Filters {
    /// Each position of a game as a record, with the reason why it should not be kept.
    fn sift(&self, record: &GameRecord) -> Vec<(Record, Option<Rejection>)> {
        let mut game = Game::new(record.start.clone());
        let first = u32::from(record.start.fullmove().saturating_sub(1)) * 2
            + u32::from(record.start.side() == Side::Black);
        let mut positions = Vec::with_capacity(record.moves.len());
        for (ply, scored) in (first..).zip(&record.moves) {
            let position = game.position();
            let rejection = if ply < self.first_ply {
                Some(Rejection::Opening)
            } else if scored.score.unsigned_abs() > self.score_limit.unsigned_abs() {
                Some(Rejection::Decided)
            } else if position.in_check() {
                Some(Rejection::InCheck)
            } else if position.piece_on(scored.played.to()).is_some() {
                Some(Rejection::Capture)
            } else if position.gives_check(scored.played) {
                Some(Rejection::Check)
            } else {
                None
            };
            let result = record.result_for(position.side());
            positions.push((Record::new(position, scored.score, result), rejection));
            game.play_legal(scored.played);
            if let Some(earlier) = game.earlier_occurrences().next() {
                for (_, rejection) in positions.iter_mut().skip(earlier) {
                    rejection.get_or_insert(Rejection::Cycle);
                }
            }
        }
        positions
    }
}

/// The keys are hashes already.
#[derive(Default)]
struct PassThrough(u64);

impl Hasher for PassThrough {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = value;
    }
}

/// How a file of records begins.
pub const MAGIC: [u8; 8] = *b"CHUHEREC";

impl Dataset {
    /// Writes the records to a file: magic, the two counts, then training and validation records.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn save(&self, path: &Path) -> io::Result<()> {
        replace(path, |out| {
            out.write_all(&MAGIC)?;
            for list in [&self.training, &self.validation] {
                out.write_all(&(list.len() as u64).to_le_bytes())?;
            }
            let mut records = self.training.iter().chain(&self.validation);
            records.try_for_each(|record| out.write_all(record.as_bytes()))
        })
    }

    /// Reads a file of records.
    ///
    /// # Errors
    /// If it cannot be read, is none, or holds something that is no record.
    pub fn load(path: &Path) -> io::Result<Self> {
        let invalid = |what: &str| io::Error::new(io::ErrorKind::InvalidData, what.to_owned());
        let mut input = BufReader::new(File::open(path)?);
        let mut word = || {
            let mut bytes = [0; 8];
            input.read_exact(&mut bytes).map(|()| bytes)
        };
        if word()? != MAGIC {
            return Err(invalid("not a file of training records"));
        }
        let counts = [u64::from_le_bytes(word()?), u64::from_le_bytes(word()?)];
        let mut record = |_| {
            let mut bytes = [0; Record::BYTES];
            input.read_exact(&mut bytes)?;
            Record::from_bytes(bytes).ok_or_else(|| invalid("a damaged training record"))
        };
        let training = (0..counts[0]).map(&mut record).collect::<io::Result<_>>()?;
        let validation = (0..counts[1]).map(&mut record).collect::<io::Result<_>>()?;
        Ok(Self { training, validation })
    }
}
