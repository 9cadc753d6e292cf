//! Game records in PGN with moves in coordinates.

use super::parse_move;
use crate::{
    board::{FenError, Position},
    game::{Game, IllegalMove},
};
use std::fmt;

/// A game record: its tags as written, and the game.
pub struct Record {
    /// Names and values, in the order of the file.
    pub tags: Vec<(String, String)>,
    /// The start position and the moves.
    pub game: Game,
}

/// Why a record can not be read. Games are counted from 1.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PgnError {
    /// There is no game in the text.
    Empty,
    /// A tag's FEN is no position.
    Fen {
        /// Which game.
        game: usize,
        /// What is wrong with it.
        why: FenError,
    },
    /// A word that is no move.
    Move {
        /// Which game.
        game: usize,
        /// The word, cut short.
        word: String,
    },
    /// A move that is not legal.
    Illegal {
        /// Which game.
        game: usize,
        /// The ply, from 1.
        ply: usize,
        /// The move.
        why: IllegalMove,
    },
}

impl fmt::Display for PgnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("no game found"),
            Self::Fen { game, why } => write!(f, "game {game}: {why}"),
            Self::Move { game, word } => {
                write!(f, "game {game}: '{word}' is no move in coordinates")
            }
            Self::Illegal { game, ply, why } => write!(f, "game {game}, ply {ply}: {why}"),
        }
    }
}

impl std::error::Error for PgnError {}

/// A game as it stands in the text.
#[derive(Default)]
struct Raw {
    tags: Vec<(String, String)>,
    words: Vec<String>,
}

impl Raw {
    fn is_empty(&self) -> bool {
        self.tags.is_empty() && self.words.is_empty()
    }
}

/// Reads all games of a text. Move numbers, results, comments in braces or behind a semicolon and
/// variations in parentheses are passed over.
///
/// # Errors
/// The first thing that can not be read.
pub fn parse_pgn(text: &str) -> Result<Vec<Record>, PgnError> {
    let games = split(text);
    if games.is_empty() {
        return Err(PgnError::Empty);
    }
    games.into_iter().enumerate().map(|(i, raw)| read(raw, i + 1)).collect()
}

fn read(raw: Raw, number: usize) -> Result<Record, PgnError> {
    let fen = raw.tags.iter().find(|(name, _)| name.eq_ignore_ascii_case("fen"));
    let start = match fen {
        Some((_, fen)) => fen.parse().map_err(|why| PgnError::Fen { game: number, why })?,
        None => Position::start(),
    };
    let mut game = Game::new(start);
    for word in &raw.words {
        let m = parse_move(word).map_err(|_| PgnError::Move {
            game: number,
            word: word.chars().take(20).flat_map(char::escape_default).collect(),
        })?;
        let ply = game.plies().len() + 1;
        game.play(m).map_err(|why| PgnError::Illegal { game: number, ply, why })?;
    }
    Ok(Record { tags: raw.tags, game })
}

/// Cuts a text into games: a tag behind moves begins a new one.
fn split(text: &str) -> Vec<Raw> {
    let mut games = Vec::new();
    let mut raw = Raw::default();
    let mut depth = 0usize;
    let mut in_comment = false;
    for line in text.trim_start_matches('\u{feff}').lines() {
        let line = line.trim();
        if depth == 0
            && !in_comment
            && let Some(tag) = parse_tag(line)
        {
            if !raw.words.is_empty() {
                games.push(std::mem::take(&mut raw));
            }
            raw.tags.push(tag);
            continue;
        }
        for word in words(line, &mut depth, &mut in_comment) {
            if is_result(&word) {
                if !raw.is_empty() {
                    games.push(std::mem::take(&mut raw));
                }
            } else {
                raw.words.push(word);
            }
        }
    }
    if !raw.is_empty() {
        games.push(raw);
    }
    games
}

fn parse_tag(line: &str) -> Option<(String, String)> {
    let inner = line.strip_prefix('[')?.strip_suffix(']')?;
    let (name, rest) = inner.split_once(char::is_whitespace)?;
    let value = rest.trim().strip_prefix('"')?.strip_suffix('"')?;
    Some((name.to_owned(), value.to_owned()))
}

fn is_result(word: &str) -> bool {
    matches!(word, "1-0" | "0-1" | "1/2-1/2" | "*")
}

/// The words of a line outside comments and variations, without move numbers.
fn words(line: &str, depth: &mut usize, in_comment: &mut bool) -> Vec<String> {
    let mut kept = String::new();
    for letter in line.chars() {
        match letter {
            '}' => *in_comment = false,
            _ if *in_comment => {}
            '{' => {
                *in_comment = true;
                kept.push(' ');
            }
            ';' if *depth == 0 => break,
            '(' => *depth += 1,
            ')' => {
                *depth = depth.saturating_sub(1);
                kept.push(' ');
            }
            _ if *depth == 0 => kept.push(letter),
            _ => {}
        }
    }
    let without_number = |word: &str| {
        let behind = word.trim_start_matches(|c: char| c.is_ascii_digit());
        let number = behind.len() < word.len() && behind.starts_with('.');
        if number { behind.trim_start_matches('.').to_owned() } else { word.to_owned() }
    };
    kept.split_whitespace().map(without_number).filter(|word| !word.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_games() {
        let text = "[Event \"A\"]\n[Red \"X\"]\n\n1. h2e2 h9g7 2.h0g2 {a\ncomment} i9h9 (2... b9c7) 1-0\n\
                    [FEN \"4k4/9/9/9/9/9/9/9/9/R2K5 w - - 0 1\"]\n1. A0-A9 *\n\n[Event \"C\"]\n\n1. g3g4 ; end\n2... g6g5";
        let games = parse_pgn(text).unwrap();
        let moves: Vec<_> = games
            .iter()
            .map(|r| r.game.moves().map(|m| m.to_string()).collect::<Vec<_>>())
            .collect();
        assert_eq!(
            moves,
            [vec!["h2e2", "h9g7", "h0g2", "i9h9"], vec!["a0a9"], vec!["g3g4", "g6g5"]]
        );
        assert_eq!(games[0].tags[1], ("Red".to_owned(), "X".to_owned()));
    }

    #[test]
    fn errors_say_where() {
        let error = |text: &str| parse_pgn(text).err().unwrap().to_string();
        assert_eq!(error(" \n"), "no game found");
        assert_eq!(error("1. h2e2 h2e2"), "game 1, ply 2: illegal move h2e2");
        assert_eq!(error("1. h2e2 *\n1. foo"), "game 2: 'foo' is no move in coordinates");
        assert_eq!(error("[FEN \"x w\"]\n*"), "game 1: a board has 10 ranks, not 1");
    }
}
