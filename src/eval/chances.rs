//! Chances from scores: the one curve that everything uses which tells people or programs how likely a
//! win is.
//!
//! Chances follow a logistic curve over the engine's own [`Score`]: the mover wins with probability
//! `1 / (1 + exp((WIN_HALF - score) / WIN_SPREAD))`, loses with the same of the negated score, and
//! draws otherwise. `chuhe dataset wdl` fits the two numbers to games; `docs/protocol.md` says to
//! which.

use super::Score;

/// The score at which the mover wins half of the games.
const WIN_HALF: f64 = 272.0;
/// How many points of score take the odds of winning from e:1 to 1:1.
const WIN_SPREAD: f64 = 198.0;

/// Win, draw and loss of the mover in thousandths; they add up to 1000.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "the names and the type's own text say it")]
pub struct Chances {
    pub win: u32,
    pub draw: u32,
    pub loss: u32,
}

/// The probability that the mover wins, 0 to 1.
fn win(score: Score) -> f64 {
    1.0 / (1.0 + ((WIN_HALF - f64::from(score.0)) / WIN_SPREAD).exp())
}

/// The mover's chances.
pub fn chances(score: Score) -> Chances {
    let thousandths = |score: Score| (1000.0 * win(score)).round() as u32;
    let (win, loss) = (thousandths(score), thousandths(-score));
    Chances { win, draw: 1000u32.saturating_sub(win + loss), loss }
}

/// The points that the mover can expect, 0 to 1: a win is one, a draw a half. Players call this the
/// win chances (胜率).
///
/// ```
/// use chuhe::eval::{Score, expected_points};
/// assert_eq!(expected_points(Score::DRAW), 0.5);
/// assert_eq!(expected_points(Score::mate_in(3)), 1.0);
/// ```
pub fn expected_points(score: Score) -> f64 {
    (1.0 + win(score) - win(-score)) / 2.0
}

/// UCI's centipawns: +100 wins half of the games. A decided game keeps the engine's own score.
pub fn centipawns(score: Score) -> i32 {
    if score.is_decisive() { score.0 } else { (f64::from(score.0) * 100.0 / WIN_HALF) as i32 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hundred_wins_half() {
        let half = Score(WIN_HALF as i32);
        assert_eq!(centipawns(half), 100);
        assert_eq!(chances(half).win, 500);
        assert_eq!(centipawns(-half), -100);
    }

    #[test]
    fn chances_add_up() {
        for score in (-30_000..=30_000).step_by(77) {
            let Chances { win, draw, loss } = chances(Score(score));
            assert_eq!(win + draw + loss, 1000, "{score}");
            let other = chances(Score(-score));
            assert_eq!((other.win, other.loss), (loss, win));
            let points = f64::from(2 * win + draw) / 2000.0;
            assert!((expected_points(Score(score)) - points).abs() < 0.0011, "{score}");
        }
        assert_eq!(chances(Score::MATE), Chances { win: 1000, draw: 0, loss: 0 });
    }
}
