//! `review --html`: the game as one page that opens anywhere, with the curve of win chances, a board
//! to play it through, and pictures of the moves that gave most away.

use super::{
    Reviewed,
    headings::headings,
    text::{plural, verdict},
};
use crate::review::{PlyReview, Review, Severity, curve, curve_style, remark, score_words};
use serde::Serialize;
use std::{
    collections::BTreeMap,
    fmt::{self, Write as _},
};
use xiangqi::{
    board::Position,
    notation::{Arrow, Mark, SVG_MARGIN, SVG_STEP, SvgOptions, escape, glyph, svg, svg_style},
    rules::side_name,
    types::{Kind, Piece, Side},
};

/// The look of the program's pages, and what this one has more.
const STYLES: [&str; 2] = [include_str!("../judge/page.css"), include_str!("page.css")];
const SCRIPT: &str = include_str!("page.js");

/// How many moves are pictured.
const MOMENTS: usize = 9;

/// What the script needs.
#[derive(Serialize)]
struct Data<'a> {
    /// The board of every position, as FEN writes it.
    boards: Vec<String>,
    /// The moves in coordinates.
    moves: Vec<String>,
    /// The better move beside each that was marked.
    better: Vec<Option<String>>,
    /// The character of each piece, by its letter in FEN.
    names: BTreeMap<char, char>,
    step: f32,
    margin: f32,
    /// What is said of the start.
    start: &'a str,
}

/// The page.
pub fn page(reviewed: &Reviewed) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = write_page(&mut out, reviewed);
    out
}

fn write_page(out: &mut String, reviewed: &Reviewed) -> fmt::Result {
    let [base, own] = STYLES;
    let names = headings(&reviewed.tags);
    let title = names.first().map_or("", String::as_str);
    write!(
        out,
        "<!DOCTYPE html>\n<html lang=\"zh-Hans\">\n<head>\n<meta charset=\"utf-8\"/>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n\
         <meta name=\"color-scheme\" content=\"light dark\"/>\n\
         <title>对局点评 Game review {}</title>\n<style>\n{base}{own}{}{}\n</style>\n</head>\n<body>\n<main>\n",
        escape(title),
        svg_style(),
        curve_style()
    )?;
    writeln!(out, "<header class=\"head\"><h1>对局点评 <span lang=\"en\">Game review</span></h1>")?;
    for line in &names {
        writeln!(out, "<p class=\"players\">{}</p>", escape(line))?;
    }
    writeln!(out, "</header>")?;
    write_summary(out, reviewed)?;
    writeln!(
        out,
        "<section><h2>红方胜率 <span lang=\"en\">Red's win chances</span></h2>\
         <div class=\"course\">{}</div></section>",
        curve(&reviewed.review)
    )?;
    write_player(out, &reviewed.review)?;
    write_moments(out, &reviewed.review)?;
    let (zh, en) = &reviewed.effort;
    writeln!(
        out,
        "</main>\n<footer>楚河 Chuhe {} · {zh}，规则 {rules} · <span lang=\"en\">{en}, rules {rules}. Win chances \
         are wins and half of the draws.</span></footer>",
        env!("CARGO_PKG_VERSION"),
        rules = reviewed.review.rules.name()
    )?;
    let data = data(&reviewed.review);
    writeln!(out, "<script type=\"application/json\" id=\"game\">{data}</script>")?;
    writeln!(out, "<script>\n{SCRIPT}</script>\n</body>\n</html>")
}

fn data(review: &Review) -> String {
    let mut position = review.game.start();
    let board = |position: &Position| {
        position.fen().split_whitespace().next().unwrap_or_default().to_owned()
    };
    let mut boards = vec![board(&position)];
    for ply in &review.plies {
        position.make(ply.played);
        boards.push(board(&position));
    }
    let mut names = BTreeMap::new();
    for kind in Kind::ALL {
        let letter = kind.letter();
        names.insert(letter, glyph(Piece::new(Side::Red, kind)));
        names.insert(letter.to_ascii_lowercase(), glyph(Piece::new(Side::Black, kind)));
    }
    let better = |ply: &PlyReview| {
        ply.severity?;
        Some(ply.better.as_ref()?.moves[0].to_string())
    };
    let data = Data {
        boards,
        moves: review.plies.iter().map(|ply| ply.played.to_string()).collect(),
        better: review.plies.iter().map(better).collect(),
        names,
        step: SVG_STEP,
        margin: SVG_MARGIN,
        start: "开局 Start",
    };
    // Nothing in it comes from a record but boards and moves; still no tag may begin here.
    serde_json::to_string(&data).unwrap_or_default().replace('<', "\\u003c")
}

fn write_summary(out: &mut String, reviewed: &Reviewed) -> fmt::Result {
    write!(out, "<table class=\"summary\"><thead><tr><th></th>")?;
    for severity in Severity::ALL {
        let (name, words) = (severity.name(), plural(severity));
        write!(
            out,
            "<th><span class=\"{name}\">{}</span> <span lang=\"en\">{words}</span></th>",
            severity.chinese()
        )?;
    }
    writeln!(out, "<th>平均失分 <span lang=\"en\">average loss</span></th></tr></thead><tbody>")?;
    for side in Side::ALL {
        let (zh, en) = side_name(side);
        let tally = reviewed.review.tally(side);
        write!(out, "<tr><th>{zh} <span lang=\"en\">{en}</span></th>")?;
        for count in tally.counts {
            write!(out, "<td>{count}</td>")?;
        }
        writeln!(out, "<td>{:.1}%</td></tr>", 100.0 * tally.average_loss)?;
    }
    writeln!(out, "</tbody></table>")
}

/// The board with its buttons, and the list of moves.
fn write_player(out: &mut String, review: &Review) -> fmt::Result {
    let title = "棋盘 Board".to_owned();
    let board = svg(&review.game.start(), &SvgOptions { title, ..SvgOptions::default() });
    writeln!(
        out,
        "<section class=\"play\"><div class=\"table\"><figure id=\"board\">{board}</figure><div class=\"buttons\">"
    )?;
    for (action, sign, words) in [
        ("first", "|◀", "开局 start"),
        ("back", "◀", "上一着 back"),
        ("on", "▶", "下一着 on"),
        ("last", "▶|", "终局 end"),
        ("mistake", "?!", "下一失误 next mistake"),
        ("flip", "⇅", "翻转 turn the board"),
    ] {
        write!(
            out,
            "<button type=\"button\" data-do=\"{action}\" title=\"{words}\" aria-label=\"{words}\">{sign}</button>"
        )?;
    }
    writeln!(
        out,
        "</div><div class=\"said\" id=\"said\" aria-live=\"polite\"></div></div>\n<ol class=\"list\">"
    )?;
    let curve = review.curve();
    write_rules(out, review, 0)?;
    for ply in &review.plies {
        write_item(out, review, ply, curve[ply.ply])?;
    }
    writeln!(out, "</ol></section>")
}

fn write_item(out: &mut String, review: &Review, ply: &PlyReview, share: f64) -> fmt::Result {
    let side = if ply.side == Side::Red { "red" } else { "black" };
    let mark = ply.severity.map_or_else(String::new, |severity| {
        format!("<b class=\"{}\">{}</b>", severity.name(), escape(&verdict(ply)))
    });
    writeln!(
        out,
        "<li data-ply=\"{0}\"><button type=\"button\"><span class=\"number\">{0}.</span><span class=\"{side}\">{1}</span>\
         <span class=\"score\">{2}</span><span class=\"mark\">{mark}</span><span class=\"share\">{3:.0}%</span></button>",
        ply.ply,
        escape(&ply.chinese),
        escape(&score_words(review.scores[ply.ply])),
        100.0 * share
    )?;
    if ply.severity.is_some() {
        let (zh, en) = remark(ply);
        write!(out, "<p class=\"remark\">{}<br/>", escape(&zh))?;
        writeln!(out, "<span lang=\"en\">{}</span></p>", escape(&en))?;
    }
    write_rules(out, review, ply.ply)?;
    writeln!(out, "</li>")
}

/// What the rules asked for after a ply.
fn write_rules(out: &mut String, review: &Review, ply: usize) -> fmt::Result {
    for due in review.due_at(ply) {
        let (zh, en) = due.words();
        let element = if ply == 0 { "li" } else { "p" };
        writeln!(
            out,
            "<{element} class=\"remark rules\">棋例：{}<br/><span lang=\"en\">Rules: {}</span></{element}>",
            escape(&zh),
            escape(&en)
        )?;
    }
    Ok(())
}

/// The moves that gave most away, each with the board before it, in the order of the game.
fn write_moments(out: &mut String, review: &Review) -> fmt::Result {
    let mut worst: Vec<&PlyReview> =
        review.plies.iter().filter(|ply| ply.severity.is_some()).collect();
    worst.sort_by(|a, b| b.lost().total_cmp(&a.lost()));
    worst.truncate(MOMENTS);
    worst.sort_by_key(|ply| ply.ply);
    if worst.is_empty() {
        return Ok(());
    }
    writeln!(
        out,
        "<section><h2>关键之处 <span lang=\"en\">Where the chances changed</span></h2>\
         <ul class=\"key\"><li class=\"key-move\">实战着法 played</li><li class=\"key-line\">较好着法 better</li></ul>\
         <div class=\"moments\">"
    )?;
    for ply in worst {
        let before = review.game.position_at(ply.ply - 1);
        let arrow = |m: xiangqi::types::Move, mark| Arrow { from: m.from(), to: m.to(), mark };
        let mut options = SvgOptions {
            title: format!("{}. {} {}", ply.ply, ply.chinese, ply.played),
            arrows: vec![arrow(ply.played, Mark::Move)],
            flipped: ply.side == Side::Black,
            ..SvgOptions::default()
        };
        options.arrows.extend(ply.better.iter().map(|line| arrow(line.moves[0], Mark::Line)));
        let (zh, en) = remark(ply);
        let (side, side_en) = side_name(ply.side);
        writeln!(
            out,
            "<article><figure>{}</figure><h3>{}. {side}{} <span lang=\"en\">{side_en} {}</span></h3>\
             <p>{}</p><p lang=\"en\">{}</p></article>",
            svg(&before, &options),
            ply.ply,
            escape(&ply.chinese),
            ply.played,
            escape(&zh),
            escape(&en)
        )?;
    }
    writeln!(out, "</div></section>")
}
