//! `chuhe show`: a board as people know it, as text or as a picture.

use super::{Failure, given, headings};
use std::path::PathBuf;
use xiangqi::{
    game::Game,
    notation::{Arrow, DiagramOptions, Glyphs, Mark, SvgOptions, chinese_move, diagram, svg},
    rules::side_name,
};

#[derive(clap::Args)]
#[command(after_help = "Examples:
  chuhe show --moves \"炮二平五 马８进７\"
  chuhe show game.xqf --ply 20 --svg board.svg")]
pub struct Arguments {
    #[command(flatten)]
    given: given::Arguments,
    /// Write a picture to this file and print nothing; - is standard output
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Letters for pieces, for a terminal without Chinese characters
    #[arg(long, conflicts_with = "svg")]
    letters: bool,
    /// Black below
    #[arg(long)]
    flip: bool,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let given = arguments.given.given()?;
    match &arguments.svg {
        Some(file) => {
            let picture = picture(&given.game, arguments.flip);
            if file.as_os_str() == "-" {
                say!("{picture}");
            } else {
                std::fs::write(file, picture + "\n")
                    .map_err(|why| Failure::work(format!("{}: {why}", file.display())))?;
            }
        }
        None => {
            for line in headings::headings(&headings::tags(&given.tree)) {
                say!("{line}");
            }
            let glyphs = if arguments.letters { Glyphs::Letters } else { Glyphs::Chinese };
            let options =
                DiagramOptions { glyphs, flipped: arguments.flip, ..DiagramOptions::default() };
            say!("{}", board(&given.game, options));
        }
    }
    given.unread.map_or(Ok(()), Err)
}

/// The board with its last move marked, what that was, who is to move, and the FEN.
pub fn board(game: &Game, options: DiagramOptions) -> String {
    let position = game.position();
    let last_move = game.moves().last();
    let mut text = diagram(position, DiagramOptions { last_move, ..options });
    text += "\n\n";
    if let Some(words) = last_move_words(game) {
        text += &words;
        text.push('\n');
    }
    let (zh, en) = side_name(position.side());
    text += &match (position.has_legal_move(), position.in_check()) {
        (true, false) => format!("轮到{zh} {en} to move"),
        (true, true) => format!("轮到{zh}，被将军 {en} to move, in check"),
        (false, true) => format!("{zh}被将死 {en} is checkmated"),
        (false, false) => format!("{zh}困毙 {en} is stalemated and loses"),
    };
    text.push('\n');
    text += &position.fen();
    text
}

/// The last move in Chinese notation and in coordinates.
fn last_move_words(game: &Game) -> Option<String> {
    let last = game.plies().last()?;
    let ply = game.plies().len();
    let chinese = chinese_move(&game.position_at(ply - 1), last.played)?;
    let (zh, en) = side_name(last.side);
    Some(format!("第{ply}着 {zh} {chinese} | ply {ply} {en} {}", last.played))
}

/// The board as a file of its own, with an arrow for the last move.
fn picture(game: &Game, flipped: bool) -> String {
    let mut options = SvgOptions { flipped, style: true, ..SvgOptions::default() };
    if let Some(m) = game.moves().last() {
        options.arrows.push(Arrow { from: m.from(), to: m.to(), mark: Mark::Move });
        options.rings.push((m.from(), Mark::Move));
    }
    options.title = last_move_words(game).unwrap_or_else(|| game.position().fen());
    svg(game.position(), &options)
}
