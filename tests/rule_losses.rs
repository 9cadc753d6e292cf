//! Nobody loses by the repetition rules who had a good move left. Whole games of the engine against
//! itself; `docs/rules.md` says how the faults are counted.
//!
//! `RULE_GAMES` and `RULE_NODES` set the length (default: 500 games at 2500 nodes a move).

use chuhe::{
    eval::Score,
    search::{Limits, Searcher},
    train::opening::{OpeningLines, random_opening},
};
use rand::{SeedableRng, rngs::StdRng};
use std::{collections::BTreeMap, env};
use xiangqi::{
    game::Game,
    rules::{RuleSet, Status, judge, material_draw, natural_limit_reached},
    types::{Move, Side},
};

const RULES: RuleSet = RuleSet::Cn1999;
/// Random moves before the first one that is thought about.
const RANDOM_PLIES: u32 = 6;
/// Nodes of the search that looks for a better move.
const SECOND_LOOK: u64 = 20_000;
/// A score above this is no lost game: a minor piece and a half behind.
const NOT_LOST: Score = Score(-600);

fn number(name: &str, default: u64) -> u64 {
    env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// The best move without `banned` ones and its score.
fn best(
    searcher: &mut Searcher,
    game: &Game,
    banned: Vec<Move>,
    nodes: u64,
) -> Option<(Move, Score)> {
    let limits = Limits { nodes: Some(nodes), banned, ..Limits::default() };
    searcher.prepare(&limits);
    let outcome = searcher.search(game, &limits, &mut |_| {});
    outcome.best.map(|m| (m, outcome.score))
}

/// A game as it was after so many plies.
fn game_at(game: &Game, plies: usize) -> Game {
    Game::with_moves(game.start(), game.moves().take(plies)).expect("it was played")
}

/// The moves of `side` in the last cycle of a game for which another one was not much worse, in
/// words.
fn avoidable(searcher: &mut Searcher, game: &Game, side: Side) -> Vec<String> {
    let cycle = judge(game, RULES).cycle.expect("a cycle");
    let first = cycle.first_ply - 1;
    searcher.clear();
    // Without the moves before it no rule bears on the position.
    let before = Game::new(game.position_at(first));
    let before = best(searcher, &before, Vec::new(), SECOND_LOOK).map_or(Score::DRAW, |(_, s)| s);
    let before = if game.plies()[first].side == side { before } else { -before };
    let mut found = Vec::new();
    for at in (first..cycle.last_ply).filter(|&at| game.plies()[at].side == side) {
        let played = game.plies()[at].played;
        let then = game_at(game, at);
        searcher.clear();
        let Some((other, score)) = best(searcher, &then, vec![played], SECOND_LOOK) else {
            continue;
        };
        let lost = score.is_decisive() && score < Score::DRAW;
        if !lost && (score > NOT_LOST || score + Score::MINOR >= before) {
            found.push(format!(
                "ply {}: {other} ({score}) instead of {played}, {before} before the cycle",
                at + 1
            ));
        }
    }
    found
}

#[derive(Default)]
struct Tally {
    ends: BTreeMap<&'static str, u64>,
    plies: usize,
    /// Third occurrences with a side at fault.
    faults: u64,
    /// Those of them, and those losses, where another move was not much worse.
    avoidable: Vec<String>,
}

impl Tally {
    fn look_into(&mut self, number: u64, game: &Game, side: Side, second: &mut Searcher) {
        let moves = avoidable(second, game, side);
        let played: Vec<String> = game.moves().map(|m| m.to_string()).collect();
        let what = format!(
            "game {number}, {side} at fault, {}\n  {} moves {}",
            moves.join("; "),
            game.start().fen(),
            played.join(" ")
        );
        println!("{what}");
        if !moves.is_empty() {
            self.avoidable.push(what);
        }
    }

    /// Plays a game to its end by the rules.
    fn play(
        &mut self,
        number: u64,
        players: &mut [Searcher; 2],
        second: &mut Searcher,
        nodes: u64,
    ) {
        let mut random = StdRng::seed_from_u64(number);
        let start = std::iter::repeat_with(|| {
            random_opening(RANDOM_PLIES, &OpeningLines::default(), &mut random)
        });
        let mut game = Game::new(start.flatten().next().expect("endless"));
        players.iter_mut().for_each(Searcher::clear);
        let end = loop {
            let ruling = judge(&game, RULES).status;
            if let Status::Loses(side) | Status::MustChange(side) = ruling {
                self.faults += 1;
                self.look_into(number, &game, side, second);
            }
            match ruling {
                Status::Loses(_) => break "loss by rule",
                Status::Draw => break "repetition",
                Status::MustChange(_) | Status::None => {}
            }
            let player = &mut players[game.position().side().index()];
            let Some((played, _)) = best(player, &game, Vec::new(), nodes) else { break "mate" };
            if natural_limit_reached(&game, RULES) {
                break "natural limit";
            } else if material_draw(&game) {
                break "material";
            }
            game.play(played).expect("a legal move");
        };
        *self.ends.entry(end).or_default() += 1;
        self.plies += game.plies().len();
    }
}

/// Run by `make rule-losses`.
#[test]
#[ignore = "minutes long"]
fn nobody_loses_by_the_rule_who_had_a_good_move() {
    let (games, nodes) = (number("RULE_GAMES", 500), number("RULE_NODES", 2500));
    let mut players = [(); 2].map(|()| Searcher::new(16).expect("16 MiB"));
    let mut second = Searcher::new(16).expect("16 MiB");
    let mut tally = Tally::default();
    for number in 0..games {
        tally.play(number, &mut players, &mut second, nodes);
    }
    println!(
        "{games} games of {} plies at {nodes} nodes a move: {:?}; {} third or fourth occurrences \
         with a side at fault, {} of them avoidable",
        tally.plies,
        tally.ends,
        tally.faults,
        tally.avoidable.len()
    );
    assert_eq!(tally.ends.values().sum::<u64>(), games);
    assert!(tally.avoidable.is_empty(), "{}", tally.avoidable.join("\n"));
}
