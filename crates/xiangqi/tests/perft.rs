//! Published perft counts on which several engines agree.

use xiangqi::board::{Position, divide, perft};

/// (name, FEN, leaves at depths 1, 2, 3, 4, 5)
#[rustfmt::skip]
const COUNTS: [(&str, &str, [u64; 5]); 9] = [
    ("P0", "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1", [44, 1920, 79666, 3290240, 133312995]),
    ("P1", "r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w - - 0 1", [38, 1128, 43929, 1339047, 53112976]),
    ("P2", "1cbak4/9/n2a5/2p1p3p/5cp2/2n2N3/6PCP/3AB4/2C6/3A1K1N1 w - - 0 1", [7, 281, 8620, 326201, 10369923]),
    ("P3", "5a3/3k5/3aR4/9/5r3/5n3/9/3A1A3/5K3/2BC2B2 w - - 0 1", [25, 424, 9850, 202884, 4739553]),
    ("P4", "CRN1k1b2/3ca4/4ba3/9/2nr5/9/9/4B4/4A4/4KA3 w - - 0 1", [28, 516, 14808, 395483, 11842230]),
    ("P5", "1C2ka3/9/C1Nab1n2/p3p3p/6p2/9/P3P3P/3AB4/3p2c2/c1BAK4 w - - 0 1", [30, 830, 22787, 649866, 17920736]),
    ("P6", "CnN1k1b2/c3a4/4ba3/9/2nr5/9/9/4C4/4A4/4KA3 w - - 0 1", [19, 583, 11714, 376467, 8148177]),
    ("P7", "r1bakab1r/9/1cn2cn2/p1p1p1p1p/9/9/P1P1P1P1P/1CN1C1N2/9/R1BAKAB1R b - - 0 5", [38, 1212, 47525, 1579099, 63168787]),
    ("P8", "2bak4/4a4/4b4/p3R3p/2p3p2/6P2/P1n1r3P/4B4/4A4/2BAK1N2 b - - 0 20", [27, 626, 16288, 380845, 9854479]),
];

fn check(depth: u32) {
    for (name, fen, counts) in COUNTS {
        let mut position: Position = fen.parse().expect(fen);
        for (depth, expected) in (1..=depth).zip(counts) {
            assert_eq!(perft(&mut position, depth), expected, "{name} at depth {depth}");
        }
        assert_eq!(position.fen(), fen, "{name} came back changed");
    }
}

#[test]
fn counts_to_depth_4() {
    check(4);
}

/// Run by `make perft`.
#[test]
#[ignore = "slow without optimisation"]
fn counts_to_depth_5() {
    check(5);
}

#[test]
fn divide_adds_up() {
    let mut start = Position::start();
    let parts = divide(&mut start, 3);
    assert_eq!(parts.len(), 44);
    assert_eq!(parts.iter().map(|(_, nodes)| nodes).sum::<u64>(), 79666);
    assert!(divide(&mut start, 0).is_empty());
}
