//! Moves and games as text.

mod chinese;
mod coordinates;
mod encoding;
mod pgn;

pub use chinese::{chinese_move, chinese_name};
pub use coordinates::parse_move;
pub use encoding::decode;
pub use pgn::{PgnError, Record, parse_pgn};
