//! What the network sees: which piece stands where, from each player's own side of the board.
//!
//! A feature is (own or other's piece, kind, square), with only the squares on which a piece can
//! ever stand: 90 each for rook, horse and cannon, 55 for a soldier, 5, 7 and 9 for advisor,
//! elephant and king, hence 346 a side. The engine and the trainer share this file.

use once_cell::sync::Lazy;
use xiangqi::{
    board::{Position, standing_squares},
    types::{Kind, Piece, Side, Square},
};

/// Features of one player's pieces.
pub const PER_SIDE: usize = 3 * 90 + 55 + 5 + 7 + 9;

/// Features of a position from one perspective.
pub const COUNT: usize = 2 * PER_SIDE;

/// The most features that can be active at once: two full sets of pieces.
pub const MAX_ACTIVE: usize = 32;

/// Marks a piece on a square that it cannot reach.
const NONE: u16 = u16::MAX;

/// Feature numbers by perspective, piece and square.
pub struct FeatureTable([[[u16; Square::NUM]; Piece::NUM]; Side::NUM]);

static TABLE: Lazy<FeatureTable> = Lazy::new(FeatureTable::build);

/// The one table of feature numbers. Fetch it once for many look-ups.
#[inline]
pub fn table() -> &'static FeatureTable {
    &TABLE
}

impl FeatureTable {
    fn build() -> Self {
        let mut red = [[NONE; Square::NUM]; Piece::NUM];
        let mut next = 0;
        for piece in Piece::ALL {
            for square in standing_squares(piece) {
                red[piece.index()][square.index()] = next;
                next += 1;
            }
        }
        debug_assert_eq!(usize::from(next), COUNT);
        let mut black = [[NONE; Square::NUM]; Piece::NUM];
        for piece in Piece::ALL {
            for square in Square::all() {
                black[piece.index()][square.index()] =
                    red[piece.recoloured().index()][square.flipped().index()];
            }
        }
        Self([red, black])
    }

    /// The feature of a piece on a square as `perspective` sees it: below [`PER_SIDE`] for its own
    /// pieces, below [`COUNT`] for the other's.
    ///
    /// For a piece where it can never stand the number is of no use, and beyond [`COUNT`].
    #[inline]
    pub const fn index(&self, perspective: Side, piece: Piece, square: Square) -> usize {
        self.0[perspective.index()][piece.index()][square.index()] as usize
    }

    /// All features of a position as `perspective` sees it.
    pub fn active(
        &self,
        position: &Position,
        perspective: Side,
    ) -> impl Iterator<Item = usize> + '_ {
        pieces(position).map(move |(piece, square)| self.index(perspective, piece, square))
    }
}

fn pieces(position: &Position) -> impl Iterator<Item = (Piece, Square)> + use<> {
    let squares = position.occupied().into_iter();
    let found: arrayvec::ArrayVec<_, MAX_ACTIVE> =
        squares.filter_map(|square| Some((position.piece_on(square)?, square))).collect();
    found.into_iter()
}

/// How many output buckets a network can have: one for all, or [`MATERIAL_BUCKETS`].
pub const BUCKET_CHOICES: [usize; 2] = [1, MATERIAL_BUCKETS];

/// Output buckets by attacking material.
pub const MATERIAL_BUCKETS: usize = 8;

/// The output bucket for the rooks, and the horses and cannons, left on the board, both sides
/// together: rooks decide first (none, one, two, more), then how many of the lighter pieces.
#[inline]
pub const fn bucket(buckets: usize, rooks: u32, minors: u32) -> usize {
    if buckets < MATERIAL_BUCKETS {
        return 0;
    }
    // Where rooks are left there are usually more of the lighter pieces left, too.
    let (class, many) = match rooks {
        0 => (0, 4),
        1 => (1, 4),
        2 => (2, 5),
        _ => (3, 7),
    };
    class * 2 + (minors >= many) as usize
}

/// The output bucket of a position.
#[inline]
pub fn bucket_of(position: &Position, buckets: usize) -> usize {
    let rooks = position.by_kind(Kind::Rook).len();
    let minors = (position.by_kind(Kind::Horse) | position.by_kind(Kind::Cannon)).len();
    bucket(buckets, rooks, minors)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_feature_has_one_number() {
        let table = table();
        for perspective in Side::ALL {
            let mut seen = [false; COUNT];
            for piece in Piece::ALL {
                for square in Square::all() {
                    let index = table.index(perspective, piece, square);
                    if standing_squares(piece).contains(square) {
                        assert!(!std::mem::replace(&mut seen[index], true), "{piece} {square}");
                        assert_eq!(index < PER_SIDE, piece.side() == perspective);
                    } else {
                        assert!(index >= COUNT);
                    }
                }
            }
            assert!(seen.into_iter().all(|s| s));
        }
    }

    #[test]
    fn both_players_see_the_same_start() {
        let position = Position::start();
        let mut red: Vec<_> = table().active(&position, Side::Red).collect();
        let mut black: Vec<_> = table().active(&position, Side::Black).collect();
        assert_eq!(red.len(), 32);
        red.sort_unstable();
        black.sort_unstable();
        assert_eq!(red, black);
    }

    #[test]
    fn buckets() {
        assert_eq!(bucket_of(&Position::start(), 1), 0);
        assert_eq!(bucket_of(&Position::start(), MATERIAL_BUCKETS), 7);
        let rooks: Position = "3k5/9/9/9/9/9/9/4R4/9/4K4 w - - 0 1".parse().unwrap();
        assert_eq!(bucket_of(&rooks, MATERIAL_BUCKETS), 2);
    }
}
