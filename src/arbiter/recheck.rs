//! Judging finished games again from their PGN, without trust in who wrote it.

use super::{
    game::board_verdict,
    outcome::{End, Termination, Verdict},
};
use crate::{
    board::{Position, START_FEN},
    game::Game,
    rules::RuleSet,
    types::Move,
};
use std::collections::BTreeMap;

/// A game as its PGN tells it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PgnGame {
    /// Tags by name.
    pub tags: BTreeMap<String, String>,
    /// The moves, in coordinates.
    pub moves: Vec<String>,
    /// How many of them are marked as opening moves.
    pub book: usize,
    /// The result behind the moves.
    pub result: String,
}

/// Splits a file that [`super::pgn::write`] wrote into games.
pub fn parse(text: &str) -> Vec<PgnGame> {
    let mut games = Vec::new();
    let mut game = PgnGame::default();
    let mut in_comment = false;
    for line in text.lines() {
        if let Some((name, value)) = tag(line) {
            game.tags.insert(name.to_owned(), value.to_owned());
            continue;
        }
        for word in line.split_whitespace() {
            if !in_comment && word.starts_with(';') {
                break;
            }
            if in_comment || word.starts_with('{') {
                in_comment = !word.ends_with('}');
                game.book += usize::from(word == "{book}");
            } else if ["1-0", "0-1", "1/2-1/2", "*"].contains(&word) {
                game.result = word.to_owned();
                games.push(std::mem::take(&mut game));
            } else if !word.ends_with('.') {
                game.moves.push(word.replace('-', "").to_ascii_lowercase());
            }
        }
    }
    games
}

fn tag(line: &str) -> Option<(&str, &str)> {
    let inside = line.strip_prefix('[')?.strip_suffix("\"]")?;
    inside.split_once(" \"")
}

impl PgnGame {
    fn tag(&self, name: &str) -> &str {
        self.tags.get(name).map_or("", String::as_str)
    }

    /// Replays the game and compares its result with what the rules say.
    ///
    /// # Errors
    /// The first thing that does not fit, in words.
    pub fn check(&self) -> Result<(), String> {
        let rules: RuleSet = self.tag("Rules").parse()?;
        let fen = self.tags.get("FEN").map_or(START_FEN, String::as_str);
        let start: Position = fen.parse().map_err(|error| format!("{error}"))?;
        let mut game = Game::new(start);
        for (ply, text) in self.moves.iter().enumerate() {
            let over = ply > self.book && board_verdict(&game, rules).is_some();
            if over {
                return Err(format!("the game was over before {text}, ply {}", ply + 1));
            }
            let m: Move = text.parse().map_err(|_| format!("'{text}' is no move"))?;
            game.play(m).map_err(|error| format!("{error}, ply {}", ply + 1))?;
        }
        if self.tag("Result") != self.result {
            return Err("tag and end of the moves disagree".to_owned());
        }
        self.compare(board_verdict(&game, rules))
    }

    fn compare(&self, verdict: Option<End>) -> Result<(), String> {
        let stated = Verdict::from_pgn(&self.result);
        let reason = self.tag("Termination");
        match verdict {
            Some(end) if Some(end.verdict) == stated && end.termination.text() == reason => Ok(()),
            Some(end) => Err(format!(
                "{} by {} is stated, the rules say {} by {}",
                self.result,
                reason,
                end.verdict.pgn(),
                end.termination
            )),
            None if ends_on_board(reason) => {
                Err(format!("{reason} is stated, but the game goes on"))
            }
            None => Ok(()),
        }
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

    const MATE: &str = "[Game \"Chinese Chess\"]\n[Result \"1-0\"]\n[Rules \"cn1999\"]\n\
        [FEN \"3k5/9/9/9/9/9/9/9/4A4/R3K4 w - - 0 1\"]\n[Termination \"mate\"]\n\n\
        1. A0-A9 {+M1/1 0.001s\n5n} {Red wins: mate} 1-0\n\n";

    #[test]
    fn reads_and_agrees() {
        let games = parse(MATE);
        assert_eq!(games.len(), 1);
        assert_eq!(games[0].moves, ["a0a9"]);
        // The king still goes to d8: no mate at all.
        let error = games[0].check().unwrap_err();
        assert_eq!(error, "mate is stated, but the game goes on");
        let mated = MATE.replace("3k5/9/", "3k5/R8/");
        assert_eq!(
            parse(&mated.replace("A0-A9", "A8-A9").replace("R3K4", "4K4"))[0].check().unwrap_err(),
            "mate is stated, but the game goes on"
        );
        let two_rooks = MATE.replace("3k5/9/", "3k5/8R/");
        assert_eq!(parse(&two_rooks)[0].check(), Ok(()));
    }

    #[test]
    fn disagrees() {
        let two_rooks = MATE.replace("3k5/9/", "3k5/8R/");
        for (from, to, words) in [
            ("1-0", "0-1", "0-1 by mate is stated, the rules say 1-0 by mate"),
            ("\"mate\"", "\"stalemate\"", "1-0 by stalemate is stated"),
            ("A0-A9", "A0-B9", "illegal move a0b9, ply 1"),
            ("{Red", "D9-D8 {Red", "the game was over before d9d8, ply 2"),
        ] {
            let error = parse(&two_rooks.replace(from, to))[0].check().unwrap_err();
            assert!(error.contains(words), "{error}");
        }
    }
}
