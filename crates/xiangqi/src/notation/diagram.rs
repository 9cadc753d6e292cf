//! The board as text, as people know it: the river, the files numbered from each side, and each
//! side's own characters.

use crate::{
    board::Position,
    types::{Kind, Move, Piece, Side, Square},
};

/// The character that stands on a piece of a set, in the traditional script: 帥仕相馬車炮兵 for Red,
/// 將士象馬車砲卒 for Black.
pub const fn glyph(piece: Piece) -> char {
    match (piece.side(), piece.kind()) {
        (Side::Red, Kind::King) => '帥',
        (Side::Black, Kind::King) => '將',
        (Side::Red, Kind::Advisor) => '仕',
        (Side::Black, Kind::Advisor) => '士',
        (Side::Red, Kind::Elephant) => '相',
        (Side::Black, Kind::Elephant) => '象',
        (_, Kind::Horse) => '馬',
        (_, Kind::Rook) => '車',
        (Side::Red, Kind::Cannon) => '炮',
        (Side::Black, Kind::Cannon) => '砲',
        (Side::Red, Kind::Soldier) => '兵',
        (Side::Black, Kind::Soldier) => '卒',
    }
}

/// Which characters name the pieces in a [`diagram`].
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Glyphs {
    /// Those of a set of pieces ([`glyph`]), Black's in brackets since some are common to both.
    #[default]
    Chinese,
    /// FEN letters, upper case for Red: for a terminal without Chinese fonts.
    Letters,
}

/// How a [`diagram`] is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct DiagramOptions {
    /// The characters of the pieces.
    pub glyphs: Glyphs,
    /// Whether Black sits below.
    pub flipped: bool,
    /// A line below that says what the characters mean.
    pub legend: bool,
    /// The point that this move left is marked.
    pub last_move: Option<Move>,
}

const RED_FILES: [char; 9] = ['九', '八', '七', '六', '五', '四', '三', '二', '一'];
const BLACK_FILES: [char; 9] = ['１', '２', '３', '４', '５', '６', '７', '８', '９'];
const RIVER: &str = "  ～～～～～～楚河～～～～漢界～～～～～～";

/// The board as text, ranks 0 to 9 at the left, without a line end behind the last line.
///
/// ```
/// use xiangqi::{board::Position, notation::{DiagramOptions, diagram}};
/// let text = diagram(&Position::start(), DiagramOptions::default());
/// assert_eq!(text.lines().count(), 14);
/// assert!(text.contains("楚河") && text.contains("(將)") && text.contains(" 帥 "));
/// ```
pub fn diagram(position: &Position, options: DiagramOptions) -> String {
    let letters = options.glyphs == Glyphs::Letters;
    let mut lines = Vec::with_capacity(15);
    let files = |numbers: [char; 9], latin: [char; 9]| -> String {
        let mut numbers = if letters { latin } else { numbers };
        if options.flipped {
            numbers.reverse();
        }
        let cells = numbers.iter().map(|number| format!(" {number} ")).collect::<String>();
        format!("  {}", cells.trim_end())
    };
    const LATIN: [char; 9] = ['1', '2', '3', '4', '5', '6', '7', '8', '9'];
    let mut latin_red = LATIN;
    latin_red.reverse();
    let mut edges = [files(BLACK_FILES, LATIN), files(RED_FILES, latin_red)];
    if options.flipped {
        edges.reverse();
    }
    let [top, bottom] = edges;
    lines.push(top);
    for row in 0..10u8 {
        let rank = if options.flipped { row } else { 9 - row };
        let mut line = format!("{rank} ");
        for column in 0..9u8 {
            let file = if options.flipped { 8 - column } else { column };
            line +=
                &Square::new(file, rank).map_or_else(String::new, |s| cell(position, s, options));
        }
        lines.push(line.trim_end().to_owned());
        if row == 4 {
            lines.push(if letters {
                "  ---------- river ----------".to_owned()
            } else {
                RIVER.to_owned()
            });
        }
    }
    lines.push(bottom);
    lines.push(format!(
        "  {}",
        (0..9u8)
            .map(|column| if options.flipped { 8 - column } else { column })
            .map(|file| {
                let letter = char::from(b'a' + file);
                if letters { format!(" {letter} ") } else { format!(" {letter}  ") }
            })
            .collect::<String>()
            .trim_end()
    ));
    if options.legend {
        lines.extend(legend(options.glyphs));
    }
    lines.join("\n")
}

fn cell(position: &Position, square: Square, options: DiagramOptions) -> String {
    let left = options.last_move.is_some_and(|m| m.from() == square);
    match (position.piece_on(square), options.glyphs) {
        (None, Glyphs::Chinese) => format!(" {} ", if left { '〇' } else { '・' }),
        (None, Glyphs::Letters) => format!(" {} ", if left { 'o' } else { '.' }),
        (Some(piece), Glyphs::Chinese) if piece.side() == Side::Red => {
            format!(" {} ", glyph(piece))
        }
        (Some(piece), Glyphs::Chinese) => format!("({})", glyph(piece)),
        (Some(piece), Glyphs::Letters) => {
            let letter = piece.kind().letter();
            let red = piece.side() == Side::Red;
            format!(" {} ", if red { letter } else { letter.to_ascii_lowercase() })
        }
    }
}

/// What the characters of a [`diagram`] mean.
fn legend(glyphs: Glyphs) -> Vec<String> {
    match glyphs {
        Glyphs::Chinese => vec![
            "紅方 Red: 帥 king 仕 advisor 相 elephant 馬 horse 車 rook 炮 cannon 兵 soldier".to_owned(),
            "黑方 Black: (將) king (士) advisor (象) elephant (馬) horse (車) rook (砲) cannon (卒) soldier"
                .to_owned(),
        ],
        Glyphs::Letters => {
            vec!["Red in capitals: K king A advisor B elephant N horse R rook C cannon P soldier".to_owned()]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_start_position() {
        let text = diagram(&Position::start(), DiagramOptions::default());
        let expected = "   １  ２  ３  ４  ５  ６  ７  ８  ９
9 (車)(馬)(象)(士)(將)(士)(象)(馬)(車)
8  ・  ・  ・  ・  ・  ・  ・  ・  ・
7  ・ (砲) ・  ・  ・  ・  ・ (砲) ・
6 (卒) ・ (卒) ・ (卒) ・ (卒) ・ (卒)
5  ・  ・  ・  ・  ・  ・  ・  ・  ・
  ～～～～～～楚河～～～～漢界～～～～～～
4  ・  ・  ・  ・  ・  ・  ・  ・  ・
3  兵  ・  兵  ・  兵  ・  兵  ・  兵
2  ・  炮  ・  ・  ・  ・  ・  炮  ・
1  ・  ・  ・  ・  ・  ・  ・  ・  ・
0  車  馬  相  仕  帥  仕  相  馬  車
   九  八  七  六  五  四  三  二  一
   a   b   c   d   e   f   g   h   i";
        assert_eq!(text, expected);
    }

    #[test]
    fn letters_flipped_and_the_last_move() {
        let mut position = Position::start();
        let m: Move = "h2e2".parse().unwrap();
        position.make(m);
        let options = DiagramOptions {
            glyphs: Glyphs::Letters,
            flipped: true,
            legend: true,
            last_move: Some(m),
        };
        let text = diagram(&position, options);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "   1  2  3  4  5  6  7  8  9");
        assert_eq!(lines[1], "0  R  N  B  A  K  A  B  N  R");
        assert_eq!(lines[3], "2  .  o  .  .  C  .  .  C  .");
        assert_eq!(lines[10], "8  .  .  .  .  .  .  .  .  .");
        assert_eq!(lines[13], "   i  h  g  f  e  d  c  b  a");
        assert!(lines[14].contains("Red in capitals"));
    }
}
