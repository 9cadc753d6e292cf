//! The natural limit of moves without a capture (4.2.4, 23.3), and the draw for want of anything
//! to attack with (4.2.1).

use super::{RuleSet, ruleset::Switches};
use crate::{game::Game, types::Side};

/// The count of rounds without a capture.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NaturalLimit {
    /// Rounds since the last capture.
    pub rounds: usize,
    /// Rounds that each side may claim: of its own checks only so many count.
    pub counts: [usize; Side::NUM],
    /// Rounds that make a draw.
    pub limit: usize,
}

impl NaturalLimit {
    /// Whether either side may claim the draw. Mate on the board comes before it.
    pub fn reached(&self) -> bool {
        self.counts.iter().any(|&count| count >= self.limit)
    }
}

/// Counts the rounds since the last capture. What the start position's FEN tells of counts as
/// rounds without checks.
pub fn natural_limit(game: &Game, rules: RuleSet) -> NaturalLimit {
    count(game, &rules.switches())
}

fn count(game: &Game, switches: &Switches) -> NaturalLimit {
    let quiet = game.reversible_plies();
    let rounds = (quiet + usize::from(game.inherited_quiet_plies())) / 2;
    let last = &game.plies()[game.plies().len() - quiet..];
    let counts = Side::ALL.map(|side| {
        let checks = last.iter().filter(|ply| ply.side == side && ply.gives_check).count();
        switches.claimed_rounds(rounds, checks)
    });
    NaturalLimit { rounds, counts, limit: switches.limit_rounds }
}

/// Whether the natural limit is reached: either side may claim the draw. Cheap while few plies have
/// passed since the last capture.
pub fn natural_limit_reached(game: &Game, rules: RuleSet) -> bool {
    let switches = rules.switches();
    let clock = usize::from(game.position().halfmove_clock());
    clock / 2 >= switches.limit_rounds && count(game, &switches).reached()
}

/// Whether the natural limit is reached after so many rounds without a capture, of which each side
/// gave check in so many: for who keeps the counts without a [`Game`].
pub fn limit_reached(rounds: usize, checks: [usize; Side::NUM], rules: RuleSet) -> bool {
    let switches = rules.switches();
    let claims = |checks| switches.claimed_rounds(rounds, checks) >= switches.limit_rounds;
    checks.into_iter().any(claims)
}

/// Whether neither side has anything to win with: no rook, horse, cannon or soldier is left
/// (4.2.1).
pub fn material_draw(game: &Game) -> bool {
    !game.position().has_attackers()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;

    fn game(fen: &str, cycle: &str, times: usize) -> Game {
        let moves: Vec<_> = cycle.split(' ').map(|m| m.parse().unwrap()).collect();
        let all = std::iter::repeat_n(moves, times).flatten();
        Game::with_moves(fen.parse::<Position>().unwrap(), all).unwrap()
    }

    const IDLE: &str = "a0a1 e9e8 a1a0 e8e9";
    const CHECKS: &str = "a8a9 e9e8 a9a8 e8e9";

    #[test]
    fn sixty_rounds() {
        let fen = "4k4/9/9/9/9/9/9/9/9/R2K5 w - - 0 1";
        let cn = RuleSet::Cn1999;
        let before = game(fen, IDLE, 29);
        assert_eq!(natural_limit(&before, cn).rounds, 58);
        assert!(!natural_limit_reached(&before, cn));
        assert!(natural_limit_reached(&game(fen, IDLE, 30), cn));
        // The league counts fifty.
        assert!(!natural_limit_reached(&game(fen, IDLE, 24), RuleSet::League));
        assert!(natural_limit_reached(&game(fen, IDLE, 25), RuleSet::League));
    }

    #[test]
    fn the_clock_of_the_fen_counts() {
        let fen = "4k4/9/9/9/9/9/9/9/9/R2K5 w - - 100 1";
        let limit = natural_limit(&game(fen, IDLE, 5), RuleSet::Cn1999);
        assert_eq!((limit.rounds, limit.reached()), (60, true));
        assert!(!natural_limit(&game(fen, IDLE, 4), RuleSet::Cn1999).reached());
    }

    #[test]
    fn ten_checks_of_the_claimant_count() {
        let fen = "4k4/R8/9/9/9/9/9/9/9/3K5 w - - 0 1";
        // Thirty cycles: sixty rounds, all of Red's moves checks. Red counts 60 - (60 - 10).
        let limit = natural_limit(&game(fen, CHECKS, 30), RuleSet::Cn1999);
        assert_eq!((limit.rounds, limit.counts), (60, [10, 60]));
        // The checked side may claim.
        assert!(limit.reached());
        let league = natural_limit(&game(fen, CHECKS, 25), RuleSet::League);
        assert_eq!((league.counts, league.reached()), ([50, 50], true));
    }

    #[test]
    fn nothing_to_win_with() {
        let draw = |fen: &str| material_draw(&Game::new(fen.parse().unwrap()));
        assert!(draw("4k4/4a4/9/9/9/9/9/4B4/4A4/3K5 w - - 0 1"));
        assert!(!draw("4k4/9/9/9/9/9/P8/9/9/3K5 w - - 0 1"), "a soldier may still cross");
        assert!(!draw("4k4/9/9/9/9/9/9/9/9/1C1K5 w - - 0 1"));
    }
}
