//! The hand-written evaluation: material, squares, mobility, attacks on the king, threats.
//!
//! Each term is a count times a weight, so the evaluation is linear in its weights and a tuner can
//! collect the counts through a [`Sink`].

use super::params::{self, WEIGHTS};
use crate::eval::Score;
use xiangqi::{
    board::{Position, attacks},
    types::{Bitboard, Kind, Side, Square},
};

/// Where the counts of the terms go.
pub trait Sink {
    /// `side` has `count` of the term with this index.
    fn add(&mut self, side: Side, index: usize, count: i32);
}

/// Sums up weighted terms, Red's minus Black's.
#[derive(Default)]
struct Sum {
    middlegame: i32,
    endgame: i32,
}

impl Sink for Sum {
    #[inline]
    fn add(&mut self, side: Side, index: usize, count: i32) {
        let (middlegame, endgame) = WEIGHTS[index];
        let count = match side {
            Side::Red => count,
            Side::Black => -count,
        };
        self.middlegame += i32::from(middlegame) * count;
        self.endgame += i32::from(endgame) * count;
    }
}

/// The phase of a full set of attacking pieces; 0 when none is left.
pub const FULL_PHASE: i32 = 16;

/// How much of the middlegame is left: rooks count 2, horses and cannons 1.
pub fn phase(position: &Position) -> i32 {
    let rooks = position.by_kind(Kind::Rook).len();
    let others = (position.by_kind(Kind::Horse) | position.by_kind(Kind::Cannon)).len();
    (2 * rooks + others) as i32
}

/// The worth of a position from the mover's view.
pub fn evaluate(position: &Position) -> Score {
    let mut sum = Sum::default();
    collect(position, &mut sum);
    let phase = phase(position);
    let red = (sum.middlegame * phase + sum.endgame * (FULL_PHASE - phase)) / FULL_PHASE;
    let score = match position.side() {
        Side::Red => red,
        Side::Black => -red,
    };
    Score(score).clamp_to_eval()
}

/// Counts every term of a position.
pub fn collect(position: &Position, sink: &mut impl Sink) {
    sink.add(position.side(), params::TEMPO, 1);
    let red = Attacks::of(position, Side::Red, sink);
    let black = Attacks::of(position, Side::Black, sink);
    threats(position, Side::Red, &red, &black, sink);
    threats(position, Side::Black, &black, &red, sink);
}

/// Index into a table of half the board.
#[inline]
fn half_index(side: Side, square: Square) -> usize {
    static INDEX: [[u8; Square::NUM]; Side::NUM] = {
        let mut table = [[0; Square::NUM]; Side::NUM];
        let mut square = 0;
        while square < Square::NUM {
            let file = square % 9;
            let rank = square / 9;
            let half = if file > 4 { 8 - file } else { file };
            table[0][square] = (rank * 5 + half) as u8;
            table[1][square] = ((9 - rank) * 5 + half) as u8;
            square += 1;
        }
        table
    };
    usize::from(INDEX[side.index()][square.index()])
}

/// Counts a piece and its square.
#[inline]
fn place(sink: &mut impl Sink, side: Side, table: usize, kind: Kind, square: Square) {
    sink.add(side, params::MATERIAL + kind.index(), 1);
    sink.add(side, table + half_index(side, square), 1);
}

/// What one side attacks.
struct Attacks {
    soldiers: Bitboard,
    horses: Bitboard,
    cannons: Bitboard,
    rooks: Bitboard,
    all: Bitboard,
}

impl Attacks {
    /// Walks over one side's pieces: counts what concerns a piece by itself, its mobility and its
    /// attacks on the enemy king, and returns what is attacked.
    fn of(position: &Position, side: Side, sink: &mut impl Sink) -> Self {
        let occupied = position.occupied();
        let own = position.by_side(side);
        let king = position.king(!side);
        let zone = attacks::king(king).with(king);
        let mut attackers = 0;
        let mut attacked = Self {
            soldiers: Bitboard::EMPTY,
            horses: Bitboard::EMPTY,
            cannons: Bitboard::EMPTY,
            rooks: Bitboard::EMPTY,
            all: attacks::king(position.king(side)),
        };
        sink.add(side, params::KING_SQUARE + half_index(side, position.king(side)), 1);

        for square in position.pieces(side, Kind::Soldier) {
            place(sink, side, params::SOLDIER_SQUARE, Kind::Soldier, square);
            let reach = attacks::soldier(side, square);
            attacked.soldiers |= reach;
            let near = (reach & zone).len();
            if near > 0 {
                attackers += 1;
                sink.add(side, params::KING_SOLDIER, near as i32);
            }
        }
        for square in position.pieces(side, Kind::Horse) {
            place(sink, side, params::HORSE_SQUARE, Kind::Horse, square);
            let reach = attacks::horse(square, occupied);
            attacked.horses |= reach;
            sink.add(side, params::HORSE_MOBILITY + (reach - own).len() as usize, 1);
            let near = (reach & zone).len();
            if near > 0 {
                attackers += 1;
                sink.add(side, params::KING_HORSE, near as i32);
            }
        }
        for square in position.pieces(side, Kind::Cannon) {
            place(sink, side, params::CANNON_SQUARE, Kind::Cannon, square);
            let (rook, range) = attacks::rook_and_cannon(square, occupied);
            attacked.cannons |= range;
            let steps = (rook - occupied).len() as usize;
            sink.add(side, params::CANNON_MOBILITY + steps, 1);
            let near = (range & zone).len();
            if near > 0 {
                attackers += 1;
                sink.add(side, params::KING_CANNON, near as i32);
            }
            if square.file() == king.file() {
                let between = (attacks::between(square, king) & occupied).len().min(3);
                sink.add(side, params::CANNON_FILE + between as usize, 1);
            } else if square.rank() == king.rank() {
                let between = (attacks::between(square, king) & occupied).len().min(3);
                sink.add(side, params::CANNON_RANK + between as usize, 1);
            }
        }
        for square in position.pieces(side, Kind::Rook) {
            place(sink, side, params::ROOK_SQUARE, Kind::Rook, square);
            let reach = attacks::rook(square, occupied);
            attacked.rooks |= reach;
            sink.add(side, params::ROOK_MOBILITY + (reach - own).len() as usize, 1);
            let near = (reach & zone).len();
            if near > 0 {
                attackers += 1;
                sink.add(side, params::KING_ROOK, near as i32);
            }
            if square.file() == king.file() {
                let between = (attacks::between(square, king) & occupied).len().min(3);
                sink.add(side, params::ROOK_FILE + between as usize, 1);
            }
        }
        for square in position.pieces(side, Kind::Advisor) {
            place(sink, side, params::ADVISOR_SQUARE, Kind::Advisor, square);
            attacked.all |= attacks::advisor(square);
        }
        for square in position.pieces(side, Kind::Elephant) {
            place(sink, side, params::ELEPHANT_SQUARE, Kind::Elephant, square);
            attacked.all |= attacks::elephant(square, occupied);
        }
        sink.add(side, params::KING_ATTACKERS + attackers.min(6), 1);

        let count = |side, kind| position.pieces(side, kind).len() as usize;
        let guard = 3 * count(side, Kind::Advisor) + count(!side, Kind::Rook);
        sink.add(side, params::ADVISORS_ROOKS + guard, 1);
        let guard = 3 * count(side, Kind::Elephant) + count(!side, Kind::Cannon);
        sink.add(side, params::ELEPHANTS_CANNONS + guard, 1);
        let crossed = position.pieces(side, Kind::Soldier) & far_half(side);
        let pairs = crossed & Bitboard::from_bits((crossed - Bitboard::file(8)).bits() << 1);
        sink.add(side, params::SOLDIER_PAIR, pairs.len() as i32);

        attacked.all |= attacked.soldiers | attacked.horses | attacked.cannons | attacked.rooks;
        attacked
    }
}

/// The half of the board across the river from `side`.
const fn far_half(side: Side) -> Bitboard {
    match side {
        Side::Red => Bitboard::BLACK_HALF,
        Side::Black => Bitboard::RED_HALF,
    }
}

/// Counts the enemy pieces that `side` attacks, protected ones and loose ones apart.
fn threats(
    position: &Position,
    side: Side,
    ours: &Attacks,
    theirs: &Attacks,
    sink: &mut impl Sink,
) {
    let targets = position.by_side(!side).without(position.king(!side));
    let by_kind = [
        (ours.soldiers, params::SOLDIER_HITS, params::SOLDIER_HITS_LOOSE),
        (ours.horses, params::HORSE_HITS, params::HORSE_HITS_LOOSE),
        (ours.cannons, params::CANNON_HITS, params::CANNON_HITS_LOOSE),
        (ours.rooks, params::ROOK_HITS, params::ROOK_HITS_LOOSE),
    ];
    for (attacked, protected, loose) in by_kind {
        for square in attacked & targets {
            if let Some(piece) = position.piece_on(square) {
                let table = if theirs.all.contains(square) { protected } else { loose };
                sink.add(side, table + piece.kind().index(), 1);
            }
        }
    }
}
