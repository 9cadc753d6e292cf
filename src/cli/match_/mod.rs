//! `chuhe match`: engine against engine.

mod play;

use super::{Failure, source::Source};
use crate::{
    arbiter::{
        Adjudication, EngineSpec, Sprt,
        contest::{Contest, OpeningSource, Shard},
        duration_from_seconds,
        game::Conditions,
        recheck,
    },
    openings::{RandomOpenings, read_openings},
};
use std::{path::PathBuf, time::Duration};
use xiangqi::{records::ReadOptions, rules::RuleSet};

#[derive(clap::Args)]
#[command(
    after_help = "An engine is a list of key=value: name, cmd (without it the built-in engine plays), \
args, dir, proto=ucci|uci, unit=ms|s, ranks=0-9|1-10, restart=on, option.NAME, and limits. Limits: \
tc=60+0.6, tc=40/5400:10/900 (seconds), scheme=6.1 to 6.4, movetime=100 (ms), nodes=10000, depth=8. \
Values with commas stand in double quotes. The protocol is found out where it is not given. Exit \
status: 0 done, 1 the match could not be played, 2 the arguments are off, 3 an engine crashed, hung or \
lost on time."
)]
pub struct Arguments {
    /// An engine; give two
    #[arg(long = "engine", value_name = "KEY=VALUE,...")]
    engines: Vec<String>,
    /// What holds for both engines unless they say otherwise
    #[arg(long, value_name = "KEY=VALUE,...")]
    each: Option<String>,
    /// Games to play; an even number, so that each opening is played with both colours
    #[arg(long, default_value_t = 100)]
    games: u32,
    /// Openings: moves, FENs or EPDs, one a line, or any record; `,plies=N` takes the first N plies of
    /// each; `random` makes them
    #[arg(long, value_name = "FILE[,plies=N]", default_value = "random")]
    openings: String,
    /// Decides the order of the openings, or the random ones
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Games at a time
    #[arg(long, default_value_t = 1)]
    concurrency: usize,
    /// Repetition rules: cn1999, axf or league
    #[arg(long, default_value_t = RuleSet::default())]
    rules: RuleSet,
    /// Stop when this test decides: elo0=0,elo1=5,alpha=0.05,beta=0.05[,model=normalised]
    #[arg(long, value_name = "TEST")]
    sprt: Option<Sprt>,
    /// End games by score: win=SCORE/MOVES,draw=SCORE/MOVES/AFTER,plies=N
    #[arg(long, value_name = "RULES")]
    adjudicate: Option<Adjudication>,
    /// Milliseconds by which a move may come too late
    #[arg(long, default_value_t = 100)]
    margin: u64,
    /// Seconds after which an engine without a clock is taken for hung
    #[arg(long, default_value_t = 120)]
    hang: u64,
    /// Seconds that an engine may take to start
    #[arg(long, default_value = "20", value_parser = duration_from_seconds)]
    startup: Duration,
    /// So many fouls (draw offers in a row) lose; the text of 1999 says 3
    #[arg(long, value_name = "N")]
    fouls: Option<u32>,
    /// Append the games to this file as they end
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// Keep the dialogue with each engine in this folder
    #[arg(long, value_name = "DIR")]
    log: Option<PathBuf>,
    /// Keep finished games in this file, and go on from it
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
    /// Play only part I of N (from 1) of the match
    #[arg(long, value_name = "I/N", value_parser = parse_shard)]
    shard: Option<Shard>,
    /// Play nothing: put the --resume files of several shards together
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["engines", "resume"])]
    merge: Vec<PathBuf>,
    /// Play nothing: judge the games of PGN files again
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["engines", "merge"])]
    check: Vec<PathBuf>,
    /// A line on stderr after every N games, 0 for none; without it after each game where stderr is no
    /// terminal
    #[arg(long, value_name = "N")]
    report: Option<usize>,
    /// Refuse options that an engine did not announce, or values that it does not take
    #[arg(long)]
    strict: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

fn parse_shard(text: &str) -> Result<Shard, String> {
    let off = || format!("'{text}' is no part such as 1/4");
    let (index, count) = text.split_once('/').ok_or_else(off)?;
    let (index, count): (u32, u32) = index.parse().ok().zip(count.parse().ok()).ok_or_else(off)?;
    if (1..=count).contains(&index) { Ok(Shard { index: index - 1, count }) } else { Err(off()) }
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    if !arguments.check.is_empty() {
        check(arguments)
    } else if !arguments.merge.is_empty() {
        play::merge(arguments)
    } else {
        play::play(arguments)
    }
}

impl Arguments {
    fn contest(&self) -> Result<Contest, Failure> {
        let contest = Contest {
            engines: self.specs().map_err(Failure::usage)?,
            games: self.games,
            openings: self.opening_source()?,
            seed: self.seed,
            concurrency: self.concurrency.max(1),
            conditions: Conditions {
                rules: self.rules,
                margin: Duration::from_millis(self.margin),
                hang: Duration::from_secs(self.hang.max(1)),
                adjudication: self.adjudicate.unwrap_or_default(),
                max_fouls: self.fouls,
            },
            shard: self.shard.unwrap_or(Shard { index: 0, count: 1 }),
            startup: self.startup,
            log: self.log.clone(),
        };
        if self.games == 0 || self.games % 2 == 1 {
            return Err(Failure::usage(
                "--games is an even number: each opening is played with both colours",
            ));
        }
        if self.sprt.is_some() && contest.shard.count > 1 {
            return Err(Failure::usage(
                "a part of a match can not be tested by itself: give --sprt when merging",
            ));
        }
        Ok(contest)
    }

    fn specs(&self) -> Result<[EngineSpec; 2], String> {
        let [first, second] = &self.engines[..] else {
            return Err("give --engine twice".to_owned());
        };
        let read = |text: &str, default_name: &str| {
            let mut spec = EngineSpec::default();
            if let Some(each) = &self.each {
                spec.extend(each)?;
            }
            let shared = std::mem::take(&mut spec.limit);
            spec.extend(text)?;
            spec.limit = std::mem::take(&mut spec.limit).or(&shared);
            if spec.name.is_empty() {
                spec.name = default_name.to_owned();
            }
            if spec.limit.is_empty() {
                return Err(format!(
                    "{}: no limit; give --each nodes=10000 or the like",
                    spec.name
                ));
            }
            Ok(spec)
        };
        let specs = [read(first, "A")?, read(second, "B")?];
        if specs[0].name == specs[1].name {
            return Err("the engines need different names".to_owned());
        }
        Ok(specs)
    }

    fn opening_source(&self) -> Result<OpeningSource, Failure> {
        if self.openings == "random" {
            return Ok(OpeningSource::Random(RandomOpenings::default()));
        }
        let (path, plies) = match self.openings.rsplit_once(",plies=") {
            Some((path, plies)) => {
                let plies = plies.parse().map_err(|_| {
                    Failure::usage(format!("'{plies}' is no number of plies of the openings"))
                })?;
                (path, Some(plies))
            }
            None => (self.openings.as_str(), None),
        };
        let fail = |error: &dyn std::fmt::Display| Failure::usage(format!("{path}: {error}"));
        let bytes =
            std::fs::read(path).map_err(|error| Failure::work(format!("{path}: {error}")))?;
        let openings = read_openings(&bytes, self.rules, plies).map_err(|error| fail(&error))?;
        Ok(OpeningSource::List(openings))
    }
}

/// Judges the games of records again, by the rules they name or else those of the command line. A game that cannot be read counts as wrong and stops no other.
fn check(arguments: &Arguments) -> Result<(), Failure> {
    let (mut games, mut wrong) = (0, 0);
    for path in &arguments.check {
        let source = Source::open(path, &ReadOptions::default())?;
        let name = source.name.clone();
        for (number, game) in source.enumerate() {
            let game = game?;
            games += 1;
            let unread = game.failure().map(ToString::to_string);
            if let Some(reason) =
                unread.or_else(|| recheck::recheck(&game.tree, arguments.rules).err())
            {
                wrong += 1;
                let round = game.tree.header("Round").unwrap_or("-");
                eprintln!("{name}: game {}, round {round}: {reason}", number + 1);
            }
        }
    }
    say!("games {games} wrong {wrong}");
    if wrong == 0 { Ok(()) } else { Err(Failure::work(format!("{wrong} games do not fit"))) }
}
