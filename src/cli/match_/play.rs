//! Playing a match, or putting together what its parts played.

use super::{super::Failure, Arguments};
use crate::arbiter::{
    Decision, EngineSpec, GameRecord, PgnFile, Standing, Summary, Terms,
    contest::{self, Contest, Workload},
    figure,
    journal::{self, Contents, Identity, Journal},
    probe,
};
use indicatif::{ProgressBar, ProgressStyle};
use std::{
    collections::BTreeSet,
    io::{self, IsTerminal},
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

/// Plays what is left of the match.
pub fn play(arguments: &Arguments) -> Result<(), Failure> {
    let mut contest = arguments.contest()?;
    let mut pgn = match &arguments.pgn {
        Some(path) => Some(open_pgn(path, &contest.engines, contest.conditions.rules.name())?),
        None => None,
    };
    let identity = Identity::of(&contest, pgn.as_ref().map_or(0, PgnFile::next_game));
    let (mut journal, contents) = match &arguments.resume {
        Some(path) => {
            let (journal, contents) = Journal::open(path, &identity).map_err(Failure::work)?;
            (Some(journal), contents)
        }
        None => (None, Contents { identity, games: Vec::new() }),
    };
    if let (Some(file), Some(path), Some(_)) = (&mut pgn, &arguments.pgn, &journal) {
        // The kill may have come between the two files.
        let start = contents.identity.pgn_start;
        file.restore(&contents.games, start).map_err(|error| Failure::at(path, error))?;
    }
    let mut standing = Standing::new(contest.pairs(), arguments.sprt);
    let numbers: BTreeSet<u32> = contest.numbers().into_iter().collect();
    let mut done = BTreeSet::new();
    for record in contents.games.iter().filter(|game| numbers.contains(&game.number)) {
        standing.add(record);
        done.insert(record.number);
    }
    let terms = Terms::of(&contents.identity, &arguments.openings);
    drop(contents);
    let abort = abort_on_signal();
    let names = contest.engines.each_ref().map(|spec| spec.name.clone());
    let mut progress = Progress::new(arguments.report, numbers.len(), done.len());
    let mut broken = None;
    let load = if standing.decision() == Decision::Continue && done.len() < numbers.len() {
        make_ready(&mut contest, arguments.strict)?;
        contest::run(&contest, &done, &abort, &mut |record| {
            // In this order: after a kill the journal tells what the PGN file lacks.
            let kept = journal.as_mut().map_or(Ok(()), |file| file.add(&record));
            let written = pgn.as_mut().map_or(Ok(()), |file| file.add(&record));
            if let Err(error) = kept.and(written) {
                broken = Some(error);
            }
            standing.add(&record);
            progress.note(&record, &contest.engines, &standing);
            standing.decision() == Decision::Continue && broken.is_none()
        })
        .map_err(Failure::work)?
    } else {
        Workload::default()
    };
    progress.finish();
    if let Some(error) = broken {
        return Err(Failure::work(format!("the games can not be written: {error}")));
    }
    let summary = standing.summary(names, terms);
    show(&summary, Some(&load), arguments.json);
    if abort.load(Ordering::Relaxed) {
        return Err(Failure::work("interrupted"));
    }
    match summary.failures() {
        Some(failures) => Err(Failure { status: ENGINE_FAILED, message: failures }),
        None => Ok(()),
    }
}

/// The exit status of a match in which an engine crashed, hung, did not start or lost on time.
const ENGINE_FAILED: u8 = 3;

/// Makes the folder for dialogues and starts each engine once, before the first game: one that does
/// not start ends the match here, what it does not take is told, and what it speaks is known.
fn make_ready(contest: &mut Contest, strict: bool) -> Result<(), Failure> {
    if let Some(folder) = &contest.log {
        // A folder that nothing can be written to is better known now than after the match.
        let test = folder.join(".chuhe");
        std::fs::create_dir_all(folder)
            .and_then(|()| std::fs::write(&test, b"the dialogues of a match\n"))
            .and_then(|()| std::fs::remove_file(&test))
            .map_err(|error| Failure::at(folder, error))?;
    }
    for spec in contest.engines.iter_mut().filter(|spec| spec.command.is_some()) {
        if let Some(missing) = contest::missing_program(spec) {
            return Err(Failure::work(missing));
        }
        let greeting = probe(spec, contest.startup)
            .map_err(|why| Failure::work(format!("{}: {why}", spec.name)))?;
        spec.protocol = Some(greeting.protocol);
        for objection in &greeting.objections {
            if strict {
                return Err(Failure::usage(format!("{}: {objection}", spec.name)));
            }
            eprintln!("warning: {}: {objection}", spec.name);
        }
    }
    Ok(())
}

/// Opens the PGN file, and says so if a game at its end had been cut short.
fn open_pgn(path: &Path, engines: &[EngineSpec; 2], rules: &str) -> Result<PgnFile, Failure> {
    let file = PgnFile::open(path, engines, rules).map_err(|error| Failure::at(path, error))?;
    if file.torn_bytes() > 0 {
        eprintln!(
            "{}: {} bytes of an unfinished game at its end give way",
            path.display(),
            file.torn_bytes()
        );
    }
    Ok(file)
}

/// What is shown while games are played: a bar on a terminal, lines elsewhere.
struct Progress {
    bar: ProgressBar,
    every: usize,
    total: usize,
}

impl Progress {
    fn new(every: Option<usize>, total: usize, done: usize) -> Self {
        let every = every.unwrap_or(usize::from(!io::stderr().is_terminal()));
        let bar = if every == 0 { progress_bar(total, done) } else { ProgressBar::hidden() };
        Self { bar, every, total }
    }

    fn note(&mut self, record: &GameRecord, engines: &[EngineSpec; 2], standing: &Standing) {
        let finished = standing.finished();
        self.bar.set_position(finished as u64);
        self.bar.set_message(progress_text(standing));
        if self.every > 0 && finished.is_multiple_of(self.every) {
            let [red, black] = record.names(engines);
            eprintln!(
                "{finished}/{}: game {}, {red} - {black} {} ({}); {}",
                self.total,
                record.number + 1,
                record.end.verdict.pgn(),
                record.end.termination,
                progress_text(standing)
            );
        }
    }

    fn finish(&self) {
        self.bar.finish_and_clear();
    }
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
pub fn merge(arguments: &Arguments) -> Result<(), Failure> {
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
        Some(path) => Some(open_pgn(path, &specs, &identity.rules)?),
        None => None,
    };
    for game in &games {
        standing.add(game);
        if let Some(pgn) = &mut pgn {
            pgn.add(game).map_err(Failure::work)?;
        }
    }
    let openings = format!("those of checksum {}", identity.openings);
    let terms = Terms::of(&identity, &openings);
    show(&standing.summary(specs.map(|spec| spec.name), terms), None, arguments.json);
    Ok(())
}

impl Failure {
    fn at(path: &Path, error: impl std::fmt::Display) -> Self {
        Self { status: 1, message: format!("{}: {error}", path.display()) }
    }
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
