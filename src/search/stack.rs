//! What the search knows of one node and of one ply: the kinds of nodes, the state of a node, and the
//! stack of the line that is searched.

use super::{
    history::{Context, PieceTo},
    tt::Entry,
};
use crate::eval::{MAX_PLY, Score};
use arrayvec::ArrayVec;
use xiangqi::types::{Key, Move, MoveList};

/// A reach that no decisive repetition has.
pub(super) const PATH_FREE: i32 = i32::MAX;

/// A line of moves.
pub(super) type Line = ArrayVec<Move, MAX_PLY>;

/// What is kept for each ply of the line that is searched.
#[derive(Clone, Copy, Default)]
pub(super) struct StackEntry {
    /// The corrected evaluation; `None` in check.
    pub eval: Option<Score>,
    /// The move that a search of the other moves leaves out.
    pub excluded: Option<Move>,
    /// How often this ply was cut off since its parent was entered.
    pub cutoffs: u32,
    /// Quiet moves that cut off a sibling.
    pub killers: [Option<Move>; 2],
    /// The move made from here; `None` = null move.
    pub played: Option<PieceTo>,
    /// Whether that move took nothing.
    pub quiet: bool,
}

/// What kind of node is searched; the compiler makes one search of each.
pub(super) trait Node {
    /// On the principal variation: searched with an open window.
    const PV: bool;
    /// The root.
    const ROOT: bool;
}

/// The root of the search.
pub(super) struct Root;
/// A node on the principal variation.
pub(super) struct Pv;
/// A node that only has to show on which side of a bound it lies.
pub(super) struct NonPv;

impl Node for Root {
    const PV: bool = true;
    const ROOT: bool = true;
}

impl Node for Pv {
    const PV: bool = true;
    const ROOT: bool = false;
}

impl Node for NonPv {
    const PV: bool = false;
    const ROOT: bool = false;
}

/// What a node knows of itself before its moves are looked at.
pub(super) struct NodeState {
    pub alpha: Score,
    pub beta: Score,
    pub depth: i32,
    pub ply: usize,
    /// A cut-off is expected.
    pub cut_node: bool,
    pub in_check: bool,
    /// A move that is left out, to see how good the others are.
    pub excluded: Option<Move>,
    pub tt_entry: Option<Entry>,
    pub tt_move: Option<Move>,
    /// Whether that move takes something.
    pub tt_captures: bool,
    /// The evaluation as the evaluator gives it; `None` in check.
    pub raw_eval: Option<Score>,
    /// The evaluation, corrected by experience.
    pub eval: Option<Score>,
    /// The same, or the table's score if that tells more.
    pub estimate: Option<Score>,
    /// Whether things go up for the mover.
    pub improving: bool,
    pub context: Context,
    /// Under which key the table knows the position.
    pub key: Key,
    /// The scores that the rules leave possible.
    pub range: ScoreRange,
    /// Whether moves are left out, so that the result says nothing of the position.
    pub restricted: bool,
}

/// The scores that a node can have under the rules.
#[derive(Clone, Copy)]
pub(super) struct ScoreRange {
    /// At least this: the opponent broke the rules in a cycle, once, and may only change now.
    pub least: Score,
    /// At most this: the mover broke them.
    pub most: Score,
    /// From which ply on that depends on the path.
    pub reach: i32,
}

impl Default for ScoreRange {
    fn default() -> Self {
        Self { least: -Score::INFINITE, most: Score::INFINITE, reach: PATH_FREE }
    }
}

impl ScoreRange {
    /// Whether every score is possible.
    pub fn is_open(&self) -> bool {
        self.reach == PATH_FREE
    }
}

/// The moves of a node that were tried in vain.
#[derive(Default)]
pub(super) struct Tried {
    pub quiets: MoveList,
    pub captures: MoveList,
}

impl Tried {
    pub fn add(&mut self, m: Move, is_capture: bool) {
        // A list that is full has learnt enough.
        let _ = if is_capture { &mut self.captures } else { &mut self.quiets }.try_push(m);
    }
}
