//! One position: where the pieces stand, how they move, and what is legal.
//!
//! Nothing here knows how the position came about ([`crate::game`]) or whether it is good
//! (an evaluation is the business of an engine).

pub mod attacks;
mod fen;
mod legality;
mod movegen;
mod perft;
mod position;
mod validate;
mod zobrist;

pub use fen::{FenError, START_FEN};
pub use legality::{CheckSquares, Legality};
pub use perft::{MAX_PERFT_DEPTH, divide, perft};
pub use position::{Position, Undo};
pub use validate::{InvalidPosition, standing_squares};
