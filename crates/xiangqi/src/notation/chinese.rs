//! Moves in Chinese notation, the full form of four characters: 炮二平五.

use crate::{
    board::Position,
    types::{Bitboard, Kind, Move, Piece, Side, Square},
};

/// The name of a piece, one character: 帅仕相马车炮兵 for Red, 将士象马车炮卒 for Black.
pub const fn chinese_name(piece: Piece) -> char {
    match (piece.side(), piece.kind()) {
        (Side::Red, Kind::King) => '帅',
        (Side::Black, Kind::King) => '将',
        (Side::Red, Kind::Advisor) => '仕',
        (Side::Black, Kind::Advisor) => '士',
        (Side::Red, Kind::Elephant) => '相',
        (Side::Black, Kind::Elephant) => '象',
        (_, Kind::Horse) => '马',
        (_, Kind::Rook) => '车',
        (_, Kind::Cannon) => '炮',
        (Side::Red, Kind::Soldier) => '兵',
        (Side::Black, Kind::Soldier) => '卒',
    }
}

/// Red counts in Chinese digits, Black in full-width Arabic ones.
fn digit(side: Side, number: u8) -> char {
    const RED: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];
    const BLACK: [char; 9] = ['１', '２', '３', '４', '５', '６', '７', '８', '９'];
    let index = usize::from(number.clamp(1, 9)) - 1;
    match side {
        Side::Red => RED[index],
        Side::Black => BLACK[index],
    }
}

/// The number of a square's file, counted from the right hand of its side.
const fn file_number(side: Side, square: Square) -> u8 {
    match side {
        Side::Red => 9 - square.file(),
        Side::Black => square.file() + 1,
    }
}

/// The move in Chinese notation, or `None` if no piece stands on the square it comes from.
///
/// Rooks, horses, cannons and soldiers that stand on one file are told apart by 前 and 后, three
/// soldiers by 前中后, more by 前二三四后. Where soldiers stand so on two files at once, the file
/// takes the place of the piece's name.
pub fn chinese_move(position: &Position, m: Move) -> Option<String> {
    let piece = position.piece_on(m.from())?;
    let side = piece.side();
    let mut text = String::with_capacity(12);
    text.extend(name(position, piece, m.from()));
    let (from, to) = (m.from().relative_to(side).rank(), m.to().relative_to(side).rank());
    text.push(match from.cmp(&to) {
        std::cmp::Ordering::Less => '进',
        std::cmp::Ordering::Equal => '平',
        std::cmp::Ordering::Greater => '退',
    });
    let straight = m.from().file() == m.to().file();
    let number = if straight { from.abs_diff(to) } else { file_number(side, m.to()) };
    text.push(digit(side, number));
    Some(text)
}

/// The first two characters: which piece.
fn name(position: &Position, piece: Piece, square: Square) -> [char; 2] {
    let (side, kind) = (piece.side(), piece.kind());
    let letter = chinese_name(piece);
    let file = digit(side, file_number(side, square));
    let all = position.pieces(side, kind);
    let same_file = all & Bitboard::file(square.file());
    let ordered = matches!(kind, Kind::Rook | Kind::Horse | Kind::Cannon | Kind::Soldier);
    if !ordered || !same_file.has_several() {
        return [letter, file];
    }
    let forward = square.relative_to(side).rank();
    let before = same_file.into_iter().filter(|s| s.relative_to(side).rank() > forward).count();
    let order = match (before, same_file.len()) {
        (0, _) => '前',
        (1, 3) => '中',
        (n, len) if n as u32 == len - 1 => '后',
        (n, _) => digit(Side::Red, n as u8 + 1),
    };
    let files = (0..9).filter(|&file| (all & Bitboard::file(file)).has_several()).count();
    [order, if files > 1 { file } else { letter }]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chinese(fen: &str, m: &str) -> String {
        let position: Position = fen.parse().unwrap();
        let m = m.parse().unwrap();
        assert!(position.is_legal(m), "{m}");
        chinese_move(&position, m).unwrap()
    }

    #[test]
    fn opening_moves() {
        let start = Position::start();
        let red = |m: &str| chinese_move(&start, m.parse().unwrap()).unwrap();
        assert_eq!(red("h2e2"), "炮二平五");
        assert_eq!(red("b0c2"), "马八进七");
        assert_eq!(red("a0a1"), "车九进一");
        assert_eq!(red("g0e2"), "相三进五");
        assert_eq!(red("d0e1"), "仕六进五");
        assert_eq!(red("c3c4"), "兵七进一");
        assert_eq!(red("e0e1"), "帅五进一");
        assert_eq!(red("h9g7"), "马８进７");
        assert_eq!(red("b7e7"), "炮２平５");
        assert_eq!(red("a6a5"), "卒１进１");
        assert_eq!(red("e9e8"), "将５进１");
    }

    #[test]
    fn pieces_on_one_file() {
        let fen = "3k5/9/4R4/9/4R4/4r4/9/4r4/9/5K3 w - - 0 1";
        assert_eq!(chinese(fen, "e7e9"), "前车进二");
        assert_eq!(chinese(fen, "e5d5"), "后车平六");
        let fen = fen.replace('w', "b");
        assert_eq!(chinese(&fen, "e2e1"), "前车进１");
        assert_eq!(chinese(&fen, "e4a4"), "后车平１");
        // Advisors and elephants need no order: the direction tells.
        assert_eq!(chinese("3k5/9/9/9/9/9/9/3A5/9/3AK4 w - - 0 1", "d0e1"), "仕六进五");
    }

    #[test]
    fn soldiers() {
        let fen = "3k5/4P4/4P4/4P4/9/9/9/9/9/5K3 w - - 0 1";
        assert_eq!(chinese(fen, "e8e9"), "前兵进一");
        assert_eq!(chinese(fen, "e7f7"), "中兵平四");
        assert_eq!(chinese(fen, "e6d6"), "后兵平六");
        let fen = "3k5/4P4/4P4/4P4/4P4/4P4/9/9/9/5K3 w - - 0 1";
        assert_eq!(chinese(fen, "e7f7"), "二兵平四");
        assert_eq!(chinese(fen, "e5f5"), "四兵平四");
        let fen = "3k5/9/4P1P2/4P1P2/9/9/9/9/9/5K3 w - - 0 1";
        assert_eq!(chinese(fen, "g7g8"), "前三进一");
        assert_eq!(chinese(fen, "e6d6"), "后五平六");
    }
}
