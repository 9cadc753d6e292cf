//! The course of a game as a picture: Red's chances, ply by ply.

use super::{game::Review, severity::Severity};
use std::fmt::{self, Write};

const WIDTH: f64 = 800.0;
const HEIGHT: f64 = 220.0;
/// Around the curve, for numbers.
const MARGIN: f64 = 42.0;

/// The curve of Red's chances as one `<svg>` element. Its colours are those of [`curve_style`]; moves
/// that gave something away are dots. Every position has an invisible column with its ply in
/// `data-ply`, for a script.
pub fn curve(review: &Review) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = draw(&mut out, review);
    out
}

/// The colours of the curve, for `<style>`: custom properties `--fg`, `--soft`, `--line` and `--red`
/// are the page's.
pub const fn curve_style() -> &'static str {
    ".cv-area{fill:var(--red);opacity:.16}.cv-line{fill:none;stroke:var(--red);stroke-width:2.2;stroke-linejoin:round}\
     .cv-grid{stroke:var(--line);stroke-width:1}.cv-half{stroke:var(--soft);stroke-dasharray:4 4}\
     .cv-text{fill:var(--soft);font:12px Georgia,serif}.cv-hit{fill:transparent;cursor:pointer}.cv-now{stroke:var(--fg);stroke-width:1.4}\
     .cv-inaccuracy{fill:#d9a400}.cv-mistake{fill:#e07000}.cv-blunder{fill:#d3261f}"
}

fn draw(out: &mut String, review: &Review) -> fmt::Result {
    let curve = review.curve();
    let steps = (curve.len().max(2) - 1) as f64;
    let x = |ply: usize| MARGIN + (WIDTH - 2.0 * MARGIN) * ply as f64 / steps;
    let y = |share: f64| MARGIN / 2.0 + (HEIGHT - 1.5 * MARGIN) * (1.0 - share);
    write!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"curve\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\">\
         <title>红方胜率 Red's win chances</title>"
    )?;
    for (share, class) in [(0.0, ""), (0.25, ""), (0.5, " cv-half"), (0.75, ""), (1.0, "")] {
        let (y, left, right) = (y(share), MARGIN, WIDTH - MARGIN);
        write!(out, "<path class=\"cv-grid{class}\" d=\"M{left} {y:.1}H{right}\"/>")?;
        let percent = 100.0 * share;
        write!(
            out,
            "<text class=\"cv-text\" text-anchor=\"end\" x=\"{}\" y=\"{:.1}\">{percent:.0}%</text>",
            left - 5.0,
            y + 4.0
        )?;
    }
    let every = [1, 2, 5, 10, 20, 50, 100, 200].into_iter().find(|n| curve.len() / n <= 20);
    for ply in (0..curve.len()).step_by(every.unwrap_or(500)) {
        write!(
            out,
            "<text class=\"cv-text\" text-anchor=\"middle\" x=\"{:.1}\" y=\"{}\">{ply}</text>",
            x(ply),
            HEIGHT - 8.0
        )?;
    }
    let mut line = String::new();
    for (ply, &share) in curve.iter().enumerate() {
        write!(line, "{}{:.1} {:.1}", if ply == 0 { "M" } else { "L" }, x(ply), y(share))?;
    }
    let (first, last, half) = (x(0), x(curve.len().saturating_sub(1)), y(0.5));
    write!(
        out,
        "<path class=\"cv-area\" d=\"{line}L{last:.1} {half:.1}L{first:.1} {half:.1}Z\"/>"
    )?;
    write!(out, "<path class=\"cv-line\" d=\"{line}\"/>")?;
    for ply in &review.plies {
        let (Some(severity), Some(&share)) = (ply.severity, curve.get(ply.ply)) else { continue };
        let radius = if severity == Severity::Blunder { 5.0 } else { 4.0 };
        write!(
            out,
            "<circle class=\"cv-{}\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"{radius}\"/>",
            severity.name(),
            x(ply.ply),
            y(share)
        )?;
    }
    let (top, bottom) = (y(1.0), y(0.0));
    write!(
        out,
        "<path class=\"cv-now\" d=\"M0 {top:.1}V{bottom:.1}\" transform=\"translate({first:.1})\"/>"
    )?;
    let wide = (WIDTH - 2.0 * MARGIN) / steps;
    for (ply, share) in curve.iter().enumerate() {
        write!(
            out,
            "<rect class=\"cv-hit\" data-ply=\"{ply}\" data-x=\"{:.1}\" x=\"{:.1}\" y=\"{top:.1}\" width=\"{wide:.2}\" height=\"{:.1}\"><title>{ply}: {:.0}%</title></rect>",
            x(ply),
            x(ply) - wide / 2.0,
            bottom - top,
            100.0 * share
        )?;
    }
    out.write_str("</svg>")
}
