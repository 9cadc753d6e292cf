//! The review as one JSON object.

use super::Reviewed;
use crate::{
    cli::scores::{ScoreOutput, coordinates, rounded},
    review::{BetterLine, PlyReview, Review, Tally, remark},
};
use serde::Serialize;
use std::collections::BTreeMap;
use xiangqi::{
    rules::{Due, DueKind},
    types::Side,
};

#[derive(Serialize)]
pub struct Output<'a> {
    rules: &'static str,
    headers: BTreeMap<&'a str, &'a str>,
    fen: String,
    plies: usize,
    nodes: u64,
    /// How the game ended on the board, if it did.
    over: Option<&'static str>,
    /// Red's chances in each position, that of the start first.
    curve: Vec<f64>,
    moves: Vec<MoveOutput<'a>>,
    red: TallyOutput,
    black: TallyOutput,
    /// Everything that the rules asked for.
    due: Vec<DueOutput>,
}

#[derive(Serialize)]
struct MoveOutput<'a> {
    ply: usize,
    side: String,
    #[serde(rename = "move")]
    played: String,
    chinese: &'a str,
    /// Of the position after the move, from Red's view.
    score: ScoreOutput,
    /// The mover's chances with the best move, and after the move played.
    before: f64,
    after: f64,
    lost: f64,
    mark: Option<&'static str>,
    better: Option<BetterOutput<'a>>,
    text: Option<String>,
    text_zh: Option<String>,
}

#[derive(Serialize)]
struct BetterOutput<'a> {
    /// From the mover's view.
    score: ScoreOutput,
    moves: Vec<String>,
    chinese: &'a [String],
}

#[derive(Serialize)]
struct TallyOutput {
    moves: usize,
    inaccuracies: usize,
    mistakes: usize,
    blunders: usize,
    average_loss: f64,
}

#[derive(Serialize)]
struct DueOutput {
    ply: usize,
    what: &'static str,
    side: Option<String>,
    articles: &'static [&'static str],
    text: String,
    text_zh: String,
}

impl<'a> Output<'a> {
    pub fn new(reviewed: &'a Reviewed) -> Self {
        let review = &reviewed.review;
        let headers = reviewed.tags.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        Self {
            rules: review.rules.name(),
            headers: headers.collect(),
            fen: review.game.start().fen(),
            plies: review.plies.len(),
            nodes: review.nodes,
            over: review.outcome.map(|outcome| DueKind::Over(outcome.ending).name()),
            curve: review.curve().into_iter().map(rounded).collect(),
            moves: review.plies.iter().map(|ply| MoveOutput::new(review, ply)).collect(),
            red: TallyOutput::new(&review.tally(Side::Red)),
            black: TallyOutput::new(&review.tally(Side::Black)),
            due: review.due.iter().map(DueOutput::new).collect(),
        }
    }
}

impl<'a> MoveOutput<'a> {
    fn new(review: &Review, ply: &'a PlyReview) -> Self {
        let (text_zh, text) = ply.severity.map(|_| remark(ply)).unzip();
        Self {
            ply: ply.ply,
            side: ply.side.to_string(),
            played: ply.played.to_string(),
            chinese: &ply.chinese,
            score: review.scores[ply.ply].into(),
            before: rounded(ply.before),
            after: rounded(ply.after),
            lost: rounded(ply.lost()),
            mark: ply.severity.map(crate::review::Severity::name),
            better: ply.better.as_ref().map(BetterOutput::new),
            text,
            text_zh,
        }
    }
}

impl<'a> BetterOutput<'a> {
    fn new(better: &'a BetterLine) -> Self {
        Self {
            score: better.score.into(),
            moves: coordinates(&better.moves),
            chinese: &better.chinese,
        }
    }
}

impl TallyOutput {
    fn new(tally: &Tally) -> Self {
        let [inaccuracies, mistakes, blunders] = tally.counts;
        let average_loss = rounded(tally.average_loss);
        Self { moves: tally.moves, inaccuracies, mistakes, blunders, average_loss }
    }
}

impl DueOutput {
    fn new(due: &Due) -> Self {
        let (text_zh, text) = due.words();
        Self {
            ply: due.ply,
            what: due.what.name(),
            side: due.side.map(|side| side.to_string()),
            articles: due.articles(),
            text,
            text_zh,
        }
    }
}
