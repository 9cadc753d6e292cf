//! Where generated games start: a few random moves that lose nothing at once.

use crate::{
    eval::{Score, see_ge},
    openings::{Opening, OpeningError, read_openings},
};
use rand::{Rng, rngs::StdRng, seq::IndexedRandom};
use xiangqi::{
    board::{Position, START_FEN},
    rules::RuleSet,
    types::{Move, MoveList},
};

/// Openings from which some of the games start, before the random moves.
#[derive(Clone, Default, Debug)]
pub struct OpeningLines(Vec<Opening>);

impl OpeningLines {
    /// Reads a list as [`read_openings`] does. An entry that is the start position adds nothing.
    ///
    /// # Errors
    /// The first entry that is no opening.
    pub fn parse(bytes: &[u8], rules: RuleSet) -> Result<Self, OpeningError> {
        let mut list = read_openings(bytes, rules, None)?;
        list.retain(|opening| *opening != Opening::default());
        Ok(Self(list))
    }

    /// All that decides where games start, as bytes, with an end after each line.
    pub(super) fn bytes(&self) -> impl Iterator<Item = u8> + '_ {
        self.0.iter().flat_map(|opening| {
            let fen = if opening.fen == START_FEN { "" } else { &opening.fen };
            let moves = opening.moves.iter().map(|m| m.bits()).chain(std::iter::once(0));
            fen.bytes().chain(moves.flat_map(u16::to_le_bytes))
        })
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
        && let Ok(game) = line.game()
    {
        position = game.position().clone();
        played = line.moves.len() as u32;
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
    use xiangqi::game::Game;

    fn parse(text: &str) -> Result<OpeningLines, OpeningError> {
        OpeningLines::parse(text.as_bytes(), RuleSet::Cn1999)
    }

    #[test]
    fn seeded_and_of_the_right_length() {
        let lines = parse("# a comment\nh2e2 h9g7 # and another\n\n").unwrap();
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
        let lines = parse(line).unwrap();
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
}
