//! Exchanges worked out by hand. R = 900, H = C = 400, A = E = 160, P = 100.

#[path = "../crates/xiangqi/tests/common/mod.rs"]
mod common;

use chuhe::eval::{see, see_ge};
use xiangqi::board::Position;

#[test]
fn exchanges_by_hand() {
    #[rustfmt::skip]
    let cases = [
        // An unprotected horse; a protected one costs the rook.
        ("3k5/9/9/9/9/4n4/9/9/9/4RK3 w", "e0e4", 400),
        ("3k5/4r4/9/9/9/4n4/9/9/9/4RK3 w", "e0e4", 400 - 900),
        // Two rooks in a row: Black's rook would be lost for a rook and gains nothing.
        ("3k5/4r4/9/9/9/4n4/9/4R4/4R4/5K3 w", "e2e4", 400),
        // The black cannon i4 guards e4 over the screen g4.
        ("3k5/9/9/9/9/4n1p1c/9/4N4/9/4CK3 w", "e0e4", 400 - 400),
        // The capturing rook was that screen itself: nothing takes back.
        ("3k5/9/9/9/9/4n1R1c/9/9/9/5K3 w", "g4e4", 400),
        // A cannon on the file guards e4 only with exactly one piece between.
        ("3kc4/9/9/4p4/9/4n4/9/9/9/4RK3 w", "e0e4", 400 - 900),
        ("3kc4/9/9/9/9/4n4/9/9/9/4RK3 w", "e0e4", 400),
        ("3kc4/9/4b4/4p4/9/4n4/9/9/9/4RK3 w", "e0e4", 400),
        // A horse guards e4 from f6 over f5; a piece on f5 stands on its leg.
        ("3k5/9/9/5n3/9/4p4/9/9/9/4RK3 w", "e0e4", 100 - 900),
        ("3k5/9/9/5n3/5P3/4p4/9/9/9/4RK3 w", "e0e4", 100),
        // The capturing advisor itself leaves the leg of the horse d1, which then takes back.
        ("3k5/9/9/9/9/9/9/5p3/3nA4/4K4 w", "e1f2", 100 - 160),
        ("3k5/9/9/9/9/9/9/5p3/4A4/3nK4 w", "e1f2", 100),
        // A king takes back an unguarded piece, not a guarded one.
        ("4k4/4a4/9/9/9/9/9/9/4R4/3K5 w", "e1e8", 160 - 900),
        ("4k4/4a4/9/9/9/9/9/4R4/4R4/3K5 w", "e2e8", 160),
        // It may not take back where it would face the other king.
        ("4k4/3Pa4/9/9/9/9/9/9/9/3K5 w", "d8e8", 160 - 100),
        ("3k5/3nP4/9/9/9/9/9/9/9/3K5 w", "e8d8", 400),
        // A quiet move onto a guarded square loses the piece.
        ("3k5/9/9/9/8r/9/9/9/9/4RK3 w", "e0e5", -900),
        ("3k5/9/9/9/9/8r/9/9/9/4RK3 w", "e0e5", 0),
        // Black takes back with the soldier d4 and not with the rook i4, so Red's second rook
        // wins only a soldier and stays at home: 400 - 900. With the rook first it would be even.
        ("3k5/9/9/9/9/3pn3r/9/4R4/4R4/5K3 w", "e2e4", 400 - 900),
        // Without that soldier the rook i4 would be lost for the rook.
        ("3k5/9/9/9/9/4n3r/9/4R4/4R4/5K3 w", "e2e4", 400),
    ];
    for (fen, m, expected) in cases {
        let position: Position = fen.parse().expect(fen);
        let m = m.parse().unwrap();
        assert!(position.is_legal(m), "{m} in {fen}");
        assert_eq!(see(&position, m).0, expected, "{m} in {fen}");
        for threshold in [-1000, -500, -100, 0, 1, 100, 160, 400, 401, 900] {
            let threshold = chuhe::eval::Score(threshold);
            assert_eq!(
                see_ge(&position, m, threshold),
                see(&position, m) >= threshold,
                "{m} >= {threshold} in {fen}"
            );
        }
    }
}

#[test]
fn flipped_and_mirrored_exchanges_are_worth_the_same() {
    for position in common::walk_positions(500..530, 150) {
        let (flip, mirror) = (position.colour_flipped(), position.mirrored());
        for m in position.legal_moves() {
            let worth = see(&position, m);
            assert_eq!(worth, see(&flip, m.flipped()), "{m} in {position:?}");
            assert_eq!(worth, see(&mirror, m.mirrored()), "{m} in {position:?}");
        }
    }
}
