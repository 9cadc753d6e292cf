//! The commands for people at a console: `d`, `eval`, `help`.

use crate::eval::Backend;
use std::fmt::Write;
use xiangqi::{game::Game, types::Square};

/// The answer to `help`.
pub const HELP: &str = "\
Chuhe is a xiangqi engine for graphical interfaces that speak UCCI or UCI. Start with ucci or uci.

  ucci, uci                  choose the protocol, list the options
  setoption NAME VALUE       set an option (UCI: setoption name NAME value VALUE)
  position startpos|fen FEN [moves M...]
  banmoves M...              moves not to play at the root
  go [depth N] [nodes N] [movetime MS] [time MS increment MS] [infinite] [ponder] [draw]
  stop, ponderhit, probe, isready, quit

For people:
  d                          show the board
  eval                       show the static evaluation
  bench [DEPTH]              search fixed positions and print the node count
  go perft N                 count the leaf nodes to depth N, move by move
  help                       this text

chuhe --help lists the commands of the command line.";

/// The answer to `d`: the board and what is known of it.
pub fn display(game: &Game) -> String {
    let position = game.position();
    let mut text = String::new();
    for rank in (0..10).rev() {
        let _ = write!(text, "{rank}");
        for file in 0..9 {
            let piece = Square::new(file, rank).and_then(|square| position.piece_on(square));
            let _ = write!(text, " {}", piece.map_or('.', |piece| piece.letter()));
        }
        text.push('\n');
    }
    text += "  a b c d e f g h i\n\n";
    let _ = writeln!(text, "fen: {}", position.fen());
    let _ = writeln!(text, "key: {:016x}", position.key().0);
    let _ = writeln!(text, "in check: {}", if position.in_check() { "yes" } else { "no" });
    let _ = write!(text, "occurrences: {}", game.occurrences());
    text
}

/// The answer to `eval`.
pub fn evaluation(game: &Game, backend: &Backend) -> String {
    let score = backend.evaluate(game.position());
    let (side, name) = (game.position().side(), backend.describe());
    format!("evaluation {score} from the view of {side}, by {name}")
}
