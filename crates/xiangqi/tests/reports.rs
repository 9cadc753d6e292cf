//! Disputed repetitions that users of other engines reported: what the rule sets here say.

use xiangqi::{
    game::Game,
    rules::{CycleRuling, RuleSet, judge},
    types::Side,
};

fn ruling(rules: RuleSet, fen: &str, moves: &str) -> CycleRuling {
    let moves = moves.split(' ').map(|m| m.parse().unwrap());
    let game = Game::with_moves(fen.parse().unwrap(), moves).unwrap();
    judge(&game, rules).cycle_ruling
}

const RED_LOSES: CycleRuling = CycleRuling::Forbidden(Side::Red);

#[test]
fn a_cannon_that_steps_aside_for_the_elephant() {
    // Large servers decide against Red, as the Asian rules here do.
    let first = "4k4/9/9/9/9/r1r6/3C5/4B4/9/5K3 w";
    assert_eq!(ruling(RuleSet::Axf, first, "d3f3 c4g4 f3d3 g4c4 d3f3"), RED_LOSES);
    // By the Chinese rules Black's moves threaten as well: nobody must change.
    assert_eq!(ruling(RuleSet::Cn1999, first, "d3f3 c4g4 f3d3 g4c4 d3f3"), CycleRuling::Draw);
    let second = "3ak4/4a4/9/9/2b6/nnrp2B2/1C1p5/B3N3C/3pA4/pp1A1K3 w";
    let moves = "b3b1 c4c0 b1b3 c0c4 b3b1";
    assert_eq!(ruling(RuleSet::Axf, second, moves), RED_LOSES);
    assert_eq!(ruling(RuleSet::Cn1999, second, moves), RED_LOSES);
}

#[test]
fn two_cannons_do_not_protect_each_other_through_the_attacker() {
    // The rook stands between two cannons. Were it counted as the screen, each would protect the
    // other; but the rook that takes one is no longer there.
    let fen = "5k3/9/9/c7c/4R4/9/9/9/9/3K5 w";
    for rules in [RuleSet::Cn1999, RuleSet::Axf] {
        assert_eq!(ruling(rules, fen, "e5e6 a6a5 e6e5 a5a6 e5e6"), RED_LOSES, "{rules:?}");
    }
}

#[test]
fn perpetual_check_loses_by_all_rules() {
    let checks = "i8i9 e9e8 i9i8 e8e9 i8i9";
    let fen = "4k4/8R/9/9/9/9/9/9/9/rrBA1K3 w";
    for rules in [RuleSet::Cn1999, RuleSet::Axf, RuleSet::League] {
        assert_eq!(ruling(rules, fen, checks), RED_LOSES, "{rules:?}");
    }
}
