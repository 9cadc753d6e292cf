//! The ruling as one JSON object.

use super::account::Account;
use serde::Serialize;
use xiangqi::{
    rules::{CycleRuling, Due, Judged, Part, Status},
    types::{Bitboard, Side},
};

#[derive(Serialize)]
pub struct Output<'a> {
    rules: &'static str,
    plies: usize,
    occurrences: usize,
    cycle: Option<CycleOutput>,
    moves: Vec<MoveOutput<'a>>,
    red: PartOutput,
    black: PartOutput,
    cycle_ruling: &'static str,
    status: &'static str,
    articles: &'a [&'static str],
    reason: &'a str,
    reason_zh: &'a str,
    natural_limit: LimitOutput,
    material_draw: bool,
    /// Where the game was over before its last move.
    over: Option<DueOutput>,
    /// With `--scan`: every ply at which something was due.
    #[serde(skip_serializing_if = "Option::is_none")]
    due: Option<Vec<DueOutput>>,
}

#[derive(Serialize)]
struct CycleOutput {
    first_ply: usize,
    last_ply: usize,
}

#[derive(Serialize)]
struct MoveOutput<'a> {
    ply: usize,
    side: String,
    #[serde(rename = "move")]
    played: String,
    chinese: String,
    class: &'static str,
    how: Option<&'static str>,
    attackers: Vec<String>,
    targets: Vec<String>,
    line: Option<String>,
    evidence: Vec<EvidenceOutput<'a>>,
    capped: bool,
    articles: &'a [&'static str],
    text: &'a str,
    text_zh: &'a str,
}

#[derive(Serialize)]
struct EvidenceOutput<'a> {
    target: String,
    attackers: Vec<String>,
    roots: Vec<String>,
    line: Vec<String>,
    text: &'a str,
    text_zh: &'a str,
}

#[derive(Serialize)]
struct PartOutput {
    all_check: bool,
    forbidden: bool,
    kind: &'static str,
}

impl PartOutput {
    fn new(part: &Part) -> Self {
        Self { all_check: part.all_check(), forbidden: part.forbidden(), kind: part.kind.name() }
    }
}

#[derive(Serialize)]
struct LimitOutput {
    rounds: usize,
    red_count: usize,
    black_count: usize,
    limit: usize,
    reached: bool,
}

#[derive(Serialize)]
struct DueOutput {
    ply: usize,
    what: &'static str,
    side: Option<String>,
    articles: &'static [&'static str],
}

impl DueOutput {
    fn new(due: &Due) -> Self {
        Self {
            ply: due.ply,
            what: due.what.name(),
            side: due.side.map(|side| side.to_string()),
            articles: due.articles(),
        }
    }
}

impl<'a> Output<'a> {
    pub fn new(account: &'a Account, scan: bool) -> Self {
        let Account { ruling, limit, .. } = account;
        let [red, black] = &ruling.parts;
        let moves = ruling.moves.iter().zip(account.chinese_moves());
        Self {
            rules: ruling.rules.name(),
            plies: account.game.plies().len(),
            occurrences: ruling.occurrences,
            cycle: ruling
                .cycle
                .map(|c| CycleOutput { first_ply: c.first_ply, last_ply: c.last_ply }),
            moves: moves.map(|(judged, chinese)| MoveOutput::new(judged, chinese)).collect(),
            red: PartOutput::new(red),
            black: PartOutput::new(black),
            cycle_ruling: ruling_name(ruling.cycle_ruling),
            status: status_name(ruling.status),
            articles: &ruling.articles,
            reason: &ruling.reason.en,
            reason_zh: &ruling.reason.zh,
            natural_limit: LimitOutput {
                rounds: limit.rounds,
                red_count: limit.counts[Side::Red.index()],
                black_count: limit.counts[Side::Black.index()],
                limit: limit.limit,
                reached: limit.reached(),
            },
            material_draw: account.material_draw,
            over: account.over().map(DueOutput::new),
            due: scan.then(|| account.due.iter().map(DueOutput::new).collect()),
        }
    }
}

fn names(set: Bitboard) -> Vec<String> {
    set.into_iter().map(|square| square.to_string()).collect()
}

impl<'a> MoveOutput<'a> {
    fn new(judged: &'a Judged, chinese: String) -> Self {
        let evidence = judged.evidence.iter().map(|evidence| EvidenceOutput {
            target: evidence.target.to_string(),
            attackers: names(evidence.attackers),
            roots: names(evidence.roots),
            line: evidence.line.iter().map(ToString::to_string).collect(),
            text: &evidence.text.en,
            text_zh: &evidence.text.zh,
        });
        Self {
            ply: judged.ply,
            side: judged.side.to_string(),
            played: judged.played.to_string(),
            chinese,
            class: judged.class.name(),
            how: judged.how.map(|how| how.name()),
            attackers: names(judged.attackers),
            targets: names(judged.targets),
            line: judged.line.map(|m| m.to_string()),
            evidence: evidence.collect(),
            capped: judged.capped,
            articles: &judged.articles,
            text: &judged.text.en,
            text_zh: &judged.text.zh,
        }
    }
}

const fn ruling_name(ruling: CycleRuling) -> &'static str {
    match ruling {
        CycleRuling::None => "none",
        CycleRuling::Draw => "draw",
        CycleRuling::Forbidden(Side::Red) => "red_forbidden",
        CycleRuling::Forbidden(Side::Black) => "black_forbidden",
    }
}

const fn status_name(status: Status) -> &'static str {
    match status {
        Status::None => "none",
        Status::Draw => "draw",
        Status::MustChange(Side::Red) => "red_must_change",
        Status::MustChange(Side::Black) => "black_must_change",
        Status::Loses(Side::Red) => "red_loses",
        Status::Loses(Side::Black) => "black_loses",
    }
}
