//! Where in a game something was due: a change, a draw, a loss, the natural limit.

use super::{
    explain::side_name,
    judge::{Status, judge},
    limit::{NaturalLimit, natural_limit},
    outcome::{Ending, Outcome, outcome},
    ruleset::RuleSet,
};
use crate::{game::Game, types::Side};

/// What was due.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DueKind {
    /// A side had to change (24.3).
    MustChange,
    /// The game was over.
    Over(Ending),
    /// From here on checks of a side no longer count towards the natural limit (23.3).
    TenChecks,
}

impl DueKind {
    /// The name in output for programs.
    pub const fn name(self) -> &'static str {
        match self {
            Self::MustChange => "must_change",
            Self::Over(Ending::Mate) => "mate",
            Self::Over(Ending::Stalemate) => "stalemate",
            Self::Over(Ending::RepetitionLoss) => "repetition_loss",
            Self::Over(Ending::RepetitionDraw) => "repetition_draw",
            Self::Over(Ending::NoAttackers) => "no_attackers",
            Self::Over(Ending::NaturalLimit) => "natural_limit",
            Self::TenChecks => "ten_checks",
        }
    }
}

/// Something due after a ply: what an arbiter who follows the game would say there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Due {
    /// The ply after which it was due, counted from 1; 0 at the start.
    pub ply: usize,
    /// What it was.
    pub what: DueKind,
    /// Who had to change, lost, or whose checks no longer count; `None` for a draw.
    pub side: Option<Side>,
    outcome: Option<Outcome>,
}

impl Due {
    /// Whether the game was over with it.
    pub const fn is_end(&self) -> bool {
        matches!(self.what, DueKind::Over(_))
    }

    /// The articles that it rests on.
    pub fn articles(&self) -> &'static [&'static str] {
        match self.what {
            DueKind::MustChange => &["26.4", "24.3"],
            DueKind::TenChecks => &["23.3"],
            DueKind::Over(_) => self.outcome.map_or(&[], |outcome| outcome.articles),
        }
    }

    /// In words, Chinese and English, to be read behind the ply.
    pub fn words(&self) -> (String, String) {
        let (zh, en) = self.side.map_or(("双方", "both sides"), side_name);
        let (zh, en) = match self.what {
            DueKind::MustChange => (format!("{zh}须变着"), format!("{en} must change")),
            DueKind::TenChecks => (
                format!("{zh}照将已满十着，多出之着不计入自然限着"),
                format!(
                    "{en} has given ten checks; further ones do not count towards the natural limit"
                ),
            ),
            DueKind::Over(Ending::Mate) => (format!("{zh}被将死"), format!("{en} is checkmated")),
            DueKind::Over(Ending::Stalemate) => {
                (format!("{zh}困毙"), format!("{en} is stalemated and loses"))
            }
            DueKind::Over(Ending::RepetitionLoss) => {
                (format!("{zh}循环不变，判负"), format!("{en} loses by repetition"))
            }
            DueKind::Over(Ending::RepetitionDraw) => {
                ("双方不变，判和".to_owned(), "drawn by repetition".to_owned())
            }
            DueKind::Over(Ending::NoAttackers) => (
                "双方均无进攻子力，和棋".to_owned(),
                "drawn: neither side has anything to win with".to_owned(),
            ),
            DueKind::Over(Ending::NaturalLimit) => {
                ("自然限着已到，和棋".to_owned(), "drawn by the natural limit".to_owned())
            }
        };
        let articles = self.articles();
        if articles.is_empty() {
            (zh, en)
        } else {
            (format!("{zh}（{}）", articles.join("、")), format!("{en} ({})", articles.join(", ")))
        }
    }
}

/// Everything that was due in a game, in order. A claim by the natural limit stands at the first
/// ply at which it could be made, and again after a capture.
pub fn all_due(game: &Game, rules: RuleSet) -> Vec<Due> {
    let mut due = Vec::new();
    let mut replay = Game::new(game.start());
    let mut seen = Seen::default();
    look(&replay, rules, &mut seen, &mut due);
    for m in game.moves() {
        // The game was played by these very moves.
        if replay.play(m).is_err() {
            break;
        }
        look(&replay, rules, &mut seen, &mut due);
    }
    due
}

/// What was said already since the last capture.
#[derive(Default)]
struct Seen {
    limit: bool,
    material: bool,
    ten_checks: [bool; Side::NUM],
}

fn look(game: &Game, rules: RuleSet, seen: &mut Seen, due: &mut Vec<Due>) {
    let ply = game.plies().len();
    if game.reversible_plies() == 0 {
        *seen = Seen { material: seen.material, ..Seen::default() };
    }
    let limit = natural_limit(game, rules);
    ten_checks(&limit, ply, seen, due);
    let end = outcome(game, rules);
    let new = |outcome: &Outcome| match outcome.ending {
        Ending::NaturalLimit => !std::mem::replace(&mut seen.limit, true),
        Ending::NoAttackers => !std::mem::replace(&mut seen.material, true),
        _ => true,
    };
    if let Some(outcome) = end.filter(new) {
        let side = outcome.winner.map(|winner| !winner);
        due.push(Due { ply, what: DueKind::Over(outcome.ending), side, outcome: Some(outcome) });
    }
    if game.occurrences() >= rules.switches().final_occurrence
        && let Status::MustChange(side) = judge(game, rules).status
    {
        due.push(Due { ply, what: DueKind::MustChange, side: Some(side), outcome: None });
    }
}

fn ten_checks(limit: &NaturalLimit, ply: usize, seen: &mut Seen, due: &mut Vec<Due>) {
    for side in Side::ALL {
        let i = side.index();
        if limit.counts[i] < limit.rounds && !seen.ten_checks[i] {
            seen.ten_checks[i] = true;
            due.push(Due { ply, what: DueKind::TenChecks, side: Some(side), outcome: None });
        }
    }
}
