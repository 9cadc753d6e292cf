//! Games that end in every way, under every rule set: how, for whom, by which article.

use xiangqi::{
    game::Game,
    rules::{Ending, Outcome, RuleSet, natural_limit, outcome},
    types::Side::{self, Black, Red},
};

const ALL: [RuleSet; 3] = [RuleSet::Cn1999, RuleSet::Axf, RuleSet::League];

fn game(fen: &str, moves: &str) -> Game {
    let moves = moves.split_whitespace().map(|m| m.parse().unwrap());
    Game::with_moves(fen.parse().unwrap(), moves).unwrap()
}

fn end(fen: &str, moves: &str, rules: RuleSet) -> Option<(Ending, Option<Side>)> {
    outcome(&game(fen, moves), rules).map(|outcome| (outcome.ending, outcome.winner))
}

/// The rook checks from rank to rank, the king steps aside and back.
const CHECKS: (&str, &str) = ("4k4/R8/9/9/9/9/9/9/9/3K5 w - - 0 1", "a8a9 e9e8 a9a8 e8e9 ");
/// The rook moves to and fro, the king too.
const IDLE: (&str, &str) = ("4k4/9/9/9/9/9/9/9/9/R2K5 w - - 0 1", "a0a1 e9e8 a1a0 e8e9 ");
/// A rook follows a horse that nothing protects, along two ranks.
const CHASE: (&str, &str) = ("3k5/9/9/9/9/2n6/9/9/R8/5K3 w - - 0 1", "a4a2 d2c4 a2a4 c4d2 ");

fn after(
    case: (&str, &str),
    before: &str,
    times: usize,
    rules: RuleSet,
) -> Option<(Ending, Option<Side>)> {
    end(case.0, &format!("{before}{}", case.1.repeat(times)), rules)
}

#[test]
fn the_board_ends_it_whatever_the_rules() {
    for rules in ALL {
        let mate = end("R3k4/1R7/9/9/9/9/9/9/9/3K5 b - - 0 1", "", rules);
        assert_eq!(mate, Some((Ending::Mate, Some(Red))));
        // The king on d9 may go neither down (the rook's rank) nor across (the other king's file).
        let stalemate = end("3k5/R8/9/9/9/9/9/9/9/4K4 b - - 0 1", "", rules);
        assert_eq!(stalemate, Some((Ending::Stalemate, Some(Red))));
        let bare = end("3k5/9/9/9/9/9/9/9/4A4/4K4 w - - 0 1", "", rules);
        assert_eq!(bare, Some((Ending::NoAttackers, None)));
        assert_eq!(outcome(&Game::default(), rules), None);
    }
}

#[test]
fn mate_comes_before_the_natural_limit() {
    for rules in ALL {
        let mate = end("R3k4/1R7/9/9/9/9/9/9/9/3K5 b - - 120 90", "", rules);
        assert_eq!(mate, Some((Ending::Mate, Some(Red))));
    }
}

#[test]
fn the_natural_limit() {
    let limit = Some((Ending::NaturalLimit, None));
    let at =
        |clock: u16, rules| end(&format!("4k4/9/9/9/9/9/9/9/9/R2K5 w - - {clock} 90"), "", rules);
    for rules in [RuleSet::Cn1999, RuleSet::Axf] {
        assert_eq!((at(119, rules), at(120, rules)), (None, limit), "{rules}");
    }
    assert_eq!((at(99, RuleSet::League), at(100, RuleSet::League)), (None, limit));
}

#[test]
fn of_a_sides_own_checks_ten_count() {
    // 23.3: 47 rounds without a check and 14 with one make 61. Red's own checks count ten times
    // only, 57; Black, who was checked, counts all and may claim. The league knows no such limit.
    let game = game("4k4/R8/9/9/9/9/9/9/9/3K5 w - - 94 60", &CHECKS.1.repeat(7));
    let limit = natural_limit(&game, RuleSet::Cn1999);
    assert_eq!((limit.rounds, limit.counts), (61, [57, 61]));
    assert!(limit.reached());
    let league = natural_limit(&game, RuleSet::League);
    assert_eq!((league.counts, league.limit), ([61, 61], 50));
}

#[test]
fn idle_repetition_is_a_draw() {
    let draw = Some((Ending::RepetitionDraw, None));
    for rules in [RuleSet::Cn1999, RuleSet::Axf] {
        assert_eq!((after(IDLE, "", 1, rules), after(IDLE, "", 2, rules)), (None, draw), "{rules}");
    }
    let league = RuleSet::League;
    assert_eq!((after(IDLE, "", 2, league), after(IDLE, "", 3, league)), (None, draw));
}

#[test]
fn the_perpetual_checker_loses() {
    let lost = Some((Ending::RepetitionLoss, Some(Black)));
    for rules in [RuleSet::Cn1999, RuleSet::Axf] {
        assert_eq!((after(CHECKS, "", 1, rules), after(CHECKS, "", 2, rules)), (None, lost));
    }
    let league = RuleSet::League;
    assert_eq!((after(CHECKS, "", 2, league), after(CHECKS, "", 3, league)), (None, lost));
    let ended: Outcome = outcome(&game(CHECKS.0, &CHECKS.1.repeat(2)), RuleSet::Cn1999).unwrap();
    assert_eq!(ended.articles, ["4.1.7", "24.1"]);
}

#[test]
fn the_perpetual_chaser_gets_one_more_round() {
    let lost = Some((Ending::RepetitionLoss, Some(Black)));
    let chase = |times, rules| after(CHASE, "a1a4 c4d2 ", times, rules);
    // At the third occurrence Red must change (24.3), at the fourth it has lost.
    let cn = RuleSet::Cn1999;
    assert_eq!((chase(2, cn), chase(3, cn)), (None, lost));
    let moves = format!("a1a4 c4d2 {}", CHASE.1.repeat(3));
    assert_eq!(outcome(&game(CHASE.0, &moves), cn).unwrap().articles, ["4.1.7", "24.3"]);
    // The Asian rules know no warning, the league ends at the fourth.
    assert_eq!((chase(1, RuleSet::Axf), chase(2, RuleSet::Axf)), (None, lost));
    assert_eq!((chase(2, RuleSet::League), chase(3, RuleSet::League)), (None, lost));
}
