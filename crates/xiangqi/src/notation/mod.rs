//! Moves and games as text.

mod algebraic;
mod chinese;
mod coordinates;
mod described;
mod diagram;
mod encoding;
mod error;
mod glyphs;
mod loss;
mod moves;
mod svg;
mod tree;
mod wxf;

pub use chinese::chinese_move;
pub use coordinates::{Ranks, parse_coordinates};
pub use diagram::{DiagramOptions, Glyphs, diagram, glyph};
pub use encoding::{Encoding, ParseEncodingError, decode, decode_as, detect};
pub use error::{MoveProblem, NotationError};
pub use glyphs::{Script, chinese_name, piece_glyph};
pub use loss::{Loss, LossReason, Place};
pub use moves::{ParseStyleError, Style, parse_move, parse_move_in, write_move};
pub use svg::{Arrow, Mark, SVG_MARGIN, SVG_STEP, SvgOptions, escape, svg, svg_style};
pub use tree::{GameResult, GameTree, NodeId};
