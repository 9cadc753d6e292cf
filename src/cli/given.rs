//! The game that a command is given: a start and moves, or one game of a record.

use super::{Failure, shared, source::Source};
use std::path::{Path, PathBuf};
use xiangqi::{
    game::Game,
    notation::{GameTree, parse_move},
    records::{ReadGame, ReadOptions},
};

/// One game, and how far into it.
#[derive(clap::Args)]
pub struct Arguments {
    /// A record of games; - is standard input
    #[arg(value_name = "FILE", conflicts_with_all = ["fen", "moves"])]
    file: Option<PathBuf>,
    /// Which game of the file
    #[arg(long, value_name = "N", default_value_t = 1, requires = "file")]
    game: usize,
    /// After this many plies, 0 being the start; without it after the last one
    #[arg(long, value_name = "P")]
    ply: Option<usize>,
    /// The position that the moves start from, or startpos; without it the start position
    #[arg(long)]
    fen: Option<String>,
    /// The moves in any notation, in one argument or several
    #[arg(long, num_args = 1..)]
    moves: Vec<String>,
}

/// A game as it was given.
pub struct Given {
    /// With headers and comments where it comes from a record.
    pub tree: GameTree,
    /// The main line.
    pub game: Game,
    /// That the record could be read in part only; to be said when all else is done.
    pub unread: Option<Failure>,
}

impl Arguments {
    /// The game, which ends at the ply that was asked for.
    ///
    /// # Errors
    /// If the file cannot be read or holds no such game, or what was given is no game or too short.
    pub fn given(&self) -> Result<Given, Failure> {
        let mut given = match &self.file {
            Some(path) => read(path, self.game)?,
            None => {
                let game = game(self.fen.as_deref(), &self.moves)?;
                Given { tree: GameTree::from(&game), game, unread: None }
            }
        };
        if let Some(ply) = self.ply {
            given.game = up_to(&given.game, ply)?;
            // What stands behind is of no matter.
            given.unread = None;
        }
        Ok(given)
    }
}

/// A game by its start (`startpos` or none is the start position) and its moves in any notation.
///
/// # Errors
/// If the start is no position or a move is not legal: the arguments are off.
pub fn game(fen: Option<&str>, moves: &[String]) -> Result<Game, Failure> {
    let start = shared::position(fen)?;
    let mut game = Game::new(start);
    for word in moves.iter().flat_map(|moves| moves.split_whitespace()) {
        let ply = game.plies().len() + 1;
        let m = parse_move(game.position(), word)
            .map_err(|why| Failure::usage(format!("ply {ply}: {why}")))?;
        game.play_legal(m);
    }
    Ok(game)
}

/// The game as it stood after so many plies.
///
/// # Errors
/// If it has fewer: the arguments are off.
pub fn up_to(game: &Game, ply: usize) -> Result<Game, Failure> {
    let plies = game.plies().len();
    if ply > plies {
        return Err(Failure::usage(format!("--ply {ply}: the game has {plies} plies")));
    }
    let mut earlier = game.clone();
    while earlier.plies().len() > ply {
        earlier.take_back();
    }
    Ok(earlier)
}

/// One game of a record, counted from 1. What could not be kept of it is said on standard error.
///
/// # Errors
/// If the file cannot be read, or the arguments ask for a game that it does not hold.
pub fn read(path: &Path, number: usize) -> Result<Given, Failure> {
    let source = Source::open(path, &ReadOptions::default())?;
    let name = source.name.clone();
    let mut games = 0;
    for found in source {
        let found = found?;
        games += 1;
        if games == number {
            return Ok(from_record(&name, found));
        }
    }
    Err(Failure::usage(format!("--game {number}: {name} holds {games}")))
}

/// A game of a record called `name`. What could not be kept of it is said on standard error.
pub fn from_record(name: &str, read: ReadGame) -> Given {
    let unread = read.failure().map(|loss| Failure::work(format!("{name}: {loss}")));
    for loss in read.losses.iter().filter(|&loss| Some(loss) != read.failure()) {
        eprintln!("chuhe: {name}: {loss}");
    }
    Given { game: read.tree.main_game(), tree: read.tree, unread }
}
