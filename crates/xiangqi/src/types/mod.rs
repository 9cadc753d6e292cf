//! The vocabulary of the engine: small value types that depend on nothing else.

mod bitboard;
mod key;
mod moves;
mod piece;
mod side;
mod square;

pub use bitboard::Bitboard;
pub use key::Key;
pub use moves::{MAX_MOVES, Move, MoveList, ParseMoveError};
pub use piece::{Kind, Piece};
pub use side::Side;
pub use square::{ParseSquareError, Square};
