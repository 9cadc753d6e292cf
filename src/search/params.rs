//! Every constant of the search, so that they can be tuned together. Scores are on the scale of
//! [`Score::MINOR`](crate::eval::Score::MINOR), depths in plies.
//!
//! Each is a function: of constant value as a rule; with the build feature `tune` it reads a value
//! that the protocol's options can set, so that a tuner (SPSA) can walk them.

/// Declares the constants: name, default, range.
macro_rules! params {
    ($($(#[$doc:meta])* $name:ident = $default:literal in $min:literal..=$max:literal;)*) => {
        $(
            $(#[$doc])*
            #[cfg(not(feature = "tune"))]
            #[inline(always)]
            pub const fn $name() -> i32 {
                const { assert!($min <= $default && $default <= $max) };
                $default
            }

            $(#[$doc])*
            #[cfg(feature = "tune")]
            #[inline(always)]
            pub fn $name() -> i32 {
                tune::value(tune::Index::$name as usize)
            }
        )*

        /// The constants as something that can be set.
        #[cfg(feature = "tune")]
        pub mod tune {
            use std::sync::atomic::{AtomicI32, Ordering::Relaxed};

            #[expect(non_camel_case_types, reason = "the names are the parameters'")]
            pub(super) enum Index {
                $($name,)*
            }

            /// One constant and its range.
            #[derive(Clone, Copy, PartialEq, Eq, Debug)]
            pub struct Tunable {
                /// Its name.
                pub name: &'static str,
                /// Its value without tuning.
                pub default: i32,
                /// The least value allowed.
                pub min: i32,
                /// The largest value allowed.
                pub max: i32,
            }

            /// All constants.
            pub const TUNABLES: &[Tunable] = &[
                $(Tunable { name: stringify!($name), default: $default, min: $min, max: $max },)*
            ];

            static VALUES: [AtomicI32; TUNABLES.len()] = [$(AtomicI32::new($default),)*];

            #[inline(always)]
            pub(super) fn value(index: usize) -> i32 {
                VALUES[index].load(Relaxed)
            }

            /// Sets a constant by what follows `setoption` in either dialect; `false` if it is not
            /// about a constant.
            pub fn set_by_text(text: &str) -> bool {
                let words: Vec<&str> = text.split_whitespace().collect();
                match words[..] {
                    ["name", name, "value", value] | [name, value] => {
                        value.parse().is_ok_and(|value| set(name, value))
                    }
                    _ => false,
                }
            }

            /// Sets a constant by its name, held within its range; `false` if there is none of that
            /// name.
            pub fn set(name: &str, value: i32) -> bool {
                let Some(index) = TUNABLES.iter().position(|tunable| tunable.name == name) else {
                    return false;
                };
                VALUES[index].store(value.clamp(TUNABLES[index].min, TUNABLES[index].max), Relaxed);
                true
            }
        }
    };
}

params! {
    /// Depth from which the window starts narrow.
    aspiration_depth = 4 in 1..=100;
    /// Half the width of the first window.
    aspiration_window = 26 in 5..=200;

    /// Razoring: deepest node.
    razor_depth = 4 in 0..=20;
    /// Razoring: how far below alpha the evaluation must be, per ply.
    razor_margin = 222 in 50..=1000;

    /// Reverse futility: deepest node.
    reverse_futility_depth = 8 in 0..=20;
    /// Reverse futility: how far above beta the evaluation must be, per ply.
    reverse_futility_margin = 79 in 20..=300;

    /// Null move: least depth.
    null_depth = 3 in 1..=100;
    /// Null move: how far below beta the bare evaluation may be, per ply.
    null_eval_margin = 20 in 0..=200;
    /// Null move: reduction at depth 0.
    null_base = 3 in 1..=10;
    /// Null move: one ply more for so many plies of depth.
    null_depth_divisor = 4 in 2..=10;
    /// Null move: one ply more for so much evaluation above beta.
    null_eval_divisor = 203 in 50..=1000;
    /// Null move: the evaluation may add so many plies at most.
    null_eval_max = 3 in 0..=10;
    /// Null move: depth from which a fail high is verified.
    null_verify_depth = 10 in 4..=100;

    /// ProbCut: least depth.
    probcut_depth = 5 in 3..=100;
    /// ProbCut: how far above beta a capture must come.
    probcut_margin = 221 in 50..=1000;
    /// ProbCut by the table alone: how far above beta its score must be.
    small_probcut_margin = 400 in 100..=10000;

    /// Internal reduction: least depth where a node without a table move loses a ply.
    iir_depth = 4 in 2..=100;
    /// Internal reduction: on the principal variation a table move this many plies short of the depth
    /// counts for none.
    iir_shallow = 4 in 0..=100;

    /// Singular extension: least depth.
    singular_depth = 7 in 4..=100;
    /// Singular extension: how far below the table's score the others must stay, in 64ths per ply.
    singular_margin = 92 in 16..=400;
    /// Singular extension: one ply more if they stay so far below that.
    double_margin = 18 in 0..=1000;

    /// Static exchange pruning: deepest node.
    see_depth = 8 in 0..=20;
    /// Static exchange pruning of captures: what may be lost, per ply.
    see_capture_margin = 117 in 20..=400;
    /// Static exchange pruning of quiet moves: what may be lost, per ply.
    see_quiet_margin = 49 in 10..=300;

    /// Late move pruning: moves searched at depth 0 before the quiet ones are left out; twice as many where things go up.
    lmp_base = 6 in 1..=40;
    /// Late move pruning: how many more for the square of the depth.
    lmp_factor = 2 in 1..=8;

    /// Futility pruning: deepest node, after reduction.
    futility_depth = 7 in 0..=20;
    /// Futility pruning: how far below alpha the evaluation may be, at depth 0.
    futility_base = 204 in 0..=600;
    /// Futility pruning: the same per ply.
    futility_margin = 122 in 20..=400;

    /// History pruning: deepest node.
    history_pruning_depth = 5 in 0..=20;
    /// History pruning: how bad a quiet move's histories may be, per ply.
    history_pruning_margin = 4600 in 500..=20000;

    /// Late move reductions: least depth.
    lmr_depth = 3 in 2..=20;
    /// Late move reductions: constant part, in 1024ths of a ply.
    lmr_base = 1398 in -2048..=4096;
    /// Late move reductions: factor of log2(depth) * log2(move number), in 1024ths of a ply.
    lmr_factor = 199 in 0..=1024;
    /// The same: more where things go down.
    lmr_worsening = 460 in 0..=4096;
    /// The same: more where a cut-off is expected.
    lmr_cut_node = 760 in 0..=4096;
    /// The same: less on the principal variation.
    lmr_pv = 1255 in 0..=4096;
    /// The same: less for a position that once was on a principal variation.
    lmr_was_pv = 572 in 0..=4096;
    /// The same: less in check, and for checks.
    lmr_check = 1024 in 0..=4096;
    /// The same: more if the table's move takes something.
    lmr_table_capture = 512 in 0..=4096;
    /// The same: more if the children cut off again and again.
    lmr_cutoffs = 512 in 0..=4096;
    /// The same: histories that make a ply.
    lmr_history = 9900 in 2000..=1000000;
    /// The same: less for captures that lose material; quiet moves know no better.
    lmr_capture = 1024 in 0..=10000;
    /// After a reduced search: the score above the best from which to look deeper.
    lmr_deeper = 45 in 0..=10000;
    /// After a reduced search: the score above the best up to which a ply less will do.
    lmr_shallower = 7 in -10000..=1000;

    /// Each ply without a capture takes one part in so many of the evaluation away.
    clock_fade = 395 in 120..=10000;

    /// Quiescence: a capture must come this close to alpha.
    delta_margin = 209 in 0..=1000;

    /// History bonus per ply of depth.
    history_bonus = 170 in 10..=1000;
    /// Largest history bonus.
    history_bonus_max = 1700 in 100..=8000;
    /// Bonus for the opponent's quiet move that nothing refutes, in 64ths of a cut-off's.
    prior_bonus = 36 in 0..=256;
    /// Bonus for the opponent's quiet move for what the evaluation rose by it, in 16ths.
    eval_bonus = 33 in 0..=256;
    /// The largest such bonus, and the largest malus.
    eval_bonus_max = 1200 in 100..=8000;
    /// How much the history of captures counts against the victim's worth, in 64ths.
    capture_history = 67 in 0..=512;
    /// How much a quiet check that loses nothing moves up, on the scale of the histories (an idea of
    /// Stockfish).
    check_bonus = 13700 in 0..=65536;
    /// How much the history by the soldiers' places counts, in 64ths.
    soldier_history = 57 in 0..=256;

    /// Weight of the evaluation's errors by the soldiers' places.
    correction_soldiers = 33 in 0..=256;
    /// Weight of the evaluation's errors by the guards' places.
    correction_guards = 27 in 0..=256;
    /// Weight of the evaluation's errors by each side's rooks, horses and cannons.
    correction_attackers = 35 in 0..=256;
    /// Weight of the evaluation's errors after the last two moves.
    correction_moves = 38 in 0..=256;
}

/// History values stay within plus and minus this.
pub const HISTORY_MAX: i32 = 16_384;
/// Up to so many plies without a capture the table does not tell positions apart by them.
pub const CLOCK_FREE: u16 = 60;
/// So many plies before the natural limit the table's scores are no longer trusted.
pub const TABLE_CLOCK_MARGIN: u16 = 20;
