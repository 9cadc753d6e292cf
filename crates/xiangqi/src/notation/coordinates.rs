//! Moves in coordinates, as programs and record files write them.

use crate::types::{Move, ParseMoveError, Square};

/// How the ten ranks are numbered.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Ranks {
    /// 0 to 9, as in UCCI, ICCS and most of xiangqi.
    #[default]
    FromZero,
    /// 1 to 10, as in programs that come from chess.
    FromOne,
}

impl Ranks {
    /// The rank, 0 to 9, that a number stands for.
    pub(super) fn read(self, text: &str) -> Option<u8> {
        let number = match text.as_bytes() {
            [b'1', b'0'] if self == Self::FromOne => 10,
            [digit @ b'0'..=b'9'] => digit - b'0',
            _ => return None,
        };
        match self {
            Self::FromZero => Some(number),
            Self::FromOne => number.checked_sub(1),
        }
    }
}

/// The square at the beginning of a text, in either case, and what follows.
pub(super) fn take_square(text: &[u8], ranks: Ranks) -> Option<(Square, &[u8])> {
    let [file, first, rest @ ..] = text else { return None };
    let file = file.to_ascii_lowercase().checked_sub(b'a')?;
    if !first.is_ascii_digit() {
        return None;
    }
    let number = first - b'0';
    let (rank, rest) = match (ranks, number, rest) {
        (Ranks::FromOne, 1, [b'0', rest @ ..]) => (9, rest),
        (Ranks::FromOne, ..) => (number.checked_sub(1)?, rest),
        (Ranks::FromZero, ..) => (number, rest),
    };
    Some((Square::new(file, rank)?, rest))
}

/// Reads `h2e2`, the ICCS form `H2-E2` and the like, in either case.
///
/// # Errors
/// If the text is no move in coordinates.
pub fn parse_coordinates(text: &str, ranks: Ranks) -> Result<Move, ParseMoveError> {
    read(text.as_bytes(), ranks).ok_or(ParseMoveError)
}

fn read(text: &[u8], ranks: Ranks) -> Option<Move> {
    let (from, rest) = take_square(text, ranks)?;
    let rest = match rest {
        [b'-' | b'x' | b':' | b'*', rest @ ..] => rest,
        _ => rest,
    };
    let (to, rest) = take_square(rest, ranks)?;
    if rest.is_empty() { Move::new(from, to) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_forms() {
        let zero = |text| parse_coordinates(text, Ranks::FromZero);
        for text in ["h2e2", "H2E2", "H2-E2", "h2-e2", "h2xe2"] {
            assert_eq!(zero(text).unwrap().to_string(), "h2e2");
        }
        for text in
            ["", "h2", "h2e2x", "h2--e2", "h-2e2", "h2e2-", "j2e2", "h2h2", "炮二", "h2e-", "a10a9"]
        {
            assert!(zero(text).is_err(), "{text}");
        }
        let one = |text| parse_coordinates(text, Ranks::FromOne).map(|m| m.to_string());
        assert_eq!(one("a10a9").unwrap(), "a9a8");
        assert_eq!(one("A1-A10").unwrap(), "a0a9");
        assert!(one("a0a1").is_err());
    }
}
