//! How often games are won from positions of a score: the curve behind UCI's centipawns and `wdl`.
//!
//! The model is ordered logistic regression with one slope and thresholds alike for both sides: the
//! mover wins with probability `σ((score - half) / spread)`, loses with the same of the negated
//! score, and draws otherwise. Its likelihood has one maximum, which Newton's method finds.

use super::{format::GameRecord, record::WinDrawLoss};
use crate::eval::Score;
use std::collections::BTreeMap;

/// What became of positions, by the score that a search gave them, from the mover's view.
#[derive(Clone, Default, Debug)]
pub struct Outcomes {
    /// For each score the positions lost, drawn and won.
    by_score: BTreeMap<i32, [u64; 3]>,
}

/// A fitted curve, in points of score.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Chances {
    /// The score at which the mover wins half of the games.
    pub half: f64,
    /// How many points take the odds of winning from e:1 to 1:1.
    pub spread: f64,
}

/// Positions of a range of scores, and how they ended in shares of 1: lost, drawn, won.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Step {
    /// The lowest score of the range.
    pub low: i32,
    /// Positions in it.
    pub positions: u64,
    /// Their mean score.
    pub score: f64,
    /// How they ended.
    pub shares: [f64; 3],
}

impl Outcomes {
    /// Scores from here on do not count: generated games are ended by such scores, so that there the
    /// result only repeats the score.
    pub const LIMIT: Score = Score(2000);

    /// Counts the positions of a game.
    pub fn add(&mut self, game: &GameRecord) {
        let mut side = game.start.side();
        for ply in &game.moves {
            self.count(ply.score.into(), game.result_for(side));
            side = !side;
        }
    }

    /// Counts a position of this score, in which the mover's game ended so.
    pub fn count(&mut self, score: i32, result: WinDrawLoss) {
        if score.abs() < Self::LIMIT.0 {
            self.by_score.entry(score).or_default()[result as usize] += 1;
        }
    }

    /// Positions counted.
    pub fn positions(&self) -> u64 {
        self.by_score.values().flatten().sum()
    }

    /// The positions in ranges of so many points, the lowest first.
    pub fn steps(&self, width: i32) -> Vec<Step> {
        let mut sums: BTreeMap<i32, (f64, [u64; 3])> = BTreeMap::new();
        for (&score, counts) in &self.by_score {
            let (total, sum) = sums.entry(score.div_euclid(width) * width).or_default();
            *total += f64::from(score) * counts.iter().sum::<u64>() as f64;
            for (sum, count) in sum.iter_mut().zip(counts) {
                *sum += count;
            }
        }
        let step = |(low, (total, counts)): (i32, (f64, [u64; 3]))| {
            let positions: u64 = counts.iter().sum();
            let shares = counts.map(|count| count as f64 / positions as f64);
            Step { low, positions, score: total / positions as f64, shares }
        };
        sums.into_iter().map(step).collect()
    }

    /// The curve that makes these results most likely; `None` if they do not decide one, as where
    /// no game was drawn or the better score always won.
    pub fn fit(&self) -> Option<Chances> {
        let mut at = Parameters { slope: 0.005, threshold: 1.0 };
        let mut best = self.derivatives(at).likelihood;
        for _ in 0..100 {
            let step = self.derivatives(at).newton_step()?;
            // Far from the maximum a whole step can overshoot.
            let (next, likelihood) = (0..40)
                .map(|halvings| at.plus(step, 0.5f64.powi(halvings)))
                .filter(|next| next.slope > 0.0 && next.threshold > 0.0)
                .map(|next| (next, self.derivatives(next).likelihood))
                .find(|&(_, likelihood)| likelihood >= best - best.abs() * 1e-12)?;
            let settled = (next.slope - at.slope).abs() < at.slope * 1e-9
                && (next.threshold - at.threshold).abs() < at.threshold * 1e-9;
            (at, best) = (next, likelihood);
            if settled {
                return Some(Chances { half: at.threshold / at.slope, spread: 1.0 / at.slope });
            }
        }
        None
    }

    /// The logarithm of the likelihood, with its derivatives by slope and threshold.
    fn derivatives(&self, at: Parameters) -> Derivatives {
        let mut sum = Derivatives::default();
        for (&score, counts) in &self.by_score {
            let s = f64::from(score);
            let [lost, drawn, won] = counts.map(|count| count as f64);
            let ahead = at.slope * s - at.threshold;
            let behind = -at.slope * s - at.threshold;
            // A draw has the probability σ(ahead) · σ(behind) · (exp(2 · threshold) - 1), so it counts
            // towards both sides' σ; its last factor follows below.
            for (count, x, s) in [(won + drawn, ahead, s), (lost + drawn, behind, -s)] {
                let chance = 1.0 / (1.0 + (-x).exp());
                let (gradient, curvature) =
                    (count * (1.0 - chance), count * chance * (1.0 - chance));
                sum.likelihood -= count * (-x).exp().ln_1p();
                sum.gradient[0] += gradient * s;
                sum.gradient[1] -= gradient;
                sum.hessian[0] -= curvature * s * s;
                sum.hessian[1] += curvature * s;
                sum.hessian[2] -= curvature;
            }
            let excess = (2.0 * at.threshold).exp_m1();
            sum.likelihood += drawn * excess.ln();
            sum.gradient[1] += drawn * 2.0 * (excess + 1.0) / excess;
            sum.hessian[2] -= drawn * 4.0 * (excess + 1.0) / (excess * excess);
        }
        sum
    }
}

impl Chances {
    /// Lost, drawn and won from a score, in shares of 1.
    pub fn at(&self, score: f64) -> [f64; 3] {
        let win = |score: f64| 1.0 / (1.0 + ((self.half - score) / self.spread).exp());
        let (won, lost) = (win(score), win(-score));
        [lost, 1.0 - won - lost, won]
    }
}

/// The curve as the likelihood likes it: concave in these.
#[derive(Clone, Copy)]
struct Parameters {
    /// 1 / spread.
    slope: f64,
    /// half / spread.
    threshold: f64,
}

impl Parameters {
    fn plus(self, step: [f64; 2], share: f64) -> Self {
        Self { slope: self.slope + step[0] * share, threshold: self.threshold + step[1] * share }
    }
}

#[derive(Default)]
struct Derivatives {
    likelihood: f64,
    /// By slope and by threshold.
    gradient: [f64; 2],
    /// By slope twice, by both, by threshold twice.
    hessian: [f64; 3],
}

impl Derivatives {
    /// From here to the top of the parabola that fits; `None` where there is none.
    fn newton_step(&self) -> Option<[f64; 2]> {
        let ([a, b, c], [g, h]) = (self.hessian, self.gradient);
        let determinant = a * c - b * b;
        let step = [(b * h - c * g) / determinant, (b * g - a * h) / determinant];
        step.iter().all(|x| x.is_finite()).then_some(step)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::format::{Ending, ScoredMove};

    fn outcomes(counts: &[(i32, [u64; 3])]) -> Outcomes {
        Outcomes { by_score: counts.iter().copied().collect() }
    }

    #[test]
    fn one_score_decides_both_numbers() {
        // Half of the games won: the score is `half`. A tenth lost: σ(-2 · half / spread) = 1 / 10,
        // so half / spread is the logarithm of 3.
        let curve = outcomes(&[(400, [10, 40, 50])]).fit().unwrap();
        assert!((curve.half - 400.0).abs() < 1e-3, "{curve:?}");
        assert!((curve.spread - 400.0 / 3f64.ln()).abs() < 1e-3, "{curve:?}");
        // The same told by the other side.
        let curve = outcomes(&[(-400, [50, 40, 10])]).fit().unwrap();
        assert!((curve.half - 400.0).abs() < 1e-3, "{curve:?}");
        let [lost, drawn, won] = curve.at(400.0);
        assert!((won - 0.5).abs() < 1e-6 && (lost - 0.1).abs() < 1e-6, "{won} {lost}");
        assert!((drawn - 0.4).abs() < 1e-6);
    }

    #[test]
    fn a_known_curve_is_found_again() {
        let counts = (-1900..1900).step_by(20).map(|score| {
            let win = |s: i32| 1.0 / (1.0 + (-(f64::from(s) - 270.0) / 130.0).exp());
            let (won, lost) = (win(score), win(-score));
            let count = |share: f64| (share * 1e6).round() as u64;
            (score, [count(lost), count(1.0 - won - lost), count(won)])
        });
        let outcomes = Outcomes { by_score: counts.collect() };
        let curve = outcomes.fit().unwrap();
        assert!((curve.half - 270.0).abs() < 0.01 && (curve.spread - 130.0).abs() < 0.01);
    }

    #[test]
    fn what_decides_no_curve() {
        assert_eq!(Outcomes::default().fit(), None);
        assert_eq!(outcomes(&[(-100, [50, 0, 10]), (100, [10, 0, 50])]).fit(), None, "no draws");
        assert_eq!(outcomes(&[(0, [0, 100, 0])]).fit(), None, "draws alone");
        let certain = [(-100, [50, 0, 0]), (0, [0, 50, 0]), (100, [0, 0, 50])];
        assert_eq!(outcomes(&certain).fit(), None, "no doubt");
    }

    #[test]
    fn games_are_counted_from_the_mover_s_view() {
        let ply = |played: &str, score| ScoredMove { played: played.parse().unwrap(), score };
        let mut outcomes = Outcomes::default();
        outcomes.add(&GameRecord {
            start: xiangqi::board::Position::start(),
            result: WinDrawLoss::Win,
            ending: Ending::Mate,
            moves: vec![ply("h2e2", 30), ply("h9g7", -40), ply("h0g2", 2000), ply("g7h9", -29_999)],
        });
        assert_eq!(outcomes.by_score, [(30, [0, 0, 1]), (-40, [1, 0, 0])].into());
        assert_eq!(outcomes.positions(), 2);
        let steps = outcomes.steps(100);
        assert_eq!(
            steps,
            [
                Step { low: -100, positions: 1, score: -40.0, shares: [1.0, 0.0, 0.0] },
                Step { low: 0, positions: 1, score: 30.0, shares: [0.0, 0.0, 1.0] },
            ]
        );
    }
}
