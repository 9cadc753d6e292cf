//! How deep a move is searched: reductions of late moves, extensions of singular ones.

use super::{
    Bound, params,
    stack::{Node, NodeState, NonPv},
    worker::Worker,
};
use crate::eval::Score;
use xiangqi::types::Move;

/// log2 in 1024ths, by squaring: no floating point, so that every machine reduces alike.
const fn log2(x: u64) -> i32 {
    let whole = x.ilog2();
    let mut fraction = 0;
    // The number scaled to [1, 2) with 32 bits after the point.
    let mut mantissa = (x as u128) << 32 >> whole;
    let mut bit = 512;
    while bit > 0 {
        mantissa = (mantissa * mantissa) >> 32;
        if mantissa >= 2 << 32 {
            mantissa >>= 1;
            fraction += bit;
        }
        bit /= 2;
    }
    whole as i32 * 1024 + fraction
}

static LOG2: [i32; 128] = {
    let mut table = [0; 128];
    let mut i = 1;
    while i < table.len() {
        table[i] = log2(i as u64);
        i += 1;
    }
    table
};

/// The reduction of the `count`-th move of a node, in 1024ths of a ply.
pub(super) fn reduction(depth: i32, count: usize) -> i32 {
    let log = |n: usize| LOG2[n.min(LOG2.len() - 1)];
    params::lmr_base() + (log(depth as usize) * log(count) / 1024) * params::lmr_factor() / 1024
}

/// What is known of a move when its reduction is chosen.
pub(super) struct LateMove {
    /// Which move of the node it is, from 1.
    pub count: usize,
    /// Whether it takes something.
    pub is_capture: bool,
    /// What its histories say.
    pub history: i32,
    /// Whether it gives check.
    pub gives_check: bool,
}

/// What the search without the table's move tells.
pub(super) enum Singular {
    /// The move is to be searched this much deeper.
    Extend(i32),
    /// Others fail high as well: so does the node, most likely (multi-cut).
    Cut(Score),
}

impl Worker {
    /// The plies by which a late move is reduced, in 1024ths.
    pub(super) fn late_reduction<N: Node>(&self, node: &NodeState, late: &LateMove) -> i32 {
        let when = |condition: bool, amount: i32| if condition { amount } else { 0 };
        let was_pv = node.tt_entry.is_some_and(|entry| entry.was_pv);
        reduction(node.depth, late.count)
            + when(!node.improving, params::lmr_worsening())
            + when(node.cut_node, params::lmr_cut_node())
            - when(N::PV, params::lmr_pv())
            - when(!N::PV && was_pv, params::lmr_was_pv())
            - when(node.in_check || late.gives_check, params::lmr_check())
            - when(late.is_capture, params::lmr_capture())
            + when(node.tt_captures && !late.is_capture, params::lmr_table_capture())
            + when(self.frame(node.ply + 1).cutoffs > 3, params::lmr_cutoffs())
            - late.history * 1024 / params::lmr_history()
    }

    /// Whether the table's move is so much better than all others that it deserves more depth
    /// (singular extensions of Deep Thought, in the form that Stockfish gave them).
    pub(super) fn singularity<N: Node>(&mut self, node: &NodeState, m: Move) -> Singular {
        let none = Singular::Extend(0);
        let Some(entry) = node.tt_entry else { return none };
        if N::ROOT
            || node.excluded.is_some()
            || node.tt_move != Some(m)
            || node.depth < params::singular_depth()
            || node.ply as i32 >= 2 * self.iteration
            || entry.depth < node.depth - 3
            || !matches!(entry.bound, Some(Bound::Lower | Bound::Exact))
            || entry.score.is_decisive()
            || !self.table_is_valid()
        {
            return none;
        }
        let others_beta = entry.score - Score(params::singular_margin() * node.depth / 64);
        let depth = (node.depth - 1) / 2;
        self.frame_mut(node.ply).excluded = Some(m);
        let others = self.search::<NonPv>(
            others_beta - Score(1),
            others_beta,
            depth,
            node.ply,
            node.cut_node,
        );
        self.frame_mut(node.ply).excluded = None;
        if self.stopped {
            none
        } else if others < others_beta {
            let double = !N::PV && others < others_beta - Score(params::double_margin());
            Singular::Extend(1 + i32::from(double))
        } else if others >= node.beta && !others.is_decisive() {
            Singular::Cut(others)
        } else if entry.score >= node.beta {
            Singular::Extend(-2)
        } else if node.cut_node {
            Singular::Extend(-1)
        } else {
            none
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms() {
        // log2(3) = 1.58496, log2(10) = 3.32193, log2(100) = 6.64386, in 1024ths.
        assert_eq!((LOG2[1], LOG2[2], LOG2[64]), (0, 1024, 6144));
        for (x, exact) in [(3, 1622.999), (10, 3401.65), (100, 6803.31)] {
            let error: f64 = f64::from(LOG2[x]) - exact;
            assert!(error.abs() <= 1.0, "log2({x}) = {}", LOG2[x]);
        }
    }
}
