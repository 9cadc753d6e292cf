//! Repetitions inside the search tree: the keys on the way from the game's start to the node, and
//! what a repetition is worth.

use crate::{
    game::Game,
    types::{Key, Score},
};

/// A position on the way.
#[derive(Clone, Copy)]
struct Step {
    key: Key,
    /// Whether the move that led here gave check.
    gives_check: bool,
    /// How many positions before this one can be the same: plies since the last capture or null
    /// move.
    reversible: u16,
}

/// What a repetition comes to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Repetition {
    /// From the view of the side to move.
    pub outcome: Outcome,
    /// How many plies ago the position stood before: who searched fewer plies than this since the
    /// root of a subtree has a result that depends on how that subtree was reached.
    pub plies: usize,
}

/// Who gains by a repetition, seen by the side to move after it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// Nobody.
    Draw,
    /// The side to move: the other one broke the rules.
    Win,
    /// The other side.
    Loss,
}

impl Outcome {
    /// The score for the side to move, `ply` plies from the root.
    pub const fn score(self, ply: usize) -> Score {
        match self {
            Self::Draw => Score::DRAW,
            Self::Win => Score::rule_win_in(ply),
            Self::Loss => Score::rule_loss_in(ply),
        }
    }
}

/// Buckets of the filter that rules most positions out before any comparing.
const FILTER: usize = 1 << 12;

/// The positions from the start of the game to the node that is searched.
pub struct Path {
    steps: Vec<Step>,
    /// Index of the root of the search in `steps`.
    root: usize,
    /// How many steps fall into each bucket by their key.
    filter: Box<[u8; FILTER]>,
}

fn bucket(key: Key) -> usize {
    key.0 as usize % FILTER
}

impl Default for Path {
    fn default() -> Self {
        Self { steps: Vec::new(), root: 0, filter: Box::new([0; FILTER]) }
    }
}

impl Path {
    /// Starts at the last position of a game.
    pub fn restart(&mut self, game: &Game) {
        self.steps.clear();
        self.filter.fill(0);
        for (i, key) in (0..=game.plies().len()).filter_map(|i| Some((i, game.key_at(i)?))) {
            let ply = i.checked_sub(1).and_then(|last| game.plies().get(last));
            let reversible = ply.is_some_and(|ply| ply.captured.is_none());
            self.push(key, ply.is_some_and(|ply| ply.gives_check), reversible);
        }
        self.root = self.steps.len().saturating_sub(1);
    }

    /// A move was made: `reversible` if it took nothing.
    pub fn push(&mut self, key: Key, gives_check: bool, reversible: bool) {
        let before = self.steps.last().map_or(0, |step| step.reversible);
        let reversible = if reversible { before.saturating_add(1) } else { 0 };
        self.steps.push(Step { key, gives_check, reversible });
        let count = &mut self.filter[bucket(key)];
        *count = count.saturating_add(1);
    }

    /// The last move was taken back.
    pub fn pop(&mut self) {
        if let Some(step) = self.steps.pop() {
            // A bucket that was ever full stays so: it only costs a search in vain.
            let count = &mut self.filter[bucket(step.key)];
            if *count < u8::MAX {
                *count -= 1;
            }
        }
    }

    /// What the last position's repetition comes to, if it counts: the position stood before after
    /// the root, or twice in the game before.
    #[inline]
    pub fn repetition(&self) -> Option<Repetition> {
        let now = self.steps.last()?;
        if now.reversible < 4 || self.filter[bucket(now.key)] < 2 {
            return None;
        }
        self.find(now)
    }

    fn find(&self, now: &Step) -> Option<Repetition> {
        let last = self.steps.len() - 1;
        let mut nearest = None;
        for back in (4..=usize::from(now.reversible).min(last)).step_by(2) {
            let at = last - back;
            if self.steps[at].key == now.key {
                let plies = *nearest.get_or_insert(back);
                if at > self.root || plies < back {
                    return Some(Repetition { outcome: self.outcome(plies), plies });
                }
            }
        }
        None
    }

    /// Who gains by a cycle of that many plies that ends here: whoever alone checked with every
    /// move loses (长将作负), all else draws.
    fn outcome(&self, plies: usize) -> Outcome {
        let cycle = &self.steps[self.steps.len() - plies..];
        // The last move was the other side's.
        let they_check = cycle.iter().rev().step_by(2).all(|step| step.gives_check);
        let we_check = cycle.iter().rev().skip(1).step_by(2).all(|step| step.gives_check);
        match (they_check, we_check) {
            (true, false) => Outcome::Win,
            (false, true) => Outcome::Loss,
            _ => Outcome::Draw,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;

    fn path(fen: &str, game_moves: &str, searched: &str) -> Path {
        let start: Position = fen.parse().unwrap();
        let moves = game_moves.split_whitespace().map(|m| m.parse().unwrap());
        let mut game = Game::with_moves(start, moves).unwrap();
        let mut path = Path::default();
        path.restart(&game);
        for m in searched.split_whitespace() {
            game.play(m.parse().unwrap()).unwrap();
            let ply = game.plies().last().unwrap();
            path.push(ply.key, ply.gives_check, ply.captured.is_none());
        }
        path
    }

    const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w";
    const SHUFFLE: &str = "h0g2 h9g7 g2h0 g7h9 ";
    /// A rook checks along the eighth and ninth rank; the king steps up and down.
    const CHECKS: &str = "4k4/9/9/9/9/9/9/9/9/R2K5 w";

    #[test]
    fn idle_shuffling_draws_once_it_lies_behind_the_root() {
        let draw = Some(Repetition { outcome: Outcome::Draw, plies: 4 });
        // The root itself came back once: that is only its second time.
        assert_eq!(path(START, "", SHUFFLE).repetition(), None);
        assert_eq!(path(START, "", &(SHUFFLE.to_owned() + "h0g2")).repetition(), draw);
        assert_eq!(path(START, SHUFFLE, "h0g2 h9g7 g2h0").repetition(), None);
        assert_eq!(path(START, SHUFFLE, SHUFFLE).repetition(), draw);
        assert_eq!(path(START, "", "h0g2 h9g7 g2h0").repetition(), None);
    }

    #[test]
    fn the_perpetual_checker_loses() {
        let path = |game: &str, searched: &str| path(CHECKS, game, searched).repetition();
        let win = Some(Repetition { outcome: Outcome::Win, plies: 4 });
        let loss = Some(Repetition { outcome: Outcome::Loss, plies: 4 });
        // Red checked with every move, and Black is to move.
        assert_eq!(path("", "a0a9 e9e8 a9a8 e8e9 a8a9"), win);
        // The same with Red to move.
        assert_eq!(path("", "a0a9 e9e8 a9a8 e8e9 a8a9 e9e8"), loss);
        assert_eq!(path("a0a9 e9e8 a9a8 e8e9", "a8a9"), None, "stood once before the root");
        assert_eq!(path("a0a9 e9e8 a9a8 e8e9 a8a9 e9e8 a9a8 e8e9", "a8a9"), win);
        // One quiet move in the cycle makes it a draw.
        let draw = Some(Repetition { outcome: Outcome::Draw, plies: 4 });
        assert_eq!(path("", "a0a9 e9e8 a9a7 e8e9 a7a9"), draw);
    }

    #[test]
    fn captures_and_null_moves_cut_the_past_off() {
        let mut path = path(START, SHUFFLE, "");
        let key = path.steps[0].key;
        path.push(Key(1), false, false);
        for other in 2..5 {
            path.push(Key(other), false, true);
        }
        path.push(key, false, true);
        assert_eq!(path.repetition(), None);
    }

    #[test]
    fn popping_restores_the_filter() {
        let mut path = path(START, SHUFFLE, "");
        let before = path.filter.clone();
        for key in 0..600 {
            path.push(Key(key * 4096 % 8192), false, true);
        }
        for _ in 0..600 {
            path.pop();
        }
        let changed = (0..FILTER).filter(|&i| path.filter[i] != before[i]);
        assert!(changed.clone().all(|i| path.filter[i] == u8::MAX), "full buckets stay full");
        assert_eq!(path.steps.len(), 5);
    }
}
