//! A game a line: `FEN moves M M ...`, as the protocols write positions.

use super::{
    ReadGame,
    words::{is_bare_number, is_result, split_marks, without_number},
};
use crate::{
    board::Position,
    notation::{GameTree, Loss, LossReason, Place, parse_move},
};

/// Whether a line begins as one of these does.
pub fn is_line(line: &str) -> bool {
    let first = line.split_whitespace().next().unwrap_or_default();
    matches!(first, "position" | "startpos" | "fen") || first.split('/').count() == 10
}

/// The games of a text. Blank lines and comments behind `#` (or `;` in front of a line, and behind
/// moves) are passed over.
pub fn read(text: &str) -> Vec<ReadGame> {
    let numbered = text.lines().enumerate().map(|(i, line)| (i + 1, without_comment(line)));
    let lines = numbered.filter(|(_, line)| !line.is_empty());
    lines.enumerate().map(|(game, (line, text))| read_line(text, game + 1, line)).collect()
}

fn without_comment(line: &str) -> &str {
    let line = line.trim_start_matches('\u{feff}').trim();
    if line.starts_with(['#', ';']) { "" } else { line.split('#').next().unwrap_or("").trim() }
}

fn read_line(text: &str, game: usize, line: usize) -> ReadGame {
    let place = Place { game: Some(game), line: Some(line), ..Place::default() };
    let text = text.strip_prefix("position").unwrap_or(text).trim();
    let text = text.strip_prefix("fen ").unwrap_or(text).trim();
    let (fen, moves) = match text.split_once("moves") {
        Some((fen, moves)) => (fen.trim(), moves),
        None if is_line(text) => (text, ""),
        None => ("startpos", text),
    };
    let mut losses = Vec::new();
    let start = match fen {
        "startpos" | "" => Position::start(),
        fen => fen.parse().unwrap_or_else(|why| {
            losses.push(Loss::new(place, fen, LossReason::Fen(why)));
            Position::start()
        }),
    };
    let mut tree = GameTree::new(start);
    let mut at = tree.root();
    // Moves behind a start that is none mean nothing.
    let words = if losses.is_empty() { moves } else { "" };
    for (i, word) in moves_in(words).enumerate() {
        let added = parse_move(tree.position_here(at), word)
            .map_err(LossReason::Move)
            .and_then(|m| tree.add_move(at, m).map_err(|illegal| LossReason::Illegal(illegal.0)));
        match added {
            Ok(node) => at = node,
            Err(reason) => {
                losses.push(Loss::new(Place { ply: Some(i + 1), ..place }, word, reason));
                break;
            }
        }
    }
    ReadGame { tree, losses }
}

/// The moves among the words, without numbers, marks, NAGs and a result.
fn moves_in(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(';').next().unwrap_or_default().split_whitespace();
    let is_move = |word: &&str| !is_bare_number(word) && !is_result(word) && !word.starts_with('$');
    words.filter(is_move).map(|word| split_marks(without_number(word)).0)
}

/// The line of a game.
pub fn write(tree: &GameTree) -> String {
    let mut out = tree.start().fen();
    for (i, m) in tree.main_moves().enumerate() {
        out += if i == 0 { " moves " } else { " " };
        out += &m.to_string();
    }
    out.push('\n');
    out
}
