//! Ending games by the scores that both engines report. Off unless the user asks for it.

use super::{
    outcome::{End, Termination},
    player::EngineScore,
};
use std::{fmt, str::FromStr};
use xiangqi::types::Side;

/// When scores end a game. Scores are in the engines' unit, about hundredths of a soldier.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Adjudication {
    /// A win once both sides agree that one of them is this much ahead.
    pub win: Option<Agreement>,
    /// A draw once both sides see no more than this.
    pub draw: Option<Agreement>,
    /// Moves of each side before a draw may be given.
    pub draw_after: usize,
    /// A draw once this many plies have been played.
    pub max_plies: Option<usize>,
}

/// A score, and for how many moves of each side it must hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Agreement {
    /// The score.
    pub score: i32,
    /// Consecutive moves of each side.
    pub moves: usize,
}

impl FromStr for Adjudication {
    type Err = String;

    /// Reads `win=SCORE/MOVES,draw=SCORE/MOVES/AFTER,plies=N`; each part may be missing.
    fn from_str(text: &str) -> Result<Self, String> {
        let mut result = Self::default();
        for part in text.split(',') {
            let off =
                || format!("'{part}' is none of win=SCORE/MOVES, draw=SCORE/MOVES/AFTER, plies=N");
            let (key, value) = part.split_once('=').ok_or_else(off)?;
            let numbers = value
                .split('/')
                .map(str::parse::<u16>)
                .collect::<Result<Vec<_>, _>>()
                .map_err(|_| off())?;
            let agreement = |score: u16, moves: u16| {
                Some(Agreement { score: score.into(), moves: moves.max(1).into() })
            };
            match (key, &numbers[..]) {
                ("win", &[score, moves]) => result.win = agreement(score, moves),
                ("draw", &[score, moves, after]) => {
                    result.draw = agreement(score, moves);
                    result.draw_after = after.into();
                }
                ("plies", &[plies]) if plies > 0 => result.max_plies = Some(plies.into()),
                _ => return Err(off()),
            }
        }
        Ok(result)
    }
}

impl fmt::Display for Adjudication {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            self.win.map(|win| format!("win={}/{}", win.score, win.moves)),
            self.draw.map(|draw| format!("draw={}/{}/{}", draw.score, draw.moves, self.draw_after)),
            self.max_plies.map(|plies| format!("plies={plies}")),
        ];
        f.write_str(&parts.into_iter().flatten().collect::<Vec<_>>().join(","))
    }
}

impl Adjudication {
    /// The end that the scores demand after a ply, if any. `scores` holds what the engines said,
    /// one entry for each ply that they played, from the mover's view; the last is `side`'s.
    pub fn verdict(&self, side: Side, scores: &[Option<EngineScore>], plies: usize) -> Option<End> {
        if let Some(winner) = self.win.and_then(|win| agreed_winner(win, side, scores)) {
            return Some(End::win(winner, Termination::Adjudication));
        }
        let level = self.draw.is_some_and(|draw| {
            scores.len() >= 2 * self.draw_after
                && last(scores, draw.moves)
                    .is_some_and(|scores| scores.iter().all(|s| within(*s, draw.score)))
        });
        let long = self.max_plies.is_some_and(|max| plies >= max);
        (level || long).then(|| End::draw(Termination::Adjudication))
    }
}

fn last(scores: &[Option<EngineScore>], moves: usize) -> Option<&[Option<EngineScore>]> {
    scores.len().checked_sub(2 * moves).map(|first| &scores[first..])
}

fn within(score: Option<EngineScore>, limit: i32) -> bool {
    score.is_some_and(|score| score.points().abs() <= limit)
}

fn agreed_winner(win: Agreement, side: Side, scores: &[Option<EngineScore>]) -> Option<Side> {
    let last = last(scores, win.moves)?;
    [side, !side].into_iter().find(|&winner| {
        last.iter().rev().enumerate().all(|(back, score)| {
            let mover = if back % 2 == 0 { side } else { !side };
            score.is_some_and(|score| {
                let points = score.points();
                if mover == winner { points >= win.score } else { -points >= win.score }
            })
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use EngineScore::{Mate, Points};

    fn scores(points: &[i32]) -> Vec<Option<EngineScore>> {
        points.iter().map(|&p| Some(Points(p))).collect()
    }

    #[test]
    fn a_win_needs_both() {
        let rule: Adjudication = "win=500/2".parse().unwrap();
        let red_wins = Some(End::win(Side::Red, Termination::Adjudication));
        let judge = |scores: &[Option<EngineScore>]| rule.verdict(Side::Black, scores, 60);
        assert_eq!(judge(&scores(&[600, -600, 700, -500])), red_wins);
        assert_eq!(judge(&scores(&[600, -600, 700, -499])), None);
        assert_eq!(judge(&scores(&[600, 600, 700, 700])), None);
        assert_eq!(judge(&scores(&[600, -600, 700])), None);
        let mut with_mate = scores(&[600, -600, 700, -500]);
        with_mate[3] = Some(Mate(-4));
        assert_eq!(judge(&with_mate), red_wins);
        with_mate[3] = None;
        assert_eq!(judge(&with_mate), None);
    }

    #[test]
    fn draws_wait() {
        let rule: Adjudication = "draw=10/2/3,plies=200".parse().unwrap();
        let draw = Some(End::draw(Termination::Adjudication));
        assert_eq!(rule.verdict(Side::Red, &scores(&[0, 10, -10, 0, 0]), 40), None);
        assert_eq!(rule.verdict(Side::Red, &scores(&[90, 90, 0, 10, -10, 0]), 40), draw);
        assert_eq!(rule.verdict(Side::Red, &scores(&[0, 0, 11, 0, 0, 0]), 40), None);
        assert_eq!(rule.verdict(Side::Red, &scores(&[90]), 200), draw);
        assert_eq!(rule.to_string(), "draw=10/2/3,plies=200");
    }

    #[test]
    fn says_what_is_off() {
        for text in ["", "win=5", "draw=1/2", "win=x/3", "plies=0", "lose=1/2"] {
            assert!(text.parse::<Adjudication>().is_err(), "{text}");
        }
    }
}
