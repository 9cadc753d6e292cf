//! Which moves the side to move may not play, because the repetition rule would make it lose.

use xiangqi::{
    game::Game,
    rules::{self, RuleSet, Status},
    types::{Key, Move, Side},
};

/// The moves after which the mover has lost by the repetition rule, or would have after some reply
/// (24.1, 24.3); and, where it has been told to change already, the moves that go on with the
/// cycle.
///
/// Empty if every move is banned: the mover then can not help losing, and plays.
pub fn banned_moves(game: &Game, rules: RuleSet) -> Vec<Move> {
    let repeated = repeated_keys(game);
    if repeated.is_empty() {
        return Vec::new();
    }
    let side = game.position().side();
    let must_change = rules::judge(game, rules).status == Status::MustChange(side);
    let moves = game.position().legal_moves();
    let mut game = game.clone();
    let banned: Vec<Move> = moves
        .iter()
        .copied()
        .filter(|&m| {
            game.play_legal(m);
            let bad = goes_on(&game, rules, side, must_change)
                || loses_by_reply(&mut game, rules, side, &repeated);
            game.take_back();
            bad
        })
        .collect();
    if banned.len() == moves.len() { Vec::new() } else { banned }
}

/// Positions that have occurred twice or more since the last capture. Only their return can decide
/// a game.
fn repeated_keys(game: &Game) -> Vec<Key> {
    let plies = game.plies().len();
    let first = plies - game.reversible_plies();
    let mut keys: Vec<Key> = (first..=plies).filter_map(|at| game.key_at(at)).collect();
    keys.sort_unstable_by_key(|key| key.0);
    let mut repeated: Vec<Key> =
        keys.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0]).collect();
    repeated.dedup();
    repeated
}

/// Whether the mover's last move has lost, or goes on with the cycle that it had to leave.
fn goes_on(game: &Game, rules: RuleSet, side: Side, must_change: bool) -> bool {
    if game.occurrences() < 2 {
        return false;
    }
    let status = rules::judge(game, rules).status;
    status == Status::Loses(side) || must_change && status == Status::MustChange(side)
}

/// Whether the opponent has a reply that makes `side` lose.
fn loses_by_reply(game: &mut Game, rules: RuleSet, side: Side, repeated: &[Key]) -> bool {
    let replies = game.position().legal_moves();
    replies.into_iter().any(|reply| {
        if !repeated.contains(&game.position().key_after(reply)) {
            return false;
        }
        game.play_legal(reply);
        let loses = rules::judge(game, rules).status == Status::Loses(side);
        game.take_back();
        loses
    })
}
