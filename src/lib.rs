//! Chuhe (楚河): a xiangqi engine on top of the library crate [`xiangqi`].
//!
//! Modules depend on each other in one direction only:
//! `xiangqi` ← [`eval`] ← [`search`] ← {[`ucci`], [`arbiter`], [`review`], [`train`]} ← [`cli`] ← `main`.

#[cfg(feature = "arbiter")]
pub mod arbiter;
pub mod cli;
#[cfg(feature = "arbiter")]
pub mod disk;
pub mod eval;
pub mod hash;
#[cfg(any(feature = "arbiter", feature = "train"))]
pub mod openings;
#[cfg(feature = "arbiter")]
pub mod review;
pub mod search;
#[cfg(feature = "train")]
pub mod train;
pub mod ucci;
