//! Words that the sentences of an explanation are made of, in Chinese and in English.

use crate::{
    board::Position,
    notation::{chinese_move, chinese_name},
    types::{Bitboard, Kind, Move, Piece, Side, Square},
};

/// A sentence in both languages.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Text {
    /// Chinese.
    pub zh: String,
    /// English.
    pub en: String,
}

impl Text {
    pub(super) fn new(zh: impl Into<String>, en: impl Into<String>) -> Self {
        Self { zh: zh.into(), en: en.into() }
    }

    /// Puts a sentence behind this one.
    pub(super) fn push(&mut self, other: &Self) {
        self.zh.push_str(&other.zh);
        if !self.en.is_empty() && !other.en.is_empty() {
            self.en.push(' ');
        }
        self.en.push_str(&other.en);
    }

    /// Whether there is nothing to read.
    pub fn is_empty(&self) -> bool {
        self.zh.is_empty() && self.en.is_empty()
    }
}

/// 红方, Red.
pub const fn side_name(side: Side) -> (&'static str, &'static str) {
    match side {
        Side::Red => ("红方", "Red"),
        Side::Black => ("黑方", "Black"),
    }
}

/// A piece and its square: 红车(a4), rook a4.
pub fn piece_at(position: &Position, square: Square) -> Text {
    position.piece_on(square).map_or_else(Text::default, |piece| {
        let side = if piece.side() == Side::Red { '红' } else { '黑' };
        Text::new(
            format!("{side}{}({square})", chinese_name(piece)),
            format!("{} {square}", piece.kind()),
        )
    })
}

/// The pieces on `squares`: 红车(a4)、红炮(b4); rook a4 and cannon b4.
pub fn pieces(position: &Position, squares: Bitboard) -> Text {
    let (zh, en) = squares
        .into_iter()
        .map(|square| piece_at(position, square))
        .map(|text| (text.zh, text.en))
        .unzip::<_, _, Vec<_>, Vec<_>>();
    Text::new(zh.join("、"), and(&en))
}

/// a; a and b; a, b and c.
pub fn and(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [one] => one.clone(),
        [rest @ .., last] => format!("{} and {last}", rest.join(", ")),
    }
}

/// Moves from a position on: in Chinese notation, and in coordinates.
pub fn line(position: &Position, moves: &[Move]) -> Text {
    let mut position = position.clone();
    let (mut zh, mut en) = (Vec::new(), Vec::new());
    for &m in moves {
        zh.push(chinese_move(&position, m).unwrap_or_default());
        en.push(m.to_string());
        position.make(m);
    }
    Text::new(zh.join("，"), en.join(" "))
}

/// The pieces captured by the side that begins the line, and by the other.
pub fn captures(position: &Position, moves: &[Move]) -> [Vec<Piece>; 2] {
    let mut position = position.clone();
    let mut taken = [Vec::new(), Vec::new()];
    for (i, &m) in moves.iter().enumerate() {
        taken[i % 2].extend(position.piece_on(m.to()));
        position.make(m);
    }
    taken
}

/// Captured pieces by name: 马、炮; a horse and a cannon.
pub fn names(pieces: &[Piece]) -> Text {
    let zh: Vec<String> = pieces.iter().map(|&piece| chinese_name(piece).to_string()).collect();
    let en: Vec<String> = pieces
        .iter()
        .map(|piece| {
            let article =
                if matches!(piece.kind(), Kind::Advisor | Kind::Elephant) { "an" } else { "a" };
            format!("{article} {}", piece.kind())
        })
        .collect();
    Text::new(zh.join("、"), and(&en))
}

/// A count in English: one to ten, digits above.
pub fn number(n: usize) -> String {
    const WORDS: [&str; 10] =
        ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
    n.checked_sub(1).and_then(|i| WORDS.get(i)).map_or_else(|| n.to_string(), |&w| w.to_owned())
}

/// A count before 着 and 次: 一, 两, 三, ...; digits above ten.
pub fn count(n: usize) -> String {
    const WORDS: [&str; 10] = ["一", "两", "三", "四", "五", "六", "七", "八", "九", "十"];
    n.checked_sub(1).and_then(|i| WORDS.get(i)).map_or_else(|| n.to_string(), |&w| w.to_owned())
}
