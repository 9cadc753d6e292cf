//! Moves and games as text.

mod chinese;
mod coordinates;
mod diagram;
mod encoding;
mod error;
mod loss;
mod pgn;
mod svg;
mod tree;

pub use chinese::{chinese_move, chinese_name};
pub use coordinates::parse_move;
pub use diagram::{DiagramOptions, Glyphs, diagram, glyph};
pub use encoding::decode;
pub use error::{MoveProblem, NotationError};
pub use loss::{Loss, LossReason, Place};
pub use pgn::{PgnError, Record, parse_pgn};
pub use svg::{Arrow, Mark, SvgOptions, escape, svg, svg_style};
pub use tree::{GameResult, GameTree, NodeId};
