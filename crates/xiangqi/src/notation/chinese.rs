//! Moves in Chinese notation, the full form of four characters: 炮二平五.

use super::{
    described::{Described, file_number, front_first},
    glyphs::{Script, piece_glyph},
};
use crate::{
    board::Position,
    types::{Bitboard, Kind, Move, Piece, Side, Square},
};
use std::cmp::Ordering;

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

/// The move in Chinese notation, or `None` if no piece stands on the square it comes from.
///
/// Rooks, horses, cannons and soldiers that stand on one file are told apart by 前 and 后, three
/// soldiers by 前中后, more by 前二三四后. Where soldiers stand so on two files at once, the file
/// takes the place of the piece's name.
pub fn chinese_move(position: &Position, m: Move) -> Option<String> {
    chinese_in(position, m, Script::Simplified)
}

/// As [`chinese_move`], in either script.
pub(super) fn chinese_in(position: &Position, m: Move, script: Script) -> Option<String> {
    let piece = position.piece_on(m.from())?;
    let side = piece.side();
    let mut text = String::with_capacity(12);
    text.extend(name(position, piece, m.from(), script, |number| digit(side, number)));
    text.push(match (direction(m, side), script) {
        (Ordering::Less, Script::Simplified) => '进',
        (Ordering::Less, Script::Traditional) => '進',
        (Ordering::Equal, _) => '平',
        (Ordering::Greater, _) => '退',
    });
    text.push(digit(side, number(m, side)));
    Some(text)
}

/// The short form: no direction where the reader finds the move without it, else `+`, `-`, `.`.
pub(super) fn short_in(position: &Position, m: Move, script: Script) -> Option<String> {
    let piece = position.piece_on(m.from())?;
    let side = piece.side();
    let arabic = |number: u8| char::from(b'0' + number.clamp(1, 9));
    let name: String = name(position, piece, m.from(), script, arabic).into_iter().collect();
    let number = number(m, side);
    let bare = format!("{name}{number}");
    if Described::read(&bare).is_some_and(|read| read.matches(position) == [m]) {
        return Some(bare);
    }
    let sign = match direction(m, side) {
        Ordering::Less => '+',
        Ordering::Equal => '.',
        Ordering::Greater => '-',
    };
    Some(format!("{name}{sign}{number}"))
}

/// How the rank of a move's start compares with that of its end, seen from a side.
fn direction(m: Move, side: Side) -> Ordering {
    m.from().relative_to(side).rank().cmp(&m.to().relative_to(side).rank())
}

/// The number behind the direction: steps along the file, or the file gone to.
fn number(m: Move, side: Side) -> u8 {
    if m.from().file() == m.to().file() {
        m.from().rank().abs_diff(m.to().rank())
    } else {
        file_number(side, m.to())
    }
}

/// The first two characters: which piece.
fn name(
    position: &Position,
    piece: Piece,
    square: Square,
    script: Script,
    digit_of: impl Fn(u8) -> char,
) -> [char; 2] {
    let (side, kind) = (piece.side(), piece.kind());
    let letter = piece_glyph(piece, script);
    let file = digit_of(file_number(side, square));
    let all = position.pieces(side, kind);
    let same_file = all & Bitboard::file(square.file());
    let ordered = matches!(kind, Kind::Rook | Kind::Horse | Kind::Cannon | Kind::Soldier);
    if !ordered || !same_file.has_several() {
        return [letter, file];
    }
    let before = front_first(same_file, side).iter().take_while(|&&s| s != square).count();
    let order = match (before, same_file.len() as usize) {
        (0, _) => '前',
        (1, 3) => '中',
        (n, len) if n == len - 1 => match script {
            Script::Simplified => '后',
            Script::Traditional => '後',
        },
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
