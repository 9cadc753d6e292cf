//! Every weight of the hand-written evaluation, in one table that a tuner can walk.
//!
//! A weight is a pair: its worth in the middlegame and in the endgame, on the scale of
//! [`Score::MINOR`](crate::eval::Score::MINOR). Tables of squares are seen from Red's side, rank 0
//! first, files a to e; files f to i are their mirror.
//!
//! They were fitted to games by `chuhe tune`; `docs/experiments.md` says how and what it brought.

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

#[rustfmt::skip]
terms! {
    /// To be on the move.
    TEMPO: 1 = [(38, 0)];
    /// A piece, by kind.
    MATERIAL: 7 = [(0, 0), (136, 125), (136, 119), (375, 432), (930, 949), (405, 384), (79, 135)];
    /// A king's square.
    KING_SQUARE: HALF_BOARD = [
        (0, 0), (0, 0), (0, 0), (-3, -9), (32, -7),
        (0, 0), (0, 0), (0, 0), (-59, -24), (-25, -17),
        (0, 0), (0, 0), (0, 0), (-110, -30), (-99, -34),
        (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
        (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
        (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
        (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
        (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
        (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
        (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
    ];
    /// An advisor's square.
    ADVISOR_SQUARE: HALF_BOARD = [
        (0, 0), (0, 0), (0, 0), (-4, -3), (0, 0),
        (0, 0), (0, 0), (0, 0), (0, 0), (32, 3),
        (0, 0), (0, 0), (0, 0), (-44, -5), (0, 0),
        (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
        (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
        (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
        (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
        (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
        (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
        (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
    ];
    /// An elephant's square.
    ELEPHANT_SQUARE: HALF_BOARD = [
        (0, 0), (0, 0), (-2, -3), (0, 0), (0, 0),
        (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
        (-24, -20), (0, 0), (0, 0), (0, 0), (34, 0),
        (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
        (0, 0), (0, 0), (-17, -7), (0, 0), (0, 0),
        (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
        (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
        (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
        (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
        (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
    ];
    /// A horse's square.
    HORSE_SQUARE: HALF_BOARD = [
        (-66, -70), (-48, -30), (-13, -36), (-13, -8), (22, -20),
        (-31, -41), (-8, -11), (-9, -10), (-6, -1), (-20, -51),
        (-19, -8), (-21, 5), (8, 9), (21, 21), (19, 0),
        (-26, 9), (-37, 14), (8, 12), (5, 20), (21, 25),
        (-20, 42), (9, 15), (40, 39), (26, 23), (33, 35),
        (8, 25), (21, 30), (19, 36), (43, 44), (57, 34),
        (-1, 18), (74, 33), (33, 38), (89, 37), (26, 35),
        (11, 41), (29, 29), (17, 41), (45, 36), (91, 44),
        (-8, 19), (33, 16), (89, 37), (41, 22), (18, -27),
        (-50, 24), (-4, 11), (-5, 65), (-47, 42), (26, 2),
    ];
    /// A rook's square.
    ROOK_SQUARE: HALF_BOARD = [
        (-37, -38), (-1, -5), (4, -23), (18, 17), (20, 18),
        (-14, -16), (-1, 7), (1, -3), (11, 18), (-26, 14),
        (-16, -1), (6, 0), (6, 7), (19, 25), (-9, 29),
        (-7, 11), (10, 23), (18, 20), (27, 26), (37, 20),
        (10, 18), (23, 14), (38, 11), (30, 28), (26, 29),
        (14, 17), (13, 17), (20, 36), (29, 29), (22, 31),
        (13, 19), (30, 14), (37, 20), (39, 26), (17, 32),
        (4, 34), (13, 19), (19, 26), (25, 38), (-8, 48),
        (6, 25), (29, 18), (19, 25), (52, 26), (67, 36),
        (13, 17), (23, 5), (9, 25), (42, 3), (15, 5),
    ];
    /// A cannon's square.
    CANNON_SQUARE: HALF_BOARD = [
        (-21, -5), (-22, 0), (0, -19), (-1, 23), (7, -17),
        (5, 10), (5, 15), (18, -8), (7, 7), (15, 1),
        (15, 4), (-2, 18), (17, 1), (17, 18), (39, 27),
        (6, 9), (-4, 12), (-3, 26), (9, 7), (30, 7),
        (4, 17), (5, 19), (26, 0), (12, 6), (29, 10),
        (9, 18), (-9, 33), (-7, 18), (-8, 13), (33, 12),
        (20, 1), (2, 29), (20, -5), (0, 10), (5, 16),
        (1, 5), (-4, 5), (1, -21), (-20, -21), (-77, 19),
        (8, -1), (-8, -2), (-22, 7), (-16, -5), (-80, -40),
        (39, 10), (12, 17), (-8, 7), (-61, -30), (-54, -36),
    ];
    /// A soldier's square.
    SOLDIER_SQUARE: HALF_BOARD = [
        (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
        (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
        (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
        (-13, 4), (0, 0), (-8, -11), (0, 0), (10, 9),
        (-4, 16), (0, 0), (17, 12), (0, 0), (12, 23),
        (35, 59), (44, 78), (63, 67), (75, 82), (77, 79),
        (42, 73), (80, 87), (101, 102), (113, 98), (112, 101),
        (58, 89), (98, 101), (114, 132), (135, 186), (168, 174),
        (33, 80), (105, 102), (157, 130), (258, 169), (289, 205),
        (-6, 0), (-7, 0), (16, 0), (39, -7), (3, -6),
    ];
    /// Squares that a rook reaches, own pieces left out.
    ROOK_MOBILITY: 18 = [
        (-37, -33), (-28, -41), (-24, -38), (-15, -26), (-9, 0), (0, -3),
        (8, 8), (12, 11), (11, 24), (17, 20), (21, 27), (22, 30),
        (25, 31), (29, 30), (35, 30), (33, 39), (36, 37), (48, 31),
    ];
    /// Squares that a cannon can step to without taking.
    CANNON_MOBILITY: 18 = [
        (-27, -32), (-19, -17), (-12, -2), (-9, 1), (-3, 5), (-1, 11),
        (0, 9), (4, 10), (8, 11), (7, 11), (10, 11), (10, 7),
        (12, 11), (17, 1), (10, 8), (23, 6), (17, -2), (31, -2),
    ];
    /// Squares that a horse reaches, own pieces left out.
    HORSE_MOBILITY: 9 = [
        (-43, -74), (-25, -25), (-13, 2), (-3, 10), (4, 20), (13, 28),
        (20, 24), (22, 37), (39, 22),
    ];
    /// Squares on or beside the enemy king that a rook attacks, how many.
    KING_ROOK: 1 = [(11, 4)];
    /// The same for a cannon over its screen.
    KING_CANNON: 1 = [(4, -12)];
    /// The same for a horse.
    KING_HORSE: 1 = [(29, 4)];
    /// The same for a soldier.
    KING_SOLDIER: 1 = [(53, 6)];
    /// Pieces that attack squares on or beside the enemy king, up to six.
    KING_ATTACKERS: 7 = [(0, 5), (10, -5), (23, 2), (42, 42), (98, 61), (203, 104), (179, 60)];
    /// A cannon on the file of the enemy king with so many pieces between: an empty head cannon
    /// (空头炮) with none, a check with one, one away from it with two.
    CANNON_FILE: 4 = [(120, 6), (20, 10), (34, 26), (15, 3)];
    /// The same on its rank.
    CANNON_RANK: 4 = [(35, -2), (10, 5), (22, 13), (22, 21)];
    /// A rook on the file of the enemy king with so many pieces between, up to three.
    ROOK_FILE: 4 = [(20, 10), (27, 8), (8, -3), (1, -23)];
    /// Own advisors (row) against enemy rooks (column): a short guard fears rooks (缺士怕车).
    ADVISORS_ROOKS: 9 = [
        (9, 20), (-82, 6), (-88, -126),
        (58, -5), (-25, -18), (-48, -108),
        (93, -17), (-30, 18), (-13, 23),
    ];
    /// Own elephants (row) against enemy cannons (column): and cannons (缺象怕炮).
    ELEPHANTS_CANNONS: 9 = [
        (-7, 10), (-31, -5), (-51, -3),
        (-8, 2), (-18, -14), (-32, 8),
        (16, -3), (-1, -12), (-2, -9),
    ];
    /// Two soldiers side by side across the river.
    SOLDIER_PAIR: 1 = [(46, 0)];
    /// An enemy piece attacked by a soldier, by kind, where the enemy protects it.
    SOLDIER_HITS: 7 = [(0, 0), (-18, -15), (36, -11), (109, 63), (82, 38), (93, 54), (19, 29)];
    /// The same where nothing protects it.
    SOLDIER_HITS_LOOSE: 7 = [(0, 0), (48, -7), (35, 21), (98, 38), (61, 38), (89, 52), (17, 36)];
    /// By a horse, protected.
    HORSE_HITS: 7 = [(0, 0), (-21, 0), (3, -5), (26, 60), (69, 25), (38, 14), (5, 10)];
    /// By a horse, loose.
    HORSE_HITS_LOOSE: 7 = [(0, 0), (68, 10), (53, 9), (59, 35), (51, -1), (57, 19), (21, 41)];
    /// By a cannon, protected.
    CANNON_HITS: 7 = [(0, 0), (7, 13), (5, 8), (31, 90), (105, 126), (8, 16), (-3, 23)];
    /// By a cannon, loose.
    CANNON_HITS_LOOSE: 7 = [(0, 0), (20, 42), (48, 45), (62, 52), (86, 67), (6, -4), (21, 39)];
    /// By a rook, protected.
    ROOK_HITS: 7 = [(0, 0), (-2, -4), (7, -7), (17, 28), (-25, 15), (17, 30), (-1, 19)];
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
        assert_eq!(WEIGHTS[MATERIAL + 4], (930, 949));
        assert_eq!(WEIGHTS[ROOK_HITS_LOOSE + 6], (20, 30));
    }
}
