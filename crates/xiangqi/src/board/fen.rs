//! Reading and writing FEN.

use super::{position::Position, validate::InvalidPosition};
use crate::types::{Piece, Side, Square};
use std::{fmt, str::FromStr};

/// The start position.
pub const START_FEN: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

/// Why a text is no FEN of a legal position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FenError {
    /// Nothing was given.
    Empty,
    /// The board does not have ten ranks.
    Ranks(usize),
    /// A rank does not have nine squares.
    Width {
        /// Which rank, 9 for Black's back rank.
        rank: u8,
        /// How many squares it has; counting stops soon after nine.
        width: usize,
    },
    /// A character that stands for no piece.
    Letter {
        /// Which rank, 9 for Black's back rank.
        rank: u8,
        /// The character found.
        letter: char,
    },
    /// The side to move is missing.
    NoSide,
    /// The side to move is not `w`, `r` or `b`.
    Side(String),
    /// A field behind the side to move is neither dashes nor a number.
    Field(String),
    /// The pieces are no legal position.
    Invalid(InvalidPosition),
}

impl fmt::Display for FenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("the FEN is empty"),
            Self::Ranks(found) => write!(f, "a board has 10 ranks, not {found}"),
            Self::Width { rank, width } => write!(f, "rank {rank} has {width} squares, not 9"),
            Self::Letter { rank, letter } => {
                write!(f, "'{}' in rank {rank} is no piece", letter.escape_default())
            }
            Self::NoSide => f.write_str("the side to move is missing"),
            Self::Side(text) => write!(f, "'{text}' is no side to move (w, r or b)"),
            Self::Field(text) => write!(f, "'{text}' is no counter"),
            Self::Invalid(why) => fmt::Display::fmt(why, f),
        }
    }
}

impl std::error::Error for FenError {}

impl From<InvalidPosition> for FenError {
    fn from(why: InvalidPosition) -> Self {
        Self::Invalid(why)
    }
}

/// A text from outside, cut to a length that fits one line of a message.
fn excerpt(text: &str) -> String {
    text.chars().take(20).flat_map(char::escape_default).collect()
}

impl FromStr for Position {
    type Err = FenError;

    /// Reads a FEN as programs write it: side `w`, `r` or `b`; fields of dashes left out, single or
    /// glued (`--`); counters missing, or as operations of an EPD (`hmvc 0; fmvn 1;`); `H` and `E`
    /// for horse and elephant; any blanks.
    fn from_str(fen: &str) -> Result<Self, FenError> {
        let mut fields = fen.split_whitespace();
        let mailbox = parse_board(fields.next().ok_or(FenError::Empty)?)?;
        let side = match fields.next().ok_or(FenError::NoSide)? {
            "w" | "W" | "r" | "R" => Side::Red,
            "b" | "B" => Side::Black,
            other => return Err(FenError::Side(excerpt(other))),
        };
        let rest: Vec<&str> = fields.filter(|field| !field.bytes().all(|b| b == b'-')).collect();
        let counters = if rest.iter().any(|field| field.ends_with(';') && field.len() > 1) {
            parse_operations(&rest)?
        } else {
            parse_counters(&rest)?
        };
        let [halfmove_clock, fullmove] = counters;
        Ok(Self::assemble(mailbox, side, halfmove_clock, fullmove)?)
    }
}

/// Both counters as numbers, the rounds from 1. What stands behind them, or behind a `;`, is no part
/// of a FEN.
fn parse_counters(fields: &[&str]) -> Result<[u16; 2], FenError> {
    let mut counters = [0, 1];
    let numbers = fields.iter().take_while(|field| !field.starts_with(';'));
    for (counter, field) in counters.iter_mut().zip(numbers) {
        *counter = parse_counter(field)?;
    }
    Ok(counters)
}

/// Both counters as operations of an EPD: `hmvc 0; fmvn 1;`. Other operations say nothing of the
/// position.
fn parse_operations(fields: &[&str]) -> Result<[u16; 2], FenError> {
    let mut counters = [0, 1];
    for operation in fields.join(" ").split(';') {
        let mut words = operation.split_whitespace();
        let counter = match words.next() {
            Some("hmvc") => &mut counters[0],
            Some("fmvn") => &mut counters[1],
            _ => continue,
        };
        *counter = parse_counter(words.next().unwrap_or_default())?;
    }
    Ok(counters)
}

fn parse_counter(field: &str) -> Result<u16, FenError> {
    let value: u32 = field.parse().map_err(|_| FenError::Field(excerpt(field)))?;
    Ok(value.min(u16::MAX.into()) as u16)
}

fn parse_board(board: &str) -> Result<[Option<Piece>; Square::NUM], FenError> {
    let ranks = board.split('/').count();
    if ranks != 10 {
        return Err(FenError::Ranks(ranks));
    }
    let mut mailbox = [None; Square::NUM];
    for (row, text) in board.split('/').enumerate() {
        let rank = 9 - row as u8;
        let mut file = 0usize;
        for letter in text.chars() {
            if let Some(empty) = letter.to_digit(10) {
                file += empty as usize;
            } else {
                let piece = Piece::from_letter(letter).ok_or(FenError::Letter { rank, letter })?;
                if let Some(square) = Square::new(file.min(9) as u8, rank) {
                    mailbox[square.index()] = Some(piece);
                }
                file += 1;
            }
            if file > 9 {
                break;
            }
        }
        if file != 9 {
            return Err(FenError::Width { rank, width: file });
        }
    }
    Ok(mailbox)
}

impl Position {
    /// The start position, Red to move.
    pub fn start() -> Self {
        START_FEN.parse().expect("the start position is legal")
    }

    /// The canonical FEN: `K A B N R C P`, side `w` or `b`, all six fields.
    pub fn fen(&self) -> String {
        format!(
            "{} {} - - {} {}",
            self.fen_board(),
            self.side().fen_letter(),
            self.halfmove_clock(),
            self.fullmove()
        )
    }

    /// The first field of the FEN.
    pub fn fen_board(&self) -> String {
        let mut out = String::with_capacity(64);
        for rank in (0..10).rev() {
            let mut empty = 0u8;
            for file in 0..9 {
                match Square::new(file, rank).and_then(|s| self.piece_on(s)) {
                    Some(piece) => {
                        if empty > 0 {
                            out.push((b'0' + empty) as char);
                            empty = 0;
                        }
                        out.push(piece.letter());
                    }
                    None => empty += 1,
                }
            }
            if empty > 0 {
                out.push((b'0' + empty) as char);
            }
            if rank > 0 {
                out.push('/');
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn canonical_fen_comes_back() {
        for fen in [
            START_FEN,
            "C1nNk4/9/9/9/9/9/n1pp5/B3C4/9/3A1K3 w - - 0 1",
            "r1bakab1r/9/1cn2cn2/p1p1p1p1p/9/9/P1P1P1P1P/1CN1C1N2/9/R1BAKAB1R b - - 14 33",
        ] {
            assert_eq!(fen.parse::<Position>().expect(fen).fen(), fen);
        }
    }

    #[test]
    fn the_largest_counters_survive_a_move() {
        let fen = "3k5/4a4/r8/9/9/9/9/9/4A4/4K4 b - - 65535 65535";
        let mut position: Position = fen.parse().unwrap();
        let m = "a7a0".parse().unwrap();
        let undo = position.make(m);
        position.unmake(m, undo);
        assert_eq!(position.fen(), fen);
    }

    #[test]
    fn tolerant_reading() {
        let board = START_FEN.split(' ').next().unwrap();
        let he = board.replace('n', "h").replace('N', "H").replace('b', "e").replace('B', "E");
        for text in [
            format!("{board} w"),
            format!("{board} r - - 0 1\r"),
            format!("{board} w -- 0 1"),
            format!("  {board}   w   0  1 "),
            format!("{board} w - - 0"),
            format!("{board} w - - 0 1 ; a remark"),
            format!("{board} w - - ; a remark"),
            format!("{board} w - - hmvc 0; fmvn 1;"),
            format!("{board} w - - fmvn 1; id \"a name\"; hmvc 0;"),
            format!("{he} w"),
        ] {
            assert_eq!(text.parse::<Position>(), Ok(Position::start()), "{text}");
        }
        let black = format!("{board} b - - 7 12").parse::<Position>().unwrap();
        assert_eq!((black.side(), black.halfmove_clock(), black.fullmove()), (Side::Black, 7, 12));
        let epd = format!("{board} b - - hmvc 7; fmvn 12;").parse::<Position>();
        assert_eq!(epd, Ok(black));
    }

    #[test]
    fn errors_name_what_is_wrong() {
        let board = START_FEN.split(' ').next().unwrap();
        let cases = [
            (String::new(), "the FEN is empty"),
            (board.to_owned(), "the side to move is missing"),
            (format!("{board} x"), "'x' is no side to move"),
            (format!("{board} w - - x"), "'x' is no counter"),
            (format!("{board} w - - hmvc x;"), "'x' is no counter"),
            (format!("{board} w - - hmvc;"), "'' is no counter"),
            (format!("{board}/9 w"), "a board has 10 ranks, not 11"),
            (board.replace("/9/1c", "/8/1c") + " w", "rank 8 has 8 squares, not 9"),
            (board.replace("/9/1c", "/91/1c") + " w", "rank 8 has 10 squares, not 9"),
            (board.replace('n', "x") + " w", "'x' in rank 9 is no piece"),
            (board.replace('k', "\u{5c06}") + " w", "'\\u{5c06}' in rank 9 is no piece"),
        ];
        for (fen, text) in cases {
            let error = fen.parse::<Position>().expect_err(&fen).to_string();
            assert!(error.contains(text), "{fen}: {error}");
        }
    }
}
