//! Ways to play other than plainly best, for users who ask for them: chance, taste, and weakness.

use super::worker::RootMove;
use crate::eval::Score;
use rand::Rng;
use xiangqi::{
    board::Position,
    types::{Kind, Side},
};

/// What the engine likes apart from what is best, as UCCI's options `randomness` and `style` set
/// it. The default likes nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Character {
    /// Each evaluation is off by up to this much in either direction.
    pub noise: u16,
    /// Decides in which direction, position by position: with the same seed the same way.
    pub seed: u64,
    /// What a draw is worth to the side at the root.
    pub draw: i16,
    /// What each rook, horse or cannon on the board, of either side, is worth to the side at the
    /// root: above zero it shuns exchanges, below it seeks them.
    pub tension: i16,
}

impl Character {
    /// An evaluation from the mover's view as this character sees it.
    pub(super) fn colour(&self, eval: Score, position: &Position, root: Side) -> Score {
        let attackers = position.by_kind(Kind::Rook)
            | position.by_kind(Kind::Horse)
            | position.by_kind(Kind::Cannon);
        let tension = i32::from(self.tension) * attackers.len() as i32;
        let tension = if position.side() == root { tension } else { -tension };
        let span = u64::from(self.noise) * 2 + 1;
        // Multiplying by a large odd number mixes the bits upwards, where they are then taken from.
        let mixed = (position.key().0 ^ self.seed).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        let noise = (mixed % span) as i32 - i32::from(self.noise);
        Score(eval.0 + tension + noise).clamp_to_eval()
    }

    /// What a draw is worth to the mover, `ply` plies from the root.
    pub(super) const fn draw(&self, ply: usize) -> Score {
        Score(if ply.is_multiple_of(2) { self.draw as i32 } else { -(self.draw as i32) })
    }
}

/// A limit to the engine's skill, so that beginners can win: it looks less deep, and mistakes the
/// worth of its moves by chance.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Skill(u16);

impl Skill {
    /// At this level the engine is no longer weakened.
    pub const MAX_LEVEL: u16 = 20;
    /// The Elo rating that the lowest level stands for, nominally.
    pub const MIN_ELO: u16 = 600;
    /// The Elo rating that the highest level stands for, nominally.
    pub const MAX_ELO: u16 = 2600;

    /// The skill of a level from 0 to [`Skill::MAX_LEVEL`]; `None` = unlimited.
    pub const fn of_level(level: u16) -> Option<Self> {
        if level < Self::MAX_LEVEL { Some(Self(level * 100)) } else { None }
    }

    /// The skill of a rating from [`Skill::MIN_ELO`] to [`Skill::MAX_ELO`], in equal steps.
    pub fn of_elo(elo: u16) -> Option<Self> {
        let (min, max) = (u32::from(Self::MIN_ELO), u32::from(Self::MAX_ELO));
        let above = u32::from(elo).clamp(min, max) - min;
        let hundredths = above * 100 * u32::from(Self::MAX_LEVEL) / (max - min);
        (hundredths < 100 * u32::from(Self::MAX_LEVEL)).then_some(Self(hundredths as u16))
    }

    /// How deep it looks, in plies: 1 at level 0, up to 11.
    pub(super) const fn depth(self) -> u32 {
        1 + self.0 as u32 / 190
    }

    /// How many moves it chooses from.
    pub(super) const LINES: usize = 12;

    /// By how much it mistakes the worth of a move at most: more than a rook at level 0, nothing
    /// at the highest.
    fn mistake(self) -> i32 {
        let missing = 100 * i32::from(Self::MAX_LEVEL) - i32::from(self.0);
        // From 1000 down, quickly at first: with less depth there is enough to go wrong anyway.
        missing * missing / 4000
    }

    /// Which of the lines it plays.
    pub(super) fn choose(self, lines: &[RootMove], rng: &mut impl Rng) -> Option<usize> {
        let tt_entry = lines.iter().take(Self::LINES).enumerate();
        let seen = tt_entry.filter_map(|(n, line)| Some((n, line.known_score()?.0)));
        let felt = seen.map(|(n, score)| (n, score + rng.random_range(0..=self.mistake())));
        felt.max_by_key(|&(_, felt)| felt).map(|(n, _)| n)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::{Limits, Searcher};
    use xiangqi::game::Game;

    #[test]
    fn a_plain_character_changes_nothing() {
        let start = Position::start();
        for side in Side::ALL {
            assert_eq!(Character::default().colour(Score(17), &start, side), Score(17));
        }
        assert_eq!(Character::default().draw(3), Score::DRAW);
    }

    #[test]
    fn taste_is_the_root_sides() {
        let start = Position::start();
        let bold = Character { draw: -60, tension: 5, ..Character::default() };
        // Twelve rooks, horses and cannons.
        assert_eq!(bold.colour(Score(0), &start, Side::Red), Score(60));
        assert_eq!(bold.colour(Score(0), &start, Side::Black), Score(-60));
        assert_eq!((bold.draw(0), bold.draw(1)), (Score(-60), Score(60)));
    }

    #[test]
    fn noise_is_bounded_and_the_seed_decides() {
        let start = Position::start();
        let with = |seed| Character { noise: 20, seed, ..Character::default() };
        let evals: Vec<i32> =
            (0..200).map(|seed| with(seed).colour(Score(0), &start, Side::Red).0).collect();
        assert!(evals.iter().all(|eval| (-20..=20).contains(eval)));
        assert!(evals.iter().any(|&eval| eval > 10) && evals.iter().any(|&eval| eval < -10));
        let again = with(7).colour(Score(0), &start, Side::Red);
        assert_eq!(again, with(7).colour(Score(0), &start, Side::Red));
    }

    #[test]
    fn levels() {
        assert_eq!(Skill::of_level(20), None);
        assert_eq!(Skill::of_elo(Skill::MAX_ELO), None);
        assert_eq!(Skill::of_elo(Skill::MIN_ELO), Skill::of_level(0));
        assert_eq!(Skill::of_elo(0), Skill::of_level(0));
        assert_eq!(Skill::of_elo(1600), Skill::of_level(10));
        let skills: Vec<Skill> = (0..20).filter_map(Skill::of_level).collect();
        assert!(skills.is_sorted_by(|a, b| a.mistake() > b.mistake() && a.depth() <= b.depth()));
        assert_eq!((skills[0].depth(), skills[0].mistake()), (1, 1000));
    }

    #[test]
    fn a_beginner_errs_and_an_expert_does_not() {
        // The cannon on a0 is there for the taking.
        let game = Game::new("3k5/r8/9/9/9/9/9/9/9/C4K3 b".parse().unwrap());
        let mut searcher = Searcher::new(1).unwrap();
        let mut plays = |skill| {
            let limits = Limits { depth: Some(1), skill, ..Limits::default() };
            searcher.prepare(&limits);
            let mut lines = 0;
            let outcome = searcher.search(&game, &limits, &mut |report| lines = report.multi_pv);
            assert_eq!(lines, 1, "the other lines are not shown");
            outcome.best.unwrap().to_string()
        };
        assert_eq!(plays(None), "a8a0");
        assert!((0..40).any(|_| plays(Skill::of_level(0)) != "a8a0"));
        assert!((0..5).all(|_| plays(Skill::of_level(19)) == "a8a0"));
    }
}
