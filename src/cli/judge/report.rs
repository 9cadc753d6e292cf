//! The ruling as a text to be read, Chinese and English.

use super::account::Account;
use std::fmt::{self, Write as _};
use xiangqi::{
    notation::{DiagramOptions, diagram},
    rules::{DueKind, Judged, side_name},
    types::Side,
};

/// The report on a game.
pub fn report(account: &Account) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = write_whole(&mut out, account);
    out
}

fn write_whole(out: &mut String, account: &Account) -> fmt::Result {
    if !account.title.is_empty() {
        writeln!(out, "=== {}", account.title)?;
    }
    for line in account.headings() {
        writeln!(out, "{line}")?;
    }
    for line in over_words(account) {
        writeln!(out, "{line}")?;
    }
    write_ruling(out, account)?;
    if let Some(ply) = earlier_ruling(account) {
        writeln!(out, "第{ply}着后的裁决 The ruling after ply {ply}:")?;
        write_ruling(out, &account.at(ply))?;
    }
    Ok(())
}

/// The ply of a ruling by repetition that came before the last move, and that a reader wants to
/// see.
pub fn earlier_ruling(account: &Account) -> Option<usize> {
    use xiangqi::rules::Ending::{RepetitionDraw, RepetitionLoss};
    let by_repetition =
        |what| matches!(what, DueKind::MustChange | DueKind::Over(RepetitionDraw | RepetitionLoss));
    let due = account.over().or_else(|| account.missed_change())?;
    by_repetition(due.what).then_some(due.ply)
}

/// That the game was over, or a change due, before the last move.
pub fn over_words(account: &Account) -> Vec<String> {
    let last = account.game.plies().len();
    if let Some(due) = account.over() {
        let ((zh, en), left) = (due.words(), last - due.ply);
        let moves = if left == 1 { "ply" } else { "plies" };
        return vec![
            format!("注意：对局在第{}着后已经结束：{zh}。其后{left}着不应再走。", due.ply),
            format!(
                "Note: the game was over after ply {}: {en}. The {left} {moves} behind it should not have been played.",
                due.ply
            ),
        ];
    }
    account.missed_change().map_or_else(Vec::new, |due| {
        let (zh, en) = due.words();
        vec![
            format!("注意：第{}着后{zh}；末一局面则未重复。", due.ply),
            format!("Note: after ply {} {en}; the last position is no repetition.", due.ply),
        ]
    })
}

fn write_ruling(out: &mut String, account: &Account) -> fmt::Result {
    let ruling = &account.ruling;
    let heading = ruling.heading();
    writeln!(out, "{}\n{}", heading.zh, heading.en)?;
    writeln!(out, "  {}\n  {}", ruling.reason.zh, ruling.reason.en)?;
    if let Some(cycle) = ruling.cycle {
        let start = account.game.position_at(cycle.first_ply - 1);
        let (first, last) = (cycle.first_ply, cycle.last_ply);
        writeln!(out)?;
        for line in occurrence_words(account) {
            writeln!(out, "{line}")?;
        }
        writeln!(out, "\n循环起点（第{first}着之前） Board before ply {first}")?;
        let options = DiagramOptions { legend: true, ..DiagramOptions::default() };
        writeln!(out, "{}\n{}", diagram(&start, options), start.fen())?;
        writeln!(
            out,
            "\n循环着法（第{first}至{last}着） Moves of the cycle, plies {first} to {last}"
        )?;
        for (judged, chinese) in ruling.moves.iter().zip(account.chinese_moves()) {
            write_move(out, judged, &chinese)?;
        }
        writeln!(out, "\n双方着法性质 What each side does")?;
        for side in Side::ALL {
            let (part, (zh, en)) = (ruling.part_text(side), side_name(side));
            writeln!(out, "  {zh}{}。\n  {en} {}.", part.zh, part.en)?;
        }
    }
    let (zh, en) = account.limit_words();
    writeln!(out, "\n{zh}\n{en}")?;
    if account.material_draw {
        writeln!(
            out,
            "双方均无进攻子力，和棋（4.2.1）\nDrawn: neither side has anything to win with (4.2.1)"
        )?;
    }
    let (rules, plies) = (ruling.rules, account.game.plies().len());
    writeln!(out, "规则 Rules: {rules}   着数 Plies: {plies}\n")
}

/// How often the position stood on the board, and when.
pub fn occurrence_words(account: &Account) -> Vec<String> {
    let earlier = account.earlier();
    let n = account.ruling.occurrences;
    let zh: Vec<String> = earlier.iter().map(|&ply| place(ply).0).collect();
    let en: Vec<String> = earlier.iter().map(|&ply| place(ply).1).collect();
    vec![
        format!("此局面第{n}次出现，此前见于{}。", zh.join("、")),
        format!("Occurrence {n} of this position; earlier: {}.", en.join(", ")),
    ]
}

fn place(ply: usize) -> (String, String) {
    if ply == 0 {
        ("开始时".to_owned(), "at the start".to_owned())
    } else {
        (format!("第{ply}着后"), format!("after ply {ply}"))
    }
}

fn write_move(out: &mut String, judged: &Judged, chinese: &str) -> fmt::Result {
    let class = judged.class;
    let how =
        judged.how.map_or(String::new(), |how| format!(" ({})", how.name().replace('_', " ")));
    let (zh, en) = side_name(judged.side);
    writeln!(
        out,
        "{:>4}. {zh} {en:<5} {chinese} {}   {} {}{how}   [{}]",
        judged.ply,
        judged.played,
        class.chinese(),
        class.name(),
        judged.articles.join(", ")
    )?;
    writeln!(out, "       {}", judged.headline.zh)?;
    for evidence in judged.evidence.iter().filter(|evidence| !evidence.text.is_empty()) {
        writeln!(out, "         · {}", evidence.text.zh)?;
    }
    writeln!(out, "       {}", judged.headline.en)?;
    for evidence in judged.evidence.iter().filter(|evidence| !evidence.text.is_empty()) {
        writeln!(out, "         - {}", evidence.text.en)?;
    }
    Ok(())
}
