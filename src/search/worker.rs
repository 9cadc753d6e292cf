//! One thread of the search: its state, and the iterations at its root.

use super::{
    Bound, Character, Limits, Report, Signals,
    correction::{Corrections, LastMoves},
    history::{Context, Histories, PieceTo},
    params,
    path::{Path, Rulings},
    stack::{Line, PATH_FREE, Root, StackEntry},
    time::{Confidence, Rest, Timer},
    tt::Table,
    tt::clocked_key,
};
use crate::eval::{Backend, Evaluator, MAX_PLY, Score};
use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    },
    time::Duration,
};
use xiangqi::{
    board::{Position, Undo},
    game::Game,
    rules::{self, CycleRuling, RuleSet, Ruling},
    types::{Move, Side},
};

/// The deepest iteration.
const MAX_DEPTH: u32 = 100;

/// Nodes between two looks at clock and signals.
const CHECK_INTERVAL: u64 = 1024;

/// How often a search that has nothing left to do looks at the signals.
const WAIT_INTERVAL: Duration = Duration::from_millis(1);

/// What all threads of one search share.
#[derive(Default)]
pub(super) struct Shared {
    /// The searching is over, for whatever reason.
    halt: AtomicBool,
    /// Nodes that the threads have reported.
    nodes: AtomicU64,
}

/// A move at the root and what is known of it.
pub(super) struct RootMove {
    pub played: Move,
    /// From this iteration; `-INFINITE` if it was not better than the best.
    pub score: Score,
    /// From the last iteration.
    pub previous: Score,
    /// The deepest ply reached below it.
    pub seldepth: usize,
    /// Nodes spent on it in the whole search.
    pub nodes: u64,
    /// The line it begins.
    pub pv: Line,
}

impl RootMove {
    fn new(played: Move) -> Self {
        let pv = [played].into_iter().collect();
        let unknown = -Score::INFINITE;
        Self { played, score: unknown, previous: unknown, seldepth: 0, nodes: 0, pv }
    }

    /// The score of this iteration, or else of the last one.
    pub(super) fn known_score(&self) -> Option<Score> {
        [self.score, self.previous].into_iter().find(|&score| score != -Score::INFINITE)
    }
}

/// One search as a worker is given it.
pub(super) struct Task<'a> {
    pub game: &'a Game,
    pub limits: &'a Limits,
    pub root_moves: &'a [Move],
    pub shared: &'a Arc<Shared>,
}

/// A searching thread's own state.
pub(super) struct Worker {
    /// 0 for the one that reports and watches the clock.
    index: usize,
    /// The game up to the root.
    game: Game,
    pub position: Position,
    evaluator: Evaluator,
    pub path: Path,
    pub rulings: Rulings,
    pub histories: Histories,
    pub corrections: Corrections,
    pub table: Arc<Table>,
    signals: Signals,
    shared: Arc<Shared>,
    timer: Option<Timer>,
    confidence: Confidence,
    node_limit: Option<u64>,
    character: Character,
    root_side: Side,
    rest: Rest,

    frames: Vec<StackEntry>,
    pvs: Vec<Line>,
    pub root_moves: Vec<RootMove>,
    /// Which of the best lines is searched, from 0.
    pub line: usize,
    /// Moves were taken from the root's list by the limits.
    restricted: bool,
    /// Before this ply no null move is made.
    pub null_from_ply: usize,
    /// The result of the last node searched depends on the path from this ply on, if less than its
    /// own: a repetition decided there.
    pub path_dependent_from: i32,
    /// The depth of the iteration, in plies.
    pub iteration: i32,

    pub nodes: u64,
    published: u64,
    next_check: u64,
    seldepth: usize,
    /// A limit or a signal has cut the search short.
    pub stopped: bool,
    /// The last iteration completed.
    pub completed: u32,
}

impl Worker {
    pub(super) fn new(index: usize, table: Arc<Table>, signals: Signals) -> Self {
        Self {
            index,
            evaluator: Evaluator::new(&Backend::default(), &Position::start()),
            game: Game::default(),
            position: Position::start(),
            path: Path::default(),
            rulings: Rulings::default(),
            histories: Histories::default(),
            corrections: Corrections::default(),
            table,
            signals,
            shared: Arc::default(),
            timer: None,
            confidence: Confidence::default(),
            node_limit: None,
            character: Character::default(),
            root_side: Side::Red,
            rest: Rest::default(),
            frames: vec![StackEntry::default(); MAX_PLY + 2],
            pvs: vec![Line::new(); MAX_PLY + 2],
            root_moves: Vec::new(),
            line: 0,
            restricted: false,
            null_from_ply: 0,
            path_dependent_from: PATH_FREE,
            iteration: 0,
            nodes: 0,
            published: 0,
            next_check: 0,
            seldepth: 0,
            stopped: false,
            completed: 0,
        }
    }

    /// Evaluates with this from now on.
    pub(super) fn set_backend(&mut self, backend: &Backend) {
        self.evaluator = Evaluator::new(backend, &self.position);
    }

    /// Obeys these rules from now on.
    pub(super) fn set_rules(&mut self, rules: RuleSet) {
        self.rulings = Rulings::new(rules);
    }

    // --- iterations ---

    /// Searches deeper and deeper until a limit or a signal ends it. The first root move is the
    /// best one then.
    pub(super) fn run(
        &mut self,
        task: &Task<'_>,
        timer: Option<Timer>,
        on_report: &mut dyn FnMut(&Report<'_>),
    ) {
        self.game = task.game.clone();
        self.position = task.game.position().clone();
        self.evaluator.reset(&self.position);
        self.path.restart(task.game);
        self.shared = task.shared.clone();
        self.timer = timer;
        self.confidence = Confidence::default();
        self.node_limit = task.limits.nodes;
        self.character = task.limits.character;
        self.root_side = self.position.side();
        self.rest = Rest::after(task.limits.rest_percent);
        self.root_moves = task.root_moves.iter().map(|&m| RootMove::new(m)).collect();
        self.restricted = self.root_moves.len() < self.position.legal_moves().len();
        self.frames.fill(StackEntry::default());
        (self.nodes, self.published, self.next_check) = (0, 0, 0);
        (self.stopped, self.completed, self.null_from_ply) = (false, 0, 0);

        let deepest = task.limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH);
        let lines = task.limits.multi_pv.clamp(1, self.root_moves.len());
        // Every other helper begins a depth later, so that the threads do not all do the same.
        let first = 1 + (self.index % 2) as u32;
        for depth in first..=deepest.max(first) {
            for root in &mut self.root_moves {
                root.previous = root.score;
            }
            for line in 0..lines {
                self.line = line;
                self.iteration = depth as i32;
                self.seldepth = 0;
                self.aspirate(depth as i32, on_report);
                if self.stopped {
                    break;
                }
                // A later line may have turned out better than an earlier one.
                self.root_moves[..=line].sort_by_key(|root| -root.score.0);
            }
            if self.stopped {
                break;
            }
            self.completed = depth;
            if self.index == 0 {
                self.report_lines(lines, depth, on_report);
                if self.is_done(task.limits) {
                    break;
                }
            }
        }
        self.publish_nodes();
    }

    /// One line of one iteration: with a narrow window around the last score, widened until the
    /// score is inside.
    fn aspirate(&mut self, depth: i32, on_report: &mut dyn FnMut(&Report<'_>)) {
        let previous = self.root_moves[self.line].previous;
        let mut delta = params::aspiration_window();
        let (mut alpha, mut beta) = (-Score::INFINITE, Score::INFINITE);
        if depth >= params::aspiration_depth() && !previous.is_decisive() {
            alpha = previous - Score(delta);
            beta = previous + Score(delta);
        }
        let mut reduced = 0;
        loop {
            let score = self.search::<Root>(alpha, beta, (depth - reduced).max(1), 0, false);
            self.root_moves[self.line..].sort_by_key(|root| -root.score.0);
            if self.stopped {
                return;
            }
            let bound = if score <= alpha {
                beta = Score((alpha.0 + beta.0) / 2);
                alpha = (score - Score(delta)).max(-Score::INFINITE);
                reduced = 0;
                Bound::Upper
            } else if score >= beta {
                beta = (score + Score(delta)).min(Score::INFINITE);
                // A fail high needs no exact score yet: look less deep.
                reduced = (reduced + 1).min(3);
                Bound::Lower
            } else {
                return;
            };
            if score.is_decisive() {
                (alpha, beta) = (-Score::INFINITE, Score::INFINITE);
            }
            delta += delta;
            let slow = self.timer.as_ref().is_some_and(|t| t.elapsed().as_millis() > 1000);
            if slow && self.index == 0 && self.line == 0 {
                self.report(&self.root_moves[0], 1, depth as u32, bound, on_report);
            }
        }
    }

    /// Whether no further iteration is wanted.
    fn is_done(&mut self, limits: &Limits) -> bool {
        let best = self.root_moves[0].score;
        if let Some(moves) = limits.mate
            && best.mate_distance_moves().is_some_and(|n| n.unsigned_abs() <= moves)
        {
            return true;
        }
        if limits.soft_nodes.is_some_and(|nodes| self.total_nodes() >= nodes) {
            return true;
        }
        let best_move = self.root_moves[0].played;
        let share = 100 * self.root_moves[0].nodes / self.nodes.max(1);
        let percent = self.confidence.percent(best_move, best, share as u32);
        let Some(timer) = &mut self.timer else { return false };
        // With one move to choose from there is nothing to think about; with a mate found there is
        // nothing to gain by looking much deeper.
        let easy = limits.clock.is_some()
            && !limits.ponder
            && (self.root_moves.len() == 1
                || best.is_mate() && self.completed as i32 > 2 * (Score::MATE.0 - best.0.abs()));
        easy || timer.is_enough(&self.signals, percent)
    }

    /// Waits until the search may end: without limits, and while pondering, only a signal ends it.
    pub(super) fn wait_for_signal(&self, limits: &Limits) {
        let endless = limits.is_endless();
        while !self.signals.is_stopped()
            && (endless || limits.ponder && self.signals.is_pondering())
        {
            std::thread::sleep(WAIT_INTERVAL);
        }
    }

    fn report_lines(&self, lines: usize, depth: u32, on_report: &mut dyn FnMut(&Report<'_>)) {
        for (line, root) in self.root_moves.iter().take(lines).enumerate() {
            self.report(root, line + 1, depth, Bound::Exact, on_report);
        }
    }

    /// The last word of a search: the root move with this index is played. It may be another than
    /// the first one of the last report, if an iteration was cut short or a weakened engine chose.
    pub(super) fn report_choice(&self, index: usize, on_report: &mut dyn FnMut(&Report<'_>)) {
        let root = &self.root_moves[index];
        let was_reached = root.score != -Score::INFINITE;
        let depth =
            if self.stopped && was_reached { self.iteration as u32 } else { self.completed };
        self.report(root, 1, depth, Bound::Exact, &mut |report| {
            on_report(&Report { is_last: true, ..report.clone() });
        });
    }

    fn report(
        &self,
        root: &RootMove,
        multi_pv: usize,
        depth: u32,
        bound: Bound,
        on_report: &mut dyn FnMut(&Report<'_>),
    ) {
        let score = root.known_score().unwrap_or_default();
        let ruling = if score.is_rule() { self.ruling_on(&root.pv) } else { None };
        on_report(&Report {
            depth,
            seldepth: root.seldepth as u32,
            multi_pv,
            score,
            ruling: ruling.as_ref(),
            bound,
            nodes: self.total_nodes(),
            elapsed: self.timer.as_ref().map_or_else(Default::default, Timer::elapsed),
            hashfull: self.table.hashfull(),
            pv: &root.pv,
            is_last: false,
        });
    }

    /// The ruling that a line ends in, with its reasons.
    fn ruling_on(&self, line: &[Move]) -> Option<Ruling> {
        let mut game = self.game.clone();
        let rules = self.rulings.rules();
        line.iter().find_map(|&m| {
            game.play(m).ok()?;
            let ruling = (game.occurrences() > 1).then(|| rules::judge(&game, rules))?;
            matches!(ruling.cycle_ruling, CycleRuling::Forbidden(_)).then_some(ruling)
        })
    }

    /// Nodes of all threads, this one's up to date.
    pub(super) fn total_nodes(&self) -> u64 {
        self.shared.nodes.load(Relaxed) + self.nodes - self.published
    }

    // --- what the nodes need ---

    /// To be called first in each node.
    #[inline]
    pub(super) fn enter_node(&mut self, ply: usize, is_pv: bool) {
        self.path_dependent_from = PATH_FREE;
        self.seldepth = self.seldepth.max(ply);
        if is_pv {
            self.pvs[ply].clear();
        }
    }

    /// Whether the search is to end now; looks at clock and signals every so many nodes.
    #[inline]
    pub(super) fn should_stop(&mut self) -> bool {
        if self.nodes >= self.next_check {
            self.check_limits();
        }
        self.stopped
    }

    #[cold]
    fn check_limits(&mut self) {
        self.publish_nodes();
        self.rest.take();
        self.next_check = self.nodes + CHECK_INTERVAL;
        if self.index == 0 {
            let total = self.shared.nodes.load(Relaxed);
            if let Some(limit) = self.node_limit {
                if total >= limit {
                    self.stopped = true;
                }
                self.next_check = self.next_check.min(self.nodes + limit.saturating_sub(total));
            }
            if let Some(timer) = &mut self.timer {
                self.stopped |= timer.is_over(&self.signals);
            }
        }
        self.stopped |= self.signals.is_stopped() || self.shared.halt.load(Relaxed);
        // A first iteration takes no time, and without it there is no move worth playing.
        self.stopped &= self.completed > 0 || self.index > 0;
    }

    fn publish_nodes(&mut self) {
        self.shared.nodes.fetch_add(self.nodes - self.published, Relaxed);
        self.published = self.nodes;
    }

    /// The evaluation of the position, from the mover's view.
    pub(super) fn evaluate(&mut self) -> Score {
        let eval = self.evaluator.evaluate(&self.position);
        if self.character == Character::default() {
            return eval;
        }
        self.character.colour(eval, &self.position, self.root_side)
    }

    /// What a draw is worth to the mover.
    pub(super) const fn draw(&self, ply: usize) -> Score {
        self.character.draw(ply)
    }

    /// Makes a legal move.
    #[inline]
    pub(super) fn make(&mut self, m: Move, ply: usize) -> Undo {
        self.nodes += 1;
        self.frames[ply].played = PieceTo::of(&self.position, m);
        let reversible = self.position.piece_on(m.to()).is_none();
        self.frames[ply].quiet = reversible;
        let clock = if reversible { self.position.halfmove_clock().saturating_add(1) } else { 0 };
        self.table.prefetch(clocked_key(self.position.key_after(m), clock));
        self.evaluator.push(&self.position, m);
        let undo = self.position.make(m);
        self.path.push(self.position.key(), Some(m), self.position.in_check(), reversible);
        undo
    }

    #[inline]
    pub(super) fn unmake(&mut self, m: Move, undo: Undo) {
        self.path.pop();
        self.evaluator.pop();
        self.position.unmake(m, undo);
    }

    pub(super) fn make_null(&mut self, ply: usize) -> Undo {
        self.nodes += 1;
        self.frames[ply].played = None;
        let undo = self.position.make_null();
        self.table.prefetch(self.position.key());
        self.path.push(self.position.key(), None, false, false);
        undo
    }

    pub(super) fn unmake_null(&mut self, undo: Undo) {
        self.path.pop();
        self.position.unmake_null(undo);
    }

    pub(super) fn frame(&self, ply: usize) -> &StackEntry {
        &self.frames[ply]
    }

    pub(super) fn frame_mut(&mut self, ply: usize) -> &mut StackEntry {
        &mut self.frames[ply]
    }

    /// The moves that led to a ply.
    #[inline]
    pub(super) fn context(&self, ply: usize) -> Context {
        [1, 2, 4].map(|back| self.frames[ply.checked_sub(back)?].played)
    }

    /// The last two moves before a ply.
    #[inline]
    pub(super) fn last_moves(&self, ply: usize) -> LastMoves {
        [1, 2].map(|back| self.frames[ply.checked_sub(back)?].played)
    }

    /// The mover's evaluation one move ago, or two if it was in check then.
    pub(super) fn eval_before(&self, ply: usize) -> Option<Score> {
        let eval = |back| self.frames[ply.checked_sub(back)?].eval;
        eval(2).or_else(|| eval(4))
    }

    /// Puts a move before the line of the next ply.
    pub(super) fn extend_pv(&mut self, m: Move, ply: usize) {
        let (before, after) = self.pvs.split_at_mut(ply + 1);
        let line = &mut before[ply];
        line.clear();
        line.push(m);
        line.extend(after[0].iter().copied().take(MAX_PLY - 1));
    }

    /// Whether the root's score is not the position's: moves are left out.
    pub(super) fn root_is_restricted(&self) -> bool {
        self.restricted || self.line > 0
    }

    /// Keeps what was found of a root move: its score if it is the best so far.
    pub(super) fn note_root_move(&mut self, m: Move, score: Score, nodes: u64, is_best: bool) {
        let seldepth = self.seldepth;
        let Some(root) = self.root_moves.iter_mut().find(|root| root.played == m) else { return };
        root.nodes += nodes;
        if is_best {
            root.score = score;
            root.seldepth = seldepth;
            root.pv.clear();
            root.pv.push(m);
            root.pv.extend(self.pvs[1].iter().copied().take(MAX_PLY - 1));
        } else {
            // Stays where it is in the order.
            root.score = -Score::INFINITE;
        }
    }
}

impl Shared {
    pub(super) fn halt(&self) {
        self.halt.store(true, Relaxed);
    }

    pub(super) fn nodes(&self) -> u64 {
        self.nodes.load(Relaxed)
    }
}
