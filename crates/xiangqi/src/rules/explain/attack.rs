//! Why a move is a check, a kill or a chase: a headline, and a line for each target.

use super::{
    Evidence, Explanation, line,
    root::protection,
    words::{self, Text, captures, count, names, number, piece_at, pieces, side_name},
};
use crate::{
    board::Position,
    rules::{
        attack::{ChaseKind, MoveFacts},
        exchange::capture_gain,
        ruleset::{GainTest, Switches},
        threats::{attacks_square, legal_roots, threats},
        viewpoint::Viewpoint,
    },
    types::{Bitboard, Kind, Move, Square},
};

/// A move with the boards around it.
pub struct Played<'a> {
    /// The move.
    pub m: Move,
    /// The board before it.
    pub before: &'a Position,
    /// The board after it, the other side to move.
    pub reply: &'a Position,
    /// The board after it, the mover to move once more.
    pub again: Position,
    /// What of the board after the move does not forbid a capture.
    pub view: Viewpoint,
}

impl<'a> Played<'a> {
    pub fn new(m: Move, before: &'a Position, reply: &'a Position) -> Self {
        let mut view = Viewpoint::default();
        view.old_checkers[reply.side().index()] = reply.checkers();
        Self { m, before, reply, again: reply.with_turn_taken(), view }
    }

    /// Where a piece of the mover stood before the move.
    fn origin(&self, square: Square) -> Square {
        if square == self.m.to() { self.m.from() } else { square }
    }
}

pub fn check(facts: &MoveFacts, played: &Played<'_>) -> Explanation {
    let by = pieces(played.reply, facts.attackers);
    let moved = piece_at(played.reply, played.m.to());
    let headline = if facts.attackers.has_several() {
        Text::new(format!("{}同时照将。", by.zh), format!("The {} check the king together.", by.en))
    } else if facts.attackers.contains(played.m.to()) {
        Text::new(format!("{}照将。", by.zh), format!("The {} checks the king.", by.en))
    } else {
        Text::new(
            format!("{}走开，{}照将。", moved.zh, by.zh),
            format!("The {} moves away, and the {} checks the king.", moved.en, by.en),
        )
    };
    let evidence = vec![Evidence {
        attackers: facts.attackers,
        target: played.reply.king(played.reply.side()),
        line: Vec::new(),
        roots: Bitboard::EMPTY,
        text: Text::default(),
    }];
    Explanation { headline, evidence, articles: vec!["28.1"] }
}

pub fn kill(facts: &MoveFacts, played: &Played<'_>) -> Explanation {
    let n = facts.kill_checks.max(1);
    let moves = facts.line.map_or_else(Vec::new, |first| line::kill(&played.again, first, n));
    let shown = words::line(&played.again, &moves);
    let headline = if n == 1 {
        Text::new("下一着照将，即可将死。", "Threatens mate on the next move.")
    } else {
        Text::new(
            format!("从下一着起连续照将，{}着内成杀。", count(n)),
            format!("Threatens mate in {} moves by continuous checks.", number(n)),
        )
    };
    let text =
        Text::new(format!("杀法：{}，将死。", shown.zh), format!("The kill: {}, mate.", shown.en));
    let evidence = vec![Evidence {
        attackers: facts.attackers,
        target: played.reply.king(played.reply.side()),
        line: moves,
        roots: Bitboard::EMPTY,
        text,
    }];
    Explanation { headline, evidence, articles: vec!["28.2"] }
}

pub fn chase(facts: &MoveFacts, played: &Played<'_>, switches: &Switches) -> Explanation {
    match facts.how {
        Some(ChaseKind::ByChecks | ChaseKind::ByExchange) => prepared(facts, played),
        _ => direct(facts, played, switches),
    }
}

/// A piece won by checks, or after a trade.
fn prepared(facts: &MoveFacts, played: &Played<'_>) -> Explanation {
    let targets = pieces(played.reply, facts.targets);
    let by_checks = facts.how == Some(ChaseKind::ByChecks);
    let headline = if by_checks {
        Text::new(
            format!("从下一着起连续照将，可吃{}。", targets.zh),
            format!("Threatens to win the {} by continuous checks.", targets.en),
        )
    } else {
        Text::new(
            format!("从下一着起连续交换，可吃{}。", targets.zh),
            format!("Threatens to win the {} by an exchange.", targets.en),
        )
    };
    let mut evidence = Vec::new();
    for target in facts.targets {
        let moves = facts.line.map_or_else(Vec::new, |first| {
            if by_checks {
                line::by_checks(&played.again, first, target, &played.view)
            } else {
                line::by_exchange(&played.again, first, target, &played.view)
            }
        });
        let name = piece_at(played.reply, target);
        let text = if moves.is_empty() {
            Text::default()
        } else {
            let shown = words::line(&played.again, &moves);
            let (zh, en) = if ends_on(&moves, target) {
                ("", "")
            } else if mates(&played.again, &moves) {
                ("，将死", ", mate")
            } else {
                ("，等等", " and so on")
            };
            Text::new(
                format!("吃{}之法：{}{zh}。", name.zh, shown.zh),
                format!("It takes the {} thus: {}{en}.", name.en, shown.en),
            )
        };
        let attackers = facts.attackers;
        evidence.push(Evidence { attackers, target, line: moves, roots: Bitboard::EMPTY, text });
    }
    Explanation { headline, evidence, articles: vec!["28.3", "29.1"] }
}

/// Whether a line ends in mate.
fn mates(again: &Position, moves: &[Move]) -> bool {
    let mut position = again.clone();
    for &m in moves {
        position.make(m);
    }
    !position.has_legal_move()
}

/// Whether the last move of a line takes the piece that stood on `target` at its start.
fn ends_on(moves: &[Move], target: Square) -> bool {
    let (last, rest) = match moves.split_last() {
        Some(split) => split,
        None => return false,
    };
    let there = rest.iter().fold(target, |at, m| if m.from() == at { m.to() } else { at });
    last.to() == there
}

/// Pieces that are taken at once.
fn direct(facts: &MoveFacts, played: &Played<'_>, switches: &Switches) -> Explanation {
    let mut articles = vec!["28.3", "29.1"];
    let found = threats(&mut played.again.clone(), switches.measure, &played.view);
    let pairs = found.pairs.iter().chain(&found.idle);
    let mut evidence = Vec::new();
    for target in facts.targets {
        let attackers: Bitboard = pairs
            .clone()
            .filter(|threat| threat.target == target && facts.attackers.contains(threat.attacker))
            .map(|threat| threat.attacker)
            .collect();
        evidence.push(on_target(facts, played, switches, target, attackers, &mut articles));
    }
    let named: Bitboard = evidence.iter().fold(Bitboard::EMPTY, |all, e| all | e.attackers);
    let mut headline = heading(facts, played, &evidence);
    if facts.by_soldier {
        articles.insert(0, "27.2");
        headline.push(&Text::new(
            "对方步步是打，双方相互长打，兵(卒)之捉按捉处理。",
            "As the other side attacks on every move, a soldier's attack counts.",
        ));
    }
    let king = played.again.king(played.again.side());
    if named.contains(king) || played.m.to() == king {
        articles.push("27.1");
    }
    articles.dedup();
    let mut seen = Vec::new();
    articles.retain(|article| {
        !seen.contains(article) && {
            seen.push(*article);
            true
        }
    });
    Explanation { headline, evidence, articles }
}

fn heading(facts: &MoveFacts, played: &Played<'_>, evidence: &[Evidence]) -> Text {
    let moved = piece_at(played.reply, played.m.to());
    let attacks = clauses(facts, played, evidence);
    match facts.how {
        Some(ChaseKind::Discovered) => Text::new(
            format!("{}走开，{}。", moved.zh, attacks.zh),
            format!("The {} moves away, and {}.", moved.en, attacks.en),
        ),
        Some(ChaseKind::RootCut) => {
            let targets = pieces(played.reply, facts.targets);
            let (were, it) =
                if facts.targets.has_several() { ("were", "them") } else { ("was", "it") };
            Text::new(
                format!("{}原已在攻击之下，此着后始能得子：{}。", targets.zh, attacks.zh),
                format!(
                    "The {} {were} under attack already, and now taking {it} wins: {}.",
                    targets.en, attacks.en
                ),
            )
        }
        _ => Text::new(
            format!("{}。", attacks.zh),
            format!("T{}.", attacks.en.strip_prefix('t').unwrap_or(&attacks.en)),
        ),
    }
}

/// Who attacks what: a clause for each target, targets of the same attackers together.
fn clauses(facts: &MoveFacts, played: &Played<'_>, evidence: &[Evidence]) -> Text {
    let mut groups: Vec<(Bitboard, Bitboard)> = Vec::new();
    for Evidence { attackers, target, .. } in evidence {
        match groups.iter_mut().find(|(by, _)| by == attackers) {
            Some((_, targets)) => *targets = targets.with(*target),
            None => groups.push((*attackers, Bitboard::of(*target))),
        }
    }
    let (mut zh, mut en) = (Vec::new(), Vec::new());
    for (by, targets) in groups {
        let joint = facts.how == Some(ChaseKind::Joint) && by.has_several();
        let attack = if by.has_several() { "attack" } else { "attacks" };
        let (by, targets) = (pieces(played.reply, by), pieces(played.reply, targets));
        zh.push(format!("{}{}{}", by.zh, if joint { "联合捉" } else { "捉" }, targets.zh));
        let together = if joint { " together" } else { "" };
        en.push(format!("the {} {attack} the {}{together}", by.en, targets.en));
    }
    Text::new(zh.join("，"), words::and(&en))
}

/// Why `target` is lost to `attackers`.
fn on_target(
    facts: &MoveFacts,
    played: &Played<'_>,
    switches: &Switches,
    target: Square,
    attackers: Bitboard,
    articles: &mut Vec<&'static str>,
) -> Evidence {
    let again = &played.again;
    // The attacker that wins most shows how.
    let gain = |from: Square| {
        capture_gain(&mut again.clone(), Move::between(from, target), &played.view).unwrap_or(0)
    };
    let Some(best) = attackers.into_iter().max_by_key(|&from| gain(from)) else {
        let text = Text::default();
        return Evidence {
            attackers: facts.attackers,
            target,
            line: Vec::new(),
            roots: Bitboard::EMPTY,
            text,
        };
    };
    let capture = Move::between(best, target);
    if switches.measure != GainTest::Exchange {
        return by_table(played, switches, capture, attackers);
    }
    let guard = protection(again, capture, &played.view);
    let moves = line::exchange(again, capture, &played.view);
    let helpers: Bitboard = if facts.how == Some(ChaseKind::Joint) {
        moves.iter().step_by(2).map(|m| m.from()).collect()
    } else {
        Bitboard::EMPTY
    };
    let mut text = root_cut(played, capture, &guard.formal);
    text.push(&guard.text);
    text.push(&gains(again, &moves));
    articles.extend(guard.articles);
    Evidence { attackers: attackers | helpers, target, line: moves, roots: guard.formal, text }
}

/// Which roots the move took away, if the attack stood before it.
fn root_cut(played: &Played<'_>, capture: Move, now: &Bitboard) -> Text {
    let old = played.origin(capture.from());
    if !attacks_square(played.before, old, capture.to()) {
        return Text::default();
    }
    let taken = Move::between(old, capture.to());
    let roots = legal_roots(played.before, taken, &Viewpoint::before(played.before));
    let gone = roots - *now;
    if gone.is_empty() {
        return Text::default();
    }
    let names = pieces(played.before, gone);
    Text::new(
        format!("此着使{}失去保护作用。", names.zh),
        format!("The move ends the protection by the {}.", names.en),
    )
}

/// The exchange written out, and what it brings.
fn gains(again: &Position, moves: &[Move]) -> Text {
    let shown = words::line(again, moves);
    let [won, lost] = captures(again, moves);
    let (won, lost) = (names(&won), names(&lost));
    let (zh, en) = side_name(again.side());
    if lost.is_empty() {
        Text::new(
            format!("{}，{zh}得{}。", shown.zh, won.zh),
            format!("{}: {en} wins {}.", shown.en, won.en),
        )
    } else {
        Text::new(
            format!("{}，{zh}得{}，失{}。", shown.zh, won.zh, lost.zh),
            format!("{}: {en} wins {} for {}.", shown.en, won.en, lost.en),
        )
    }
}

/// The Asian and the league test: kinds of pieces and legal recaptures alone.
fn by_table(
    played: &Played<'_>,
    switches: &Switches,
    capture: Move,
    attackers: Bitboard,
) -> Evidence {
    let again = &played.again;
    let roots = legal_roots(again, capture, &played.view);
    let (by, target) = (piece_at(again, capture.from()), piece_at(again, capture.to()));
    let kind = |square| again.piece_on(square).map(|piece| piece.kind());
    let lesser = kind(capture.to()) == Some(Kind::Rook) && kind(capture.from()) != Some(Kind::Rook);
    let text = if lesser {
        Text::new(
            format!("{}捉{}，不论有根无根。", by.zh, target.zh),
            format!("The {} attacks the {}, protected or not.", by.en, target.en),
        )
    } else if switches.measure == GainTest::Roots && roots.is_empty() {
        Text::new(
            format!("{}无真根：吃后无子能合法吃回。", target.zh),
            format!("The {} has no real protection: nothing may legally take back.", target.en),
        )
    } else {
        Text::new(format!("{}无根。", target.zh), format!("The {} is not protected.", target.en))
    };
    Evidence { attackers, target: capture.to(), line: vec![capture], roots, text }
}
