//! `judge --html`: the ruling as one page that opens anywhere, with a picture of each move.

use super::{
    account::Account,
    report::{earlier_ruling, occurrence_words, over_words},
};
use std::fmt::{self, Write as _};
use xiangqi::{
    board::Position,
    notation::{Arrow, Mark, SvgOptions, escape, svg, svg_style},
    rules::{Judged, RuleSet, article, side_name},
    types::Side,
};

const STYLE: &str = include_str!("page.css");

/// The page on these games.
pub fn page(accounts: &[Account]) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = write_page(&mut out, accounts);
    out
}

fn write_page(out: &mut String, accounts: &[Account]) -> fmt::Result {
    write!(
        out,
        "<!DOCTYPE html>\n<html lang=\"zh-Hans\">\n<head>\n<meta charset=\"utf-8\"/>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n\
         <meta name=\"color-scheme\" content=\"light dark\"/>\n\
         <title>棋例裁决 Ruling on repetition</title>\n<style>\n{STYLE}{}\n</style>\n</head>\n<body>\n",
        svg_style()
    )?;
    for account in accounts {
        write_game(out, account)?;
    }
    writeln!(
        out,
        "<footer>楚河 Chuhe {} · 棋例裁决 ruling on repetition</footer>\n</body>\n</html>",
        env!("CARGO_PKG_VERSION")
    )
}

fn write_game(out: &mut String, account: &Account) -> fmt::Result {
    writeln!(out, "<main>")?;
    if !account.title.is_empty() {
        writeln!(out, "<p class=\"source\">{}</p>", escape(&account.title))?;
    }
    for line in account.headings() {
        writeln!(out, "<p class=\"players\">{}</p>", escape(&line))?;
    }
    let notes = over_words(account);
    if !notes.is_empty() {
        writeln!(out, "<div class=\"note\">")?;
        for (i, line) in notes.iter().enumerate() {
            write_text(out, "p", i % 2 == 1, line)?;
        }
        writeln!(out, "</div>")?;
    }
    match earlier_ruling(account) {
        Some(ply) => write_ruling(out, &account.at(ply))?,
        None => write_ruling(out, account)?,
    }
    writeln!(out, "</main>")
}

/// An element with words in one of the two languages.
fn write_text(out: &mut String, element: &str, english: bool, text: &str) -> fmt::Result {
    let lang = if english { "en" } else { "zh-Hans" };
    let class = if english { "en" } else { "zh" };
    writeln!(out, "<{element} lang=\"{lang}\" class=\"{class}\">{}</{element}>", escape(text))
}

fn write_ruling(out: &mut String, account: &Account) -> fmt::Result {
    let ruling = &account.ruling;
    let heading = ruling.heading();
    writeln!(out, "<header class=\"verdict\">")?;
    write_text(out, "h1", false, &heading.zh)?;
    write_text(out, "p", true, &heading.en)?;
    writeln!(out, "</header>")?;
    write_text(out, "p", false, &ruling.reason.zh)?;
    write_text(out, "p", true, &ruling.reason.en)?;
    if let Some(cycle) = ruling.cycle {
        write_cycle(out, account, cycle.first_ply)?;
    } else {
        let title = "末一局面 The last position".to_owned();
        let picture = svg(account.game.position(), &SvgOptions { title, ..SvgOptions::default() });
        writeln!(out, "<figure class=\"start\">{picture}</figure>")?;
    }
    write_articles(out, account)?;
    let (zh, en) = account.limit_words();
    writeln!(
        out,
        "<section class=\"limit\"><h2>自然限着 <span lang=\"en\">Natural limit</span></h2>"
    )?;
    write_text(out, "p", false, &zh)?;
    write_text(out, "p", true, &en)?;
    writeln!(out, "</section>")
}

fn write_cycle(out: &mut String, account: &Account, first: usize) -> fmt::Result {
    let ruling = &account.ruling;
    let start = account.game.position_at(first - 1);
    writeln!(out, "<section class=\"overview\"><figure class=\"start\">")?;
    let title = format!("循环起点 Board before ply {first}");
    out.push_str(&svg(&start, &SvgOptions { title: title.clone(), ..SvgOptions::default() }));
    writeln!(
        out,
        "<figcaption>{title}<br/><code>{}</code></figcaption></figure>",
        escape(&start.fen())
    )?;
    writeln!(
        out,
        "<div class=\"parts\"><h2>双方着法 <span lang=\"en\">What each side does</span></h2>"
    )?;
    for side in Side::ALL {
        let (part, (zh, en)) = (ruling.part_text(side), side_name(side));
        write_text(out, "p", false, &format!("{zh}{}。", part.zh))?;
        write_text(out, "p", true, &format!("{en} {}.", part.en))?;
    }
    for (i, line) in occurrence_words(account).iter().enumerate() {
        write_text(out, "p", i % 2 == 1, line)?;
    }
    writeln!(out, "<ul class=\"key\">")?;
    for (class, words) in [
        ("move", "着法 move"),
        ("attack", "攻击 attack"),
        ("line", "得子变化 winning line"),
        ("root", "根 root"),
    ] {
        writeln!(out, "<li class=\"key-{class}\">{words}</li>")?;
    }
    writeln!(out, "</ul></div></section>")?;
    writeln!(
        out,
        "<section class=\"moves\"><h2>循环着法 <span lang=\"en\">The moves of the cycle</span></h2>"
    )?;
    let mut position = start;
    for (judged, chinese) in ruling.moves.iter().zip(account.chinese_moves()) {
        position.make(judged.played);
        write_move(out, judged, &chinese, &position)?;
    }
    writeln!(out, "</section>")
}

fn write_move(out: &mut String, judged: &Judged, chinese: &str, after: &Position) -> fmt::Result {
    let class = judged.class;
    let (side, side_en) = side_name(judged.side);
    let title = format!("{}. {chinese} {}", judged.ply, judged.played);
    writeln!(
        out,
        "<article class=\"move\"><figure>{}</figure><div>",
        svg(after, &marks(judged, title))
    )?;
    writeln!(
        out,
        "<h3><span class=\"ply\">{}.</span> {side} {} <span lang=\"en\" class=\"en\">{side_en} {}</span> \
         <span class=\"class {}\">{} <span lang=\"en\">{}</span></span></h3>",
        judged.ply,
        escape(chinese),
        judged.played,
        class.name(),
        class.chinese(),
        class.name()
    )?;
    for english in [false, true] {
        let pick = |text: &xiangqi::rules::Text| {
            if english { text.en.clone() } else { text.zh.clone() }
        };
        write_text(out, "p", english, &pick(&judged.headline))?;
        let lines: Vec<String> = judged
            .evidence
            .iter()
            .filter(|evidence| !evidence.text.is_empty())
            .map(|evidence| pick(&evidence.text))
            .collect();
        if !lines.is_empty() {
            writeln!(out, "<ul class=\"{}\">", if english { "en" } else { "zh" })?;
            for line in lines {
                writeln!(out, "<li>{}</li>", escape(&line))?;
            }
            writeln!(out, "</ul>")?;
        }
    }
    let articles = judged.articles.join(", ");
    writeln!(out, "<p class=\"cited\">{}</p></div></article>", escape(&articles))
}

/// The arrows on the board of a move: the move itself, the attacks, the line that wins and the
/// roots.
fn marks(judged: &Judged, title: String) -> SvgOptions {
    let mut options = SvgOptions { title, ..SvgOptions::default() };
    let (from, to) = (judged.played.from(), judged.played.to());
    options.arrows.push(Arrow { from, to, mark: Mark::Move });
    options.rings.push((from, Mark::Move));
    for evidence in &judged.evidence {
        let target = evidence.target;
        for from in evidence.roots {
            options.arrows.push(Arrow { from, to: target, mark: Mark::Root });
        }
        // The mover's moves of the line, as far as they are more than the attack itself.
        for m in evidence.line.iter().step_by(2) {
            let (from, to) = (m.from(), m.to());
            if to != target || !evidence.attackers.contains(from) {
                options.arrows.push(Arrow { from, to, mark: Mark::Line });
            }
        }
        let by_line = evidence.line.first().is_some_and(|m| m.to() != target);
        if judged.class.is_attack() && !by_line {
            for from in evidence.attackers {
                options.arrows.push(Arrow { from, to: target, mark: Mark::Attack });
            }
        }
        if judged.class.is_attack() {
            options.rings.push((target, Mark::Attack));
        }
    }
    options
}

/// The articles that the page rests on, in their own words.
fn write_articles(out: &mut String, account: &Account) -> fmt::Result {
    let ruling = &account.ruling;
    if ruling.rules != RuleSet::Cn1999 {
        return Ok(());
    }
    let moves = ruling.moves.iter().flat_map(|judged| &judged.articles);
    let mut numbers: Vec<&str> = Vec::new();
    for number in ruling.articles.iter().chain(moves) {
        if !numbers.contains(number) {
            numbers.push(number);
        }
    }
    let quoted: Vec<_> =
        numbers.iter().filter_map(|number| Some((number, article(number)?))).collect();
    if quoted.is_empty() {
        return Ok(());
    }
    writeln!(
        out,
        "<section class=\"articles\"><h2>所据条文 <span lang=\"en\">The articles (rules of 1999)</span></h2><dl>"
    )?;
    for (number, text) in quoted {
        writeln!(out, "<dt>第{number}条</dt><dd>")?;
        write_text(out, "p", false, &text.zh)?;
        write_text(out, "p", true, &text.en)?;
        writeln!(out, "</dd>")?;
    }
    writeln!(out, "</dl></section>")
}
