//! Nodes and moves that are given up without a full search.

use super::{
    Bound, params,
    picker::Picker,
    reduce::reduction,
    stack::{Node, NodeState, NonPv},
    tt::Entry,
    worker::Worker,
};
use crate::eval::{Score, see_ge};
use xiangqi::{
    board::Legality,
    types::{Kind, Move},
};

impl Worker {
    /// Gives a node up, or its opponent's hopes, before any move is looked at. The score of the
    /// node then; `path_dependent_from` tells how far up it depends on the path.
    pub(super) fn prune_node<N: Node>(&mut self, node: &NodeState) -> Option<Score> {
        let eval = node.eval?;
        if N::PV || node.excluded.is_some() {
            return None;
        }
        let estimate = node.estimate.unwrap_or(eval);
        self.razor(node, estimate)
            .or_else(|| reverse_futility(node, estimate))
            .or_else(|| self.try_null_move(node, eval, estimate))
            .or_else(|| self.try_probcut(node, eval))
    }

    /// Razoring: far below alpha only captures can help, so let quiescence decide.
    fn razor(&mut self, node: &NodeState, estimate: Score) -> Option<Score> {
        if node.depth > params::razor_depth()
            || estimate + Score(params::razor_margin() * node.depth) >= node.alpha
        {
            return None;
        }
        let score = self.quiesce::<NonPv>(node.alpha, node.alpha + Score(1), node.ply);
        (score <= node.alpha || self.stopped).then_some(score)
    }

    /// Null move, where a cut-off is expected: if passing is good enough, some move is. Without
    /// rooks, horses and cannons zugzwang is near; and since mating nets abound, deep cut-offs are
    /// verified.
    fn try_null_move(&mut self, node: &NodeState, eval: Score, estimate: Score) -> Option<Score> {
        let &NodeState { beta, depth, ply, cut_node, .. } = node;
        if depth < params::null_depth()
            || estimate < beta
            || eval < beta - Score(params::null_eval_margin() * depth)
            || !cut_node
            || beta.0 <= -Score::EVAL_LIMIT.0
            || ply < self.null_from_ply
            || ply > 0 && self.frame(ply - 1).played.is_none()
            || !self.has_pieces()
        {
            return None;
        }
        let surplus = (estimate - beta).0 / params::null_eval_divisor();
        let reduction = params::null_base()
            + depth / params::null_depth_divisor()
            + surplus.min(params::null_eval_max());
        let reduced = depth - reduction;
        let undo = self.make_null(ply);
        let score = -self.search::<NonPv>(-beta, -beta + Score(1), reduced, ply + 1, !cut_node);
        self.unmake_null(undo);
        if self.stopped || score < beta {
            return None;
        }
        // A mate found after passing is not proved.
        let score = if score.is_decisive() { beta } else { score };
        if depth < params::null_verify_depth() || self.null_from_ply > 0 {
            return Some(score);
        }
        // For some plies nobody may pass.
        self.null_from_ply = ply + 3 * reduced.max(1) as usize / 4;
        let verified = self.search::<NonPv>(beta - Score(1), beta, reduced, ply, false);
        self.null_from_ply = 0;
        (!self.stopped && verified >= beta).then_some(score)
    }

    fn has_pieces(&self) -> bool {
        let pieces = self.position.by_kind(Kind::Rook)
            | self.position.by_kind(Kind::Horse)
            | self.position.by_kind(Kind::Cannon);
        !pieces.is_disjoint(self.position.by_side(self.position.side()))
    }

    /// ProbCut (Buro 1995): a capture that is far above beta in a shallow search, or a table entry
    /// that is, will be above beta in a deep one.
    fn try_probcut(&mut self, node: &NodeState, eval: Score) -> Option<Score> {
        let &NodeState { beta, depth, ply, cut_node, .. } = node;
        if beta.is_decisive() {
            return None;
        }
        let far = beta + Score(params::small_probcut_margin());
        if let Some(entry) = node.tt_entry
            && entry.depth >= depth - 4
            && matches!(entry.bound, Some(Bound::Lower | Bound::Exact))
            && entry.score >= far
            && !entry.score.is_decisive()
            && self.table_is_valid()
        {
            return Some(far);
        }
        let target = beta + Score(params::probcut_margin());
        let known_below = node.tt_entry.is_some_and(|entry| {
            entry.bound.is_some() && entry.depth >= depth - 3 && entry.score < target
        });
        if depth < params::probcut_depth() || known_below {
            return None;
        }
        let mut picker = Picker::winning(&self.position, node.tt_move, target - eval);
        let legality = Legality::of(&self.position);
        while let Some(m) = picker.next(&self.position, &self.histories, &node.context) {
            if !legality.allows(&self.position, m) {
                continue;
            }
            let undo = self.make(m, ply);
            let mut score = -self.quiesce::<NonPv>(-target, -target + Score(1), ply + 1);
            if score >= target && !self.stopped {
                score = -self.search::<NonPv>(
                    -target,
                    -target + Score(1),
                    depth - 4,
                    ply + 1,
                    !cut_node,
                );
            }
            self.unmake(m, undo);
            if self.stopped {
                return None;
            }
            if score >= target {
                if self.path_dependent_from >= ply as i32 {
                    let entry = Entry {
                        best: Some(m),
                        score,
                        bound: Some(Bound::Lower),
                        eval: node.raw_eval,
                        depth: depth - 3,
                        was_pv: node.tt_entry.is_some_and(|entry| entry.was_pv),
                    };
                    let key = self.table_key();
                    self.table.store(key, ply, entry);
                }
                return Some(if score.is_decisive() { score } else { beta });
            }
        }
        None
    }

    /// Whether a move may be left out of a shallow search; may tell the picker to leave all further
    /// quiet moves out, but for checks.
    pub(super) fn is_futile(
        &self,
        node: &NodeState,
        m: Move,
        count: usize,
        history: i32,
        picker: &mut Picker,
    ) -> bool {
        let depth = node.depth;
        if self.is_capture_here(m) {
            return self.loses_material(m, depth, params::see_capture_margin() * depth);
        }
        // Late moves of a well-ordered list.
        let enough = (params::lmp_base() + params::lmp_factor() * depth * depth)
            / (2 - i32::from(node.improving));
        if count as i32 > enough {
            picker.skip_quiets();
            if !self.position.gives_check(m) {
                return true;
            }
        }
        let reduced = (depth - reduction(depth, count) / 1024).max(0);
        // Moves that never did any good.
        if depth <= params::history_pruning_depth()
            && history < -params::history_pruning_margin() * depth
        {
            return true;
        }
        // Quiet moves do not bring the evaluation up to alpha.
        let margin = params::futility_base() + params::futility_margin() * reduced;
        if reduced <= params::futility_depth()
            && node.eval.is_some_and(|eval| eval + Score(margin) <= node.alpha)
            && !self.position.gives_check(m)
        {
            return true;
        }
        self.loses_material(m, depth, params::see_quiet_margin() * depth)
    }

    /// Whether a shallow search may leave a move out for what it loses in exchange. A check may be
    /// the mate: the exchange does not know of pinned defenders.
    fn loses_material(&self, m: Move, depth: i32, margin: i32) -> bool {
        depth <= params::see_depth()
            && !see_ge(&self.position, m, Score(-margin))
            && !self.position.gives_check(m)
    }
}

/// Reverse futility: so far above beta that the opponent's next moves will not change it.
fn reverse_futility(node: &NodeState, estimate: Score) -> Option<Score> {
    let plies = node.depth - i32::from(node.improving);
    let margin = Score(params::reverse_futility_margin() * plies);
    let holds = node.depth <= params::reverse_futility_depth()
        && estimate - margin >= node.beta
        && !node.beta.is_decisive()
        && !estimate.is_decisive();
    holds.then_some(estimate)
}
