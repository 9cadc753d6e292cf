//! The search from outside: what it promises for any position, and to whoever runs it.

use chuhe::{
    eval::Score,
    search::{Bound, Clock, Limits, Outcome, Searcher, Skill},
};
use std::time::{Duration, Instant};
use xiangqi::{board::Position, game::Game, types::Move};

const MIDDLEGAME: &str = "r2akab1r/9/2n1b1nc1/p1p1p1p1p/9/2P3P2/P3P3P/1CN1C1N2/9/R1BAKABR1 b";

fn game(fen: &str, moves: &str) -> Game {
    let start: Position = fen.parse().expect(fen);
    Game::with_moves(start, moves.split_whitespace().map(|m| m.parse().expect(m))).expect(moves)
}

fn search(game: &Game, limits: &Limits) -> Outcome {
    let mut searcher = Searcher::new(4).expect("4 MiB");
    searcher.prepare(limits);
    searcher.search(game, limits, &mut |_| {})
}

fn depth(depth: u32) -> Limits {
    Limits { depth: Some(depth), ..Limits::default() }
}

fn nodes(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), ..Limits::default() }
}

fn mv(text: &str) -> Move {
    text.parse().expect(text)
}

#[test]
fn the_same_search_twice_takes_the_same_way() {
    let game = game(MIDDLEGAME, "");
    let first = search(&game, &depth(9));
    assert_eq!(first, search(&game, &depth(9)));
    assert!(first.nodes > 1000 && first.depth == 9);
    // Also in one searcher after it forgot everything.
    let mut searcher = Searcher::new(4).expect("4 MiB");
    for _ in 0..2 {
        searcher.clear();
        searcher.prepare(&depth(9));
        assert_eq!(searcher.search(&game, &depth(9), &mut |_| {}), first);
    }
}

#[test]
fn mated_and_stalemated_roots_have_no_move() {
    // Two rooks mate; a rook and the facing king leave no step to a king that is not in check.
    let cases = [
        ("4k4/9/9/9/9/9/9/9/3R5/3KR4 b", false),
        ("R3k4/R8/9/9/9/9/9/9/9/3K5 b", true),
        ("3k5/9/9/9/9/9/9/9/4R4/4K4 b", false),
    ];
    for (fen, in_check) in cases {
        let game = game(fen, "");
        if game.position().has_legal_move() {
            continue;
        }
        assert_eq!(game.position().in_check(), in_check, "{fen}");
        let outcome = search(&game, &depth(5));
        assert_eq!((outcome.best, outcome.score), (None, Score::mated_in(0)), "{fen}");
    }
}

#[test]
fn principal_variations_are_legal() {
    for fen in [MIDDLEGAME, "1cbak4/9/n2a5/2p1p3p/5cp2/2n2N3/6PCP/3AB4/2C6/3A1K1N1 w"] {
        let root = game(fen, "");
        let limits = Limits { multi_pv: 4, ..depth(8) };
        let mut searcher = Searcher::new(1).expect("1 MiB");
        searcher.prepare(&limits);
        let mut reports = 0;
        searcher.search(&root, &limits, &mut |report| {
            let mut game = root.clone();
            for &m in report.pv {
                game.play(m).unwrap_or_else(|error| panic!("{fen}: {error} in {:?}", report.pv));
            }
            assert!(!report.pv.is_empty());
            reports += usize::from(!report.is_last);
        });
        assert_eq!(reports, 8 * 4, "one report for each line of each depth");
    }
}

#[test]
fn several_lines_begin_with_different_moves_in_falling_order() {
    let game = game(MIDDLEGAME, "");
    let limits = Limits { multi_pv: 3, ..depth(6) };
    let mut searcher = Searcher::new(4).expect("4 MiB");
    searcher.prepare(&limits);
    let mut last = Vec::new();
    searcher.search(&game, &limits, &mut |report| {
        if report.depth == 6 && report.bound == Bound::Exact && !report.is_last {
            last.push((report.multi_pv, report.score, report.pv[0]));
        }
    });
    assert_eq!(last.iter().map(|line| line.0).collect::<Vec<_>>(), [1, 2, 3]);
    assert!(last.is_sorted_by(|a, b| a.1 >= b.1), "{last:?}");
    assert!(last[0].2 != last[1].2 && last[1].2 != last[2].2 && last[0].2 != last[2].2);
}

#[test]
fn banned_moves_are_not_played_and_others_left_alone() {
    let game = game(MIDDLEGAME, "");
    let legal = game.position().legal_moves();
    for keep in 0..legal.len().min(5) {
        let banned: Vec<_> = legal.iter().copied().filter(|&m| m != legal[keep]).collect();
        let outcome = search(&game, &Limits { banned, ..depth(4) });
        assert_eq!(outcome.best, Some(legal[keep]));
        let only = search(&game, &Limits { only: vec![legal[keep]], ..depth(4) });
        assert_eq!(only.best, Some(legal[keep]));
    }
    let all = search(&game, &Limits { banned: legal.to_vec(), ..depth(4) });
    assert_eq!(all.best, None);
}

#[test]
fn node_limits_are_kept_and_always_give_a_move() {
    let game = game(MIDDLEGAME, "");
    for limit in [1000, 1001, 5000] {
        assert_eq!(search(&game, &nodes(limit)).nodes, limit);
    }
    // The first iteration is always completed, for the sake of a move that makes sense.
    let first = search(&game, &depth(1));
    for limit in [0, 1, 10] {
        let outcome = search(&game, &nodes(limit));
        assert_eq!((outcome.best, outcome.nodes), (first.best, first.nodes));
    }
}

#[test]
fn stop_is_answered_at_once() {
    for threads in [1, 2] {
        let game = game(MIDDLEGAME, "");
        let limits = Limits::default();
        let mut searcher = Searcher::new(4).expect("4 MiB");
        searcher.set_threads(threads);
        searcher.prepare(&limits);
        let signals = searcher.signals();
        let (stopped_at, outcome) = std::thread::scope(|scope| {
            let stopper = scope.spawn(move || {
                std::thread::sleep(Duration::from_millis(100));
                signals.stop();
                Instant::now()
            });
            let outcome = searcher.search(&game, &limits, &mut |_| {});
            let answered = Instant::now();
            (answered - stopper.join().expect("no panic"), outcome)
        });
        assert!(outcome.best.is_some());
        // 50 ms are promised; the machine that runs the tests may be busy.
        assert!(stopped_at < Duration::from_millis(500), "{stopped_at:?}");
    }
}

#[test]
fn a_signal_before_the_search_is_not_lost() {
    let game = game(MIDDLEGAME, "");
    let mut searcher = Searcher::new(1).expect("1 MiB");
    searcher.prepare(&Limits::default());
    searcher.signals().stop();
    let outcome = searcher.search(&game, &Limits::default(), &mut |_| {});
    assert!(outcome.best.is_some());
}

#[test]
fn pondering_waits_for_the_hit_and_then_keeps_its_time() {
    let game = game(MIDDLEGAME, "");
    let clock = Clock { remaining: Duration::from_millis(600), ..Clock::default() };
    let limits = Limits { clock: Some(clock), ponder: true, ..Limits::default() };
    let mut searcher = Searcher::new(1).expect("1 MiB");
    searcher.prepare(&limits);
    let signals = searcher.signals();
    let begin = Instant::now();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            std::thread::sleep(Duration::from_millis(300));
            signals.ponderhit();
        });
        searcher.search(&game, &limits, &mut |_| {});
    });
    assert!(begin.elapsed() >= Duration::from_millis(300));
    assert!(begin.elapsed() < Duration::from_millis(900 + 300));
}

#[test]
fn the_perpetual_checker_changes_and_its_victim_does_not() {
    let game = game("3k5/9/9/9/9/9/9/9/9/R3K4 w", "a0a9 d9d8 a9a8 d8d9 a8a9 d9d8 a9a8 d8d9");
    let outcome = search(&game, &depth(6));
    assert_ne!(outcome.best, Some(mv("a8a9")), "a third time by checks alone");
}

#[test]
fn the_natural_limit_draws_but_mate_comes_first() {
    // Red is a rook up, but no capture is near and the limit is two plies away.
    let drawn = game("3ak4/4a4/9/9/9/9/9/9/9/R3K4 w - - 118 90", "");
    assert_eq!(search(&drawn, &depth(6)).score, Score::DRAW);
    // The 120th ply mates.
    let mating = game("3k5/4P4/9/9/9/9/9/9/R8/1R2K4 w - - 119 90", "");
    let outcome = search(&mating, &depth(4));
    assert_eq!(outcome.score, Score::mate_in(1));
}

#[test]
fn hash_can_be_looked_into_while_thinking() {
    let game = game(MIDDLEGAME, "");
    let mut searcher = Searcher::new(4).expect("4 MiB");
    let probe = searcher.probe();
    assert_eq!(probe.look_up(game.position()), None);
    searcher.prepare(&Limits::default());
    let signals = searcher.signals();
    std::thread::scope(|scope| {
        scope.spawn(|| searcher.search(&game, &Limits::default(), &mut |_| {}));
        let begin = Instant::now();
        let found = loop {
            if let Some(hit) = probe.look_up(game.position()) {
                break Some(hit);
            }
            if begin.elapsed() > Duration::from_secs(20) {
                break None;
            }
        };
        signals.stop();
        let hit = found.expect("the root was stored");
        assert!(hit.best.is_none_or(|m| game.position().is_legal(m)));
        assert!(hit.lower.is_some() || hit.upper.is_some());
    });
}

#[test]
fn a_hash_that_cannot_be_had_is_an_error() {
    assert!(Searcher::new(usize::MAX / 2).is_err());
    let mut searcher = Searcher::new(1).expect("1 MiB");
    let error = searcher.set_hash(usize::MAX / 2).expect_err("too much");
    assert!(error.to_string().contains("MiB"));
    let game = game(MIDDLEGAME, "");
    searcher.prepare(&depth(3));
    assert!(searcher.search(&game, &depth(3), &mut |_| {}).best.is_some());
}

#[test]
fn threads_help_and_leave_the_answer_legal() {
    let game = game(MIDDLEGAME, "");
    let mut searcher = Searcher::new(4).expect("4 MiB");
    searcher.set_threads(3);
    searcher.prepare(&depth(8));
    let outcome = searcher.search(&game, &depth(8), &mut |_| {});
    assert!(outcome.best.is_some_and(|m| game.position().is_legal(m)));
    assert_eq!(outcome.depth, 8);
}

/// A thousand positions of random games, searched with few nodes: whatever cuts the search short,
/// the last report begins with the move that is played and has its score (report F09).
#[test]
fn the_last_report_is_the_answer() {
    use rand::{Rng, SeedableRng, rngs::StdRng};
    let mut random = StdRng::seed_from_u64(9);
    let mut searcher = Searcher::new(1).expect("1 MiB");
    let mut game = Game::default();
    for number in 0..1000 {
        let moves = game.position().legal_moves();
        if moves.is_empty() || game.plies().len() > 100 {
            game = Game::default();
            continue;
        }
        game.play_legal(moves[random.random_range(0..moves.len())]);
        if !game.position().has_legal_move() {
            continue;
        }
        let limits = Limits {
            nodes: Some(random.random_range(1..3000)),
            multi_pv: if number % 3 == 0 { random.random_range(2..5) } else { 1 },
            skill: if number % 4 == 0 { Skill::of_level(random.random_range(0..20)) } else { None },
            ..Limits::default()
        };
        let mut last = None;
        searcher.prepare(&limits);
        let outcome = searcher.search(&game, &limits, &mut |report| {
            last = Some((report.pv.first().copied(), report.score));
        });
        assert_eq!(last, Some((outcome.best, outcome.score)), "{}", game.position());
    }
}
