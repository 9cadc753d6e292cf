//! Game records in PGN with moves in coordinates.

use super::{NotationError, Ranks, parse_move_in};
use crate::{
    board::{FenError, Position},
    game::Game,
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
    /// A word that names no legal move.
    Move {
        /// Which game.
        game: usize,
        /// The ply, from 1.
        ply: usize,
        /// What is wrong with it.
        why: NotationError,
    },
}

impl fmt::Display for PgnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("no game found"),
            Self::Fen { game, why } => write!(f, "game {game}: {why}"),
            Self::Move { game, ply, why } => write!(f, "game {game}, ply {ply}: {why}"),
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

/// Reads all games of a text, with moves in any notation. Move numbers, results, comments in braces
/// or behind a semicolon, variations in parentheses, NAGs (`$1`) and lines that begin with `%` are
/// passed over. A comment that is never closed ends at the next tag section.
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

/// Reads a game with ranks from 0, or if that fails with ranks from 1, as chess programs write them.
fn read(raw: Raw, number: usize) -> Result<Record, PgnError> {
    let fen = raw.tags.iter().find(|(name, _)| name.eq_ignore_ascii_case("fen"));
    let start: Position = match fen {
        Some((_, fen)) => fen.parse().map_err(|why| PgnError::Fen { game: number, why })?,
        None => Position::start(),
    };
    let from_zero = play(&start, &raw.words, Ranks::FromZero);
    let game = from_zero
        .or_else(|failure| play(&start, &raw.words, Ranks::FromOne).map_err(|_| failure))
        .map_err(|(ply, why)| PgnError::Move { game: number, ply, why })?;
    Ok(Record { tags: raw.tags, game })
}

/// Plays moves as they are written; an error comes with its ply.
fn play(start: &Position, words: &[String], ranks: Ranks) -> Result<Game, (usize, NotationError)> {
    let mut game = Game::new(start.clone());
    for word in words {
        let m = parse_move_in(game.position(), word, ranks)
            .map_err(|why| (game.plies().len() + 1, why))?;
        game.play_legal(m);
    }
    Ok(game)
}

/// Cuts a text into games: a tag behind moves begins a new one.
fn split(text: &str) -> Vec<Raw> {
    let mut games = Vec::new();
    let mut raw = Raw::default();
    let mut depth = 0usize;
    let mut in_comment = false;
    // Behind a result many programs draw a line or sign their name.
    let mut is_over = false;
    for line in text.trim_start_matches('\u{feff}').lines() {
        if line.starts_with('%') {
            continue;
        }
        let line = line.trim();
        // Tags are not looked for inside a comment, but for one that begins a new game.
        let tag = parse_tag(line).filter(|(name, _)| {
            depth == 0 && !in_comment || ["Event", "Game"].contains(&name.as_str())
        });
        if let Some(tag) = tag {
            (depth, in_comment, is_over) = (0, false, false);
            if !raw.words.is_empty() {
                games.push(std::mem::take(&mut raw));
            }
            raw.tags.push(tag);
            continue;
        }
        is_over &= !line.starts_with(|c: char| c.is_ascii_digit());
        if is_over {
            continue;
        }
        for word in words(line, &mut depth, &mut in_comment) {
            if is_result(&word) {
                if !raw.is_empty() {
                    games.push(std::mem::take(&mut raw));
                }
                is_over = true;
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
            ';' => break,
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
    let is_move =
        |word: &String| !word.trim_matches(['.', '…']).is_empty() && !word.starts_with('$');
    kept.split_whitespace().map(without_number).filter(is_move).collect()
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

    /// What stands in files that people have (reports F05 and F08).
    #[test]
    fn the_import_format() {
        let moves = |text: &str| -> Vec<Vec<String>> {
            let games = parse_pgn(text).unwrap();
            games.iter().map(|r| r.game.moves().map(|m| m.to_string()).collect()).collect()
        };
        let both = [["h2e2", "h9g7"]];
        for text in [
            "1. h2e2 $1 h9g7 *",
            "1. h2e2! h9g7?! *",
            "1. h2e2+ h9g7# *",
            "1. h2e2 (1. b2e2 ; note )\n h9g7) 1... h9g7 *",
            "1. h2e2\n% a line of a program\nh9g7 *",
            "1. 炮二平五 马８进７ *",
            "1. C2.5 h8+7 *",
        ] {
            assert_eq!(moves(text), both, "{text}");
        }
        let black = "[FEN \"rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b - - 0 5\"]\n5. ... h9g7";
        assert_eq!(moves(black), [["h9g7"]]);
        let torn =
            "1. H2-E2 {+0.1\n[Game \"Chinese Chess\"]\n[Result \"*\"]\n\n1. B2-E2 {+0.2} H7-E7 *\n";
        assert_eq!(moves(torn), [vec!["h2e2"], vec!["b2e2", "h7e7"]]);
        let signed = "1. h2e2 h9g7 *\n======\nby a program\n[Event \"B\"]\n1. b2e2 *";
        assert_eq!(moves(signed), [vec!["h2e2", "h9g7"], vec!["b2e2"]]);
        // Ranks from 1, as cutechess writes.
        assert_eq!(moves("1. Bce3 Ng8 *"), [["c0e2", "h9g7"]]);
        let oops = "1. h2e2 {oops\n[Event \"B\"]\n\n1. b2e2 *";
        assert_eq!(moves(oops), [["h2e2"], ["b2e2"]]);
    }

    #[test]
    fn errors_say_where() {
        let error = |text: &str| parse_pgn(text).err().unwrap().to_string();
        assert_eq!(error(" \n"), "no game found");
        assert_eq!(error("1. h2e2 h2e2"), "game 1, ply 2: 'h2e2' is not legal here");
        assert_eq!(error("1. h2e2 *\n1. foo"), "game 2, ply 1: 'foo' is no move");
        assert_eq!(
            error("炮二平五 帅五进九"),
            "game 1, ply 2: '帅五进九' is not legal here (legal: e9e8)"
        );
        assert_eq!(error("[FEN \"x w\"]\n*"), "game 1: a board has 10 ranks, not 1");
    }
}
