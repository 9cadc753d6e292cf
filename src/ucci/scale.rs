//! UCCI's unit of scores. Those of UCI, and chances, are [`crate::eval`]'s.

use crate::eval::Score;

/// UCCI's unit: 100 is a minor piece. Decided games keep the engine's own score: 30000 less the
/// plies to mate, 29000 less the plies to a win by the repetition rule.
pub fn ucci(score: Score) -> i32 {
    if score.is_decisive() { score.0 } else { score.0 * 100 / Score::MINOR.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_minor_piece_is_a_hundred_in_ucci() {
        assert_eq!(ucci(Score::MINOR), 100);
        assert_eq!(ucci(-Score::MINOR), -100);
        assert_eq!(ucci(Score::mate_in(3)), 29_997);
    }
}
