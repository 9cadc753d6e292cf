//! Going through a game with the search: what each position is worth, which moves gave something
//! away, what was better, and what the rules had to say. Nothing here prints.
//!
//! [`analyse`] looks at one position, [`review`] goes through a game. Chances are
//! [`expected_points`](crate::eval::expected_points) of scores, whose curve is a fit to the engine's
//! own games; how bad a move was is told by the chances that it gave away ([`Severity`]).

mod analysis;
mod annotate;
mod curve;
mod game;
mod severity;
mod words;

pub use analysis::{Analysis, Line, analyse, chinese_line};
pub use annotate::annotate;
pub use curve::{curve, curve_style};
pub use game::{BetterLine, LINE_PLIES, PlyReview, Review, Tally, review};
pub use severity::{BLUNDER, INACCURACY, MISTAKE, Severity};
pub use words::{remark, score_words};
