//! The judge as the search uses it: the ruling alone, with the facts of each move kept.

use super::{
    CycleRuling, RuleSet,
    attack::{Class, MoveFacts, facts},
    cycle::{CycleKind, Span, Step, article_26, cap_per_move, facts_key, span, verdict},
    ruleset::Switches,
};
use crate::{
    board::Position,
    game::Game,
    types::{Move, Side},
};
use arrayvec::ArrayVec;
use std::collections::HashMap;

/// Moves whose facts are kept before the memory is cleared.
const REMEMBERED: usize = 1 << 14;

/// Rules on cycles, and remembers what each move of a position does: the same cycles come up again
/// and again in a search. The answers do not depend on what is remembered.
pub struct Judge {
    rules: RuleSet,
    switches: Switches,
    memory: HashMap<u64, MoveFacts>,
}

impl Judge {
    /// A judge by these rules.
    pub fn new(rules: RuleSet) -> Self {
        Self { rules, switches: rules.switches(), memory: HashMap::new() }
    }

    /// The rules that it judges by.
    pub const fn rules(&self) -> RuleSet {
        self.rules
    }

    /// What the cycle that the game's last move closes deserves if it went on;
    /// [`CycleRuling::None`] if the position has not occurred before.
    ///
    /// The same as [`judge`](super::judge) says, without its reasons.
    pub fn cycle_ruling(&mut self, game: &Game) -> CycleRuling {
        match span(game, &self.switches) {
            None => CycleRuling::None,
            Some(span) if self.switches.same_target => self.whole(game, span),
            Some(span) => self.by_attacks(game, span),
        }
    }

    fn whole(&mut self, game: &Game, span: Span) -> CycleRuling {
        let steps = steps(game, span, |position, m, cap| self.facts(position, m, cap));
        verdict(&steps, &self.switches).ruling
    }

    /// Where every attack counts most cycles are settled by a few cheap questions: who checks, and
    /// whether the other moves are attacks at all, up to the first of each side that is none.
    fn by_attacks(&mut self, game: &Game, span: Span) -> CycleRuling {
        let plies = &game.plies()[span.start..];
        let checks = |side| plies.iter().filter(|p| p.side == side).all(|p| p.gives_check);
        let kind = |checks| if checks { CycleKind::PerpetualCheck } else { CycleKind::Allowed };
        let kinds = Side::ALL.map(checks).map(kind);
        if kinds.contains(&CycleKind::PerpetualCheck) {
            return article_26(kinds);
        }
        let cap = cap_per_move(span.len);
        let mut attacks = [true; Side::NUM];
        let mut soldiers = [true; Side::NUM];
        let mut position = game.position_at(span.start);
        for ply in plies {
            let side = ply.side.index();
            if (attacks[side] || soldiers[side]) && !ply.gives_check {
                let facts = self.facts(&position, ply.played, cap);
                let attack = facts.class != Class::Idle;
                attacks[side] &= attack;
                soldiers[side] &= attack || facts.by_soldier;
                if attacks == [false; Side::NUM] {
                    return CycleRuling::Draw;
                }
            }
            position.make(ply.played);
        }
        article_26(Side::ALL.map(|side| {
            // 27.2: against an attack on every move the soldier's attacks count.
            let [own, other] = [side.index(), (!side).index()];
            let forbidden = attacks[own] || attacks[other] && soldiers[own];
            if forbidden { CycleKind::Mixed } else { CycleKind::Allowed }
        }))
    }

    fn facts(&mut self, position: &Position, m: Move, cap: u32) -> MoveFacts {
        if self.memory.len() >= REMEMBERED {
            self.memory.clear();
        }
        let key = facts_key(position.key(), m) ^ u64::from(cap);
        *self.memory.entry(key).or_insert_with(|| facts(position, m, &self.switches, cap))
    }
}

/// The most plies of a cycle that are judged; a longer one is a draw. No game reaches it: the
/// natural limit comes first.
pub const LONGEST_CYCLE: usize = 512;

/// The moves of a cycle with their facts.
pub fn steps(
    game: &Game,
    span: Span,
    mut facts: impl FnMut(&Position, Move, u32) -> MoveFacts,
) -> ArrayVec<Step, LONGEST_CYCLE> {
    let cap = cap_per_move(span.len);
    let mut position = game.position_at(span.start);
    let mut steps = ArrayVec::new();
    for ply in game.plies()[span.start..].iter().take(LONGEST_CYCLE) {
        let facts = facts(&position, ply.played, cap);
        steps.push(Step { side: ply.side, played: ply.played, facts });
        position.make(ply.played);
    }
    steps
}
