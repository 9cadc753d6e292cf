//! The characters of moves, in all variants that records hold.

use crate::types::{Kind, Piece, Side};

/// One character of a move, by what it means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Token {
    /// A piece: 炮, `C`.
    Piece(Kind),
    /// 1 to 9 in any script.
    Digit(u8),
    /// 前
    Front,
    /// 中
    Middle,
    /// 后
    Rear,
    /// 进
    Forward,
    /// 平, `=`, `.`
    Level,
    /// 退
    Back,
    /// Forward, or the piece in front.
    Plus,
    /// Back, or the piece behind.
    Minus,
}

/// Full-width forms of ASCII as ASCII, the several dashes as `-`; other characters unchanged.
pub(super) const fn narrow(c: char) -> char {
    match c {
        '\u{ff01}'..='\u{ff5e}' => (c as u32 - 0xfee0) as u8 as char,
        '\u{3000}' => ' ',
        '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
        _ => c,
    }
}

impl Token {
    /// The meaning of a character, or `None` if it has none in a move.
    pub(super) const fn from_char(c: char) -> Option<Self> {
        Some(match narrow(c) {
            '+' => Self::Plus,
            '-' => Self::Minus,
            '=' | '.' | '平' => Self::Level,
            '进' | '進' => Self::Forward,
            '退' => Self::Back,
            '前' => Self::Front,
            '中' => Self::Middle,
            '后' | '後' => Self::Rear,
            c => match (digit_of(c), kind_of(c)) {
                (Some(number), _) => Self::Digit(number),
                (None, Some(kind)) => Self::Piece(kind),
                (None, None) => return None,
            },
        })
    }
}

const fn digit_of(c: char) -> Option<u8> {
    Some(match c {
        '1'..='9' => c as u8 - b'0',
        '①'..='⑨' => (c as u32 - '①' as u32) as u8 + 1,
        '一' | '壹' => 1,
        '二' | '贰' | '貳' => 2,
        '三' | '叁' | '參' | '叄' => 3,
        '四' | '肆' => 4,
        '五' | '伍' => 5,
        '六' | '陆' | '陸' => 6,
        '七' | '柒' => 7,
        '八' | '捌' => 8,
        '九' | '玖' => 9,
        _ => return None,
    })
}

/// The kind of piece that a character names, whoever's glyph it is: people write 卒 for Red, and
/// the letters of other languages' books are those of [`Kind::from_letter`].
pub(super) const fn kind_of(c: char) -> Option<Kind> {
    Some(match c {
        '帅' | '帥' | '将' | '將' => Kind::King,
        '仕' | '士' => Kind::Advisor,
        '相' | '象' => Kind::Elephant,
        '马' | '馬' | '傌' => Kind::Horse,
        '车' | '車' | '俥' | '\u{f902}' => Kind::Rook,
        '炮' | '包' | '砲' => Kind::Cannon,
        '兵' | '卒' => Kind::Soldier,
        _ => return Kind::from_letter(c),
    })
}

/// Which set of Chinese characters to write.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Script {
    /// 马车帅将进后
    #[default]
    Simplified,
    /// 馬車帥將進後
    Traditional,
}

/// The name of a piece, one character: 帅仕相马车炮兵 for Red, 将士象马车炮卒 for Black.
pub const fn chinese_name(piece: Piece) -> char {
    piece_glyph(piece, Script::Simplified)
}

/// The name of a piece in either script; traditional 帥仕相馬車炮兵 and 將士象馬車炮卒.
pub const fn piece_glyph(piece: Piece, script: Script) -> char {
    match (script, piece.side(), piece.kind()) {
        (Script::Simplified, Side::Red, Kind::King) => '帅',
        (Script::Simplified, Side::Black, Kind::King) => '将',
        (Script::Simplified, _, Kind::Horse) => '马',
        (Script::Simplified, _, Kind::Rook) => '车',
        (Script::Traditional, Side::Red, Kind::King) => '帥',
        (Script::Traditional, Side::Black, Kind::King) => '將',
        (Script::Traditional, _, Kind::Horse) => '馬',
        (Script::Traditional, _, Kind::Rook) => '車',
        (_, Side::Red, Kind::Advisor) => '仕',
        (_, Side::Black, Kind::Advisor) => '士',
        (_, Side::Red, Kind::Elephant) => '相',
        (_, Side::Black, Kind::Elephant) => '象',
        (_, _, Kind::Cannon) => '炮',
        (_, Side::Red, Kind::Soldier) => '兵',
        (_, Side::Black, Kind::Soldier) => '卒',
    }
}
