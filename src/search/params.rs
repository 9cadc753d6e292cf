//! Every constant of the search, so that they can be tuned together. Scores are on the scale of
//! [`Score::MINOR`](crate::types::Score::MINOR), depths in plies.

/// Depth from which the window starts narrow.
pub const ASPIRATION_DEPTH: i32 = 4;
/// Half the width of the first window.
pub const ASPIRATION_WINDOW: i32 = 25;

/// Razoring: deepest node.
pub const RAZOR_DEPTH: i32 = 4;
/// Razoring: how far below alpha the evaluation must be, per ply.
pub const RAZOR_MARGIN: i32 = 250;

/// Reverse futility: deepest node.
pub const REVERSE_FUTILITY_DEPTH: i32 = 8;
/// Reverse futility: how far above beta the evaluation must be, per ply.
pub const REVERSE_FUTILITY_MARGIN: i32 = 90;

/// Null move: least depth.
pub const NULL_DEPTH: i32 = 3;
/// Null move: reduction at depth 0.
pub const NULL_BASE: i32 = 3;
/// Null move: one ply more for so many plies of depth.
pub const NULL_DEPTH_DIVISOR: i32 = 4;
/// Null move: one ply more for so much evaluation above beta.
pub const NULL_EVAL_DIVISOR: i32 = 200;
/// Null move: the evaluation may add so many plies at most.
pub const NULL_EVAL_MAX: i32 = 3;
/// Null move: depth from which a fail high is verified.
pub const NULL_VERIFY_DEPTH: i32 = 10;

/// Static exchange pruning: deepest node.
pub const SEE_DEPTH: i32 = 8;
/// Static exchange pruning of captures: what may be lost, per ply.
pub const SEE_CAPTURE_MARGIN: i32 = 100;
/// Static exchange pruning of quiet moves: what may be lost, per ply.
pub const SEE_QUIET_MARGIN: i32 = 60;

/// Late move pruning: quiet moves searched at depth 0; twice as many where things go up.
pub const LMP_BASE: i32 = 10;
/// Late move pruning: how many more for the square of the depth.
pub const LMP_FACTOR: i32 = 2;

/// Futility pruning: deepest node, after reduction.
pub const FUTILITY_DEPTH: i32 = 7;
/// Futility pruning: how far below alpha the evaluation may be, at depth 0.
pub const FUTILITY_BASE: i32 = 200;
/// Futility pruning: the same per ply.
pub const FUTILITY_MARGIN: i32 = 130;

/// Late move reductions: least depth.
pub const LMR_DEPTH: i32 = 3;
/// Late move reductions: constant part, in 1024ths of a ply.
pub const LMR_BASE: i32 = 600;
/// Late move reductions: factor of log2(depth) * log2(move number), in 1024ths of a ply.
pub const LMR_FACTOR: i32 = 230;

/// Quiescence: a capture must come this close to alpha.
pub const DELTA_MARGIN: i32 = 200;

/// History values stay within plus and minus this.
pub const HISTORY_MAX: i32 = 16_384;
/// History bonus per ply of depth.
pub const HISTORY_BONUS: i32 = 170;
/// Largest history bonus.
pub const HISTORY_BONUS_MAX: i32 = 1_700;

/// From so many plies without a capture on the table's scores are not trusted.
pub const TABLE_CLOCK_LIMIT: u16 = 100;
