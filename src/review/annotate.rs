//! The remarks as part of the record.

use super::{
    game::Review,
    words::{remark, score_words},
};
use xiangqi::notation::GameTree;

/// Writes the remarks into the record that the game comes from: marks and comments beside moves, and
/// better lines as variations. What stands there stays.
pub fn annotate(tree: &mut GameTree, review: &Review) {
    let nodes: Vec<_> = tree.main_line().take(review.plies.len()).collect();
    for due in review.due_at(0) {
        let (zh, en) = due.words();
        tree.add_comment(tree.root(), &format!("棋例：{zh}。Rules: {en}."));
    }
    for (ply, node) in review.plies.iter().zip(nodes) {
        if let Some(severity) = ply.severity {
            tree.add_nag(node, severity.nag());
            let (zh, en) = remark(ply);
            tree.add_comment(node, &format!("{zh}。{en}."));
            if let (Some(parent), Some(better)) = (tree.parent(node), &ply.better) {
                let mut at = parent;
                for &m in &better.moves {
                    at = match tree.child(at, m).map_or_else(|| tree.add_move(at, m), Ok) {
                        Ok(next) => next,
                        Err(_) => break,
                    };
                }
                tree.add_comment(at, &format!("楚河 Chuhe: {}", score_words(better.score)));
            }
        }
        for due in review.due_at(ply.ply) {
            let (zh, en) = due.words();
            tree.add_comment(node, &format!("棋例：{zh}。Rules: {en}."));
        }
    }
    if tree.header("Annotator").is_none() {
        tree.set_header("Annotator", concat!("Chuhe ", env!("CARGO_PKG_VERSION")));
    }
}
