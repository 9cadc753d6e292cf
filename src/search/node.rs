//! The main search: one node of the tree.

use super::{
    Bound, history, params,
    path::Outcome,
    picker::Picker,
    reduce::{LateMove, Singular},
    stack::{Node, NodeState, NonPv, PATH_FREE, Pv, ScoreRange, StackEntry, Tried},
    tt::{Entry, clocked_key},
    worker::Worker,
};
use crate::eval::{MAX_PLY, Score};
use xiangqi::{
    board::Legality,
    types::{Key, Move},
};

/// What the moves of a node came to.
#[derive(Default)]
struct Found {
    score: Score,
    best: Option<Move>,
    /// How many moves were looked at.
    count: usize,
    tried: Tried,
    /// From which ply on the score depends on the path.
    reach: i32,
}

/// A move that is about to be searched.
struct Candidate {
    m: Move,
    is_capture: bool,
    history: i32,
    /// Whether it is not among the good moves any more.
    is_late: bool,
    /// The full depth for its child.
    new_depth: i32,
}

impl Worker {
    /// Searches the node `ply` plies from the root to `depth`. The score is exact within the
    /// window and a bound outside it. Leaves in `path_dependent_from` how far up the result depends
    /// on the path that led here.
    pub(super) fn search<N: Node>(
        &mut self,
        alpha: Score,
        beta: Score,
        depth: i32,
        ply: usize,
        cut_node: bool,
    ) -> Score {
        // Out of depth: let the captures settle.
        if depth <= 0 {
            return self.quiesce::<N>(alpha, beta, ply);
        }
        let mut node = match self.open_node::<N>(alpha, beta, depth, ply, cut_node) {
            Ok(node) => node,
            Err(score) => return score,
        };
        // Nodes that need no search of their moves. Where a rule bounds the score the evaluation
        // tells nothing, and what is found holds on this path only.
        if node.range.is_open()
            && let Some(score) = self.prune_node::<N>(&node)
        {
            return score;
        }
        if self.stopped {
            return Score::DRAW;
        }
        let mut found = Found { score: -Score::INFINITE, reach: PATH_FREE, ..Found::default() };
        match self.search_moves::<N>(&mut node, &mut found) {
            Some(score) => score,
            None => self.close_node::<N>(&node, &found),
        }
    }

    /// What a node knows before its moves are looked at, or its score if that is known at once.
    #[inline(always)]
    fn open_node<N: Node>(
        &mut self,
        mut alpha: Score,
        mut beta: Score,
        mut depth: i32,
        ply: usize,
        cut_node: bool,
    ) -> Result<NodeState, Score> {
        self.enter_node(ply, N::PV);

        // 1. Stop, or leave a position that is decided whatever is played.
        if self.should_stop() {
            return Err(Score::DRAW);
        }
        let mut range = ScoreRange::default();
        if !N::ROOT {
            range = self.score_range(ply)?;
            // No mate below can be shorter than one already found nearer to the root.
            alpha = alpha.max(Score::mated_in(ply)).max(range.least);
            beta = beta.min(Score::mate_in(ply + 1)).min(range.most);
            if alpha >= beta {
                self.path_dependent_from = range.reach;
                return Err(if range.most == beta { beta } else { alpha });
            }
        }

        // 2. The table may know enough already.
        let key = self.table_key();
        let excluded = self.frame(ply).excluded;
        let tt_entry = self.table.probe(key, ply);
        let tt_move = if N::ROOT {
            self.root_moves.get(self.line).map(|root| root.played)
        } else {
            tt_entry.and_then(|entry| entry.best)
        };
        if !N::PV
            && excluded.is_none()
            && range.is_open()
            && let Some(entry) = tt_entry
            && entry.depth >= depth
            && self.table_settles(&entry, beta)
        {
            return Err(entry.score);
        }

        // 3. A node that the table knows no move of is probably not important: come back later
        // (internal iterative reduction). On the principal variation a move found by a far
        // shallower search is not much better.
        let is_shallow =
            |entry: Entry| N::PV && !N::ROOT && entry.depth + params::iir_shallow() < depth;
        let is_unknown = tt_move.is_none() || tt_entry.is_some_and(is_shallow);
        if depth >= params::iir_depth() && is_unknown && (N::PV || cut_node) {
            depth -= 1;
        }

        // 4. The static evaluation, and whether things go up for the mover.
        let raw_eval = self.static_eval(tt_entry.as_ref());
        let eval = raw_eval.map(|raw| self.corrected(raw, ply));
        let estimate = eval.map(|eval| self.estimate(eval, tt_entry.as_ref()));
        self.frame_mut(ply).eval = eval;
        if excluded.is_none() {
            self.reward_prior_by_eval(eval, ply);
        }
        let improving =
            eval.is_some_and(|now| self.eval_before(ply).is_some_and(|before| now > before));
        Ok(NodeState {
            alpha,
            beta,
            depth,
            ply,
            cut_node,
            in_check: self.position.in_check(),
            excluded,
            tt_entry,
            tt_move,
            tt_captures: tt_move.is_some_and(|m| self.is_capture_here(m)),
            raw_eval,
            eval,
            estimate,
            improving,
            context: self.context(ply),
            key,
            range,
            restricted: excluded.is_some() || N::ROOT && self.root_is_restricted(),
        })
    }

    /// The moves of a node, one by one. A score is the node's if it is known before all moves are
    /// seen.
    #[inline(always)]
    fn search_moves<N: Node>(&mut self, node: &mut NodeState, found: &mut Found) -> Option<Score> {
        let ply = node.ply;
        let mut picker = Picker::all(&self.position, node.tt_move, self.frame(ply).killers);
        let mut next_root = self.line;
        let legality = Legality::of(&self.position);
        self.frame_mut(ply + 1).killers = [None; 2];
        self.frame_mut(ply + 1).cutoffs = 0;

        while let Some(m) = self.next_move::<N>(&mut picker, &mut next_root, &node.context) {
            if Some(m) == node.excluded || !N::ROOT && !legality.allows(&self.position, m) {
                continue;
            }
            found.count += 1;
            let is_capture = self.is_capture_here(m);
            let history = if is_capture {
                self.histories.capture(&self.position, m)
            } else {
                self.histories.quiet(&self.position, &node.context, m)
            };

            // 5. Moves that are not worth a shallow search. The first one always is, so that there
            // is a score to hold on to.
            if !N::ROOT
                && found.score.0 > -Score::EVAL_LIMIT.0
                && self.is_futile(node, m, found.count, history, &mut picker)
            {
                continue;
            }

            // 6. The table's move is searched deeper if nothing else comes near it.
            let extension = match self.singularity::<N>(node, m) {
                Singular::Extend(plies) => plies,
                Singular::Cut(score) => {
                    self.path_dependent_from = node.range.reach.min(self.path_dependent_from);
                    return Some(score);
                }
            };

            let nodes_before = self.nodes;
            let new_depth = node.depth - 1 + extension;
            let is_late = !is_capture || picker.at_bad_captures();
            let candidate = Candidate { m, is_capture, history, is_late, new_depth };
            let (score, reach) = self.search_move::<N>(node, found, &candidate);
            if self.stopped {
                return Some(Score::DRAW);
            }
            if N::ROOT {
                let spent = self.nodes - nodes_before;
                self.note_root_move(m, score, spent, found.count == 1 || score > node.alpha);
            }

            // 10. What the move changes. A cut-off depends on this move alone, all else on every
            // move.
            found.reach = if score >= node.beta { reach } else { found.reach.min(reach) };
            if score > found.score {
                found.score = score;
                if score > node.alpha {
                    found.best = Some(m);
                    if N::PV {
                        self.extend_pv(m, ply);
                    }
                    if score >= node.beta {
                        break;
                    }
                    node.alpha = score;
                }
            }
            found.tried.add(m, is_capture);
        }
        None
    }

    /// One move of a node: its score, and from which ply on that depends on the path.
    #[inline(always)]
    fn search_move<N: Node>(
        &mut self,
        node: &NodeState,
        found: &Found,
        candidate: &Candidate,
    ) -> (Score, i32) {
        let Candidate { m, is_capture, history, is_late, mut new_depth } = *candidate;
        let (ply, alpha, count) = (node.ply, node.alpha, found.count);
        let undo = self.make(m, ply);
        let gives_check = self.position.in_check();
        let mut reach = PATH_FREE;

        // 7. Late moves are searched to a reduced depth first: in a well-ordered list they rarely
        // matter.
        let mut score = Score::DRAW;
        let mut full_search = !N::PV || count > 1;
        if node.depth >= params::lmr_depth() && count > 1 + usize::from(N::ROOT) && is_late {
            let late = LateMove { count, is_capture, history, gives_check };
            let r = self.late_reduction::<N>(node, &late);
            let reduced = (new_depth - r / 1024).clamp(1, new_depth.max(1));
            score = -self.search::<NonPv>(-alpha - Score(1), -alpha, reduced, ply + 1, true);
            reach = reach.min(self.path_dependent_from);
            full_search = score > alpha && reduced < new_depth;
            if full_search {
                // As much deeper as the score is better.
                new_depth += i32::from(score > found.score + Score(params::lmr_deeper()));
                new_depth -= i32::from(score < found.score + Score(params::lmr_shallower()));
                full_search = reduced < new_depth;
            }
        }
        // 8. With a closed window at full depth: is the move better than the best so far?
        if full_search {
            let cut = !node.cut_node;
            score = -self.search::<NonPv>(-alpha - Score(1), -alpha, new_depth, ply + 1, cut);
            reach = reach.min(self.path_dependent_from);
        }
        // 9. On the principal variation the exact score is wanted.
        if N::PV && (count == 1 || score > alpha) {
            score = -self.search::<Pv>(-node.beta, -alpha, new_depth, ply + 1, false);
            reach = reach.min(self.path_dependent_from);
        }
        self.unmake(m, undo);
        (score, reach)
    }

    /// The score of a node whose moves were searched; what was learnt is remembered.
    #[inline(always)]
    fn close_node<N: Node>(&mut self, node: &NodeState, found: &Found) -> Score {
        let (ply, best) = (node.ply, found.best);
        let reach = found.reach.min(node.range.reach);

        // 11. No legal move: mated, or stalemated, which loses as well (困毙).
        if found.count == 0 {
            self.path_dependent_from = PATH_FREE;
            // Without the excluded move there may be none, and nothing above alpha.
            return if node.excluded.is_some() { node.alpha } else { Score::mated_in(ply) };
        }
        let score = found.score.max(node.range.least).min(node.range.most);

        // 12. Learn from a cut-off, and from there being none.
        if score >= node.beta
            && let Some(m) = best
        {
            self.frame_mut(ply).cutoffs += 1;
            self.reward(m, &found.tried, node);
        } else if best.is_none() {
            self.reward_prior(node);
        }

        // 13. Remember the result, unless it holds only on this path.
        let tainted = reach < ply as i32;
        if !node.restricted {
            let bound = if score >= node.beta {
                Bound::Lower
            } else if best.is_some() {
                Bound::Exact
            } else {
                Bound::Upper
            };
            let entry = Entry {
                best,
                score: if tainted { Score::DRAW } else { score },
                bound: (!tainted).then_some(bound),
                eval: node.raw_eval,
                // Without a bound its depth is worth nothing, and must not keep a later one out.
                depth: if tainted { 0 } else { node.depth },
                was_pv: N::PV || node.tt_entry.is_some_and(|entry| entry.was_pv),
            };
            self.table.store(node.key, ply, entry);
            if !tainted {
                self.learn_error(node, best, score, bound);
            }
        }
        self.path_dependent_from = reach;
        score
    }

    /// The scores that are possible whatever is played, or the score if the node is decided: by
    /// repetition, by the natural limit, for want of attackers, or because the tree ends here.
    /// Leaves in `path_dependent_from` how far up that score depends on the path.
    pub(super) fn score_range(&mut self, ply: usize) -> Result<ScoreRange, Score> {
        let mut range = ScoreRange::default();
        if let Some(cycle) = self.path.cycle() {
            let outcome = self.rulings.outcome(&self.path, &self.position, cycle);
            let since = ply as i32 - cycle.plies as i32;
            match outcome {
                Outcome::Draw => return Err(self.draw(ply)),
                _ if cycle.is_final() => {
                    self.path_dependent_from = since;
                    return Err(outcome.score(ply));
                }
                Outcome::Win => range.least = Score::DRAW + Score(1),
                Outcome::Loss => range.most = Score::DRAW - Score(1),
            }
            range.reach = since;
        }
        let over = self.path.limit_reached(self.position.halfmove_clock(), self.rulings.rules())
            || !self.position.has_attackers();
        if over {
            // Mate on the board comes first.
            let mated = !self.position.has_legal_move();
            return Err(if mated { Score::mated_in(ply) } else { self.draw(ply) });
        }
        if ply >= MAX_PLY - 1 {
            return Err(if self.position.in_check() { Score::DRAW } else { self.evaluate() });
        }
        Ok(range)
    }

    /// Under which key the table knows this position. Near the natural limit a score holds only for
    /// about as many moves as are left.
    pub(super) fn table_key(&self) -> Key {
        clocked_key(self.position.key(), self.position.halfmove_clock())
    }

    /// Whether the table's scores can be trusted. At the natural limit none can: they were found
    /// with more moves left.
    pub(super) fn table_is_valid(&self) -> bool {
        self.position.halfmove_clock() < self.rulings.table_clock_limit()
    }

    /// Whether a table entry tells on which side of `beta` the node is.
    pub(super) fn table_settles(&self, entry: &Entry, beta: Score) -> bool {
        entry.settles(beta) && self.table_is_valid()
    }

    /// The evaluation, from the table if it stands there; `None` in check.
    pub(super) fn static_eval(&mut self, tt_entry: Option<&Entry>) -> Option<Score> {
        if self.position.in_check() {
            return None;
        }
        tt_entry.and_then(|entry| entry.eval).or_else(|| Some(self.evaluate()))
    }

    /// An evaluation set right by experience, and the nearer to a draw the longer nothing was taken
    /// (an idea of Stockfish).
    pub(super) fn corrected(&self, raw: Score, ply: usize) -> Score {
        let score = raw + self.corrections.of(&self.position, self.last_moves(ply));
        let fade = params::clock_fade();
        let clock = i32::from(self.position.halfmove_clock()).min(fade);
        (score - Score(score.0 * clock / fade)).clamp_to_eval()
    }

    /// The table's score where it tells more than the evaluation.
    pub(super) fn estimate(&self, eval: Score, tt_entry: Option<&Entry>) -> Score {
        match tt_entry {
            Some(entry) if !entry.score.is_decisive() && self.table_is_valid() => match entry.bound
            {
                Some(Bound::Exact) => entry.score,
                Some(Bound::Lower) => eval.max(entry.score),
                Some(Bound::Upper) => eval.min(entry.score),
                None => eval,
            },
            _ => eval,
        }
    }

    /// Whether a move of this position takes something.
    pub(super) fn is_capture_here(&self, m: Move) -> bool {
        self.position.piece_on(m.to()).is_some()
    }

    /// The next move of a node: at the root from the list that the iterations keep in order.
    fn next_move<N: Node>(
        &self,
        picker: &mut Picker,
        next_root: &mut usize,
        context: &history::Context,
    ) -> Option<Move> {
        if N::ROOT {
            let root = self.root_moves.get(*next_root)?;
            *next_root += 1;
            Some(root.played)
        } else {
            picker.next(&self.position, &self.histories, context)
        }
    }

    /// A move that cut off does so again; those tried before it in vain do not.
    fn reward(&mut self, best: Move, tried: &Tried, node: &NodeState) {
        let bonus = history::bonus(node.depth);
        for &m in &tried.captures {
            self.histories.update_capture(&self.position, m, -bonus);
        }
        if self.is_capture_here(best) {
            self.histories.update_capture(&self.position, best, bonus);
            return;
        }
        self.histories.update_quiet(&self.position, &node.context, best, bonus);
        for &m in &tried.quiets {
            self.histories.update_quiet(&self.position, &node.context, m, -bonus);
        }
        let killers = &mut self.frame_mut(node.ply).killers;
        if killers[0] != Some(best) {
            *killers = [Some(best), killers[0]];
        }
    }

    /// No move refutes the opponent's last one: it was a good one.
    fn reward_prior(&mut self, node: &NodeState) {
        let Some(before) = node.ply.checked_sub(1) else { return };
        if let StackEntry { played: Some(played), quiet: true, .. } = *self.frame(before) {
            let bonus = history::bonus(node.depth) * params::prior_bonus() / 64;
            let context = self.context(before);
            self.histories.update_continuation(&context, played, bonus);
        }
    }

    /// The opponent's last quiet move was as good as the evaluation has risen by it (an idea of
    /// Stockfish).
    fn reward_prior_by_eval(&mut self, now: Option<Score>, ply: usize) {
        let (Some(now), Some(before)) = (now, ply.checked_sub(1)) else { return };
        if let StackEntry { played: Some(played), quiet: true, eval: Some(then), .. } =
            *self.frame(before)
        {
            // Both scores are their mover's: the opponent's gain is the negated sum.
            let gain = -(then + now).0 * params::eval_bonus() / 16;
            let most = params::eval_bonus_max();
            let context = self.context(before);
            self.histories.update_continuation(&context, played, gain.clamp(-most, most));
        }
    }

    /// Compares the evaluation with the score that a search found.
    fn learn_error(&mut self, node: &NodeState, best: Option<Move>, score: Score, bound: Bound) {
        let Some(eval) = node.eval else { return };
        let tells = match bound {
            Bound::Exact => true,
            Bound::Lower => score > eval,
            Bound::Upper => score < eval,
        };
        if tells && !score.is_decisive() && !best.is_some_and(|m| self.is_capture_here(m)) {
            let last = self.last_moves(node.ply);
            self.corrections.learn(&self.position, last, score - eval, node.depth);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        eval::Backend,
        search::{Signals, tt::Table},
    };
    use std::sync::Arc;
    use xiangqi::game::Game;

    /// A worker that has gone down these moves from the root.
    fn worker_after(fen: &str, moves: &str) -> Worker {
        let game = Game::new(fen.parse().unwrap());
        let table = Arc::new(Table::new(1).unwrap());
        let mut worker = Worker::new(0, table, Signals::default());
        worker.position = game.position().clone();
        worker.set_backend(&Backend::default());
        worker.path.restart(&game);
        for (ply, m) in moves.split_whitespace().enumerate() {
            worker.make(m.parse().unwrap(), ply);
        }
        worker
    }

    /// The second occurrence only bounds the score, however much the evaluation says and however
    /// deep the search: and the result is known to depend on the way, so the table gets no score.
    #[test]
    fn what_a_rule_bounds_is_kept_within_and_out_of_the_table() {
        // Red, a rook ahead, has given perpetual check and is to move: at most a slight loss.
        let checker = ("4k4/9/9/9/9/9/9/9/9/R2K5 w", "a0a9 e9e8 a9a8 e8e9 a8a9 e9e8");
        // Red's rook has chased a horse in perpetuity and Black is to move: at least a slight win.
        let chased = ("3k5/9/9/9/9/2n6/9/9/R8/5K3 w", "a1a4 c4d2 a4a2 d2c4 a2a4");
        let slight = Score::DRAW.0 + 1;
        for ((fen, moves), possible) in
            [(checker, -Score::INFINITE.0..=-slight), (chased, slight..=Score::INFINITE.0)]
        {
            let ply = moves.split_whitespace().count();
            for depth in 1..=8 {
                for alpha in [-600, -101, -1, 0, 100, 600].map(Score) {
                    for cut_node in [false, true] {
                        let mut worker = worker_after(fen, moves);
                        let beta = alpha + Score(1);
                        let score = worker.search::<NonPv>(alpha, beta, depth, ply, cut_node);
                        let case = format!("{moves}, depth {depth}, alpha {}", alpha.0);
                        assert!(possible.contains(&score.0), "{case}: {}", score.0);
                        assert_eq!(worker.path_dependent_from, ply as i32 - 4, "{case}");
                        let entry = worker.table.probe(worker.table_key(), ply);
                        assert_eq!(entry.and_then(|entry| entry.bound), None, "{case}");
                    }
                }
            }
        }
    }
}
