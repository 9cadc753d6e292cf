//! `chuhe match`: engine against engine.

use super::{Failure, source::Source};
use crate::arbiter::{
    Adjudication, Decision, EngineSpec, GameRecord, Sprt, Standing, Summary,
    contest::{self, Contest, OpeningSource, Shard, Workload},
    duration_from_seconds, figure,
    game::Conditions,
    journal::{self, Contents, Identity, Journal},
    pgn, recheck,
};
use crate::{
    disk::open_alone,
    openings::{RandomOpenings, read_openings},
};
use indicatif::{ProgressBar, ProgressStyle};
use std::{
    collections::BTreeSet,
    fs::File,
    io::{Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};
use xiangqi::{records::ReadOptions, rules::RuleSet};

#[derive(clap::Args)]
#[command(
    after_help = "An engine is a list of key=value: name, cmd (without it the built-in engine plays), \
args, dir, proto=ucci|uci, unit=ms|s, ranks=0-9|1-10, restart=on, option.NAME, and limits. Limits: \
tc=60+0.6, tc=40/5400:10/900 (seconds), scheme=6.1 to 6.4, movetime=100 (ms), nodes=10000, depth=8. \
Values with commas stand in double quotes."
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
        check(&arguments.check)
    } else if !arguments.merge.is_empty() {
        merge(arguments)
    } else {
        play(arguments)
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
        let bytes = std::fs::read(path).map_err(|error| fail(&error))?;
        let openings = read_openings(&bytes, self.rules, plies).map_err(|error| fail(&error))?;
        Ok(OpeningSource::List(openings))
    }
}

/// The PGN file of a match.
struct PgnFile {
    file: File,
    engines: [EngineSpec; 2],
    rules: String,
}

impl PgnFile {
    fn open(path: &Path, engines: &[EngineSpec; 2], rules: &str) -> Result<Self, Failure> {
        let mut file = open_alone(path).map_err(|error| Failure::at(path, error))?;
        file.seek(SeekFrom::End(0)).map_err(|error| Failure::at(path, error))?;
        Ok(Self { file, engines: engines.clone(), rules: rules.to_owned() })
    }

    /// Makes the file hold these games from `start` on, where their first one was written. What
    /// stands there must be theirs, as far as it goes.
    fn restore(&mut self, games: &[GameRecord], start: u64) -> std::io::Result<()> {
        let text: String = games.iter().map(|record| self.text(record)).collect();
        let mut there = Vec::new();
        self.file.seek(SeekFrom::Start(start))?;
        self.file.read_to_end(&mut there)?;
        if !text.as_bytes().starts_with(&there) {
            return Err(std::io::Error::other(
                "other games stand where this match's games begin: give it another file",
            ));
        }
        self.file.write_all(&text.as_bytes()[there.len()..])
    }

    fn add(&mut self, record: &GameRecord) -> std::io::Result<()> {
        let text = self.text(record);
        self.file.write_all(text.as_bytes())
    }

    fn text(&self, record: &GameRecord) -> String {
        let sides = xiangqi::types::Side::ALL.map(|side| &self.engines[record.engine_of(side)]);
        let heading = pgn::Heading {
            players: sides.map(|spec| spec.name.clone()),
            limits: sides.map(|spec| spec.limit.to_string()),
            rules: self.rules.clone(),
        };
        pgn::write(record, &heading)
    }
}

impl Failure {
    fn at(path: &Path, error: impl std::fmt::Display) -> Self {
        Self { status: 1, message: format!("{}: {error}", path.display()) }
    }
}

fn file_length(path: &Path) -> u64 {
    std::fs::metadata(path).map_or(0, |data| data.len())
}

fn play(arguments: &Arguments) -> Result<(), Failure> {
    let contest = arguments.contest()?;
    if let Some(folder) = &arguments.log {
        std::fs::create_dir_all(folder).map_err(|error| Failure::at(folder, error))?;
    }
    let pgn_start = arguments.pgn.as_deref().map_or(0, file_length);
    let identity = Identity::of(&contest, pgn_start);
    let (mut journal, contents) = match &arguments.resume {
        Some(path) => {
            let (journal, contents) = Journal::open(path, &identity).map_err(Failure::work)?;
            (Some(journal), contents)
        }
        None => (None, Contents { identity, games: Vec::new() }),
    };
    let mut pgn = open_pgn(arguments, &contest, &contents)?;
    let mut standing = Standing::new(contest.pairs(), arguments.sprt);
    let numbers: BTreeSet<u32> = contest.numbers().into_iter().collect();
    let mut done = BTreeSet::new();
    for record in contents.games.iter().filter(|game| numbers.contains(&game.number)) {
        standing.add(record);
        done.insert(record.number);
    }
    drop(contents);
    let abort = abort_on_signal();
    let names = contest.engines.each_ref().map(|spec| spec.name.clone());
    let bar = progress_bar(numbers.len(), done.len());
    let mut broken = None;
    let load = if standing.decision() == Decision::Continue {
        contest::run(&contest, &done, &abort, &mut |record| {
            // In this order: after a kill the journal tells what the PGN file lacks.
            let kept = journal.as_mut().map_or(Ok(()), |file| file.add(&record));
            let written = pgn.as_mut().map_or(Ok(()), |file| file.add(&record));
            if let Err(error) = kept.and(written) {
                broken = Some(error);
            }
            standing.add(&record);
            bar.set_position(standing.finished() as u64);
            bar.set_message(progress_text(&standing));
            standing.decision() == Decision::Continue && broken.is_none()
        })
        .map_err(Failure::work)?
    } else {
        Workload::default()
    };
    bar.finish_and_clear();
    if let Some(error) = broken {
        return Err(Failure::work(format!("the games can not be written: {error}")));
    }
    show(&standing.summary(names), Some(&load), arguments.json);
    if abort.load(Ordering::Relaxed) {
        return Err(Failure::work("interrupted"));
    }
    Ok(())
}

/// Opens the PGN file. A match that goes on first adds what its journal has more: the kill may have
/// come between the two files.
fn open_pgn(
    arguments: &Arguments,
    contest: &Contest,
    contents: &Contents,
) -> Result<Option<PgnFile>, Failure> {
    let Some(path) = &arguments.pgn else { return Ok(None) };
    let start = contents.identity.pgn_start;
    let mut pgn = PgnFile::open(path, &contest.engines, contest.conditions.rules.name())?;
    if arguments.resume.is_some() {
        // A file that is shorter than it was is another one.
        let start = start.min(file_length(path));
        pgn.restore(&contents.games, start).map_err(|error| Failure::at(path, error))?;
    }
    Ok(Some(pgn))
}

/// A flag that an interrupt from the keyboard or a polite kill sets. The match then ends its
/// children and says how far it came.
fn abort_on_signal() -> Arc<AtomicBool> {
    let abort = Arc::new(AtomicBool::new(false));
    let flag = abort.clone();
    // Without a handler the match still works, it only ends less politely.
    if ctrlc::set_handler(move || flag.store(true, Ordering::Relaxed)).is_err() {
        log::warn!("signals are not handled");
    }
    abort
}

/// A line on stderr, drawn only where that is a terminal.
fn progress_bar(games: usize, done: usize) -> ProgressBar {
    let style = ProgressStyle::with_template("{pos}/{len} {bar:20} {elapsed} eta {eta}  {msg}");
    let bar = ProgressBar::new(games as u64);
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.set_position(done as u64);
    bar.reset_eta();
    bar
}

fn progress_text(standing: &Standing) -> String {
    let tally = standing.tally();
    let elo = tally.estimate().map(|estimate| {
        format!("  Elo {} ± {}", figure(estimate.elo.value), figure(estimate.elo.error()))
    });
    let llr = standing.llr().map(|llr| format!("  LLR {llr:.2}"));
    let (elo, llr) = (elo.unwrap_or_default(), llr.unwrap_or_default());
    format!("+{} ={} -{}{elo}{llr}", tally.wins, tally.draws, tally.losses)
}

/// Puts the games of several shards into one PGN and one summary.
fn merge(arguments: &Arguments) -> Result<(), Failure> {
    let mut parts: Vec<Contents> = Vec::new();
    for path in &arguments.merge {
        let part = journal::read(path).map_err(Failure::work)?;
        if parts.first().is_some_and(|first| !first.identity.same_match(&part.identity)) {
            return Err(Failure::work(format!("{} belongs to a different match", path.display())));
        }
        parts.push(part);
    }
    let identity = parts[0].identity.clone();
    let mut games: Vec<GameRecord> = parts.into_iter().flat_map(|part| part.games).collect();
    games.sort_by_key(|game| game.number);
    games.dedup_by_key(|game| game.number);
    let specs = identity.specs().map_err(Failure::work)?;
    let pairs: BTreeSet<u32> = games.iter().map(GameRecord::pair).collect();
    let mut standing = Standing::new(pairs.into_iter().collect(), arguments.sprt);
    let mut pgn = match &arguments.pgn {
        Some(path) => Some(PgnFile::open(path, &specs, &identity.rules)?),
        None => None,
    };
    for game in &games {
        standing.add(game);
        if let Some(pgn) = &mut pgn {
            pgn.add(game).map_err(Failure::work)?;
        }
    }
    show(&standing.summary(specs.map(|spec| spec.name)), None, arguments.json);
    Ok(())
}

/// Judges the games of records again. A game that cannot be read counts as wrong and stops no other.
fn check(paths: &[PathBuf]) -> Result<(), Failure> {
    let (mut games, mut wrong) = (0, 0);
    for path in paths {
        let source = Source::open(path, &ReadOptions::default())?;
        let name = source.name.clone();
        for (number, game) in source.enumerate() {
            let game = game?;
            games += 1;
            let unread = game.failure().map(ToString::to_string);
            if let Some(reason) = unread.or_else(|| recheck::recheck(&game.tree).err()) {
                wrong += 1;
                let round = game.tree.header("Round").unwrap_or("-");
                eprintln!("{name}: game {}, round {round}: {reason}", number + 1);
            }
        }
    }
    say!("games {games} wrong {wrong}");
    if wrong == 0 { Ok(()) } else { Err(Failure::work(format!("{wrong} games do not fit"))) }
}

/// A number with its noun: `1 worker`, `2 workers`.
fn counted(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

fn show(summary: &Summary, load: Option<&Workload>, json: bool) {
    if json {
        let mut value = serde_json::to_value(summary).unwrap_or_default();
        if let (Some(load), Some(object)) = (load, value.as_object_mut()) {
            object.insert("workers".to_owned(), load.workers.into());
            object.insert("wall_s".to_owned(), load.wall.as_secs_f64().into());
            object.insert("idle".to_owned(), load.idle().into());
        }
        say!("{value}");
    } else {
        say!("{}", summary.to_string().trim_end());
        if let Some(load) = load.filter(|load| load.workers > 0) {
            say!(
                "{}, {:.1} s, {:.1}% idle",
                counted(load.workers, "worker"),
                load.wall.as_secs_f64(),
                load.idle() * 100.0
            );
        }
    }
}
