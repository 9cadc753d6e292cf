//! Scores and remarks in words.

use super::game::PlyReview;
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

/// What is to be said of a move, Chinese and English: how bad it was, the mover's chances before and
/// after it, and what was better.
pub fn remark(ply: &PlyReview) -> (String, String) {
    let percent = |share: f64| format!("{:.0}%", 100.0 * share);
    let (before, after) = (percent(ply.before), percent(ply.after));
    let (mut zh, mut en) =
        (format!("胜率{before}→{after}"), format!("win chances {before} → {after}"));
    if let Some(severity) = ply.severity {
        let name = severity.name();
        let (first, rest) = name.split_at(1);
        zh = format!("{}：{zh}", severity.chinese());
        en = format!("{}{rest}: {en}", first.to_uppercase());
    }
    if let Some(better) = &ply.better {
        let moves: Vec<String> = better.moves.iter().map(ToString::to_string).collect();
        zh += &format!("，宜走{}", better.chinese.join(" "));
        en += &format!("; better {}", moves.join(" "));
    }
    (zh, en)
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
