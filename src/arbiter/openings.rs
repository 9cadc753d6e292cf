//! Where games begin: lists of moves or of FENs, or random positions that are about level.

use crate::{
    eval::Score,
    search::{Limits, Searcher},
};
use std::fmt;
use xiangqi::{
    board::{Position, START_FEN},
    game::Game,
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

/// A line that is no opening.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OpeningError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub reason: String,
}

impl fmt::Display for OpeningError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.reason)
    }
}

impl std::error::Error for OpeningError {}

impl Opening {
    /// The game as the engines get it.
    ///
    /// # Errors
    /// A bad FEN, an illegal move, or a game that is over already.
    pub fn game(&self) -> Result<Game, String> {
        let start: Position = self.fen.parse().map_err(|error| format!("{error}"))?;
        let game = Game::with_moves(start, self.moves.iter().copied())
            .map_err(|error| error.to_string())?;
        if game.position().has_legal_move() { Ok(game) } else { Err("the game is over".to_owned()) }
    }

    /// Reads one line: moves from the start position, or a FEN (with or without `moves ...`).
    /// Behind `#` or `;` stands a comment. `None` if the line says nothing.
    ///
    /// # Errors
    /// What is wrong, in words.
    pub fn from_line(line: &str) -> Result<Option<Self>, String> {
        let text = line.split(['#', ';']).next().unwrap_or_default().trim();
        if text.is_empty() {
            return Ok(None);
        }
        let (fen, moves) = if text.contains('/') {
            match text.split_once("moves") {
                Some((fen, moves)) => (fen.trim(), moves),
                None => (text, ""),
            }
        } else {
            (START_FEN, text)
        };
        let moves = moves
            .split_whitespace()
            .map(|m| m.parse().map_err(|_| format!("'{m}' is no move")))
            .collect::<Result<Vec<Move>, String>>()?;
        let opening = Self { fen: fen.to_owned(), moves };
        opening.game()?;
        Ok(Some(opening))
    }
}

/// Reads a list of openings, one a line.
///
/// # Errors
/// The first bad line. An empty list too.
pub fn parse_openings(text: &str) -> Result<Vec<Opening>, OpeningError> {
    let mut openings = Vec::new();
    for (number, line) in text.lines().enumerate() {
        match Opening::from_line(line) {
            Ok(opening) => openings.extend(opening),
            Err(reason) => return Err(OpeningError { line: number + 1, reason }),
        }
    }
    if openings.is_empty() {
        return Err(OpeningError { line: 1, reason: "no opening in the list".to_owned() });
    }
    Ok(openings)
}

/// A small generator whose numbers never change, so that a seed means the same match for ever
/// (SplitMix64, Steele, Lea and Flood 2014).
pub struct SplitMix(u64);

impl SplitMix {
    /// A stream of its own for each seed and number.
    pub fn new(seed: u64, stream: u64) -> Self {
        let mut mix = Self(seed ^ stream.wrapping_mul(0xd134_2543_de82_ef95));
        mix.next();
        mix
    }

    /// The next 64 bits.
    #[expect(clippy::should_implement_trait, reason = "it never ends")]
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// A number below `bound`, which is above zero.
    pub fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.next()) * bound as u128) >> 64) as usize
    }

    /// Puts a list in random order (Fisher and Yates).
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for end in (1..list.len()).rev() {
            list.swap(end, self.below(end + 1));
        }
    }
}

/// How random openings are made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RandomOpenings {
    /// Random moves for each side together; one more or less by chance.
    pub plies: usize,
    /// No opening is further from level than this.
    pub max_score: Score,
    /// Nodes of the search that says so.
    pub nodes: u64,
}

impl Default for RandomOpenings {
    fn default() -> Self {
        Self { plies: 7, max_score: Score(Score::MINOR.0 * 3 / 10), nodes: 4000 }
    }
}

/// Candidates tried before the most level of them is taken.
const MAX_TRIES: u64 = 200;

impl RandomOpenings {
    /// The opening with this number for this seed: random legal moves from `base`, none of which
    /// captures, ending in a position without check that a short search finds about level.
    pub fn make(&self, seed: u64, number: u64, base: &Opening, searcher: &mut Searcher) -> Opening {
        let mut best: Option<(i32, Opening)> = None;
        for attempt in 0..MAX_TRIES {
            let mut random = SplitMix::new(seed, number.wrapping_mul(MAX_TRIES) + attempt);
            let Some((opening, game)) = self.candidate(base, &mut random) else { continue };
            searcher.clear();
            let limits = Limits { nodes: Some(self.nodes), ..Limits::default() };
            searcher.prepare(&limits);
            let distance = searcher.search(&game, &limits, &mut |_| ()).score.0.abs();
            if distance <= self.max_score.0 {
                return opening;
            }
            if best.as_ref().is_none_or(|(least, _)| distance < *least) {
                best = Some((distance, opening));
            }
        }
        best.map_or_else(|| base.clone(), |(_, opening)| opening)
    }

    fn candidate(&self, base: &Opening, random: &mut SplitMix) -> Option<(Opening, Game)> {
        let mut game = base.game().ok()?;
        let plies = self.plies + random.below(2);
        for _ in 0..plies {
            let mut moves = game.position().legal_moves();
            moves.retain(|m| game.position().piece_on(m.to()).is_none());
            if moves.is_empty() {
                return None;
            }
            game.play_legal(moves[random.below(moves.len())]);
        }
        let quiet = !game.position().in_check() && game.position().has_legal_move();
        let opening = Opening { fen: base.fen.clone(), moves: game.moves().collect() };
        quiet.then_some((opening, game))
    }
}

impl Default for Opening {
    /// The start position.
    fn default() -> Self {
        Self { fen: START_FEN.to_owned(), moves: Vec::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_moves_and_fens() {
        let text = "# a comment\n\nh2e2 h9g7  # +20\n\
            rnbakabnr/9/1c3c3/p1p1p1p2/6p2/9/P1P1P1P2/6C2/9/RNBAKABNR b - - 4 1 ; hm\r\n\
            4k4/9/9/9/9/9/9/9/4A4/3K5 w moves e1d2\n";
        let openings = parse_openings(text).unwrap();
        assert_eq!(openings.len(), 3);
        assert_eq!(openings[0].moves.len(), 2);
        assert_eq!(openings[0].fen, START_FEN);
        assert!(openings[1].moves.is_empty());
        assert_eq!(openings[2].moves[0].to_string(), "e1d2");
    }

    #[test]
    fn says_which_line_is_off() {
        for (text, words) in [
            ("h2e2\nh9g7", "line 2: illegal move h9g7"),
            ("h2e2 e2", "line 1: 'e2' is no move"),
            ("9/9 w", "line 1: a board has 10 ranks"),
            ("# nothing", "no opening"),
        ] {
            let error = parse_openings(text).unwrap_err().to_string();
            assert!(error.contains(words), "{error}");
        }
    }

    #[test]
    fn random_openings_are_quiet_and_repeatable() {
        let mut searcher = Searcher::new(1).unwrap();
        let random = RandomOpenings { nodes: 200, ..RandomOpenings::default() };
        let base = Opening::default();
        let mut make = |number| random.make(7, number, &base, &mut searcher);
        let openings: Vec<Opening> = (0..8).map(&mut make).collect();
        for (number, opening) in openings.iter().enumerate() {
            let game = opening.game().unwrap();
            assert!((7..=8).contains(&game.plies().len()));
            assert!(game.plies().iter().all(|ply| ply.captured.is_none()));
            assert_eq!(*opening, make(number as u64));
        }
        assert!(openings.windows(2).all(|pair| pair[0] != pair[1]));
    }

    #[test]
    fn shuffles_are_permutations() {
        let mut list: Vec<usize> = (0..100).collect();
        SplitMix::new(1, 0).shuffle(&mut list);
        assert_ne!(list, (0..100).collect::<Vec<_>>());
        list.sort_unstable();
        assert_eq!(list, (0..100).collect::<Vec<_>>());
    }
}
