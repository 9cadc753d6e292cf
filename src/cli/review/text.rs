//! The review as a text to be read, Chinese and English.

use super::{Reviewed, headings::headings};
use crate::review::{PlyReview, Severity, remark, score_words};
use std::fmt::{self, Write as _};
use xiangqi::{rules::side_name, types::Side};

/// The whole text.
pub fn text(reviewed: &Reviewed) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = write_whole(&mut out, reviewed);
    out
}

fn write_whole(out: &mut String, reviewed: &Reviewed) -> fmt::Result {
    let review = &reviewed.review;
    for line in headings(&reviewed.tags) {
        writeln!(out, "{line}")?;
    }
    let (zh, en) = &reviewed.effort;
    writeln!(out, "局势与胜率均从红方看，{zh}。Scores and chances are Red's; {en}.\n")?;
    write_due(out, reviewed, 0)?;
    let curve = review.curve();
    for ply in &review.plies {
        write_ply(out, ply)?;
        writeln!(
            out,
            "   {:>6}   {:>3.0}%{}",
            score_words(review.scores[ply.ply]),
            100.0 * curve[ply.ply],
            verdict(ply)
        )?;
        if ply.severity.is_some() {
            let (zh, en) = remark(ply);
            writeln!(out, "       {zh}\n       {en}")?;
        }
        write_due(out, reviewed, ply.ply)?;
    }
    writeln!(out, "\n总结 Summary")?;
    for line in summary(reviewed) {
        writeln!(out, "  {line}")?;
    }
    Ok(())
}

/// Number, side and move.
fn write_ply(out: &mut String, ply: &PlyReview) -> fmt::Result {
    let (zh, en) = side_name(ply.side);
    write!(out, "{:>4}. {zh} {en:<5} {} {}", ply.ply, ply.chinese, ply.played)
}

/// Sign and names of how bad a move was, with blanks before; nothing for a good one.
pub fn verdict(ply: &PlyReview) -> String {
    ply.severity.map_or_else(String::new, |severity| {
        format!("   {} {} {}", severity.sign(), severity.chinese(), severity.name())
    })
}

fn write_due(out: &mut String, reviewed: &Reviewed, ply: usize) -> fmt::Result {
    for due in reviewed.review.due_at(ply) {
        let (zh, en) = due.words();
        writeln!(out, "       棋例：{zh}\n       Rules: {en}")?;
    }
    Ok(())
}

/// A line for each side.
pub fn summary(reviewed: &Reviewed) -> Vec<String> {
    let line = |side| {
        let (zh, en) = side_name(side);
        let tally = reviewed.review.tally(side);
        let mut line = format!("{zh} {en}:");
        for severity in Severity::ALL {
            let count = tally.counts[severity as usize];
            line += &format!(" {} {} {count},", severity.chinese(), plural(severity));
        }
        line += &format!(
            " 平均失分 average loss {:.1}% / {} 着 moves",
            100.0 * tally.average_loss,
            tally.moves
        );
        line
    };
    Side::ALL.map(line).into()
}

/// The name of several.
pub const fn plural(severity: Severity) -> &'static str {
    match severity {
        Severity::Inaccuracy => "inaccuracies",
        Severity::Mistake => "mistakes",
        Severity::Blunder => "blunders",
    }
}
