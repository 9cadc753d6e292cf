//! The fast tables against slow walks over the board.

use super::*;
use rand::{Rng, SeedableRng, rngs::StdRng};

/// Walks in all four directions; `screens` says behind how many pieces the squares are wanted.
fn slow_line(square: Square, occupied: Bitboard, screens: u32) -> Bitboard {
    let mut set = Bitboard::EMPTY;
    for (df, dr) in [(0, 1), (0, -1), (1, 0), (-1, 0)] {
        let mut passed = 0;
        for n in 1..10 {
            let Some(to) = square.offset(df * n, dr * n) else { break };
            if passed == screens {
                set = set.with(to);
            }
            passed += u32::from(occupied.contains(to));
        }
    }
    set
}

fn slow_horse(square: Square, occupied: Bitboard) -> Bitboard {
    let mut set = Bitboard::EMPTY;
    for df in -2i8..=2 {
        for dr in -2i8..=2 {
            if df.abs() + dr.abs() != 3 {
                continue;
            }
            let leg = if df.abs() == 2 { (df / 2, 0) } else { (0, dr / 2) };
            if let Some(to) = square.offset(df, dr)
                && let Some(leg) = square.offset(leg.0, leg.1)
                && !occupied.contains(leg)
            {
                set = set.with(to);
            }
        }
    }
    set
}

fn slow_elephant(square: Square, occupied: Bitboard) -> Bitboard {
    let mut set = Bitboard::EMPTY;
    for (df, dr) in [(1, 1), (1, -1), (-1, 1), (-1, -1)] {
        if let Some(to) = square.offset(2 * df, 2 * dr)
            && let Some(eye) = square.offset(df, dr)
            && !occupied.contains(eye)
            && (square.rank() < 5) == (to.rank() < 5)
        {
            set = set.with(to);
        }
    }
    set
}

fn random_occupancies() -> impl Iterator<Item = Bitboard> {
    let mut rng = StdRng::seed_from_u64(90);
    (0..2000).map(move |i| {
        let a = Bitboard::from_bits(rng.random());
        let b = Bitboard::from_bits(rng.random());
        // Half full, a quarter full, three quarters full.
        [a, a & b, a | b][i % 3]
    })
}

#[test]
fn fast_attacks_equal_slow_ones() {
    for occupied in random_occupancies() {
        for square in Square::all() {
            let rook_slow = slow_line(square, occupied, 0);
            let range_slow = slow_line(square, occupied, 1);
            assert_eq!(rook(square, occupied), rook_slow, "rook {square}\n{occupied:?}");
            assert_eq!(cannon_range(square, occupied), range_slow, "cannon {square}\n{occupied:?}");
            assert_eq!(rook_and_cannon(square, occupied), (rook_slow, range_slow));
            assert_eq!(horse(square, occupied), slow_horse(square, occupied), "horse {square}");
            assert_eq!(elephant(square, occupied), slow_elephant(square, occupied), "{square}");
        }
    }
}

#[test]
fn reverse_tables_are_the_inverse() {
    for occupied in random_occupancies().take(50) {
        for from in Square::all() {
            for to in Square::all() {
                assert_eq!(
                    horse(from, occupied).contains(to),
                    horse_reverse(to, occupied).contains(from),
                    "{from}{to}"
                );
                for side in Side::ALL {
                    assert_eq!(
                        soldier(side, from).contains(to),
                        soldier_reverse(side, to).contains(from)
                    );
                }
            }
        }
    }
}

#[test]
fn palace_pieces_stay_at_home() {
    let square = |s: &str| s.parse::<Square>().unwrap();
    let set = |s: &str| s.split_whitespace().map(square).collect::<Bitboard>();
    assert_eq!(king(square("e0")), set("d0 f0 e1"));
    assert_eq!(king(square("d2")), set("e2 d1"));
    assert_eq!(king(square("e7")), set("d7 f7 e8"));
    assert_eq!(advisor(square("e1")), set("d0 f0 d2 f2"));
    assert_eq!(advisor(square("f9")), set("e8"));
    assert_eq!(soldier(Side::Red, square("a3")), set("a4"));
    assert_eq!(soldier(Side::Red, square("a5")), set("a6 b5"));
    assert_eq!(soldier(Side::Red, square("e9")), set("d9 f9"));
    assert_eq!(soldier(Side::Black, square("e5")), set("e4"));
    assert_eq!(soldier(Side::Black, square("e4")), set("e3 d4 f4"));
}

#[test]
fn between_and_legs() {
    let square = |s: &str| s.parse::<Square>().unwrap();
    assert_eq!(between(square("a0"), square("a3")).len(), 2);
    assert_eq!(between(square("e9"), square("e0")).len(), 8);
    assert!(between(square("a0"), square("b1")).is_empty());
    assert!(between(square("a0"), square("b0")).is_empty());
    assert_eq!(horse_leg(square("b0"), square("c2")), Some(square("b1")));
    assert_eq!(horse_leg(square("b0"), square("d1")), Some(square("c0")));
    assert_eq!(horse_leg(square("b0"), square("b2")), None);
    assert_eq!(cross(square("e4")).len(), 17);
}
