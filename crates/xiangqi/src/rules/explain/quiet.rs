//! Why a move is no attack, and what it is: exchange, offer, block, follow, or nothing.

use super::{
    Evidence, Explanation,
    attack::Played,
    words::{Text, piece_at, pieces},
};
use crate::{
    rules::{
        attack::{Class, MoveFacts},
        ruleset::GainTest,
        threats::{Threat, threats},
        viewpoint::Viewpoint,
    },
    types::{Bitboard, Kind, Square},
};

pub fn quiet(facts: &MoveFacts, played: &Played<'_>) -> Explanation {
    let (headline, articles) = sentence(facts, played);
    let evidence = facts
        .targets
        .into_iter()
        .map(|target| Evidence {
            attackers: facts.attackers,
            target,
            line: Vec::new(),
            roots: Bitboard::EMPTY,
            text: Text::default(),
        })
        .collect();
    Explanation { headline, evidence, articles }
}

fn sentence(facts: &MoveFacts, played: &Played<'_>) -> (Text, Vec<&'static str>) {
    let reply = played.reply;
    if facts.by_the_way {
        let text = Text::new(
            "占据防守要点，立即构成简明和棋，附带捉士象，按闲处理。",
            "Takes a key point of defence that makes a plain draw at once; the attack on advisors or elephants is by the way: idle.",
        );
        return (text, vec!["27.3", "28.9"]);
    }
    if facts.by_soldier || facts.by_king {
        return lesser(facts, played);
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
                format!("{}无根，送给{}吃，是献。", by.zh, target.zh),
                format!("The {}, which has no root, offers itself to the {}.", by.en, target.en),
            );
            return (text, vec!["28.6", "28.9"]);
        }
        Class::Block => {
            let text = Text::new(
                format!("{}阻拦{}的活动。", by.zh, target.zh),
                format!("The {} blocks the {}.", by.en, target.en),
            );
            return (text, vec!["28.7", "28.9"]);
        }
        Class::Follow => {
            let text = Text::new(
                format!("{}盯牵{}，吃去并不得子，是跟。", by.zh, target.zh),
                format!("The {} follows the {}: taking it would win nothing.", by.en, target.en),
            );
            return (text, vec!["28.8", "28.9"]);
        }
        _ => {}
    }
    if facts.relief {
        let text = Text::new(
            "只是解除己子所受之捉，不算捉。",
            "Only ends the attack on a piece of its own; what that uncovers is no chase.",
        );
        return (text, vec!["28.9"]);
    }
    if !facts.standing.is_empty() {
        let target = pieces(reply, facts.standing);
        let text = Text::new(
            format!("对{}的捉在上一着已经存在，不是新捉。", target.zh),
            format!("The attack on the {} stood before the move and is not new.", target.en),
        );
        return (text, vec!["29.2", "28.9"]);
    }
    let text = if played.before.in_check() {
        Text::new("应将，是闲着。", "Answers the check: an idle move.")
    } else {
        Text::new("非将、非杀、非捉，是闲着。", "No check, no kill, no chase: an idle move.")
    };
    (text, vec!["28.9"])
}

/// The king's and the soldiers' own attacks, by name (27.1, 27.2).
fn lesser(facts: &MoveFacts, played: &Played<'_>) -> (Text, Vec<&'static str>) {
    let king = played.again.king(played.again.side());
    let mut text = Text::default();
    let mut articles = Vec::new();
    for threat in new_idle_threats(played) {
        let (by, target) =
            (piece_at(played.reply, threat.attacker), piece_at(played.reply, threat.target));
        let own = if threat.attacker == king { facts.by_king } else { facts.by_soldier };
        if own {
            text.push(&Text::new(
                format!("{}捉{}。", by.zh, target.zh),
                format!("The {} attacks the {}.", by.en, target.en),
            ));
        }
    }
    if facts.by_king {
        text.push(&Text::new("帅(将)本身捉子，按闲处理。", "The king's own attack is idle."));
        articles.push("27.1");
    }
    if facts.by_soldier {
        text.push(&Text::new("兵(卒)本身捉子，按闲处理。", "A soldier's own attack is idle."));
        articles.push("27.2");
    }
    articles.push("28.9");
    (text, articles)
}

fn new_idle_threats(played: &Played<'_>) -> Vec<Threat> {
    let measure = GainTest::Exchange;
    let after = threats(&mut played.again.clone(), measure, &played.view);
    let view = Viewpoint::before(played.before);
    let before = threats(&mut played.before.clone(), measure, &view);
    let origin = |square: Square| {
        if square == played.m.to() { played.m.from() } else { square }
    };
    let old =
        |threat: &Threat| before.contains(Threat { attacker: origin(threat.attacker), ..*threat });
    let kinds = [Kind::King, Kind::Soldier];
    let idle = |square| played.again.piece_on(square).is_some_and(|p| kinds.contains(&p.kind()));
    after.idle.iter().copied().filter(|threat| idle(threat.attacker) && !old(threat)).collect()
}
