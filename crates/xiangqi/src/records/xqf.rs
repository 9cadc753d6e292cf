//! XQStudio's files. The layout is that of the author's own program (XQStudio, 1998-2008), as its
//! published source and others' descriptions tell it; see docs/records.md.

use super::{
    Format, ReadError, ReadGame,
    fields::{int, keep_header, result_number, result_of, side_number, slice, text_of},
    preorder::{Planter, nodes},
    setup::{board_of_men, squares_of_men, start},
};
use crate::{
    board::Position,
    notation::{Encoding, GameTree, Loss, LossReason, Place, decode_as},
    types::{Move, Side, Square},
};
use std::borrow::Cow;

/// Where the tree begins.
const HEAD: usize = 1024;

/// Headers by their place, width with the length byte, and name.
const TEXTS: [(usize, usize, &str); 11] = [
    (80, 64, "Title"),
    (144, 64, "Subtitle"),
    (208, 64, "Event"),
    (272, 16, "Date"),
    (288, 16, "Site"),
    (304, 16, "Red"),
    (320, 16, "Black"),
    (336, 64, "TimeRule"),
    (400, 16, "RedTime"),
    (416, 16, "BlackTime"),
    (464, 16, "Annotator"),
];
const AUTHOR: (usize, usize, &str) = (480, 16, "Author");

/// What hides the content of versions above 10.
struct Keys {
    men: u8,
    from: u8,
    to: u8,
    comment: i32,
    stream: [u8; 32],
}

impl Keys {
    fn of(bytes: &[u8]) -> Self {
        if bytes[2] <= 10 {
            return Self { men: 0, from: 0, to: 0, comment: 0, stream: [0; 32] };
        }
        let scaled = |key: u8, by: u8| {
            let key = u32::from(key);
            ((54 * key * key + 221) * u32::from(by)) as u8
        };
        let men = scaled(bytes[13], bytes[13]);
        let from = scaled(bytes[14], men);
        let to = scaled(bytes[15], from);
        let comment = (i32::from(bytes[12]) * 256 + i32::from(bytes[13])) % 32000 + 767;
        let mut stream = *b"[(C) Copyright Mr. Dong Shiwei.]";
        for (i, byte) in stream.iter_mut().enumerate() {
            *byte &= bytes[8 + i % 4] | (bytes[12 + i % 4] & bytes[3]);
        }
        Self { men, from, to, comment, stream }
    }

    /// The tree's bytes in plain.
    fn reveal(&self, bytes: &[u8]) -> Vec<u8> {
        let plain = |(at, byte): (usize, &u8)| byte.wrapping_sub(self.stream[at % 32]);
        bytes.iter().enumerate().skip(HEAD).map(plain).collect()
    }
}

/// A square as it stands in the file: the file times ten and the rank.
fn square(byte: u8) -> Option<Square> {
    Square::new(byte / 10, byte % 10)
}

fn byte(square: Square) -> u8 {
    10 * square.file() + square.rank()
}

/// The text of a length byte and what it counts.
fn short_text(bytes: &[u8], at: usize, width: usize) -> String {
    let len = usize::from(bytes[at]).min(width - 1);
    gb_text(slice(bytes, at + 1, len)).0.trim_end_matches('\0').to_owned()
}

/// Text in GB18030, as XQStudio writes it. A short one can be UTF-8 by chance, so it is only taken
/// for that where it must be.
fn gb_text(bytes: &[u8]) -> (Cow<'_, str>, bool) {
    match decode_as(bytes, Some(Encoding::Gb18030)) {
        (text, true) => (text, true),
        _ => decode_as(bytes, None),
    }
}

/// Reads the game of a file.
///
/// # Errors
/// If the file ends before its tree, or is of a later version than 18.
pub fn read(bytes: &[u8]) -> Result<ReadGame, ReadError> {
    if bytes.len() < HEAD {
        return Err(ReadError::Damaged(Format::Xqf));
    }
    if bytes[2] > 0x12 {
        return Err(ReadError::Version(Format::Xqf));
    }
    let keys = Keys::of(bytes);
    let body = keys.reveal(bytes);
    let mut losses = Vec::new();
    let mut tree = GameTree::new(start_of(bytes, &keys, &body, &mut losses));
    tree.result = result_of(bytes[51]);
    for (at, width, name) in TEXTS.into_iter().chain([AUTHOR]) {
        keep_header(&mut tree, name, &short_text(bytes, at, width));
    }
    let mut nodes = Nodes { body: &body, at: 0, keys: &keys, version: bytes[2], lossy: false };
    let Some(root) = nodes.next() else {
        losses.push(Loss::new(Place::default(), "", LossReason::Truncated));
        return Ok(ReadGame { tree, losses });
    };
    let at = tree.root();
    tree.add_comment(at, &root.comment);
    let mut planter = Planter::new(tree, root.continues);
    while !planter.is_done() {
        match nodes.next() {
            Some(node) => {
                planter.plant(node.played, &node.comment, node.continues, node.alternative);
            }
            None => planter.break_off(LossReason::Truncated),
        }
    }
    losses.append(&mut planter.losses);
    if nodes.lossy {
        losses.push(Loss::new(Place::default(), "", LossReason::Encoding));
    }
    Ok(ReadGame { tree: planter.tree, losses })
}

/// The start of the game. Some files leave the men out: then it is the usual one.
fn start_of(bytes: &[u8], keys: &Keys, body: &[u8], losses: &mut Vec<Loss>) -> Position {
    let raw = &bytes[16..48];
    let mut men = [0xff; 32];
    for (i, &man) in raw.iter().enumerate() {
        let slot = if bytes[2] >= 12 { (usize::from(keys.men) + 1 + i) % 32 } else { i };
        men[slot] = man.wrapping_sub(keys.men);
    }
    let board = board_of_men(men.into_iter().map(square));
    let mut nodes = Nodes { body, at: 0, keys, version: bytes[2], lossy: false };
    let first = nodes.next().filter(|root| root.continues).and_then(|_| nodes.next());
    let named = if bytes[50] == 1 { Side::Black } else { Side::Red };
    start(board, first.and_then(|node| node.played), named).unwrap_or_else(|why| {
        if board.iter().any(Option::is_some) {
            losses.push(Loss::new(Place::default(), "", LossReason::Fen(why.into())));
        }
        Position::start()
    })
}

/// One node of a file.
struct Node {
    played: Option<Move>,
    comment: String,
    continues: bool,
    alternative: bool,
}

/// The nodes of a file in their order, to the last that is whole.
struct Nodes<'a> {
    body: &'a [u8],
    at: usize,
    keys: &'a Keys,
    version: u8,
    /// Whether a comment could not be read wholly.
    lossy: bool,
}

impl Iterator for Nodes<'_> {
    type Item = Node;

    fn next(&mut self) -> Option<Node> {
        let &[from, to, tag, _] = self.body.get(self.at..self.at + 4)?.first_chunk()?;
        self.at += 4;
        let old = self.version <= 10;
        let (continues, alternative, has_comment) = if old {
            (tag & 0xf0 != 0, tag & 0x0f != 0, true)
        } else {
            (tag & 0x80 != 0, tag & 0x40 != 0, tag & 0x20 != 0)
        };
        let mut comment = String::new();
        if has_comment {
            let len = int(self.body, self.at)?.wrapping_sub(self.keys.comment);
            self.at += 4;
            // A length of damaged files may be anything.
            let len = usize::try_from(len).unwrap_or(0).min(self.body.len() - self.at);
            let (text, is_whole) = gb_text(&self.body[self.at..self.at + len]);
            self.lossy |= !is_whole;
            comment = text.into_owned();
            self.at += len;
        }
        let from = square(from.wrapping_sub(24).wrapping_sub(self.keys.from));
        let to = square(to.wrapping_sub(32).wrapping_sub(self.keys.to));
        let played = from.zip(to).and_then(|(from, to)| Move::new(from, to));
        Some(Node { played, comment, continues, alternative })
    }
}

/// The file of a game, of version 10, which every program reads: plain, texts in GB18030.
pub fn write(tree: &GameTree) -> Vec<u8> {
    let mut bytes = vec![0; HEAD];
    bytes[..3].copy_from_slice(b"XQ\x0a");
    for (slot, square) in bytes[16..48].iter_mut().zip(squares_of_men(tree.start())) {
        *slot = square.map_or(0xff, byte);
    }
    bytes[50] = side_number(tree.start().side());
    bytes[51] = result_number(tree.result);
    for (at, width, name) in TEXTS.into_iter().chain([AUTHOR]) {
        let text = tree.header(name).unwrap_or_default();
        put_short_text(&mut bytes[at..at + width], text);
    }
    let root = tree.root();
    let begins = tree.first_child(root).is_some();
    put_node(&mut bytes, [0x18, 0x20], begins, false, &text_of(tree, root));
    for (m, comment, continues, alternative) in nodes(tree) {
        let squares = [byte(m.from()) + 24, byte(m.to()) + 32];
        put_node(&mut bytes, squares, continues, alternative, &comment);
    }
    bytes
}

fn put_node(bytes: &mut Vec<u8>, squares: [u8; 2], goes_on: bool, other: bool, comment: &str) {
    let tag = if goes_on { 0xf0 } else { 0 } | if other { 0x0f } else { 0 };
    bytes.extend([squares[0], squares[1], tag, 0xff]);
    let text = Encoding::Gb18030.encode(&comment.replace('\n', "\r\n"));
    bytes.extend(i32::try_from(text.len()).unwrap_or(0).to_le_bytes());
    bytes.extend(text);
}

/// Puts a length byte and as many whole characters as there is room for.
fn put_short_text(field: &mut [u8], text: &str) {
    let mut end = 1;
    for letter in text.chars() {
        let mut buffer = [0; 4];
        let encoded = Encoding::Gb18030.encode(letter.encode_utf8(&mut buffer));
        let Some(room) = field.get_mut(end..end + encoded.len()) else { break };
        room.copy_from_slice(&encoded);
        end += encoded.len();
    }
    field[0] = (end - 1) as u8;
}
