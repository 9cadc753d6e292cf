//! CCBridge's libraries: many records with an index.

use super::{
    Format, ReadError, ReadGame, ccbridge,
    fields::{int, put_utf16, slice},
};
use crate::notation::GameTree;

/// What a library begins with.
pub const MAGIC: &[u8] = b"CCBridgeLibrary\0";

/// Where the index begins, and the size of an entry.
const INDEX: usize = 66624;
const ENTRY: usize = 276;
/// Records begin at multiples of this behind the index.
const BLOCK: usize = 4096;
/// Where the number of index slots stands.
const SLOTS: usize = 60;
/// The smallest index that the program writes.
const LEAST_SLOTS: usize = 128;

/// States of an entry.
const UNUSED: i32 = 0;
const DELETED: i32 = 5;
const LIVE: i32 = 7;

/// Reads the games of a library in the order of its index; those that were deleted are left out.
///
/// # Errors
/// If the file ends inside its index.
pub fn read(bytes: &[u8]) -> Result<Vec<ReadGame>, ReadError> {
    let damaged = ReadError::Damaged(Format::Cbl);
    let slots = int(bytes, SLOTS).and_then(|slots| usize::try_from(slots).ok()).ok_or(damaged)?;
    let first = slots.checked_mul(ENTRY).and_then(|len| len.checked_add(INDEX)).ok_or(damaged)?;
    if first > bytes.len() {
        return Err(damaged);
    }
    let mut games = Vec::new();
    let mut at = first;
    for slot in 0..slots {
        let entry = INDEX + slot * ENTRY;
        let field = |n: usize| int(bytes, entry + 4 * n).unwrap_or(0);
        let (state, blocks, len) = (field(0), field(2), field(3));
        if state == UNUSED {
            continue;
        }
        let len = usize::try_from(len).unwrap_or(0);
        let blocks = usize::try_from(blocks).unwrap_or(0).max(len.div_ceil(BLOCK)).max(1);
        let record = slice(bytes, at, blocks.saturating_mul(BLOCK));
        at = at.saturating_add(blocks.saturating_mul(BLOCK));
        if state == DELETED {
            continue;
        }
        let record = if (1..record.len()).contains(&len) { &record[..len] } else { record };
        if let Ok(mut game) = ccbridge::read(record) {
            for loss in &mut game.losses {
                loss.place.game = Some(games.len() + 1);
            }
            games.push(game);
        }
    }
    Ok(games)
}

/// The library of these games.
pub fn write(games: &[GameTree]) -> Vec<u8> {
    let slots = games.len().next_multiple_of(LEAST_SLOTS).max(LEAST_SLOTS);
    let mut bytes = vec![0; INDEX + slots * ENTRY];
    bytes[..MAGIC.len()].copy_from_slice(MAGIC);
    put_int(&mut bytes, 16, 3);
    put_int(&mut bytes, 52, 0x7fff_ffff);
    put_int(&mut bytes, SLOTS, slots);
    for (number, game) in games.iter().enumerate() {
        let record = ccbridge::write(game);
        let entry = INDEX + number * ENTRY;
        let blocks = record.len().div_ceil(BLOCK);
        for (n, value) in [LIVE as usize, number, blocks, record.len()].into_iter().enumerate() {
            put_int(&mut bytes, entry + 4 * n, value);
        }
        put_utf16(&mut bytes, entry + 100, 128, &title(game));
        bytes.extend_from_slice(&record);
        bytes.resize(bytes.len() + blocks * BLOCK - record.len(), 0);
    }
    bytes
}

/// What the index calls a game.
fn title(game: &GameTree) -> String {
    let header = |name| game.header(name).unwrap_or_default();
    match header("Title") {
        "" => format!("{} - {}", header("Red"), header("Black")),
        title => title.to_owned(),
    }
}

fn put_int(bytes: &mut [u8], at: usize, value: usize) {
    let value = i32::try_from(value).unwrap_or(i32::MAX);
    bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
}
