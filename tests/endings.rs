//! Known endings, proved by a small retrograde solver, and what the evaluations say of them.
//! `docs/endings.md` shows the shares that `make endings` prints.

mod retrograde;

use chuhe::eval::{Backend, Evaluator, Score};
use rand::{SeedableRng, rngs::StdRng, seq::IteratorRandom};
use retrograde::{Solver, Value};
use xiangqi::{
    board::Position,
    types::{Kind, Side},
};

/// The share of positions with `side` to move that Red wins, in percent.
fn won_by_red(solver: &mut Solver, letters: &str, side: Side) -> f64 {
    let [all, won, _] = solver.solve(letters).counts(side);
    100.0 * won as f64 / all as f64
}

/// What the books teach, Red the stronger side and to move. A percent is left for pieces that stand
/// badly.
#[test]
fn what_the_books_teach_is_so() {
    let mut solver = Solver::default();
    for letters in ["KRk", "KRkaa", "KRkbb", "KNk", "KNka", "KACka"] {
        let share = won_by_red(&mut solver, letters, Side::Red);
        assert!(share > 99.0, "{letters}: {share} % won");
    }
    for letters in ["KAAkbb", "KBk", "KCk", "KCka"] {
        for side in Side::ALL {
            assert_eq!(solver.solve(letters).counts(side)[1..], [0, 0], "{letters}");
        }
    }
    // Two advisors are at times a cannon's screen and their king's prison.
    assert!(won_by_red(&mut solver, "KCkaa", Side::Red) < 6.0);
}

#[test]
fn a_soldier_wins_until_it_stands_on_the_last_rank() {
    let solved = Solver::default().solve("KPk");
    let [mut all, mut won] = [0; 2];
    for (position, value) in solved.positions().filter(|(p, _)| p.side() == Side::Red) {
        let soldier = position.pieces(Side::Red, Kind::Soldier).first().expect("a soldier");
        if soldier.rank() == 9 {
            assert_eq!(value, Value::Draw, "{position}");
        } else {
            all += 1;
            won += u32::from(value == Value::Win);
        }
    }
    assert_eq!((all, won), (2394, 2394), "all of them");
}

/// Run by `make endings`.
#[test]
#[ignore = "minutes long"]
fn shares_of_the_larger_endings() {
    let mut solver = Solver::default();
    let list = "KRk KRka KRkb KRkaa KRkab KRkbb KRkaab KRkabb KRkaabb KNk KNka KNkb KNkaa KNkab KNkbb \
                KCk KCka KCkb KCkaa KCkab KCkbb KACk KACka KACkb KACkaa KACkab KBCk KBCka KBCkb KPk \
                KPka KPkb";
    let list = std::env::var("ENDINGS").unwrap_or(list.to_owned());
    for letters in list.split_whitespace() {
        let [red, black] = Side::ALL.map(|side| won_by_red(&mut solver, letters, side));
        println!("{letters}: won with Red to move {red:.2} %, with Black to move {black:.2} %");
        if letters == "KRkaabb" {
            assert!(black < 60.0, "the full guard holds where it stands well");
            // The king and its guards protecting each other, in three set-ups.
            let solved = solver.solve(letters);
            for guard in ["2bak4/4a4/4b4", "2bk5/4a4/3ab4", "3ak4/4a4/b3b4"] {
                let fen = format!("{guard}/9/9/9/9/9/3R5/4K4 w");
                let linked: Position = fen.parse().expect("legal");
                assert_eq!(solved.value(&linked), Value::Draw, "{fen}");
            }
        } else if letters.starts_with("KR") || letters == "KACkaa" {
            assert!(red > 99.0);
        }
    }
}

/// Positions with Red to move in which neither side can take anything, and no check is on the
/// board.
fn quiet(position: &Position) -> bool {
    let takes = |position: &Position| {
        position.legal_moves().iter().any(|m| position.piece_on(m.to()).is_some())
    };
    let passed = position.with_turn_passed();
    !position.in_check() && !takes(position) && passed.is_some_and(|other| !takes(&other))
}

/// What an evaluation says of a position for its mover.
fn score(backend: &Backend, position: &Position) -> Score {
    Evaluator::new(backend, position).evaluate(position)
}

/// Both evaluations are on the winner's side in won positions and near zero in drawn ones, for
/// either colour and with either side to move.
#[test]
fn the_evaluations_know_them() {
    let mut solver = Solver::default();
    let mut random = StdRng::seed_from_u64(4);
    let mut wrong = Vec::new();
    for (letters, expected) in [
        ("Kkaabb", Value::Draw),
        ("KABkb", Value::Draw),
        ("KRkaa", Value::Win),
        ("KRkbb", Value::Win),
        ("KNka", Value::Win),
        ("KNkaa", Value::Draw),
        ("KACka", Value::Win),
        ("KCka", Value::Draw),
        ("KCkaa", Value::Draw),
        ("KPk", Value::Draw),
        ("KPk", Value::Win),
    ] {
        let solved = solver.solve(letters);
        let last_rank = |p: &Position| {
            p.pieces(Side::Red, Kind::Soldier).into_iter().all(|soldier| soldier.rank() == 9)
        };
        let sample = solved
            .positions()
            .filter(|(p, value)| p.side() == Side::Red && *value == expected && quiet(p))
            .map(|(p, _)| p)
            .filter(|p| expected == Value::Win || last_rank(p))
            .choose_multiple(&mut random, 100);
        assert!(sample.len() >= 40, "{letters}: {}", sample.len());
        for backend in [Backend::default(), Backend::Handwritten] {
            for position in &sample {
                let other = position.with_turn_passed().expect("quiet");
                let scores = [
                    score(&backend, position),
                    -score(&backend, &other),
                    score(&backend, &position.colour_flipped()),
                ];
                let right = |score: &Score| match expected {
                    Value::Win => *score > Score::MINOR,
                    _ => score.0.abs() <= Score::MINOR.0 / 4,
                };
                if !scores.iter().all(right) {
                    wrong.push(format!("{letters} {}: {scores:?}", position.fen()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}
