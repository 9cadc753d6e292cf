//! Chuhe (楚河): a xiangqi engine.
//!
//! Modules depend on each other in one direction only:
//! [`types`] ← [`board`] ← {[`game`], [`notation`], [`eval`]} ← [`rules`] ← {[`search`], `book`} ←
//! {`ucci`, `arbiter`, `train`} ← [`cli`] ← `main`.

pub mod arbiter;
pub mod board;
pub mod cli;
pub mod eval;
pub mod game;
pub mod notation;
pub mod rules;
pub mod search;
pub mod train;
pub mod types;
pub mod ucci;
