//! Moves as clients write them: ranks counted from 0 or from 1.
//!
//! UCCI and most UCI clients number the ranks 0-9 (`h2e2`); some UCI clients number them 1-10
//! (`h3e3`, `a10b10`). Most moves are well formed either way, so a written move is kept as it came
//! until it is known which numbering holds.

use std::fmt;
use xiangqi::types::{Move, Square};

/// How the ranks of the board are numbered.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Ranks {
    /// 0-9 from Red's side.
    #[default]
    FromZero,
    /// 1-10 from Red's side.
    FromOne,
}

impl Ranks {
    /// The move as text in this numbering.
    pub fn show(self, m: Move) -> String {
        match self {
            Self::FromZero => m.to_string(),
            Self::FromOne => {
                let square = |s: Square| format!("{}{}", char::from(b'a' + s.file()), s.rank() + 1);
                square(m.from()) + &square(m.to())
            }
        }
    }
}

/// A move whose numbering of ranks is not known yet: files 0-8 and ranks 0-10 as written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WrittenMove {
    from: (u8, u8),
    to: (u8, u8),
}

impl WrittenMove {
    /// Reads `h2e2`, `a10b10` and the like, letters in either case; `None` if it is no move.
    pub fn parse(word: &str) -> Option<Self> {
        let (from, rest) = square(word.as_bytes())?;
        let (to, rest) = square(rest)?;
        (rest.is_empty() && from != to).then_some(Self { from, to })
    }

    /// The move in this numbering; `None` if a square is off the board.
    pub fn read(self, ranks: Ranks) -> Option<Move> {
        let square = |(file, rank): (u8, u8)| match ranks {
            Ranks::FromZero => Square::new(file, rank),
            Ranks::FromOne => Square::new(file, rank.checked_sub(1)?),
        };
        Move::new(square(self.from)?, square(self.to)?)
    }

    /// The numbering that the move gives away: only one has a rank 0, only the other a rank 10.
    pub const fn reveals(self) -> Option<Ranks> {
        if self.from.1 == 0 || self.to.1 == 0 {
            Some(Ranks::FromZero)
        } else if self.from.1 == 10 || self.to.1 == 10 {
            Some(Ranks::FromOne)
        } else {
            None
        }
    }
}

impl fmt::Display for WrittenMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = |file: u8| char::from(b'a' + file);
        let ((from_file, from), (to_file, to)) = (self.from, self.to);
        write!(f, "{}{from}{}{to}", letter(from_file), letter(to_file))
    }
}

/// The square at the start of a text, and the rest of the text.
fn square(text: &[u8]) -> Option<((u8, u8), &[u8])> {
    let (file, rest) = text.split_first()?;
    let file = file.to_ascii_lowercase().checked_sub(b'a').filter(|&file| file < 9)?;
    if let Some(rest) = rest.strip_prefix(b"10") {
        return Some(((file, 10), rest));
    }
    let (rank, rest) = rest.split_first()?;
    let rank = rank.checked_sub(b'0').filter(|&rank| rank < 10)?;
    Some(((file, rank), rest))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn read(text: &str, ranks: Ranks) -> Option<String> {
        Some(WrittenMove::parse(text)?.read(ranks)?.to_string())
    }

    #[test]
    fn both_numberings() {
        assert_eq!(read("h2e2", Ranks::FromZero).as_deref(), Some("h2e2"));
        assert_eq!(read("h3e3", Ranks::FromOne).as_deref(), Some("h2e2"));
        assert_eq!(read("a10b10", Ranks::FromOne).as_deref(), Some("a9b9"));
        assert_eq!(read("a10a9", Ranks::FromOne).as_deref(), Some("a9a8"));
        assert_eq!(read("H2E2", Ranks::FromZero).as_deref(), Some("h2e2"));
        assert_eq!(read("a10b10", Ranks::FromZero), None);
        assert_eq!(read("a0a1", Ranks::FromOne), None);
        let m: Move = "a9b9".parse().unwrap();
        assert_eq!(Ranks::FromOne.show(m), "a10b10");
        assert_eq!(Ranks::FromZero.show(m), "a9b9");
    }

    #[test]
    fn what_is_no_move() {
        for text in ["", "a", "a0", "a0a0", "j0a0", "a0a1q", "a0 a1", "a:b;", "(none)", "a10a10"] {
            assert_eq!(WrittenMove::parse(text), None, "{text}");
        }
    }

    #[test]
    fn what_gives_the_numbering_away() {
        let reveals = |text| WrittenMove::parse(text).unwrap().reveals();
        assert_eq!(reveals("a1a2"), None);
        assert_eq!(reveals("a10a9"), Some(Ranks::FromOne));
        assert_eq!(reveals("b2b0"), Some(Ranks::FromZero));
    }
}
