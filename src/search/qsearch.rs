//! Quiescence: captures, and all answers to checks, until the evaluation can be trusted.

use super::{
    Bound, params,
    picker::Picker,
    stack::{Node, PATH_FREE, Pv},
    tt::Entry,
    worker::Worker,
};
use crate::eval::{Score, see_value};
use xiangqi::board::Legality;

impl Worker {
    /// The score of the node `ply` plies from the root when only captures and evasions are looked
    /// at.
    pub(super) fn quiesce<N: Node>(
        &mut self,
        mut alpha: Score,
        mut beta: Score,
        ply: usize,
    ) -> Score {
        self.enter_node(ply, N::PV);

        // 1. Stop, or a position that is decided whatever is played.
        if self.should_stop() {
            return Score::DRAW;
        }
        let range = match self.score_range(ply) {
            Ok(range) => range,
            Err(score) => return score,
        };
        alpha = alpha.max(range.least);
        beta = beta.min(range.most);
        if alpha >= beta {
            self.path_dependent_from = range.reach;
            return if range.most == beta { beta } else { alpha };
        }

        // 2. What the table knows is at least this deep.
        let key = self.table_key();
        let in_check = self.position.in_check();
        let tt_entry = self.table.probe(key, ply);
        if !N::PV
            && range.is_open()
            && let Some(entry) = tt_entry
            && self.table_settles(&entry, beta)
        {
            return entry.score;
        }

        // 3. The mover may stand pat: it is never forced to take. In check it is forced to move.
        let raw_eval = self.static_eval(tt_entry.as_ref());
        let eval = raw_eval.map(|raw| self.corrected(raw, ply));
        let estimate = eval.map(|eval| self.estimate(eval, tt_entry.as_ref()));
        self.frame_mut(ply).eval = eval;
        let mut best_score = estimate.unwrap_or(-Score::INFINITE).max(range.least).min(range.most);
        let alpha_before = alpha;
        let mut best_move = None;
        let mut reach = PATH_FREE;
        if best_score >= beta {
            if tt_entry.is_none() && range.is_open() {
                let entry = Entry {
                    best: None,
                    score: best_score,
                    bound: Some(Bound::Lower),
                    eval: raw_eval,
                    depth: 0,
                    was_pv: false,
                };
                self.table.store(key, ply, entry);
            }
            self.path_dependent_from = range.reach;
            return best_score;
        }
        alpha = alpha.max(best_score);

        // 4. The moves.
        let mut picker = Picker::noisy(&self.position, tt_entry.and_then(|entry| entry.best));
        let legality = Legality::of(&self.position);
        let context = self.context(ply);
        let mut count = 0;
        while let Some(m) = picker.next(&self.position, &self.histories, &context) {
            if !legality.allows(&self.position, m) {
                continue;
            }
            count += 1;
            // 5. A capture that cannot bring the score near alpha is not worth it.
            if let Some(eval) = eval
                && let Some(taken) = self.position.piece_on(m.to())
            {
                let hope = eval + see_value(taken.kind()) + Score(params::delta_margin());
                if hope <= alpha && !self.position.gives_check(m) {
                    best_score = best_score.max(hope);
                    continue;
                }
            }
            let undo = self.make(m, ply);
            let score = if N::PV {
                -self.quiesce::<Pv>(-beta, -alpha, ply + 1)
            } else {
                -self.quiesce::<N>(-beta, -alpha, ply + 1)
            };
            self.unmake(m, undo);
            if self.stopped {
                return Score::DRAW;
            }
            reach = if score >= beta {
                self.path_dependent_from
            } else {
                reach.min(self.path_dependent_from)
            };
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
        }

        reach = reach.min(range.reach);

        // 6. In check without a move: mated. Stalemate is left to the main search.
        if in_check && count == 0 {
            self.path_dependent_from = PATH_FREE;
            return Score::mated_in(ply);
        }

        best_score = best_score.max(range.least).min(range.most);

        // 7. Remember the result.
        if reach >= ply as i32 {
            let bound = if best_score >= beta {
                Bound::Lower
            } else if N::PV && best_score > alpha_before {
                Bound::Exact
            } else {
                Bound::Upper
            };
            let was_pv = tt_entry.is_some_and(|entry| entry.was_pv);
            let entry = Entry {
                best: best_move,
                score: best_score,
                bound: Some(bound),
                eval: raw_eval,
                depth: 0,
                was_pv,
            };
            self.table.store(key, ply, entry);
        }
        self.path_dependent_from = reach;
        best_score
    }
}
