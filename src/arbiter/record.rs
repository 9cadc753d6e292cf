//! What is kept of a game: enough to write its PGN, to judge it again, and to count it.

use super::{outcome::End, player::EngineScore};
use serde::{Deserialize, Serialize};
use xiangqi::{
    board::Position,
    game::Game,
    types::{Move, Side},
};

/// One ply that an engine played.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PlyRecord {
    /// The move, in coordinates.
    #[serde(rename = "m")]
    pub played: String,
    /// Time used, in milliseconds.
    #[serde(rename = "t")]
    pub millis: f64,
    /// Time left on the clock after the move, in milliseconds.
    #[serde(rename = "c", default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<u64>,
    /// The score from the mover's view.
    #[serde(rename = "s", default, skip_serializing_if = "Option::is_none")]
    pub score: Option<EngineScore>,
    /// Depth in plies.
    #[serde(rename = "d", default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Nodes searched.
    #[serde(rename = "n", default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
}

/// A finished game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GameRecord {
    /// Its number in the match, from 0. Games 2n and 2n+1 share an opening, colours swapped.
    pub number: u32,
    /// Which engine had Red: 0 or 1.
    pub red: usize,
    /// The position that it started from.
    pub fen: String,
    /// The opening moves.
    pub book: Vec<String>,
    /// What the engines played.
    pub plies: Vec<PlyRecord>,
    /// Fouls of Red and Black (9.1).
    #[serde(default)]
    pub fouls: [u32; 2],
    /// When it ended, in seconds since 1970 (UTC).
    pub ended: u64,
    /// How it ended.
    pub end: End,
}

impl GameRecord {
    /// The engine that had this side.
    pub const fn engine_of(&self, side: Side) -> usize {
        match side {
            Side::Red => self.red,
            Side::Black => 1 - self.red,
        }
    }

    /// The side that this engine had.
    pub const fn side_of(&self, engine: usize) -> Side {
        if self.red == engine { Side::Red } else { Side::Black }
    }

    /// The number of its opening, from 0: both games of a pair have the same.
    pub const fn pair(&self) -> u32 {
        self.number / 2
    }

    /// Half points of the first engine: 0, 1 or 2.
    pub fn half_points(&self) -> u32 {
        self.end.verdict.half_points(self.side_of(0))
    }

    /// The game, replayed.
    ///
    /// # Errors
    /// A position or move that is none; records that this program wrote have none.
    pub fn game(&self) -> Result<Game, String> {
        let start: Position = self.fen.parse().map_err(|error| format!("{error}"))?;
        let mut game = Game::new(start);
        for text in self.book.iter().chain(self.plies.iter().map(|ply| &ply.played)) {
            let m: Move = text.parse().map_err(|_| format!("'{text}' is no move"))?;
            game.play(m).map_err(|error| error.to_string())?;
        }
        Ok(game)
    }

    /// Who made the first engine move.
    pub fn first_side(&self) -> Result<Side, String> {
        let start: Position = self.fen.parse().map_err(|error| format!("{error}"))?;
        Ok(if self.book.len().is_multiple_of(2) { start.side() } else { !start.side() })
    }
}
