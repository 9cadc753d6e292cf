//! Properties of the board on seeded random walks: taking back restores everything, incremental
//! state equals recomputed state, fast legality equals the slow one, and both symmetries hold.

mod common;

use common::{random_walk, walk_positions};
use std::collections::BTreeSet;
use xiangqi::{
    board::{Legality, Position},
    types::{Bitboard, Kind, Move, MoveList, Piece, Side, Square},
};

/// The position built anew from its pieces; equal to the incremental one if all state is right.
fn rebuilt(position: &Position) -> Position {
    position.fen().parse().expect("a reached position is legal")
}

/// Whether the side that is not to move is safe, judged with nothing but `reach`.
fn waiting_king_is_safe(position: &Position) -> bool {
    let mover = position.side();
    let king = position.king(!mover);
    let attacked = position.by_side(mover).into_iter().any(|from| {
        position.piece_on(from).unwrap().kind() != Kind::King && position.reach(from).contains(king)
    });
    !attacked && !kings_face(position)
}

fn kings_face(position: &Position) -> bool {
    let (red, black) = (position.king(Side::Red), position.king(Side::Black));
    red.file() == black.file()
        && (red.rank() + 1..black.rank())
            .all(|rank| position.piece_on(Square::new(red.file(), rank).unwrap()).is_none())
}

/// Every legal move, found by trying all pseudo-legal ones on the board.
fn slow_legal_moves(position: &Position) -> BTreeSet<Move> {
    let own = position.by_side(position.side());
    let mut legal = BTreeSet::new();
    for from in own {
        for to in position.reach(from) - own {
            // Taking a king is no move; in a legal position none can be taken.
            let mut after = position.clone();
            let m = Move::new(from, to).unwrap();
            after.make(m);
            if waiting_king_is_safe(&after) {
                legal.insert(m);
            }
        }
    }
    legal
}

fn all_moves() -> impl Iterator<Item = Move> {
    Square::all().flat_map(|from| Square::all().filter_map(move |to| Move::new(from, to)))
}

#[test]
fn unmake_restores_everything() {
    for seed in 0..40 {
        let (start, moves) = random_walk(seed, 150);
        let mut position = start.clone();
        let mut stack = Vec::new();
        for m in moves {
            let before = position.clone();
            let undo = position.make(m);
            stack.push((m, undo, before));
        }
        while let Some((m, undo, before)) = stack.pop() {
            position.unmake(m, undo);
            assert_eq!(position, before, "after taking back {m}");
        }
        assert_eq!(position, start);
    }
}

#[test]
fn incremental_state_equals_recomputed_state() {
    for position in walk_positions(100..140, 150) {
        assert_eq!(position, rebuilt(&position));
        let soldiers = |p: &Position| p.by_kind(Kind::Soldier);
        // A partial key depends on its own pieces only.
        let passed = position.with_turn_passed();
        if let Some(passed) = passed {
            assert_ne!(passed.key(), position.key());
            assert_eq!(passed.soldier_key(), position.soldier_key());
            assert_eq!(passed.guard_key(), position.guard_key());
            assert_eq!(soldiers(&passed), soldiers(&position));
        }
    }
}

#[test]
fn null_moves_come_back() {
    for position in walk_positions(140..150, 100).filter(|p| !p.in_check()) {
        let mut copy = position.clone();
        let undo = copy.make_null();
        assert_eq!(copy.side(), !position.side());
        assert!(!copy.in_check());
        copy.unmake_null(undo);
        assert_eq!(copy, position);
    }
}

#[test]
fn partial_keys_follow_their_pieces() {
    for seed in 150..170 {
        let (start, moves) = random_walk(seed, 120);
        let mut position = start;
        for m in moves {
            let before = position.clone();
            let piece = position.piece_on(m.from()).unwrap();
            let taken = position.piece_on(m.to());
            position.make(m);
            let touched = |kinds: &[Kind], side: Option<Side>| {
                [Some(piece), taken]
                    .into_iter()
                    .flatten()
                    .any(|p| kinds.contains(&p.kind()) && side.is_none_or(|side| p.side() == side))
            };
            let attackers = [Kind::Rook, Kind::Horse, Kind::Cannon];
            let guards = [Kind::King, Kind::Advisor, Kind::Elephant];
            assert_eq!(
                before.soldier_key() != position.soldier_key(),
                touched(&[Kind::Soldier], None)
            );
            assert_eq!(before.guard_key() != position.guard_key(), touched(&guards, None));
            for side in Side::ALL {
                assert_eq!(
                    before.attacker_key(side) != position.attacker_key(side),
                    touched(&attackers, Some(side))
                );
            }
        }
    }
}

#[test]
fn fast_legality_equals_trying_each_move() {
    for position in walk_positions(200..260, 160) {
        let fast: BTreeSet<Move> = position.legal_moves().into_iter().collect();
        assert_eq!(fast, slow_legal_moves(&position), "{position:?}");
        assert_eq!(position.count_legal(), fast.len() as u64);
        assert_eq!(position.has_legal_move(), !fast.is_empty());

        let mut staged = MoveList::new();
        if position.in_check() {
            position.evasions(&mut staged);
        } else {
            position.captures(&mut staged);
            assert!(staged.iter().all(|m| position.piece_on(m.to()).is_some()));
            let captures = staged.len();
            position.quiets(&mut staged);
            assert!(staged[captures..].iter().all(|m| position.piece_on(m.to()).is_none()));
        }
        let legality = Legality::of(&position);
        let legal: BTreeSet<Move> =
            staged.into_iter().filter(|&m| legality.allows(&position, m)).collect();
        assert_eq!(legal, fast, "{position:?}");
    }
}

#[test]
fn is_legal_means_listed() {
    for position in walk_positions(300..304, 120).step_by(3) {
        let legal = position.legal_moves();
        for m in all_moves() {
            assert_eq!(position.is_legal(m), legal.contains(&m), "{m} in {position:?}");
        }
    }
}

#[test]
fn gives_check_and_key_after_foretell() {
    for position in walk_positions(400..430, 150) {
        for m in position.legal_moves() {
            let mut after = position.clone();
            after.make(m);
            assert_eq!(position.gives_check(m), after.in_check(), "{m} in {position:?}");
            assert_eq!(position.key_after(m), after.key());
        }
    }
}

#[test]
fn check_squares_foretell_direct_checks() {
    let mut checks = 0;
    for position in walk_positions(450..480, 150) {
        let king = position.king(!position.side());
        let squares = position.check_squares();
        let on_a_line = |s: Square| s.file() == king.file() || s.rank() == king.rank();
        let is_beside =
            |s: Square| s.file().abs_diff(king.file()) <= 1 && s.rank().abs_diff(king.rank()) <= 1;
        // What leaves a line of the king, or a square beside it, may open or close something.
        let calm = |m: &Move| !on_a_line(m.from()) && !is_beside(m.from());
        for m in position.legal_moves().into_iter().filter(calm) {
            let kind = position.piece_on(m.from()).unwrap().kind();
            let (foretold, gives_check) = (squares.contains(kind, m.to()), position.gives_check(m));
            // On a line of the king it may become the screen of a cannon behind it.
            assert!(!foretold || gives_check, "{m} in {position:?}");
            assert!(foretold || !gives_check || on_a_line(m.to()), "{m} in {position:?}");
            checks += u32::from(foretold);
        }
    }
    assert!(checks > 1000, "only {checks}");
}

#[test]
fn symmetries_of_moves() {
    for position in walk_positions(500..530, 150) {
        let (flip, mirror) = (position.colour_flipped(), position.mirrored());
        assert_eq!(flip.colour_flipped(), position);
        assert_eq!(mirror.mirrored(), position);
        let moves = |p: &Position| p.legal_moves().into_iter().collect::<BTreeSet<_>>();
        let mapped = |map: fn(Move) -> Move| {
            position.legal_moves().into_iter().map(map).collect::<BTreeSet<_>>()
        };
        assert_eq!(moves(&flip), mapped(Move::flipped));
        assert_eq!(moves(&mirror), mapped(Move::mirrored));
    }
}

#[test]
fn fen_comes_back() {
    for position in walk_positions(600..620, 150) {
        let fen = position.fen();
        assert_eq!(fen.parse::<Position>().expect("own FEN").fen(), fen);
    }
}

#[test]
fn attackers_of_is_the_inverse_of_reach() {
    for position in walk_positions(700..710, 120) {
        let occupied = position.occupied();
        for target in occupied {
            for side in Side::ALL {
                let slow: Bitboard = position
                    .by_side(side)
                    .into_iter()
                    .filter(|&from| from != target && position.reach(from).contains(target))
                    .collect();
                assert_eq!(
                    position.attackers_of(target, side, occupied),
                    slow,
                    "{target} {position:?}"
                );
            }
        }
    }
}

#[test]
fn walks_reach_what_they_should_test() {
    // The properties above are worth something only if checks, captures, crossed soldiers and
    // bare boards really occur.
    let (mut checks, mut crossed, mut sparse, mut total) = (0, 0, 0, 0);
    for position in walk_positions(200..260, 160) {
        total += 1;
        checks += u32::from(position.in_check());
        let red = position.pieces(Side::Red, Kind::Soldier) & Bitboard::BLACK_HALF;
        crossed += u32::from(!red.is_empty());
        sparse += u32::from(position.occupied().len() < 16);
        assert!(position.piece_on(position.king(Side::Red)) == Some(Piece::RedKing));
    }
    assert!(total > 5000, "{total}");
    assert!(checks > 300, "{checks}");
    assert!(crossed > 1000, "{crossed}");
    assert!(sparse > 500, "{sparse}");
}
