//! Tests of what is said to engines and read from them.

use super::*;
use crate::arbiter::Limit;
use std::sync::atomic::AtomicBool;
use xiangqi::board::Position;

const UCCI: Dialect =
    Dialect { protocol: Protocol::Ucci, ranks: Ranks::FromZero, unit: Unit::Millis };
const UCI: Dialect = Dialect { protocol: Protocol::Uci, ranks: Ranks::FromOne, ..UCCI };

fn moves(text: &str) -> Vec<Move> {
    text.split(' ').map(|m| m.parse().unwrap()).collect()
}

#[test]
fn coordinates_in_both_dialects() {
    for (text, other) in [("h2e2", "h3e3"), ("a0a9", "a1a10"), ("i9h9", "i10h10")] {
        let m: Move = text.parse().unwrap();
        assert_eq!((UCCI.write_move(m), UCI.write_move(m)), (text.into(), other.into()));
        assert_eq!((UCCI.read_move(text), UCI.read_move(other)), (Some(m), Some(m)));
    }
    for text in
        ["", "h", "h2", "h2e", "h2j2", "h0e0", "h2e11", "h2e2q", "H2E2", "炮2e2", "a1a1", "h+2e2"]
    {
        assert_eq!(UCI.read_move(text), None, "{text}");
    }
    assert_eq!(UCCI.read_move("a0a10"), None);
}

#[test]
fn positions() {
    let game = Game::with_moves(Position::start(), moves("h2h9 i9h9 b2e2")).unwrap();
    assert_eq!(UCI.position(&game), "position startpos moves h3h10 i10h10 b3e3");
    assert_eq!(
        UCCI.position(&game),
        "position fen rnbakabr1/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C7/9/RNBAKABNR w - - 0 2 \
         moves b2e2"
    );
    let start = Game::default();
    assert_eq!(UCI.position(&start), "position startpos");
    assert_eq!(UCCI.position(&start), format!("position fen {START_FEN}"));
}

fn go(dialect: Dialect, limit: &str, clocks: [Option<Clock>; 2], banned: &[Move]) -> String {
    let mut limits = Limit::default();
    for part in limit.split(',').filter(|part| !part.is_empty()) {
        let (key, value) = part.split_once('=').unwrap();
        limits.set(key, value).unwrap();
    }
    let game = Game::with_moves(Position::start(), moves("h2e2")).unwrap();
    let task = Task {
        game: &game,
        limit: &limits,
        own: clocks[0],
        other: clocks[1],
        banned,
        draw_offered: !banned.is_empty(),
        deadline: Duration::ZERO,
        grace: Duration::ZERO,
        abort: &AtomicBool::new(false),
    };
    dialect.go(&task)
}

#[test]
fn questions() {
    let clock = |millis, moves_to_go| {
        Some(Clock {
            remaining: Duration::from_millis(millis),
            increment: Duration::from_millis(1500),
            moves_to_go,
        })
    };
    let none = [None, None];
    assert_eq!(go(UCCI, "nodes=500,depth=9", none, &[]), "go depth 9 nodes 500");
    assert_eq!(go(UCCI, "movetime=100", none, &[]), "go time 100 movestogo 1");
    assert_eq!(go(UCI, "movetime=100", none, &[]), "go movetime 100");
    let clocks = [clock(59_900, None), clock(7000, Some(3))];
    let text = "go time 59900 increment 1500 opptime 7000 oppmovestogo 3";
    assert_eq!(go(UCCI, "", clocks, &[]), text);
    let in_seconds = Dialect { unit: Unit::Seconds, ..UCCI };
    let text = "go time 59 increment 1 opptime 7 oppmovestogo 3";
    assert_eq!(go(in_seconds, "", clocks, &[]), text);
    let [own, other] = clocks;
    let text = "go wtime 59900 btime 7000 winc 1500 binc 1500 movestogo 3";
    assert_eq!(go(UCI, "", [other, own], &[]), text);
}

#[test]
fn forbidden_moves() {
    let game = Game::with_moves(Position::start(), moves("h2e2")).unwrap();
    let mut banned: Vec<Move> = game.position().legal_moves().to_vec();
    banned.retain(|m| !["h9g7", "a9a8"].contains(&m.to_string().as_str()));
    assert_eq!(UCI.bans(&banned), None);
    assert!(UCCI.bans(&banned).unwrap().starts_with("banmoves "));
    assert_eq!(UCCI.bans(&moves("a0a1 b0c2")).unwrap(), "banmoves a0a1 b0c2");
    assert_eq!(UCCI.bans(&[]), None);
    let line = go(UCI, "nodes=5", [None, None], &banned);
    assert!(
        ["go nodes 5 searchmoves h10g8 a10a9", "go nodes 5 searchmoves a10a9 h10g8"]
            .contains(&line.as_str()),
        "{line}"
    );
    assert_eq!(go(UCCI, "nodes=5", [None, None], &banned), "go draw nodes 5");
}

#[test]
fn answers() {
    let best = |text: &str, draw, resign| Line::BestMove { text: text.into(), draw, resign };
    let info = |score, depth, nodes| Line::Info { score, depth, nodes };
    for (line, expected) in [
        ("ucciok", Line::Ready(Protocol::Ucci)),
        ("bestmove h2e2 ponder h9g7 draw\r", best("h2e2", true, false)),
        ("bestmove h2e2 resign", best("h2e2", false, true)),
        ("bestmove resign", best("resign", false, true)),
        ("bestmove", best("", false, false)),
        ("bestmove (none)", Line::NoBestMove),
        ("nobestmove", Line::NoBestMove),
        ("info depth 5 score -12 pv nodes 3", info(Some(EngineScore::Points(-12)), Some(5), None)),
        (
            "info depth 5 seldepth 9 multipv 1 score cp 31 lowerbound nodes 100 pv a b",
            info(Some(EngineScore::Points(31)), Some(5), Some(100)),
        ),
        ("info depth 5 multipv 2 score cp 31", Line::Other),
        ("info score mate -3 depth x", info(Some(EngineScore::Mate(-3)), None, None)),
        ("info string depth 4", Line::Other),
        ("option usemillisec type check default true", Line::UsesMillis),
        (
            "option name UCI_Variant type combo default chess var chess var xiangqi",
            Line::HasVariant,
        ),
        ("option name Hash type spin", Line::Other),
        ("best move", Line::Other),
        ("", Line::Other),
    ] {
        assert_eq!(Line::parse(line), expected, "{line}");
    }
}
