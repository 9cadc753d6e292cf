//! Static evaluation.

mod chances;
pub mod endings;
mod evaluator;
pub mod hce;
pub mod nnue;
pub mod params;
mod score;
mod see;

pub use chances::{Chances, centipawns, chances, expected_points};
pub use evaluator::{Backend, Evaluator};
pub use hce::evaluate;
pub use score::{MAX_PLY, Score};
pub use see::{see, see_ge, value as see_value};
