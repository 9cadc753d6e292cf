//! Moves as text: every variant that people write is read, and what is written is read back.

mod common;

use common::walk_positions;
use xiangqi::{
    board::Position,
    notation::{MoveProblem, NotationError, Ranks, Style, parse_move, parse_move_in, write_move},
    types::Move,
};

fn read(fen: &str, text: &str) -> Result<String, NotationError> {
    let position: Position = fen.parse().unwrap();
    parse_move(&position, text).map(|m| m.to_string())
}

fn both_ways(positions: impl Iterator<Item = Position>) {
    let mut count = 0;
    for position in positions {
        for m in position.legal_moves() {
            for style in Style::ALL {
                let text = write_move(&position, m, style);
                assert_eq!(parse_move(&position, &text), Ok(m), "{} {text}", position.fen());
            }
        }
        count += 1;
    }
    assert!(count > 0);
}

#[test]
fn what_is_written_is_read_back() {
    both_ways(walk_positions(0..40, 120).take(3000));
}

#[test]
#[ignore = "slow: 100,000 positions"]
fn what_is_written_is_read_back_100000() {
    both_ways(walk_positions(1000..2500, 200).take(100_000));
}

/// Soldiers behind each other, which random games hardly show.
#[test]
fn crowded_soldiers_are_read_back() {
    let boards = [
        "3k5/4P4/4P4/4P4/9/9/9/9/9/5K3 w",
        "3k5/4P4/4P4/4P4/4P4/9/9/9/9/5K3 w",
        "3k5/4P4/4P4/4P4/4P4/4P4/9/9/9/5K3 w",
        "3k5/9/4P1P2/4P1P2/9/9/9/9/9/5K3 w",
        "3k5/9/4P1P2/4P1P2/6P2/9/9/9/9/5K3 w",
        "3k5/9/2P1P1P2/4P1P2/9/9/9/9/9/5K3 w",
        "5k3/9/9/9/2p6/2p1p4/4p4/4p4/9/3K5 b",
        "5k3/9/2n6/9/2n6/2r1c4/4c4/9/2r6/3K5 b",
    ];
    both_ways(boards.iter().map(|fen| fen.parse().unwrap()));
}

#[test]
fn every_spelling_of_a_move() {
    let start = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w";
    for text in [
        "h2e2",
        "H2-E2",
        "h2-e2",
        "H2E2",
        "炮二平五",
        "砲二平五",
        "包二平五",
        "炮2平5",
        "炮２平５",
        "炮贰平伍",
        "炮25",
        "炮２５",
        "C2.5",
        "C2=5",
        "c2.5",
        "Ｃ２＝５",
        "炮二平五!?",
        "h2e2+",
        "h2e2#",
        "Che2",
        " 炮二 平五 ",
        "炮二平五？",
    ] {
        assert_eq!(read(start, text).as_deref(), Ok("h2e2"), "{text}");
    }
    let black = start.replace('w', "b");
    for text in [
        "h9g7",
        "马8进7",
        "馬８進７",
        "马八进七",
        "傌八進七",
        "马87",
        "h8+7",
        "H8+7",
        "N8+7",
        "Ng7",
        "n8+7",
    ] {
        assert_eq!(read(&black, text).as_deref(), Ok("h9g7"), "{text}");
    }
    for text in ["兵七进一", "卒七进一", "P7+1", "c4", "兵71"] {
        assert_eq!(read(start, text).as_deref(), Ok("c3c4"), "{text}");
    }
    for text in ["帅五进一", "帥五進一", "將五進一", "K5+1", "帅进一", "Ke1"] {
        assert_eq!(read(start, text).as_deref(), Ok("e0e1"), "{text}");
    }
    for text in ["俥九进一", "車九進一", "R9+1"] {
        assert_eq!(read(start, text).as_deref(), Ok("a0a1"), "{text}");
    }
}

/// The six plies of article 7.5.
#[test]
fn the_short_form_of_the_rules() {
    let mut position = Position::start();
    for (text, m) in [
        ("炮25", "h2e2"),
        ("馬87", "h9g7"),
        ("馬23", "h0g2"),
        ("車98", "i9h9"),
        ("車12", "i0h0"),
        ("炮84", "h7h3"),
    ] {
        let read = parse_move(&position, text).unwrap();
        assert_eq!(read.to_string(), m, "{text}");
        position.make(read);
    }
}

#[test]
fn several_pieces_on_a_file() {
    let rooks = "3k5/9/4R4/9/4R4/4r4/9/4r4/9/5K3 w";
    for text in ["前车进二", "前車進2", "+R+2", "R++2", "前俥进二"] {
        assert_eq!(read(rooks, text).as_deref(), Ok("e7e9"), "{text}");
    }
    for text in ["后车平六", "後車平六", "-R.6", "R-=6", "后车平6"] {
        assert_eq!(read(rooks, text).as_deref(), Ok("e5d5"), "{text}");
    }
    let three = "3k5/4P4/4P4/4P4/9/9/9/9/9/5K3 w";
    for text in ["中兵平四", "二兵平四", "25.4", "中兵五平四"] {
        assert_eq!(read(three, text).as_deref(), Ok("e7f7"), "{text}");
    }
    let two_files = "3k5/9/4P1P2/4P1P2/9/9/9/9/9/5K3 w";
    // 一二 are the soldiers of the right file, 三四 those of the left one.
    for (text, m) in
        [("一兵进一", "g7g8"), ("二兵平四", "g6f6"), ("三兵平六", "e7d7"), ("四兵平六", "e6d6")]
    {
        assert_eq!(read(two_files, text).as_deref(), Ok(m), "{text}");
    }
    assert_eq!(read(two_files, "前三进一").as_deref(), Ok("g7g8"));
    assert_eq!(read(two_files, "前兵三进一").as_deref(), Ok("g7g8"));
}

#[test]
fn ranks_from_one() {
    let start = Position::start();
    let read = |text| parse_move_in(&start, text, Ranks::FromOne).map(|m: Move| m.to_string());
    for text in ["h3e3", "Che3", "H3-E3"] {
        assert_eq!(read(text).as_deref(), Ok("h2e2"), "{text}");
    }
    let black: Position =
        "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR b".parse().unwrap();
    assert_eq!(parse_move(&black, "a10a9").unwrap().to_string(), "a9a8");
}

#[test]
fn errors_help() {
    let start = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w";
    let error = read(start, "马八进六").unwrap_err();
    assert_eq!((error.problem, error.candidates.len()), (MoveProblem::Illegal, 4));
    assert_eq!(error.text, "马八进六");
    assert_eq!(error.to_string(), "'马八进六' is not legal here (legal: b0a2, b0c2, h0g2, h0i2)");
    let error = read(start, "a0a5").unwrap_err();
    assert_eq!((error.problem, error.candidates.len()), (MoveProblem::Illegal, 2));
    assert_eq!(read(start, "仕五").unwrap_err().problem, MoveProblem::Ambiguous);
    for text in ["", "foo", "炮", "*", "1-0", "炮二平五六七", "!", "\u{0}", "½", "+", "0000"]
    {
        assert_eq!(read(start, text).unwrap_err().problem, MoveProblem::Unreadable, "{text}");
    }
}
