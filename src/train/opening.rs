//! Where generated games start: a few random moves that lose nothing at once.

use crate::eval::{Score, see_ge};
use rand::{Rng, rngs::StdRng, seq::IndexedRandom};
use xiangqi::{
    board::Position,
    game::Game,
    types::{Move, MoveList},
};

/// Lines from which some of the games start, before the random moves.
#[derive(Clone, Default, Debug)]
pub struct OpeningLines(Vec<Vec<Move>>);

impl OpeningLines {
    /// Reads a text with one line of moves (`h2e2 h9g7`) from the start position on each line;
    /// what follows a `#` is no part of it.
    ///
    /// # Errors
    /// The number of the first line that is no legal line of moves, with the reason.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut lines = Vec::new();
        for (number, line) in text.lines().enumerate() {
            let moves = line.split('#').next().unwrap_or_default().split_whitespace();
            let moves = moves.map(str::parse).collect::<Result<Vec<Move>, _>>();
            let moves = moves.map_err(|error| format!("line {}: {error}", number + 1))?;
            Game::with_moves(Position::start(), moves.iter().copied())
                .map_err(|error| format!("line {}: {error}", number + 1))?;
            if !moves.is_empty() {
                lines.push(moves);
            }
        }
        Ok(Self(lines))
    }

    /// The moves as bytes, with an end after each line.
    pub(super) fn bytes(&self) -> impl Iterator<Item = u8> + '_ {
        let end = std::iter::once(0);
        let words =
            self.0.iter().flat_map(move |line| line.iter().map(|m| m.bits()).chain(end.clone()));
        words.flat_map(u16::to_le_bytes)
    }
}

/// So many random plies at least follow a line: without them all its games would be the same one.
const AFTER_LINE: u32 = 2;

/// Plays random moves from the start position, or from the end of one of the lines, until about
/// `plies` are played: as many or one more, so that both sides get the first scored move. After a
/// long line two or three follow. `None` if no move is left before that.
pub fn random_opening(plies: u32, lines: &OpeningLines, random: &mut StdRng) -> Option<Position> {
    let mut position = Position::start();
    let (mut played, mut plies) = (0, plies);
    if random.random_bool(0.5)
        && let Some(line) = lines.0.choose(random)
    {
        for &m in line {
            position.make(m);
            played += 1;
        }
        plies = plies.max(played + AFTER_LINE);
    }
    for _ in played..plies + random.random_range(0..2) {
        let mut moves = position.legal_moves();
        moves.retain(|m| see_ge(&position, *m, Score::DRAW));
        let m = *sensible(&position, &moves).choose(random)?;
        position.make(m);
    }
    position.has_legal_move().then_some(position)
}

/// The moves that do not leave a piece hanging elsewhere: after them no capture wins material.
fn sensible(position: &Position, moves: &MoveList) -> MoveList {
    let loses_nothing = |m: &Move| {
        let mut after = position.clone();
        after.make(*m);
        let replies = after.legal_moves();
        let won = position.piece_on(m.to()).is_some();
        won || !replies
            .iter()
            .any(|&reply| after.piece_on(reply.to()).is_some() && see_ge(&after, reply, Score(1)))
    };
    moves.iter().copied().filter(loses_nothing).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;

    #[test]
    fn seeded_and_of_the_right_length() {
        let lines = OpeningLines::parse("# a comment\nh2e2 h9g7 # and another\n\n").unwrap();
        let make = |seed| random_opening(8, &lines, &mut StdRng::seed_from_u64(seed));
        let made: Vec<_> = (0..50).filter_map(make).collect();
        assert!(made.len() > 40);
        let plies = |p: &Position| u32::from(p.fullmove() - 1) * 2 + p.side().index() as u32;
        assert!(made.iter().all(|p| (8..=9).contains(&plies(p))));
        assert_eq!(make(3), make(3));
        assert_ne!(make(3), make(4));
    }

    #[test]
    fn random_moves_follow_however_long_a_line_is() {
        let line = "h2e2 h9g7 h0g2 i9h9 b0c2 b9c7 i0h0 g6g5 c3c4 b7b3 h0h6 b3c3";
        let lines = OpeningLines::parse(line).unwrap();
        let moves = line.split(' ').map(|m| m.parse().unwrap());
        let end = Game::with_moves(Position::start(), moves).unwrap().position().clone();
        let plies = |p: &Position| u32::from(p.fullmove() - 1) * 2 + p.side().index() as u32;
        let made =
            (0..60).filter_map(|seed| random_opening(8, &lines, &mut StdRng::seed_from_u64(seed)));
        let after: Vec<Position> = made.filter(|p| plies(p) > 9).collect();
        assert!(after.len() > 15 && after.iter().all(|p| (14..=15).contains(&plies(p))));
        let mut keys: Vec<_> = after.iter().map(|p| p.key().0).collect();
        keys.sort_unstable();
        keys.dedup();
        assert!(keys.len() > 15 && !keys.contains(&end.key().0));
    }

    #[test]
    fn refuses_lines_that_are_no_moves() {
        assert_eq!(
            OpeningLines::parse("h2e2\nh2e2 h9h9").unwrap_err(),
            "line 2: a move is two different squares such as h2e2"
        );
        assert_eq!(OpeningLines::parse("a0a9").unwrap_err(), "line 1: illegal move a0a9");
    }
}
