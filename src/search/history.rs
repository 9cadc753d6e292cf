//! What earlier cut-offs teach about moves.

use super::params;
use crate::{
    board::Position,
    types::{Move, Piece, Side, Square},
};

/// A history value: moves towards its bound the slower the nearer it is (gravity), so that it
/// forgets old lessons.
#[derive(Clone, Copy, Default)]
struct Value(i16);

impl Value {
    fn update(&mut self, bonus: i32) {
        let old = i32::from(self.0);
        let new = old + bonus - old * bonus.abs() / params::HISTORY_MAX;
        self.0 = new.clamp(-params::HISTORY_MAX, params::HISTORY_MAX) as i16;
    }
}

const FROM_TO: usize = Square::NUM * Square::NUM;
const PIECE_TO: usize = Piece::NUM * Square::NUM;

/// A piece and where it went: what a move did, without where it came from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PieceTo(u16);

impl PieceTo {
    /// What a move of this position does; `None` if no piece stands where it begins.
    #[inline]
    pub fn of(position: &Position, m: Move) -> Option<Self> {
        let piece = position.piece_on(m.from())?;
        Some(Self((piece.index() * Square::NUM + m.to().index()) as u16))
    }

    fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// The moves 1, 2 and 4 plies ago; `None` for a null move and before the root.
pub type Context = [Option<PieceTo>; 3];

/// The histories of one thread.
pub struct Histories {
    /// By side and from-to of a quiet move.
    quiet: Box<[[Value; FROM_TO]; Side::NUM]>,
    /// By an earlier move and the quiet move that follows it.
    continuation: Box<[[Value; PIECE_TO]; PIECE_TO]>,
}

impl Default for Histories {
    fn default() -> Self {
        Self { quiet: boxed(), continuation: boxed() }
    }
}

/// A table on the heap that never was on the stack.
fn boxed<T: Copy + Default, const N: usize, const M: usize>() -> Box<[[T; N]; M]> {
    let rows: Box<[[T; N]]> = vec![[T::default(); N]; M].into();
    rows.try_into().unwrap_or_else(|_| unreachable!("made with M rows"))
}

/// The change for a move that a search of this depth approved.
pub fn bonus(depth: i32) -> i32 {
    (depth * params::HISTORY_BONUS).min(params::HISTORY_BONUS_MAX)
}

impl Histories {
    /// Forgets everything.
    pub fn clear(&mut self) {
        self.quiet.iter_mut().for_each(|row| row.fill(Value::default()));
        self.continuation.iter_mut().for_each(|row| row.fill(Value::default()));
    }

    /// How well a quiet move has done, in general and after the moves before it.
    #[inline]
    pub fn quiet(&self, position: &Position, context: &Context, m: Move) -> i32 {
        let general = self.quiet[position.side().index()][m.from_to_index()];
        let mut sum = i32::from(general.0);
        if let Some(now) = PieceTo::of(position, m) {
            for before in context.iter().flatten() {
                sum += i32::from(self.continuation[before.index()][now.index()].0);
            }
        }
        sum
    }

    /// A quiet move has done well (or ill, with a negative bonus).
    pub fn update_quiet(&mut self, position: &Position, context: &Context, m: Move, bonus: i32) {
        self.quiet[position.side().index()][m.from_to_index()].update(bonus);
        if let Some(now) = PieceTo::of(position, m) {
            for before in context.iter().flatten() {
                self.continuation[before.index()][now.index()].update(bonus);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_stay_in_bounds_and_forget() {
        let mut value = Value::default();
        for _ in 0..1000 {
            value.update(params::HISTORY_BONUS_MAX);
        }
        let high = i32::from(value.0);
        assert!(high > params::HISTORY_MAX * 9 / 10 && high <= params::HISTORY_MAX);
        value.update(-1000);
        assert!(i32::from(value.0) < high - 1900, "a surprise counts double");
        for _ in 0..1000 {
            value.update(-params::HISTORY_MAX);
        }
        assert_eq!(i32::from(value.0), -params::HISTORY_MAX);
    }
}
