//! The ruling in words, Chinese and English, with its articles.

use super::{
    CycleRuling, RuleSet, Ruling, Status,
    attack::{ChaseKind, Class, MoveFacts},
    cycle::{CycleKind, Part},
    exchange::{real_roots, worth},
    threats::{Threat, legal_roots},
    viewpoint::Viewpoint,
};
use crate::{
    board::Position,
    notation::{chinese_move, chinese_name},
    types::{Bitboard, Kind as PieceKind, Move, Piece, Side, Square},
};

/// A sentence in both languages.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Text {
    /// Chinese.
    pub zh: String,
    /// English.
    pub en: String,
}

impl Text {
    fn new(zh: impl Into<String>, en: impl Into<String>) -> Self {
        Self { zh: zh.into(), en: en.into() }
    }

    fn push(&mut self, other: &Self) {
        self.zh.push_str(&other.zh);
        self.en.push(' ');
        self.en.push_str(&other.en);
    }
}

/// Whether a target is protected, and how.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Root {
    /// 无根: nothing can take back.
    None,
    /// 假根: what could take back may not, or is mated for it.
    False,
    /// 少根: too few against the attackers.
    Short,
    /// Rooted, but worth more than the attacker.
    Outvalued,
}

impl Root {
    /// How `target` is protected against `attacker`, on a board where the attacker's side moves.
    fn of(position: &Position, attacker: Square, target: Square) -> Self {
        let capture = Move::between(attacker, target);
        let view = Viewpoint::default();
        let value = |square| position.piece_on(square).map_or(0, |piece| worth(piece, square));
        let mut after = position.clone();
        after.make(capture);
        if !real_roots(&mut after, target, &view).is_empty() {
            let outvalued = value(attacker) < value(target);
            return if outvalued { Self::Outvalued } else { Self::Short };
        }
        let owner = !position.side();
        let occupied = position.occupied().without(attacker);
        let formal = position.attackers_of(target, owner, occupied).without(target);
        debug_assert!(legal_roots(position, capture, &view).is_subset(formal));
        if formal.is_empty() { Self::None } else { Self::False }
    }

    fn text(self) -> Text {
        match self {
            Self::None => Text::new("无根", "which has no root"),
            Self::False => Text::new("假根", "whose root is a false one"),
            Self::Short => Text::new("少根", "which has too few roots"),
            Self::Outvalued => {
                Text::new("有根而得子", "which is rooted but worth more than its attacker")
            }
        }
    }

    const fn article(self) -> &'static str {
        match self {
            Self::None => "29.3",
            Self::False | Self::Short => "28.16",
            Self::Outvalued => "25.3",
        }
    }
}

/// Names the pieces on `squares`: 车(a4)、炮(b4); rook a4 and cannon b4.
fn pieces(position: &Position, squares: Bitboard) -> Text {
    let (mut zh, mut en) = (Vec::new(), Vec::new());
    for square in squares {
        if let Some(piece) = position.piece_on(square) {
            zh.push(format!("{}({square})", chinese_name(piece)));
            en.push(format!("{} {square}", piece.kind()));
        }
    }
    Text::new(zh.join("、"), en.join(" and "))
}

/// Why a move of the cycle has its class, and by which articles. `before` is the position in which
/// it was played.
pub fn explain_move(
    m: Move,
    facts: &MoveFacts,
    before: &Position,
    rules: RuleSet,
) -> (Text, Vec<&'static str>) {
    let mut reply = before.clone();
    reply.make(m);
    let (mut text, mut articles) = match facts.class {
        Class::Check => check(facts, &reply),
        Class::Kill => kill(facts, &reply),
        Class::Chase => chase(facts, before.piece_on(m.from()), &reply, rules),
        _ => idle(facts, &reply),
    };
    if facts.capped {
        text.push(&Text::new(
            "（搜索达到节点上限，未找到者按无论。）",
            "(A search reached its cap; what it had not found counts as not there.)",
        ));
    }
    match rules {
        RuleSet::Cn1999 => {}
        RuleSet::Axf => articles = axf_articles(facts, &reply),
        RuleSet::League => articles = vec!["league"],
    }
    (text, articles)
}

fn check(facts: &MoveFacts, reply: &Position) -> (Text, Vec<&'static str>) {
    let by = pieces(reply, facts.attackers);
    let several = facts.attackers.has_several();
    let text = Text::new(
        format!("{}照将。", by.zh),
        format!("The {} {} the king.", by.en, if several { "check" } else { "checks" }),
    );
    (text, vec!["28.1"])
}

/// A move of the mover in its own notation, on a board where the other side is to move.
fn next_move(reply: &Position, m: Move) -> Text {
    let zh = chinese_move(reply, m).unwrap_or_default();
    Text::new(format!("{zh}({m})"), m.to_string())
}

fn kill(facts: &MoveFacts, reply: &Position) -> (Text, Vec<&'static str>) {
    let first = facts.line.map_or_else(Text::default, |m| next_move(reply, m));
    let text = if facts.kill_checks == 1 {
        Text::new(
            format!("下一着{}即照将将死。", first.zh),
            format!("Threatens mate on the next move, {}.", first.en),
        )
    } else {
        let count = facts.kill_checks;
        Text::new(
            format!("企图从{}起{count}步之内连续照将将死。", first.zh),
            format!("Threatens mate by at most {count} checks, beginning with {}.", first.en),
        )
    };
    (text, vec!["28.2"])
}

fn chase(
    facts: &MoveFacts,
    mover: Option<Piece>,
    reply: &Position,
    rules: RuleSet,
) -> (Text, Vec<&'static str>) {
    let target = pieces(reply, facts.targets);
    let by = pieces(reply, facts.attackers);
    let first = facts.line.map_or_else(Text::default, |m| next_move(reply, m));
    match facts.how {
        Some(ChaseKind::ByChecks) => {
            let text = Text::new(
                format!("企图从{}起连续照将吃{}。", first.zh, target.zh),
                format!(
                    "Threatens to win the {} by continuous checks, beginning with {}.",
                    target.en, first.en
                ),
            );
            return (text, vec!["28.3", "29.1"]);
        }
        Some(ChaseKind::ByExchange) => {
            let text = Text::new(
                format!("企图从{}兑子起吃{}。", first.zh, target.zh),
                format!(
                    "Threatens to win the {} after the trade that begins with {}.",
                    target.en, first.en
                ),
            );
            return (text, vec!["28.3", "29.1"]);
        }
        _ => {}
    }
    let mut articles = vec!["28.3", "29.1"];
    let mut root = Text::new("", "");
    if let Some(Threat { attacker, target }) = facts.pair
        && rules == RuleSet::Cn1999
    {
        let state = Root::of(&reply.with_turn_taken(), attacker, target);
        root = state.text();
        articles.push(state.article());
    }
    if mover.is_some_and(|piece| piece.kind() == PieceKind::King) {
        articles.push("27.1");
    }
    if facts.by_soldier {
        let text = Text::new(
            format!("{}捉{}；对方步步是打，兵卒之捉亦算捉。", by.zh, target.zh),
            format!(
                "The {} attacks the {}; as the other side attacks on every move, this counts.",
                by.en, target.en
            ),
        );
        return (text, vec!["27.2", "28.3"]);
    }
    let which = if root.en.is_empty() { String::new() } else { format!(", {}", root.en) };
    let wins = if facts.attackers.has_several() { "attack" } else { "attacks" };
    let (zh, en) = match facts.how {
        Some(ChaseKind::Discovered) => (
            format!("走开后{}捉{root}子{}。", by.zh, target.zh, root = root.zh),
            format!("Opens the attack of the {} on the {}{which}.", by.en, target.en),
        ),
        Some(ChaseKind::RootCut) => (
            format!("去其根，{}捉{}（{}）。", by.zh, target.zh, root.zh),
            format!("Takes away the root: the {} now {wins} the {}{which}.", by.en, target.en),
        ),
        Some(ChaseKind::Joint) => (
            format!("{}与他子联合捉{}子{}。", by.zh, root.zh, target.zh),
            format!("The {} and other pieces together attack the {}{which}.", by.en, target.en),
        ),
        _ => (
            format!("{}捉{}子{}。", by.zh, root.zh, target.zh),
            format!("The {} newly {wins} the {}{which}.", by.en, target.en),
        ),
    };
    (Text::new(zh, en), articles)
}

fn idle(facts: &MoveFacts, reply: &Position) -> (Text, Vec<&'static str>) {
    if facts.by_the_way {
        let text = Text::new(
            "占据防守要点，立即构成简明和棋，附带捉士象按闲处理。",
            "Takes a key point of defence that makes a plain draw; that it attacks guards is by the way.",
        );
        return (text, vec!["27.3", "28.9"]);
    }
    let by = pieces(reply, facts.attackers);
    let target = pieces(reply, facts.targets);
    match facts.class {
        Class::Exchange => {
            let text = Text::new(
                format!("{}邀兑{}。", by.zh, target.zh),
                format!("The {} offers to trade itself for the {}.", by.en, target.en),
            );
            return (text, vec!["28.5", "28.9"]);
        }
        Class::Offer => {
            let text = Text::new(
                format!("{}无根，送{}吃。", by.zh, target.zh),
                format!("The {} without a root offers itself to the {}.", by.en, target.en),
            );
            return (text, vec!["28.6", "28.9"]);
        }
        Class::Block => {
            let text = Text::new(
                format!("{}阻拦{}。", by.zh, target.zh),
                format!("The {} stands in the way of the {}.", by.en, target.en),
            );
            return (text, vec!["28.7", "28.9"]);
        }
        Class::Follow => {
            let text = Text::new(
                format!("{}盯{}，吃之不得子。", by.zh, target.zh),
                format!("The {} attacks the {} and wins nothing by taking it.", by.en, target.en),
            );
            return (text, vec!["28.8", "28.9"]);
        }
        _ => {}
    }
    if facts.by_soldier {
        let text =
            Text::new("兵卒本身捉子，按闲处理。", "Only a soldier itself newly attacks: idle.");
        return (text, vec!["27.2", "28.9"]);
    }
    if facts.by_king {
        let text =
            Text::new("帅将本身捉子，按闲处理。", "Only the king itself newly attacks: idle.");
        return (text, vec!["27.1", "28.9"]);
    }
    if facts.relief {
        let text = Text::new(
            "解除己子所受之捉，不算捉。",
            "Only gets a piece of its own out of an attack, and so bares its attacker: no chase.",
        );
        return (text, vec!["28.9"]);
    }
    if !facts.standing.is_empty() {
        let target = pieces(reply, facts.standing);
        let text = Text::new(
            format!("对{}之捉上一着已存在，不是新捉。", target.zh),
            format!("The attack on the {} stood before the move and is not new.", target.en),
        );
        return (text, vec!["29.2", "28.9"]);
    }
    (
        Text::new("不将、不杀、不捉。", "No check, no threat of mate, nothing newly won."),
        vec!["28.9"],
    )
}

/// The items of the Asian rules that a move's class rests on.
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

const fn side_name(side: Side) -> (&'static str, &'static str) {
    match side {
        Side::Red => ("红方", "Red"),
        Side::Black => ("黑方", "Black"),
    }
}

/// The articles that the ruling rests on, and the reason in words.
pub fn explain_ruling(ruling: &Ruling) -> (Text, Vec<&'static str>) {
    if ruling.cycle_ruling == CycleRuling::None {
        let text = Text::new("局面未重复。", "The position has not occurred before.");
        return (text, Vec::new());
    }
    let mut text = Text::new(String::new(), String::new());
    for side in Side::ALL {
        let (zh, en) = side_name(side);
        let part = &ruling.parts[side.index()];
        let join = if side == Side::Red { ("，", ";") } else { ("：", ":") };
        text.zh += &format!("{zh}{}{}", part.kind.chinese(), join.0);
        text.en += &format!("{en} {}{} ", deed(part), join.1);
    }
    let (consequence, mut articles) = consequence(ruling);
    text.zh += &consequence.zh;
    text.en += &consequence.en;
    if ruling.rules == RuleSet::Cn1999 && ruling.parts.iter().any(|part| part.by_soldiers) {
        articles.push("27.2");
    }
    let now = standing(ruling);
    if !now.en.is_empty() {
        text.push(&now);
    }
    (text, articles)
}

const fn deed(part: &Part) -> &'static str {
    match part.kind {
        CycleKind::Allowed => "plays allowed moves",
        CycleKind::PerpetualCheck => "checks on every move",
        CycleKind::PerpetualKill => "threatens mate on every move",
        CycleKind::PerpetualChase => "chases on every move",
        CycleKind::Mixed => "checks, threatens mate or chases on every move",
    }
}

fn consequence(ruling: &Ruling) -> (Text, Vec<&'static str>) {
    let all_check = ruling.parts.map(|part| part.all_check());
    let forbidden = ruling.parts.map(|part| part.forbidden());
    let pick = |cn: [&'static str; 2], axf: &'static [&'static str]| match ruling.rules {
        RuleSet::Cn1999 => cn.to_vec(),
        RuleSet::Axf => axf.to_vec(),
        RuleSet::League => vec!["league"],
    };
    match ruling.cycle_ruling {
        CycleRuling::Forbidden(side) => {
            let (zh, en) = side_name(side);
            let text =
                Text::new(format!("{zh}须变着，不变判负。"), format!("{en} must change or loses."));
            let articles = if all_check[side.index()] {
                pick(["26.1", "24.1"], &["A6", "A8"])
            } else if forbidden[(!side).index()] {
                // Only the Asian tie-break rules so: a shielding rook may not be chased.
                pick(["26.4", "24.3"], &["A19"])
            } else {
                pick(["26.4", "24.3"], &["3.3", "A33"])
            };
            (text, articles)
        }
        _ => {
            let articles = match (all_check, forbidden) {
                ([true, true], _) => pick(["26.3", "24.2"], &["A7"]),
                (_, [true, true]) => pick(["26.3", "24.2"], &["3.3"]),
                _ => pick(["26.2", "24.2"], &["A39", "A40"]),
            };
            (Text::new("双方不变作和。", "if neither changes it is a draw."), articles)
        }
    }
}

fn standing(ruling: &Ruling) -> Text {
    let n = ruling.occurrences;
    match ruling.status {
        Status::None => Text::default(),
        Status::Draw => {
            Text::new(format!("局面已出现{n}次，判和。"), format!("This is occurrence {n}: drawn."))
        }
        Status::MustChange(side) => {
            let (zh, en) = side_name(side);
            Text::new(
                format!("局面已出现{n}次，{zh}必须立即变着，再循环一次即判负。"),
                format!("This is occurrence {n}: {en} must change now, one more cycle loses."),
            )
        }
        Status::Loses(side) => {
            let (zh, en) = side_name(side);
            Text::new(
                format!("局面已出现{n}次，{zh}判负。"),
                format!("This is occurrence {n}: {en} loses."),
            )
        }
    }
}
