//! The XML of 中国象棋 programs (`.cbf`). Nothing that we have shows variations in it: the main line
//! is read and written, and a file that has more says so.

use super::{
    Format, ReadError, ReadGame,
    fields::{keep_header, result_number, result_of, text_of},
    setup::{from_top, row},
};
use crate::{
    board::Position,
    notation::{GameTree, Loss, LossReason, Place},
    types::Move,
};
use roxmltree::{Document, Node};

/// Headers by element and name.
const TEXTS: [(&str, &str); 21] = [
    ("Name", "Title"),
    ("From", "Source"),
    ("ContestType", "Class"),
    ("Contest", "Event"),
    ("Round", "Round"),
    ("Group", "Group"),
    ("Table", "Table"),
    ("Date", "Date"),
    ("Site", "Site"),
    ("TimeRule", "TimeRule"),
    ("Red", "Red"),
    ("RedTeam", "RedTeam"),
    ("RedTime", "RedTime"),
    ("RedRating", "RedElo"),
    ("Black", "Black"),
    ("BlackTeam", "BlackTeam"),
    ("BlackTime", "BlackTime"),
    ("BlackRating", "BlackElo"),
    ("Referee", "Referee"),
    ("Recorder", "Recorder"),
    ("Commentator", "Annotator"),
];

/// Reads the game of a file.
///
/// # Errors
/// If it is no XML.
pub fn read(text: &str) -> Result<ReadGame, ReadError> {
    let damaged = ReadError::Damaged(Format::Cbf);
    let document = Document::parse(text).map_err(|_| damaged)?;
    let element =
        |name: &'static str| document.descendants().find(move |node| node.has_tag_name(name));
    let head = element("Head");
    let value = |name: &str| {
        let found = head?.children().find(|node| node.has_tag_name(name))?;
        found.text().map(str::trim).filter(|text| !text.is_empty())
    };
    let mut losses = Vec::new();
    let start = value("FEN").map_or_else(Position::start, |fen| {
        fen.parse().unwrap_or_else(|why| {
            losses.push(Loss::new(Place::default(), fen, LossReason::Fen(why)));
            Position::start()
        })
    });
    let mut tree = GameTree::new(start);
    for (element, name) in TEXTS {
        keep_header(&mut tree, name, value(element).unwrap_or_default());
    }
    let result = value("RecordResult").and_then(|number| number.parse().ok());
    tree.result = result_of(result.unwrap_or(0));
    if let Some(list) = element("MoveList") {
        read_moves(list, &mut tree, &mut losses);
    }
    Ok(ReadGame { tree, losses })
}

fn read_moves(list: Node<'_, '_>, tree: &mut GameTree, losses: &mut Vec<Loss>) {
    let mut at = tree.root();
    for element in list.children().filter(Node::is_element) {
        if element.children().any(|child| child.is_element()) {
            let what = LossReason::Unsupported("elements inside a move");
            losses.push(Loss::new(Place::default(), "", what));
        }
        let value = element.attribute("value").unwrap_or_default();
        let comment = element.text().unwrap_or_default();
        if value == "00-00" {
            tree.add_comment(at, comment);
            continue;
        }
        let place = Place { ply: Some(tree.depth(at) + 1), ..Place::default() };
        let reason = match read_move(value).map(|m| tree.add_move(at, m)) {
            Some(Ok(node)) => {
                tree.add_comment(node, comment);
                at = node;
                continue;
            }
            Some(Err(illegal)) => LossReason::Illegal(illegal.0),
            None => LossReason::NoMove,
        };
        losses.push(Loss::new(place, value, reason));
        return;
    }
}

/// Files from Red's left and rows from the top: `77-47` is 炮二平五.
fn read_move(text: &str) -> Option<Move> {
    let &[x1, y1, b'-', x2, y2] = text.as_bytes() else { return None };
    let square = |x: u8, y: u8| from_top(x.wrapping_sub(b'0'), y.wrapping_sub(b'0'));
    Move::new(square(x1, y1)?, square(x2, y2)?)
}

/// The file of a game.
pub fn write(tree: &GameTree) -> String {
    let mut out = "\u{feff}<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
                   <ChineseChessRecord Version=\"1.0\">\n <Head>\n"
        .to_owned();
    let mut element = |name: &str, text: &str| {
        out += &format!("  <{name}>{}</{name}>\n", crate::notation::escape(text));
    };
    for (name, header) in TEXTS {
        element(name, tree.header(header).unwrap_or_default());
    }
    element("RecordResult", &result_number(tree.result).to_string());
    element("FEN", &tree.start().fen());
    out += " </Head>\n <MoveList>\n";
    out += &move_element("00-00", &text_of(tree, tree.root()), false);
    for node in tree.main_line() {
        let Some(m) = tree.played(node) else { continue };
        let digits = |square: crate::types::Square| format!("{}{}", square.file(), row(square));
        let value = format!("{}-{}", digits(m.from()), digits(m.to()));
        out += &move_element(&value, &text_of(tree, node), tree.first_child(node).is_none());
    }
    out += " </MoveList>\n</ChineseChessRecord>\n";
    out
}

fn move_element(value: &str, comment: &str, is_last: bool) -> String {
    let end = if is_last { " end=\"1\"" } else { "" };
    if comment.is_empty() {
        return format!("  <Move value=\"{value}\"{end} />\n");
    }
    // The end of a section cannot stand inside it.
    let comment = comment.replace("]]>", "]] >");
    format!("  <Move value=\"{value}\"{end}><![CDATA[{comment}]]></Move>\n")
}
