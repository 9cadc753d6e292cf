//! What binary formats have in common: fields at fixed places, and the names of headers.

use crate::{
    notation::{GameResult, GameTree, NodeId},
    types::Side,
};

/// A part of a file, or what there is of it.
pub fn slice(bytes: &[u8], at: usize, len: usize) -> &[u8] {
    let end = at.saturating_add(len).min(bytes.len());
    bytes.get(at..end).unwrap_or_default()
}

/// A 32-bit number, little-endian.
pub fn int(bytes: &[u8], at: usize) -> Option<i32> {
    let four = bytes.get(at..at.checked_add(4)?)?;
    Some(i32::from_le_bytes(four.try_into().ok()?))
}

/// Text in UTF-16, little-endian, up to its first NUL. What stands behind that is rubbish.
pub fn utf16(bytes: &[u8]) -> String {
    let units = bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]]));
    let units: Vec<u16> = units.take_while(|&unit| unit != 0).collect();
    String::from_utf16_lossy(&units)
}

/// Puts text in UTF-16 into a field, cut so that a NUL stands behind it.
pub fn put_utf16(bytes: &mut [u8], at: usize, width: usize, text: &str) {
    let room = width / 2 - 1;
    let mut used = 0;
    for letter in text.chars() {
        let mut buffer = [0; 2];
        let units = letter.encode_utf16(&mut buffer);
        if used + units.len() > room {
            break;
        }
        for unit in units {
            let place = at + 2 * used;
            bytes[place..place + 2].copy_from_slice(&unit.to_le_bytes());
            used += 1;
        }
    }
}

/// All that people wrote at a node, for formats with one comment a move.
pub fn text_of(tree: &GameTree, node: NodeId) -> String {
    let texts = [tree.comment_before(node), tree.comment(node)];
    texts.into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n")
}

/// Sets a header if there is something to say.
pub fn keep_header(tree: &mut GameTree, name: &str, value: &str) {
    let value = value.trim();
    if !value.is_empty() {
        tree.set_header(name, value);
    }
}

/// A result by the number that most formats use: 1 Red, 2 Black, 3 (and in some files 4) a draw.
pub const fn result_of(number: u8) -> GameResult {
    match number {
        1 => GameResult::RedWins,
        2 => GameResult::BlackWins,
        3 | 4 => GameResult::Draw,
        _ => GameResult::Unknown,
    }
}

/// The number of a result; see [`result_of`].
pub const fn result_number(result: GameResult) -> u8 {
    match result {
        GameResult::Unknown => 0,
        GameResult::RedWins => 1,
        GameResult::BlackWins => 2,
        GameResult::Draw => 3,
    }
}

/// 0 for Red, 1 for Black.
pub const fn side_number(side: Side) -> u8 {
    side.index() as u8
}
