//! 棋例: pure functions from a game to a ruling; no search, no input or output.
//!
//! [`judge`] says everything about the cycle that a game's last move closes, with reasons. A search
//! keeps a [`Judge`], which gives the ruling alone and remembers what moves do;
//! [`natural_limit_reached`] and [`material_draw`] are cheap. All of them take a [`Game`], so a
//! search plays its line on the game and takes it back.

mod class;
mod cycle;
mod exchange;
mod idle;
mod judge;
mod limit;
mod mate;
mod ruleset;
mod threats;

pub use class::{Class, How};
pub use cycle::Kind;
pub use judge::Judge;
pub use limit::{NaturalLimit, material_draw, natural_limit, natural_limit_reached};
pub use mate::{CHASE_CHECKS, KILL_CHECKS};
pub use ruleset::{Measure, RuleSet, Switches};

use crate::{
    board::Position,
    game::Game,
    types::{Bitboard, Move, Side},
};

/// What the repeated cycle deserves if it went on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CycleRuling {
    /// The last position has not occurred before.
    None,
    /// Both sides may go on: a draw (不变作和).
    Draw,
    /// This side alone plays forbidden moves and must change.
    Forbidden(Side),
}

/// What the rules say of the game as it stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// The game goes on.
    None,
    /// Drawn by repetition.
    Draw,
    /// This side must change now or lose (24.3).
    MustChange(Side),
    /// This side has lost.
    Loses(Side),
}

/// The moves that the ruling is about, as plies of the game counted from 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cycle {
    /// The first move of the cycle.
    pub first_ply: usize,
    /// The last one, which is the last of the game.
    pub last_ply: usize,
}

/// What one move of the cycle does. Squares are those after the move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Judged {
    /// The ply, counted from 1 at the game's first move.
    pub ply: usize,
    /// Who played it.
    pub side: Side,
    /// The move.
    pub played: Move,
    /// The heaviest class that holds (27.4).
    pub class: Class,
    /// How a chase comes about.
    pub how: Option<How>,
    /// The pieces that attack.
    pub attackers: Bitboard,
    /// The pieces attacked.
    pub targets: Bitboard,
    /// The first move of a kill, or of a win by checks or by an exchange.
    pub line: Option<Move>,
    /// The checks that a kill takes; 0 if there is none.
    pub kill_checks: usize,
    /// Whether soldiers newly attack, which counts only against an attack on every move (27.2).
    pub by_soldier: bool,
    /// Whether the king itself newly attacks, which is idle (27.1).
    pub by_king: bool,
    /// Whether a search was cut short by its cap, and what it did not find counts as not there.
    pub capped: bool,
}

/// One side's part in the cycle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SidePart {
    /// Whether every move checks.
    pub all_check: bool,
    /// Whether its moves are forbidden ones (25.2).
    pub forbidden: bool,
    /// What it does over the cycle.
    pub kind: Kind,
    /// Whether that is so only because soldiers' attacks count here (27.2).
    pub by_soldiers: bool,
}

/// The ruling on a game's repetition.
#[derive(Clone, Debug)]
pub struct Ruling {
    /// The rules judged by.
    pub rules: RuleSet,
    /// As if the cycle went on; given from the second occurrence on.
    pub cycle_ruling: CycleRuling,
    /// What holds now.
    pub status: Status,
    /// How often the last position has occurred.
    pub occurrences: usize,
    /// The cycle; `None` if the last position has not occurred before.
    pub cycle: Option<Cycle>,
    /// The moves of the cycle.
    pub moves: Vec<Judged>,
    /// Red's and Black's part in it.
    pub parts: [SidePart; Side::NUM],
}

/// Rules on the repetition that the game's last move completes, if it does.
pub fn judge(game: &Game, rules: RuleSet) -> Ruling {
    let switches = rules.switches();
    let occurrences = game.occurrences();
    let idle =
        SidePart { all_check: false, forbidden: false, kind: Kind::Allowed, by_soldiers: false };
    let Some(span) = cycle::span(game, &switches) else {
        return Ruling {
            rules,
            cycle_ruling: CycleRuling::None,
            status: Status::None,
            occurrences,
            cycle: None,
            moves: Vec::new(),
            parts: [idle; Side::NUM],
        };
    };
    let steps =
        judge::steps(game, span, |position, m, cap| class::facts(position, m, &switches, cap));
    let verdict = cycle::verdict(&steps, &switches);
    let mut position = game.position_at(span.start);
    let moves = steps.iter().enumerate().map(|(i, step)| {
        let soldiers_count = verdict.parts[step.side.index()].by_soldiers;
        let judged = judged(span.start + i + 1, step, &position, soldiers_count);
        position.make(step.played);
        judged
    });
    let moves = moves.collect();
    let parts = verdict.parts.map(|part| SidePart {
        all_check: part.all_check(),
        forbidden: part.forbidden(),
        kind: part.kind,
        by_soldiers: part.by_soldiers,
    });
    Ruling {
        rules,
        cycle_ruling: verdict.ruling,
        status: status(verdict.ruling, &parts, occurrences, &switches),
        occurrences,
        cycle: Some(Cycle { first_ply: span.start + 1, last_ply: span.start + span.len }),
        moves,
        parts,
    }
}

/// Writes down what a move of the cycle does; `before` is the position that it was played in.
fn judged(ply: usize, step: &cycle::Step, before: &Position, soldiers: bool) -> Judged {
    let facts = &step.facts;
    let mut judged = Judged {
        ply,
        side: step.side,
        played: step.played,
        class: facts.class,
        how: facts.how,
        attackers: facts.attackers,
        targets: facts.targets,
        line: facts.line,
        kill_checks: facts.kill_checks,
        by_soldier: facts.by_soldier,
        by_king: facts.by_king,
        capped: facts.capped,
    };
    if soldiers && facts.class == Class::Idle && facts.by_soldier {
        judged.class = Class::Chase;
        judged.how = Some(How::Direct);
    } else if facts.class == Class::Idle {
        let idle = idle::name(before, step.played);
        (judged.class, judged.attackers, judged.targets) =
            (idle.class, idle.attackers, idle.targets);
    }
    judged
}

/// Article 24: nothing before the final occurrence; then a perpetual check loses at once, and
/// other forbidden moves get one more cycle where the rules grant it.
fn status(
    ruling: CycleRuling,
    parts: &[SidePart; Side::NUM],
    occurrences: usize,
    switches: &Switches,
) -> Status {
    if occurrences < switches.final_occurrence {
        return Status::None;
    }
    match ruling {
        CycleRuling::None => Status::None,
        CycleRuling::Draw => Status::Draw,
        CycleRuling::Forbidden(side) => {
            let warned = occurrences > switches.final_occurrence;
            if switches.warning_cycle && !warned && !parts[side.index()].all_check {
                Status::MustChange(side)
            } else {
                Status::Loses(side)
            }
        }
    }
}
