//! A game: a start position, the moves since, and what the rules need to know of each ply.

use crate::{
    board::{Position, Undo},
    types::{Key, Move, Piece, Side},
};
use std::fmt;

/// A move that is not legal in the position that it was meant for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IllegalMove(pub Move);

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "illegal move {}", self.0)
    }
}

impl std::error::Error for IllegalMove {}

/// One ply of a game and what it did.
#[derive(Clone, Copy)]
pub struct Ply {
    /// The move played.
    pub played: Move,
    /// Who played it.
    pub side: Side,
    /// What it took.
    pub captured: Option<Piece>,
    /// Whether it gave check.
    pub gives_check: bool,
    /// The key of the position that it led to.
    pub key: Key,
    undo: Undo,
}

/// A start position with the legal moves played from it.
#[derive(Clone)]
pub struct Game {
    position: Position,
    start_key: Key,
    start_clock: u16,
    plies: Vec<Ply>,
}

impl Default for Game {
    fn default() -> Self {
        Self::new(Position::start())
    }
}

impl Game {
    /// A game that starts here.
    pub fn new(start: Position) -> Self {
        let start_key = start.key();
        let start_clock = start.halfmove_clock();
        Self { position: start, start_key, start_clock, plies: Vec::new() }
    }

    /// A game from a start position and its moves.
    ///
    /// # Errors
    /// The first illegal move.
    pub fn with_moves(
        start: Position,
        moves: impl IntoIterator<Item = Move>,
    ) -> Result<Self, IllegalMove> {
        let mut game = Self::new(start);
        for m in moves {
            game.play(m)?;
        }
        Ok(game)
    }

    /// Plays a move.
    ///
    /// # Errors
    /// If it is not legal; the game is unchanged then.
    pub fn play(&mut self, m: Move) -> Result<(), IllegalMove> {
        if !self.position.is_legal(m) {
            return Err(IllegalMove(m));
        }
        self.play_legal(m);
        Ok(())
    }

    /// Plays a move that the caller knows to be legal.
    pub fn play_legal(&mut self, m: Move) {
        let side = self.position.side();
        let undo = self.position.make(m);
        self.plies.push(Ply {
            played: m,
            side,
            captured: undo.captured(),
            gives_check: self.position.in_check(),
            key: self.position.key(),
            undo,
        });
    }

    /// Takes the last move back and returns it.
    pub fn take_back(&mut self) -> Option<Move> {
        let ply = self.plies.pop()?;
        self.position.unmake(ply.played, ply.undo);
        Some(ply.played)
    }

    /// The position on the board now.
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// The plies played, oldest first.
    pub fn plies(&self) -> &[Ply] {
        &self.plies
    }

    /// The moves played, oldest first.
    pub fn moves(&self) -> impl DoubleEndedIterator<Item = Move> + ExactSizeIterator + '_ {
        self.plies.iter().map(|ply| ply.played)
    }

    /// The key of the position after `plies` plies (0 = the start); `None` beyond the end.
    pub fn key_at(&self, plies: usize) -> Option<Key> {
        match plies.checked_sub(1) {
            None => Some(self.start_key),
            Some(last) => self.plies.get(last).map(|ply| ply.key),
        }
    }

    /// Plies without a capture up to now, counted in this game only: a position before the start
    /// can not be repeated.
    pub fn reversible_plies(&self) -> usize {
        self.plies.iter().rev().take_while(|ply| ply.captured.is_none()).count()
    }

    /// Plies since the last capture that the start position's FEN told of, and that still count.
    pub fn inherited_quiet_plies(&self) -> u16 {
        if self.reversible_plies() == self.plies.len() { self.start_clock } else { 0 }
    }

    /// How often the position on the board has occurred, this time included.
    pub fn occurrences(&self) -> usize {
        1 + self.earlier_occurrences().count()
    }

    /// The ply counts (0 = the start) at which the position on the board occurred before, the most
    /// recent first.
    pub fn earlier_occurrences(&self) -> impl Iterator<Item = usize> + '_ {
        let now = self.plies.len();
        let key = self.position.key();
        let reach = self.reversible_plies();
        (4..=reach)
            .step_by(2)
            .map(move |back| now - back)
            .filter(move |&at| self.key_at(at) == Some(key))
    }

    /// The position after `plies` plies, worked out by taking moves back on a copy. Beyond the end
    /// it is the position now.
    pub fn position_at(&self, plies: usize) -> Position {
        let mut position = self.position.clone();
        for ply in self.plies.iter().skip(plies).rev() {
            position.unmake(ply.played, ply.undo);
        }
        position
    }

    /// The position from which the game started.
    pub fn start(&self) -> Position {
        self.position_at(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(moves: &str) -> Game {
        let moves = moves.split_whitespace().map(|m| m.parse().unwrap());
        Game::with_moves(Position::start(), moves).unwrap()
    }

    #[test]
    fn counts_occurrences() {
        let shuffle = "h0g2 h9g7 g2h0 g7h9 ";
        assert_eq!(game("").occurrences(), 1);
        assert_eq!(game("h0g2 h9g7 g2h0").occurrences(), 1);
        assert_eq!(game(shuffle).occurrences(), 2);
        assert_eq!(game(&shuffle.repeat(2)).occurrences(), 3);
        let twice = game(&shuffle.repeat(2));
        assert_eq!(twice.earlier_occurrences().collect::<Vec<_>>(), [4, 0]);
        // A capture in between makes the earlier positions unreachable.
        let captured = game("b2b9 a9b9 h0g2 h9g7 g2h0 g7h9");
        assert_eq!((captured.occurrences(), captured.reversible_plies()), (2, 4));
    }

    #[test]
    fn goes_back() {
        let mut game = game("h2e2 h9g7 e2e6");
        assert_eq!(
            game.position_at(2),
            super::Game::with_moves(
                Position::start(),
                ["h2e2", "h9g7"].map(|m| m.parse().unwrap())
            )
            .unwrap()
            .position
        );
        assert_eq!(game.start(), Position::start());
        assert_eq!(game.take_back(), Some("e2e6".parse().unwrap()));
        assert_eq!(game.play("a0a9".parse().unwrap()), Err(IllegalMove("a0a9".parse().unwrap())));
        assert_eq!(game.plies().len(), 2);
    }
}
