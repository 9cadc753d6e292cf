//! Scores in words.

use crate::eval::{Score, centipawns};

/// A score in the fewest characters: `+0.35` (+1 wins half of the games), `#3` and `#-3` for a mate in
/// three moves, `判胜` and `判负` for a win and a loss by the repetition rule.
pub fn score_words(score: Score) -> String {
    match score.mate_distance_moves() {
        Some(0) => "#".to_owned(),
        Some(moves) => format!("#{moves}"),
        None if score.is_rule() && score > Score::DRAW => "判胜".to_owned(),
        None if score.is_rule() => "判负".to_owned(),
        None => format!("{:+.2}", f64::from(centipawns(score)) / 100.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind() {
        assert_eq!(score_words(Score(272)), "+1.00");
        assert_eq!(score_words(Score(-136)), "-0.50");
        assert_eq!(score_words(Score::DRAW), "+0.00");
        assert_eq!(score_words(Score::mate_in(5)), "#3");
        assert_eq!(score_words(Score::mated_in(4)), "#-2");
        assert_eq!(score_words(Score::mated_in(0)), "#");
        assert_eq!(score_words(Score::rule_win_in(3)), "判胜");
        assert_eq!(score_words(Score::rule_loss_in(3)), "判负");
    }
}
