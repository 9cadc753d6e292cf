//! What the results of a match say about strength: score, Elo, error bars, likelihood of
//! superiority.
//!
//! Games of one opening with colours swapped are not independent, so a match is counted in pairs:
//! five possible scores (pentanomial statistics). Formulas: M. Van den Bergh, "The Generalized
//! Sequential Probability Ratio Test" and "Normalized Elo" (2019-2021).

/// The mean score at which Elo is zero.
const EVEN: f64 = 0.5;
/// Half-width of a 95% interval, in standard errors.
const Z_95: f64 = 1.959_963_984_540_054;
/// Points of Elo in one natural unit of log odds.
const ELO_SCALE: f64 = 400.0 / std::f64::consts::LN_10;

/// Results of a match from the first engine's view.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
    /// Games in which neither side got a point.
    pub void: u32,
    /// Complete pairs by half points: 0, 1, 2, 3, 4.
    pub pentanomial: [u32; 5],
}

impl Tally {
    /// Counts a game by the first engine's half points; `None` = a game that neither won nor drew.
    pub fn add_game(&mut self, half_points: Option<u32>) {
        match half_points {
            Some(2) => self.wins += 1,
            Some(1) => self.draws += 1,
            Some(_) => self.losses += 1,
            None => self.void += 1,
        }
    }

    /// Counts a pair of games by their half points together, 0 to 4.
    pub fn add_pair(&mut self, half_points: u32) {
        self.pentanomial[half_points.min(4) as usize] += 1;
    }

    /// Games that count for the score.
    pub const fn games(&self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// Complete pairs.
    pub fn pairs(&self) -> u32 {
        self.pentanomial.iter().sum()
    }

    /// Mean score of all games that count, 0 to 1; `None` before the first.
    pub fn score(&self) -> Option<f64> {
        let points = f64::from(self.wins) + f64::from(self.draws) / 2.0;
        (self.games() > 0).then(|| points / f64::from(self.games()))
    }

    /// Share of draws, 0 to 1.
    pub fn draw_rate(&self) -> f64 {
        f64::from(self.draws) / f64::from(self.games().max(1))
    }

    /// The estimate; `None` before the first game.
    pub fn estimate(&self) -> Option<Estimate> {
        let singles = [self.losses, self.draws, self.wins];
        // Pairs tell more. Games without a partner (the last of an odd number, those beside a void
        // one) are left out of the estimate, unless most games are like that.
        if self.pairs() > 0 && 4 * self.pairs() >= self.games() {
            Estimate::of(&Distribution::of_counts(&self.pentanomial), 2.0)
        } else {
            Estimate::of(&Distribution::of_counts(&singles), 1.0)
        }
    }
}

/// Observed scores between 0 and 1, evenly spaced, with how often each occurred.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Distribution {
    /// The scores.
    pub values: Vec<f64>,
    /// Their relative frequencies.
    pub shares: Vec<f64>,
    /// How many there were.
    pub total: f64,
}

impl Distribution {
    /// From counts of the scores 0, 1/k, ..., 1.
    pub fn of_counts(counts: &[u32]) -> Self {
        Self::of_weights(&counts.iter().map(|&count| f64::from(count)).collect::<Vec<_>>())
    }

    /// From counts that need not be whole.
    pub fn of_weights(weights: &[f64]) -> Self {
        let total: f64 = weights.iter().sum();
        let steps = (weights.len() - 1) as f64;
        Self {
            values: (0..weights.len()).map(|step| step as f64 / steps).collect(),
            shares: weights.iter().map(|weight| weight / total.max(f64::MIN_POSITIVE)).collect(),
            total,
        }
    }

    pub fn mean(&self) -> f64 {
        self.values.iter().zip(&self.shares).map(|(value, share)| value * share).sum()
    }

    pub fn variance(&self) -> f64 {
        let mean = self.mean();
        let squares = self.values.iter().zip(&self.shares);
        squares.map(|(value, share)| (value - mean).powi(2) * share).sum()
    }
}

/// A value with its 95% interval.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// The estimate.
    pub value: f64,
    /// Upper end.
    pub high: f64,
}

impl Interval {
    /// Half the width: what is written behind "+/-".
    pub fn error(&self) -> f64 {
        (self.high - self.low) / 2.0
    }
}

/// What a match says about the first engine.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// Mean score, 0 to 1.
    pub score: f64,
    /// Logistic Elo difference. Infinite where all games went one way; its interval is infinite
    /// where all values are alike.
    pub elo: Interval,
    /// Normalised Elo: the score in standard deviations of one game, scaled so that it equals Elo
    /// for games without draws. It does not depend on how drawish the openings are.
    pub normalised: Interval,
    /// Probability that the first engine is the stronger one (likelihood of superiority), 0 to 1.
    pub superiority: f64,
}

impl Estimate {
    fn of(seen: &Distribution, games_per_value: f64) -> Option<Self> {
        if seen.total <= 0.0 {
            return None;
        }
        let score = seen.mean();
        let deviation = seen.variance().sqrt();
        let error = deviation / seen.total.sqrt();
        // Results that are all alike say nothing of how far others may lie from them.
        let spread = if deviation > 0.0 { Z_95 * error } else { f64::INFINITY };
        let around = |distance: f64| (score + distance).clamp(0.0, 1.0);
        // Standard deviation of a single game, had the games of a pair been independent.
        let per_game = deviation * games_per_value.sqrt();
        let normalised = |score: f64| match score - EVEN {
            0.0 => 0.0,
            margin => margin / per_game * ELO_SCALE * 2.0,
        };
        let interval = |f: &dyn Fn(f64) -> f64, low: f64, high: f64| Interval {
            low: f(low),
            value: f(score),
            high: f(high),
        };
        Some(Self {
            score,
            elo: interval(&elo_of_score, around(-spread), around(spread)),
            normalised: interval(&normalised, score - spread, score + spread),
            superiority: if error > 0.0 {
                normal_cdf((score - EVEN) / error)
            } else {
                // All results alike: 0, 0.5 or 1 for a loss, a draw or a win.
                score
            },
        })
    }
}

/// A figure for people, with one digit behind the point; what has no end is `infinite`.
pub fn figure(value: f64) -> String {
    match value {
        f64::INFINITY => "infinite".to_owned(),
        f64::NEG_INFINITY => "-infinite".to_owned(),
        _ => format!("{value:.1}"),
    }
}

/// The Elo difference at which this score is expected.
pub fn elo_of_score(score: f64) -> f64 {
    ELO_SCALE * (score / (1.0 - score)).ln()
}

/// The score expected at an Elo difference.
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + (-elo / ELO_SCALE).exp())
}

/// The distribution function of the standard normal distribution, to about 1e-7
/// (Abramowitz and Stegun 26.2.17).
pub fn normal_cdf(x: f64) -> f64 {
    const COEFFICIENTS: [f64; 5] =
        [0.319_381_530, -0.356_563_782, 1.781_477_937, -1.821_255_978, 1.330_274_429];
    let t = 1.0 / (1.0 + 0.231_641_9 * x.abs());
    let polynomial = COEFFICIENTS.iter().rev().fold(0.0, |sum, c| (sum + c) * t);
    let density = (-x * x / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt();
    let upper = density * polynomial;
    if x < 0.0 { upper } else { 1.0 - upper }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn estimate(pentanomial: [u32; 5]) -> Estimate {
        let pairs: u32 = pentanomial.iter().sum();
        // Only the number of games matters beside the pairs.
        Tally { draws: 2 * pairs, pentanomial, ..Tally::default() }.estimate().unwrap()
    }

    fn close(value: f64, expected: f64, tolerance: f64) {
        assert!((value - expected).abs() <= tolerance, "{value} is not {expected}");
    }

    /// Pentanomial results published with their estimates by fastchess and OpenBench runs of other
    /// engines; the digits are theirs.
    #[test]
    fn published_estimates() {
        for (pentanomial, elo, elo_error, normalised) in [
            ([1, 10, 78, 48, 13], 72.85, 22.33, Some((132.30, 39.32))),
            ([352, 579, 1264, 743, 464], 19.83, 6.77, Some((24.25, 8.26))),
            ([0, 0, 1, 8, 1], 190.85, 65.54, Some((549.34, 152.27))),
            ([29, 462, 1036, 559, 48], 10.99, 5.81, None),
            ([126, 3369, 7449, 3572, 147], 2.90, 2.08, None),
        ] {
            let estimate = estimate(pentanomial);
            close(estimate.elo.value, elo, 0.006);
            close(estimate.elo.error(), elo_error, 0.006);
            if let Some((value, error)) = normalised {
                close(estimate.normalised.value, value, 0.006);
                close(estimate.normalised.error(), error, 0.006);
            }
        }
    }

    /// By hand: 60 of 100 without draws. Deviation of a game sqrt(0.24), of the mean a tenth of
    /// that; 0.6 is 400 log10(1.5) = 70.44 Elo; LOS is the normal distribution at 0.1 / 0.04899.
    #[test]
    fn single_games() {
        let tally = Tally { wins: 60, losses: 40, ..Tally::default() };
        let estimate = tally.estimate().unwrap();
        close(estimate.elo.value, 70.44, 0.005);
        close(estimate.superiority, 0.979_4, 1e-4);
        let share = |z: f64| 0.6 + z * 0.24_f64.sqrt() / 10.0;
        close(estimate.elo.low, elo_of_score(share(-1.96)), 0.01);
        close(estimate.elo.high, elo_of_score(share(1.96)), 0.01);
        assert_eq!(Tally::default().estimate(), None);
        let won = Tally { wins: 3, ..Tally::default() }.estimate().unwrap();
        assert_eq!((won.elo.value, won.superiority), (f64::INFINITY, 1.0));
    }

    /// Results that are all alike have no interval of width zero, and no figure is "not a number".
    #[test]
    fn results_that_are_all_alike() {
        for (pentanomial, elo, normalised) in [
            ([0, 0, 0, 0, 6], f64::INFINITY, f64::INFINITY),
            ([3, 0, 0, 0, 0], f64::NEG_INFINITY, f64::NEG_INFINITY),
            ([0, 0, 4, 0, 0], 0.0, 0.0),
            ([0, 0, 0, 1, 0], 190.848_5, f64::INFINITY),
        ] {
            let estimate = estimate(pentanomial);
            assert!((estimate.elo.value - elo).abs() < 1e-3 || estimate.elo.value == elo);
            assert_eq!(estimate.normalised.value, normalised);
            assert_eq!(estimate.elo.error(), f64::INFINITY);
            assert_eq!(estimate.normalised.error(), f64::INFINITY);
        }
        assert_eq!([figure(1.26), figure(f64::INFINITY)], ["1.3", "infinite"]);
        assert_eq!(figure(f64::NEG_INFINITY), "-infinite");
    }

    /// The score is that of the games which stand beside it.
    #[test]
    fn the_score_of_an_odd_number() {
        let tally = Tally { wins: 2, losses: 1, pentanomial: [0, 0, 1, 0, 0], ..Tally::default() };
        close(tally.score().unwrap(), 2.0 / 3.0, 1e-12);
        assert_eq!(Tally::default().score(), None);
    }

    /// A last game without its partner changes neither the estimate nor its error. Where most games
    /// are without, all are counted singly: 9 of 12 here.
    #[test]
    fn games_without_a_partner() {
        let pairs = Tally { draws: 300, pentanomial: [1, 10, 78, 48, 13], ..Tally::default() };
        let odd = Tally { wins: 1, ..pairs };
        assert_eq!(odd.estimate(), pairs.estimate());
        let lone = Tally { wins: 9, losses: 3, pentanomial: [0, 0, 2, 0, 0], ..Tally::default() };
        close(lone.estimate().unwrap().score, 0.75, 1e-12);
    }

    /// Values from the tables of the normal distribution.
    #[test]
    fn normal_distribution() {
        for (x, p) in [(0.0, 0.5), (1.0, 0.841_344_7), (1.959_964, 0.975), (-3.0, 0.001_349_9)] {
            close(normal_cdf(x), p, 2e-7);
        }
        close(score_of_elo(200.0), 0.759_746_9, 1e-7);
        close(elo_of_score(0.75), 190.848_501_9, 1e-6);
    }

    #[test]
    fn counts() {
        let mut tally = Tally::default();
        for (first, second) in [(2, 2), (2, 1), (1, 1), (0, 2), (0, 0)] {
            tally.add_game(Some(first));
            tally.add_game(Some(second));
            tally.add_pair(first + second);
        }
        tally.add_game(None);
        assert_eq!((tally.wins, tally.draws, tally.losses, tally.void), (4, 3, 3, 1));
        assert_eq!(tally.pentanomial, [1, 0, 2, 1, 1]);
        assert_eq!((tally.games(), tally.pairs()), (10, 5));
        close(tally.draw_rate(), 0.3, 1e-12);
    }
}
