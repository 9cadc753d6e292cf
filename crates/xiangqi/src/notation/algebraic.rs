//! Moves as chess programs write them for xiangqi: `Cc7`, `Rxd9+`, `H3d4`, soldiers without letter.

use super::coordinates::{Ranks, take_square};
use crate::{
    board::Position,
    types::{Kind, Move, Square},
};

/// A move by its target and what tells the piece.
pub(super) struct Algebraic {
    pub(super) kind: Kind,
    file: Option<u8>,
    rank: Option<u8>,
    to: Square,
}

impl Algebraic {
    /// Reads the text without check mark and suffix. `None` if it is none.
    pub(super) fn read(text: &str, ranks: Ranks) -> Option<Self> {
        let (head, to) = split_target(text, ranks)?;
        let head = head.trim_end_matches(['x', '-', ':', '*']);
        let letter = head.chars().next().filter(char::is_ascii_uppercase);
        let kind = letter.map_or(Some(Kind::Soldier), Kind::from_letter)?;
        let mut rest = if letter.is_some() { &head[1..] } else { head };
        let file = rest.bytes().next().filter(|b| (b'a'..=b'i').contains(b)).map(|b| b - b'a');
        if file.is_some() {
            rest = &rest[1..];
        }
        let rank = if rest.is_empty() { None } else { Some(ranks.read(rest)?) };
        Some(Self { kind, file, rank, to })
    }

    /// The legal moves that fit.
    pub(super) fn matches(&self, position: &Position) -> Vec<Move> {
        let fits = |from: &Square| {
            self.file.is_none_or(|file| file == from.file())
                && self.rank.is_none_or(|rank| rank == from.rank())
        };
        let pieces = position.pieces(position.side(), self.kind).into_iter().filter(fits);
        let moves = pieces.filter_map(|from| Move::new(from, self.to));
        moves.filter(|&m| position.is_legal(m)).collect()
    }
}

/// The square at the end of a text, and what stands before it.
fn split_target(text: &str, ranks: Ranks) -> Option<(&str, Square)> {
    let at = text.rfind(|c: char| c.is_ascii_lowercase())?;
    let (square, rest) = take_square(&text.as_bytes()[at..], ranks)?;
    rest.is_empty().then_some((&text[..at], square))
}
