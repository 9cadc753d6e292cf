//! The ruling as it is handed out: the verdict, what holds now, and the evidence.

use super::{
    attack::{ChaseKind, Class, MoveFacts, facts},
    cached::steps,
    cycle::{Part, Step, Verdict, span, verdict},
    explain::{Evidence, Explanation, Text, explain_move, explain_ruling},
    quiet,
    ruleset::{RuleSet, Switches},
};
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
#[derive(Clone, PartialEq, Eq, Debug)]
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
    pub how: Option<ChaseKind>,
    /// The pieces that attack, or whose idle move is named.
    pub attackers: Bitboard,
    /// The pieces attacked, or that the idle move is about.
    pub targets: Bitboard,
    /// The first move of a kill, or of a win by checks or by an exchange.
    pub line: Option<Move>,
    /// Whether a search was cut short by its cap: what it did not find counts as not there.
    pub capped: bool,
    /// The articles that the class rests on.
    pub articles: Vec<&'static str>,
    /// What the move does, in a sentence.
    pub headline: Text,
    /// Target by target, with the line by which it is taken.
    pub evidence: Vec<Evidence>,
    /// Why the move has its class: headline and evidence in one piece.
    pub text: Text,
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
    pub parts: [Part; Side::NUM],
    /// The articles that the ruling rests on.
    pub articles: Vec<&'static str>,
    /// The ruling in words.
    pub reason: Text,
}

/// Rules on the repetition that the game's last move completes, if it does.
pub fn judge(game: &Game, rules: RuleSet) -> Ruling {
    let switches = rules.switches();
    let mut ruling = Ruling {
        rules,
        cycle_ruling: CycleRuling::None,
        status: Status::None,
        occurrences: game.occurrences(),
        cycle: None,
        moves: Vec::new(),
        parts: [Part::ALLOWED; Side::NUM],
        articles: Vec::new(),
        reason: Text::default(),
    };
    if let Some(span) = span(game, &switches) {
        let steps = steps(game, span, |position, m, cap| facts(position, m, &switches, cap));
        let verdict = verdict(&steps, &switches);
        let mut position = game.position_at(span.start);
        ruling.moves.extend(steps.iter().enumerate().map(|(i, step)| {
            let judged = judged(span.start + i + 1, step, &position, &verdict, rules);
            position.make(step.played);
            judged
        }));
        ruling.cycle = Some(Cycle { first_ply: span.start + 1, last_ply: span.start + span.len });
        ruling.parts = verdict.parts;
        ruling.cycle_ruling = verdict.ruling;
        ruling.status = status(&verdict, ruling.occurrences, &switches);
    }
    (ruling.reason, ruling.articles) = explain_ruling(&ruling);
    ruling
}

/// Writes down what a move of the cycle does; `before` is the position that it was played in.
fn judged(ply: usize, step: &Step, before: &Position, verdict: &Verdict, rules: RuleSet) -> Judged {
    let facts = named(&step.facts, before, step, verdict);
    let why = explain_move(step.played, &facts, before, rules);
    let text = why.whole();
    let Explanation { headline, evidence, articles } = why;
    // Those that help count as attackers, too.
    let attackers = evidence.iter().fold(facts.attackers, |all, e| all | e.attackers);
    Judged {
        ply,
        side: step.side,
        played: step.played,
        class: facts.class,
        how: facts.how,
        attackers,
        targets: facts.targets,
        line: facts.line,
        capped: facts.capped,
        articles,
        headline,
        evidence,
        text,
    }
}

/// The facts with an idle move given its name, and soldiers' attacks counted where they are (27.2).
fn named(facts: &MoveFacts, before: &Position, step: &Step, verdict: &Verdict) -> MoveFacts {
    if facts.class != Class::Idle {
        return *facts;
    }
    if facts.by_soldier && verdict.parts[step.side.index()].by_soldiers {
        return MoveFacts { class: Class::Chase, how: Some(ChaseKind::Direct), ..*facts };
    }
    if facts.by_king || facts.by_soldier {
        // Idle by 27.1 and 27.2; to call it a block or a follow would hide what it does.
        return *facts;
    }
    let idle = quiet::name(before, step.played);
    MoveFacts { class: idle.class, attackers: idle.attackers, targets: idle.targets, ..*facts }
}

/// Article 24: nothing before the final occurrence; then a perpetual check loses at once, and
/// other forbidden moves get one more cycle where the rules grant it.
fn status(verdict: &Verdict, occurrences: usize, switches: &Switches) -> Status {
    if occurrences < switches.final_occurrence {
        return Status::None;
    }
    match verdict.ruling {
        CycleRuling::None => Status::None,
        CycleRuling::Draw => Status::Draw,
        CycleRuling::Forbidden(side) => {
            let warned = occurrences > switches.final_occurrence;
            let checks = verdict.parts[side.index()].all_check();
            if switches.warning_cycle && !warned && !checks {
                Status::MustChange(side)
            } else {
                Status::Loses(side)
            }
        }
    }
}
