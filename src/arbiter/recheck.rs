//! Judging finished games again from their PGN, without trust in who wrote it.

use super::{
    game::board_verdict,
    outcome::{End, Termination, Verdict},
};
use xiangqi::{game::Game, notation::GameTree, rules::RuleSet};

/// Replays a game and compares its result with what the rules say: those that it names, or else
/// `usual`. A record that does not say how it ended is only asked who won.
///
/// # Errors
/// The first thing that does not fit, in words.
pub fn recheck(record: &GameTree, usual: RuleSet) -> Result<(), String> {
    let rules = record.header("Rules").map_or(Ok(usual), str::parse)?;
    let mut game = Game::new(record.start().clone());
    for (ply, m) in record.main_moves().enumerate() {
        if ply > 0 && board_verdict(&game, rules).is_some() {
            return Err(format!("the game was over before {m}, ply {}", ply + 1));
        }
        game.play(m).map_err(|error| format!("{error}, ply {}", ply + 1))?;
    }
    compare(record, board_verdict(&game, rules))
}

fn compare(record: &GameTree, verdict: Option<End>) -> Result<(), String> {
    let result = record.result.pgn();
    let reason = record.header("Termination").unwrap_or_default();
    match verdict {
        Some(end)
            if Some(end.verdict) == Verdict::from_pgn(result)
                && (reason.is_empty() || end.termination.text() == reason) =>
        {
            Ok(())
        }
        Some(end) if reason.is_empty() => Err(format!(
            "{result} is stated, the rules say {} by {}",
            end.verdict.pgn(),
            end.termination
        )),
        Some(end) => Err(format!(
            "{result} by {reason} is stated, the rules say {} by {}",
            end.verdict.pgn(),
            end.termination
        )),
        None if ends_on_board(reason) => Err(format!("{reason} is stated, but the game goes on")),
        None => Ok(()),
    }
}

/// Whether the last position must show the end.
fn ends_on_board(reason: &str) -> bool {
    [
        Termination::Mate,
        Termination::Stalemate,
        Termination::NaturalLimit,
        Termination::NoAttackers,
        Termination::RepetitionDraw,
        Termination::RepetitionLoss,
    ]
    .iter()
    .any(|termination| termination.text() == reason)
}

#[cfg(test)]
mod tests {
    use super::*;
    use xiangqi::records;

    /// Two rooks mate on the back rank.
    const MATE: &str = "[Game \"Chinese Chess\"]\n[Result \"1-0\"]\n[Rules \"cn1999\"]\n\
        [FEN \"3k5/8R/9/9/9/9/9/9/4A4/R3K4 w - - 0 1\"]\n[Termination \"mate\"]\n\n\
        1. A0-A9 {+M1/1 0.001s\n5n} {Red wins: mate} 1-0\n\n";

    fn check(text: &str) -> Result<(), String> {
        let games = records::read(text.as_bytes(), &Default::default()).unwrap();
        recheck(&games[0].tree, RuleSet::default())
    }

    #[test]
    fn agrees() {
        assert_eq!(check(MATE), Ok(()));
        let resigned = MATE.replace("A0-A9", "A0-A8").replace("\"mate\"", "\"resignation\"");
        assert_eq!(check(&resigned), Ok(()));
    }

    #[test]
    fn disagrees() {
        // Without the second rook the king goes to d8: no mate at all.
        let escapes = MATE.replace("/8R/", "/9/");
        assert_eq!(check(&escapes).unwrap_err(), "mate is stated, but the game goes on");
        let early = "[Rules \"cn1999\"]\n[FEN \"4k4/9/9/9/9/9/9/9/9/3K1A3 w - - 0 1\"]\n\
            1. F0-E1 E9-E8 *\n";
        assert_eq!(check(early).unwrap_err(), "the game was over before e9e8, ply 2");
        for (from, to, words) in [
            ("1-0", "0-1", "0-1 by mate is stated, the rules say 1-0 by mate"),
            ("\"mate\"", "\"stalemate\"", "1-0 by stalemate is stated"),
            ("cn1999", "go", "a rule set is"),
        ] {
            let error = check(&MATE.replace(from, to)).unwrap_err();
            assert!(error.contains(words), "{error}");
        }
    }
}
