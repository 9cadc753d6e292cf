//! What a reader could not keep, said in one line each.

use super::NotationError;
use crate::{board::FenError, types::Move};
use std::fmt;

/// One thing that a file holds and the game read from it does not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Loss {
    /// Where.
    pub place: Place,
    /// The piece of the file in question, as its author wrote it, cut to a length that fits one
    /// line. Empty where the file is not text.
    pub text: String,
    /// Why.
    pub reason: LossReason,
}

/// Where in a file. What is not known stays `None`.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Place {
    /// The game, from 1.
    pub game: Option<usize>,
    /// The line, from 1.
    pub line: Option<usize>,
    /// The byte, from 0.
    pub offset: Option<usize>,
    /// The ply, from 1; in a variation as in the main line.
    pub ply: Option<usize>,
}

/// Why something was lost. Where a move is refused, its line ends before it.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum LossReason {
    /// A move that is not legal where it stands.
    Illegal(Move),
    /// A text that is no legal move.
    Move(NotationError),
    /// Squares that are none, or two equal ones.
    NoMove,
    /// A start position that is none.
    Fen(FenError),
    /// The file ends too early.
    Truncated,
    /// A length or an offset that leads out of the file.
    OutOfBounds,
    /// Text that is not in the encoding of the file: the bad bytes are replaced.
    Encoding,
    /// A comment that nobody closes.
    OpenComment,
    /// A variation that nobody closes, or an end without a beginning.
    Parentheses,
    /// Something that the format has and this reader does not take, in a few words.
    Unsupported(&'static str),
    /// Damage of another kind, in a few words.
    Damaged(&'static str),
}

impl Loss {
    /// A loss with its text cut to one line of at most 40 characters.
    pub fn new(place: Place, text: &str, reason: LossReason) -> Self {
        Self { place, text: excerpt(text), reason }
    }
}

/// A text as its author wrote it, but at most 40 characters and without control characters.
pub(super) fn excerpt(text: &str) -> String {
    let mut letters = text.trim().chars().map(|c| if c.is_control() { ' ' } else { c });
    let mut cut: String = letters.by_ref().take(40).collect();
    if letters.next().is_some() {
        cut.push('…');
    }
    cut
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts =
            [("game", self.game), ("line", self.line), ("byte", self.offset), ("ply", self.ply)];
        let mut first = true;
        for (name, value) in parts {
            if let Some(value) = value {
                write!(f, "{}{name} {value}", if first { "" } else { ", " })?;
                first = false;
            }
        }
        Ok(())
    }
}

impl fmt::Display for LossReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Illegal(m) => write!(f, "illegal move {m}"),
            Self::Move(why) => fmt::Display::fmt(why, f),
            Self::NoMove => f.write_str("no move"),
            Self::Fen(why) => fmt::Display::fmt(why, f),
            Self::Truncated => f.write_str("the file ends too early"),
            Self::OutOfBounds => f.write_str("it leads out of the file"),
            Self::Encoding => f.write_str("text in another encoding"),
            Self::OpenComment => f.write_str("a comment without an end"),
            Self::Parentheses => f.write_str("parentheses that do not match"),
            Self::Unsupported(what) | Self::Damaged(what) => f.write_str(what),
        }
    }
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.place != Place::default() {
            write!(f, "{}: ", self.place)?;
        }
        // A move error quotes the text itself.
        if !self.text.is_empty() && !matches!(self.reason, LossReason::Move(_)) {
            write!(f, "'{}': ", self.text)?;
        }
        fmt::Display::fmt(&self.reason, f)
    }
}

impl std::error::Error for Loss {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_line_each() {
        let place = Place { game: Some(3), ply: Some(12), ..Place::default() };
        let loss = Loss::new(place, "炮二平五\n", LossReason::Illegal("h2e2".parse().unwrap()));
        assert_eq!(loss.to_string(), "game 3, ply 12: '炮二平五': illegal move h2e2");
        let loss = Loss::new(Place::default(), &"x".repeat(99), LossReason::OpenComment);
        assert_eq!(loss.text.chars().count(), 41);
    }
}
