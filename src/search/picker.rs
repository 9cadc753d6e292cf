//! Moves one at a time, the most promising first; each stage is generated only when it is reached.

use super::{
    history::{Context, Histories},
    params,
};
use crate::eval::{Score, see_ge};
use arrayvec::ArrayVec;
use xiangqi::{
    board::{CheckSquares, Position},
    types::{Kind, MAX_MOVES, Move, MoveList},
};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    Table,
    Captures,
    GoodCaptures,
    Killers,
    Quiets,
    RemainingQuiets,
    BadCaptures,
    Evasions,
    RemainingEvasions,
    Done,
}

/// Hands out the pseudo-legal moves of one position.
pub struct Picker {
    stage: Stage,
    tt_move: Option<Move>,
    killers: [Option<Move>; 2],
    /// A capture that loses more than this in exchange comes last, or not at all.
    threshold: Score,
    captures_only: bool,
    checks_only: bool,
    list: ArrayVec<(Move, i32), MAX_MOVES>,
    next: usize,
    bad: ArrayVec<Move, MAX_MOVES>,
}

/// Evasions that take something come before all quiet ones.
const EVADING_CAPTURE: i32 = 1 << 24;

impl Picker {
    /// All moves. The table's move comes first if it can be played here.
    pub fn all(position: &Position, tt_move: Option<Move>, killers: [Option<Move>; 2]) -> Self {
        let tt_move = tt_move.filter(|&m| position.is_pseudo_legal(m));
        Self {
            stage: Stage::Table,
            tt_move,
            killers,
            threshold: Score::DRAW,
            captures_only: false,
            checks_only: false,
            list: ArrayVec::new(),
            next: 0,
            bad: ArrayVec::new(),
        }
    }

    /// For quiescence: the captures that lose nothing in exchange; in check all evasions.
    pub fn noisy(position: &Position, tt_move: Option<Move>) -> Self {
        let wanted = |m: Move| position.in_check() || position.piece_on(m.to()).is_some();
        let mut picker = Self::all(position, tt_move.filter(|&m| wanted(m)), [None; 2]);
        picker.captures_only = true;
        picker
    }

    /// The captures that win at least this much in exchange. Not for positions in check.
    pub fn winning(position: &Position, tt_move: Option<Move>, least: Score) -> Self {
        let mut picker = Self::noisy(position, tt_move.filter(|&m| see_ge(position, m, least)));
        picker.threshold = least;
        picker
    }

    /// Whether the moves handed out now are the captures that lose material.
    pub fn at_bad_captures(&self) -> bool {
        self.stage == Stage::BadCaptures
    }

    /// Of the quiet moves only direct checks from now on, in any order.
    pub fn skip_quiets(&mut self) {
        self.checks_only = true;
    }

    /// The next move, pseudo-legal.
    pub fn next(
        &mut self,
        position: &Position,
        histories: &Histories,
        context: &Context,
    ) -> Option<Move> {
        loop {
            match self.stage {
                Stage::Table => {
                    self.stage =
                        if position.in_check() { Stage::Evasions } else { Stage::Captures };
                    if self.tt_move.is_some() {
                        return self.tt_move;
                    }
                }
                Stage::Captures => {
                    self.fill(Position::captures, position, |m| {
                        capture_worth(position, histories, m)
                    });
                    self.stage = Stage::GoodCaptures;
                }
                Stage::GoodCaptures => match self.best() {
                    Some(m) if see_ge(position, m, self.threshold) => return Some(m),
                    Some(m) => self.bad.push(m),
                    None if self.captures_only => self.stage = Stage::Done,
                    None => {
                        self.stage = Stage::Killers;
                        self.next = 0;
                    }
                },
                Stage::Killers => {
                    let Some(killer) = self.killers.get(self.next).copied() else {
                        self.stage = Stage::Quiets;
                        continue;
                    };
                    self.next += 1;
                    if let Some(m) = killer
                        && killer != self.tt_move
                        && position.piece_on(m.to()).is_none()
                        && position.is_pseudo_legal(m)
                    {
                        return Some(m);
                    }
                }
                Stage::Quiets => {
                    let checks = position.check_squares();
                    let worth = |m| {
                        let bonus = if is_safe_check(position, &checks, m) {
                            params::check_bonus()
                        } else {
                            0
                        };
                        histories.quiet(position, context, m) + bonus
                    };
                    self.fill(Position::quiets, position, worth);
                    self.stage = Stage::RemainingQuiets;
                }
                Stage::RemainingQuiets => match self.next_quiet(position) {
                    Some(m) if self.killers.contains(&Some(m)) => {}
                    Some(m) => return Some(m),
                    None => {
                        self.stage = Stage::BadCaptures;
                        self.next = 0;
                    }
                },
                Stage::BadCaptures => {
                    let m = self.bad.get(self.next).copied();
                    self.next += 1;
                    if m.is_none() {
                        self.stage = Stage::Done;
                    }
                    return m;
                }
                Stage::Evasions => {
                    self.fill(Position::evasions, position, |m| {
                        if position.piece_on(m.to()).is_some() {
                            EVADING_CAPTURE + capture_worth(position, histories, m)
                        } else {
                            histories.quiet(position, context, m)
                        }
                    });
                    self.stage = Stage::RemainingEvasions;
                }
                Stage::RemainingEvasions => {
                    let m = self.best();
                    if m.is_none() {
                        self.stage = Stage::Done;
                    }
                    return m;
                }
                Stage::Done => return None,
            }
        }
    }

    fn fill(
        &mut self,
        generate: impl FnOnce(&Position, &mut MoveList),
        position: &Position,
        worth: impl Fn(Move) -> i32,
    ) {
        let mut moves = MoveList::new();
        generate(position, &mut moves);
        self.next = 0;
        self.list.clear();
        let rest = moves.into_iter().filter(|&m| Some(m) != self.tt_move);
        self.list.extend(rest.map(|m| (m, worth(m))));
    }

    /// The most promising quiet move left, or just the next check.
    fn next_quiet(&mut self, position: &Position) -> Option<Move> {
        if !self.checks_only {
            return self.best();
        }
        let rest = &self.list[self.next..];
        let checks = position.check_squares();
        let skipped = rest.iter().position(|&(m, _)| is_direct_check(position, &checks, m))?;
        self.next += skipped + 1;
        Some(rest[skipped].0)
    }

    /// The most promising move left in the list.
    fn best(&mut self) -> Option<Move> {
        let rest = &mut self.list[self.next..];
        let mut best = 0;
        for i in 1..rest.len() {
            if rest[i].1 > rest[best].1 {
                best = i;
            }
        }
        let m = rest.get(best)?.0;
        rest.swap(0, best);
        self.next += 1;
        Some(m)
    }
}

/// Whether the piece that moves is the one that gives check.
fn is_direct_check(position: &Position, checks: &CheckSquares, m: Move) -> bool {
    position.piece_on(m.from()).is_some_and(|piece| checks.contains(piece.kind(), m.to()))
}

/// Whether a quiet move gives check directly and loses nothing in exchange.
fn is_safe_check(position: &Position, checks: &CheckSquares, m: Move) -> bool {
    is_direct_check(position, checks, m) && see_ge(position, m, Score::DRAW)
}

/// A step of [`capture_worth`]'s ranks on the scale of the histories.
const CAPTURE_STEP: i32 = 512;

/// The most valuable victim first; among equals the least valuable attacker. What has done well
/// moves up.
fn capture_worth(position: &Position, histories: &Histories, m: Move) -> i32 {
    const RANK: [i32; Kind::NUM] = [0, 2, 2, 4, 9, 4, 1];
    let rank = |piece: Option<xiangqi::types::Piece>| piece.map_or(0, |p| RANK[p.kind().index()]);
    let worth = 16 * rank(position.piece_on(m.to())) - rank(position.piece_on(m.from()));
    worth * CAPTURE_STEP + histories.capture(position, m) * params::capture_history() / 64
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{Rng, SeedableRng, rngs::StdRng};
    use std::collections::HashSet;

    fn drain(picker: &mut Picker, position: &Position) -> Vec<Move> {
        let histories = Histories::default();
        std::iter::from_fn(|| picker.next(position, &histories, &[None; 3])).collect()
    }

    fn random_positions() -> impl Iterator<Item = (Position, Move)> {
        let mut random = StdRng::seed_from_u64(11);
        let mut position = Position::start();
        std::iter::from_fn(move || {
            let moves = position.legal_moves();
            if moves.is_empty() || random.random_ratio(1, 150) {
                position = Position::start();
                return Some((position.clone(), "a0a1".parse().unwrap()));
            }
            let m = moves[random.random_range(0..moves.len())];
            let before = position.clone();
            position.make(m);
            Some((before, m))
        })
    }

    #[test]
    fn every_move_comes_once_whatever_the_hints_say() {
        let mut hint = None;
        for (position, m) in random_positions().take(3000) {
            // The hints are from this and from another position, so some cannot be played.
            let mut picker = Picker::all(&position, hint, [Some(m), hint]);
            let moves = drain(&mut picker, &position);
            let distinct: HashSet<_> = moves.iter().collect();
            assert_eq!(distinct.len(), moves.len(), "{position} {hint:?} {m}");
            let legal = moves.iter().filter(|&&m| position.is_legal(m)).count();
            assert_eq!(legal, position.legal_moves().len(), "{position}");
            hint = Some(m);
        }
    }

    #[test]
    fn quiescence_sees_captures_that_lose_nothing() {
        for (position, m) in random_positions().take(2000) {
            let moves = drain(&mut Picker::noisy(&position, Some(m)), &position);
            if position.in_check() {
                let legal = moves.iter().filter(|&&m| position.is_legal(m)).count();
                assert_eq!(legal, position.legal_moves().len());
                continue;
            }
            for legal in position.legal_moves() {
                let wanted = position.piece_on(legal.to()).is_some()
                    && (crate::eval::see(&position, legal) >= Score::DRAW || legal == m);
                assert_eq!(moves.contains(&legal), wanted, "{position} {legal}");
            }
        }
    }

    #[test]
    fn skipping_quiets_leaves_checks_and_losing_captures() {
        // A rook can take a protected soldier; three quiet moves give check: g3d3, a0d0, a0a9.
        let position: Position = "3k5/9/4b4/9/6p2/9/6R2/9/9/R3K4 w".parse().unwrap();
        let histories = Histories::default();
        let mut picker = Picker::all(&position, None, [None; 2]);
        let first = picker.next(&position, &histories, &[None; 3]);
        assert!(first.is_some_and(|m| position.gives_check(m)));
        picker.skip_quiets();
        let rest = drain(&mut picker, &position);
        let [second, third, last] = rest[..] else { panic!("{rest:?}") };
        assert!(second != third && [second, third].iter().all(|&m| position.gives_check(m)));
        assert_eq!(last, "g3g5".parse().unwrap());
    }
}
