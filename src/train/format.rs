//! The game file: self-play games with a score for each move, about 4 bytes a ply.
//!
//! Specified byte by byte in `docs/nnue.md`. A file can be appended to at any time. Whatever a kill
//! leaves half-written at its end is ignored by readers and cut off before more is appended.

use super::record::{BOARD_BYTES, WinDrawLoss, pack, unpack};
use crate::disk::open_alone;
use std::{
    fmt,
    fs::File,
    io::{self, BufReader, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};
use xiangqi::{
    board::Position,
    types::{Move, Side, Square},
};

const MAGIC: [u8; 8] = *b"CHUHEGAM";
const VERSION: u16 = 1;
const HEADER_BYTES: usize = 32;
const START_BYTES: usize = 32;
const PLY_BYTES: usize = 4;
/// No game that is written has more plies.
pub const MAX_PLIES: usize = 400;
/// A tail longer than any one game is damage, not a write cut short.
const LONGEST_TAIL_BYTES: u64 = (START_BYTES + (MAX_PLIES + 1) * PLY_BYTES) as u64;

/// How the games of a file were made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Header {
    /// Soft limit of nodes for each move; 0 where the file was merged from several.
    pub nodes: u32,
    /// The seed of the generator; 0 where the file was merged.
    pub seed: u64,
    /// [`Backend::number`](crate::eval::Backend::number) of what played; [`Header::MIXED`] where
    /// the file was merged from several.
    pub evaluator: u64,
    /// A hash of the other settings; 0 where they are unknown: in merged and in older files.
    pub settings: u16,
}

/// Why a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[repr(u8)]
pub enum Ending {
    /// Checkmate, stalemate, or a mate seen by the search.
    Mate,
    /// The score said so for several plies.
    AdjudicatedWin,
    /// The score stayed near zero for long.
    AdjudicatedDraw,
    /// Perpetual check, kill or chase by one side.
    RepetitionLoss,
    /// A repetition with no one at fault.
    RepetitionDraw,
    /// Too long without a capture.
    NaturalLimit,
    /// Nobody has anything left to attack with.
    Material,
    /// Longer than the generator allows.
    TooLong,
}

impl Ending {
    /// All endings, in the order of their numbers in the file.
    pub const ALL: [Self; 8] = [
        Self::Mate,
        Self::AdjudicatedWin,
        Self::AdjudicatedDraw,
        Self::RepetitionLoss,
        Self::RepetitionDraw,
        Self::NaturalLimit,
        Self::Material,
        Self::TooLong,
    ];

    /// A name for statistics.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Mate => "mate",
            Self::AdjudicatedWin => "adjudicated_win",
            Self::AdjudicatedDraw => "adjudicated_draw",
            Self::RepetitionLoss => "repetition_loss",
            Self::RepetitionDraw => "repetition_draw",
            Self::NaturalLimit => "natural_limit",
            Self::Material => "material_draw",
            Self::TooLong => "too_long",
        }
    }
}

/// A move of a recorded game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ScoredMove {
    /// The move.
    pub played: Move,
    /// What the search thought of the position before it, for its mover.
    pub score: i16,
}

/// A game with its scores.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameRecord {
    /// Where the game starts, after any random moves.
    pub start: Position,
    /// The result for Red.
    pub result: WinDrawLoss,
    /// Why it ended.
    pub ending: Ending,
    /// The moves, legal one after the other.
    pub moves: Vec<ScoredMove>,
}

impl GameRecord {
    /// The result for one side.
    pub const fn result_for(&self, side: Side) -> WinDrawLoss {
        match side {
            Side::Red => self.result,
            Side::Black => self.result.reversed(),
        }
    }

    /// A number that depends on the start and the moves only, not on scores: it tells games apart,
    /// and keeps a game on its side of the validation split wherever it is stored.
    pub fn moves_hash(&self) -> u64 {
        self.moves.iter().fold(self.start.key().0, |hash, ply| {
            let mixed = (hash ^ u64::from(ply.played.bits())).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            mixed ^ mixed >> 29
        })
    }

    /// The bytes of the game in a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let start = &self.start;
        let pieces = start.occupied().into_iter();
        let mut bytes = Vec::with_capacity(START_BYTES + (self.moves.len() + 1) * PLY_BYTES);
        bytes.extend(pack(pieces.filter_map(|square| Some((start.piece_on(square)?, square)))));
        let (side, result) = (start.side().index() as u8, self.result as u8);
        bytes.push(side | result << 1 | (self.ending as u8) << 3);
        bytes.push(start.halfmove_clock().min(255) as u8);
        bytes.extend(start.fullmove().to_le_bytes());
        for ply in &self.moves {
            bytes.extend(ply.played.bits().to_le_bytes());
            bytes.extend(ply.score.to_le_bytes());
        }
        bytes.extend([0; PLY_BYTES]);
        bytes
    }

    /// The start record without its moves; `None` if the bytes are none.
    fn from_start(bytes: &[u8; START_BYTES]) -> Option<Self> {
        let mut mailbox = [None; Square::NUM];
        for (piece, square) in unpack(bytes.first_chunk::<BOARD_BYTES>()?)? {
            mailbox[square.index()] = Some(piece);
        }
        let [flags, clock, move_low, move_high] = *bytes.last_chunk()?;
        let side = *Side::ALL.get(usize::from(flags & 1))?;
        let fullmove = u16::from_le_bytes([move_low, move_high]);
        let start = Position::assemble(mailbox, side, clock.into(), fullmove).ok()?;
        Some(Self {
            start,
            result: WinDrawLoss::from_index(flags >> 1 & 3)?,
            ending: *Ending::ALL.get(usize::from(flags >> 3))?,
            moves: Vec::new(),
        })
    }

    /// Reads one game; `None` if the input ends early or does not make sense.
    fn read(input: &mut impl Read) -> io::Result<Option<Self>> {
        match Self::read_whole(input) {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(None),
            read => read,
        }
    }

    /// Reads one game; `None` if it does not make sense.
    fn read_whole(input: &mut impl Read) -> io::Result<Option<Self>> {
        let mut bytes = [0; START_BYTES];
        input.read_exact(&mut bytes)?;
        let Some(mut game) = Self::from_start(&bytes) else { return Ok(None) };
        let mut position = game.start.clone();
        loop {
            let mut ply = [0; PLY_BYTES];
            input.read_exact(&mut ply)?;
            if ply == [0; PLY_BYTES] {
                return Ok(Some(game));
            }
            let played = Move::from_bits(u16::from_le_bytes([ply[0], ply[1]]));
            let Some(played) = played.filter(|&m| position.is_legal(m)) else { return Ok(None) };
            position.make(played);
            let score = i16::from_le_bytes([ply[2], ply[3]]);
            game.moves.push(ScoredMove { played, score });
        }
    }

    /// The length of the game in a file.
    fn byte_length(&self) -> u64 {
        (START_BYTES + (self.moves.len() + 1) * PLY_BYTES) as u64
    }
}

/// Why a game file cannot be used.
#[derive(Debug)]
pub enum FormatError {
    /// Reading or writing failed.
    Io(PathBuf, io::Error),
    /// Not a game file.
    Foreign(PathBuf),
    /// A game file of another version.
    Version(PathBuf, u16),
    /// The file was made with other settings than those asked for now.
    OtherSettings(PathBuf),
    /// The games of a file are not those of the file that it should be made from.
    OtherGames {
        /// The file.
        path: PathBuf,
        /// What it should be made from.
        source: PathBuf,
        /// The first game that differs, from 1.
        game: u64,
    },
    /// So much of the end is unreadable that it is not the tail of one game.
    Damaged {
        /// The file.
        path: PathBuf,
        /// Games read before the damage.
        games: u64,
        /// Bytes after them.
        rest: u64,
    },
}

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Foreign(path) => write!(f, "{}: not a game file", path.display()),
            Self::Version(path, version) => {
                write!(f, "{}: a game file of unknown version {version}", path.display())
            }
            Self::OtherSettings(path) => write!(
                f,
                "{}: made with another seed, node limit, network, openings, random plies, balance \
                 or rules; use another file",
                path.display()
            ),
            Self::OtherGames { path, source, game } => write!(
                f,
                "{}: its game {game} is not that of {}; use another file",
                path.display(),
                source.display()
            ),
            Self::Damaged { path, games, rest } => write!(
                f,
                "{}: damaged after {games} games, {rest} bytes are unreadable",
                path.display()
            ),
        }
    }
}

impl std::error::Error for FormatError {}

impl Header {
    /// The evaluator of a file whose games were not all played by the same one.
    pub const MIXED: u64 = u64::MAX;

    /// Whether games made this way may follow those of a file that begins with `older`.
    fn continues(self, older: Self) -> bool {
        let known = Self { settings: self.settings * u16::from(older.settings != 0), ..self };
        known == older
    }

    /// The bytes of the header in a file.
    pub(super) fn to_bytes(self) -> [u8; HEADER_BYTES] {
        let mut bytes = [0; HEADER_BYTES];
        bytes[..8].copy_from_slice(&MAGIC);
        bytes[8..10].copy_from_slice(&VERSION.to_le_bytes());
        bytes[10..12].copy_from_slice(&self.settings.to_le_bytes());
        bytes[12..16].copy_from_slice(&self.nodes.to_le_bytes());
        bytes[16..24].copy_from_slice(&self.seed.to_le_bytes());
        bytes[24..32].copy_from_slice(&self.evaluator.to_le_bytes());
        bytes
    }

    fn read(input: &mut impl Read, path: &Path) -> Result<Self, FormatError> {
        let mut bytes = [0; HEADER_BYTES];
        input.read_exact(&mut bytes).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => FormatError::Foreign(path.to_owned()),
            _ => FormatError::Io(path.to_owned(), error),
        })?;
        if !bytes.starts_with(&MAGIC) {
            return Err(FormatError::Foreign(path.to_owned()));
        }
        let version = u16::from_le_bytes([bytes[8], bytes[9]]);
        if version != VERSION {
            return Err(FormatError::Version(path.to_owned(), version));
        }
        let word = |at: usize| {
            let mut word = [0; 8];
            word.copy_from_slice(&bytes[at..at + 8]);
            u64::from_le_bytes(word)
        };
        let [.., low, high] = (word(8) as u32).to_le_bytes();
        Ok(Self {
            nodes: (word(8) >> 32) as u32,
            seed: word(16),
            evaluator: word(24),
            settings: u16::from_le_bytes([low, high]),
        })
    }
}

/// Reads the games of a file one after the other, up to a torn tail.
pub struct GameReader {
    path: PathBuf,
    input: BufReader<File>,
    header: Header,
    length: u64,
    good: u64,
    games: u64,
    ended: bool,
    failure: Option<io::Error>,
}

impl GameReader {
    /// Opens a game file.
    ///
    /// # Errors
    /// If it cannot be read or is no game file.
    pub fn open(path: &Path) -> Result<Self, FormatError> {
        let failed = |error| FormatError::Io(path.to_owned(), error);
        Self::of_file(File::open(path).map_err(failed)?, path)
    }

    /// Reads an open file from where it stands, its begin.
    fn of_file(file: File, path: &Path) -> Result<Self, FormatError> {
        let length = file.metadata().map_err(|error| FormatError::Io(path.to_owned(), error))?;
        let length = length.len();
        let mut input = BufReader::with_capacity(1 << 16, file);
        let header = Header::read(&mut input, path)?;
        let path = path.to_owned();
        let good = HEADER_BYTES as u64;
        Ok(Self { path, input, header, length, good, games: 0, ended: false, failure: None })
    }

    /// The file that is read.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// How the games were made.
    pub const fn header(&self) -> Header {
        self.header
    }

    /// The length of the file in bytes.
    pub const fn length(&self) -> u64 {
        self.length
    }

    /// The bytes of the header and of the games read so far.
    pub const fn bytes_read(&self) -> u64 {
        self.good
    }

    /// Games read so far.
    pub const fn games(&self) -> u64 {
        self.games
    }

    /// After the last game: the bytes of a torn tail.
    ///
    /// # Errors
    /// If the reading failed, or the rest is too long to be the tail of one game.
    pub fn torn_bytes(&self) -> Result<u64, FormatError> {
        if let Some(error) = &self.failure {
            let again = io::Error::new(error.kind(), error.to_string());
            return Err(FormatError::Io(self.path.clone(), again));
        }
        let rest = self.length.saturating_sub(self.good);
        if rest > LONGEST_TAIL_BYTES {
            let path = self.path.clone();
            return Err(FormatError::Damaged { path, games: self.games, rest });
        }
        Ok(rest)
    }
}

impl Iterator for GameReader {
    type Item = GameRecord;

    fn next(&mut self) -> Option<GameRecord> {
        if self.ended {
            return None;
        }
        let game = GameRecord::read(&mut self.input).unwrap_or_else(|error| {
            self.failure = Some(error);
            None
        });
        match &game {
            Some(game) => {
                self.good += game.byte_length();
                self.games += 1;
            }
            None => self.ended = true,
        }
        game
    }
}

/// Appends games to a file.
pub struct GameWriter {
    path: PathBuf,
    file: File,
    games: u64,
    cut: u64,
}

impl GameWriter {
    /// Opens a file for more games, or makes it. A torn tail is cut off.
    ///
    /// # Errors
    /// If the file cannot be written, is something else, was made with other settings, or is
    /// damaged beyond its tail.
    pub fn append(path: &Path, header: Header) -> Result<Self, FormatError> {
        let failed = |error| FormatError::Io(path.to_owned(), error);
        let mut file = open_alone(path).map_err(failed)?;
        let length = file.metadata().map_err(failed)?.len();
        if length < HEADER_BYTES as u64 {
            // New, or killed while the header was written.
            let mut begun = Vec::new();
            file.read_to_end(&mut begun).map_err(failed)?;
            if !header.to_bytes().starts_with(&begun) {
                return Err(FormatError::Foreign(path.to_owned()));
            }
            file.rewind().map_err(failed)?;
            file.write_all(&header.to_bytes()).map_err(failed)?;
            return Ok(Self { path: path.to_owned(), file, games: 0, cut: 0 });
        }
        // The locked file itself: on Windows no other handle could read it.
        let mut reader = GameReader::of_file(file.try_clone().map_err(failed)?, path)?;
        if !header.continues(reader.header()) {
            return Err(FormatError::OtherSettings(path.to_owned()));
        }
        reader.by_ref().for_each(drop);
        let cut = reader.torn_bytes()?;
        file.set_len(reader.good).map_err(failed)?;
        file.seek(SeekFrom::End(0)).map_err(failed)?;
        Ok(Self { path: path.to_owned(), file, games: reader.games, cut })
    }

    /// Writes one game.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write(&mut self, game: &GameRecord) -> Result<(), FormatError> {
        let written = self.file.write_all(&game.to_bytes());
        written.map_err(|error| FormatError::Io(self.path.clone(), error))?;
        self.games += 1;
        Ok(())
    }

    /// Games in the file.
    pub const fn games(&self) -> u64 {
        self.games
    }

    /// Bytes of a torn tail that were cut off when the file was opened.
    pub const fn cut_bytes(&self) -> u64 {
        self.cut
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_game_by_hand() {
        let start: Position = "3k5/9/9/9/9/9/9/9/4R4/4K4 b - - 7 300".parse().unwrap();
        let game = GameRecord {
            start,
            result: WinDrawLoss::Win,
            ending: Ending::AdjudicatedWin,
            moves: vec![ScoredMove { played: "d9d8".parse().unwrap(), score: -2 }],
        };
        let bytes = game.to_bytes();
        let mut expected = vec![0; 32];
        // e0 = 4, e1 = 13, d9 = 84; codes: red king 0, red rook 4, black king 7.
        (expected[0], expected[1], expected[10]) = (0x10, 0x20, 0x10);
        (expected[12], expected[13]) = (0x40, 0x07);
        // Black to move 1, Red wins 2 << 1, ending 1 << 3; clock 7; move number 300 = 0x12c.
        (expected[28], expected[29], expected[30], expected[31]) = (13, 7, 0x2c, 0x01);
        // d9d8: from 84, to 75 << 7 = 9600; 9684 = 0x25d4; score -2.
        expected.extend([0xd4, 0x25, 0xfe, 0xff, 0, 0, 0, 0]);
        assert_eq!(bytes, expected);
        assert_eq!(GameRecord::read(&mut bytes.as_slice()).unwrap(), Some(game));
    }

    #[test]
    fn one_header_by_hand() {
        let header = Header { nodes: 1500, seed: 3, evaluator: Header::MIXED, settings: 0x1234 };
        let mut expected = *b"CHUHEGAM\x01\0\x34\x12\xdc\x05\0\0\x03\0\0\0\0\0\0\0________";
        expected[24..].fill(0xff);
        assert_eq!(header.to_bytes(), expected);
        let read = Header::read(&mut expected.as_slice(), Path::new("x")).unwrap();
        assert_eq!(read, header);
    }

    #[test]
    fn a_failed_read_is_no_end() {
        let path = std::env::temp_dir().join(format!("chuhe-failed-{}", std::process::id()));
        GameWriter::append(&path, Header::default()).unwrap();
        let mut reader = GameReader::open(&path).unwrap();
        // A file opened for writing alone cannot be read.
        reader.input = BufReader::new(std::fs::OpenOptions::new().write(true).open(&path).unwrap());
        assert_eq!(reader.next(), None);
        assert!(matches!(reader.torn_bytes(), Err(FormatError::Io(..))));
        std::fs::remove_file(&path).unwrap();
    }
}
