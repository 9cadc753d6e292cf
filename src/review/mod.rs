//! Going through a game with the search: what each position is worth, which moves gave something
//! away, what was better, and what the rules had to say. Nothing here prints.

mod analysis;
mod words;

pub use analysis::{Analysis, Line, analyse, chinese_line};
pub use words::score_words;
