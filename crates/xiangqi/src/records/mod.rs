//! Records of games: every file that people have, as trees of moves, and back.
//!
//! [`read`] finds out the format by content; [`Games`] does the same game by game, so that a file
//! of any length needs little memory. What a file holds and a tree does not is a [`Loss`] beside the
//! game: a damaged game yields what can be read of it, an illegal move ends its own line only, and
//! no game stops another.

mod cbf;
mod ccbridge;
mod dhtmlxq;
mod fields;
mod library;
mod lines;
mod pfc;
mod pgn;
mod pgn_text;
mod preorder;
mod setup;
mod words;
mod xqf;

pub use pgn::PgnReader;

use crate::notation::{Encoding, GameTree, Loss, LossReason, Script, Style, decode_as, detect};
use std::{
    fmt,
    io::{self, BufRead, Read},
    str::FromStr,
};

/// A format of records.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Format {
    /// Portable game notation, with moves in any notation.
    Pgn,
    /// XQStudio's files (`.xqf`).
    Xqf,
    /// The tags of dpxq.com, also called UBB (`[DhtmlXQ]`).
    DhtmlXq,
    /// One game of CCBridge, 象棋桥 (`.cbr`).
    Cbr,
    /// A library of CCBridge (`.cbl`).
    Cbl,
    /// The XML of 中国象棋文件 (`.cbf`), main line only.
    Cbf,
    /// The XML of 鹏飞 (`.pfc`); it is only read.
    Pfc,
    /// A game a line: `FEN moves M M ...`, main line only.
    Lines,
}

impl Format {
    /// Every format.
    pub const ALL: [Self; 8] = [
        Self::Pgn,
        Self::Xqf,
        Self::DhtmlXq,
        Self::Cbr,
        Self::Cbl,
        Self::Cbf,
        Self::Pfc,
        Self::Lines,
    ];

    /// The name by which [`str::parse`] knows it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pgn => "pgn",
            Self::Xqf => "xqf",
            Self::DhtmlXq => "dhtmlxq",
            Self::Cbr => "cbr",
            Self::Cbl => "cbl",
            Self::Cbf => "cbf",
            Self::Pfc => "pfc",
            Self::Lines => "lines",
        }
    }

    /// Whether a file of it holds more than one game.
    pub const fn holds_many(self) -> bool {
        matches!(self, Self::Pgn | Self::DhtmlXq | Self::Cbl | Self::Lines)
    }

    /// What a file name of it ends in.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::DhtmlXq | Self::Lines => "txt",
            other => other.name(),
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name of no format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParseFormatError;

impl fmt::Display for ParseFormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a format is one of")?;
        for (i, format) in Format::ALL.into_iter().enumerate() {
            write!(f, "{} {format}", if i == 0 { "" } else { "," })?;
        }
        Ok(())
    }
}

impl std::error::Error for ParseFormatError {}

impl FromStr for Format {
    type Err = ParseFormatError;

    /// Reads a name of [`Format::name`], or `ubb`, in any case.
    fn from_str(name: &str) -> Result<Self, ParseFormatError> {
        if name.eq_ignore_ascii_case("ubb") {
            return Ok(Self::DhtmlXq);
        }
        let found = Self::ALL.into_iter().find(|format| format.name().eq_ignore_ascii_case(name));
        found.ok_or(ParseFormatError)
    }
}

/// How files are read.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct ReadOptions {
    /// The encoding of texts that do not tell it; `None` finds it out (see [`Encoding`]).
    pub encoding: Option<Encoding>,
}

impl ReadOptions {
    /// With the encoding found out, where it is not told, by a text or its beginning.
    fn for_text(self, bytes: &[u8]) -> Self {
        Self { encoding: self.encoding.or_else(|| detect(bytes)) }
    }
}

/// How files are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WriteOptions {
    /// The notation of moves, where the format leaves a choice (PGN).
    pub style: Style,
    /// The encoding, where the format leaves a choice (PGN, DhtmlXQ, lines).
    pub encoding: Encoding,
}

impl Default for WriteOptions {
    fn default() -> Self {
        Self { style: Style::Chinese(Script::Simplified), encoding: Encoding::Utf8 }
    }
}

/// A game as it was read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReadGame {
    /// The game.
    pub tree: GameTree,
    /// What could not be kept.
    pub losses: Vec<Loss>,
}

impl ReadGame {
    /// The first thing that keeps moves of the file from standing in the tree: a start or a move
    /// that is none, or a file that ends too early. Other losses touch words only.
    pub fn failure(&self) -> Option<&Loss> {
        let is_serious = |loss: &&Loss| {
            !matches!(
                loss.reason,
                LossReason::Encoding
                    | LossReason::OpenComment
                    | LossReason::Parentheses
                    | LossReason::Unsupported(_)
            )
        };
        self.losses.iter().find(is_serious)
    }
}

/// Why a file yields no game at all.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReadError {
    /// It is of no format that is known.
    Unknown,
    /// There is no game in it.
    Empty,
    /// It is too short or too damaged for its format.
    Damaged(Format),
    /// A version of its format that is not known.
    Version(Format),
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown => f.write_str("no format of records that is known"),
            Self::Empty => f.write_str("no game found"),
            Self::Damaged(format) => write!(f, "no readable {format} file"),
            Self::Version(format) => write!(f, "a version of {format} that is not known"),
        }
    }
}

impl std::error::Error for ReadError {}

/// Why a game cannot be written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WriteError {
    /// The format is only read.
    ReadOnly(Format),
    /// A file of this format holds one game.
    OneGame(Format),
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ReadOnly(format) => write!(f, "{format} is only read, not written"),
            Self::OneGame(format) => write!(f, "a file of {format} holds one game"),
        }
    }
}

impl std::error::Error for WriteError {}

/// The format of a file, by its content. Text that is nothing else counts as PGN, whose reader takes
/// bare moves too.
pub fn sniff(bytes: &[u8]) -> Option<Format> {
    if bytes.starts_with(b"XQ")
        && bytes.get(2).is_some_and(|&version| (1..=0x20).contains(&version))
    {
        return Some(Format::Xqf);
    }
    if bytes.starts_with(ccbridge::MAGIC) {
        return Some(Format::Cbr);
    }
    if bytes.starts_with(library::MAGIC) {
        return Some(Format::Cbl);
    }
    let holds = |word: &[u8]| bytes.windows(word.len()).any(|at| at.eq_ignore_ascii_case(word));
    let text = decode_as(bytes, None).0;
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let first = lines.find(|line| !line.starts_with(['#', '%', ';']))?;
    if pgn::is_tag(first) {
        return Some(Format::Pgn);
    }
    if holds(b"<ChineseChessRecord") {
        return Some(Format::Cbf);
    }
    if holds(b"[DhtmlXQ") {
        return Some(Format::DhtmlXq);
    }
    if holds(b"[pfchessrecord]") || first.starts_with('<') && holds(b"<n ") {
        return Some(Format::Pfc);
    }
    if lines::is_line(first) {
        return Some(Format::Lines);
    }
    (!text.contains('\0')).then_some(Format::Pgn)
}

/// Reads all games of a file of any format.
///
/// # Errors
/// If there is no game in it. A game that is damaged is no error: see [`ReadGame::losses`].
pub fn read(bytes: &[u8], options: &ReadOptions) -> Result<Vec<ReadGame>, ReadError> {
    let format = sniff(bytes).ok_or(ReadError::Unknown)?;
    let games = read_as(format, bytes, &options.for_text(bytes))?;
    // Any text could be PGN: one without a tag or a move is none.
    let says_nothing = |game: &ReadGame| {
        format == Format::Pgn
            && game.tree.headers.is_empty()
            && game.tree.move_count() == 0
            && game.failure().is_some_and(|loss| matches!(loss.reason, LossReason::Move(_)))
    };
    match games.as_slice() {
        [] => Err(ReadError::Empty),
        [game] if says_nothing(game) => Err(ReadError::Unknown),
        _ => Ok(games),
    }
}

/// Reads all games of a file whose format is known: text of bare moves, for one, is a PGN of one game
/// or a game a line.
///
/// # Errors
/// If the file is too damaged for its format, or of a version that is not known.
pub fn read_as(
    format: Format,
    bytes: &[u8],
    options: &ReadOptions,
) -> Result<Vec<ReadGame>, ReadError> {
    let text = || decode_as(bytes, options.encoding).0;
    match format {
        Format::Pgn => Ok(PgnReader::new(bytes, options).filter_map(Result::ok).collect()),
        Format::Xqf => xqf::read(bytes).map(|game| vec![game]),
        Format::DhtmlXq => Ok(dhtmlxq::read(&text())),
        Format::Cbr => ccbridge::read(bytes).map(|game| vec![game]),
        Format::Cbl => library::read(bytes),
        Format::Cbf => cbf::read(&text()).map(|game| vec![game]),
        Format::Pfc => pfc::read(&text()).map(|game| vec![game]),
        Format::Lines => Ok(lines::read(&text())),
    }
}

/// How much of a file is looked at to find out its format.
const SNIFFED: u64 = 1 << 16;

/// The games of a file, one after the other. PGN needs the memory of one game; files of other
/// formats are read whole.
pub enum Games<R> {
    /// PGN, as it comes.
    Streamed(PgnReader<io::Chain<io::Cursor<Vec<u8>>, R>>),
    /// All others.
    Whole(std::vec::IntoIter<ReadGame>),
}

impl<R: BufRead> Games<R> {
    /// Finds out the format and begins to read.
    ///
    /// # Errors
    /// If the file cannot be read, or as [`read`].
    pub fn open(mut reader: R, options: &ReadOptions) -> io::Result<Self> {
        let mut head = Vec::new();
        reader.by_ref().take(SNIFFED).read_to_end(&mut head)?;
        let refuse = |why: ReadError| io::Error::new(io::ErrorKind::InvalidData, why);
        let is_longer = head.len() as u64 == SNIFFED;
        match sniff(&head) {
            Some(Format::Pgn) if is_longer => {
                let options = options.for_text(&head);
                Ok(Self::Streamed(PgnReader::new(io::Cursor::new(head).chain(reader), &options)))
            }
            _ => {
                reader.read_to_end(&mut head)?;
                Ok(Self::Whole(read(&head, options).map_err(refuse)?.into_iter()))
            }
        }
    }
}

impl<R: BufRead> Iterator for Games<R> {
    type Item = io::Result<ReadGame>;

    fn next(&mut self) -> Option<Self::Item> {
        match self {
            Self::Streamed(games) => games.next(),
            Self::Whole(games) => games.next().map(Ok),
        }
    }
}

/// Writes games as a file of a format. What the format cannot hold is left out: variations in `cbf`
/// and `lines`, headers that it has no place for.
///
/// # Errors
/// If the format is only read, or a file of it holds one game and these are more or none.
pub fn write(
    games: &[GameTree],
    format: Format,
    options: &WriteOptions,
) -> Result<Vec<u8>, WriteError> {
    let one = || match games {
        [game] => Ok(game),
        _ => Err(WriteError::OneGame(format)),
    };
    let text = |write: &dyn Fn(&GameTree) -> String| {
        let text: String = games.iter().map(write).collect();
        options.encoding.encode(&text)
    };
    Ok(match format {
        Format::Pgn => text(&|game| pgn_text::write(game, options.style)),
        Format::DhtmlXq => text(&dhtmlxq::write),
        Format::Lines => text(&lines::write),
        Format::Xqf => xqf::write(one()?),
        Format::Cbr => ccbridge::write(one()?),
        Format::Cbl => library::write(games),
        Format::Cbf => cbf::write(one()?).into_bytes(),
        Format::Pfc => return Err(WriteError::ReadOnly(format)),
    })
}

#[cfg(test)]
mod tests;
