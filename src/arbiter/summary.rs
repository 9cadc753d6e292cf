//! Counting a match: game by game, and in a summary at its end.

use super::{
    journal::Identity,
    outcome::{Termination, Verdict},
    record::GameRecord,
    sprt::{Decision, Sprt},
    stats::{Tally, figure},
};
use serde::Serialize;
use std::{collections::BTreeMap, fmt};
use xiangqi::types::Side;

/// What one engine spent.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
struct Effort {
    moves: u64,
    millis: f64,
    longest: f64,
    nodes: u64,
    /// Milliseconds of the moves for which nodes are known.
    node_millis: f64,
    node_moves: u64,
    depths: u64,
    depth_moves: u64,
    fouls: u64,
}

impl Effort {
    fn add(&mut self, other: &Self) {
        self.moves += other.moves;
        self.millis += other.millis;
        self.longest = self.longest.max(other.longest);
        self.nodes += other.nodes;
        self.node_millis += other.node_millis;
        self.node_moves += other.node_moves;
        self.depths += other.depths;
        self.depth_moves += other.depth_moves;
        self.fouls += other.fouls;
    }
}

/// What the counts need of a game.
#[derive(Clone, PartialEq, Debug)]
struct Digest {
    half_points: Option<u32>,
    /// Which side the first engine had.
    first_had: Side,
    termination: Termination,
    plies: u64,
    effort: [Effort; 2],
}

impl Digest {
    fn of(record: &GameRecord) -> Self {
        let mut effort = [Effort::default(); 2];
        let first = record.first_side().map_or(0, |side| record.engine_of(side));
        for (number, ply) in record.plies.iter().enumerate() {
            let spent = &mut effort[(first + number) % 2];
            spent.moves += 1;
            spent.millis += ply.millis;
            spent.longest = spent.longest.max(ply.millis);
            if let Some(nodes) = ply.nodes {
                spent.nodes += nodes;
                spent.node_millis += ply.millis;
                spent.node_moves += 1;
            }
            if let Some(depth) = ply.depth {
                spent.depths += u64::from(depth);
                spent.depth_moves += 1;
            }
        }
        for (engine, spent) in effort.iter_mut().enumerate() {
            spent.fouls = record.fouls[record.side_of(engine).index()].into();
        }
        let void = record.end.verdict == Verdict::BothLose;
        Self {
            half_points: (!void).then(|| record.half_points()),
            first_had: record.side_of(0),
            termination: record.end.termination,
            plies: record.plies.len() as u64,
            effort,
        }
    }

    /// The engines whose own failure ended the game.
    fn failed(&self) -> impl Iterator<Item = usize> {
        let is_failure = matches!(
            self.termination,
            Termination::Crash | Termination::Stalled | Termination::Time | Termination::NoStart
        );
        let half_points = self.half_points;
        let lost = move |engine: &usize| match half_points {
            None => true,
            Some(points) => points == if *engine == 0 { 0 } else { 2 },
        };
        (0..2).filter(move |engine| is_failure && lost(engine))
    }
}

/// The state of a match while its games come in, in whatever order.
///
/// The sequential test looks at pairs in their order and at nothing behind the first pair that is
/// not complete. So its decision does not depend on which games end first.
pub struct Standing {
    sprt: Option<Sprt>,
    pairs: Vec<u32>,
    games: BTreeMap<u32, Digest>,
    /// Pairs of the schedule that are complete, up to the first that is not.
    complete: usize,
    in_order: Tally,
    all: Tally,
    decision: Decision,
}

impl Standing {
    /// A match of these pairs, in rising order, none of them played.
    pub fn new(pairs: Vec<u32>, sprt: Option<Sprt>) -> Self {
        Self {
            sprt,
            pairs,
            games: BTreeMap::new(),
            complete: 0,
            in_order: Tally::default(),
            all: Tally::default(),
            decision: Decision::Continue,
        }
    }

    /// Counts a game. A number that was counted before is ignored.
    pub fn add(&mut self, record: &GameRecord) {
        if self.games.contains_key(&record.number) {
            return;
        }
        let digest = Digest::of(record);
        self.all.add_game(digest.half_points);
        self.games.insert(record.number, digest);
        if let Some(points) = self.pair_points(record.pair()).flatten() {
            self.all.add_pair(points);
        }
        self.advance();
    }

    /// Half points of a pair. The outer `None` = not complete, the inner = a game of it is void.
    fn pair_points(&self, pair: u32) -> Option<Option<u32>> {
        let game = |number: u32| self.games.get(&number).map(|digest| digest.half_points);
        let (first, second) = (game(2 * pair)?, game(2 * pair + 1)?);
        Some(first.zip(second).map(|(first, second)| first + second))
    }

    fn advance(&mut self) {
        while self.decision == Decision::Continue
            && let Some(&pair) = self.pairs.get(self.complete)
            && let Some(points) = self.pair_points(pair)
        {
            self.complete += 1;
            for number in [2 * pair, 2 * pair + 1] {
                self.in_order.add_game(self.games[&number].half_points);
            }
            if let Some(points) = points {
                self.in_order.add_pair(points);
            }
            if let Some(sprt) = &self.sprt {
                self.decision = sprt.decide(sprt.llr(&self.in_order));
            }
        }
    }

    /// What the sequential test says; [`Decision::Continue`] without one.
    pub const fn decision(&self) -> Decision {
        self.decision
    }

    /// The counts: up to the deciding pair, and as long as there is none, of all games.
    pub fn tally(&self) -> &Tally {
        if self.decision == Decision::Continue { &self.all } else { &self.in_order }
    }

    /// The log-likelihood ratio of the test, if there is one.
    pub fn llr(&self) -> Option<f64> {
        self.sprt.as_ref().map(|sprt| sprt.llr(&self.in_order))
    }

    /// How many games have come in.
    pub fn finished(&self) -> usize {
        self.games.len()
    }

    /// The summary for engines of these names.
    pub fn summary(&self, names: [String; 2], terms: Terms) -> Summary {
        let counted = |number: u32| {
            self.decision == Decision::Continue
                || self.pairs[..self.complete].binary_search(&(number / 2)).is_ok()
        };
        let mut terminations = BTreeMap::new();
        let mut effort = [Effort::default(); 2];
        let mut plies = 0;
        let mut colours = [Colour::default(); 2];
        for (_, digest) in self.games.iter().filter(|(number, _)| counted(**number)) {
            *terminations.entry(digest.termination.key()).or_insert(0) += 1;
            plies += digest.plies;
            colours[digest.first_had.index()].add(digest.half_points);
            for (sum, part) in effort.iter_mut().zip(&digest.effort) {
                sum.add(part);
            }
        }
        let mut figures =
            [0, 1].map(|engine| EngineFigures::of(names[engine].clone(), &effort[engine]));
        for (_, digest) in self.games.iter().filter(|(number, _)| counted(**number)) {
            for engine in digest.failed() {
                *figures[engine].failures.entry(digest.termination.key()).or_insert(0) += 1;
            }
        }
        Summary::of(names, terms, self, terminations, colours, figures, plies)
    }
}

/// What one engine did on average.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct EngineFigures {
    /// Its name.
    pub name: String,
    /// Moves that it played.
    pub moves: u64,
    /// Milliseconds a move.
    pub time_ms: f64,
    /// The longest move, in milliseconds.
    pub time_max_ms: f64,
    /// Nodes a move, where it reported them.
    pub nodes: f64,
    /// Nodes a second, where it reported nodes.
    pub nps: f64,
    /// Depth in plies, where it reported one.
    pub depth: f64,
    /// Fouls (9.1).
    pub fouls: u64,
    /// Games that it lost by its own failure: `crash`, `stalled`, `time`, `no_start`.
    pub failures: BTreeMap<String, u32>,
}

impl EngineFigures {
    fn of(name: String, effort: &Effort) -> Self {
        let ratio = |sum: f64, count: f64| if count > 0.0 { sum / count } else { 0.0 };
        Self {
            name,
            moves: effort.moves,
            time_ms: ratio(effort.millis, effort.moves as f64),
            time_max_ms: effort.longest,
            nodes: ratio(effort.nodes as f64, effort.node_moves as f64),
            nps: ratio(effort.nodes as f64 * 1000.0, effort.node_millis),
            depth: ratio(effort.depths as f64, effort.depth_moves as f64),
            fouls: effort.fouls,
            failures: BTreeMap::new(),
        }
    }
}

/// The first engine's results with one colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Colour {
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
}

impl Colour {
    fn add(&mut self, half_points: Option<u32>) {
        match half_points {
            Some(2) => self.wins += 1,
            Some(1) => self.draws += 1,
            Some(_) => self.losses += 1,
            None => {}
        }
    }
}

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "+{} ={} -{}", self.wins, self.draws, self.losses)
    }
}

/// What a match was played under.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Terms {
    /// Limits and options of both engines, as on the command line.
    pub engines: [String; 2],
    /// The repetition rules.
    pub rules: String,
    /// Where games began.
    pub openings: String,
    /// The seed.
    pub seed: u64,
    /// The rest: margin, patience, adjudication, fouls.
    pub conditions: String,
}

impl Terms {
    /// Of a match with this identity.
    pub fn of(identity: &Identity, openings: &str) -> Self {
        Self {
            engines: identity.engines.clone(),
            rules: identity.rules.clone(),
            openings: openings.to_owned(),
            seed: identity.seed,
            conditions: identity.conditions.clone(),
        }
    }
}

impl fmt::Display for Terms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [first, second] = &self.engines;
        writeln!(f, "{first} against {second}")?;
        let Self { rules, openings, seed, conditions, .. } = self;
        writeln!(f, "rules={rules} openings={openings} seed={seed} {conditions}")
    }
}

/// The result of a match from the first engine's view.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Summary {
    /// Both names.
    pub engines: [String; 2],
    /// What it was played under.
    pub terms: Terms,
    /// Games counted.
    pub games: u32,
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
    /// Games in which neither side got a point.
    pub void: u32,
    /// Pairs by half points, 0 to 4.
    pub pentanomial: [u32; 5],
    /// Mean score, 0 to 1.
    pub score: Option<f64>,
    /// Elo difference; null where it is infinite.
    pub elo: Option<f64>,
    /// Half of the 95% interval of `elo`; null where it is infinite.
    pub elo_error_95: Option<f64>,
    /// Normalised Elo; null where it is infinite.
    pub nelo: Option<f64>,
    /// Half of its 95% interval; null where it is infinite.
    pub nelo_error_95: Option<f64>,
    /// Likelihood of superiority, 0 to 1.
    pub los: Option<f64>,
    /// Share of draws, 0 to 1.
    pub draw_rate: f64,
    /// Log-likelihood ratio of the sequential test.
    pub llr: Option<f64>,
    /// The sequential test.
    pub sprt: Option<SprtSummary>,
    /// How games ended.
    pub terminations: BTreeMap<String, u32>,
    /// The first engine's results with Red and with Black.
    pub colours: [Colour; 2],
    /// Plies that engines played, a game.
    pub plies_per_game: f64,
    /// What each engine spent.
    pub figures: [EngineFigures; 2],
}

/// A sequential test and its answer.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SprtSummary {
    /// The test, as it is given on the command line.
    pub test: String,
    /// H0 is accepted below this.
    pub lower: f64,
    /// H1 is accepted above this.
    pub upper: f64,
    /// `continue`, `h0` or `h1`.
    pub decision: &'static str,
}

impl Summary {
    fn of(
        engines: [String; 2],
        terms: Terms,
        standing: &Standing,
        terminations: BTreeMap<String, u32>,
        colours: [Colour; 2],
        figures: [EngineFigures; 2],
        plies: u64,
    ) -> Self {
        let tally = standing.tally();
        let estimate = tally.estimate();
        let games = tally.games() + tally.void;
        Self {
            engines,
            terms,
            games,
            wins: tally.wins,
            draws: tally.draws,
            losses: tally.losses,
            void: tally.void,
            pentanomial: tally.pentanomial,
            score: tally.score(),
            elo: estimate.map(|e| e.elo.value).filter(|elo| elo.is_finite()),
            elo_error_95: estimate.map(|e| e.elo.error()).filter(|error| error.is_finite()),
            nelo: estimate.map(|e| e.normalised.value).filter(|nelo| nelo.is_finite()),
            nelo_error_95: estimate.map(|e| e.normalised.error()).filter(|e| e.is_finite()),
            los: estimate.map(|e| e.superiority),
            draw_rate: tally.draw_rate(),
            llr: standing.llr(),
            sprt: standing.sprt.as_ref().map(|sprt| SprtSummary {
                test: sprt.to_string(),
                lower: sprt.lower_bound(),
                upper: sprt.upper_bound(),
                decision: match standing.decision {
                    Decision::Continue => "continue",
                    Decision::AcceptH0 => "h0",
                    Decision::AcceptH1 => "h1",
                },
            }),
            terminations,
            colours,
            plies_per_game: plies as f64 / f64::from(games.max(1)),
            figures,
        }
    }
}

impl Summary {
    /// The engines that crashed, hung, did not start or lost on time, in words; `None` if both
    /// played properly.
    pub fn failures(&self) -> Option<String> {
        let failed = self.figures.iter().filter(|figures| !figures.failures.is_empty());
        let texts: Vec<String> = failed
            .map(|figures| format!("{}: {}", figures.name, counts(&figures.failures)))
            .collect();
        (!texts.is_empty()).then(|| texts.join("; "))
    }
}

/// `mate 3, time 1`.
fn counts(counts: &BTreeMap<String, u32>) -> String {
    let parts = counts.iter().map(|(name, count)| format!("{name} {count}"));
    parts.collect::<Vec<_>>().join(", ")
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [first, second] = &self.engines;
        writeln!(
            f,
            "{first} - {second}: {} games, +{} ={} -{}, {:.1}% draws",
            self.games,
            self.wins,
            self.draws,
            self.losses,
            self.draw_rate * 100.0
        )?;
        let [as_red, as_black] = &self.colours;
        writeln!(f, "with Red {as_red}, with Black {as_black}")?;
        // What is none in JSON has no end; which one, the score says.
        let sign = if self.score.is_some_and(|score| score < 0.5) { -1.0 } else { 1.0 };
        let number = |value: Option<f64>| figure(value.unwrap_or(sign * f64::INFINITY));
        let error = |value: Option<f64>| figure(value.unwrap_or(f64::INFINITY));
        if let Some(score) = self.score {
            writeln!(
                f,
                "score {:.2}%, Elo {} ± {}, normalised {} ± {}, LOS {:.1}%",
                score * 100.0,
                number(self.elo),
                error(self.elo_error_95),
                number(self.nelo),
                error(self.nelo_error_95),
                self.los.unwrap_or_default() * 100.0
            )?;
        }
        if self.pentanomial != [0; 5] {
            writeln!(f, "pairs {:?}", self.pentanomial)?;
        }
        if let (Some(sprt), Some(llr)) = (&self.sprt, self.llr) {
            let SprtSummary { test, lower, upper, decision } = sprt;
            writeln!(f, "SPRT {test}: LLR {llr:.2} ({lower:.2}, {upper:.2}), {decision}")?;
        }
        writeln!(f, "{}; {:.0} plies a game", counts(&self.terminations), self.plies_per_game)?;
        for figures in &self.figures {
            writeln!(
                f,
                "{}: {} moves, {:.2} ms (longest {:.0}), {:.0} nodes, {:.0} nps, depth {:.1}",
                figures.name,
                figures.moves,
                figures.time_ms,
                figures.time_max_ms,
                figures.nodes,
                figures.nps,
                figures.depth
            )?;
        }
        for figures in self.figures.iter().filter(|figures| !figures.failures.is_empty()) {
            writeln!(f, "{} failed: {}", figures.name, counts(&figures.failures))?;
        }
        fmt::Display::fmt(&self.terms, f)
    }
}
