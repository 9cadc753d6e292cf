//! The training record: one position with its score and result in 32 bytes, from the mover's view.

use crate::eval::nnue::features;
use arrayvec::ArrayVec;
use xiangqi::{
    board::Position,
    types::{Kind, Piece, Side, Square},
};

/// Bytes of a packed board: 90 bits of occupancy in 12, then 32 piece codes of 4 bits.
pub(super) const BOARD_BYTES: usize = OCCUPANCY_BYTES + CODE_BYTES;
const OCCUPANCY_BYTES: usize = 12;
const CODE_BYTES: usize = 16;

/// Packs up to 32 pieces; the codes follow in the order of the squares, low half of a byte first.
pub(super) fn pack(pieces: impl IntoIterator<Item = (Piece, Square)>) -> [u8; BOARD_BYTES] {
    let mut list: ArrayVec<_, { features::MAX_ACTIVE }> = pieces.into_iter().collect();
    list.sort_unstable_by_key(|&(_, square)| square);
    let mut bytes = [0; BOARD_BYTES];
    for (number, (piece, square)) in list.into_iter().enumerate() {
        bytes[square.index() / 8] |= 1 << (square.index() % 8);
        bytes[OCCUPANCY_BYTES + number / 2] |= (piece.index() as u8) << (number % 2 * 4);
    }
    bytes
}

/// The pieces of a packed board, a0 first; `None` if the bytes are no packed board.
pub(super) fn unpack(
    bytes: &[u8; BOARD_BYTES],
) -> Option<ArrayVec<(Piece, Square), { features::MAX_ACTIVE }>> {
    let mut pieces = ArrayVec::new();
    let mut bits = occupancy(bytes);
    while bits != 0 {
        let square = Square::from_index(bits.trailing_zeros() as usize)?;
        let piece = *Piece::ALL.get(code(bytes, pieces.len())?)?;
        pieces.try_push((piece, square)).ok()?;
        bits &= bits - 1;
    }
    Some(pieces)
}

fn occupancy(bytes: &[u8; BOARD_BYTES]) -> u128 {
    let mut wide = [0; 16];
    wide[..OCCUPANCY_BYTES].copy_from_slice(&bytes[..OCCUPANCY_BYTES]);
    u128::from_le_bytes(wide)
}

fn code(bytes: &[u8; BOARD_BYTES], number: usize) -> Option<usize> {
    let pair = bytes.get(OCCUPANCY_BYTES + number / 2)?;
    Some(usize::from(pair >> (number % 2 * 4) & 15))
}

/// How a game ended for one player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum WinDrawLoss {
    /// The player lost.
    Loss,
    /// Neither won.
    Draw,
    /// The player won.
    Win,
}

impl WinDrawLoss {
    /// 0, ½ or 1.
    pub const fn points(self) -> f32 {
        self as u8 as f32 / 2.0
    }

    /// The result for the other player.
    pub const fn reversed(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::Draw => Self::Draw,
            Self::Win => Self::Loss,
        }
    }

    /// The result with this number, 0 to 2.
    pub const fn from_index(index: u8) -> Option<Self> {
        match index {
            0 => Some(Self::Loss),
            1 => Some(Self::Draw),
            2 => Some(Self::Win),
            _ => None,
        }
    }
}

/// A position to learn from: its pieces as the mover sees them, score and result for the mover.
///
/// | bytes | content |
/// |---|---|
/// | 0-11 | occupancy, bit 0 = a0, the board turned around if Black is to move |
/// | 12-27 | piece codes: 0-6 the mover's K A B N R C P, 7-13 the other's |
/// | 28-29 | score for the mover, little-endian |
/// | 30 | 0 lost, 1 drawn, 2 won, for the mover |
/// | 31 | bit 0: Black was to move |
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(transparent)]
pub struct Record([u8; Record::BYTES]);

impl Record {
    /// The size of a record.
    pub const BYTES: usize = 32;

    /// The record of a position. `score` and `result` are the mover's.
    pub fn new(position: &Position, score: i16, result: WinDrawLoss) -> Self {
        let mover = position.side();
        let seen = |square: Square| {
            let piece = position.piece_on(square)?;
            let piece = if mover == Side::Red { piece } else { piece.recoloured() };
            Some((piece, square.relative_to(mover)))
        };
        let mut bytes = [0; Self::BYTES];
        let board = pack(position.occupied().into_iter().filter_map(seen));
        bytes[..BOARD_BYTES].copy_from_slice(&board);
        bytes[28..30].copy_from_slice(&score.to_le_bytes());
        bytes[30] = result as u8;
        bytes[31] = mover.index() as u8;
        Self(bytes)
    }

    /// Reads a record. `None` if the bytes are none.
    pub fn from_bytes(bytes: [u8; Self::BYTES]) -> Option<Self> {
        let record = Self(bytes);
        let pieces = unpack(record.board())?;
        let table = features::table();
        let known = |&(piece, square): &(Piece, Square)| {
            table.index(Side::Red, piece, square) < features::COUNT
        };
        let valid = pieces.iter().all(known) && bytes[30] <= 2 && bytes[31] <= 1;
        valid.then_some(record)
    }

    /// The bytes of the record.
    pub const fn as_bytes(&self) -> &[u8; Self::BYTES] {
        &self.0
    }

    fn board(&self) -> &[u8; BOARD_BYTES] {
        self.0.first_chunk().expect("a record holds a board")
    }

    /// The score for the mover.
    pub const fn score(&self) -> i16 {
        i16::from_le_bytes([self.0[28], self.0[29]])
    }

    /// The result for the mover.
    pub const fn result(&self) -> WinDrawLoss {
        match WinDrawLoss::from_index(self.0[30]) {
            Some(result) => result,
            None => WinDrawLoss::Draw,
        }
    }

    /// The pieces as the mover sees them, the mover's as Red's.
    pub fn pieces(&self) -> ArrayVec<(Piece, Square), { features::MAX_ACTIVE }> {
        unpack(self.board()).unwrap_or_default()
    }

    /// The same for a position, its left-right mirror, and either with the colours exchanged.
    pub fn symmetric_hash(&self) -> u64 {
        let mirrored = pack(self.pieces().into_iter().map(|(p, square)| (p, square.mirrored())));
        hash(self.board()).min(hash(&mirrored))
    }
}

/// The finaliser of MurmurHash3 (Appleby), chained over 8-byte words.
fn hash(board: &[u8; BOARD_BYTES]) -> u64 {
    board.chunks(8).fold(0, |hash, chunk| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        let mut z = (hash ^ u64::from_le_bytes(word)).wrapping_add(0x9e37_79b9_7f4a_7c15);
        z = (z ^ z >> 33).wrapping_mul(0xff51_afd7_ed55_8ccd);
        z = (z ^ z >> 33).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
        z ^ z >> 33
    })
}

/// The active features of one position.
#[derive(Default)]
pub struct Active {
    /// As the mover sees them.
    pub mover: ArrayVec<u16, { features::MAX_ACTIVE }>,
    /// As the other player sees them.
    pub other: ArrayVec<u16, { features::MAX_ACTIVE }>,
    /// The output bucket.
    pub bucket: usize,
}

/// Turns records into features, quickly.
pub struct Decoder {
    /// For the board as it is and for its mirror: the two feature numbers of a piece on a square.
    pairs: [Box<[[[u16; 2]; Square::NUM]; 16]>; 2],
    buckets: usize,
}

impl Decoder {
    /// A decoder for networks with this many output buckets.
    pub fn new(buckets: usize) -> Self {
        let table = features::table();
        let build = |mirrored: bool| {
            let mut pairs = Box::new([[[0; 2]; Square::NUM]; 16]);
            for piece in Piece::ALL {
                for square in Square::all() {
                    let seen = if mirrored { square.mirrored() } else { square };
                    pairs[piece.index()][square.index()] =
                        Side::ALL.map(|side| table.index(side, piece, seen) as u16);
                }
            }
            pairs
        };
        Self { pairs: [build(false), build(true)], buckets }
    }

    /// The features of a record, or of its left-right mirror.
    #[inline]
    pub fn decode(&self, record: &Record, mirrored: bool, active: &mut Active) {
        const HEAVY: u32 = 1 << Kind::Rook.index() | 1 << (Kind::Rook.index() + Kind::NUM);
        const LIGHT: u32 = 1 << Kind::Horse.index()
            | 1 << Kind::Cannon.index()
            | 1 << (Kind::Horse.index() + Kind::NUM)
            | 1 << (Kind::Cannon.index() + Kind::NUM);
        let pairs = &self.pairs[usize::from(mirrored)];
        let board = record.board();
        let mut codes = u128::from_le_bytes(*board.last_chunk().expect("codes end the board"));
        let mut bits = occupancy(board);
        let (mut rooks, mut minors) = (0, 0);
        active.mover.clear();
        active.other.clear();
        while bits != 0 && !active.mover.is_full() {
            let code = (codes & 15) as usize;
            let [mover, other] = pairs[code][bits.trailing_zeros() as usize];
            active.mover.push(mover);
            active.other.push(other);
            rooks += HEAVY >> code & 1;
            minors += LIGHT >> code & 1;
            codes >>= 4;
            bits &= bits - 1;
        }
        active.bucket = features::bucket(self.buckets, rooks, minors);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{SeedableRng, rngs::StdRng, seq::IndexedRandom};

    fn positions(mut visit: impl FnMut(&Position)) {
        let mut random = StdRng::seed_from_u64(1);
        for _ in 0..5 {
            let mut position = Position::start();
            for _ in 0..150 {
                let Some(&m) = position.legal_moves().choose(&mut random) else { break };
                position.make(m);
                visit(&position);
            }
        }
    }

    #[test]
    fn two_kings_by_hand() {
        // Red's king e0 has index 4, Black's d9 index 84 = byte 10 bit 4. Red to move: own king is
        // code 0, the other's 7.
        let position: Position = "3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1".parse().unwrap();
        let record = Record::new(&position, -300, WinDrawLoss::Win);
        let mut expected = [0; 32];
        (expected[0], expected[10], expected[12]) = (1 << 4, 1 << 4, 7 << 4);
        (expected[28], expected[29], expected[30]) = (0xd4, 0xfe, 2);
        assert_eq!(record.as_bytes(), &expected);
        // Black to move sees its king on d0 = 3 and the other's on e9 = 85.
        let black = position.with_turn_passed().unwrap();
        let record = Record::new(&black, 5, WinDrawLoss::Draw);
        let mut expected = [0; 32];
        (expected[0], expected[10], expected[12]) = (1 << 3, 1 << 5, 7 << 4);
        (expected[28], expected[30], expected[31]) = (5, 1, 1);
        assert_eq!(record.as_bytes(), &expected);
    }

    #[test]
    fn decodes_to_the_features_of_the_position() {
        let decoder = Decoder::new(features::MATERIAL_BUCKETS);
        let mut active = Active::default();
        let sorted = |list: &mut dyn Iterator<Item = usize>| {
            let mut list: Vec<_> = list.collect();
            list.sort_unstable();
            list
        };
        positions(|position| {
            for (mirrored, position) in [(false, position.clone()), (true, position.mirrored())] {
                let unmirrored = if mirrored { position.mirrored() } else { position.clone() };
                let record = Record::new(&unmirrored, 0, WinDrawLoss::Draw);
                decoder.decode(&record, mirrored, &mut active);
                let table = features::table();
                for (found, side) in
                    [(&active.mover, position.side()), (&active.other, !position.side())]
                {
                    assert_eq!(
                        sorted(&mut found.iter().map(|&f| usize::from(f))),
                        sorted(&mut table.active(&position, side))
                    );
                }
                let bucket = features::bucket_of(&position, features::MATERIAL_BUCKETS);
                assert_eq!(active.bucket, bucket);
            }
        });
    }

    #[test]
    fn hash_ignores_symmetries() {
        let mut previous = 0;
        positions(|position| {
            let hash = |p: &Position| Record::new(p, 0, WinDrawLoss::Draw).symmetric_hash();
            let here = hash(position);
            assert_eq!(hash(&position.mirrored()), here);
            assert_eq!(hash(&position.colour_flipped()), here);
            assert_ne!(here, previous);
            previous = here;
        });
    }

    #[test]
    fn refuses_bytes_that_are_no_record() {
        let good = *Record::new(&Position::start(), 0, WinDrawLoss::Draw).as_bytes();
        assert!(Record::from_bytes(good).is_some());
        let with = |at: usize, value: u8| {
            let mut bytes = good;
            bytes[at] = value;
            Record::from_bytes(bytes)
        };
        assert!(with(30, 3).is_none());
        assert!(with(31, 2).is_none());
        assert!(with(11, 0xff).is_none(), "squares beyond i9");
        assert!(with(12, 0x1e).is_none(), "piece code 14");
        assert!(with(12, 0x10).is_none(), "a king on a0");
        assert!(with(1, 0xff).is_none(), "more than 32 pieces");
    }
}
