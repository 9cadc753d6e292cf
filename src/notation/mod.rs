//! Moves and games as text.

mod chinese;
mod coordinates;
mod pgn;

pub use chinese::{chinese_move, chinese_name};
pub use coordinates::parse_move;
pub use pgn::{PgnError, Record, parse_pgn};
