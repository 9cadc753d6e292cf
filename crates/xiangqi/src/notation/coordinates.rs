//! Moves in coordinates, as programs and record files write them.

use crate::types::{Move, ParseMoveError};

/// Reads `h2e2`, and the ICCS form `H2-E2`, in either case.
///
/// # Errors
/// If the text is neither.
pub fn parse_move(text: &str) -> Result<Move, ParseMoveError> {
    let mut buffer = [0; 4];
    let mut len = 0;
    for (i, byte) in text.bytes().enumerate() {
        if byte == b'-' && i == 2 {
            continue;
        }
        *buffer.get_mut(len).ok_or(ParseMoveError)? = byte.to_ascii_lowercase();
        len += 1;
    }
    std::str::from_utf8(&buffer[..len]).map_err(|_| ParseMoveError)?.parse()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms() {
        for text in ["h2e2", "H2E2", "H2-E2", "h2-e2"] {
            assert_eq!(parse_move(text).unwrap().to_string(), "h2e2");
        }
        for text in ["", "h2", "h2e2x", "h2--e2", "h-2e2", "h2e2-", "j2e2", "h2h2", "炮二", "h2e-"]
        {
            assert!(parse_move(text).is_err(), "{text}");
        }
    }
}
