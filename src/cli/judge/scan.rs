//! `judge --scan`: whole games, every ply at which something was due, and a summary.

use super::account::Account;
use std::fmt::Write as _;
use xiangqi::rules::{Due, DueKind};

/// The lines on one game; nothing where nothing was due before the game's last ply but its end.
pub fn lines(account: &Account) -> String {
    let mut out = String::new();
    let last = account.game.plies().len();
    for due in &account.due {
        let (zh, en) = due.words();
        let played_on = if due.is_end() && due.ply < last {
            let left = last - due.ply;
            (format!("，其后又走{left}着"), format!("; {left} more played"))
        } else {
            Default::default()
        };
        // Writing to a string cannot fail.
        let _ = writeln!(
            out,
            "  第{}着 ply {}: {zh}{} | {en}{}",
            due.ply, due.ply, played_on.0, played_on.1
        );
    }
    if out.is_empty() {
        return out;
    }
    let title = if account.title.is_empty() { "对局 game" } else { &account.title };
    let mut head = format!("=== {title}\n");
    for line in account.headings() {
        let _ = writeln!(head, "{line}");
    }
    head + &out
}

/// What was due over all games.
#[derive(Default)]
pub struct Summary {
    games: usize,
    plies: usize,
    should_have_ended: Vec<(String, usize)>,
    kinds: Vec<(DueKind, usize)>,
}

impl Summary {
    /// Counts a game in.
    pub fn add(&mut self, account: &Account) {
        self.games += 1;
        self.plies += account.game.plies().len();
        let mut counted: Vec<DueKind> = Vec::new();
        for Due { what, .. } in &account.due {
            // A game counts once under each heading.
            if !counted.contains(what) {
                counted.push(*what);
            }
        }
        for what in counted {
            match self.kinds.iter_mut().find(|(kind, _)| *kind == what) {
                Some((_, count)) => *count += 1,
                None => self.kinds.push((what, 1)),
            }
        }
        if let Some(due) = account.over() {
            let name = if account.title.is_empty() { "game 1" } else { &account.title };
            self.should_have_ended.push((name.to_owned(), due.ply));
        }
    }

    /// The closing words.
    pub fn words(&self) -> String {
        let mut out = String::new();
        let (n, late) = (thousands(self.games), self.should_have_ended.len());
        let games = if self.games == 1 { "game" } else { "games" };
        let _ = writeln!(out, "总计 Summary");
        let _ = writeln!(out, "  共{n}局{}着，其中{late}局应更早结束。", thousands(self.plies));
        let _ = writeln!(
            out,
            "  {n} {games}, {} plies; {late} should have ended earlier.",
            thousands(self.plies)
        );
        for (name, ply) in &self.should_have_ended {
            let _ = writeln!(out, "    {name}: 第{ply}着 ply {ply}");
        }
        for (what, count) in &self.kinds {
            let _ = writeln!(out, "  {}: {count}", kind_words(*what));
        }
        out
    }
}

const fn kind_words(what: DueKind) -> &'static str {
    use xiangqi::rules::Ending;
    match what {
        DueKind::MustChange => "须变着 games with a change due",
        DueKind::TenChecks => "照将超过十着 games with more than ten checks without a capture",
        DueKind::Over(Ending::Mate) => "将死 mates",
        DueKind::Over(Ending::Stalemate) => "困毙 stalemates",
        DueKind::Over(Ending::RepetitionLoss) => "循环判负 losses by repetition",
        DueKind::Over(Ending::RepetitionDraw) => "循环判和 draws by repetition",
        DueKind::Over(Ending::NoAttackers) => "无进攻子力 draws for want of attackers",
        DueKind::Over(Ending::NaturalLimit) => "自然限着 natural limit reached",
    }
}

/// 2,516.
fn thousands(n: usize) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::thousands;

    #[test]
    fn digits_in_threes() {
        assert_eq!(
            [0, 999, 1000, 2516, 1_234_567].map(thousands),
            ["0", "999", "1,000", "2,516", "1,234,567"]
        );
    }
}
