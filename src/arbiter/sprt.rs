//! The sequential test: when has a match shown enough?
//!
//! The generalised SPRT of M. Van den Bergh: the log-likelihood ratio of the two hypotheses, each
//! with the distribution of scores that fits best what was seen.

use super::stats::{Distribution, Tally, score_of_elo};
use std::{fmt, str::FromStr};

/// In which unit the hypotheses are given.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Model {
    /// Logistic Elo: the expected score.
    #[default]
    Logistic,
    /// Normalised Elo: the score in standard deviations of a game.
    Normalised,
}

/// A test of "the difference is `elo0`" against "it is `elo1`".
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sprt {
    /// The difference under H0.
    pub elo0: f64,
    /// The difference under H1.
    pub elo1: f64,
    /// Probability of accepting H1 where H0 holds.
    pub alpha: f64,
    /// Probability of accepting H0 where H1 holds.
    pub beta: f64,
    /// The unit of `elo0` and `elo1`.
    pub model: Model,
}

/// What the test says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Decision {
    /// Not enough games yet.
    Continue,
    /// The difference is rather `elo0`.
    AcceptH0,
    /// The difference is rather `elo1`.
    AcceptH1,
}

impl FromStr for Sprt {
    type Err = String;

    /// Reads `elo0=0,elo1=5,alpha=0.05,beta=0.05[,model=logistic|normalised]`.
    fn from_str(text: &str) -> Result<Self, String> {
        let mut sprt =
            Self { elo0: 0.0, elo1: 5.0, alpha: 0.05, beta: 0.05, model: Model::default() };
        for part in text.split(',') {
            let off = || {
                format!(
                    "'{part}' is none of elo0, elo1, alpha, beta=NUMBER, model=logistic|normalised"
                )
            };
            let (key, value) = part.split_once('=').ok_or_else(off)?;
            let number = || value.parse().ok().filter(|n: &f64| n.is_finite()).ok_or_else(off);
            match key {
                "elo0" => sprt.elo0 = number()?,
                "elo1" => sprt.elo1 = number()?,
                "alpha" => sprt.alpha = number()?,
                "beta" => sprt.beta = number()?,
                "model" => {
                    sprt.model = match value {
                        "logistic" => Model::Logistic,
                        "normalised" | "normalized" => Model::Normalised,
                        _ => return Err(off()),
                    }
                }
                _ => return Err(off()),
            }
        }
        let probability = |p: f64| p > 0.0 && p < 0.5;
        if sprt.elo0 >= sprt.elo1 {
            Err("elo0 must be below elo1".to_owned())
        } else if !probability(sprt.alpha) || !probability(sprt.beta) {
            Err("alpha and beta lie between 0 and 0.5".to_owned())
        } else {
            Ok(sprt)
        }
    }
}

impl fmt::Display for Sprt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { elo0, elo1, alpha, beta, .. } = self;
        write!(f, "elo0={elo0},elo1={elo1},alpha={alpha},beta={beta}")?;
        if self.model == Model::Normalised { f.write_str(",model=normalised") } else { Ok(()) }
    }
}

impl Sprt {
    /// Below this H0 is accepted (Wald 1945).
    pub fn lower_bound(&self) -> f64 {
        (self.beta / (1.0 - self.alpha)).ln()
    }

    /// Above this H1 is accepted.
    pub fn upper_bound(&self) -> f64 {
        ((1.0 - self.beta) / self.alpha).ln()
    }

    /// The log-likelihood ratio of the complete pairs; 0 without any.
    pub fn llr(&self, tally: &Tally) -> f64 {
        if tally.pairs() == 0 {
            return 0.0;
        }
        // An outcome not seen yet is unlikely, not impossible.
        const UNSEEN: f64 = 1e-3;
        let seen = Distribution::of_weights(&tally.pentanomial.map(|n| f64::from(n).max(UNSEEN)));
        let fit = |elo: f64| match self.model {
            Model::Logistic => fit_mean(&seen, &seen.values, score_of_elo(elo)),
            Model::Normalised => fit_normalised(&seen, elo),
        };
        let (fit0, fit1) = (fit(self.elo0), fit(self.elo1));
        let per_pair: f64 = seen
            .shares
            .iter()
            .zip(fit0.iter().zip(&fit1))
            .map(|(share, (p0, p1))| share * (p1 / p0).ln())
            .sum();
        seen.total * per_pair
    }

    /// What the ratio says.
    pub fn decide(&self, llr: f64) -> Decision {
        if llr >= self.upper_bound() {
            Decision::AcceptH1
        } else if llr <= self.lower_bound() {
            Decision::AcceptH0
        } else {
            Decision::Continue
        }
    }
}

/// The most likely probabilities for what was seen, among those under which `values` have this
/// mean.
///
/// With a multiplier t for the constraint they are share / (1 + t (value - mean)); t is where the
/// constraint holds, and lies between the poles.
fn fit_mean(seen: &Distribution, values: &[f64], mean: f64) -> Vec<f64> {
    let offsets: Vec<f64> = values.iter().map(|value| value - mean).collect();
    let least = offsets.iter().copied().fold(f64::INFINITY, f64::min);
    let most = offsets.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let excess = |t: f64| -> f64 {
        seen.shares.iter().zip(&offsets).map(|(share, x)| share * x / (1.0 + t * x)).sum()
    };
    // Falls from +infinity to -infinity between the poles.
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    for _ in 0..200 {
        let middle = (low + high) / 2.0;
        if excess(middle) > 0.0 { low = middle } else { high = middle }
    }
    let t = (low + high) / 2.0;
    seen.shares.iter().zip(&offsets).map(|(share, x)| share / (1.0 + t * x)).collect()
}

/// The most likely probabilities under which the score lies `elo` normalised points above even.
///
/// The constraint mean - 1/2 = target * deviation bends with the probabilities. It is replaced by
/// its tangent at the last estimate, until the estimate stays.
fn fit_normalised(seen: &Distribution, elo: f64) -> Vec<f64> {
    // Deviation of a pair's mean is that of a game over root two.
    let target = elo * std::f64::consts::LN_10 / 800.0 * std::f64::consts::SQRT_2;
    let mut fit = seen.clone();
    for _ in 0..100 {
        let (mean, deviation) = (fit.mean(), fit.variance().sqrt());
        let tangent: Vec<f64> = seen
            .values
            .iter()
            .map(|value| {
                let distance = (value - mean) / deviation;
                value - 0.5 - target * deviation * (1.0 + distance * distance) / 2.0
            })
            .collect();
        let shares = fit_mean(seen, &tangent, 0.0);
        let change = shares.iter().zip(&fit.shares).map(|(new, old)| (new - old).abs());
        let change = change.fold(0.0, f64::max);
        fit.shares = shares;
        if change < 1e-12 {
            break;
        }
    }
    fit.shares
}

#[cfg(test)]
mod tests {
    use super::*;

    fn llr(pentanomial: [u32; 5], test: &str) -> f64 {
        let sprt: Sprt = test.parse().unwrap();
        sprt.llr(&Tally { pentanomial, ..Tally::default() })
    }

    fn close(value: f64, expected: f64, tolerance: f64) {
        assert!((value - expected).abs() <= tolerance, "{value} is not {expected}");
    }

    /// Tests of other engines, published with their ratios by OpenBench, fishtest and fastchess,
    /// which all take their bounds as normalised Elo.
    #[test]
    fn published_ratios() {
        for (pentanomial, elo0, elo1, published) in [
            ([352, 579, 1264, 743, 464], 9, 16, 4.60),
            ([29, 462, 1036, 559, 48], 0, 5, 3.04),
            ([126, 3369, 7449, 3572, 147], 0, 3, 2.95),
            ([434, 4052, 8304, 4206, 492], 0, 4, 3.00),
            ([829, 14632, 32502, 15215, 902], 1, 5, 2.93),
            ([28, 1013, 2175, 1156, 56], 0, 3, 2.91),
            ([1453, 8952, 16711, 9425, 1427], 0, 3, 2.96),
            ([0, 0, 1, 8, 1], 0, 50, 1.24),
        ] {
            let test = format!("elo0={elo0},elo1={elo1},model=normalised");
            close(llr(pentanomial, &test), published, 0.006);
        }
    }

    /// Tests of Stockfish in 2020, when fishtest took its bounds as logistic Elo.
    #[test]
    fn published_logistic_ratios() {
        for (pentanomial, elo0, elo1, published) in [
            ([665, 4806, 9333, 4893, 747], -0.5, 1.5, 2.95),
            ([17, 253, 1042, 337, 39], -0.5, 1.5, 2.96),
            ([58, 3302, 33130, 3518, 84], 0.25, 1.25, 2.97),
            ([253, 4282, 17604, 4431, 286], -0.25, 1.25, 2.94),
        ] {
            close(llr(pentanomial, &format!("elo0={elo0},elo1={elo1}")), published, 0.006);
        }
    }

    /// Logistic bounds: values worked out apart from this program, by maximising the dual of the
    /// constrained likelihood with golden sections.
    #[test]
    fn logistic_ratios() {
        for (pentanomial, elo0, elo1, expected) in [
            ([352, 579, 1264, 743, 464], 9, 16, 4.3022),
            ([29, 462, 1036, 559, 48], 0, 5, 4.8355),
            ([829, 14632, 32502, 15215, 902], 1, 5, -15.1499),
            ([0, 0, 1, 8, 1], 0, 50, 1.3357),
        ] {
            close(llr(pentanomial, &format!("elo0={elo0},elo1={elo1}")), expected, 2e-4);
        }
        assert_eq!(llr([0; 5], "elo0=0,elo1=5"), 0.0);
    }

    /// Wald's bounds: ln(0.95 / 0.05) = 2.944 on both sides for 5% and 5%.
    #[test]
    fn decisions() {
        let sprt: Sprt = "elo0=0,elo1=5,alpha=0.05,beta=0.05".parse().unwrap();
        close(sprt.upper_bound(), 2.944_439, 1e-6);
        close(sprt.lower_bound(), -2.944_439, 1e-6);
        assert_eq!(sprt.decide(2.95), Decision::AcceptH1);
        assert_eq!(sprt.decide(-2.95), Decision::AcceptH0);
        assert_eq!(sprt.decide(2.9), Decision::Continue);
        let uneven: Sprt = "alpha=0.05,beta=0.1".parse().unwrap();
        close(uneven.upper_bound(), 2.890_372, 1e-6);
        close(uneven.lower_bound(), -2.251_292, 1e-6);
        assert_eq!(sprt.to_string().parse(), Ok(sprt));
    }

    #[test]
    fn says_what_is_off() {
        for text in
            ["", "elo0", "elo0=5,elo1=5", "elo0=x", "alpha=0", "beta=0.6", "elo1=inf", "model=b"]
        {
            assert!(text.parse::<Sprt>().is_err(), "{text}");
        }
    }
}
