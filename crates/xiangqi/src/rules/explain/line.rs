//! Whole lines: how a kill, a win by checks or an exchange runs when both sides play it out.

use crate::{
    board::Position,
    rules::{
        delayed::{CHASE_CHECKS, won_by_checks},
        exchange::{best_recapture, capture_gain, is_gain, worth},
        mate::{Budget, KILL_CHECKS, mates_at_once, mating_check},
        viewpoint::Viewpoint,
    },
    types::{Bitboard, Kind, Move, Square},
};

/// Moves that the search for one line may try: lines are for reading, and many are asked for.
const CAP: u32 = 20_000;

/// A mate by checks that begins with `first`, with the replies that hold out longest. `at_most` is
/// the number of checks it takes.
pub fn kill(position: &Position, first: Move, at_most: usize) -> Vec<Move> {
    let mut budget = Budget::new(CAP);
    let mut position = position.clone();
    let mut line = vec![first];
    position.make(first);
    for left in (1..at_most.max(1)).rev() {
        let replies = position.legal_moves();
        let hardest = replies.into_iter().max_by_key(|&reply| {
            let undo = position.make(reply);
            let checks =
                (1..=left).find(|&n| mating_check(&mut position, n, &mut budget).is_some());
            position.unmake(reply, undo);
            checks.unwrap_or(0)
        });
        let Some(reply) = hardest else { break };
        position.make(reply);
        let next = (1..=left).find_map(|n| mating_check(&mut position, n, &mut budget));
        let Some(next) = next else { break };
        line.extend([reply, next]);
        position.make(next);
    }
    line
}

/// The shortest mate by checks that the mover has, if it is within the bound of a kill.
pub fn mate(position: &Position) -> Option<Vec<Move>> {
    let mut budget = Budget::new(CAP);
    let mut board = position.clone();
    (1..=KILL_CHECKS)
        .find_map(|n| Some((mating_check(&mut board, n, &mut budget)?, n)))
        .map(|(first, n)| kill(position, first, n))
}

/// The exchange on one square that `first` begins: each side takes with the piece that brings most
/// as long as that costs it nothing.
pub fn exchange(position: &Position, first: Move, view: &Viewpoint) -> Vec<Move> {
    let mut position = position.clone();
    let square = first.to();
    let mut line = vec![first];
    position.make(first);
    while let Some(m) = best_taker(&mut position, square, view) {
        line.push(m);
        position.make(m);
    }
    line
}

/// The mover's best capture on `square` if it loses nothing.
fn best_taker(position: &mut Position, square: Square, view: &Viewpoint) -> Option<Move> {
    let value = position.piece_on(square).map_or(0, |piece| worth(piece, square));
    let side = position.side();
    let mut best: Option<(i32, Move)> = None;
    for from in position.attackers_of(square, side, position.occupied()) {
        let m = Move::between(from, square);
        if !view.allows(position, side, m) {
            continue;
        }
        let undo = position.make(m);
        let gain = value - best_recapture(position, square, view);
        let sound = gain >= 0 && !mates_at_once(position);
        position.unmake(m, undo);
        if sound && best.is_none_or(|(most, _)| gain > most) {
            best = Some((gain, m));
        }
    }
    best.map(|(_, m)| m)
}

/// A win of the piece on `target` by checks, the first of which is `first`, with the replies that
/// hold out longest. It ends where it is not found within the cap.
pub fn by_checks(position: &Position, first: Move, target: Square, view: &Viewpoint) -> Vec<Move> {
    let mut budget = Budget::new(CAP);
    let mut board = position.clone();
    let mut target = target;
    let mut line = vec![first];
    board.make(first);
    for _ in 0..CHASE_CHECKS {
        let replies = board.legal_moves();
        let hardest = replies.into_iter().max_by_key(|&reply| {
            let undo = board.make(reply);
            let there = if reply.from() == target { reply.to() } else { target };
            let checks = checks_needed(&mut board, there, view, &mut budget).map_or(0, |(n, _)| n);
            board.unmake(reply, undo);
            checks
        });
        let Some(reply) = hardest else { break };
        if reply.from() == target {
            target = reply.to();
        }
        board.make(reply);
        let Some((checks, next)) = checks_needed(&mut board, target, view, &mut budget) else {
            break;
        };
        line.extend([reply, next]);
        if checks == 0 {
            break;
        }
        board.make(next);
    }
    line
}

/// ChaseKind many more checks it takes to win `target`, and the next move.
fn checks_needed(
    board: &mut Position,
    target: Square,
    view: &Viewpoint,
    budget: &mut Budget,
) -> Option<(usize, Move)> {
    if let Some(m) = capture(board, target, view) {
        return Some((0, m));
    }
    (1..=CHASE_CHECKS).find_map(|depth| {
        let won = won_by_checks(board, depth, Bitboard::of(target), view, budget);
        won.first.filter(|_| !won.targets.is_empty()).map(|m| (depth, m))
    })
}

/// A capture on `target` that wins something.
fn capture(board: &mut Position, target: Square, view: &Viewpoint) -> Option<Move> {
    let side = board.side();
    let idle = board.by_kind(Kind::King) | board.by_kind(Kind::Soldier);
    let takers = board.attackers_of(target, side, board.occupied()) - idle;
    takers
        .into_iter()
        .map(|from| Move::between(from, target))
        .find(|&m| view.allows(board, side, m) && capture_gain(board, m, view).is_some_and(is_gain))
}

/// A trade that begins with `first`, the recapture, and the capture of `target`.
pub fn by_exchange(
    position: &Position,
    first: Move,
    target: Square,
    view: &Viewpoint,
) -> Vec<Move> {
    let mut board = position.clone();
    let mut line = vec![first];
    board.make(first);
    let Some(back) = best_taker(&mut board, first.to(), view) else { return line };
    line.push(back);
    board.make(back);
    let target = if back.from() == target { back.to() } else { target };
    line.extend(capture(&mut board, target, view));
    line
}
