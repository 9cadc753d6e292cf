//! AdamW: Adam with decoupled weight decay (Loshchilov and Hutter 2019).

/// The settings of the optimiser.
const BETA_1: f32 = 0.9;
const BETA_2: f32 = 0.999;
const EPSILON: f32 = 1e-8;

/// Parameters stay within this, so that output weights in units of 1/64 fit in 127.
pub const WEIGHT_LIMIT: f32 = 1.98;

/// Running averages of the gradient and of its square.
#[derive(Clone, PartialEq, Debug)]
pub struct AdamW {
    /// Mean of the gradient.
    pub mean: Vec<f32>,
    /// Mean of its square.
    pub square: Vec<f32>,
    /// Steps taken.
    pub steps: u64,
}

impl AdamW {
    /// An optimiser for this many parameters.
    pub fn new(parameters: usize) -> Self {
        Self { mean: vec![0.0; parameters], square: vec![0.0; parameters], steps: 0 }
    }

    /// Moves the parameters one step against the gradient.
    pub fn step(&mut self, parameters: &mut [f32], gradient: &[f32], rate: f32, decay: f32) {
        self.steps += 1;
        let steps = i32::try_from(self.steps).unwrap_or(i32::MAX);
        let mean_bias = 1.0 - BETA_1.powi(steps);
        let square_bias = 1.0 - BETA_2.powi(steps);
        let state = self.mean.iter_mut().zip(&mut self.square);
        for ((parameter, gradient), (mean, square)) in
            parameters.iter_mut().zip(gradient).zip(state)
        {
            *mean = BETA_1 * *mean + (1.0 - BETA_1) * gradient;
            *square = BETA_2 * *square + (1.0 - BETA_2) * gradient * gradient;
            let direction = (*mean / mean_bias) / ((*square / square_bias).sqrt() + EPSILON);
            let moved = *parameter - rate * (direction + decay * *parameter);
            *parameter = moved.clamp(-WEIGHT_LIMIT, WEIGHT_LIMIT);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_steps_by_hand() {
        let mut adam = AdamW::new(2);
        let mut parameters = [1.0, -1.98];
        // In the first step direction is the sign of the gradient: 1 - 0.1 · (1 + 0.5 · 1).
        adam.step(&mut parameters, &[0.25, 3.0], 0.1, 0.5);
        assert!((parameters[0] - 0.85).abs() < 1e-6, "{}", parameters[0]);
        // -1.98 - 0.1 · (1 - 0.99) lies beyond the limit.
        assert_eq!(parameters[1], -WEIGHT_LIMIT);
        // mean 0.9·0.025 = 0.0225 over 0.19; square 0.999·6.25e-5 over 0.001999; no decay:
        // (0.118421) / sqrt(0.0312344) = 0.67006; 0.85 - 0.067006.
        adam.step(&mut parameters, &[0.0, 0.0], 0.1, 0.0);
        assert!((parameters[0] - 0.782_994).abs() < 1e-5, "{}", parameters[0]);
    }
}
