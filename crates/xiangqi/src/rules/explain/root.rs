//! ChaseKind a target is protected, and why what looks like a root is none (28.16).

use super::{
    line,
    words::{self, Text, piece_at, pieces},
};
use crate::{
    board::Position,
    rules::{
        exchange::{real_roots, worth},
        viewpoint::Viewpoint,
    },
    types::{Bitboard, Kind, Move, Square},
};

/// ChaseKind a target is protected against one capture.
pub struct Protection {
    /// What may take back by its way of moving, on squares before the capture.
    pub formal: Bitboard,
    /// The sentence that says so, with the reason for each false root.
    pub text: Text,
    /// The articles that it rests on.
    pub articles: Vec<&'static str>,
}

/// ChaseKind the target of `capture` is protected, on a board where the capturing side moves.
pub fn protection(position: &Position, capture: Move, view: &Viewpoint) -> Protection {
    let value = |square| position.piece_on(square).map_or(0, |piece| worth(piece, square));
    let target = piece_at(position, capture.to());
    let owner = !position.side();
    let occupied = position.occupied().without(capture.from());
    let formal = position.attackers_of(capture.to(), owner, occupied).without(capture.to());
    let mut after = position.clone();
    after.make(capture);
    let real = real_roots(&mut after, capture.to(), view);
    let mut articles = vec!["29.3"];
    if formal.is_empty() {
        let text =
            Text::new(format!("{}无根。", target.zh), format!("The {} has no root.", target.en));
        return Protection { formal, text, articles };
    }
    let mut text = Text::default();
    for root in formal - real {
        let (reason, lent) = why_false(&after, root, capture.to(), view);
        text.push(&reason);
        if lent {
            articles.push("27.1");
        }
    }
    if real.is_empty() {
        articles.push("28.16");
        let mut all = Text::new(
            format!("{}之根是假根。", target.zh),
            format!("The root of the {} is false.", target.en),
        );
        all.push(&text);
        return Protection { formal, text: all, articles };
    }
    let roots = pieces(&after, real);
    if value(capture.from()) < value(capture.to()) {
        articles = vec!["25.3"];
        let (by, what) = (piece_at(position, capture.from()), &target);
        text.push(&Text::new(
            format!("{}有根({})，但{}之价值低于它，互换仍得子。", what.zh, roots.zh, by.zh),
            format!(
                "The {} is protected by the {}, but is worth more than the {}: the trade still wins.",
                what.en, roots.en, by.en
            ),
        ));
    } else {
        articles.push("28.16");
        text.push(&Text::new(
            format!("{}少根：{}不足以保护。", target.zh, roots.zh),
            format!("The {} has too few roots: the {} cannot protect it.", target.en, roots.en),
        ));
    }
    Protection { formal, text, articles }
}

/// Why the piece on `root` cannot really take back on `square`, and whether that is so by the
/// power of the enemy king (27.1).
fn why_false(after: &Position, root: Square, square: Square, view: &Viewpoint) -> (Text, bool) {
    let side = after.side();
    let m = Move::between(root, square);
    let name = piece_at(after, root);
    let (back_zh, _) = (words::line(after, &[m]).zh, ());
    if !view.allows(after, side, m) {
        let occupied = after.occupied().without(root).with(square);
        let king = if root == after.king(side) { square } else { after.king(side) };
        let by = after.king_attackers(side, king, occupied).without(square);
        let lent =
            by.into_iter().any(|s| after.piece_on(s).is_some_and(|p| p.kind() == Kind::King));
        let by = pieces(after, by);
        let text = if root == after.king(side) {
            Text::new(
                format!("{}不能吃回，该处受{}控制。", name.zh, by.zh),
                format!("The {} may not take back, as the {} attacks that point.", name.en, by.en),
            )
        } else if lent {
            Text::new(
                format!("{}如{back_zh}吃回，则将帅照面。", name.zh),
                format!(
                    "The {} may not take back ({m}): the kings would face each other.",
                    name.en
                ),
            )
        } else {
            Text::new(
                format!("{}被牵制，如{back_zh}吃回，则受{}照将。", name.zh, by.zh),
                format!(
                    "The {} is pinned: taking back ({m}) opens a check of the {}.",
                    name.en, by.en
                ),
            )
        };
        return (text, lent);
    }
    let mut taken = after.clone();
    taken.make(m);
    let text = line::mate(&taken).map_or_else(
        || {
            Text::new(
                format!("{}如{back_zh}吃回，另有损失。", name.zh),
                format!("If the {} takes back ({m}), it loses something else.", name.en),
            )
        },
        |mate| {
            let line = words::line(&taken, &mate);
            Text::new(
                format!("{}如{back_zh}吃回，则{}，将死。", name.zh, line.zh),
                format!("If the {} takes back ({m}), then {} is mate.", name.en, line.en),
            )
        },
    );
    (text, false)
}
