//! Repetitions inside the search tree: the keys on the path from the game's start to the node, and
//! what the rules say of a cycle that closes there.

use super::params;
use crate::eval::Score;
use std::collections::HashMap;
use xiangqi::{
    board::Position,
    game::Game,
    rules::{CycleKind, CycleRuling, Judge, RuleSet, article_26, limit_reached},
    types::{Key, Move, Side},
};

/// A position on the way.
#[derive(Clone, Copy)]
struct Step {
    key: Key,
    /// The move that led here; `None` for a null move and at the start.
    played: Option<Move>,
    /// Whether that move gave check.
    gives_check: bool,
    /// How many positions before this one can be the same: plies since the last capture or null
    /// move.
    reversible: u16,
}

/// A cycle that the last move closed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cycle {
    /// How many plies ago the position stood before. A subtree whose root is nearer than that has
    /// a result that depends on the path that led to it.
    pub plies: usize,
    /// The same for the occurrence before that one, if there is one.
    earlier: Option<usize>,
}

impl Cycle {
    /// Whether the position stands for the third time. Who breaks the rules here has lost or has to
    /// change now, which comes to the same: nothing was gained by coming back. Before that the player
    /// at fault may still change.
    pub const fn is_final(self) -> bool {
        self.earlier.is_some()
    }
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

    fn of(ruling: CycleRuling, mover: Side) -> Self {
        match ruling {
            CycleRuling::Forbidden(side) if side == mover => Self::Loss,
            CycleRuling::Forbidden(_) => Self::Win,
            CycleRuling::Draw | CycleRuling::None => Self::Draw,
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
            match ply {
                None => self.push(key, None, false, false),
                Some(ply) => {
                    self.push(key, Some(ply.played), ply.gives_check, ply.captured.is_none());
                }
            }
        }
        self.root = self.steps.len().saturating_sub(1);
    }

    /// A move was made: `reversible` if it took nothing.
    pub fn push(&mut self, key: Key, played: Option<Move>, gives_check: bool, reversible: bool) {
        let before = self.steps.last().map_or(0, |step| step.reversible);
        let reversible = if reversible { before.saturating_add(1) } else { 0 };
        self.steps.push(Step { key, played, gives_check, reversible });
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

    /// The cycle that the last move closed, if it counts: the position stood before after the root,
    /// or twice in the game before.
    #[inline]
    pub fn cycle(&self) -> Option<Cycle> {
        let now = self.steps.last()?;
        if now.reversible < 4 || self.filter[bucket(now.key)] < 2 {
            return None;
        }
        self.find(now)
    }

    fn find(&self, now: &Step) -> Option<Cycle> {
        let last = self.steps.len() - 1;
        let mut backs = (4..=usize::from(now.reversible).min(last))
            .step_by(2)
            .filter(|back| self.steps[last - back].key == now.key);
        let plies = backs.next()?;
        let earlier = backs.next();
        let counts = last - plies > self.root || earlier.is_some();
        counts.then_some(Cycle { plies, earlier })
    }

    /// Whether Red and Black checked with every one of their moves in the last `plies`.
    fn checkers(&self, plies: usize, mover: Side) -> [bool; Side::NUM] {
        let cycle = &self.steps[self.steps.len() - plies..];
        Side::ALL.map(|side| {
            // The last move was not the mover's.
            let moves = cycle.iter().rev().skip(usize::from(side == mover)).step_by(2);
            moves.into_iter().all(|step| step.gives_check)
        })
    }

    /// Whether the natural limit of moves without a capture is reached, `clock` plies after the
    /// last one: of each side's checks only so many count (23.3).
    pub fn limit_reached(&self, clock: u16, rules: RuleSet) -> bool {
        let rounds = usize::from(clock) / 2;
        if rounds < rules.switches().limit_rounds {
            return false;
        }
        let reversible = self.steps.last().map_or(0, |step| usize::from(step.reversible));
        let quiet = &self.steps[self.steps.len() - reversible.min(self.steps.len())..];
        // The last move was the other side's; whose is whose does not matter here.
        let checks = [0, 1].map(|skip| {
            let moves = quiet.iter().rev().skip(skip).step_by(2);
            moves.filter(|step| step.gives_check).count()
        });
        limit_reached(rounds, checks, rules)
    }
}

/// Cycles whose rulings are kept before the memory is cleared.
const REMEMBERED: usize = 1 << 14;

/// Rules on the cycles that a search meets: cheaply where all moves check, else by the judge, who
/// is asked once for each cycle.
pub struct Rulings {
    judge: Judge,
    known: HashMap<u64, CycleRuling>,
    table_clock_limit: u16,
}

impl Default for Rulings {
    fn default() -> Self {
        Self::new(RuleSet::default())
    }
}

impl Rulings {
    /// Rulings by these rules.
    pub fn new(rules: RuleSet) -> Self {
        let limit = 2 * rules.switches().limit_rounds as u16;
        let table_clock_limit = limit.saturating_sub(params::TABLE_CLOCK_MARGIN);
        Self { judge: Judge::new(rules), known: HashMap::new(), table_clock_limit }
    }

    /// From so many plies without a capture on the natural limit is so near that scores found
    /// elsewhere do not hold.
    pub const fn table_clock_limit(&self) -> u16 {
        self.table_clock_limit
    }

    /// The rules ruled by.
    pub const fn rules(&self) -> RuleSet {
        self.judge.rules()
    }

    /// What a cycle that ends in `position` comes to.
    pub fn outcome(&mut self, path: &Path, position: &Position, cycle: Cycle) -> Outcome {
        let mover = position.side();
        let checking = path.checkers(cycle.plies, mover);
        if cycle.earlier.is_none() && checking[0] != checking[1] {
            let kind = |all| if all { CycleKind::PerpetualCheck } else { CycleKind::Allowed };
            return Outcome::of(article_26(checking.map(kind)), mover);
        }
        // The rules may want the whole span since the occurrence before the last.
        let plies = cycle.earlier.unwrap_or(cycle.plies);
        let steps = &path.steps[path.steps.len() - plies..];
        let key = steps.iter().fold(0u64, |hash, step| {
            (hash.rotate_left(5) ^ step.key.0).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        });
        if self.known.len() >= REMEMBERED {
            self.known.clear();
        }
        let ruling = *self.known.entry(key).or_insert_with(|| {
            // The cycle starts where it ends.
            let mut game = Game::new(position.clone());
            for m in steps.iter().filter_map(|step| step.played) {
                game.play_legal(m);
            }
            self.judge.cycle_ruling(&game)
        });
        Outcome::of(ruling, mover)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use xiangqi::board::Position;

    fn path(fen: &str, game_moves: &str, searched: &str) -> (Path, Position) {
        let start: Position = fen.parse().unwrap();
        let moves = game_moves.split_whitespace().map(|m| m.parse().unwrap());
        let mut game = Game::with_moves(start, moves).unwrap();
        let mut path = Path::default();
        path.restart(&game);
        for m in searched.split_whitespace() {
            game.play(m.parse().unwrap()).unwrap();
            let ply = game.plies().last().unwrap();
            path.push(ply.key, Some(ply.played), ply.gives_check, ply.captured.is_none());
        }
        (path, game.position().clone())
    }

    /// Who gains by the cycle at the end, and its plies.
    fn ruling(fen: &str, game_moves: &str, searched: &str) -> Option<(Outcome, usize)> {
        let (path, position) = path(fen, game_moves, searched);
        let cycle = path.cycle()?;
        Some((Rulings::default().outcome(&path, &position, cycle), cycle.plies))
    }

    const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w";
    const SHUFFLE: &str = "h0g2 h9g7 g2h0 g7h9 ";
    /// A rook checks along the eighth and ninth rank; the king steps up and down.
    const CHECKS: &str = "4k4/9/9/9/9/9/9/9/9/R2K5 w";

    #[test]
    fn idle_shuffling_draws_once_it_lies_behind_the_root() {
        let draw = Some((Outcome::Draw, 4));
        // The root itself came back once: that is only its second time.
        assert_eq!(ruling(START, "", SHUFFLE), None);
        assert_eq!(ruling(START, "", &(SHUFFLE.to_owned() + "h0g2")), draw);
        assert_eq!(ruling(START, SHUFFLE, "h0g2 h9g7 g2h0"), None);
        assert_eq!(ruling(START, SHUFFLE, SHUFFLE), draw);
        assert_eq!(ruling(START, "", "h0g2 h9g7 g2h0"), None);
    }

    #[test]
    fn the_perpetual_checker_loses() {
        let ruling = |game: &str, searched: &str| ruling(CHECKS, game, searched);
        let win = Some((Outcome::Win, 4));
        // Red checked with every move, and Black is to move.
        assert_eq!(ruling("", "a0a9 e9e8 a9a8 e8e9 a8a9"), win);
        // The same with Red to move.
        let loss = Some((Outcome::Loss, 4));
        assert_eq!(ruling("", "a0a9 e9e8 a9a8 e8e9 a8a9 e9e8"), loss);
        assert_eq!(ruling("a0a9 e9e8 a9a8 e8e9", "a8a9"), None, "stood once before the root");
        assert_eq!(ruling("a0a9 e9e8 a9a8 e8e9 a8a9 e9e8 a9a8 e8e9", "a8a9"), win);
        // One quiet move in the cycle makes it a draw.
        assert_eq!(ruling("", "a0a9 e9e8 a9a7 e8e9 a7a9"), Some((Outcome::Draw, 4)));
    }

    #[test]
    fn the_perpetual_chaser_loses() {
        // A rook follows a horse that nothing protects, along two ranks.
        let fen = "3k5/9/9/9/9/2n6/9/9/R8/5K3 w";
        let chase = "a1a4 c4d2 a4a2 d2c4 a2a4 c4d2 a4a2 d2c4";
        let outcome = ruling(fen, "", chase);
        assert_eq!(outcome, Some((Outcome::Loss, 4)), "Red is to move and must change");
    }

    #[test]
    fn checks_beyond_the_tenth_do_not_count_to_the_limit() {
        let cycle = "a8a9 e9e8 a9a8 e8e9 ";
        let start = "4k4/R8/9/9/9/9/9/9/9/3K5 w - - ";
        // 60 rounds without a check are the limit; with 12 checks of Red Black may still claim.
        let (path, _) = path(&format!("{start}96"), &cycle.repeat(6), "");
        assert!(path.limit_reached(120, RuleSet::Cn1999));
        assert!(!path.limit_reached(119, RuleSet::Cn1999));
        // Both sides' checks go beyond ten only if both check.
        assert!(path.limit_reached(100, RuleSet::League));
        // Where that is near the table is not asked.
        assert_eq!(Rulings::new(RuleSet::Cn1999).table_clock_limit(), 100);
        assert_eq!(Rulings::new(RuleSet::League).table_clock_limit(), 80);
    }

    #[test]
    fn captures_and_null_moves_cut_the_past_off() {
        let (mut path, _) = path(START, SHUFFLE, "");
        let key = path.steps[0].key;
        path.push(Key(1), None, false, false);
        for other in 2..5 {
            path.push(Key(other), None, false, true);
        }
        path.push(key, None, false, true);
        assert_eq!(path.cycle(), None);
    }

    #[test]
    fn popping_restores_the_filter() {
        let (mut path, _) = path(START, SHUFFLE, "");
        let before = path.filter.clone();
        for key in 0..600 {
            path.push(Key(key * 4096 % 8192), None, false, true);
        }
        for _ in 0..600 {
            path.pop();
        }
        let changed = (0..FILTER).filter(|&i| path.filter[i] != before[i]);
        assert!(changed.clone().all(|i| path.filter[i] == u8::MAX), "full buckets stay full");
        assert_eq!(path.steps.len(), 5);
    }
}
