//! The main search: one node of the tree.

use super::{
    Bound,
    history::{self, Context},
    params,
    picker::Picker,
    repetition::Outcome,
    table::Entry,
    worker::{NEVER, Worker},
};
use crate::{
    board::Legality,
    types::{Kind, MAX_PLY, Move, MoveList, Score},
};

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
fn reduction(depth: i32, count: usize) -> i32 {
    let log = |n: usize| LOG2[n.min(LOG2.len() - 1)];
    params::LMR_BASE + (log(depth as usize) * log(count) / 1024) * params::LMR_FACTOR / 1024
}

impl Worker {
    /// Searches the node `ply` plies from the root to `depth`. The score is exact within the
    /// window and a bound outside it. Leaves in `rule_reach` how far up the result depends on the
    /// way that led here.
    pub(super) fn search<N: Node>(
        &mut self,
        mut alpha: Score,
        mut beta: Score,
        depth: i32,
        ply: usize,
        cut_node: bool,
    ) -> Score {
        // 1. Out of depth: let the captures settle.
        if depth <= 0 {
            return self.quiesce::<N>(alpha, beta, ply);
        }
        self.enter_node(ply, N::PV);

        // 2. Stop, or leave a position that is decided whatever is played.
        if self.should_stop() {
            return Score::DRAW;
        }
        if !N::ROOT {
            if let Some(score) = self.decided(ply) {
                return score;
            }
            // No mate below can be shorter than one already found nearer to the root.
            alpha = alpha.max(Score::mated_in(ply));
            beta = beta.min(Score::mate_in(ply + 1));
            if alpha >= beta {
                return alpha;
            }
        }

        let key = self.position.key();
        let in_check = self.position.in_check();
        let excluded = N::ROOT && self.root_is_restricted();

        // 3. The table may know enough already.
        let known = self.table.probe(key, ply);
        let table_move = if N::ROOT {
            self.root_moves.get(self.line).map(|root| root.played)
        } else {
            known.and_then(|entry| entry.best)
        };
        if !N::PV
            && let Some(entry) = known
            && entry.depth >= depth
            && self.table_settles(&entry, beta)
        {
            return entry.score;
        }

        // 4. The static evaluation, and whether things go up for the mover.
        let eval = self.static_eval(known.as_ref());
        self.frame_mut(ply).eval = eval;
        let improving =
            eval.is_some_and(|now| self.eval_before(ply).is_some_and(|before| now > before));

        if !N::PV
            && let Some(eval) = eval
        {
            if let Some(score) = self.prune_node(alpha, beta, depth, ply, eval, improving) {
                return score;
            }
            if let Some(score) = self.try_null_move(beta, depth, ply, eval, cut_node) {
                return score;
            }
            if self.stopped {
                return Score::DRAW;
            }
        }

        // 5. The moves, one by one.
        let killers = self.frame(ply).killers;
        let mut picker = Picker::all(&self.position, table_move, killers);
        let mut next_root = self.line;
        let context = self.context(ply);
        let legality = Legality::of(&self.position);
        self.frame_mut(ply + 1).killers = [None; 2];
        let alpha_before = alpha;
        let mut best_score = -Score::INFINITE;
        let mut best_move = None;
        let mut count = 0;
        let mut quiets = MoveList::new();
        let mut reach = NEVER;

        while let Some(m) = self.next_move::<N>(&mut picker, &mut next_root, &context) {
            if !N::ROOT && !legality.allows(&self.position, m) {
                continue;
            }
            count += 1;
            let is_capture = self.position.piece_on(m.to()).is_some();

            // 6. Moves that are not worth a shallow search. The first one always is, so that there
            // is a score to hold on to.
            if !N::ROOT
                && best_score.0 > -Score::EVAL_LIMIT.0
                && self.is_futile(m, count, depth, alpha, eval, improving, &mut picker)
            {
                continue;
            }

            let nodes_before = self.nodes;
            let undo = self.make(m, ply);
            let new_depth = depth - 1;
            let mut child_reach = NEVER;

            // 7. Late moves are searched to a reduced depth first: in a well-ordered list they
            // rarely matter.
            let mut score = Score::DRAW;
            let mut full_search = !N::PV || count > 1;
            if depth >= params::LMR_DEPTH && count > 1 + usize::from(N::ROOT) && !is_capture {
                let mut r = reduction(depth, count);
                r += if improving { 0 } else { 512 };
                r += if cut_node { 1024 } else { 0 };
                r -= if N::PV { 1024 } else { 0 };
                r -= if in_check || self.position.in_check() { 1024 } else { 0 };
                let reduced = (new_depth - r / 1024).clamp(1, new_depth);
                score = -self.search::<NonPv>(-alpha - Score(1), -alpha, reduced, ply + 1, true);
                child_reach = child_reach.min(self.rule_reach);
                full_search = score > alpha && reduced < new_depth;
            }
            // 8. With a closed window at full depth: is the move better than the best so far?
            if full_search {
                let cut = !cut_node;
                score = -self.search::<NonPv>(-alpha - Score(1), -alpha, new_depth, ply + 1, cut);
                child_reach = child_reach.min(self.rule_reach);
            }
            // 9. On the principal variation the exact score is wanted.
            if N::PV && (count == 1 || score > alpha) {
                score = -self.search::<Pv>(-beta, -alpha, new_depth, ply + 1, false);
                child_reach = child_reach.min(self.rule_reach);
            }
            self.unmake(m, undo);
            if self.stopped {
                return Score::DRAW;
            }
            if N::ROOT {
                let spent = self.nodes - nodes_before;
                self.note_root_move(m, score, spent, count == 1 || score > alpha);
            }

            // 10. What the move changes. A cut-off depends on this move alone, all else on every
            // move.
            reach = if score >= beta { child_reach } else { reach.min(child_reach) };
            if score > best_score {
                best_score = score;
                if score > alpha {
                    best_move = Some(m);
                    if N::PV {
                        self.extend_pv(m, ply);
                    }
                    if score >= beta {
                        break;
                    }
                    alpha = score;
                }
            }
            if !is_capture && quiets.len() < quiets.capacity() {
                quiets.push(m);
            }
        }

        // 11. No legal move: mated, or stalemated, which loses as well (困毙).
        if count == 0 {
            self.rule_reach = NEVER;
            return Score::mated_in(ply);
        }

        // 12. Learn from a cut-off.
        if best_score >= beta
            && let Some(m) = best_move
        {
            self.reward(m, &quiets, depth, ply, &context);
        }

        // 13. Remember the result, unless it holds only on this way here.
        let tainted = reach < ply as i32;
        if !excluded {
            let bound = if best_score >= beta {
                Bound::Lower
            } else if best_score > alpha_before {
                Bound::Exact
            } else {
                Bound::Upper
            };
            let entry = Entry {
                best: best_move,
                score: if tainted { Score::DRAW } else { best_score },
                bound: (!tainted).then_some(bound),
                eval,
                depth,
                was_pv: N::PV || known.is_some_and(|entry| entry.was_pv),
            };
            self.table.store(key, ply, entry);
        }
        self.rule_reach = reach;
        best_score
    }

    /// Whether the node has a score without looking at its moves: by repetition, by the natural
    /// limit, or because the tree ends here.
    pub(super) fn decided(&mut self, ply: usize) -> Option<Score> {
        if let Some(cycle) = self.path.cycle() {
            let outcome = self.rulings.outcome(&self.path, &self.position, cycle);
            if outcome == Outcome::Draw {
                return Some(self.draw(ply));
            }
            self.rule_reach = ply as i32 - cycle.plies as i32;
            return Some(outcome.score(ply));
        }
        if self.path.limit_reached(self.position.halfmove_clock(), self.rulings.rules()) {
            // Mate on the board comes first.
            let mated = self.position.in_check() && !self.position.has_legal_move();
            return Some(if mated { Score::mated_in(ply) } else { self.draw(ply) });
        }
        if ply >= MAX_PLY - 1 {
            return Some(if self.position.in_check() { Score::DRAW } else { self.evaluate() });
        }
        None
    }

    /// Whether a table entry tells on which side of `beta` the node is. Near the natural limit none
    /// does: its score was found with more moves left.
    pub(super) fn table_settles(&self, entry: &Entry, beta: Score) -> bool {
        entry.settles(beta) && self.position.halfmove_clock() < params::TABLE_CLOCK_LIMIT
    }

    /// The evaluation, from the table if it stands there; `None` in check.
    pub(super) fn static_eval(&mut self, known: Option<&Entry>) -> Option<Score> {
        if self.position.in_check() {
            return None;
        }
        known.and_then(|entry| entry.eval).or_else(|| Some(self.evaluate()))
    }

    /// Gives a node up, or its opponent's hopes, by its evaluation.
    fn prune_node(
        &mut self,
        alpha: Score,
        beta: Score,
        depth: i32,
        ply: usize,
        eval: Score,
        improving: bool,
    ) -> Option<Score> {
        // Razoring: far below alpha only captures can help, so let quiescence decide.
        if depth <= params::RAZOR_DEPTH && eval + Score(params::RAZOR_MARGIN * depth) < alpha {
            let score = self.quiesce::<NonPv>(alpha, alpha + Score(1), ply);
            if score <= alpha || self.stopped {
                return Some(score);
            }
        }
        // Reverse futility: so far above beta that the opponent's next moves will not change it.
        let margin = Score(params::REVERSE_FUTILITY_MARGIN * (depth - i32::from(improving)));
        if depth <= params::REVERSE_FUTILITY_DEPTH
            && eval - margin >= beta
            && !beta.is_decisive()
            && !eval.is_decisive()
        {
            return Some(eval);
        }
        None
    }

    /// Whether a move may be left out of a shallow search; may tell the picker to leave all further
    /// quiet moves out.
    #[expect(clippy::too_many_arguments, reason = "all of them are the node's local state")]
    fn is_futile(
        &self,
        m: Move,
        count: usize,
        depth: i32,
        alpha: Score,
        eval: Option<Score>,
        improving: bool,
        picker: &mut Picker,
    ) -> bool {
        let is_capture = self.position.piece_on(m.to()).is_some();
        if !is_capture {
            // Late moves of a well-ordered list.
            let enough = (params::LMP_BASE + params::LMP_FACTOR * depth * depth)
                / (2 - i32::from(improving));
            if count as i32 > enough {
                picker.skip_quiets();
                return true;
            }
            // Quiet moves do not bring the evaluation up to alpha.
            let reduced = (depth - reduction(depth, count) / 1024).max(0);
            let margin = params::FUTILITY_BASE + params::FUTILITY_MARGIN * reduced;
            if reduced <= params::FUTILITY_DEPTH
                && eval.is_some_and(|eval| eval + Score(margin) <= alpha)
                && !self.position.gives_check(m)
            {
                return true;
            }
        }
        // Moves that lose material.
        let margin = if is_capture {
            params::SEE_CAPTURE_MARGIN * depth
        } else {
            params::SEE_QUIET_MARGIN * depth
        };
        depth <= params::SEE_DEPTH && !self.position.see_ge(m, Score(-margin))
    }

    /// Null move: if passing is good enough, some move is. Without rooks, horses and cannons
    /// zugzwang is near; and since mating nets abound, deep cut-offs are verified.
    fn try_null_move(
        &mut self,
        beta: Score,
        depth: i32,
        ply: usize,
        eval: Score,
        cut_node: bool,
    ) -> Option<Score> {
        if depth < params::NULL_DEPTH
            || eval < beta
            || beta.0 <= -Score::EVAL_LIMIT.0
            || ply < self.null_from_ply
            || ply > 0 && self.frame(ply - 1).played.is_none()
            || !self.has_pieces()
        {
            return None;
        }
        let surplus = ((eval - beta).0 / params::NULL_EVAL_DIVISOR).min(params::NULL_EVAL_MAX);
        let reduction = params::NULL_BASE + depth / params::NULL_DEPTH_DIVISOR + surplus;
        let reduced = depth - reduction;
        let undo = self.make_null(ply);
        let score = -self.search::<NonPv>(-beta, -beta + Score(1), reduced, ply + 1, !cut_node);
        self.unmake_null(undo);
        if self.stopped || score < beta {
            return None;
        }
        // A mate found after passing is not proved.
        let score = if score.is_decisive() { beta } else { score };
        if depth < params::NULL_VERIFY_DEPTH || self.null_from_ply > 0 {
            return Some(score);
        }
        // For some plies our own side may not pass.
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

    /// The next move of a node: at the root from the list that the iterations keep in order.
    fn next_move<N: Node>(
        &self,
        picker: &mut Picker,
        next_root: &mut usize,
        context: &Context,
    ) -> Option<Move> {
        if N::ROOT {
            let root = self.root_moves.get(*next_root)?;
            *next_root += 1;
            Some(root.played)
        } else {
            picker.next(&self.position, &self.histories, context)
        }
    }

    /// A quiet move that cut off does so again; those tried before it in vain do not.
    fn reward(&mut self, best: Move, quiets: &[Move], depth: i32, ply: usize, context: &Context) {
        if self.position.piece_on(best.to()).is_some() {
            return;
        }
        let bonus = history::bonus(depth);
        self.histories.update_quiet(&self.position, context, best, bonus);
        for &m in quiets {
            self.histories.update_quiet(&self.position, context, m, -bonus);
        }
        let killers = &mut self.frame_mut(ply).killers;
        if killers[0] != Some(best) {
            *killers = [Some(best), killers[0]];
        }
    }
}

impl Entry {
    /// Whether the stored score shows on which side of `beta` (with a closed window) the node is.
    pub(super) fn settles(&self, beta: Score) -> bool {
        match self.bound {
            Some(Bound::Exact) => true,
            Some(Bound::Lower) => self.score >= beta,
            Some(Bound::Upper) => self.score < beta,
            None => false,
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
