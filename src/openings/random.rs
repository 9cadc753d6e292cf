//! Random positions that are about level, and the random numbers behind them.

use super::Opening;
use crate::{
    eval::Score,
    search::{Limits, Searcher},
};
use xiangqi::{
    game::Game,
    rules::{self, RuleSet},
};

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
    /// captures, ending in a position without check that a short search finds about level, in a game
    /// that goes on by the rules of the searcher.
    pub fn make(&self, seed: u64, number: u64, base: &Opening, searcher: &mut Searcher) -> Opening {
        let mut best: Option<(i32, Opening)> = None;
        for attempt in 0..MAX_TRIES {
            let mut random = SplitMix::new(seed, number.wrapping_mul(MAX_TRIES) + attempt);
            let Some((opening, game)) = self.candidate(base, searcher.rules(), &mut random) else {
                continue;
            };
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

    fn candidate(
        &self,
        base: &Opening,
        rules: RuleSet,
        random: &mut SplitMix,
    ) -> Option<(Opening, Game)> {
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
        let quiet = !game.position().in_check() && rules::outcome(&game, rules).is_none();
        let opening = Opening { fen: base.fen.clone(), moves: game.moves().collect() };
        quiet.then_some((opening, game))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
