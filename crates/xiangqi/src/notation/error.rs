//! Why a text is no move here.

use super::loss::excerpt;
use crate::types::Move;
use std::fmt;

/// A text that does not name exactly one legal move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotationError {
    /// The text as its author wrote it, cut to a length that fits one line.
    pub text: String,
    /// What is wrong with it.
    pub problem: MoveProblem,
    /// The legal moves that could have been meant: several where the text is ambiguous, those of
    /// the piece where it is named. Empty where nothing comes near.
    pub candidates: Vec<Move>,
}

/// What is wrong with the text of a move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MoveProblem {
    /// It is no move in any notation.
    Unreadable,
    /// It is a move, but none that is legal here.
    Illegal,
    /// Several legal moves are written so.
    Ambiguous,
}

impl NotationError {
    /// An error with its text cut to one line of at most 40 characters.
    pub fn new(text: &str, problem: MoveProblem, candidates: Vec<Move>) -> Self {
        Self { text: excerpt(text), problem, candidates }
    }
}

/// So many candidates are printed.
const SHOWN: usize = 8;

impl fmt::Display for NotationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.problem {
            MoveProblem::Unreadable => "is no move",
            MoveProblem::Illegal => "is not legal here",
            MoveProblem::Ambiguous => "can be several moves",
        };
        write!(f, "'{}' {what}", self.text)?;
        for (i, m) in self.candidates.iter().take(SHOWN).enumerate() {
            write!(f, "{}{m}", if i == 0 { " (legal: " } else { ", " })?;
        }
        match self.candidates.len() {
            0 => Ok(()),
            n if n > SHOWN => f.write_str(", ...)"),
            _ => f.write_str(")"),
        }
    }
}

impl std::error::Error for NotationError {}
