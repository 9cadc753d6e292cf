//! The board as a picture in SVG: self-contained, for a page or a file of its own.

use super::glyph;
use crate::{
    board::Position,
    types::{Side, Square},
};
use std::fmt::{self, Write};

/// What an arrow or a ring on the board stands for; it gives the colour and the stroke.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mark {
    /// The move just played.
    Move,
    /// An attack on a piece: check, kill or chase.
    Attack,
    /// A move of the line by which something is won.
    Line,
    /// A root: a piece that protects another, or seems to.
    Root,
}

impl Mark {
    const fn class(self) -> &'static str {
        match self {
            Self::Move => "xq-move",
            Self::Attack => "xq-attack",
            Self::Line => "xq-line",
            Self::Root => "xq-root",
        }
    }
}

/// An arrow between two points.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Arrow {
    /// Where it begins.
    pub from: Square,
    /// Where its head is.
    pub to: Square,
    /// What it stands for.
    pub mark: Mark,
}

/// What is drawn beside the pieces, and how.
#[derive(Clone, Default, Debug)]
pub struct SvgOptions {
    /// Arrows, drawn in this order.
    pub arrows: Vec<Arrow>,
    /// Rings around points.
    pub rings: Vec<(Square, Mark)>,
    /// Whether Black sits below.
    pub flipped: bool,
    /// Whether the picture brings its own style sheet, as a file of its own must. A page with many
    /// boards takes [`svg_style`] once.
    pub style: bool,
    /// A description for readers who do not see the picture.
    pub title: String,
}

/// The colours of the board, light and dark, for `<style>`.
pub const fn svg_style() -> &'static str {
    ".xq-wood{fill:#f3dfb5}.xq-grid{stroke:#7a5a30;stroke-width:1.2;fill:none}\
     .xq-text,.xq-river{fill:#7a5a30;font:15px 'Kaiti SC',KaiTi,STKaiti,'Noto Serif CJK SC','Noto Sans CJK SC',serif;text-anchor:middle}.xq-river{font-size:20px}\
     .xq-disc{fill:#fff8e6;stroke-width:1.6}.xq-red{stroke:#b3161b}.xq-black{stroke:#1c1c1c}\
     .xq-name{font:24px 'Kaiti SC',KaiTi,STKaiti,'Noto Serif CJK SC','Noto Sans CJK SC',serif;text-anchor:middle}\
     .xq-name.xq-red{fill:#b3161b;stroke:none}.xq-name.xq-black{fill:#1c1c1c;stroke:none}\
     .xq-move{--c:#2b78c5}.xq-attack{--c:#d3261f}.xq-line{--c:#dd7a00}.xq-root{--c:#2f8f3e}\
     .xq-arrow{stroke:var(--c);stroke-width:4;stroke-linecap:round;opacity:.85;fill:none}\
     .xq-line.xq-arrow{stroke-dasharray:7 6}.xq-root.xq-arrow{stroke-dasharray:2 6}\
     .xq-head{fill:var(--c);opacity:.9}.xq-ring{stroke:var(--c);stroke-width:3;fill:none}\
     @media (prefers-color-scheme:dark){.xq-wood{fill:#4a3a22}.xq-grid{stroke:#c9a875}.xq-text,.xq-river{fill:#d8bb8c}\
     .xq-disc{fill:#ecdcb8}.xq-move{--c:#6db1f2}.xq-attack{--c:#ff6a5e}.xq-line{--c:#ffab40}.xq-root{--c:#6fd07e}}\
     @media print{.xq-wood{fill:#fff}.xq-grid{stroke:#444}.xq-text,.xq-river{fill:#333}.xq-disc{fill:#fff}}"
}

/// Between two lines of the board, in units of the picture of [`svg`].
pub const SVG_STEP: f32 = 40.0;
/// From the edges of the picture of [`svg`] to the outer lines of the board, in its units.
pub const SVG_MARGIN: f32 = 42.0;

/// A point on the picture.
#[derive(Clone, Copy)]
struct Point {
    x: f32,
    y: f32,
}

/// The board as one `<svg>` element; its size is that of the box around it.
///
/// ```
/// use xiangqi::{board::Position, notation::{SvgOptions, svg}};
/// let picture = svg(&Position::start(), &SvgOptions { style: true, ..SvgOptions::default() });
/// assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>"));
/// assert_eq!(picture.matches("xq-disc").count(), 1 + 2 + 32); // In the style sheet, and pieces.
/// ```
pub fn svg(position: &Position, options: &SvgOptions) -> String {
    let mut out = String::with_capacity(8_000);
    // Writing to a string cannot fail.
    let _ = draw(&mut out, position, options);
    out
}

fn draw(out: &mut String, position: &Position, options: &SvgOptions) -> fmt::Result {
    let (width, height) = (8.0 * SVG_STEP + 2.0 * SVG_MARGIN, 9.0 * SVG_STEP + 2.0 * SVG_MARGIN);
    let point = |square: Square| {
        let (file, rank) = (f32::from(square.file()), f32::from(square.rank()));
        let (column, row) = if options.flipped { (8.0 - file, rank) } else { (file, 9.0 - rank) };
        Point { x: SVG_MARGIN + column * SVG_STEP, y: SVG_MARGIN + row * SVG_STEP }
    };
    write!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" role=\"img\">"
    )?;
    write!(out, "<title>{}</title>", escape(&options.title))?;
    if options.style {
        write!(out, "<style>{}</style>", svg_style())?;
    }
    write!(out, "<rect class=\"xq-wood\" width=\"{width}\" height=\"{height}\" rx=\"8\"/>")?;
    grid(out)?;
    numbers(out, options.flipped)?;
    for &(square, mark) in options.rings.iter().filter(|(_, mark)| *mark == Mark::Move) {
        ring(out, point(square), mark)?;
    }
    for square in position.occupied() {
        let Some(piece) = position.piece_on(square) else { continue };
        let Point { x, y } = point(square);
        let side = if piece.side() == Side::Red { "xq-red" } else { "xq-black" };
        write!(
            out,
            "<circle class=\"xq-disc {side}\" cx=\"{x}\" cy=\"{y}\" r=\"17\"/>\
             <text class=\"xq-name {side}\" x=\"{x}\" y=\"{}\">{}</text>",
            y + 8.5,
            glyph(piece)
        )?;
    }
    for &(square, mark) in options.rings.iter().filter(|(_, mark)| *mark != Mark::Move) {
        ring(out, point(square), mark)?;
    }
    for arrow in &options.arrows {
        draw_arrow(out, point(arrow.from), point(arrow.to), arrow.mark)?;
    }
    out.write_str("</svg>")
}

fn ring(out: &mut String, at: Point, mark: Mark) -> fmt::Result {
    let (class, Point { x, y }) = (mark.class(), at);
    write!(out, "<circle class=\"xq-ring {class}\" cx=\"{x}\" cy=\"{y}\" r=\"19\"/>")
}

/// The lines, the palaces, the river and the marks of cannons and soldiers.
fn grid(out: &mut String) -> fmt::Result {
    let (x, y) =
        (|column: f32| SVG_MARGIN + column * SVG_STEP, |row: f32| SVG_MARGIN + row * SVG_STEP);
    let mut path = String::new();
    for row in 0..10u8 {
        write!(path, "M{} {}H{}", x(0.0), y(row.into()), x(8.0))?;
    }
    for column in 0..9u8 {
        let at = x(column.into());
        if column == 0 || column == 8 {
            write!(path, "M{at} {}V{}", y(0.0), y(9.0))?;
        } else {
            write!(path, "M{at} {}V{}M{at} {}V{}", y(0.0), y(4.0), y(5.0), y(9.0))?;
        }
    }
    for top in [0.0, 7.0] {
        write!(path, "M{} {}L{} {}", x(3.0), y(top), x(5.0), y(top + 2.0))?;
        write!(path, "M{} {}L{} {}", x(5.0), y(top), x(3.0), y(top + 2.0))?;
    }
    let soldiers = [0.0, 2.0, 4.0, 6.0, 8.0].into_iter().flat_map(|c| [(c, 3.0), (c, 6.0)]);
    let cannons = [(1.0, 2.0), (7.0, 2.0), (1.0, 7.0), (7.0, 7.0)];
    for (column, row) in soldiers.chain(cannons) {
        for (right, down) in [(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)] {
            if (column > 0.0 || right > 0.0) && (column < 8.0 || right < 0.0) {
                let (near_x, near_y) = (x(column) + 4.0 * right, y(row) + 4.0 * down);
                let (far_x, far_y) = (near_x + 7.0 * right, near_y + 7.0 * down);
                write!(path, "M{far_x} {near_y}H{near_x}V{far_y}")?;
            }
        }
    }
    write!(out, "<path class=\"xq-grid\" d=\"{path}\"/>")?;
    // Between the files, where no piece covers them.
    let middle = y(4.5) + 7.0;
    for (name, column) in [('楚', 1.5), ('河', 2.5), ('漢', 5.5), ('界', 6.5)] {
        write!(out, "<text class=\"xq-river\" x=\"{}\" y=\"{middle}\">{name}</text>", x(column))?;
    }
    Ok(())
}

/// The numbers of the files as each side counts them.
fn numbers(out: &mut String, flipped: bool) -> fmt::Result {
    const RED: [char; 9] = ['九', '八', '七', '六', '五', '四', '三', '二', '一'];
    let bottom = SVG_MARGIN + 9.0 * SVG_STEP + 35.0;
    for column in 0..9u8 {
        let x = SVG_MARGIN + f32::from(column) * SVG_STEP;
        let file = usize::from(if flipped { 8 - column } else { column });
        let (red, black) = if flipped { (19.0, bottom) } else { (bottom, 19.0) };
        write!(out, "<text class=\"xq-text\" x=\"{x}\" y=\"{red}\">{}</text>", RED[file])?;
        write!(out, "<text class=\"xq-text\" x=\"{x}\" y=\"{black}\">{}</text>", file + 1)?;
    }
    Ok(())
}

/// A line with a head at its end, short of the middle of both points so that names stay readable.
fn draw_arrow(out: &mut String, from: Point, to: Point, mark: Mark) -> fmt::Result {
    let (dx, dy) = (to.x - from.x, to.y - from.y);
    let length = dx.hypot(dy);
    if length < 1.0 {
        return Ok(());
    }
    let (ux, uy) = (dx / length, dy / length);
    let at = |along: f32, aside: f32| {
        (from.x + ux * along - uy * aside, from.y + uy * along + ux * aside)
    };
    let class = mark.class();
    let ((x1, y1), (x2, y2)) = (at(15.0, 0.0), at(length - 20.0, 0.0));
    write!(out, "<path class=\"xq-arrow {class}\" d=\"M{x1:.1} {y1:.1}L{x2:.1} {y2:.1}\"/>")?;
    let [(ax, ay), (bx, by), (cx, cy)] =
        [at(length - 9.0, 0.0), at(length - 22.0, 7.0), at(length - 22.0, -7.0)];
    write!(
        out,
        "<polygon class=\"xq-head {class}\" points=\"{ax:.1},{ay:.1} {bx:.1},{by:.1} {cx:.1},{cy:.1}\"/>"
    )
}

/// Text that may stand in an element or an attribute of XML and HTML.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            // XML has no other control characters.
            c if c.is_control() && !matches!(c, '\n' | '\t') => out.push('\u{fffd}'),
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrows_rings_and_escaped_words() {
        let position: Position = "4k4/9/9/9/9/9/9/9/9/R2K5 w".parse().unwrap();
        let square = |name: &str| name.parse::<Square>().unwrap();
        let options = SvgOptions {
            arrows: vec![Arrow { from: square("a0"), to: square("a9"), mark: Mark::Attack }],
            rings: vec![(square("e9"), Mark::Root)],
            title: "<车&马>".to_owned(),
            ..SvgOptions::default()
        };
        let picture = svg(&position, &options);
        assert!(picture.contains("<title>&lt;车&amp;马&gt;</title>"), "{picture}");
        // From a0 (bottom left) straight up, short of both points.
        assert!(picture.contains("xq-arrow xq-attack\" d=\"M42.0 387.0L42.0 62.0\""), "{picture}");
        assert!(picture.contains("xq-ring xq-root\" cx=\"202\" cy=\"42\""), "{picture}");
        assert_eq!(picture.matches("xq-disc").count(), 3);
        let flipped = svg(&position, &SvgOptions { flipped: true, ..options });
        assert!(flipped.contains("xq-ring xq-root\" cx=\"202\" cy=\"402\""), "{flipped}");
    }
}
