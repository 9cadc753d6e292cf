//! How a game ended, and by what.

use serde::{Deserialize, Serialize};
use std::fmt;
use xiangqi::{
    rules::{Ending, Outcome},
    types::Side,
};

/// Who gets the point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// This side wins.
    Win(Side),
    /// Half a point each.
    Draw,
    /// Neither side gets anything: both failed to appear (article 21.3).
    BothLose,
}

impl Verdict {
    /// The result as PGN writes it.
    pub const fn pgn(self) -> &'static str {
        match self {
            Self::Win(Side::Red) => "1-0",
            Self::Win(Side::Black) => "0-1",
            Self::Draw => "1/2-1/2",
            Self::BothLose => "0-0",
        }
    }

    /// Reads what [`Verdict::pgn`] writes.
    pub fn from_pgn(text: &str) -> Option<Self> {
        [Self::Win(Side::Red), Self::Win(Side::Black), Self::Draw, Self::BothLose]
            .into_iter()
            .find(|verdict| verdict.pgn() == text)
    }

    /// Points of `side` in half points: 0, 1 or 2.
    pub fn half_points(self, side: Side) -> u32 {
        match self {
            Self::Win(winner) if winner == side => 2,
            Self::Draw => 1,
            _ => 0,
        }
    }
}

impl Serialize for Verdict {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.pgn())
    }
}

impl<'de> Deserialize<'de> for Verdict {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::from_pgn(&text).ok_or_else(|| serde::de::Error::custom("no result"))
    }
}

/// Why a game ended. The comment names the article of the 1999 competition rules.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Termination {
    /// Checkmate (将死, 3.1, 4.1.1).
    Mate,
    /// No legal move: the side to move loses (困毙, 3.2, 4.1.3).
    Stalemate,
    /// The move left the kings facing each other (4.1.2).
    FacingGenerals,
    /// Any other illegal move, or text that is no move (4.1.6).
    IllegalMove,
    /// The time ran out (4.1.4, 22.1).
    Time,
    /// No answer within the limit for hangs, in a game without a clock.
    Stalled,
    /// The engine's process ended.
    Crash,
    /// The engine was not ready when the game began (4.1.5, 21.1).
    NoStart,
    /// The engine said that it has no move although it has (counted as resignation, 4.1.9).
    NoMove,
    /// Resignation (4.1.9).
    Resignation,
    /// Offered by one side and accepted by the other (4.2.2, 23.1).
    DrawAgreed,
    /// The natural limit of rounds without a capture (4.2.4, 23.3).
    NaturalLimit,
    /// The engine stopped by a natural limit of its own, shorter than ours; counted as a draw.
    LimitClaimed,
    /// Neither side has anything left to attack with (4.2.1).
    NoAttackers,
    /// Repetition that both sides may go on with (4.2.3, 24.2).
    RepetitionDraw,
    /// The side whose moves are forbidden went on (4.1.7, 24.1, 24.3).
    RepetitionLoss,
    /// As many fouls as the user allows (4.1.8).
    Fouls,
    /// Ended by the scores that the engines reported; only on request.
    Adjudication,
}

impl Termination {
    /// Short English words for records.
    pub const fn text(self) -> &'static str {
        match self {
            Self::Mate => Ending::Mate.text(),
            Self::Stalemate => Ending::Stalemate.text(),
            Self::FacingGenerals => "facing generals",
            Self::IllegalMove => "illegal move",
            Self::Time => "time forfeit",
            Self::Stalled => "no answer",
            Self::Crash => "engine ended",
            Self::NoStart => "engine did not start",
            Self::NoMove => "no move given",
            Self::Resignation => "resignation",
            Self::DrawAgreed => "draw agreed",
            Self::NaturalLimit => Ending::NaturalLimit.text(),
            Self::LimitClaimed => "natural limit of the engine",
            Self::NoAttackers => Ending::NoAttackers.text(),
            Self::RepetitionDraw => Ending::RepetitionDraw.text(),
            Self::RepetitionLoss => Ending::RepetitionLoss.text(),
            Self::Fouls => "fouls",
            Self::Adjudication => "adjudication",
        }
    }

    /// The name used in JSON.
    pub fn key(self) -> String {
        serde_json::to_value(self)
            .ok()
            .and_then(|value| value.as_str().map(str::to_owned))
            .unwrap_or_default()
    }
}

impl fmt::Display for Termination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

/// The end of a game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct End {
    /// Who gets the point.
    pub verdict: Verdict,
    /// Why.
    pub termination: Termination,
    /// Details for people, such as the text that was no move; often empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub detail: String,
}

impl From<Outcome> for End {
    fn from(outcome: Outcome) -> Self {
        let termination = match outcome.ending {
            Ending::Mate => Termination::Mate,
            Ending::Stalemate => Termination::Stalemate,
            Ending::RepetitionLoss => Termination::RepetitionLoss,
            Ending::RepetitionDraw => Termination::RepetitionDraw,
            Ending::NoAttackers => Termination::NoAttackers,
            Ending::NaturalLimit => Termination::NaturalLimit,
        };
        outcome.winner.map_or_else(|| Self::draw(termination), |side| Self::win(side, termination))
    }
}

impl End {
    /// `side` wins.
    pub fn win(side: Side, termination: Termination) -> Self {
        Self { verdict: Verdict::Win(side), termination, detail: String::new() }
    }

    /// `side` loses.
    pub fn loss(side: Side, termination: Termination) -> Self {
        Self::win(!side, termination)
    }

    /// A draw.
    pub fn draw(termination: Termination) -> Self {
        Self { verdict: Verdict::Draw, termination, detail: String::new() }
    }

    /// The same end with details.
    pub fn because(self, detail: impl Into<String>) -> Self {
        Self { detail: detail.into(), ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_back_from_json() {
        let end = End::loss(Side::Red, Termination::RepetitionLoss).because("24.3");
        let text = serde_json::to_string(&end).unwrap();
        assert_eq!(text, r#"{"verdict":"0-1","termination":"repetition_loss","detail":"24.3"}"#);
        assert_eq!(serde_json::from_str::<End>(&text).unwrap(), end);
        assert_eq!(Termination::RepetitionLoss.key(), "repetition_loss");
        assert_eq!(end.verdict.half_points(Side::Black), 2);
        assert_eq!(Verdict::BothLose.half_points(Side::Black), 0);
        assert_eq!(Verdict::Draw.half_points(Side::Red), 1);
    }
}
