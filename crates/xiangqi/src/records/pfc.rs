//! The XML of 鹏飞象棋. No file of it could be had: this reader follows a description.

use super::{Format, ReadError, ReadGame, fields::keep_header};
use crate::{
    board::Position,
    notation::{GameResult, GameTree, Loss, LossReason, NodeId, Place, parse_move},
};
use roxmltree::{Document, Node};

/// Reads the game of a file: nested elements `n`, each with a move `m` and a comment `c`; those
/// inside one another follow each other, those beside one another are variations.
///
/// # Errors
/// If it is no XML.
pub fn read(text: &str) -> Result<ReadGame, ReadError> {
    let damaged = ReadError::Damaged(Format::Pfc);
    // On web pages it stands in a comment.
    let from = text.find("<n ").ok_or(damaged)?;
    let to = text.rfind("</n>").map(|at| at + "</n>".len());
    let to = to.or_else(|| text.rfind("/>").map(|at| at + 2)).ok_or(damaged)?;
    let document = Document::parse(text.get(from..to).ok_or(damaged)?).map_err(|_| damaged)?;
    let root = document.root_element();
    let mut losses = Vec::new();
    let fen = root.attribute("m").filter(|fen| fen.contains('/'));
    let start = fen.map_or_else(Position::start, |fen| {
        fen.parse().unwrap_or_else(|why| {
            losses.push(Loss::new(Place::default(), fen, LossReason::Fen(why)));
            Position::start()
        })
    });
    let mut tree = GameTree::new(start);
    let at = tree.root();
    tree.add_comment(at, root.attribute("c").unwrap_or_default());
    for attribute in root.attributes() {
        match attribute.name() {
            "m" | "c" | "version" => {}
            "win" => tree.result = GameResult::from_text(attribute.value()).unwrap_or_default(),
            name => keep_header(&mut tree, &capitalised(name), attribute.value()),
        }
    }
    plant(root, &mut tree, &mut losses);
    Ok(ReadGame { tree, losses })
}

fn capitalised(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// Plants the moves below the root. The main continuation is marked `default`.
fn plant(root: Node<'_, '_>, tree: &mut GameTree, losses: &mut Vec<Loss>) {
    let mut waiting: Vec<(Node<'_, '_>, NodeId)> = vec![(root, tree.root())];
    while let Some((element, at)) = waiting.pop() {
        let mut children: Vec<_> =
            element.children().filter(|child| child.has_tag_name("n")).collect();
        children.sort_by_key(|child| child.attribute("default") != Some("true"));
        let mut planted = Vec::new();
        for child in children {
            let word = child.attribute("m").unwrap_or_default();
            let place = Place { ply: Some(tree.depth(at) + 1), ..Place::default() };
            let read = parse_move(tree.position_here(at), word).map_err(LossReason::Move);
            match read.and_then(|m| tree.add_move(at, m).map_err(|e| LossReason::Illegal(e.0))) {
                Ok(node) => {
                    tree.add_comment(node, child.attribute("c").unwrap_or_default());
                    planted.push((child, node));
                }
                Err(reason) => losses.push(Loss::new(place, word, reason)),
            }
        }
        waiting.extend(planted.into_iter().rev());
    }
}
