//! Draws and giving up: what goes behind a `bestmove` in UCCI.

use super::options::{Settings, Style};
use crate::{eval::Score, search::Outcome};
use xiangqi::{
    game::Game,
    rules::{self, CycleRuling},
    types::Side,
};

/// A game this bad is lost beyond hope: five minor pieces behind, or mate in sight.
const HOPELESS: Score = Score(-5 * Score::MINOR.0);
/// The engine gives up after so many moves of its own in a hopeless game.
const HOPELESS_MOVES: u32 = 5;
/// A game is level within this, and good enough to play on above it.
const LEVEL: Score = Score(Score::MINOR.0 / 16);
/// A game worse than this is worth a draw at any time.
const WORSE: Score = Score(-Score::MINOR.0 / 2);
/// The engine offers a draw after so many level moves of its own...
const LEVEL_MOVES: u32 = 8;
/// ...if nothing was captured for so many plies...
const QUIET_PLIES: usize = 30;
/// ...and the game has lasted so many rounds. Earlier it takes no draw in a level game either.
const ENOUGH_ROUNDS: usize = 40;
/// After an offer it plays so many moves before the next one.
const PATIENCE: u32 = 10;

/// What the engine says with its move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Word {
    pub draw: bool,
    pub resign: bool,
}

/// What the engine remembers of the game's course, from its own moves.
#[derive(Clone, Copy, Debug, Default)]
pub struct Manners {
    side: Option<Side>,
    hopeless: u32,
    level: u32,
    /// Moves since the engine last offered a draw.
    since_offer: Option<u32>,
}

impl Manners {
    /// What to say with the move of a search that the engine plays. `offered`: the opponent offers
    /// a draw.
    pub fn say(
        &mut self,
        outcome: &Outcome,
        game: &Game,
        offered: bool,
        settings: &Settings,
    ) -> Word {
        let side = game.position().side();
        if self.side != Some(side) {
            // Somebody else's moves tell nothing of this side's game.
            *self = Self { side: Some(side), ..Self::default() };
        }
        let score = outcome.score;
        self.hopeless = if score <= HOPELESS { self.hopeless + 1 } else { 0 };
        self.level = if is_level(score) { self.level + 1 } else { 0 };
        self.since_offer = self.since_offer.map(|moves| moves + 1);
        if settings.analyse_mode {
            return Word::default();
        }
        let draw = settings.draw_offers
            && !gains_by_repetition(game, settings)
            && if offered { accepts(score, game, settings.style) } else { self.offers(game) };
        let resign = settings.resign && !draw && self.hopeless >= HOPELESS_MOVES;
        Word { draw, resign }
    }

    fn offers(&mut self, game: &Game) -> bool {
        let waited = self.since_offer.is_none_or(|moves| moves >= PATIENCE);
        let offers = self.level >= LEVEL_MOVES
            && waited
            && quiet_plies(game) >= QUIET_PLIES
            && rounds(game) >= ENOUGH_ROUNDS;
        if offers {
            self.since_offer = Some(0);
        }
        offers
    }
}

const fn is_level(score: Score) -> bool {
    score.0.abs() <= LEVEL.0
}

/// Whether a draw that the opponent offers is welcome.
fn accepts(score: Score, game: &Game, style: Style) -> bool {
    let welcome = match style {
        Style::Solid => LEVEL,
        Style::Normal => Score::DRAW,
        Style::Risky => -LEVEL,
    };
    rules::material_draw(game)
        || score <= WORSE
        || score <= welcome && rounds(game) >= ENOUGH_ROUNDS
}

/// Whether the rules are about to decide a repetition in the mover's favour.
fn gains_by_repetition(game: &Game, settings: &Settings) -> bool {
    let ruling = rules::judge(game, settings.repetition_rule).cycle_ruling;
    ruling == CycleRuling::Forbidden(!game.position().side())
}

/// Plies without a capture; clients often leave the counter of a FEN at 0.
fn quiet_plies(game: &Game) -> usize {
    usize::from(game.position().halfmove_clock()).max(game.reversible_plies())
}

/// How long the game has lasted, as far as the client tells.
fn rounds(game: &Game) -> usize {
    usize::from(game.position().fullmove()).max(game.plies().len() / 2)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use xiangqi::board::Position;

    /// Rook against rook, many quiet moves into the game.
    const LATE: &str = "3k5/4a4/r8/9/9/9/9/R8/4A4/4K4 w - - 40 60";

    fn word(manners: &mut Manners, score: i32, fen: &str, offered: bool, s: &Settings) -> Word {
        let game = Game::new(fen.parse().unwrap());
        let outcome = Outcome { score: Score(score), ..Outcome::default() };
        manners.say(&outcome, &game, offered, s)
    }

    #[test]
    fn gives_up_after_several_hopeless_moves() {
        let (mut manners, settings) = (Manners::default(), Settings::default());
        let mut resigns = |score| word(&mut manners, score, LATE, false, &settings).resign;
        assert!((0..4).all(|_| !resigns(-2500)));
        assert!(!resigns(-500), "there is hope again");
        assert!((0..4).all(|_| !resigns(-29_990)));
        assert!(resigns(-29_992));
        let stubborn = Settings { resign: false, ..Settings::default() };
        let analyst = Settings { analyse_mode: true, ..Settings::default() };
        assert!(!word(&mut manners, -29_992, LATE, false, &stubborn).resign);
        assert!(!word(&mut manners, -29_992, LATE, false, &analyst).resign);
        // The other side's move begins the count anew.
        let black = LATE.replace(" w ", " b ");
        assert!(!word(&mut manners, -29_992, &black, false, &settings).resign);
    }

    #[test]
    fn takes_a_draw_unless_it_stands_better() {
        let accepts = |score, fen: &str, settings: &Settings| {
            word(&mut Manners::default(), score, fen, true, settings).draw
        };
        let settings = Settings::default();
        let early = LATE.replace("40 60", "0 1");
        assert!(accepts(-300, LATE, &settings) && accepts(-300, &early, &settings));
        assert!(accepts(0, LATE, &settings));
        assert!(!accepts(0, &early, &settings), "there is a game to play");
        assert!(!accepts(300, LATE, &settings) && !accepts(29_990, LATE, &settings));
        let (risky, solid) = (
            Settings { style: Style::Risky, ..Settings::default() },
            Settings { style: Style::Solid, ..Settings::default() },
        );
        assert!(
            !accepts(0, LATE, &risky) && accepts(20, LATE, &solid) && !accepts(20, LATE, &settings)
        );
        let proud = Settings { draw_offers: false, ..Settings::default() };
        assert!(!accepts(-300, LATE, &proud));
        // Nobody has anything left to attack with.
        assert!(accepts(100, "3k5/4a4/9/9/9/9/9/9/4A4/4K4 w", &settings));
    }

    #[test]
    fn offers_a_draw_when_nothing_happens() {
        let (mut manners, settings) = (Manners::default(), Settings::default());
        let mut offers = |score, fen: &str| word(&mut manners, score, fen, false, &settings).draw;
        assert!((0..7).all(|_| !offers(5, LATE)));
        assert!(offers(-5, LATE));
        assert!((0..9).all(|_| !offers(0, LATE)), "it does not nag");
        assert!(offers(0, LATE));
        assert!(!offers(100, LATE));
        let lively = LATE.replace("40 60", "3 60");
        assert!((0..30).all(|_| !offers(0, &lively)));
    }

    #[test]
    fn no_draw_while_the_opponent_must_change() {
        // Black has checked with every move of a cycle that has come back once.
        let start: Position = "4k4/9/9/9/9/9/9/9/9/r4K3 w".parse().unwrap();
        let moves = ["f0f1", "a0a1", "f1f0", "a1a0"].map(|m| m.parse().unwrap());
        let behind = Outcome { score: Score(-900), ..Outcome::default() };
        let draws = |plies: usize| {
            let game = Game::with_moves(start.clone(), moves.into_iter().take(plies)).unwrap();
            Manners::default().say(&behind, &game, true, &Settings::default()).draw
        };
        assert!(draws(0));
        assert!(!draws(4));
    }
}
