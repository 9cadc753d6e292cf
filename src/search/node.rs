//! The main search: one node of the tree.

use super::{
    Bound,
    depth::{Late, Singular},
    history::{self, Context},
    params,
    picker::Picker,
    repetition::Outcome,
    table::Entry,
    worker::{Frame, NEVER, Worker},
};
use crate::eval::{MAX_PLY, Score};
use xiangqi::{
    board::Legality,
    types::{Key, Move, MoveList},
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

/// What a node knows of itself before its moves are looked at.
pub(super) struct Here {
    pub alpha: Score,
    pub beta: Score,
    pub depth: i32,
    pub ply: usize,
    /// A cut-off is expected.
    pub cut_node: bool,
    pub in_check: bool,
    /// A move that is left out, to see how good the others are.
    pub excluded: Option<Move>,
    pub known: Option<Entry>,
    pub table_move: Option<Move>,
    /// Whether that move takes something.
    pub table_captures: bool,
    /// The evaluation as the evaluator gives it; `None` in check.
    pub raw_eval: Option<Score>,
    /// The evaluation, corrected by experience.
    pub eval: Option<Score>,
    /// The same, or the table's score if that tells more.
    pub estimate: Option<Score>,
    /// Whether things go up for the mover.
    pub improving: bool,
    pub context: Context,
}

impl Worker {
    /// Searches the node `ply` plies from the root to `depth`. The score is exact within the
    /// window and a bound outside it. Leaves in `rule_reach` how far up the result depends on the
    /// way that led here.
    pub(super) fn search<N: Node>(
        &mut self,
        mut alpha: Score,
        mut beta: Score,
        mut depth: i32,
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
        let mut range = ScoreRange::default();
        if !N::ROOT {
            match self.score_range(ply) {
                Ok(open) => range = open,
                Err(score) => return score,
            }
            // No mate below can be shorter than one already found nearer to the root.
            alpha = alpha.max(Score::mated_in(ply)).max(range.least);
            beta = beta.min(Score::mate_in(ply + 1)).min(range.most);
            if alpha >= beta {
                self.rule_reach = range.reach;
                return if range.most == beta { beta } else { alpha };
            }
        }

        let key = self.table_key();
        let in_check = self.position.in_check();
        let excluded = self.frame(ply).excluded;
        let restricted = excluded.is_some() || N::ROOT && self.root_is_restricted();

        // 3. The table may know enough already.
        let known = self.table.probe(key, ply);
        let table_move = if N::ROOT {
            self.root_moves.get(self.line).map(|root| root.played)
        } else {
            known.and_then(|entry| entry.best)
        };
        if !N::PV
            && excluded.is_none()
            && range.is_open()
            && let Some(entry) = known
            && entry.depth >= depth
            && self.table_settles(&entry, beta)
        {
            return entry.score;
        }

        // 4. A node that the table knows no move of is probably not important: come back later
        // (internal iterative reduction). On the principal variation a move found by a far
        // shallower search is not much better.
        let is_shallow =
            |entry: Entry| N::PV && !N::ROOT && entry.depth + params::iir_shallow() < depth;
        let is_unknown = table_move.is_none() || known.is_some_and(is_shallow);
        if depth >= params::iir_depth() && is_unknown && (N::PV || cut_node) {
            depth -= 1;
        }

        // 5. The static evaluation, and whether things go up for the mover.
        let raw_eval = self.static_eval(known.as_ref());
        let eval = raw_eval.map(|raw| self.corrected(raw, ply));
        let estimate = eval.map(|eval| self.estimate(eval, known.as_ref()));
        self.frame_mut(ply).eval = eval;
        if excluded.is_none() {
            self.reward_prior_by_eval(eval, ply);
        }
        let improving =
            eval.is_some_and(|now| self.eval_before(ply).is_some_and(|before| now > before));
        let context = self.context(ply);
        let mut here = Here {
            alpha,
            beta,
            depth,
            ply,
            cut_node,
            in_check,
            excluded,
            known,
            table_move,
            table_captures: table_move.is_some_and(|m| self.is_capture_here(m)),
            raw_eval,
            eval,
            estimate,
            improving,
            context,
        };

        // 6. Nodes that need no search of their moves. Where a rule bounds the score the evaluation
        // tells nothing, and what is found holds on this way only.
        if range.is_open()
            && let Some(score) = self.prune_node::<N>(&here)
        {
            return score;
        }
        if self.stopped {
            return Score::DRAW;
        }

        // 7. The moves, one by one.
        let mut picker = Picker::all(&self.position, table_move, self.frame(ply).killers);
        let mut next_root = self.line;
        let legality = Legality::of(&self.position);
        self.frame_mut(ply + 1).killers = [None; 2];
        self.frame_mut(ply + 1).cutoffs = 0;
        let mut best_score = -Score::INFINITE;
        let mut best_move = None;
        let mut count = 0;
        let mut tried = Tried::default();
        let mut reach = NEVER;

        while let Some(m) = self.next_move::<N>(&mut picker, &mut next_root, &context) {
            if Some(m) == excluded || !N::ROOT && !legality.allows(&self.position, m) {
                continue;
            }
            count += 1;
            let is_capture = self.is_capture_here(m);
            let history = if is_capture {
                self.histories.capture(&self.position, m)
            } else {
                self.histories.quiet(&self.position, &context, m)
            };

            // 8. Moves that are not worth a shallow search. The first one always is, so that there
            // is a score to hold on to.
            if !N::ROOT
                && best_score.0 > -Score::EVAL_LIMIT.0
                && self.is_futile(&here, m, count, history, &mut picker)
            {
                continue;
            }

            // 9. The table's move is searched deeper if nothing else comes near it.
            let extension = match self.singularity::<N>(&here, m) {
                Singular::Extend(plies) => plies,
                Singular::Cut(score) => {
                    self.rule_reach = range.reach.min(self.rule_reach);
                    return score;
                }
            };

            let nodes_before = self.nodes;
            let undo = self.make(m, ply);
            let gives_check = self.position.in_check();
            let mut new_depth = depth - 1 + extension;
            let mut child_reach = NEVER;

            // 10. Late moves are searched to a reduced depth first: in a well-ordered list they
            // rarely matter.
            let mut score = Score::DRAW;
            let mut full_search = !N::PV || count > 1;
            if depth >= params::lmr_depth()
                && count > 1 + usize::from(N::ROOT)
                && (!is_capture || picker.at_bad_captures())
            {
                let late = Late { count, is_capture, history, gives_check };
                let r = self.late_reduction::<N>(&here, &late);
                let reduced = (new_depth - r / 1024).clamp(1, new_depth.max(1));
                let alpha = here.alpha;
                score = -self.search::<NonPv>(-alpha - Score(1), -alpha, reduced, ply + 1, true);
                child_reach = child_reach.min(self.rule_reach);
                full_search = score > alpha && reduced < new_depth;
                if full_search {
                    // As much deeper as the score is better.
                    new_depth += i32::from(score > best_score + Score(params::lmr_deeper()));
                    new_depth -= i32::from(score < best_score + Score(params::lmr_shallower()));
                    full_search = reduced < new_depth;
                }
            }
            // 11. With a closed window at full depth: is the move better than the best so far?
            if full_search {
                let alpha = here.alpha;
                let cut = !cut_node;
                score = -self.search::<NonPv>(-alpha - Score(1), -alpha, new_depth, ply + 1, cut);
                child_reach = child_reach.min(self.rule_reach);
            }
            // 12. On the principal variation the exact score is wanted.
            if N::PV && (count == 1 || score > here.alpha) {
                score = -self.search::<Pv>(-beta, -here.alpha, new_depth, ply + 1, false);
                child_reach = child_reach.min(self.rule_reach);
            }
            self.unmake(m, undo);
            if self.stopped {
                return Score::DRAW;
            }
            if N::ROOT {
                let spent = self.nodes - nodes_before;
                self.note_root_move(m, score, spent, count == 1 || score > here.alpha);
            }

            // 13. What the move changes. A cut-off depends on this move alone, all else on every
            // move.
            reach = if score >= beta { child_reach } else { reach.min(child_reach) };
            if score > best_score {
                best_score = score;
                if score > here.alpha {
                    best_move = Some(m);
                    if N::PV {
                        self.extend_pv(m, ply);
                    }
                    if score >= beta {
                        break;
                    }
                    here.alpha = score;
                }
            }
            tried.add(m, is_capture);
        }
        reach = reach.min(range.reach);

        // 14. No legal move: mated, or stalemated, which loses as well (困毙).
        if count == 0 {
            self.rule_reach = NEVER;
            return if excluded.is_some() { alpha } else { Score::mated_in(ply) };
        }
        best_score = best_score.max(range.least).min(range.most);

        // 15. Learn from a cut-off, and from there being none.
        if best_score >= beta
            && let Some(m) = best_move
        {
            self.frame_mut(ply).cutoffs += 1;
            self.reward(m, &tried, &here);
        } else if best_move.is_none() {
            self.reward_prior(&here);
        }

        // 16. Remember the result, unless it holds only on this way here.
        let tainted = reach < ply as i32;
        if !restricted {
            let bound = if best_score >= beta {
                Bound::Lower
            } else if best_move.is_some() {
                Bound::Exact
            } else {
                Bound::Upper
            };
            let entry = Entry {
                best: best_move,
                score: if tainted { Score::DRAW } else { best_score },
                bound: (!tainted).then_some(bound),
                eval: raw_eval,
                // Without a bound its depth is worth nothing, and must not keep a later one out.
                depth: if tainted { 0 } else { depth },
                was_pv: N::PV || known.is_some_and(|entry| entry.was_pv),
            };
            self.table.store(key, ply, entry);
            if !tainted {
                self.learn_error(&here, best_move, best_score, bound);
            }
        }
        self.rule_reach = reach;
        best_score
    }

    /// The scores that are possible whatever is played, or the score if the node is decided: by
    /// repetition, by the natural limit, for want of attackers, or because the tree ends here.
    /// Leaves in `rule_reach` how far up that score depends on the way.
    pub(super) fn score_range(&mut self, ply: usize) -> Result<ScoreRange, Score> {
        let mut range = ScoreRange::default();
        if let Some(cycle) = self.path.cycle() {
            let outcome = self.rulings.outcome(&self.path, &self.position, cycle);
            let since = ply as i32 - cycle.plies as i32;
            match outcome {
                Outcome::Draw => return Err(self.draw(ply)),
                _ if cycle.is_final() => {
                    self.rule_reach = since;
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
    pub(super) fn static_eval(&mut self, known: Option<&Entry>) -> Option<Score> {
        if self.position.in_check() {
            return None;
        }
        known.and_then(|entry| entry.eval).or_else(|| Some(self.evaluate()))
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
    pub(super) fn estimate(&self, eval: Score, known: Option<&Entry>) -> Score {
        match known {
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

    /// A move that cut off does so again; those tried before it in vain do not.
    fn reward(&mut self, best: Move, tried: &Tried, here: &Here) {
        let bonus = history::bonus(here.depth);
        for &m in &tried.captures {
            self.histories.update_capture(&self.position, m, -bonus);
        }
        if self.is_capture_here(best) {
            self.histories.update_capture(&self.position, best, bonus);
            return;
        }
        self.histories.update_quiet(&self.position, &here.context, best, bonus);
        for &m in &tried.quiets {
            self.histories.update_quiet(&self.position, &here.context, m, -bonus);
        }
        let killers = &mut self.frame_mut(here.ply).killers;
        if killers[0] != Some(best) {
            *killers = [Some(best), killers[0]];
        }
    }

    /// No move refutes the opponent's last one: it was a good one.
    fn reward_prior(&mut self, here: &Here) {
        let Some(before) = here.ply.checked_sub(1) else { return };
        if let Frame { played: Some(played), quiet: true, .. } = *self.frame(before) {
            let bonus = history::bonus(here.depth) * params::prior_bonus() / 64;
            let context = self.context(before);
            self.histories.update_continuation(&context, played, bonus);
        }
    }

    /// The opponent's last quiet move was as good as the evaluation has risen by it (an idea of
    /// Stockfish).
    fn reward_prior_by_eval(&mut self, now: Option<Score>, ply: usize) {
        let (Some(now), Some(before)) = (now, ply.checked_sub(1)) else { return };
        if let Frame { played: Some(played), quiet: true, eval: Some(then), .. } =
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
    fn learn_error(&mut self, here: &Here, best: Option<Move>, score: Score, bound: Bound) {
        let Some(eval) = here.eval else { return };
        let tells = match bound {
            Bound::Exact => true,
            Bound::Lower => score > eval,
            Bound::Upper => score < eval,
        };
        if tells && !score.is_decisive() && !best.is_some_and(|m| self.is_capture_here(m)) {
            let last = self.last_moves(here.ply);
            self.corrections.learn(&self.position, last, score - eval, here.depth);
        }
    }
}

/// The key of a position in the table, `clock` plies after the last capture.
pub(super) fn clocked_key(key: Key, clock: u16) -> Key {
    let late = u64::from(clock.saturating_sub(params::CLOCK_FREE) / 8);
    Key(key.0 ^ late.wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

/// The scores that a node can have under the rules.
#[derive(Clone, Copy)]
pub(super) struct ScoreRange {
    /// At least this: the opponent broke the rules in a cycle, once, and may only change now.
    pub least: Score,
    /// At most this: the mover broke them.
    pub most: Score,
    /// From which ply on that depends on the way.
    pub reach: i32,
}

impl Default for ScoreRange {
    fn default() -> Self {
        Self { least: -Score::INFINITE, most: Score::INFINITE, reach: NEVER }
    }
}

impl ScoreRange {
    /// Whether every score is possible.
    pub fn is_open(&self) -> bool {
        self.reach == NEVER
    }
}

/// The moves of a node that were tried in vain.
#[derive(Default)]
struct Tried {
    quiets: MoveList,
    captures: MoveList,
}

impl Tried {
    fn add(&mut self, m: Move, is_capture: bool) {
        // A list that is full has learnt enough.
        let _ = if is_capture { &mut self.captures } else { &mut self.quiets }.try_push(m);
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
    use crate::{
        eval::Backend,
        search::{Signals, table::Table},
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
                        assert_eq!(worker.rule_reach, ply as i32 - 4, "{case}");
                        let entry = worker.table.probe(worker.table_key(), ply);
                        assert_eq!(entry.and_then(|entry| entry.bound), None, "{case}");
                    }
                }
            }
        }
    }
}
