//! Writing WXF: piece, file, direction, number, all from the mover's side.

use super::described::{file_number, front_first};
use crate::{
    board::Position,
    types::{Bitboard, Kind, Move},
};

/// `C2.5`, `H8+7`, `+R-1`; Black in lower case. Of soldiers that stand so on two files, or three
/// and more on one, the number from the front and the file are told: `15+1`. `None` if no piece
/// stands where the move begins.
pub(super) fn write(position: &Position, m: Move) -> Option<String> {
    let piece = position.piece_on(m.from())?;
    let (side, kind) = (piece.side(), piece.kind());
    let letter = match kind {
        Kind::Horse => 'H',
        Kind::Elephant => 'E',
        other => other.letter(),
    };
    let all = position.pieces(side, kind);
    let file = file_number(side, m.from());
    let on_file = all & Bitboard::file(m.from().file());
    let ordered = !matches!(kind, Kind::Advisor | Kind::Elephant | Kind::King);
    let name = if !ordered || !on_file.has_several() {
        format!("{letter}{file}")
    } else {
        let crowded = (0..9).filter(|&file| (all & Bitboard::file(file)).has_several()).count();
        let place = front_first(on_file, side).iter().position(|&square| square == m.from())?;
        match (place, on_file.len() == 2 && crowded == 1) {
            (0, true) => format!("+{letter}"),
            (_, true) => format!("-{letter}"),
            (place, false) => format!("{}{file}", place + 1),
        }
    };
    let (from, to) = (m.from().relative_to(side).rank(), m.to().relative_to(side).rank());
    let (sign, number) = match from.cmp(&to) {
        std::cmp::Ordering::Equal => ('.', file_number(side, m.to())),
        direction => {
            let sign = if direction.is_lt() { '+' } else { '-' };
            let straight = m.from().file() == m.to().file();
            (sign, if straight { from.abs_diff(to) } else { file_number(side, m.to()) })
        }
    };
    let text = format!("{name}{sign}{number}");
    Some(if side == crate::types::Side::Red { text } else { text.to_ascii_lowercase() })
}
