//! The one definition of a legal position.

use super::position::{Keys, Position};
use crate::types::{Bitboard, Kind, Piece, Side, Square};
use std::fmt;

/// Why pieces on a board are no legal position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InvalidPosition {
    /// A side has no king.
    NoKing(Side),
    /// A side has more of a piece than a set holds.
    TooMany {
        /// The piece in question.
        piece: Piece,
        /// How many were found.
        count: u32,
    },
    /// A piece stands where its way of moving never brings it.
    Misplaced {
        /// The piece in question.
        piece: Piece,
        /// Where it was found.
        square: Square,
    },
    /// The kings look at each other along a file with nothing between.
    FacingKings {
        /// Red's king.
        red: Square,
        /// Black's king.
        black: Square,
    },
    /// The side that is not to move stands in check: its king could be taken.
    KingCapturable {
        /// The king in question.
        king: Square,
        /// A piece that could take it.
        by: Square,
    },
}

impl fmt::Display for InvalidPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoKing(side) => write!(f, "{side} has no king"),
            Self::TooMany { piece, count } => {
                write!(
                    f,
                    "{count} pieces of the kind {piece}, a set has {}",
                    piece.kind().count_in_set()
                )
            }
            Self::Misplaced { piece, square } => write!(f, "a {piece} cannot stand on {square}"),
            Self::FacingKings { red, black } => {
                write!(f, "the kings on {red} and {black} face each other")
            }
            Self::KingCapturable { king, by } => {
                write!(f, "the side to move could take the king on {king} from {by}")
            }
        }
    }
}

impl std::error::Error for InvalidPosition {}

/// The squares on which a piece can ever stand.
pub fn standing_squares(piece: Piece) -> Bitboard {
    let red = match piece.kind() {
        Kind::King => Bitboard::PALACES & Bitboard::RED_HALF,
        Kind::Advisor => squares(&[(3, 0), (5, 0), (4, 1), (3, 2), (5, 2)]),
        Kind::Elephant => squares(&[(2, 0), (6, 0), (0, 2), (4, 2), (8, 2), (2, 4), (6, 4)]),
        Kind::Soldier => {
            let home_files = [0, 2, 4, 6, 8].map(Bitboard::file);
            let files = home_files.into_iter().fold(Bitboard::EMPTY, |all, file| all | file);
            Bitboard::BLACK_HALF | files & (Bitboard::rank(3) | Bitboard::rank(4))
        }
        Kind::Horse | Kind::Rook | Kind::Cannon => Bitboard::ALL,
    };
    match piece.side() {
        Side::Red => red,
        Side::Black => red.flipped(),
    }
}

fn squares(list: &[(u8, u8)]) -> Bitboard {
    list.iter().filter_map(|&(file, rank)| Square::new(file, rank)).collect()
}

impl Position {
    /// Builds a position from its pieces, or says what is wrong with it.
    ///
    /// # Errors
    /// The first violation found of: one king a side, no more pieces than a set has, each piece
    /// where it can stand, no facing kings, the side not to move not in check.
    pub fn assemble(
        mailbox: [Option<Piece>; Square::NUM],
        side: Side,
        halfmove_clock: u16,
        fullmove: u16,
    ) -> Result<Self, InvalidPosition> {
        let mut kinds = [Bitboard::EMPTY; Kind::NUM];
        let mut sides = [Bitboard::EMPTY; Side::NUM];
        for square in Square::all() {
            if let Some(piece) = mailbox[square.index()] {
                kinds[piece.kind().index()].toggle(square);
                sides[piece.side().index()].toggle(square);
            }
        }
        for piece in Piece::ALL {
            let set = kinds[piece.kind().index()] & sides[piece.side().index()];
            if set.len() > piece.kind().count_in_set() {
                return Err(InvalidPosition::TooMany { piece, count: set.len() });
            }
            if let Some(square) = (set - standing_squares(piece)).first() {
                return Err(InvalidPosition::Misplaced { piece, square });
            }
        }
        let king = |side: Side| {
            let set = kinds[Kind::King.index()] & sides[side.index()];
            set.first().ok_or(InvalidPosition::NoKing(side))
        };
        let kings = [king(Side::Red)?, king(Side::Black)?];

        let mut position = Self {
            kinds,
            sides,
            mailbox,
            kings,
            side,
            halfmove_clock,
            fullmove: fullmove.max(1),
            keys: Keys::default(),
            checkers: Bitboard::EMPTY,
        };
        position.keys = position.compute_keys();
        let occupied = position.occupied();
        if position.kings_face(occupied) {
            return Err(InvalidPosition::FacingKings { red: kings[0], black: kings[1] });
        }
        let waiting_king = position.king(!side);
        if let Some(by) = position.king_attackers(!side, waiting_king, occupied).first() {
            return Err(InvalidPosition::KingCapturable { king: waiting_king, by });
        }
        position.checkers = position.king_attackers(side, position.king(side), occupied);
        Ok(position)
    }

    /// Whether nothing of `occupied` stands between the kings on their common file.
    #[inline]
    pub(super) fn kings_face(&self, occupied: Bitboard) -> bool {
        let [red, black] = self.kings;
        red.file() == black.file() && super::attacks::between(red, black).is_disjoint(occupied)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(fen: &str) -> String {
        fen.parse::<Position>().expect_err(fen).to_string()
    }

    #[test]
    fn each_violation_names_what_and_where() {
        let cases = [
            ("9/9/9/9/9/9/9/9/9/4K4 w", "black has no king"),
            ("4k4/9/9/9/9/9/9/9/9/9 b", "red has no king"),
            ("3kk4/9/9/9/9/9/9/9/9/5K3 w", "2 pieces of the kind black king, a set has 1"),
            ("3k5/9/9/9/9/9/9/9/9/RRR2K3 w", "3 pieces of the kind red rook, a set has 2"),
            ("3k5/9/9/9/9/9/4K4/9/9/9 w", "a red king cannot stand on e3"),
            ("3k5/9/9/9/9/9/9/9/4K4/4A4 w", "a red advisor cannot stand on e0"),
            ("3k5/9/9/9/3b5/9/9/9/9/4K4 w", "a black elephant cannot stand on d5"),
            ("3k5/9/9/9/9/9/1P7/9/9/4K4 w", "a red soldier cannot stand on b3"),
            ("3k5/9/9/9/9/9/9/P8/9/4K4 w", "a red soldier cannot stand on a2"),
            ("4k4/9/9/9/9/9/9/9/9/4K4 w", "the kings on e0 and e9 face each other"),
            ("3k5/9/9/9/9/9/9/9/9/3RK4 w", "the side to move could take the king on d9 from d0"),
        ];
        for (fen, text) in cases {
            assert!(error(fen).contains(text), "{fen}: {}", error(fen));
        }
    }

    #[test]
    fn full_rights_to_stand() {
        assert_eq!(standing_squares(Piece::RedAdvisor).len(), 5);
        assert_eq!(standing_squares(Piece::BlackElephant).len(), 7);
        assert_eq!(standing_squares(Piece::RedSoldier).len(), 55);
        assert_eq!(standing_squares(Piece::BlackKing).len(), 9);
    }
}
