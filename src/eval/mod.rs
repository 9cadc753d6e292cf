//! Static evaluation.

pub mod endings;
mod evaluator;
pub mod hce;
pub mod nnue;
pub mod params;

pub use evaluator::{Backend, Evaluator};
pub use hce::evaluate;
