//! The verdict in words: the heading, each side's part, and the reason.

use super::words::{Text, count, number, side_name};
use crate::{
    rules::{CycleKind, CycleRuling, RuleSet, Ruling, Status, attack::Class},
    types::Side,
};

/// The articles that the ruling rests on, and the reason in words.
pub fn explain_ruling(ruling: &Ruling) -> (Text, Vec<&'static str>) {
    if ruling.cycle_ruling == CycleRuling::None {
        let text =
            Text::new("末一局面此前没有出现过。", "The last position has not occurred before.");
        return (text, Vec::new());
    }
    let [red, black] = Side::ALL.map(|side| ruling.part_text(side));
    let mut text = Text::new(
        format!("红方{}；黑方{}。", red.zh, black.zh),
        format!("Red {}; Black {}.", red.en, black.en),
    );
    let (consequence, mut articles) = consequence(ruling);
    text.push(&consequence);
    if ruling.rules == RuleSet::Cn1999 && ruling.parts.iter().any(|part| part.by_soldiers) {
        articles.push("27.2");
    }
    let now = standing(ruling);
    if !now.is_empty() {
        text.push(&now);
    }
    (text, articles)
}

impl Ruling {
    /// The verdict in one line, with its articles: 裁决：红方须变着（第26.4、24.3条）.
    pub fn heading(&self) -> Text {
        let articles = cited(self);
        let (zh, en) = self.verdict_words();
        Text::new(format!("裁决：{zh}{}", articles.zh), format!("Ruling: {en}{}", articles.en))
    }

    fn verdict_words(&self) -> (String, String) {
        let same = |(zh, en): (&str, &str), zh_verb: &str, en_verb: &str| {
            (format!("{zh}{zh_verb}"), format!("{en} {en_verb}"))
        };
        match self.status {
            Status::Draw => ("判和".to_owned(), "drawn".to_owned()),
            Status::MustChange(side) => same(side_name(side), "须变着", "must change"),
            Status::Loses(side) => same(side_name(side), "判负", "loses"),
            Status::None => match self.cycle_ruling {
                CycleRuling::None => {
                    ("无（局面未重复）".to_owned(), "none (nothing is repeated)".to_owned())
                }
                CycleRuling::Draw => (
                    "尚未到裁决之时；双方如不变着，则判和".to_owned(),
                    "not yet due; drawn if neither side changes".to_owned(),
                ),
                CycleRuling::Forbidden(side) => {
                    let (zh, en) = side_name(side);
                    (
                        format!("尚未到裁决之时；{zh}须变着，不变判负"),
                        format!("not yet due; {en} must change or loses"),
                    )
                }
            },
        }
    }

    /// What a side does over the cycle, to be read behind its name: 长捉, chases perpetually. A
    /// mixture is named by what is in it (25.2).
    pub fn part_text(&self, side: Side) -> Text {
        let moves = || self.moves.iter().filter(move |judged| judged.side == side);
        let all = |class: Class| moves().all(|judged| judged.class == class);
        let has = |class: Class| moves().any(|judged| judged.class == class);
        let by_soldiers = self.parts[side.index()].by_soldiers;
        match self.parts[side.index()].kind {
            CycleKind::PerpetualCheck => Text::new("长将", "checks perpetually"),
            CycleKind::PerpetualKill => Text::new("长杀", "threatens mate perpetually"),
            CycleKind::PerpetualChase if by_soldiers => Text::new(
                "长捉（兵卒之捉在相互长打中算捉）",
                "chases perpetually (a soldier's attacks count against attacks on every move)",
            ),
            CycleKind::PerpetualChase => Text::new("长捉", "chases perpetually"),
            CycleKind::Mixed => mixture(has(Class::Check), has(Class::Kill), has(Class::Chase)),
            CycleKind::Allowed => {
                let perpetual = [
                    (Class::Exchange, "长兑", "offers to exchange on every move"),
                    (Class::Offer, "长献", "offers a piece on every move"),
                    (Class::Block, "长拦", "blocks on every move"),
                    (Class::Follow, "长跟", "follows on every move"),
                ];
                let named = perpetual.into_iter().find(|(class, ..)| all(*class));
                if let Some((_, zh, en)) = named {
                    return Text::new(
                        format!("{zh}，为允许着法"),
                        format!("{en}, which is allowed"),
                    );
                }
                self.allowed(side)
            }
        }
    }

    /// Attacks with idle moves between them, or none at all.
    fn allowed(&self, side: Side) -> Text {
        let moves = || self.moves.iter().filter(move |judged| judged.side == side);
        let attacks: Vec<Class> =
            moves().map(|judged| judged.class).filter(|class| class.is_attack()).collect();
        let Some(&first) = attacks.first() else {
            return Text::new("走闲着，为允许着法", "plays idle moves, which are allowed");
        };
        let idle = moves().count() - attacks.len();
        if idle == 0 {
            // The Asian and the league rules ask for one target that is chased throughout.
            return Text::new(
                "各着所攻并非始终是同一子，为允许着法",
                "attacks, but not one and the same piece throughout, which is allowed",
            );
        }
        let word = |n: usize| if n == 1 { "一" } else { "数" };
        let name = if attacks.iter().all(|class| *class == first) {
            format!("{}{}{}闲", word(attacks.len()), first.chinese(), word(idle))
        } else {
            let kinds = [Class::Check, Class::Kill, Class::Chase];
            let kinds = kinds.into_iter().filter(|class| attacks.contains(class));
            format!("{}与闲着相间", kinds.map(Class::chinese).collect::<Vec<_>>().join("、"))
        };
        let plural = |n: usize, one: &str, many: &str| {
            format!("{} {}", number(n), if n == 1 { one } else { many })
        };
        let list: Vec<String> = [
            (Class::Check, "check", "checks"),
            (Class::Kill, "kill", "kills"),
            (Class::Chase, "chase", "chases"),
        ]
        .into_iter()
        .map(|(class, one, many)| (attacks.iter().filter(|c| **c == class).count(), one, many))
        .filter(|(n, ..)| *n > 0)
        .map(|(n, one, many)| plural(n, one, many))
        .chain([plural(idle, "idle move", "idle moves")])
        .collect();
        Text::new(
            format!("{name}，为允许着法"),
            format!("plays {}, which is allowed", super::words::and(&list)),
        )
    }
}

/// 一将一杀, 一将一捉, 一杀一捉 and all three: alternations without an idle move.
fn mixture(check: bool, kill: bool, chase: bool) -> Text {
    let parts = [(check, "将", "checks"), (kill, "杀", "threats of mate"), (chase, "捉", "chases")];
    let there = || parts.iter().filter(|(there, ..)| *there);
    let zh: String = there().map(|(_, zh, _)| *zh).collect();
    let en: Vec<String> = there().map(|(.., en)| (*en).to_owned()).collect();
    Text::new(format!("{zh}交替，步步是打"), format!("alternates {}", super::words::and(&en)))
}

/// The articles behind a heading: （第26.4、24.3条）, (articles 26.4, 24.3).
fn cited(ruling: &Ruling) -> Text {
    let list = &ruling.articles;
    match (ruling.rules, list.len()) {
        (_, 0) => Text::default(),
        (RuleSet::League, _) => Text::new("（联赛规则）", " (league rules)"),
        (RuleSet::Cn1999, n) => Text::new(
            format!("（第{}条）", list.join("、")),
            format!(" ({} {})", if n == 1 { "article" } else { "articles" }, list.join(", ")),
        ),
        (RuleSet::Axf, _) => Text::new(
            format!("（亚洲规则{}）", list.join("、")),
            format!(" (Asian rules, {})", list.join(", ")),
        ),
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
            (Text::new("双方不变作和。", "If neither changes, it is a draw."), articles)
        }
    }
}

fn standing(ruling: &Ruling) -> Text {
    let n = ruling.occurrences;
    let times = count(n);
    match ruling.status {
        Status::None => Text::default(),
        Status::Draw => Text::new(
            format!("局面已出现{times}次，判和。"),
            format!("This is occurrence {n}: drawn."),
        ),
        Status::MustChange(side) => {
            let (zh, en) = side_name(side);
            Text::new(
                format!("局面已出现{times}次，{zh}必须立即变着，再循环一次即判负。"),
                format!("This is occurrence {n}: {en} must change now, and one more cycle loses."),
            )
        }
        Status::Loses(side) => {
            let (zh, en) = side_name(side);
            Text::new(
                format!("局面已出现{times}次，{zh}判负。"),
                format!("This is occurrence {n}: {en} loses."),
            )
        }
    }
}
