//! Every weight of the hand-written evaluation, in one table that a tuner can walk.
//!
//! A weight is a pair: its worth in the middlegame and in the endgame, on the scale of
//! [`Score::MINOR`](crate::types::Score::MINOR). Tables of squares are seen from Red's side, rank 0
//! first, files a to e; files f to i are their mirror.

/// A weight in the middlegame and in the endgame.
pub type Weight = (i16, i16);

/// Squares of half a board: ten ranks of files a to e.
pub const HALF_BOARD: usize = 50;

/// Lays the terms out one after the other: for each a constant with its first index, and all of
/// them in `TERMS` and `WEIGHTS`.
macro_rules! terms {
    ($($(#[$doc:meta])* $name:ident: $len:tt = $weights:expr;)*) => {
        terms!(@offsets 0; $($(#[$doc])* $name: $len;)*);

        /// How many weights there are.
        pub const COUNT: usize = 0 $(+ $len)*;

        /// Each term's name, first index and length.
        pub const TERMS: &[(&str, usize, usize)] = &[$((stringify!($name), $name, $len)),*];

        /// The weights.
        pub static WEIGHTS: [Weight; COUNT] = {
            let mut all = [(0, 0); COUNT];
            $({
                let part: [Weight; $len] = $weights;
                let mut i = 0;
                while i < $len {
                    all[$name + i] = part[i];
                    i += 1;
                }
            })*
            all
        };
    };
    (@offsets $offset:expr; $(#[$doc:meta])* $name:ident: $len:expr; $($rest:tt)*) => {
        $(#[$doc])*
        pub const $name: usize = $offset;
        terms!(@offsets $offset + $len; $($rest)*);
    };
    (@offsets $offset:expr;) => {};
}

/// The same worth in middlegame and endgame.
const fn both<const N: usize>(values: [i16; N]) -> [Weight; N] {
    let mut weights = [(0, 0); N];
    let mut i = 0;
    while i < N {
        weights[i] = (values[i], values[i]);
        i += 1;
    }
    weights
}

#[rustfmt::skip]
terms! {
    /// To be on the move.
    TEMPO: 1 = [(25, 10)];
    /// A piece, by kind.
    MATERIAL: 7 = [(0, 0), (130, 130), (130, 130), (380, 420), (870, 920), (400, 380), (90, 120)];
    /// A king's square.
    KING_SQUARE: HALF_BOARD = both([
        0, 0, 0, -10,  15,
        0, 0, 0, -40, -30,
        0, 0, 0, -60, -60,
        0, 0, 0, 0, 0,  0, 0, 0, 0, 0,  0, 0, 0, 0, 0,  0, 0, 0, 0, 0,
        0, 0, 0, 0, 0,  0, 0, 0, 0, 0,  0, 0, 0, 0, 0,
    ]);
    /// An advisor's square.
    ADVISOR_SQUARE: HALF_BOARD = both([
        0, 0, 0, 0, 0,
        0, 0, 0, 0, 15,
        0, 0, 0, -15, 0,
        0, 0, 0, 0, 0,  0, 0, 0, 0, 0,  0, 0, 0, 0, 0,  0, 0, 0, 0, 0,
        0, 0, 0, 0, 0,  0, 0, 0, 0, 0,  0, 0, 0, 0, 0,
    ]);
    /// An elephant's square.
    ELEPHANT_SQUARE: HALF_BOARD = both([
        0, 0, 0, 0, 0,
        0, 0, 0, 0, 0,
        -20, 0, 0, 0, 20,
        0, 0, 0, 0, 0,
        0, 0, -10, 0, 0,
        0, 0, 0, 0, 0,  0, 0, 0, 0, 0,  0, 0, 0, 0, 0,  0, 0, 0, 0, 0,  0, 0, 0, 0, 0,
    ]);
    /// A horse's square.
    HORSE_SQUARE: HALF_BOARD = both([
        -50, -40, -20, -25, -30,
        -25, -15,   0,   0, -30,
        -15, -10,  15,  10,   5,
        -10,   0,  10,  20,  15,
          0,  10,  20,  25,  30,
          5,  20,  25,  35,  35,
         10,  30,  40,  45,  40,
         10,  30,  40,  50,  35,
          0,  25,  50,  30,   0,
        -15,   0,  15,   5, -10,
    ]);
    /// A rook's square.
    ROOK_SQUARE: HALF_BOARD = both([
        -30, -10,  -5,  10,   0,
        -10,   0,   0,  10,   0,
        -15,   0,   0,  10,   5,
          0,   5,   5,  15,  15,
         10,  15,  15,  20,  20,
         15,  15,  15,  25,  25,
         15,  20,  20,  25,  25,
         10,  20,  20,  25,  35,
         15,  25,  25,  40,  45,
         10,  15,  15,  25,  20,
    ]);
    /// A cannon's square.
    CANNON_SQUARE: HALF_BOARD = both([
         -5,   0,   5,   5,   5,
          0,   0,   5,   5,   5,
          0,   5,  10,  10,  25,
          0,   0,   0,   5,  10,
         -5,   0,   5,   5,  15,
         -5,   0,   5,  10,  15,
          0,   5,   5,  10,  20,
          5,   5,   0,  -5,   0,
         10,   5,  -5, -10, -10,
         20,  15,   5, -10, -15,
    ]);
    /// A soldier's square.
    SOLDIER_SQUARE: HALF_BOARD = both([
        0, 0, 0, 0, 0,  0, 0, 0, 0, 0,  0, 0, 0, 0, 0,
         -5,   0,   0,   0,  10,
          5,   0,  15,   0,  20,
         50,  60,  70,  75,  80,
         60,  75,  95, 105, 110,
         65,  90, 125, 145, 150,
         60,  90, 130, 170, 180,
          0,   5,  10,  20,  25,
    ]);
    /// Squares that a rook reaches, own pieces left out.
    ROOK_MOBILITY: 18 = both([
        -60, -40, -25, -15, -10, -5, 0, 4, 8, 12, 16, 20, 23, 26, 29, 32, 34, 36,
    ]);
    /// Squares that a cannon can step to without taking.
    CANNON_MOBILITY: 18 = both([
        -25, -20, -15, -10, -5, 0, 2, 4, 6, 8, 9, 10, 11, 12, 13, 14, 15, 16,
    ]);
    /// Squares that a horse reaches, own pieces left out.
    HORSE_MOBILITY: 9 = both([-50, -30, -12, 0, 8, 16, 23, 30, 36]);
    /// Squares on or beside the enemy king that a rook attacks, how many.
    KING_ROOK: 1 = [(14, 10)];
    /// The same for a cannon over its screen.
    KING_CANNON: 1 = [(12, 6)];
    /// The same for a horse.
    KING_HORSE: 1 = [(14, 10)];
    /// The same for a soldier.
    KING_SOLDIER: 1 = [(14, 20)];
    /// Pieces that attack squares on or beside the enemy king, up to six.
    KING_ATTACKERS: 7 = [(0, 0), (5, 0), (25, 10), (60, 25), (100, 40), (130, 50), (150, 60)];
    /// A cannon on the file of the enemy king with so many pieces between: an empty head cannon
    /// (空头炮) with none, a check with one, one away from it with two.
    CANNON_FILE: 4 = [(110, 40), (20, 10), (30, 10), (5, 0)];
    /// The same on its rank.
    CANNON_RANK: 4 = [(40, 20), (10, 5), (15, 5), (0, 0)];
    /// A rook on the file of the enemy king with so many pieces between, up to three.
    ROOK_FILE: 4 = [(20, 10), (25, 10), (10, 0), (0, 0)];
    /// Own advisors (row) against enemy rooks (column): a short guard fears rooks (缺士怕车).
    ADVISORS_ROOKS: 9 = [
        (0, 0), (-50, -20), (-100, -40),
        (0, 0), (-20, -10), (-45, -20),
        (0, 0), (0, 0), (0, 0),
    ];
    /// Own elephants (row) against enemy cannons (column): and cannons (缺象怕炮).
    ELEPHANTS_CANNONS: 9 = [
        (0, 0), (-30, -10), (-60, -20),
        (0, 0), (-15, -5), (-30, -10),
        (0, 0), (0, 0), (0, 0),
    ];
    /// Two soldiers side by side across the river.
    SOLDIER_PAIR: 1 = [(15, 25)];
    /// An enemy piece attacked by a soldier, by kind, where the enemy protects it.
    SOLDIER_HITS: 7 = [(0, 0), (0, 0), (0, 0), (40, 30), (60, 50), (40, 30), (0, 0)];
    /// The same where nothing protects it.
    SOLDIER_HITS_LOOSE: 7 = [(0, 0), (10, 10), (10, 10), (50, 40), (60, 50), (50, 40), (10, 15)];
    /// By a horse, protected.
    HORSE_HITS: 7 = [(0, 0), (2, 2), (2, 2), (5, 5), (50, 40), (5, 5), (0, 0)];
    /// By a horse, loose.
    HORSE_HITS_LOOSE: 7 = [(0, 0), (15, 15), (15, 15), (25, 25), (50, 50), (25, 25), (12, 20)];
    /// By a cannon, protected.
    CANNON_HITS: 7 = [(0, 0), (4, 2), (4, 2), (8, 5), (45, 35), (0, 0), (0, 0)];
    /// By a cannon, loose.
    CANNON_HITS_LOOSE: 7 = [(0, 0), (12, 12), (12, 12), (25, 25), (45, 40), (10, 10), (12, 20)];
    /// By a rook, protected.
    ROOK_HITS: 7 = [(0, 0), (3, 3), (3, 3), (8, 6), (0, 0), (8, 6), (0, 0)];
    /// By a rook, loose.
    ROOK_HITS_LOOSE: 7 = [(0, 0), (20, 20), (20, 20), (35, 35), (10, 10), (30, 30), (20, 30)];
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_follow_each_other_without_gaps() {
        let mut next = 0;
        for &(name, first, len) in TERMS {
            assert_eq!(first, next, "{name}");
            next += len;
        }
        assert_eq!(next, COUNT);
        assert_eq!(WEIGHTS[MATERIAL + 4], (870, 920));
        assert_eq!(WEIGHTS[ROOK_HITS_LOOSE + 6], (20, 30));
    }
}
