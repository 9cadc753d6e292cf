//! An engine in a process of its own, as a player.

use super::{
    announced::{Announced, objections},
    dialect::{Dialect, Line},
    player::{Answer, NotReady, Player, Task, Thought},
    process::{Dialogue, Process, Silence},
    spec::{EngineSpec, Protocol, Ranks, Unit},
};
use std::{
    path::PathBuf,
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};

/// How much longer than it counts an answer is waited for: a late one shows that the engine lives,
/// and by how much it was late.
const LATE_WAIT: Duration = Duration::from_secs(1);
/// How long a UCCI engine is given to answer `isready`: the referees of its leagues never asked.
const UCCI_READY_WAIT: Duration = Duration::from_secs(2);
/// How often the wish to abort is looked at.
const POLL: Duration = Duration::from_millis(50);

/// A child process that speaks UCCI or UCI. It is started with its first game, and again after it
/// has died or had to be killed.
pub struct External {
    spec: EngineSpec,
    startup: Duration,
    log_path: Option<PathBuf>,
    session: Option<Session>,
}

/// A process with which the greeting is done.
struct Session {
    process: Process,
    dialect: Dialect,
    /// Whether `isready` is worth asking.
    answers_ready: bool,
    /// `stop` and the last answer may have crossed: a UCCI engine that was idle when it was told to
    /// stop says `nobestmove`, and that answers no question.
    stray: bool,
}

impl External {
    /// An engine that may take `startup` to get ready, with its dialogue kept in `log_path`.
    pub fn new(spec: EngineSpec, startup: Duration, log_path: Option<PathBuf>) -> Self {
        Self { spec, startup, log_path, session: None }
    }

    fn start(&self, label: &str) -> Result<Session, String> {
        let log = match &self.log_path {
            Some(path) => {
                let log = Dialogue::open(path).map_err(|e| format!("{}: {e}", path.display()))?;
                log.note("--", &format!("start for {label}"));
                Some(log)
            }
            None => None,
        };
        let (process, protocol, declared) = connect(&self.spec, self.startup, log.as_ref())?;
        let mut dialect = Dialect {
            protocol,
            ranks: self.spec.ranks.unwrap_or(Ranks::FromZero),
            unit: self.spec.unit.unwrap_or(Unit::Seconds),
        };
        if declared.uses_millis && protocol == Protocol::Ucci {
            let millis = self.spec.unit != Some(Unit::Seconds);
            process.send(&dialect.set_option("usemillisec", if millis { "true" } else { "false" }));
            dialect.unit = if millis { Unit::Millis } else { Unit::Seconds };
        }
        let variant_given = self.spec.options.iter().any(|(name, _)| name == "UCI_Variant");
        if protocol == Protocol::Uci && (declared.has_variant || variant_given) {
            if !variant_given {
                process.send(&dialect.set_option("UCI_Variant", "xiangqi"));
            }
            dialect.ranks = self.spec.ranks.unwrap_or(Ranks::FromOne);
        }
        for (name, value) in &self.spec.options {
            process.send(&dialect.set_option(name, value));
        }
        Ok(Session { process, dialect, answers_ready: true, stray: false })
    }

    /// Begins a game with the session there is, or with a new one.
    fn begin(&mut self, label: &str) -> Result<(), String> {
        let mut session = match self.session.take() {
            Some(session) => session,
            None => self.start(label)?,
        };
        session.new_game(self.startup)?;
        self.session = Some(session);
        Ok(())
    }
}

/// What an engine said about itself.
#[derive(Default)]
struct Declared {
    uses_millis: bool,
    has_variant: bool,
    options: Vec<String>,
}

/// What is known of an engine that was started once before a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Greeting {
    /// What it speaks.
    pub protocol: Protocol,
    /// What is wrong with the options that are to be set, in words for the user.
    pub objections: Vec<String>,
}

/// Starts an engine, greets it and lets it go.
///
/// # Errors
/// If it does not start or does not greet back, in words for the user.
pub fn probe(spec: &EngineSpec, startup: Duration) -> Result<Greeting, String> {
    let (_, protocol, declared) = connect(spec, startup, None)?;
    let announced = declared.options.iter();
    let announced: Vec<_> = announced.filter_map(|line| Announced::parse(line, protocol)).collect();
    Ok(Greeting { protocol, objections: objections(&spec.options, &announced) })
}

/// How long an engine of an unknown protocol is given to answer `ucci` before `uci` is tried.
const FIRST_TRY: Duration = Duration::from_secs(3);

/// Starts a process and greets it in its protocol. Where that is not given it is found out: first
/// `ucci`, then `uci`, to a new process if the first one ended over it.
fn connect(
    spec: &EngineSpec,
    startup: Duration,
    log: Option<&Dialogue>,
) -> Result<(Process, Protocol, Declared), String> {
    let launch = || Process::start(spec, log.cloned()).map_err(|error| error.to_string());
    let mut process = launch()?;
    let first = spec.protocol.unwrap_or(Protocol::Ucci);
    let until = Instant::now() + startup;
    let is_open = spec.protocol.is_none();
    process.send(first.greeting());
    let patience = if is_open { startup.min(FIRST_TRY) } else { startup };
    let mut declared = Declared::default();
    let heard = greet(&process, Instant::now() + patience, is_open, &mut declared);
    match heard {
        Ok(Some(protocol)) => return Ok((process, protocol, declared)),
        Err(silence) if !is_open => return Err(not_ready(&mut process, silence)),
        Err(Silence::Closed) => process = launch()?,
        _ => {}
    }
    declared = Declared::default();
    process.send(Protocol::Uci.greeting());
    match greet(&process, until, false, &mut declared) {
        Ok(Some(protocol)) => Ok((process, protocol, declared)),
        Ok(None) => Err(not_ready(&mut process, Silence::Timeout)),
        Err(silence) => Err(not_ready(&mut process, silence)),
    }
}

/// Reads until the engine is ready and says in which protocol. With `may_refuse` a line that calls
/// something unknown ends the wait with `None`: so most engines answer a greeting that is not theirs.
fn greet(
    process: &Process,
    until: Instant,
    may_refuse: bool,
    declared: &mut Declared,
) -> Result<Option<Protocol>, Silence> {
    loop {
        let text = process.hear(until)?.text;
        match Line::parse(&text) {
            Line::Ready(protocol) => return Ok(Some(protocol)),
            Line::UsesMillis => declared.uses_millis = true,
            Line::HasVariant => declared.has_variant = true,
            _ if may_refuse && text.to_ascii_lowercase().contains("unknown") => return Ok(None),
            _ => {}
        }
        if text.trim_start().starts_with("option") && declared.options.len() < MAX_OPTIONS {
            declared.options.push(text);
        }
        if Instant::now() >= until {
            return Err(Silence::Timeout);
        }
    }
}

/// More options than this are not kept.
const MAX_OPTIONS: usize = 1000;

/// Reads until the line that is waited for.
fn wait_for(
    process: &Process,
    until: Instant,
    mut is_it: impl FnMut(Line) -> bool,
) -> Result<(), Silence> {
    loop {
        if is_it(Line::parse(&process.hear(until)?.text)) {
            return Ok(());
        }
        if Instant::now() >= until {
            return Err(Silence::Timeout);
        }
    }
}

/// Why an engine is not ready, in words.
fn not_ready(process: &mut Process, silence: Silence) -> String {
    match silence {
        Silence::Timeout => "it does not get ready".to_owned(),
        Silence::Closed => format!("it ended before it was ready ({})", process.exit_text()),
    }
}

impl Player for External {
    fn start_game(&mut self, label: &str) -> Result<(), NotReady> {
        if self.spec.restart {
            self.session = None;
        }
        let had_one = self.session.is_some();
        let result = self.begin(label).or_else(|error| {
            // Dead since its last game: that game is lost or won already, so it gets a new start.
            if had_one { self.begin(label) } else { Err(error) }
        });
        result.map_err(|error| NotReady(format!("{}: {error}", self.spec.name)))
    }

    fn think(&mut self, task: &Task<'_>) -> Thought {
        let Some(session) = &mut self.session else {
            return Thought::none(Answer::Gone("not started".to_owned()));
        };
        let thought = session.think(task);
        if matches!(thought.answer, Answer::Silent | Answer::Gone(_))
            && let Some(mut session) = self.session.take()
        {
            session.process.kill();
        }
        thought
    }
}

impl Session {
    /// Announces a game and waits until the engine is ready for it.
    fn new_game(&mut self, startup: Duration) -> Result<(), String> {
        self.process.forget_output();
        self.process.send(self.dialect.new_game());
        if !self.answers_ready {
            return Ok(());
        }
        self.process.send("isready");
        let ucci = self.dialect.protocol == Protocol::Ucci;
        let patience = if ucci { startup.min(UCCI_READY_WAIT) } else { startup };
        match wait_for(&self.process, Instant::now() + patience, |line| line == Line::ReadyOk) {
            Ok(()) => Ok(()),
            // It has greeted us, so let it show by playing that it is alive.
            Err(Silence::Timeout) if ucci => {
                self.answers_ready = false;
                Ok(())
            }
            Err(silence) => Err(not_ready(&mut self.process, silence)),
        }
    }

    fn think(&mut self, task: &Task<'_>) -> Thought {
        let dialect = self.dialect;
        let question = dialect.go(task);
        self.process.forget_output();
        self.process.send(&dialect.position(task.game));
        if let Some(bans) = dialect.bans(task.banned) {
            self.process.send(&bans);
        }
        self.process.send(&question);
        self.listen(Instant::now(), task)
    }

    fn listen(&mut self, begin: Instant, task: &Task<'_>) -> Thought {
        let mut thought = Thought::none(Answer::Silent);
        let mut waiting = Waiting::new(begin, task);
        loop {
            if waiting.is_over(&self.process, task.abort) {
                thought.elapsed = begin.elapsed();
                return thought;
            }
            let heard = match self.process.hear(waiting.next_look()) {
                Ok(heard) => heard,
                Err(Silence::Timeout) => continue,
                Err(Silence::Closed) => {
                    thought.answer = Answer::Gone(self.process.exit_text());
                    thought.elapsed = begin.elapsed();
                    return thought;
                }
            };
            match Line::parse(&heard.text) {
                Line::Info { score, depth, nodes } => {
                    thought.score = score.or(thought.score);
                    thought.depth = depth.or(thought.depth);
                    thought.nodes = nodes.or(thought.nodes);
                }
                Line::NoBestMove if self.stray => self.stray = false,
                line => {
                    if let Some(answer) = self.answer(line) {
                        self.stray = waiting.stopped;
                        thought.answer = answer;
                        thought.elapsed = heard.at.saturating_duration_since(begin);
                        return thought;
                    }
                }
            }
        }
    }

    fn answer(&self, line: Line) -> Option<Answer> {
        match line {
            Line::NoBestMove => Some(Answer::NoMove),
            Line::BestMove { resign: true, .. } => Some(Answer::Resign),
            Line::BestMove { text, draw, .. } => Some(match self.dialect.read_move(&text) {
                Some(played) => Answer::Play { played, draw },
                None => Answer::Unreadable(text.chars().take(40).collect()),
            }),
            _ => None,
        }
    }
}

/// How long to wait for an answer: until the deadline, then after `stop`, then not at all.
struct Waiting {
    deadline: Instant,
    last: Instant,
    stopped: bool,
}

impl Waiting {
    fn new(begin: Instant, task: &Task<'_>) -> Self {
        let deadline = begin + task.deadline;
        Self { deadline, last: deadline + task.grace + LATE_WAIT, stopped: false }
    }

    /// Sends `stop` when that is due. Whether it is no use to wait any longer.
    fn is_over(&mut self, process: &Process, abort: &AtomicBool) -> bool {
        let now = Instant::now();
        if !self.stopped && now >= self.deadline {
            process.send("stop");
            self.stopped = true;
        }
        now >= self.last || abort.load(Ordering::Relaxed)
    }

    fn next_look(&self) -> Instant {
        let next = if self.stopped { self.last } else { self.deadline };
        next.min(Instant::now() + POLL)
    }
}
