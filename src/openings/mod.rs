//! Where games begin: lists that people have, of moves, of positions, of whole records; or random
//! positions that are about level.

mod random;

pub use random::{RandomOpenings, SplitMix};

use std::fmt;
use xiangqi::{
    board::{Position, START_FEN},
    game::Game,
    notation::{Loss, Place, decode},
    records::{self, Format, ReadError, ReadGame, ReadOptions},
    rules::{self, Ending, RuleSet},
    types::Move,
};

/// A start position and the moves that are played for both sides.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Opening {
    /// The position that the game starts from.
    pub fen: String,
    /// The moves played before the engines take over.
    pub moves: Vec<Move>,
}

/// An entry of a list that is no opening.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OpeningError {
    /// The list has no entry.
    Empty,
    /// The file is no list and no record that is known.
    File(String),
    /// A position or a move that is none.
    Unreadable(Box<Loss>),
    /// The game is over where it should begin.
    Over {
        /// Which entry.
        place: Place,
        /// How.
        ending: Ending,
    },
}

impl fmt::Display for OpeningError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("no opening in the list"),
            Self::File(why) => f.write_str(why),
            Self::Unreadable(loss) => fmt::Display::fmt(loss, f),
            Self::Over { place, ending } => {
                write!(f, "{place}: the game is over: {}", ending.text())
            }
        }
    }
}

impl std::error::Error for OpeningError {}

impl Opening {
    /// The game as the engines get it.
    ///
    /// # Errors
    /// A bad FEN or an illegal move. A list that was read holds neither.
    pub fn game(&self) -> Result<Game, String> {
        let start: Position = self.fen.parse().map_err(|error| format!("{error}"))?;
        Game::with_moves(start, self.moves.iter().copied()).map_err(|error| error.to_string())
    }
}

impl Default for Opening {
    /// The start position.
    fn default() -> Self {
        Self { fen: START_FEN.to_owned(), moves: Vec::new() }
    }
}

/// Reads a list of openings: records of any format with tags or a magic number of their own (each
/// game's main line), or one opening a line: moves from the start position in any notation, a FEN or
/// an EPD with or without `moves ...`, a `position` command. Only the first `plies` of each are
/// taken, if that is given.
///
/// # Errors
/// The first entry that cannot be read, or is over by these rules. An empty list too.
pub fn read_openings(
    bytes: &[u8],
    rules: RuleSet,
    plies: Option<usize>,
) -> Result<Vec<Opening>, OpeningError> {
    let plies = plies.unwrap_or(usize::MAX);
    let openings = games(bytes)?.into_iter().map(|(at, game)| opening(at, &game, rules, plies));
    let openings = openings.collect::<Result<Vec<_>, _>>()?;
    if openings.is_empty() { Err(OpeningError::Empty) } else { Ok(openings) }
}

/// The games of a list, each with its place.
fn games(bytes: &[u8]) -> Result<Vec<(Place, ReadGame)>, OpeningError> {
    let options = ReadOptions::default();
    let file = |why: ReadError| OpeningError::File(why.to_string());
    let text = decode(bytes);
    // Bare moves could be the text of one game. Here they are an opening a line, unless tags say
    // that it is a record.
    let is_list = match records::sniff(bytes) {
        None => {
            text.lines().all(|line| line.trim().is_empty() || line.starts_with(['#', ';', '%']))
        }
        Some(Format::Lines) => true,
        Some(Format::Pgn) => !text.lines().any(|line| line.trim().starts_with('[')),
        Some(_) => false,
    };
    let mut found = Vec::new();
    if is_list {
        for (number, line) in text.lines().enumerate() {
            let place = Place { line: Some(number + 1), ..Place::default() };
            let games = records::read_as(Format::Lines, line.as_bytes(), &options).map_err(file)?;
            for mut game in games {
                for loss in &mut game.losses {
                    loss.place = Place { ply: loss.place.ply, ..place };
                }
                found.push((place, game));
            }
        }
    } else {
        let games = records::read(bytes, &options).map_err(file)?;
        let place = |game| Place { game: Some(game), ..Place::default() };
        found.extend(games.into_iter().enumerate().map(|(i, game)| (place(i + 1), game)));
    }
    Ok(found)
}

fn opening(
    place: Place,
    read: &ReadGame,
    rules: RuleSet,
    plies: usize,
) -> Result<Opening, OpeningError> {
    // What is damaged behind the moves that count does no harm.
    let touches = |loss: &&Loss| loss.place.ply.is_none_or(|ply| ply <= plies);
    if let Some(loss) = read.failure().filter(touches) {
        return Err(OpeningError::Unreadable(Box::new(loss.clone())));
    }
    let mut game = Game::new(read.tree.start().clone());
    // A tree holds legal moves only.
    read.tree.main_moves().take(plies).for_each(|m| game.play_legal(m));
    match rules::outcome(&game, rules) {
        Some(outcome) => Err(OpeningError::Over { place, ending: outcome.ending }),
        None => Ok(Opening { fen: game.start().fen(), moves: game.moves().collect() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<Opening>, String> {
        read_openings(text.as_bytes(), RuleSet::Cn1999, None).map_err(|error| error.to_string())
    }

    #[test]
    fn moves_and_fens() {
        let text = "# a comment\n\nh2e2 h9g7  # +20\n\
            rnbakabnr/9/1c3c3/p1p1p1p2/6p2/9/P1P1P1P2/6C2/9/RNBAKABNR b - - 4 1 ; hm\r\n\
            4k4/9/9/9/9/9/9/9/R3A4/3K5 w moves e1d2\n";
        let openings = read(text).unwrap();
        assert_eq!(openings.len(), 3);
        assert_eq!(openings[0].moves.len(), 2);
        assert_eq!(openings[0].fen, START_FEN);
        assert!(openings[1].moves.is_empty());
        assert_eq!(openings[2].moves[0].to_string(), "e1d2");
    }

    /// The same opening as people's files have it.
    #[test]
    fn every_spelling() {
        let expected = read("h2e2 h9g7").unwrap();
        for text in [
            "\u{feff}h2e2 h9g7\r\n",
            "H2-E2 H9-G7",
            "1. h2e2 h9g7",
            "1.h2e2 h9g7! *",
            "1. 炮二平五 马8进7",
            "position startpos moves h2e2 h9g7",
            "; a remark\nh2e2 h9g7 ; another",
            "[Game \"Chinese Chess\"]\n\n1. 炮二平五 馬８進７ 1-0\n",
            "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - hmvc 0; fmvn 1; \
             moves h2e2 h9g7",
        ] {
            assert_eq!(read(text).as_ref(), Ok(&expected), "{text}");
        }
        let (gbk, ..) = encoding_rs::GB18030.encode("1. 炮二平五 马8进7");
        assert_eq!(read_openings(&gbk, RuleSet::Cn1999, None), Ok(expected));
    }

    #[test]
    fn the_first_plies_of_records() {
        let text = b"[Event \"a\"]\n\n1. h2e2 h9g7 2. h0g2 h2h3 *\n\n[Event \"b\"]\n\n1. b2e2 *\n";
        let openings = read_openings(text, RuleSet::Cn1999, Some(2)).unwrap();
        let lengths: Vec<usize> = openings.iter().map(|opening| opening.moves.len()).collect();
        assert_eq!(lengths, [2, 1]);
        let error = read_openings(text, RuleSet::Cn1999, None).unwrap_err().to_string();
        assert!(error.starts_with("game 1, line 3, ply 4"), "{error}");
    }

    #[test]
    fn says_which_line_is_off() {
        let shuffle = "h2e2 h9g7 e2h2 g7h9 ".repeat(2);
        for (text, words) in [
            ("h2e2\nh9g7", "line 2, ply 1"),
            ("h2e2 e2", "line 1, ply 2: 'e2'"),
            ("9/9/9 w\n9/9 w", "line 1"),
            ("# nothing", "no opening"),
            ("", "no opening"),
            (&shuffle, "line 1: the game is over: draw by repetition"),
            (
                "\n4k4/8R/9/9/9/9/9/9/9/rrBA1K3 w moves i8i9 e9e8 i9i8 e8e9 i8i9 e9e8 i9i8 e8e9",
                "line 2: the game is over: forbidden repetition",
            ),
            ("4k4/9/9/9/9/9/R8/9/9/3K5 b - - 130 100", "line 1: the game is over: natural limit"),
            ("3k1a3/9/9/9/9/9/9/9/9/3AK4 w", "line 1: the game is over: no attacking material"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.contains(words), "{text}: {error}");
        }
    }
}
