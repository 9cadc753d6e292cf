//! What one move does: check, kill, chase, or nothing that is forbidden (articles 28 and 29).

use super::{
    delayed::{CHASE_CHECKS, DelayedWin, won_by_checks, won_by_exchange},
    exchange::worth,
    key_points::holds_plain_draw,
    mate::{Budget, kill},
    ruleset::{GainTest, Switches},
    threats::{
        Pairs, Threat, Threats, attacks_square, horse_shields, legal_roots, needs_help, threats,
    },
    viewpoint::Viewpoint,
};
use crate::{
    board::Position,
    types::{Bitboard, Kind, Move, Side, Square},
};

/// The class of a move; a move with several roles has the heaviest, which comes first here (27.4).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Class {
    /// Check (将, 28.1).
    Check,
    /// Kill (杀, 28.2): mate follows by a check or by continuous checks.
    Kill,
    /// Chase (捉, 28.3, 29): a piece is newly won.
    Chase,
    /// Exchange (兑, 28.5): an offer to trade equal pieces.
    Exchange,
    /// Offer (献, 28.6): an unrooted piece is put before a piece of its kind.
    Offer,
    /// Block (拦, 28.7).
    Block,
    /// Follow (跟, 28.8): a rooted piece is attacked.
    Follow,
    /// Idle (闲, 28.9).
    Idle,
}

impl Class {
    /// The name used in output.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Check => "check",
            Self::Kill => "kill",
            Self::Chase => "chase",
            Self::Exchange => "exchange",
            Self::Offer => "offer",
            Self::Block => "block",
            Self::Follow => "follow",
            Self::Idle => "idle",
        }
    }

    /// The Chinese term.
    pub const fn chinese(self) -> &'static str {
        match self {
            Self::Check => "将",
            Self::Kill => "杀",
            Self::Chase => "捉",
            Self::Exchange => "兑",
            Self::Offer => "献",
            Self::Block => "拦",
            Self::Follow => "跟",
            Self::Idle => "闲",
        }
    }

    /// Whether the class is an attack (打, 28.4).
    pub const fn is_attack(self) -> bool {
        matches!(self, Self::Check | Self::Kill | Self::Chase)
    }
}

/// How a chase comes about; of several ways the first in this order names it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ChaseKind {
    /// The moved piece attacks.
    Direct,
    /// The move opens an attack of another piece.
    Discovered,
    /// The attack stood already; the move takes the target's root away.
    RootCut,
    /// The piece is won by continuous checks.
    ByChecks,
    /// The piece is won after an even trade.
    ByExchange,
    /// Several attackers against too few roots (少根).
    Joint,
}

impl ChaseKind {
    /// The name used in output.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Direct => "direct",
            Self::Discovered => "discovered",
            Self::RootCut => "root_cut",
            Self::ByChecks => "by_checks",
            Self::ByExchange => "by_exchange",
            Self::Joint => "joint",
        }
    }
}

/// What a move does, as far as a verdict over a cycle needs it. Squares are those after the move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveFacts {
    /// The class; below an attack always [`Class::Idle`] here.
    pub class: Class,
    /// Whether it would be a chase if the attacks of soldiers counted (27.2).
    pub by_soldier: bool,
    /// Whether it would be a chase if the king's own attacks counted (27.1).
    pub by_king: bool,
    /// How the chase comes about.
    pub how: Option<ChaseKind>,
    /// The attacker and target that `how` is about.
    pub pair: Option<Threat>,
    /// The pieces that attack.
    pub attackers: Bitboard,
    /// The pieces attacked: newly won ones, or the king.
    pub targets: Bitboard,
    /// Newly threatened pieces, also where the move checks; only looked at where the rules follow
    /// a target through the cycle.
    pub chased: Bitboard,
    /// Those of `chased` that are rooks and shield their king from a horse.
    pub shields: Bitboard,
    /// Whether the move holds a plain draw and attacks guards only by the way (27.3).
    pub by_the_way: bool,
    /// Pieces under a threat that stood before the move already, and so is not new (29.2).
    pub standing: Bitboard,
    /// Whether a new threat is only relief: the mover's own piece got out of an attack.
    pub relief: bool,
    /// The first move of the kill, or of the win by checks or by exchange.
    pub line: Option<Move>,
    /// The checks that the kill takes.
    pub kill_checks: usize,
    /// Whether a search was cut short by its cap.
    pub capped: bool,
}

impl MoveFacts {
    /// Nothing at all.
    pub const IDLE: Self = Self {
        class: Class::Idle,
        by_soldier: false,
        by_king: false,
        by_the_way: false,
        how: None,
        pair: None,
        attackers: Bitboard::EMPTY,
        targets: Bitboard::EMPTY,
        chased: Bitboard::EMPTY,
        shields: Bitboard::EMPTY,
        standing: Bitboard::EMPTY,
        relief: false,
        line: None,
        kill_checks: 0,
        capped: false,
    };
}

/// Says what the legal move `m` does. Each search may try `cap` moves.
pub fn facts(before: &Position, m: Move, switches: &Switches, cap: u32) -> MoveFacts {
    let mut after = before.clone();
    after.make(m);
    let checks = after.in_check();
    if checks && !switches.same_target {
        return MoveFacts { class: Class::Check, ..check(&after) };
    }
    let question = MoveAnalysis::new(before, &after, m, switches);
    if switches.same_target {
        return question.followed(checks);
    }
    question.attack(cap)
}

fn check(after: &Position) -> MoveFacts {
    MoveFacts {
        class: Class::Check,
        attackers: after.checkers(),
        targets: Bitboard::of(after.king(after.side())),
        ..MoveFacts::IDLE
    }
}

/// A move with the positions around it, the mover to move in both.
struct MoveAnalysis<'a> {
    switches: &'a Switches,
    m: Move,
    mover: Side,
    before: Position,
    before_view: Viewpoint,
    /// After the move, with the turn given back to the mover.
    after: Position,
    after_view: Viewpoint,
    /// After the move, the other side to move.
    reply: &'a Position,
}

impl<'a> MoveAnalysis<'a> {
    fn new(before: &Position, reply: &'a Position, m: Move, switches: &'a Switches) -> Self {
        let mover = before.side();
        let mut after_view = Viewpoint::default();
        after_view.old_checkers[(!mover).index()] = reply.checkers();
        Self {
            switches,
            m,
            mover,
            before: before.clone(),
            before_view: Viewpoint::before(before),
            after: reply.with_turn_taken(),
            after_view,
            reply,
        }
    }

    /// A square of the mover's piece after the move, as it was before.
    fn square_before(&self, square: Square) -> Square {
        if square == self.m.to() { self.m.from() } else { square }
    }

    fn pair_before(&self, threat: Threat) -> Threat {
        Threat { attacker: self.square_before(threat.attacker), ..threat }
    }

    /// Threats before and after the move.
    fn threats(&self) -> (Threats, Threats) {
        let measure = self.switches.measure;
        let after = threats(&mut self.after.clone(), measure, &self.after_view);
        if after.pairs.is_empty() && after.idle.is_empty() {
            return (Threats::default(), after);
        }
        (threats(&mut self.before.clone(), measure, &self.before_view), after)
    }

    /// The threats that the move brings about (29.2).
    fn new_pairs(&self, before: &Threats, after: &Threats) -> Pairs {
        let old = |threat: Threat| before.contains(self.pair_before(threat));
        after.pairs.iter().copied().filter(|&threat| !old(threat)).collect()
    }

    /// Facts where the rules follow one target through the cycle.
    fn followed(&self, checks: bool) -> MoveFacts {
        let (before, after) = self.threats();
        let mut new: Pairs = self.new_pairs(&before, &after);
        let found = new.len();
        if self.switches.measure == GainTest::MovedPiece {
            new.retain(|threat| threat.attacker == self.m.to());
        } else {
            new.retain(|threat| !self.is_relief(*threat));
        }
        let relief = self.switches.measure == GainTest::Roots && new.len() < found;
        let chased: Bitboard = new.iter().map(|threat| threat.target).collect();
        let standing = after.targets() - chased;
        let base = if checks {
            check(self.reply)
        } else if new.is_empty() {
            MoveFacts::IDLE
        } else {
            self.chase(&new)
        };
        let shields = horse_shields(self.reply, !self.mover, chased);
        MoveFacts { chased, shields, standing, relief, ..base }
    }

    /// Relief: the target was under attack already and rooted, and each of its roots attacked the
    /// attacker. Ending the threat on one's own piece takes the root away; that is no chase.
    fn is_relief(&self, threat: Threat) -> bool {
        let Threat { attacker, target } = self.pair_before(threat);
        if !attacks_square(&self.before, attacker, target) {
            return false;
        }
        let capture = Move::between(attacker, target);
        let roots = legal_roots(&self.before, capture, &self.before_view);
        !roots.is_empty()
            && roots.into_iter().all(|root| attacks_square(&self.before, root, attacker))
    }

    /// Facts where every attack counts: kill, then chase, then nothing.
    fn attack(&self, cap: u32) -> MoveFacts {
        let mut budget = Budget::new(cap);
        if self.switches.kills
            && let Some((line, kill_checks)) = kill(&mut self.after.clone(), &mut budget)
        {
            return MoveFacts {
                class: Class::Kill,
                attackers: Bitboard::of(line.from()),
                targets: Bitboard::of(self.after.king(!self.mover)),
                line: Some(line),
                kill_checks,
                capped: budget.hit,
                ..MoveFacts::IDLE
            };
        }
        let (before, after) = self.threats();
        let mut new = self.new_pairs(&before, &after);
        let by_the_way = self.is_by_the_way(&new);
        if by_the_way {
            new.clear();
        }
        if !new.is_empty() {
            return MoveFacts { capped: budget.hit, ..self.chase(&new) };
        }
        let mut capped = budget.hit;
        if self.switches.prepared {
            let old = before.targets() | after.targets();
            if let Some(facts) = self.prepared(old, cap, &mut capped) {
                return MoveFacts { capped, ..facts };
            }
        }
        let is_new = |threat: &&Threat| !before.contains(self.pair_before(**threat));
        let king = self.after.king(self.mover);
        let by_king = after.idle.iter().filter(is_new).any(|threat| threat.attacker == king);
        let soldiers = || after.idle.iter().filter(is_new).filter(|t| t.attacker != king);
        MoveFacts {
            by_soldier: soldiers().next().is_some(),
            by_king,
            by_the_way,
            standing: after.targets(),
            attackers: soldiers().map(|threat| threat.attacker).collect(),
            targets: soldiers().map(|threat| threat.target).collect(),
            capped,
            ..MoveFacts::IDLE
        }
    }

    /// 27.3: the move takes a key point of defence, and only advisors and elephants are attacked.
    fn is_by_the_way(&self, new: &[Threat]) -> bool {
        let guards = self.after.by_kind(Kind::Advisor) | self.after.by_kind(Kind::Elephant);
        !new.is_empty()
            && new.iter().all(|threat| guards.contains(threat.target))
            && holds_plain_draw(self.reply, self.m)
    }

    fn chase(&self, new: &[Threat]) -> MoveFacts {
        // The plainest of the new threats names the move.
        let hows = new.iter().map(|&threat| (self.how(threat), threat));
        let first = hows.min_by_key(|(how, _)| *how);
        MoveFacts {
            class: Class::Chase,
            how: first.map(|(how, _)| how),
            pair: first.map(|(_, threat)| threat),
            attackers: new.iter().map(|threat| threat.attacker).collect(),
            targets: new.iter().map(|threat| threat.target).collect(),
            chased: new.iter().map(|threat| threat.target).collect(),
            ..MoveFacts::IDLE
        }
    }

    fn how(&self, threat: Threat) -> ChaseKind {
        let capture = Move::between(threat.attacker, threat.target);
        let old = self.pair_before(threat);
        let joint = self.switches.measure == GainTest::Exchange
            && needs_help(&mut self.after.clone(), capture, &self.after_view);
        if joint {
            ChaseKind::Joint
        } else if attacks_square(&self.before, old.attacker, old.target) {
            ChaseKind::RootCut
        } else if threat.attacker == self.m.to() {
            ChaseKind::Direct
        } else {
            ChaseKind::Discovered
        }
    }

    /// A piece that is newly won by checks or after a trade, and was not won before in any way.
    fn prepared(&self, old: Bitboard, cap: u32, capped: &mut bool) -> Option<MoveFacts> {
        let wanted: Bitboard = self
            .after
            .by_side(!self.mover)
            .into_iter()
            .filter(|&square| {
                self.after.piece_on(square).is_some_and(|piece| worth(piece, square) > 0)
            })
            .collect();
        let wanted = wanted - old;
        let mut budget = Budget::new(cap);
        let (after, view) = (&mut self.after.clone(), &self.after_view);
        let trade = won_by_exchange(after, wanted, view, &mut budget);
        if let Some(facts) = self.if_new(trade, ChaseKind::ByExchange, cap, capped) {
            return Some(facts);
        }
        let checks = won_by_checks(after, CHASE_CHECKS, wanted, view, &mut budget);
        *capped |= budget.hit;
        self.if_new(checks, ChaseKind::ByChecks, cap, capped)
    }

    fn if_new(
        &self,
        found: DelayedWin,
        how: ChaseKind,
        cap: u32,
        capped: &mut bool,
    ) -> Option<MoveFacts> {
        if found.targets.is_empty() {
            return None;
        }
        let mut budget = Budget::new(cap);
        let before = &mut self.before.clone();
        let view = &self.before_view;
        let mut old = won_by_exchange(before, found.targets, view, &mut budget).targets;
        let left = found.targets - old;
        old |= won_by_checks(before, CHASE_CHECKS, left, view, &mut budget).targets;
        *capped |= budget.hit;
        // Over the cap it is not known to be new.
        let targets = if budget.hit { Bitboard::EMPTY } else { found.targets - old };
        if targets.is_empty() {
            return None;
        }
        Some(MoveFacts {
            class: Class::Chase,
            how: Some(how),
            attackers: found.first.map_or(Bitboard::EMPTY, |m| Bitboard::of(m.from())),
            targets,
            line: found.first,
            ..MoveFacts::IDLE
        })
    }
}
