//! What earlier cut-offs teach about moves.

use super::params;
use crate::types::{Move, Side, Square};

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

/// The histories of one thread.
pub struct Histories {
    /// By side and from-to of a quiet move.
    quiet: Box<[[Value; FROM_TO]; Side::NUM]>,
}

impl Default for Histories {
    fn default() -> Self {
        Self { quiet: boxed() }
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
    }

    /// How well a quiet move has done.
    #[inline]
    pub fn quiet(&self, side: Side, m: Move) -> i32 {
        i32::from(self.quiet[side.index()][m.from_to_index()].0)
    }

    /// A quiet move has done well (or ill, with a negative bonus).
    pub fn update_quiet(&mut self, side: Side, m: Move, bonus: i32) {
        self.quiet[side.index()][m.from_to_index()].update(bonus);
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
