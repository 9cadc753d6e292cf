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

mod class;
mod cycle;
mod defence;
mod exchange;
mod explain;
mod idle;
mod judge;
mod limit;
mod mate;
mod outcome;
mod ruleset;
mod ruling;
mod threats;

pub use class::{Class, How};
pub use cycle::{CycleKind, Part};
pub use explain::Text;
pub use judge::Judge;
pub use limit::{NaturalLimit, material_draw, natural_limit, natural_limit_reached};
pub use mate::{CHASE_CHECKS, KILL_CHECKS};
pub use outcome::{Ending, Outcome, outcome};
pub use ruleset::{Measure, RuleSet, Switches};
pub use ruling::{Cycle, CycleRuling, Judged, Ruling, Status, judge};
