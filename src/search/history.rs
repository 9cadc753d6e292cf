//! What earlier cut-offs teach about moves.

use super::{huge_pages::boxed, params};
use bytemuck::Zeroable;
use xiangqi::{
    board::Position,
    types::{Kind, Move, Piece, Side, Square},
};

/// A history value: moves towards its bound `MAX` the slower the nearer it is (gravity), so that it
/// forgets old lessons.
#[derive(Clone, Copy, Default, Zeroable)]
pub struct Value<const MAX: i32>(i16);

impl<const MAX: i32> Value<MAX> {
    /// The value, -`MAX` to `MAX`.
    #[inline]
    pub fn get(self) -> i32 {
        i32::from(self.0)
    }

    /// Moves the value by about `bonus`.
    pub fn update(&mut self, bonus: i32) {
        let bonus = bonus.clamp(-MAX, MAX);
        let old = self.get();
        self.0 = (old + bonus - old * bonus.abs() / MAX) as i16;
    }
}

type Lesson = Value<{ params::HISTORY_MAX }>;

const FROM_TO: usize = Square::NUM * Square::NUM;
const PIECE_TO: usize = Piece::NUM * Square::NUM;
/// Arrangements of soldiers that are told apart.
const SOLDIER_BUCKETS: usize = 512;

/// A piece and where it went: what a move did, without where it came from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PieceTo(u16);

impl PieceTo {
    /// How many there are.
    pub const NUM: usize = PIECE_TO;

    /// What a move of this position does; `None` if no piece stands where it begins.
    #[inline]
    pub fn of(position: &Position, m: Move) -> Option<Self> {
        let piece = position.piece_on(m.from())?;
        Some(Self((piece.index() * Square::NUM + m.to().index()) as u16))
    }

    /// A number below [`PieceTo::NUM`].
    #[inline]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// The moves 1, 2 and 4 plies ago; `None` for a null move and before the root.
pub type Context = [Option<PieceTo>; 3];

/// The histories of one thread.
pub struct Histories {
    /// By side and from-to of a quiet move.
    quiet: Box<[[Lesson; FROM_TO]; Side::NUM]>,
    /// By an earlier move and the quiet move that follows it.
    continuation: Box<[[Lesson; PIECE_TO]; PIECE_TO]>,
    /// By the soldiers' places and the quiet move.
    soldiers: Box<[[Lesson; PIECE_TO]; SOLDIER_BUCKETS]>,
    /// By what is taken and the move that takes it.
    captures: Box<[[Lesson; PIECE_TO]; Kind::NUM]>,
}

impl Default for Histories {
    fn default() -> Self {
        Self { quiet: boxed(), continuation: boxed(), soldiers: boxed(), captures: boxed() }
    }
}

/// The change for a move that a search of this depth approved.
pub fn bonus(depth: i32) -> i32 {
    (depth * params::history_bonus()).min(params::history_bonus_max())
}

fn soldier_bucket(position: &Position) -> usize {
    position.soldier_key().0 as usize % SOLDIER_BUCKETS
}

impl Histories {
    /// Forgets everything.
    pub fn clear(&mut self) {
        self.quiet.iter_mut().for_each(|row| row.fill(Value::default()));
        self.continuation.iter_mut().for_each(|row| row.fill(Value::default()));
        self.soldiers.iter_mut().for_each(|row| row.fill(Value::default()));
        self.captures.iter_mut().for_each(|row| row.fill(Value::default()));
    }

    /// How well a quiet move has done: in general, with the soldiers where they are, and after the
    /// moves before it.
    #[inline]
    pub fn quiet(&self, position: &Position, context: &Context, m: Move) -> i32 {
        let mut sum = self.quiet[position.side().index()][m.from_to_index()].get();
        if let Some(now) = PieceTo::of(position, m) {
            let lesson = self.soldiers[soldier_bucket(position)][now.index()].get();
            sum += lesson * params::soldier_history() / 64;
            for before in context.iter().flatten() {
                sum += self.continuation[before.index()][now.index()].get();
            }
        }
        sum
    }

    /// A quiet move has done well (or ill, with a negative bonus).
    pub fn update_quiet(&mut self, position: &Position, context: &Context, m: Move, bonus: i32) {
        self.quiet[position.side().index()][m.from_to_index()].update(bonus);
        if let Some(now) = PieceTo::of(position, m) {
            self.soldiers[soldier_bucket(position)][now.index()].update(bonus);
            self.update_continuation(context, now, bonus);
        }
    }

    /// A move has done well (or ill) after the moves before it.
    pub fn update_continuation(&mut self, context: &Context, now: PieceTo, bonus: i32) {
        for before in context.iter().flatten() {
            self.continuation[before.index()][now.index()].update(bonus);
        }
    }

    /// How well a capture has done.
    #[inline]
    pub fn capture(&self, position: &Position, m: Move) -> i32 {
        match (position.piece_on(m.to()), PieceTo::of(position, m)) {
            (Some(taken), Some(now)) => self.captures[taken.kind().index()][now.index()].get(),
            _ => 0,
        }
    }

    /// A capture has done well (or ill).
    pub fn update_capture(&mut self, position: &Position, m: Move, bonus: i32) {
        if let (Some(taken), Some(now)) = (position.piece_on(m.to()), PieceTo::of(position, m)) {
            self.captures[taken.kind().index()][now.index()].update(bonus);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_stay_in_bounds_and_forget() {
        const MAX: i32 = params::HISTORY_MAX;
        let mut value = Value::<MAX>::default();
        for _ in 0..1000 {
            value.update(1700);
        }
        let high = value.get();
        assert!(high > MAX * 9 / 10 && high <= MAX);
        value.update(-1000);
        assert!(value.get() < high - 1900, "a surprise counts double");
        for _ in 0..1000 {
            value.update(-10 * MAX);
        }
        assert_eq!(value.get(), -MAX);
    }
}
