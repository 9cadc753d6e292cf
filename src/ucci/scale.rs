//! The units in which scores are printed, and chances from scores.
//!
//! Chances follow a logistic curve over the engine's own [`Score`]: the mover wins with probability
//! `1 / (1 + exp((WIN_HALF - score) / WIN_SPREAD))`, loses with the same of the negated score, and
//! draws otherwise. In UCI +100 is the score at which this is one half. `chuhe dataset wdl` fits the
//! two numbers to games; `docs/protocol.md` says to which.

use crate::eval::Score;

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

/// The mover's chances.
pub fn chances(score: Score) -> Chances {
    let win = |score: Score| {
        let odds = ((WIN_HALF - f64::from(score.0)) / WIN_SPREAD).exp();
        (1000.0 / (1.0 + odds)).round() as u32
    };
    let (win, loss) = (win(score), win(-score));
    Chances { win, draw: 1000u32.saturating_sub(win + loss), loss }
}

/// UCCI's unit: 100 is a minor piece. Decided games keep the engine's own score: 30000 less the
/// plies to mate, 29000 less the plies to a win by the repetition rule.
pub fn ucci(score: Score) -> i32 {
    if score.is_decisive() { score.0 } else { score.0 * 100 / Score::MINOR.0 }
}

/// UCI's centipawns: +100 wins half of the games. A win by the repetition rule, which is no mate,
/// keeps the engine's own score.
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
        }
        assert_eq!(chances(Score::MATE), Chances { win: 1000, draw: 0, loss: 0 });
    }

    #[test]
    fn a_minor_piece_is_a_hundred_in_ucci() {
        assert_eq!(ucci(Score::MINOR), 100);
        assert_eq!(ucci(-Score::MINOR), -100);
        assert_eq!(ucci(Score::mate_in(3)), 29_997);
    }
}
