//! The ruling in words, Chinese and English, with its articles.
//!
//! - `attack` and `quiet` say why a move has its class, with a line of moves for each target;
//!   `root` why a target is not protected; `line` finds the moves.
//! - `ruling` puts the verdict, its reason and each side's part into words.

mod attack;
mod line;
mod quiet;
mod root;
mod ruling;
mod words;

pub use ruling::explain_ruling;
pub use words::{Text, side_name};

use super::{
    RuleSet,
    attack::{Class, MoveFacts},
};
use crate::{
    board::Position,
    types::{Bitboard, Kind as PieceKind, Move, Square},
};

/// What a move does to one target, with its proof. Squares are those after the move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Evidence {
    /// The pieces that attack, together or each for itself.
    pub attackers: Bitboard,
    /// The piece attacked.
    pub target: Square,
    /// ChaseKind it is taken, or how the king is mated, if the attacker moved once more; empty for a
    /// check and for moves that are no attack.
    pub line: Vec<Move>,
    /// What protects the target by its way of moving.
    pub roots: Bitboard,
    /// The same in words.
    pub text: Text,
}

/// Why a move has its class.
pub struct Explanation {
    /// What the move does.
    pub headline: Text,
    /// Target by target.
    pub evidence: Vec<Evidence>,
    /// The articles that the class rests on.
    pub articles: Vec<&'static str>,
}

impl Explanation {
    /// Headline and evidence in one piece.
    pub fn whole(&self) -> Text {
        let mut text = self.headline.clone();
        for evidence in &self.evidence {
            text.push(&evidence.text);
        }
        text
    }
}

/// Why a move of the cycle has its class, and by which articles. `before` is the position in which
/// it was played.
pub fn explain_move(m: Move, facts: &MoveFacts, before: &Position, rules: RuleSet) -> Explanation {
    let mut reply = before.clone();
    reply.make(m);
    let played = attack::Played::new(m, before, &reply);
    let mut explanation = match facts.class {
        Class::Check => attack::check(facts, &played),
        Class::Kill => attack::kill(facts, &played),
        Class::Chase => attack::chase(facts, &played, &rules.switches()),
        _ => quiet::quiet(facts, &played),
    };
    if facts.capped {
        explanation.headline.push(&Text::new(
            "（计算达到节点上限而未能断定，未找到者按无论。）",
            "(Undecided at the cap of the search; what it had not found counts as not there.)",
        ));
    }
    match rules {
        RuleSet::Cn1999 => {}
        RuleSet::Axf => explanation.articles = axf_articles(facts, &reply),
        RuleSet::League => explanation.articles = vec!["league"],
    }
    explanation
}

fn axf_articles(facts: &MoveFacts, reply: &Position) -> Vec<&'static str> {
    let rook = facts.targets & reply.by_kind(PieceKind::Rook);
    match facts.class {
        Class::Check => vec!["A6"],
        Class::Kill => vec!["A9"],
        Class::Chase if rook.is_empty() => vec!["3.3"],
        Class::Chase => vec!["3.3", "3.6"],
        Class::Exchange | Class::Offer => vec!["A24", "A40"],
        Class::Follow => vec!["A17"],
        Class::Block | Class::Idle => vec!["A39"],
    }
}
