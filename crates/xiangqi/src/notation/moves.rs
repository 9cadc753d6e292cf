//! One move: read in any notation, written in a chosen one.

use super::{
    Ranks, Script,
    algebraic::Algebraic,
    chinese::{chinese_in, short_in},
    coordinates::parse_coordinates,
    described::Described,
    error::{MoveProblem, NotationError},
    glyphs::narrow,
    wxf,
};
use crate::{
    board::Position,
    types::{Kind, Move},
};
use std::{borrow::Cow, fmt, str::FromStr};

/// A notation to write moves in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Style {
    /// `h2e2`
    Coordinates,
    /// `H2-E2`
    Iccs,
    /// `C2.5`, `+P+1`
    Wxf,
    /// `炮二平五`, `马８进７`
    Chinese(Script),
    /// `炮25`, article 7.5 of the rules; with a sign (`炮8+4`) where it would be ambiguous
    Short(Script),
}

impl Style {
    /// Every style.
    pub const ALL: [Self; 7] = [
        Self::Coordinates,
        Self::Iccs,
        Self::Wxf,
        Self::Chinese(Script::Simplified),
        Self::Chinese(Script::Traditional),
        Self::Short(Script::Simplified),
        Self::Short(Script::Traditional),
    ];

    /// The name by which [`str::parse`] knows it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Coordinates => "coordinates",
            Self::Iccs => "iccs",
            Self::Wxf => "wxf",
            Self::Chinese(Script::Simplified) => "chinese",
            Self::Chinese(Script::Traditional) => "traditional",
            Self::Short(Script::Simplified) => "short",
            Self::Short(Script::Traditional) => "short-traditional",
        }
    }
}

impl fmt::Display for Style {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name of no notation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParseStyleError;

impl fmt::Display for ParseStyleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a notation is one of")?;
        for (i, style) in Style::ALL.into_iter().enumerate() {
            write!(f, "{} {style}", if i == 0 { "" } else { "," })?;
        }
        Ok(())
    }
}

impl std::error::Error for ParseStyleError {}

impl FromStr for Style {
    type Err = ParseStyleError;

    /// Reads a name of [`Style::name`], in any case.
    fn from_str(name: &str) -> Result<Self, ParseStyleError> {
        let found = Self::ALL.into_iter().find(|style| style.name().eq_ignore_ascii_case(name));
        found.ok_or(ParseStyleError)
    }
}

/// Reads a move in any notation: coordinates (`h2e2`, `H2-E2`), Chinese in full (`炮二平五`, either
/// script, digits of any kind) and in the short form of article 7.5 (`炮25`), WXF (`C2.5`, `h8+7`,
/// `+P+1`) and the algebra of chess programs (`Cc7`, `Hxe4+`). Marks behind it (`+ # ! ?`) are
/// passed over. Ranks count from 0; see [`parse_move_in`].
///
/// # Errors
/// If the text names no legal move of the position, or several.
///
/// ```
/// use xiangqi::{board::Position, notation::parse_move};
///
/// let start = Position::start();
/// for text in ["h2e2", "H2-E2", "炮二平五", "炮25", "C2.5", "Che2!?"] {
///     assert_eq!(parse_move(&start, text).unwrap().to_string(), "h2e2");
/// }
/// ```
pub fn parse_move(position: &Position, text: &str) -> Result<Move, NotationError> {
    parse_move_in(position, text, Ranks::FromZero)
}

/// As [`parse_move`], with ranks counted as told. With ranks from 0 a text with a rank 10 is still
/// read as what it must be.
///
/// # Errors
/// If the text names no legal move of the position, or several.
pub fn parse_move_in(position: &Position, text: &str, ranks: Ranks) -> Result<Move, NotationError> {
    let written = text;
    let text = narrowed(text.trim());
    let (text, _) = split_suffix(&text);
    let ranks = if has_rank_ten(text) { Ranks::FromOne } else { ranks };
    let coordinates = parse_coordinates(text, ranks).ok();
    if let Some(m) = coordinates
        && position.is_legal(m)
    {
        return Ok(m);
    }
    let mut found = Vec::new();
    let mut kind = None;
    if let Some(algebraic) = Algebraic::read(text, ranks) {
        found = algebraic.matches(position);
        kind = Some(algebraic.kind);
    }
    if found.is_empty()
        && let Some(described) = Described::read(text)
    {
        found = described.matches(position);
        kind = Some(described.kind);
    }
    match (found.as_slice(), coordinates, kind) {
        (&[m], ..) => Ok(m),
        ([_, _, ..], ..) => Err(NotationError::new(written, MoveProblem::Ambiguous, found)),
        ([], Some(m), _) => {
            let same_origin = legal(position, |legal| legal.from() == m.from());
            Err(NotationError::new(written, MoveProblem::Illegal, same_origin))
        }
        ([], None, Some(kind)) => {
            let same_kind = legal(position, |m| is_kind(position, m, kind));
            Err(NotationError::new(written, MoveProblem::Illegal, same_kind))
        }
        ([], None, None) => Err(NotationError::new(written, MoveProblem::Unreadable, Vec::new())),
    }
}

fn legal(position: &Position, keep: impl Fn(Move) -> bool) -> Vec<Move> {
    position.legal_moves().into_iter().filter(|&m| keep(m)).collect()
}

fn is_kind(position: &Position, m: Move, kind: Kind) -> bool {
    position.piece_on(m.from()).is_some_and(|piece| piece.kind() == kind)
}

/// Full-width letters, digits and signs as ASCII; Chinese characters stay.
fn narrowed(text: &str) -> Cow<'_, str> {
    if text.is_ascii() || text.chars().all(|c| narrow(c) == c) {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(text.chars().map(narrow).collect())
    }
}

fn has_rank_ten(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.windows(3).any(|w| w[0].is_ascii_lowercase() && w[1] == b'1' && w[2] == b'0')
}

/// A move without the marks behind it, and the NAG of its `!` and `?`: 1 `!`, 2 `?`, 3 `!!`, 4
/// `??`, 5 `!?`, 6 `?!`.
pub(super) fn split_suffix(text: &str) -> (&str, Option<u8>) {
    let bare = text.trim_end_matches(['!', '?', '！', '？', '‼', '⁇', '⁈', '⁉']);
    let marks = text[bare.len()..].chars().map(narrow).flat_map(|mark| match mark {
        '‼' => ['!', '!'],
        '⁇' => ['?', '?'],
        '⁈' => ['?', '!'],
        '⁉' => ['!', '?'],
        other => [other, ' '],
    });
    let marks: String = marks.filter(|&mark| mark != ' ').take(2).collect();
    let nag = match marks.as_str() {
        "!" => Some(1),
        "?" => Some(2),
        "!!" => Some(3),
        "??" => Some(4),
        "!?" => Some(5),
        "?!" => Some(6),
        _ => None,
    };
    (bare.trim_end_matches(['+', '#', '＋', '＃']), nag)
}

/// Writes a move. It is read back as the same move by [`parse_move`]. Where no piece of the mover
/// stands on its square, coordinates are written.
///
/// ```
/// use xiangqi::{board::Position, notation::{Style, write_move}};
///
/// let m = "h2e2".parse().unwrap();
/// assert_eq!(write_move(&Position::start(), m, Style::Wxf), "C2.5");
/// ```
pub fn write_move(position: &Position, m: Move, style: Style) -> String {
    let told = match style {
        Style::Coordinates => None,
        Style::Iccs => Some(format!("{}-{}", m.from(), m.to()).to_ascii_uppercase()),
        Style::Wxf => wxf::write(position, m),
        Style::Chinese(script) => chinese_in(position, m, script),
        Style::Short(script) => short_in(position, m, script),
    };
    told.unwrap_or_else(|| m.to_string())
}
