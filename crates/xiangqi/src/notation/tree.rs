//! A game with its variations: the one form that every reader makes and every writer takes.

use crate::{
    board::{Position, Undo},
    game::{Game, IllegalMove},
    types::Move,
};
use std::fmt;

/// How a game ended, as a record states it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum GameResult {
    /// Red won.
    RedWins,
    /// Black won.
    BlackWins,
    /// A draw.
    Draw,
    /// Not known, or the game goes on.
    #[default]
    Unknown,
}

impl GameResult {
    /// As PGN writes it: `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub const fn pgn(self) -> &'static str {
        match self {
            Self::RedWins => "1-0",
            Self::BlackWins => "0-1",
            Self::Draw => "1/2-1/2",
            Self::Unknown => "*",
        }
    }

    /// Reads what [`GameResult::pgn`] writes, with half points spelled `1/2`, `½` or `0.5` too, and
    /// the Chinese words 红胜, 黑胜, 和 (also 先胜, 先负, 先和, 和棋, 和局) in either script.
    pub fn from_text(text: &str) -> Option<Self> {
        Some(match text.trim() {
            "1-0" | "红胜" | "紅勝" | "红方胜" | "紅方勝" | "先胜" | "先勝" => {
                Self::RedWins
            }
            "0-1" | "黑胜" | "黑勝" | "黑方胜" | "黑方勝" | "先负" | "先負" => {
                Self::BlackWins
            }
            "1/2-1/2" | "1/2" | "½-½" | "½" | "0.5-0.5" | "和" | "和棋" | "和局" | "先和" => {
                Self::Draw
            }
            "*" | "?" | "未知" => Self::Unknown,
            _ => return None,
        })
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.pgn())
    }
}

/// One node of a [`GameTree`]: the start, or a move. Valid for the tree that gave it out.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct NodeId(u32);

impl NodeId {
    const fn index(self) -> usize {
        self.0 as usize
    }
}

/// What people wrote beside a move. Boxed apart: most nodes have none of it.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
struct Notes {
    before: String,
    after: String,
    nags: Vec<u8>,
}

#[derive(Clone, Default)]
struct Node {
    /// `None` for the start only.
    played: Option<Move>,
    /// Plies from the start.
    depth: u32,
    parent: Option<NodeId>,
    first_child: Option<NodeId>,
    last_child: Option<NodeId>,
    next_sibling: Option<NodeId>,
    notes: Option<Box<Notes>>,
}

/// A board that walks along the tree, so that adding a move behind the last one costs one move.
#[derive(Clone)]
struct Cursor {
    position: Position,
    /// The nodes from the start to where the cursor stands, the start left out.
    path: Vec<(NodeId, Move, Undo)>,
}

/// A game: headers, start position, and a tree of legal moves with comments and NAGs.
///
/// The first child of a node is its main continuation, the others are variations in the order of
/// the record. All moves are legal where they stand. Nothing here recurses, so depth and breadth
/// are bounded by memory only.
///
/// Side to move and FEN belong to [`GameTree::start`], the result to [`GameTree::result`]; neither
/// is among the headers.
#[derive(Clone)]
pub struct GameTree {
    /// Names and values in the order of the record, by the names of PGN where these exist: Event,
    /// Site, Date, Round, Red, Black, Annotator, ...
    pub headers: Vec<(String, String)>,
    /// The result that the record states.
    pub result: GameResult,
    start: Position,
    nodes: Vec<Node>,
    cursor: Cursor,
}

impl GameTree {
    /// A game without moves.
    pub fn new(start: Position) -> Self {
        Self {
            headers: Vec::new(),
            result: GameResult::Unknown,
            cursor: Cursor { position: start.clone(), path: Vec::new() },
            start,
            nodes: vec![Node::default()],
        }
    }

    /// The start of the game, which every other node descends from.
    pub const fn root(&self) -> NodeId {
        NodeId(0)
    }

    /// The position before the first move.
    pub const fn start(&self) -> &Position {
        &self.start
    }

    /// How many moves the tree holds, variations included.
    pub const fn move_count(&self) -> usize {
        self.nodes.len() - 1
    }

    // --- headers ---

    /// The value of the first header with this name, in any case of letters.
    pub fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }

    /// Sets a header, in place where it exists and behind the others where not.
    pub fn set_header(&mut self, name: &str, value: impl Into<String>) {
        let value = value.into();
        match self.headers.iter_mut().find(|(known, _)| known.eq_ignore_ascii_case(name)) {
            Some((_, old)) => *old = value,
            None => self.headers.push((name.to_owned(), value)),
        }
    }

    // --- building ---

    /// Adds a move behind `parent`, after the children that it has. A move that is a child already
    /// is added once more: see [`GameTree::child`].
    ///
    /// # Errors
    /// If the move is not legal there; the tree is unchanged then.
    ///
    /// # Panics
    /// If `parent` is of another tree and no node of this one.
    pub fn add_move(&mut self, parent: NodeId, m: Move) -> Result<NodeId, IllegalMove> {
        self.walk_to(parent);
        if !self.cursor.position.is_legal(m) {
            return Err(IllegalMove(m));
        }
        let id = NodeId(u32::try_from(self.nodes.len()).map_err(|_| IllegalMove(m))?);
        let depth = self.nodes[parent.index()].depth + 1;
        self.nodes.push(Node { played: Some(m), depth, parent: Some(parent), ..Node::default() });
        let last = self.nodes[parent.index()].last_child.replace(id);
        match last {
            Some(last) => self.nodes[last.index()].next_sibling = Some(id),
            None => self.nodes[parent.index()].first_child = Some(id),
        }
        let undo = self.cursor.position.make(m);
        self.cursor.path.push((id, m, undo));
        Ok(id)
    }

    /// Takes the node added last out again, if it is a leaf (it is, unless it is the start).
    pub fn remove_last(&mut self) {
        let Some(parent) = self.nodes.last().and_then(|node| node.parent) else { return };
        let id = NodeId(self.nodes.len() as u32 - 1);
        self.walk_to(parent);
        let before = self.children(parent).take_while(|&child| child != id).last();
        self.nodes.pop();
        match before {
            Some(before) => self.nodes[before.index()].next_sibling = None,
            None => self.nodes[parent.index()].first_child = None,
        }
        self.nodes[parent.index()].last_child = before;
    }

    /// Brings the cursor to a node: back to the last common node, then forward.
    fn walk_to(&mut self, node: NodeId) {
        let Self { cursor: Cursor { position, path }, nodes, .. } = self;
        let mut forward = Vec::new();
        let mut at = node;
        loop {
            let here = &nodes[at.index()];
            let depth = here.depth as usize;
            let Some(above) = depth.checked_sub(1) else { break };
            if path.get(above).is_some_and(|(known, ..)| *known == at) {
                break;
            }
            forward.push(at);
            let Some(parent) = here.parent else { break };
            at = parent;
        }
        let common = nodes[at.index()].depth as usize;
        while path.len() > common {
            let Some((_, m, undo)) = path.pop() else { break };
            position.unmake(m, undo);
        }
        for id in forward.into_iter().rev() {
            if let Some(m) = nodes[id.index()].played {
                path.push((id, m, position.make(m)));
            }
        }
    }

    /// The position at a node, found with the tree's own board: cheap for a node near the one asked
    /// for last.
    pub fn position_here(&mut self, node: NodeId) -> &Position {
        self.walk_to(node);
        &self.cursor.position
    }

    // --- looking ---

    /// The move that leads to a node; `None` for the start.
    pub fn played(&self, node: NodeId) -> Option<Move> {
        self.nodes[node.index()].played
    }

    /// The node before this one; `None` for the start.
    pub fn parent(&self, node: NodeId) -> Option<NodeId> {
        self.nodes[node.index()].parent
    }

    /// Plies from the start to a node.
    pub fn depth(&self, node: NodeId) -> usize {
        self.nodes[node.index()].depth as usize
    }

    /// The main continuation.
    pub fn first_child(&self, node: NodeId) -> Option<NodeId> {
        self.nodes[node.index()].first_child
    }

    /// The next alternative to this node's move.
    pub fn next_sibling(&self, node: NodeId) -> Option<NodeId> {
        self.nodes[node.index()].next_sibling
    }

    /// All continuations, the main one first.
    pub fn children(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(self.first_child(node), |&child| self.next_sibling(child))
    }

    /// The first child with this move.
    pub fn child(&self, node: NodeId, m: Move) -> Option<NodeId> {
        self.children(node).find(|&child| self.played(child) == Some(m))
    }

    /// The nodes of the main line from the first move on; the start is not among them.
    pub fn main_line(&self) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(self.first_child(self.root()), |&node| self.first_child(node))
    }

    /// The moves of the main line.
    pub fn main_moves(&self) -> impl Iterator<Item = Move> + '_ {
        self.main_line().filter_map(|node| self.played(node))
    }

    /// The main line as a game.
    pub fn main_game(&self) -> Game {
        let mut game = Game::new(self.start.clone());
        for m in self.main_moves() {
            game.play_legal(m);
        }
        game
    }

    /// The moves from the start to a node.
    pub fn moves_to(&self, node: NodeId) -> Vec<Move> {
        let up = std::iter::successors(Some(node), |&at| self.parent(at));
        let mut moves: Vec<Move> = up.filter_map(|at| self.played(at)).collect();
        moves.reverse();
        moves
    }

    /// The position at a node.
    pub fn position_at(&self, node: NodeId) -> Position {
        let mut position = self.start.clone();
        for m in self.moves_to(node) {
            position.make(m);
        }
        position
    }

    /// Every node, each before its children and its children in order: the start, the main line to
    /// its end, then the variations from the last to the first.
    pub fn depth_first(&self) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(Some(self.root()), |&node| {
            self.first_child(node).or_else(|| {
                std::iter::successors(Some(node), |&at| self.parent(at))
                    .find_map(|at| self.next_sibling(at))
            })
        })
    }

    // --- notes ---

    fn notes(&self, node: NodeId) -> Option<&Notes> {
        self.nodes[node.index()].notes.as_deref()
    }

    fn notes_mut(&mut self, node: NodeId) -> &mut Notes {
        self.nodes[node.index()].notes.get_or_insert_default()
    }

    /// The comment behind the move; at the start, the comment on the game. Empty if there is none.
    pub fn comment(&self, node: NodeId) -> &str {
        self.notes(node).map_or("", |notes| &notes.after)
    }

    /// The comment before the move, as it opens a variation. Empty if there is none.
    pub fn comment_before(&self, node: NodeId) -> &str {
        self.notes(node).map_or("", |notes| &notes.before)
    }

    /// Marks beside the move, by their numbers in PGN: 1 good, 2 bad, 3 very good, ...
    pub fn nags(&self, node: NodeId) -> &[u8] {
        self.notes(node).map_or(&[], |notes| &notes.nags)
    }

    /// Adds to the comment behind the move, on a line of its own where there is one already. Line
    /// ends become `\n`; blanks around the text go.
    pub fn add_comment(&mut self, node: NodeId, text: &str) {
        if let Some(text) = tidy(text, self.comment(node)) {
            self.notes_mut(node).after = text;
        }
    }

    /// Adds to the comment before the move; otherwise as [`GameTree::add_comment`].
    pub fn add_comment_before(&mut self, node: NodeId, text: &str) {
        if let Some(text) = tidy(text, self.comment_before(node)) {
            self.notes_mut(node).before = text;
        }
    }

    /// Adds a mark that the move does not have yet.
    pub fn add_nag(&mut self, node: NodeId, nag: u8) {
        if !self.nags(node).contains(&nag) {
            self.notes_mut(node).nags.push(nag);
        }
    }
}

/// A comment with a text behind it, or `None` if the text adds nothing.
fn tidy(text: &str, known: &str) -> Option<String> {
    let text = text.trim();
    if text.is_empty() {
        return None;
    }
    let mut out = String::with_capacity(known.len() + 1 + text.len());
    if !known.is_empty() {
        out.push_str(known);
        out.push('\n');
    }
    out.push_str(&text.replace("\r\n", "\n").replace('\r', "\n"));
    Some(out)
}

impl From<&Game> for GameTree {
    fn from(game: &Game) -> Self {
        let mut tree = Self::new(game.start());
        let mut at = tree.root();
        for m in game.moves() {
            match tree.add_move(at, m) {
                Ok(node) => at = node,
                Err(_) => break,
            }
        }
        tree
    }
}

impl PartialEq for GameTree {
    /// Headers, start, result, moves in their order, comments and marks; not the order in which
    /// nodes were added.
    fn eq(&self, other: &Self) -> bool {
        let same_node = |(a, b): (NodeId, NodeId)| {
            let (left, right) = (&self.nodes[a.index()], &other.nodes[b.index()]);
            left.played == right.played
                && left.depth == right.depth
                && self.comment(a) == other.comment(b)
                && self.comment_before(a) == other.comment_before(b)
                && self.nags(a) == other.nags(b)
        };
        self.headers == other.headers
            && self.result == other.result
            && self.start == other.start
            && self.nodes.len() == other.nodes.len()
            && self.depth_first().zip(other.depth_first()).all(same_node)
    }
}

impl Eq for GameTree {}

impl fmt::Debug for GameTree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GameTree")
            .field("headers", &self.headers)
            .field("start", &self.start)
            .field("main_line", &self.main_moves().collect::<Vec<_>>())
            .field("moves", &self.move_count())
            .field("result", &self.result)
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mv(text: &str) -> Move {
        text.parse().unwrap()
    }

    /// Main line h2e2 h9g7 h0g2, and c3c4 for h2e2 with two answers.
    fn sample(variation_first: bool) -> GameTree {
        let mut tree = GameTree::new(Position::start());
        let root = tree.root();
        let cannon = tree.add_move(root, mv("h2e2")).unwrap();
        let pawn = tree.add_move(root, mv("c3c4")).unwrap();
        let lines = |tree: &mut GameTree| {
            tree.add_move(pawn, mv("g6g5")).unwrap();
            tree.add_move(pawn, mv("h7e7")).unwrap();
        };
        if variation_first {
            lines(&mut tree);
        }
        let horse = tree.add_move(cannon, mv("h9g7")).unwrap();
        tree.add_move(horse, mv("h0g2")).unwrap();
        if !variation_first {
            lines(&mut tree);
        }
        tree
    }

    #[test]
    fn a_tree_is_built_in_any_order() {
        let (one, other) = (sample(true), sample(false));
        assert_eq!(one, other);
        assert_eq!(one.move_count(), 6);
        let text = |tree: &GameTree| {
            let moves = tree.depth_first().filter_map(|node| tree.played(node));
            moves.map(|m| m.to_string()).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(text(&one), "h2e2 h9g7 h0g2 c3c4 g6g5 h7e7");
        assert_eq!(text(&other), text(&one));
        assert_eq!(one.main_game().plies().len(), 3);
        let last = one.main_line().last().unwrap();
        assert_eq!(one.depth(last), 3);
        assert_eq!(one.position_at(last), *one.main_game().position());
    }

    #[test]
    fn notes_count_in_comparisons() {
        let plain = sample(true);
        let first = plain.main_line().next().unwrap();
        let mut noted = plain.clone();
        noted.add_comment(first, " one\r\ntwo ");
        noted.add_comment(first, "three");
        assert_eq!(noted.comment(first), "one\ntwo\nthree");
        assert_ne!(noted, plain);
        let mut marked = plain.clone();
        marked.add_nag(first, 1);
        marked.add_nag(first, 1);
        assert_eq!(marked.nags(first), [1]);
        assert_ne!(marked, plain);
        let mut named = plain.clone();
        named.set_header("Red", "A");
        named.set_header("red", "B");
        assert_eq!(named.header("RED"), Some("B"));
        assert_ne!(named, plain);
    }

    #[test]
    fn illegal_moves_change_nothing() {
        let mut tree = sample(true);
        let root = tree.root();
        assert_eq!(tree.add_move(root, mv("h9g7")), Err(IllegalMove(mv("h9g7"))));
        assert_eq!(tree, sample(true));
        let added = tree.add_move(root, mv("b2e2")).unwrap();
        assert_eq!(tree.children(root).last(), Some(added));
        tree.remove_last();
        assert_eq!(tree, sample(true));
        assert_eq!(tree.position_here(root), &Position::start());
    }

    #[test]
    fn a_long_line_needs_no_stack() {
        let mut tree = GameTree::new(Position::start());
        let mut at = tree.root();
        for m in ["h0g2", "h9g7", "g2h0", "g7h9"].map(mv).into_iter().cycle().take(200_000) {
            at = tree.add_move(at, m).unwrap();
        }
        assert_eq!(tree.depth(at), 200_000);
        assert_eq!(tree.depth_first().count(), 200_001);
        assert_eq!(tree, tree.clone());
    }
}
