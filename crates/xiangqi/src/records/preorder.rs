//! Trees written node by node, each before its continuation and that before its alternatives, as
//! XQF and CCBridge have them.

use super::fields::text_of;
use crate::{
    notation::{GameTree, Loss, LossReason, NodeId, Place},
    types::Move,
};

/// Plants nodes in the order of such a file. Nothing recurses: a file holds tens of thousands.
pub struct Planter {
    /// The game so far.
    pub tree: GameTree,
    /// What could not be kept.
    pub losses: Vec<Loss>,
    /// Where the next node belongs, and how deep it stands; `None` behind a move that is refused.
    parent: Option<NodeId>,
    depth: usize,
    /// Where the alternatives still to come belong.
    open: Vec<(Option<NodeId>, usize)>,
    done: bool,
}

impl Planter {
    /// Begins with a game that has no moves; `goes_on` tells whether any follow.
    pub fn new(tree: GameTree, goes_on: bool) -> Self {
        let root = tree.root();
        let open = Vec::new();
        Self { tree, losses: Vec::new(), parent: Some(root), depth: 0, open, done: !goes_on }
    }

    /// Whether the last node has come.
    pub const fn is_done(&self) -> bool {
        self.done
    }

    /// Adds a node: its move (`None` if the file has no two squares there), its comment, whether a
    /// continuation follows, and whether an alternative to it comes later.
    pub fn plant(&mut self, m: Option<Move>, comment: &str, continues: bool, alternative: bool) {
        let place = Place { ply: Some(self.depth + 1), ..Place::default() };
        let node = self.parent.and_then(|parent| {
            let refused = match m.map(|m| self.tree.add_move(parent, m)) {
                Some(Ok(node)) => return Some(node),
                Some(Err(illegal)) => LossReason::Illegal(illegal.0),
                None => LossReason::NoMove,
            };
            self.losses.push(Loss::new(place, "", refused));
            None
        });
        if let Some(node) = node {
            self.tree.add_comment(node, comment);
        }
        if alternative {
            self.open.push((self.parent, self.depth));
        }
        if continues {
            (self.parent, self.depth) = (node, self.depth + 1);
        } else if let Some(next) = self.open.pop() {
            (self.parent, self.depth) = next;
        } else {
            self.done = true;
        }
    }

    /// Notes that the file is broken and ends here.
    pub fn break_off(&mut self, reason: LossReason) {
        self.losses.push(Loss::new(Place::default(), "", reason));
        self.done = true;
    }
}

/// The nodes of a tree in that order, the start left out, with what such a file says of each: the
/// move, the comment, whether a continuation follows, whether an alternative does.
pub fn nodes(tree: &GameTree) -> impl Iterator<Item = (Move, String, bool, bool)> + '_ {
    tree.depth_first().filter_map(|node| {
        let continues = tree.first_child(node).is_some();
        let alternative = tree.next_sibling(node).is_some();
        Some((tree.played(node)?, text_of(tree, node), continues, alternative))
    })
}
