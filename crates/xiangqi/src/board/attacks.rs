//! Every attack table, and the technique behind it.
//!
//! Rooks and cannons look their rank and their file up in two small tables, indexed by the
//! occupancy of the line's inner squares (the outer ones never block anything further). A rank's
//! occupancy is a shift away; a file's ten bits stand nine apart and are pulled together by one
//! multiplication. The tables take 90 KiB in all, against megabytes for one table a square, so
//! they stay in the second-level cache. Horses and elephants index by their four legs or eyes,
//! which a rotation brings to fixed places. All tables are made at compile time: start-up is free.

use crate::types::{Bitboard, Side, Square};

const SQUARES: usize = Square::NUM;

// --- lines -------------------------------------------------------------------------------------

/// What a rook and a cannon reach along one line, as bits along that line.
#[derive(Clone, Copy)]
struct Line {
    /// Squares up to the first piece in each direction, that piece included.
    rook: u16,
    /// Squares behind the first piece up to the second one, that included.
    jump: u16,
}

/// Reach on a line of `len` squares from `at`, where `inner` holds the occupancy of squares
/// `1..len - 1`, shifted down by one.
const fn line_reach(len: i32, at: i32, inner: usize) -> Line {
    let occupied = inner << 1;
    let mut line = Line { rook: 0, jump: 0 };
    let mut step = -1;
    while step <= 1 {
        let mut i = at + step;
        let mut screens = 0;
        while i >= 0 && i < len && screens < 2 {
            if screens == 0 {
                line.rook |= 1 << i;
            } else {
                line.jump |= 1 << i;
            }
            if occupied >> i & 1 != 0 {
                screens += 1;
            }
            i += step;
        }
        step += 2;
    }
    line
}

static RANK_REACH: [[Line; 128]; 9] = {
    let mut table = [[Line { rook: 0, jump: 0 }; 128]; 9];
    let mut file = 0;
    while file < 9 {
        let mut inner = 0;
        while inner < 128 {
            table[file][inner] = line_reach(9, file as i32, inner);
            inner += 1;
        }
        file += 1;
    }
    table
};

/// Like [`Line`], with the bits spread along the a-file.
#[derive(Clone, Copy)]
struct SpreadLine {
    rook: u128,
    jump: u128,
}

const fn spread(bits: u16) -> u128 {
    let mut out = 0;
    let mut rank = 0;
    while rank < 10 {
        if bits >> rank & 1 != 0 {
            out |= 1 << (rank * 9);
        }
        rank += 1;
    }
    out
}

static FILE_REACH: [[SpreadLine; 256]; 10] = {
    let mut table = [[SpreadLine { rook: 0, jump: 0 }; 256]; 10];
    let mut rank = 0;
    while rank < 10 {
        let mut inner = 0;
        while inner < 256 {
            let line = line_reach(10, rank as i32, inner);
            table[rank][inner] = SpreadLine { rook: spread(line.rook), jump: spread(line.jump) };
            inner += 1;
        }
        rank += 1;
    }
    table
};

/// Multiplier that gathers bits 9, 18, ... 72 (ranks 1-8 of the a-file) into bits 81-88.
///
/// Bit `9a` times term `2^(80 - 8b)` lands on `80 + 9a - 8b`. With `a` and `b` in 1-8 no two of
/// these coincide (so nothing carries), and only `a = b` falls into the window 81-88.
const FILE_GATHER: u128 = {
    let mut sum = 0;
    let mut b = 1;
    while b <= 8 {
        sum |= 1 << (80 - 8 * b);
        b += 1;
    }
    sum
};

#[inline]
fn rank_reach(square: Square, occupied: Bitboard) -> (Line, u32) {
    let shift = square.rank() as u32 * 9;
    let inner = (occupied.bits() >> (shift + 1)) as usize & 127;
    (RANK_REACH[square.file() as usize][inner], shift)
}

#[inline]
fn file_reach(square: Square, occupied: Bitboard) -> (SpreadLine, u32) {
    let file = square.file() as u32;
    let inner_mask = Bitboard::file(0).bits() & !(1 | 1 << 81);
    let column = occupied.bits() >> file & inner_mask;
    let inner = (column.wrapping_mul(FILE_GATHER) >> 81) as usize & 255;
    (FILE_REACH[square.rank() as usize][inner], file)
}

/// Where a rook on `square` can go or capture: each direction up to and including the first piece.
#[inline]
pub fn rook(square: Square, occupied: Bitboard) -> Bitboard {
    let (rank, rank_shift) = rank_reach(square, occupied);
    let (file, file_shift) = file_reach(square, occupied);
    Bitboard::from_bits((rank.rook as u128) << rank_shift | file.rook << file_shift)
}

/// The squares that a cannon on `square` looks at over exactly one screen: each direction from
/// behind the first piece up to and including the second. The occupied ones are what it captures.
#[inline]
pub fn cannon_range(square: Square, occupied: Bitboard) -> Bitboard {
    let (rank, rank_shift) = rank_reach(square, occupied);
    let (file, file_shift) = file_reach(square, occupied);
    Bitboard::from_bits((rank.jump as u128) << rank_shift | file.jump << file_shift)
}

/// [`rook`] and [`cannon_range`] from one look-up.
#[inline]
pub fn rook_and_cannon(square: Square, occupied: Bitboard) -> (Bitboard, Bitboard) {
    let (rank, rank_shift) = rank_reach(square, occupied);
    let (file, file_shift) = file_reach(square, occupied);
    (
        Bitboard::from_bits((rank.rook as u128) << rank_shift | file.rook << file_shift),
        Bitboard::from_bits((rank.jump as u128) << rank_shift | file.jump << file_shift),
    )
}

// --- leapers -----------------------------------------------------------------------------------

const fn target(square: usize, df: i32, dr: i32) -> Option<usize> {
    let (file, rank) = (square as i32 % 9 + df, square as i32 / 9 + dr);
    if file < 0 || file > 8 || rank < 0 || rank > 9 {
        None
    } else {
        Some((rank * 9 + file) as usize)
    }
}

const ORTHOGONAL: [(i32, i32); 4] = [(0, -1), (-1, 0), (1, 0), (0, 1)];
const DIAGONAL: [(i32, i32); 4] = [(-1, -1), (1, -1), (-1, 1), (1, 1)];

/// For each square and each occupancy of its four hurdle squares (bit `i` = hurdle `i` occupied),
/// the squares that remain open.
type HurdleTable = [[Bitboard; 16]; SQUARES];

/// `jumps(direction)` gives the two targets behind hurdle `direction`; those with `None` are off.
const fn hurdle_table(kind: HurdleKind) -> HurdleTable {
    let mut table = [[Bitboard::EMPTY; 16]; SQUARES];
    let mut square = 0;
    while square < SQUARES {
        let mut blocked = 0;
        while blocked < 16 {
            let mut set = Bitboard::EMPTY;
            let mut i = 0;
            while i < 4 {
                if blocked >> i & 1 == 0 {
                    let jumps = kind.jumps(i);
                    let mut j = 0;
                    while j < 2 {
                        let (df, dr) = jumps[j];
                        if let Some(to) = target(square, df, dr)
                            && kind.allowed(square, to)
                        {
                            set = set.with(Square::at(to));
                        }
                        j += 1;
                    }
                }
                i += 1;
            }
            table[square][blocked] = set;
            blocked += 1;
        }
        square += 1;
    }
    table
}

#[derive(Clone, Copy)]
enum HurdleKind {
    /// From a horse to its targets; the hurdles are its legs, orthogonally beside it.
    Horse,
    /// From a target to the horses that attack it; their legs stand diagonally beside the target.
    HorseReverse,
    /// An elephant; the hurdles are its eyes, diagonally beside it.
    Elephant,
}

impl HurdleKind {
    const fn jumps(self, i: usize) -> [(i32, i32); 2] {
        match self {
            Self::Horse => {
                let (df, dr) = ORTHOGONAL[i];
                if df == 0 { [(-1, 2 * dr), (1, 2 * dr)] } else { [(2 * df, -1), (2 * df, 1)] }
            }
            Self::HorseReverse => {
                let (df, dr) = DIAGONAL[i];
                [(2 * df, dr), (df, 2 * dr)]
            }
            Self::Elephant => {
                let (df, dr) = DIAGONAL[i];
                [(2 * df, 2 * dr), (2 * df, 2 * dr)]
            }
        }
    }

    const fn allowed(self, from: usize, to: usize) -> bool {
        match self {
            Self::Elephant => (from < 45) == (to < 45),
            Self::Horse | Self::HorseReverse => true,
        }
    }
}

static HORSE: HurdleTable = hurdle_table(HurdleKind::Horse);
static HORSE_REVERSE: HurdleTable = hurdle_table(HurdleKind::HorseReverse);
static ELEPHANT: HurdleTable = hurdle_table(HurdleKind::Elephant);

/// Which of the four orthogonal neighbours are occupied, in the order of [`ORTHOGONAL`].
///
/// Neighbours over the edge of the board read a wrong or an empty square, which does no harm: no
/// jump goes there.
#[inline]
fn orthogonal_hurdles(square: Square, occupied: Bitboard) -> usize {
    let near = occupied.bits().rotate_right((square.index() as u32).wrapping_sub(9) & 127) as u32;
    (near & 1 | near >> 7 & 2 | near >> 8 & 4 | near >> 15 & 8) as usize
}

/// Which of the four diagonal neighbours are occupied, in the order of [`DIAGONAL`].
#[inline]
fn diagonal_hurdles(square: Square, occupied: Bitboard) -> usize {
    let near = occupied.bits().rotate_right((square.index() as u32).wrapping_sub(10) & 127) as u32;
    (near & 1 | near >> 1 & 2 | near >> 16 & 4 | near >> 17 & 8) as usize
}

/// Where a horse on `square` can go, given the pieces that block its legs.
#[inline]
pub fn horse(square: Square, occupied: Bitboard) -> Bitboard {
    HORSE[square.index()][orthogonal_hurdles(square, occupied)]
}

/// The squares from which a horse attacks `square`.
#[inline]
pub fn horse_reverse(square: Square, occupied: Bitboard) -> Bitboard {
    HORSE_REVERSE[square.index()][diagonal_hurdles(square, occupied)]
}

/// All squares a horse's leap away, whatever blocks it.
#[inline]
pub fn horse_unblocked(square: Square) -> Bitboard {
    HORSE[square.index()][0]
}

/// The leg that a horse on `from` needs free to reach `to`; `None` if `to` is no horse's leap away.
#[inline]
pub fn horse_leg(from: Square, to: Square) -> Option<Square> {
    let df = to.file() as i8 - from.file() as i8;
    let dr = to.rank() as i8 - from.rank() as i8;
    match (df.abs(), dr.abs()) {
        (1, 2) => from.offset(0, dr / 2),
        (2, 1) => from.offset(df / 2, 0),
        _ => None,
    }
}

/// Where an elephant on `square` can go, given the pieces on its eyes. It never crosses the river.
#[inline]
pub fn elephant(square: Square, occupied: Bitboard) -> Bitboard {
    ELEPHANT[square.index()][diagonal_hurdles(square, occupied)]
}

const fn in_palace(square: usize) -> bool {
    Bitboard::PALACES.contains(Square::at(square))
}

const fn palace_table(directions: [(i32, i32); 4]) -> [Bitboard; SQUARES] {
    let mut table = [Bitboard::EMPTY; SQUARES];
    let mut square = 0;
    while square < SQUARES {
        let mut i = 0;
        while i < 4 {
            if let Some(to) = target(square, directions[i].0, directions[i].1)
                && in_palace(square)
                && in_palace(to)
            {
                table[square] = table[square].with(Square::at(to));
            }
            i += 1;
        }
        square += 1;
    }
    table
}

static KING: [Bitboard; SQUARES] = palace_table(ORTHOGONAL);
static ADVISOR: [Bitboard; SQUARES] = palace_table(DIAGONAL);

/// Where a king on `square` can step, within its palace.
#[inline]
pub fn king(square: Square) -> Bitboard {
    KING[square.index()]
}

/// Where an advisor on `square` can step, within its palace.
#[inline]
pub fn advisor(square: Square) -> Bitboard {
    ADVISOR[square.index()]
}

const fn soldier_table(reverse: bool) -> [[Bitboard; SQUARES]; Side::NUM] {
    let mut table = [[Bitboard::EMPTY; SQUARES]; Side::NUM];
    let mut side = 0;
    while side < 2 {
        let forward = if side == 0 { 1 } else { -1 };
        let mut square = 0;
        while square < SQUARES {
            let crossed = (square < 45) == (side == 1);
            let steps = [(0, forward), (-1, 0), (1, 0)];
            let mut i = 0;
            while i < 3 {
                if (i == 0 || crossed)
                    && let Some(to) = target(square, steps[i].0, steps[i].1)
                {
                    let (at, set) = if reverse { (to, square) } else { (square, to) };
                    table[side][at] = table[side][at].with(Square::at(set));
                }
                i += 1;
            }
            square += 1;
        }
        side += 1;
    }
    table
}

static SOLDIER: [[Bitboard; SQUARES]; Side::NUM] = soldier_table(false);
static SOLDIER_REVERSE: [[Bitboard; SQUARES]; Side::NUM] = soldier_table(true);

/// Where a soldier of `side` on `square` can step: forward, and sideways across the river.
#[inline]
pub fn soldier(side: Side, square: Square) -> Bitboard {
    SOLDIER[side.index()][square.index()]
}

/// The squares from which a soldier of `side` attacks `square`.
#[inline]
pub fn soldier_reverse(side: Side, square: Square) -> Bitboard {
    SOLDIER_REVERSE[side.index()][square.index()]
}

// --- between -----------------------------------------------------------------------------------

static BETWEEN: [[Bitboard; SQUARES]; SQUARES] = {
    let mut table = [[Bitboard::EMPTY; SQUARES]; SQUARES];
    let mut from = 0;
    while from < SQUARES {
        let mut d = 0;
        while d < 4 {
            let (df, dr) = ORTHOGONAL[d];
            let mut passed = Bitboard::EMPTY;
            let mut n = 1;
            while let Some(to) = target(from, df * n, dr * n) {
                table[from][to] = passed;
                passed = passed.with(Square::at(to));
                n += 1;
            }
            d += 1;
        }
        from += 1;
    }
    table
};

/// The squares strictly between two squares of one rank or file; empty if they share neither.
#[inline]
pub fn between(a: Square, b: Square) -> Bitboard {
    BETWEEN[a.index()][b.index()]
}

static CROSS: [Bitboard; SQUARES] = {
    let mut table = [Bitboard::EMPTY; SQUARES];
    let mut square = 0;
    while square < SQUARES {
        let both =
            Bitboard::file(square as u8 % 9).bits() ^ Bitboard::rank(square as u8 / 9).bits();
        table[square] = Bitboard::from_bits(both);
        square += 1;
    }
    table
};

/// The rank and the file of a square, without the square itself.
#[inline]
pub fn cross(square: Square) -> Bitboard {
    CROSS[square.index()]
}

#[cfg(test)]
#[path = "attacks_tests.rs"]
mod tests;
