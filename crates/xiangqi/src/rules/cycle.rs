//! Finding the cycle, and the verdict over it (articles 24 to 26).

use super::{
    CycleRuling,
    attack::{Class, MoveFacts},
    ruleset::Switches,
};
use crate::{
    game::Game,
    types::{Bitboard, Key, Move, Side, Square},
};

/// What one side does over a whole cycle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CycleKind {
    /// Some move is no attack, or the attacks are allowed.
    Allowed,
    /// Perpetual check (长将, 28.10).
    PerpetualCheck,
    /// Perpetual kill (长杀, 28.11).
    PerpetualKill,
    /// Perpetual chase (长捉, 28.12).
    PerpetualChase,
    /// Check, kill and chase in a mixture (25.2).
    Mixed,
}

impl CycleKind {
    /// The name used in output.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Allowed => "allowed",
            Self::PerpetualCheck => "perpetual_check",
            Self::PerpetualKill => "perpetual_kill",
            Self::PerpetualChase => "perpetual_chase",
            Self::Mixed => "mixed",
        }
    }

    /// The Chinese term.
    pub const fn chinese(self) -> &'static str {
        match self {
            Self::Allowed => "允许着法",
            Self::PerpetualCheck => "长将",
            Self::PerpetualKill => "长杀",
            Self::PerpetualChase => "长捉",
            Self::Mixed => "将、杀、捉交替的长打",
        }
    }
}

/// One side's part in a cycle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Part {
    /// What it does.
    pub kind: CycleKind,
    /// Whether a soldier's attacks had to be counted, as against an attack on every move (27.2).
    pub by_soldiers: bool,
}

impl Part {
    /// No attack on every move.
    pub const ALLOWED: Self = Self { kind: CycleKind::Allowed, by_soldiers: false };

    /// Whether every move checks.
    pub fn all_check(&self) -> bool {
        self.kind == CycleKind::PerpetualCheck
    }

    /// Whether its moves are forbidden ones (禁止着法, 25.2).
    pub fn forbidden(&self) -> bool {
        self.kind != CycleKind::Allowed
    }
}

/// The verdict over a cycle, with each side's part in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Verdict {
    /// The ruling.
    pub ruling: CycleRuling,
    /// Red's and Black's part.
    pub parts: [Part; Side::NUM],
}

/// Where a cycle lies in a game: it starts after `start` plies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Span {
    /// Plies played before the first move of the cycle.
    pub start: usize,
    /// Plies in it.
    pub len: usize,
}

/// The cycle that the last move closes: the moves since the position's last occurrence, or since
/// the one before that where the rules want the long span.
pub fn span(game: &Game, switches: &Switches) -> Option<Span> {
    let mut earlier = game.earlier_occurrences();
    let last = earlier.next()?;
    let start = if switches.long_span { earlier.next().unwrap_or(last) } else { last };
    Some(Span { start, len: game.plies().len() - start })
}

/// A move of a cycle with what it does.
#[derive(Clone, Copy)]
pub struct Step {
    /// Who played it.
    pub side: Side,
    /// The move.
    pub played: Move,
    /// What it does.
    pub facts: MoveFacts,
}

/// The verdict over the moves of a cycle.
pub fn verdict(steps: &[Step], switches: &Switches) -> Verdict {
    if switches.same_target { follow_targets(steps) } else { weigh_attacks(steps) }
}

/// 26.1-26.4: each side's moves are all attacks, or not.
fn weigh_attacks(steps: &[Step]) -> Verdict {
    let mut parts = Side::ALL.map(|side| part(steps, side, false));
    for side in Side::ALL {
        // 27.2: against an attack on every move the soldier's attacks count.
        if parts[(!side).index()].forbidden() && !parts[side.index()].forbidden() {
            parts[side.index()] = part(steps, side, true);
        }
    }
    Verdict { ruling: article_26(parts.map(|part| part.kind)), parts }
}

fn part(steps: &[Step], side: Side, soldiers_count: bool) -> Part {
    let mut all: Option<CycleKind> = None;
    let mut by_soldiers = false;
    for step in steps.iter().filter(|step| step.side == side) {
        let kind = match step.facts.class {
            Class::Check => CycleKind::PerpetualCheck,
            Class::Kill => CycleKind::PerpetualKill,
            Class::Chase => CycleKind::PerpetualChase,
            _ if soldiers_count && step.facts.by_soldier => {
                by_soldiers = true;
                CycleKind::PerpetualChase
            }
            _ => return Part::ALLOWED,
        };
        all = Some(if all.is_none_or(|all| all == kind) { kind } else { CycleKind::Mixed });
    }
    Part { kind: all.unwrap_or(CycleKind::Allowed), by_soldiers }
}

/// The table of article 26: what each side does over a whole cycle, Red first, makes the ruling.
pub fn article_26(kinds: [CycleKind; Side::NUM]) -> CycleRuling {
    match kinds.map(|kind| kind == CycleKind::PerpetualCheck) {
        [true, false] => return CycleRuling::Forbidden(Side::Red), // 26.1
        [false, true] => return CycleRuling::Forbidden(Side::Black),
        [true, true] => return CycleRuling::Draw, // 26.3
        [false, false] => {}
    }
    match kinds.map(|kind| kind != CycleKind::Allowed) {
        [true, false] => CycleRuling::Forbidden(Side::Red), // 26.4
        [false, true] => CycleRuling::Forbidden(Side::Black),
        _ => CycleRuling::Draw, // 26.2, 26.3
    }
}

/// The Asian and the league way: only a check on every move and the chase of one and the same
/// piece on every move count.
fn follow_targets(steps: &[Step]) -> Verdict {
    let all_check = Side::ALL
        .map(|side| steps.iter().filter(|s| s.side == side).all(|s| s.facts.class == Class::Check));
    let chased = Side::ALL.map(|side| followed(steps, side, |facts| facts.chased));
    let kind = |side: Side| {
        if all_check[side.index()] {
            CycleKind::PerpetualCheck
        } else if !chased[side.index()].is_empty() {
            CycleKind::PerpetualChase
        } else {
            CycleKind::Allowed
        }
    };
    let parts = Side::ALL.map(|side| Part { kind: kind(side), by_soldiers: false });
    let mut ruling = article_26(parts.map(|part| part.kind));
    if parts.iter().all(|part| part.kind == CycleKind::PerpetualChase) {
        // A rook that shields its king from a horse must not be chased by anything (A19).
        let shields = Side::ALL.map(|side| !followed(steps, side, |f| f.shields).is_empty());
        ruling = match shields {
            [true, false] => CycleRuling::Forbidden(Side::Red),
            [false, true] => CycleRuling::Forbidden(Side::Black),
            _ => ruling,
        };
    }
    Verdict { ruling, parts }
}

/// The pieces, by where they stood at the start of the cycle, that `set` names after every move of
/// the side.
fn followed(steps: &[Step], side: Side, set: impl Fn(&MoveFacts) -> Bitboard) -> Bitboard {
    let mut origin: [u8; Square::NUM] = std::array::from_fn(|i| i as u8);
    let mut all = Bitboard::ALL;
    let mut moves = 0;
    for step in steps {
        origin[step.played.to().index()] = origin[step.played.from().index()];
        if step.side == side {
            let here = set(&step.facts).into_iter();
            all &= here.filter_map(|s| Square::from_index(origin[s.index()].into())).collect();
            moves += 1;
        }
    }
    if moves == 0 { Bitboard::EMPTY } else { all }
}

/// A cycle's moves need not fit the cap of one move's searches if it is long: the longer the
/// cycle, the less may be tried for each move, so that the whole stays bounded.
pub const fn cap_per_move(cycle_len: usize) -> u32 {
    let share = CYCLE_CAP / if cycle_len == 0 { 1 } else { cycle_len as u32 };
    if share < MOVE_CAP { share } else { MOVE_CAP }
}

/// Moves that each search over one move may try.
const MOVE_CAP: u32 = 3000;
/// Moves that the same search may try over all moves of a cycle.
const CYCLE_CAP: u32 = 12_000;

/// The key under which the facts of a move can be kept: position and move together.
pub fn facts_key(position: Key, m: Move) -> u64 {
    position.0 ^ u64::from(m.bits()).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}
