//! Start positions as most formats keep them: a square for each of 32 men, or a board.

use crate::{
    board::{InvalidPosition, Position},
    types::{Kind, Move, Piece, Side, Square},
};

/// A board as a file has it.
pub type Board = [Option<Piece>; Square::NUM];

/// The men of one side in the order of XQF and DhtmlXQ, Red's nine on the back rank first.
const ORDER: [Kind; 16] = [
    Kind::Rook,
    Kind::Horse,
    Kind::Elephant,
    Kind::Advisor,
    Kind::King,
    Kind::Advisor,
    Kind::Elephant,
    Kind::Horse,
    Kind::Rook,
    Kind::Cannon,
    Kind::Cannon,
    Kind::Soldier,
    Kind::Soldier,
    Kind::Soldier,
    Kind::Soldier,
    Kind::Soldier,
];

/// The 32 men in the order of the files, Red's first.
fn men() -> impl Iterator<Item = Piece> {
    Side::ALL.into_iter().flat_map(|side| ORDER.map(|kind| Piece::new(side, kind)))
}

/// The board with these 32 men on their squares; `None` stands beside the board.
pub fn board_of_men(squares: impl Iterator<Item = Option<Square>>) -> Board {
    let mut board = [None; Square::NUM];
    for (piece, square) in men().zip(squares) {
        if let Some(square) = square {
            board[square.index()] = Some(piece);
        }
    }
    board
}

/// The squares of the 32 men. No legal position has more men than these.
pub fn squares_of_men(position: &Position) -> [Option<Square>; 32] {
    let mut left: Vec<(Piece, Square)> =
        Square::all().filter_map(|square| Some((position.piece_on(square)?, square))).collect();
    let mut squares = [None; 32];
    for (slot, piece) in squares.iter_mut().zip(men()) {
        if let Some(found) = left.iter().position(|&(man, _)| man == piece) {
            *slot = Some(left.remove(found).1);
        }
    }
    squares
}

/// The start position on a board. Most formats do not say who moves, or say it wrongly: the side of
/// the man that moves first does, and where nobody moves the side that the file names.
///
/// # Errors
/// If the men are no legal position with either side to move.
pub fn start(board: Board, first: Option<Move>, named: Side) -> Result<Position, InvalidPosition> {
    let moved = first.and_then(|m| board[m.from().index()]).map(Piece::side);
    let side = moved.unwrap_or(named);
    let assemble = |side| Position::assemble(board, side, 0, 1);
    assemble(side).or_else(|why| assemble(!side).map_err(|_| why))
}

/// A square by file from Red's left and row from the top, both from 0.
pub fn from_top(file: u8, row: u8) -> Option<Square> {
    Square::new(file, 9u8.checked_sub(row)?)
}

/// The row of a square, from 0 at the top.
pub fn row(square: Square) -> u8 {
    9 - square.rank()
}
