//! One game of CCBridge (象棋桥), version 2; the layout is that of public descriptions, checked on
//! the records that we have (docs/records.md).

use super::{
    Format, ReadError, ReadGame,
    fields::{int, keep_header, put_utf16, result_number, result_of, slice, text_of, utf16},
    preorder::{Planter, nodes},
    setup::{Board, from_top, row, start},
};
use crate::{
    board::Position,
    notation::{GameTree, Loss, LossReason, Place},
    types::{Kind, Move, Piece, Side, Square},
};

/// What a record begins with.
pub const MAGIC: &[u8] = b"CCBridge Record\0";

/// Where the tree begins.
const HEAD: usize = 2214;
const BOARD: usize = 2120;
const VERSION: usize = 19;
const RESULT: usize = 2076;
const SIDE: usize = 2112;

/// Headers by their place, width in bytes, and name.
const TEXTS: [(usize, usize, &str); 21] = [
    (180, 128, "Title"),
    (564, 64, "Source"),
    (628, 64, "Class"),
    (692, 64, "Event"),
    (756, 64, "Round"),
    (820, 32, "Group"),
    (852, 32, "Table"),
    (884, 64, "Date"),
    (948, 64, "Site"),
    (1012, 64, "TimeRule"),
    (1076, 64, "Red"),
    (1140, 64, "RedTeam"),
    (1204, 64, "RedTime"),
    (1268, 32, "RedElo"),
    (1300, 64, "Black"),
    (1364, 64, "BlackTeam"),
    (1428, 64, "BlackTime"),
    (1492, 32, "BlackElo"),
    (1524, 64, "Referee"),
    (1588, 64, "Recorder"),
    (1652, 64, "Annotator"),
];

const KINDS: [Kind; 7] = [
    Kind::Rook,
    Kind::Horse,
    Kind::Elephant,
    Kind::Advisor,
    Kind::King,
    Kind::Cannon,
    Kind::Soldier,
];

fn piece(byte: u8) -> Option<Piece> {
    let side = match byte >> 4 {
        1 => Side::Red,
        2 => Side::Black,
        _ => return None,
    };
    let kind = KINDS.get(usize::from(byte & 15).checked_sub(1)?)?;
    Some(Piece::new(side, *kind))
}

fn piece_byte(piece: Piece) -> u8 {
    let kind = KINDS.iter().position(|&kind| kind == piece.kind()).unwrap_or(0) as u8 + 1;
    kind | if piece.side() == Side::Red { 0x10 } else { 0x20 }
}

/// A square by its number, along the rows from the top left.
fn square(byte: u8) -> Option<Square> {
    from_top(byte % 9, byte / 9)
}

fn square_byte(square: Square) -> u8 {
    9 * row(square) + square.file()
}

/// Reads a record.
///
/// # Errors
/// If it ends before its tree, or is of another version than 2.
pub fn read(bytes: &[u8]) -> Result<ReadGame, ReadError> {
    if bytes.len() < HEAD || !bytes.starts_with(MAGIC) {
        return Err(ReadError::Damaged(Format::Cbr));
    }
    if bytes[VERSION] != 2 {
        return Err(ReadError::Version(Format::Cbr));
    }
    let mut nodes = Nodes { bytes, at: HEAD };
    let root = nodes.next();
    let mut ahead = Nodes { bytes, at: nodes.at };
    let first = root.as_ref().filter(|root| root.continues).and_then(|_| ahead.next());
    let mut losses = Vec::new();
    let first = first.and_then(|node| node.played);
    let mut tree = GameTree::new(start_of(bytes, first, &mut losses));
    tree.result = result_of(bytes[RESULT]);
    for (at, width, name) in TEXTS {
        keep_header(&mut tree, name, &utf16(slice(bytes, at, width)));
    }
    let Some(root) = root else {
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
    Ok(ReadGame { tree: planter.tree, losses })
}

fn start_of(bytes: &[u8], first: Option<Move>, losses: &mut Vec<Loss>) -> Position {
    let mut board: Board = [None; Square::NUM];
    for (i, &byte) in bytes[BOARD..BOARD + Square::NUM].iter().enumerate() {
        if let Some(square) = square(i as u8) {
            board[square.index()] = piece(byte);
        }
    }
    let named = if bytes[SIDE] == 2 { Side::Black } else { Side::Red };
    start(board, first, named).unwrap_or_else(|why| {
        // Headings of a library have no men and no moves.
        if board.iter().any(Option::is_some) {
            losses.push(Loss::new(Place::default(), "", LossReason::Fen(why.into())));
        }
        Position::start()
    })
}

struct Node {
    played: Option<Move>,
    comment: String,
    continues: bool,
    alternative: bool,
}

/// The nodes of a record in their order.
struct Nodes<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Iterator for Nodes<'_> {
    type Item = Node;

    fn next(&mut self) -> Option<Node> {
        let &[flags, _, from, to] = self.bytes.get(self.at..self.at + 4)?.first_chunk()?;
        self.at += 4;
        let mut comment = String::new();
        if flags & 4 != 0 {
            let len = usize::try_from(int(self.bytes, self.at)?).unwrap_or(0);
            self.at += 4;
            comment = utf16(slice(self.bytes, self.at, len));
            self.at = self.at.saturating_add(len).min(self.bytes.len());
        }
        let played = square(from).zip(square(to)).and_then(|(from, to)| Move::new(from, to));
        Some(Node { played, comment, continues: flags & 1 == 0, alternative: flags & 2 != 0 })
    }
}

/// The record of a game.
pub fn write(tree: &GameTree) -> Vec<u8> {
    let mut bytes = vec![0; HEAD];
    bytes[..MAGIC.len()].copy_from_slice(MAGIC);
    bytes[VERSION] = 2;
    for (at, width, name) in TEXTS {
        put_utf16(&mut bytes, at, width, tree.header(name).unwrap_or_default());
    }
    bytes[RESULT] = result_number(tree.result);
    bytes[SIDE] = if tree.start().side() == Side::Red { 1 } else { 2 };
    bytes[2116] = 1;
    for square in Square::all() {
        let place = BOARD + usize::from(square_byte(square));
        bytes[place] = tree.start().piece_on(square).map_or(0, piece_byte);
    }
    bytes[2210..HEAD].fill(0xff);
    let root = tree.root();
    let begins = tree.first_child(root).is_some();
    put_node(&mut bytes, [0, 0], begins, false, &text_of(tree, root));
    for (m, comment, continues, alternative) in nodes(tree) {
        let squares = [square_byte(m.from()), square_byte(m.to())];
        put_node(&mut bytes, squares, continues, alternative, &comment);
    }
    bytes
}

fn put_node(bytes: &mut Vec<u8>, squares: [u8; 2], goes_on: bool, other: bool, comment: &str) {
    let flag = |value: u8, is_set: bool| if is_set { value } else { 0 };
    let flags = flag(1, !goes_on) | flag(2, other) | flag(4, !comment.is_empty());
    bytes.extend([flags, 0, squares[0], squares[1]]);
    if !comment.is_empty() {
        let text: Vec<u8> = comment
            .replace('\n', "\r\n")
            .encode_utf16()
            .chain([0])
            .flat_map(u16::to_le_bytes)
            .collect();
        bytes.extend(i32::try_from(text.len()).unwrap_or(0).to_le_bytes());
        bytes.extend(text);
    }
}
