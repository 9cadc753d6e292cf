//! Speed of the board: generating, making, exchanges, perft. `cargo bench --bench board`.

use chuhe::eval::see;
use divan::{Bencher, black_box};
use xiangqi::{
    board::{Legality, Position, perft},
    types::MoveList,
};

const POSITIONS: [&str; 3] = [
    "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1",
    "r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w - - 0 1",
    "2bak4/4a4/4b4/p3R3p/2p3p2/6P2/P1n1r3P/4B4/4A4/2BAK1N2 b - - 0 20",
];

fn main() {
    divan::main();
}

fn position(index: usize) -> Position {
    POSITIONS[index].parse().expect("a legal position")
}

#[divan::bench(args = [0, 1, 2])]
fn legal_moves(bencher: Bencher, index: usize) {
    let position = position(index);
    bencher.bench(|| black_box(&position).legal_moves());
}

#[divan::bench(args = [0, 1, 2])]
fn pseudo_legal_captures(bencher: Bencher, index: usize) {
    let position = position(index);
    bencher.bench(|| {
        let mut list = MoveList::new();
        if position.in_check() {
            black_box(&position).evasions(&mut list);
        } else {
            black_box(&position).captures(&mut list);
        }
        list
    });
}

#[divan::bench(args = [0, 1, 2])]
fn legality(bencher: Bencher, index: usize) {
    let position = position(index);
    bencher.bench(|| Legality::of(black_box(&position)));
}

#[divan::bench(args = [0, 1, 2])]
fn make_and_unmake_every_move(bencher: Bencher, index: usize) {
    let mut position = position(index);
    let moves = position.legal_moves();
    bencher.bench_local(|| {
        for &m in &moves {
            let undo = position.make(m);
            black_box(position.key());
            position.unmake(m, undo);
        }
    });
}

#[divan::bench(args = [0, 1, 2])]
fn gives_check_of_every_move(bencher: Bencher, index: usize) {
    let position = position(index);
    let moves = position.legal_moves();
    bencher.bench(|| moves.iter().filter(|&&m| black_box(&position).gives_check(m)).count());
}

#[divan::bench(args = [0, 1, 2])]
fn see_of_every_move(bencher: Bencher, index: usize) {
    let position = position(index);
    let moves = position.legal_moves();
    bencher.bench(|| moves.iter().map(|&m| see(black_box(&position), m).0).sum::<i32>());
}

#[divan::bench(args = [0, 1, 2])]
fn perft_3(bencher: Bencher, index: usize) {
    let mut position = position(index);
    bencher.bench_local(|| perft(black_box(&mut position), 3));
}
