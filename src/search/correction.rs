//! How far the evaluation was off in positions of the same kind, so that it can be set right there
//! (correction history, an idea of Caissa and Stockfish).

use super::{
    history::{PieceTo, Value},
    huge_pages::boxed,
    params,
};
use crate::eval::Score;
use xiangqi::{
    board::Position,
    types::{Key, Side},
};

const BUCKETS: usize = 1 << 14;
/// Errors are kept within plus and minus this.
const MAX: i32 = 1024;

type Error = Value<MAX>;

/// The errors met by one thread, by the side to move and a part of the position.
pub struct Corrections {
    soldiers: Box<[[Error; BUCKETS]; Side::NUM]>,
    guards: Box<[[Error; BUCKETS]; Side::NUM]>,
    /// By the side whose pieces they are, then as above.
    attackers: [Box<[[Error; BUCKETS]; Side::NUM]>; Side::NUM],
    /// By the last two moves.
    moves: Box<[[Error; PieceTo::NUM]; PieceTo::NUM]>,
}

impl Default for Corrections {
    fn default() -> Self {
        Self { soldiers: boxed(), guards: boxed(), attackers: [boxed(), boxed()], moves: boxed() }
    }
}

/// The last two moves, the last one first.
pub type LastMoves = [Option<PieceTo>; 2];

fn bucket(key: Key) -> usize {
    key.0 as usize % BUCKETS
}

impl Corrections {
    /// Forgets everything.
    pub fn clear(&mut self) {
        let Self { soldiers, guards, attackers: [red, black], moves } = self;
        for table in [soldiers, guards, red, black] {
            table.iter_mut().for_each(|row| row.fill(Value::default()));
        }
        moves.iter_mut().for_each(|row| row.fill(Value::default()));
    }

    /// What to add to the evaluation of a position that came about by these moves.
    #[inline]
    pub fn of(&self, position: &Position, last: LastMoves) -> Score {
        let side = position.side().index();
        let attackers =
            |of: Side| self.attackers[of.index()][side][bucket(position.attacker_key(of))].get();
        let mut sum = params::correction_soldiers()
            * self.soldiers[side][bucket(position.soldier_key())].get()
            + params::correction_guards() * self.guards[side][bucket(position.guard_key())].get()
            + params::correction_attackers() * (attackers(Side::Red) + attackers(Side::Black));
        if let [Some(one), Some(two)] = last {
            sum += params::correction_moves() * self.moves[two.index()][one.index()].get();
        }
        Score(sum / MAX)
    }

    /// A search of this depth found the evaluation too low by `error`.
    pub fn learn(&mut self, position: &Position, last: LastMoves, error: Score, depth: i32) {
        let bonus = (error.0 * depth / 8).clamp(-MAX / 4, MAX / 4);
        let side = position.side().index();
        self.soldiers[side][bucket(position.soldier_key())].update(bonus);
        self.guards[side][bucket(position.guard_key())].update(bonus);
        for of in [Side::Red, Side::Black] {
            self.attackers[of.index()][side][bucket(position.attacker_key(of))].update(bonus);
        }
        if let [Some(one), Some(two)] = last {
            self.moves[two.index()][one.index()].update(bonus);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_learnt_here_holds_for_the_same_kind_of_position_only() {
        let mut corrections = Corrections::default();
        let position = Position::start();
        for _ in 0..100 {
            corrections.learn(&position, [None; 2], Score(200), 8);
        }
        let learnt = corrections.of(&position, [None; 2]);
        assert!(learnt > Score(50), "{learnt}");
        assert_eq!(corrections.of(&position.with_turn_passed().unwrap(), [None; 2]), Score(0));
        for _ in 0..200 {
            corrections.learn(&position, [None; 2], Score(-200), 8);
        }
        assert!(corrections.of(&position, [None; 2]) < Score(-50));
    }
}
