//! Moves and games as text.

mod chinese;
mod coordinates;
mod encoding;
mod error;
mod loss;
mod pgn;
mod tree;

pub use chinese::{chinese_move, chinese_name};
pub use coordinates::parse_move;
pub use encoding::decode;
pub use error::{MoveProblem, NotationError};
pub use loss::{Loss, LossReason, Place};
pub use pgn::{PgnError, Record, parse_pgn};
pub use tree::{GameResult, GameTree, NodeId};
