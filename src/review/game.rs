//! A whole game, from its end to its beginning.

use super::{
    analysis::{Analysis, Line, analyse, chinese_line},
    severity::Severity,
};
use crate::{
    eval::{Score, expected_points},
    search::{Limits, Searcher},
};
use xiangqi::{
    game::Game,
    notation::chinese_move,
    rules::{Due, Ending, Outcome, RuleSet, Status, all_due, judge, outcome},
    types::{Move, Side},
};

/// The longest line that is shown, in plies.
pub const LINE_PLIES: usize = 8;

/// A game with the engine's remarks.
#[derive(Clone)]
pub struct Review {
    /// The game.
    pub game: Game,
    /// The rules on repetition.
    pub rules: RuleSet,
    /// The value of each position from Red's view, that of the start first.
    pub scores: Vec<Score>,
    /// What is said of each move.
    pub plies: Vec<PlyReview>,
    /// Everything that the rules asked for, ply by ply.
    pub due: Vec<Due>,
    /// How the game ended on the board, if it did.
    pub outcome: Option<Outcome>,
    /// Nodes searched, over all positions.
    pub nodes: u64,
}

/// What is said of one move. Chances are expected points from the mover's view, 0 to 1.
#[derive(Clone, PartialEq, Debug)]
pub struct PlyReview {
    /// Counted from 1.
    pub ply: usize,
    /// Who moved.
    pub side: Side,
    /// The move.
    pub played: Move,
    /// The move in Chinese notation.
    pub chinese: String,
    /// The mover's chances before it, with the best move.
    pub before: f64,
    /// The mover's chances after it.
    pub after: f64,
    /// How bad it was, if it was.
    pub severity: Option<Severity>,
    /// The best line instead; `None` if its first move was played or there is none.
    pub better: Option<BetterLine>,
}

impl PlyReview {
    /// Expected points given away, 0 to 1; 0 if the best move was played.
    pub fn lost(&self) -> f64 {
        if self.better.is_some() { (self.before - self.after).max(0.0) } else { 0.0 }
    }
}

/// A line that should have been played.
#[derive(Clone, PartialEq, Debug)]
pub struct BetterLine {
    /// From the mover's view.
    pub score: Score,
    /// At most [`LINE_PLIES`] moves, at least one.
    pub moves: Vec<Move>,
    /// The same in Chinese notation.
    pub chinese: Vec<String>,
}

/// What one side did in a game.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Tally {
    /// Moves.
    pub moves: usize,
    /// How many of each [`Severity`], in the order of [`Severity::ALL`].
    pub counts: [usize; Severity::ALL.len()],
    /// Expected points given away per move, 0 to 1.
    pub average_loss: f64,
}

impl Review {
    /// Red's chances in each position, that of the start first.
    pub fn curve(&self) -> Vec<f64> {
        self.scores.iter().map(|&score| expected_points(score)).collect()
    }

    /// What was due after a ply, counted from 1; 0 is the start.
    pub fn due_at(&self, ply: usize) -> impl Iterator<Item = &Due> {
        self.due.iter().filter(move |due| due.ply == ply)
    }

    /// What one side did.
    pub fn tally(&self, side: Side) -> Tally {
        let mut tally = Tally::default();
        for ply in self.plies.iter().filter(|ply| ply.side == side) {
            tally.moves += 1;
            tally.average_loss += ply.lost();
            if let Some(severity) = ply.severity {
                tally.counts[severity as usize] += 1;
            }
        }
        tally.average_loss /= tally.moves.max(1) as f64;
        tally
    }
}

/// Goes through a game. Each position is searched until the limits are reached, the last one first, so
/// that the hash table knows already what came of each move. `on_position` is called after each.
///
/// A win by the repetition rule that the search claims counts only where the game is over with it;
/// where the other side has to change, the position is worth what it is worth after the change.
///
/// A move that seems bad is compared once more, at equal depth: the position behind the better move is
/// searched too, as that behind the move played was.
pub fn review(
    searcher: &mut Searcher,
    game: &Game,
    limits: &Limits,
    rules: RuleSet,
    on_position: &mut dyn FnMut(),
) -> Review {
    let mut at = game.clone();
    let end = outcome(game, rules);
    let mut nodes = 0;
    let mut look = |at: &Game| {
        let mut analysis = analyse(searcher, at, limits);
        nodes += analysis.nodes;
        match after_the_line(at, &analysis, rules) {
            Some(Claim::Over(score)) => analysis.score = score,
            Some(Claim::MustChange(there)) => {
                let changed = analyse(searcher, &there, limits);
                nodes += changed.nodes;
                let same = there.position().side() == at.position().side();
                analysis.score = if same { changed.score } else { -changed.score };
            }
            None => {}
        }
        analysis
    };
    let last = end.map_or_else(|| look(&at).score, |end| end_score(&end, at.position().side()));
    on_position();
    // From the view of the side to move in each position, the last one first.
    let mut scores = vec![last];
    let mut plies = Vec::new();
    let mut after = last;
    while let Some(played) = at.take_back() {
        let analysis = look(&at);
        let mut ply = judged(&at, played, &analysis, after);
        if let (Some(_), Some(better)) = (ply.severity, &ply.better) {
            let mut other = at.clone();
            other.play_legal(better.moves[0]);
            let reply = match outcome(&other, rules) {
                Some(end) => end_score(&end, other.position().side()),
                None => look(&other).score,
            };
            ply.before = ply.before.min(expected_points(-reply));
            ply.severity = Severity::of_loss(ply.lost());
        }
        after = analysis.score;
        scores.push(after);
        plies.push(ply);
        on_position();
    }
    scores.reverse();
    plies.reverse();
    let first = game.start().side();
    for (i, score) in scores.iter_mut().enumerate() {
        let is_red = (first == Side::Red) == (i % 2 == 0);
        *score = if is_red { *score } else { -*score };
    }
    Review {
        game: game.clone(),
        rules,
        scores,
        plies,
        due: all_due(game, rules),
        outcome: end,
        nodes,
    }
}

/// What a win or loss by the repetition rule comes to that a search found.
enum Claim {
    /// The game is over, with this score for the side that moves first.
    Over(Score),
    /// It goes on from here, and the side to move must change.
    MustChange(Box<Game>),
}

/// Where the best line leads, if its score is a win or a loss by the repetition rule.
fn after_the_line(game: &Game, analysis: &Analysis, rules: RuleSet) -> Option<Claim> {
    let line = analysis.lines.first().filter(|_| analysis.score.is_rule())?;
    let mut there = game.clone();
    line.moves.iter().find_map(|&m| {
        there.play(m).ok()?;
        if let Some(end) = outcome(&there, rules) {
            return Some(Claim::Over(end_score(&end, game.position().side())));
        }
        let status = (there.occurrences() > 1).then(|| judge(&there, rules).status);
        (status == Some(Status::MustChange(there.position().side())))
            .then(|| Claim::MustChange(Box::new(there.clone())))
    })
}

/// What a game that is over is worth to the side to move.
fn end_score(end: &Outcome, side: Side) -> Score {
    match (end.winner, end.ending) {
        (None, _) => Score::DRAW,
        (Some(winner), Ending::RepetitionLoss) if winner == side => Score::rule_win_in(0),
        (Some(_), Ending::RepetitionLoss) => Score::rule_loss_in(0),
        (Some(winner), _) if winner == side => Score::mate_in(0),
        (Some(_), _) => Score::mated_in(0),
    }
}

/// A move beside the best one. `after` is the value of the position behind it, from the view of the
/// side that moves there.
fn judged(before: &Game, played: Move, analysis: &Analysis, after: Score) -> PlyReview {
    let position = before.position();
    let better = analysis.lines.first().filter(|line| line.moves[0] != played).map(|line| {
        let Line { score, moves, .. } = line;
        let moves = &moves[..moves.len().min(LINE_PLIES)];
        let chinese = chinese_line(position, moves);
        BetterLine { score: *score, moves: moves[..chinese.len()].to_vec(), chinese }
    });
    let mut ply = PlyReview {
        ply: before.plies().len() + 1,
        side: position.side(),
        played,
        chinese: chinese_move(position, played).unwrap_or_else(|| played.to_string()),
        before: expected_points(analysis.score),
        after: expected_points(-after),
        severity: None,
        better: better.filter(|line| !line.moves.is_empty()),
    };
    ply.severity = Severity::of_loss(ply.lost());
    ply
}
