//! The file from which a match goes on after it was killed: one JSON line that says which match it
//! is, then one for each finished game. Lines are only ever appended.

use super::{
    contest::{Contest, OpeningSource, Shard},
    record::GameRecord,
    spec::EngineSpec,
};
use crate::{disk::open_alone, hash::fnv_1a};
use serde::{Deserialize, Serialize};
use std::{
    collections::BTreeSet,
    fs::File,
    io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write},
    path::Path,
};

/// Which match a journal belongs to.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Identity {
    /// Version of this format.
    pub chuhe_match: u32,
    /// Both engines with their limits, as on the command line.
    pub engines: [String; 2],
    /// The repetition rules.
    pub rules: String,
    /// The seed.
    pub seed: u64,
    /// A checksum of the openings.
    pub openings: String,
    /// Everything else that changes results.
    pub conditions: String,
    /// Which part of the match, `index/count` from 0.
    pub shard: String,
    /// Where the PGN file ended before the match's first game, in bytes.
    pub pgn_start: u64,
}

/// The version of the format.
const VERSION: u32 = 1;

impl Identity {
    /// Of a contest whose PGN file has this length.
    pub fn of(contest: &Contest, pgn_start: u64) -> Self {
        let conditions = &contest.conditions;
        let Shard { index, count } = contest.shard;
        Self {
            chuhe_match: VERSION,
            engines: contest.engines.each_ref().map(EngineSpec::to_string),
            rules: conditions.rules.to_string(),
            seed: contest.seed,
            openings: checksum(&contest.openings),
            conditions: format!(
                "margin={} hang={} adjudicate={} fouls={:?}",
                conditions.margin.as_millis(),
                conditions.hang.as_secs(),
                conditions.adjudication,
                conditions.max_fouls
            ),
            shard: format!("{index}/{count}"),
            pgn_start,
        }
    }

    /// Whether both are the same match, or parts of it.
    pub fn same_match(&self, other: &Self) -> bool {
        let bare =
            |identity: &Self| Self { pgn_start: 0, shard: String::new(), ..identity.clone() };
        bare(self) == bare(other)
    }

    /// The engines, read back.
    ///
    /// # Errors
    /// If the journal was changed by hand.
    pub fn specs(&self) -> Result<[EngineSpec; 2], String> {
        let [first, second] = &self.engines;
        Ok([first.parse()?, second.parse()?])
    }
}

/// FNV-1a over the text of the openings: enough to notice a different list.
fn checksum(openings: &OpeningSource) -> String {
    let text = match openings {
        OpeningSource::List(list) => list
            .iter()
            .map(|opening| format!("{} {:?}\n", opening.fen, opening.moves))
            .collect::<String>(),
        OpeningSource::Random(random) => format!("{random:?}"),
    };
    format!("{:016x}", fnv_1a(text.as_bytes()))
}

/// What a journal holds.
#[derive(Clone, PartialEq, Debug)]
pub struct Contents {
    /// Which match it is.
    pub identity: Identity,
    /// The finished games, in the order in which they ended; each number once.
    pub games: Vec<GameRecord>,
}

/// Reads a journal and leaves it alone. A last line that was cut short is ignored.
///
/// # Errors
/// If it can not be read or is no journal, in words for the user.
pub fn read(path: &Path) -> Result<Contents, String> {
    let file = File::open(path).map_err(|error| format!("{}: {error}", path.display()))?;
    match parse(file).map_err(|error| format!("{}: {error}", path.display()))? {
        (Some(contents), _) => Ok(contents),
        (None, _) => Err(format!("{}: no match in it", path.display())),
    }
}

/// The contents, if the first line is whole, and the length of the whole lines in bytes.
fn parse(file: File) -> Result<(Option<Contents>, u64), String> {
    let mut reader = BufReader::new(file);
    let mut contents: Option<Contents> = None;
    let (mut line, mut good, mut seen) = (Vec::new(), 0, BTreeSet::new());
    loop {
        line.clear();
        let length = reader.read_until(b'\n', &mut line).map_err(|error| error.to_string())?;
        if length == 0 || line.last() != Some(&b'\n') {
            return Ok((contents, good));
        }
        match &mut contents {
            None => {
                let identity: Identity = serde_json::from_slice(&line)
                    .map_err(|_| "the first line is no match".to_owned())?;
                if identity.chuhe_match != VERSION {
                    return Err(format!("version {} is not known", identity.chuhe_match));
                }
                contents = Some(Contents { identity, games: Vec::new() });
            }
            Some(contents) => {
                let record: GameRecord = serde_json::from_slice(&line)
                    .map_err(|error| format!("a line is no game: {error}"))?;
                if seen.insert(record.number) {
                    contents.games.push(record);
                }
            }
        }
        good += length as u64;
    }
}

/// A journal that games are added to.
pub struct Journal {
    file: File,
}

impl Journal {
    /// Opens the journal of a match, or begins one. Also returns where the match's PGN begins and
    /// the games that are there already. A last line that was cut short is taken away.
    ///
    /// # Errors
    /// If the file belongs to another match, or can not be used.
    pub fn open(path: &Path, identity: &Identity) -> Result<(Self, Contents), String> {
        let fail = |error: io::Error| format!("{}: {error}", path.display());
        let mut file = open_alone(path).map_err(fail)?;
        let copy = file.try_clone().map_err(fail)?;
        let (contents, good) =
            parse(copy).map_err(|error| format!("{}: {error}", path.display()))?;
        // Nothing is cut off a file that is not ours.
        let is_ours = match &contents {
            Some(Contents { identity: found, .. }) => {
                found.shard == identity.shard && found.same_match(identity)
            }
            None => begins(&mut file, &to_line(identity).map_err(fail)?).map_err(fail)?,
        };
        if !is_ours {
            return Err(format!("{} belongs to a different match", path.display()));
        }
        file.set_len(good).map_err(fail)?;
        file.seek(SeekFrom::End(0)).map_err(fail)?;
        let mut journal = Self { file };
        let contents = match contents {
            Some(contents) => contents,
            None => {
                journal.append(identity).map_err(fail)?;
                Contents { identity: identity.clone(), games: Vec::new() }
            }
        };
        Ok((journal, contents))
    }

    /// Adds a finished game.
    ///
    /// # Errors
    /// If it can not be written.
    pub fn add(&mut self, record: &GameRecord) -> io::Result<()> {
        self.append(record)
    }

    fn append(&mut self, line: &impl Serialize) -> io::Result<()> {
        self.file.write_all(&to_line(line)?)?;
        self.file.flush()
    }
}

fn to_line(value: &impl Serialize) -> io::Result<Vec<u8>> {
    let mut text = serde_json::to_vec(value)?;
    text.push(b'\n');
    Ok(text)
}

/// Whether a file holds the beginning of a line, or nothing: all that a kill may have left.
fn begins(file: &mut File, line: &[u8]) -> io::Result<bool> {
    let mut begun = Vec::new();
    file.rewind()?;
    file.take(line.len() as u64 + 1).read_to_end(&mut begun)?;
    Ok(line.starts_with(&begun))
}
