//! The match referee: engine against engine, judged by the rules of 1999.
//!
//! A [`Player`] answers a [`Task`] with a [`Thought`]; [`game::play`] lets two of them play one
//! game; [`contest::run`] plays a whole match on several threads, and hands every finished
//! [`GameRecord`] to its caller.

mod adjudicate;
mod announced;
mod bans;
mod clock;
pub mod contest;
mod dialect;
mod engine;
pub mod game;
mod inprocess;
pub mod journal;
mod limit;
mod outcome;
pub mod pgn;
mod pgn_file;
mod player;
mod process;
pub mod recheck;
mod record;
mod spec;
mod sprt;
mod stats;
mod summary;

pub use adjudicate::{Adjudication, Agreement};
pub use bans::banned_moves;
pub use clock::{GameClock, Overdue, SCHEMES, Session, TimeControl};
pub use contest::{Contest, OpeningSource, Shard, Workload};
pub use engine::{Greeting, probe};
pub use game::Conditions;
pub use inprocess::InProcess;
pub use limit::{Limit, duration_from_seconds, duration_in_seconds};
pub use outcome::{End, Termination, Verdict};
pub use pgn_file::PgnFile;
pub use player::{Answer, EngineScore, NotReady, Player, Task, Thought};
pub use record::{GameRecord, PlyRecord};
pub use spec::{EngineSpec, Protocol, Ranks, Unit};
pub use sprt::{Decision, Model, Sprt};
pub use stats::{Estimate, Interval, Tally, elo_of_score, figure, normal_cdf, score_of_elo};
pub use summary::{Colour, EngineFigures, Standing, Summary, Terms};
