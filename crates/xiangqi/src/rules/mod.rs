//! 棋例: pure functions from a game to a ruling; no search, no input or output.
//!
//! - [`judge`] says everything about the cycle that a game's last move closes: what each move does
//!   and why, each side's part, the ruling with its articles, and what holds now.
//! - A search keeps one [`Judge`] a thread. [`Judge::cycle_ruling`] gives the same ruling alone,
//!   remembers what moves do, and answers most cycles without looking at every move. It takes a
//!   [`Game`](crate::game::Game), so a search plays its line on the game and takes it back.
//! - [`outcome`] says whether a game is over, how, and for whom.
//! - [`natural_limit_reached`] and [`material_draw`] are cheap enough for every node.
//!
//! `docs/rules.md` holds each term, its algorithm and its article.

mod articles;
mod attack;
mod cached;
mod cycle;
mod delayed;
mod due;
mod exchange;
mod explain;
mod judge;
mod key_points;
mod limit;
mod mate;
mod outcome;
mod quiet;
mod ruleset;
mod threats;
mod viewpoint;

pub use articles::article;
pub use attack::{ChaseKind, Class};
pub use cached::Judge;
pub use cycle::{CycleKind, Part, article_26};
pub use delayed::CHASE_CHECKS;
pub use due::{Due, DueKind, all_due};
pub use explain::{Evidence, Text, side_name};
pub use judge::{Cycle, CycleRuling, Judged, Ruling, Status, judge};
pub use limit::{NaturalLimit, limit_reached, material_draw, natural_limit, natural_limit_reached};
pub use mate::KILL_CHECKS;
pub use outcome::{Ending, Outcome, outcome};
pub use ruleset::{GainTest, RuleSet, Switches};
