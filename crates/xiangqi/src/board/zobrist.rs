//! Zobrist keys, made at compile time from a fixed seed so that hashes are the same everywhere.

use crate::types::{Key, Piece, Square};

/// One step of the SplitMix64 generator (Steele, Lea and Flood 2014).
const fn split_mix(state: u64) -> (u64, u64) {
    let state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = state;
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    (state, z ^ z >> 31)
}

const SEED: u64 = 0x6368_7568_6531_3939;

static PIECES: [[Key; Square::NUM]; Piece::NUM] = {
    let mut table = [[Key::ZERO; Square::NUM]; Piece::NUM];
    let mut state = SEED;
    let mut piece = 0;
    while piece < Piece::NUM {
        let mut square = 0;
        while square < Square::NUM {
            let (next, value) = split_mix(state);
            state = next;
            table[piece][square] = Key(value);
            square += 1;
        }
        piece += 1;
    }
    table
};

/// Part of the key whenever Black is to move.
pub const BLACK_TO_MOVE: Key = Key(split_mix(!SEED).1);

/// The key of one piece on one square.
#[inline]
pub fn piece(piece: Piece, square: Square) -> Key {
    PIECES[piece.index()][square.index()]
}
