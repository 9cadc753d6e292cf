//! The state machine: commands and news of the search in, replies out.
//!
//! States: before the handshake (no dialect yet), idle, thinking. Each `go` is answered exactly
//! once; a command that its state does not allow is ignored.

use super::{
    command::{self, Command, Go, Placement, Start, Token, excerpt},
    console,
    coordinates::Ranks,
    engine::Engine,
    manners::{Manners, Word},
    options::{self, Id, Settings, Spec},
    output::Output,
    reply::{Dialect, Line, Reply, Voice},
    temper,
    thinking::{Event, Hold, Thinking},
    timing,
};
use crate::{
    eval::Score,
    search::{Outcome, Searcher, bench},
};
use std::{collections::VecDeque, io::Write, time::Instant};
use xiangqi::{
    board::{MAX_PERFT_DEPTH, Position},
    game::Game,
    notation::decode,
    types::Move,
};

/// Whether the session goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[must_use]
pub enum Flow {
    /// It does.
    Continue,
    /// The client has said goodbye.
    Quit,
}

/// One client's session.
pub struct Session<W> {
    out: Output<W>,
    /// `None` before the handshake.
    dialect: Option<Dialect>,
    /// The numbering of ranks that the UCI client seems to use.
    seen_ranks: Ranks,
    settings: Settings,
    engine: Engine,
    game: Game,
    banned: Vec<Move>,
    thinking: Option<Thinking>,
    manners: Manners,
    /// Where chance comes from in this game.
    seed: u64,
    /// Commands that came while something was counted.
    waiting: VecDeque<Vec<u8>>,
    /// The input has ended, and the program ends with the last count.
    is_ending: bool,
}

impl<W: Write> Session<W> {
    /// A session that talks to this writer. Nothing slow happens here: clients wait for the
    /// handshake.
    pub fn new(writer: W) -> Self {
        Self {
            out: Output::new(writer),
            dialect: None,
            seen_ranks: Ranks::default(),
            settings: Settings::default(),
            engine: Engine::default(),
            game: Game::default(),
            banned: Vec::new(),
            thinking: None,
            manners: Manners::default(),
            seed: rand::random(),
            waiting: VecDeque::new(),
            is_ending: false,
        }
    }

    /// The work in progress, if there is some.
    pub const fn thinking(&self) -> Option<&Thinking> {
        self.thinking.as_ref()
    }

    /// Whether no command may be read now: `batch` is on and the work in progress will end by
    /// itself.
    pub fn is_deaf(&self) -> bool {
        self.settings.batch && self.thinking.as_ref().is_some_and(|t| t.hold == Hold::None)
    }

    /// Whether the client is gone.
    pub const fn is_abandoned(&self) -> bool {
        self.out.is_broken()
    }

    // --- speaking ---

    fn dialect(&self) -> Dialect {
        self.dialect.unwrap_or_default()
    }

    fn ranks(&self) -> Ranks {
        let auto = match self.dialect() {
            Dialect::Ucci => Ranks::FromZero,
            Dialect::Uci => self.seen_ranks,
        };
        self.settings.ranks.unwrap_or(auto)
    }

    fn say(&mut self, reply: &Reply) {
        let voice = Voice {
            dialect: self.dialect(),
            ranks: self.ranks(),
            wdl: self.settings.show_wdl,
            multi_pv: self.settings.multi_pv > 1,
        };
        if let Some(text) = reply.text(voice) {
            self.out.line(&text);
        }
    }

    fn message(&mut self, text: impl Into<String>) {
        self.say(&Reply::Message(text.into()));
    }

    /// Says something that only matters to who looks for a fault.
    fn remark(&mut self, text: impl FnOnce() -> String) {
        if self.settings.debug {
            self.message(text());
        }
    }

    // --- commands ---

    /// Handles one line of input.
    pub fn line(&mut self, line: &[u8]) -> Flow {
        let command = command::parse(line);
        log::debug!("read {}", excerpt(&decode(line)));
        match command {
            // A count or a bench is worked through before what was typed after it (as Stockfish
            // does), so that a pipe gets its totals.
            Command::Stop if self.is_counting() && !self.work_waits() => self.stop(),
            _ if self.is_counting() => self.waiting.push_back(line.to_vec()),
            Command::Quit => return self.quit(),
            Command::IsReady => {
                if self.thinking.is_none() {
                    self.prepare_engine();
                }
                self.say(&Reply::ReadyOk);
            }
            Command::Help => self.say(&Reply::Text(console::HELP.to_owned())),
            Command::Display => self.say(&Reply::Text(console::display(&self.game))),
            Command::Eval => {
                self.say(&Reply::Text(console::evaluation(&self.game, self.engine.backend())))
            }
            _ if self.thinking.is_some() => self.while_thinking(command, line),
            _ => self.while_idle(command, line),
        }
        Flow::Continue
    }

    fn while_idle(&mut self, command: Command, line: &[u8]) {
        match command {
            Command::Ucci => self.handshake(Dialect::Ucci),
            Command::Uci => self.handshake(Dialect::Uci),
            Command::Perft(depth) => self.perft(depth),
            Command::Bench(depth) => self.bench(depth),
            // All else has to wait for the handshake.
            _ if self.dialect.is_none() => {}
            Command::SetOption(text) => self.set_option(&text),
            Command::Debug(on) => self.settings.debug = on,
            Command::NewGame => self.new_game(),
            Command::Position(place) => self.position(&place),
            Command::BanMoves(moves) => self.ban_moves(&moves),
            Command::Go(go) => self.go(&go),
            Command::Probe(place) => self.probe(&place),
            Command::Stop if self.dialect() == Dialect::Ucci => self.say(&Reply::NoBestMove),
            _ => self.remark(|| format!("ignored: {}", excerpt(&decode(line)))),
        }
    }

    fn while_thinking(&mut self, command: Command, line: &[u8]) {
        match command {
            // The client may send the next position right behind, so the answer comes first.
            Command::Stop => self.stop(),
            Command::PonderHit { draw } => self.ponderhit(draw),
            Command::Probe(place) => self.probe(&place),
            _ => self.remark(|| format!("ignored while thinking: {}", excerpt(&decode(line)))),
        }
    }

    /// Whether a count or a bench is at work.
    fn is_counting(&self) -> bool {
        self.thinking.as_ref().is_some_and(|t| t.is_console)
    }

    /// Whether work waits behind a count: a `stop` typed now is meant for that.
    fn work_waits(&self) -> bool {
        self.waiting.iter().any(|line| {
            matches!(command::parse(line), Command::Go(_) | Command::Perft(_) | Command::Bench(_))
        })
    }

    /// The input has ended: what was asked for before is still done.
    pub fn input_ended(&mut self) -> Flow {
        if self.is_counting() {
            self.is_ending = true;
            return Flow::Continue;
        }
        self.quit()
    }

    /// Whether the input has ended, and only the last count is waited for.
    pub const fn is_ending(&self) -> bool {
        self.is_ending
    }

    fn handshake(&mut self, dialect: Dialect) {
        self.dialect = Some(dialect);
        self.say(&Reply::Handshake);
    }

    fn new_game(&mut self) {
        self.manners = Manners::default();
        self.seed = rand::random();
        self.engine.clear();
    }

    /// Leaves: a search is stopped and answered, then `bye`.
    pub fn quit(&mut self) -> Flow {
        // What waits for the end of a count is not wanted any more.
        self.waiting.clear();
        if let Some(thinking) = &mut self.thinking {
            thinking.stop();
        }
        self.finish();
        self.say(&Reply::Bye);
        Flow::Quit
    }

    // --- options ---

    fn set_option(&mut self, text: &str) {
        #[cfg(feature = "tune")]
        if crate::search::params::tune::set_by_text(text) {
            return;
        }
        let Some((spec, value)) = options::resolve(text) else {
            self.remark(|| format!("no such option: {}", excerpt(text)));
            return;
        };
        if !self.settings.set(spec, value) {
            self.remark(|| format!("option {}: no such value: {}", spec.ucci, excerpt(value)));
            return;
        }
        self.apply(spec);
        self.remark(|| format!("option {} set", spec.ucci));
    }

    /// Lets an option that was just set take effect, where it does not by its mere value.
    fn apply(&mut self, spec: &Spec) {
        let messages = match spec.id {
            Id::HashSize => self.engine.set_hash(&self.settings),
            Id::Threads => vec![self.engine.set_threads(&self.settings)],
            Id::EvalFile => vec![self.engine.load_evaluation(&self.settings)],
            Id::RepetitionRule => return self.engine.set_rules(&self.settings),
            Id::NewGame => return self.new_game(),
            // What was learnt before was learnt with another taste.
            Id::ClearHash | Id::Randomness | Id::Style | Id::AnalyseMode => {
                return self.engine.clear();
            }
            // A GUI that hands back every option it was shown (TCHESS) writes ranks 0-9 all the same;
            // this one comes after the variant.
            Id::Ranks if self.settings.ranks.is_none() => {
                return self.seen_ranks = Ranks::FromZero;
            }
            Id::Variant if self.dialect() == Dialect::Uci => {
                return self.seen_ranks = Ranks::FromOne;
            }
            _ => return,
        };
        for message in messages {
            self.message(message);
        }
    }

    /// Makes sure that there is an engine to search with.
    fn prepare_engine(&mut self) {
        for message in self.engine.prepare(&self.settings) {
            self.message(message);
        }
    }

    // --- positions ---

    /// Notes what a text tells of the numbering of ranks.
    fn observe(&mut self, tokens: &[Token]) {
        let revealed = tokens.iter().rev().find_map(|token| match token {
            Token::Move(written) => written.reveals(),
            Token::Other(_) => None,
        });
        self.seen_ranks = revealed.unwrap_or(self.seen_ranks);
    }

    /// The game that a text describes, and what is wrong with it. No game: the FEN is bad. A game
    /// and a complaint: it goes up to the first illegal move.
    fn build_game(&mut self, place: &Placement) -> (Option<Game>, Option<String>) {
        let start = match &place.start {
            Start::Standard => Ok(Position::start()),
            Start::Fen(fen) => fen.parse(),
        };
        let start = match start {
            Ok(start) => start,
            Err(error) => return (None, Some(format!("bad FEN: {error}"))),
        };
        let says_red = |fen: &str| fen.split_ascii_whitespace().nth(1) == Some("r");
        if place.bare || matches!(&place.start, Start::Fen(fen) if says_red(fen)) {
            self.seen_ranks = Ranks::FromZero;
        }
        self.observe(&place.moves);
        let ranks = self.ranks();
        let mut game = Game::new(start);
        for (n, token) in place.moves.iter().enumerate() {
            let played = match token {
                Token::Move(written) => written.read(ranks).is_some_and(|m| game.play(m).is_ok()),
                Token::Other(_) => false,
            };
            if !played {
                let text = match token {
                    Token::Move(written) => written.to_string(),
                    Token::Other(text) => text.to_string(),
                };
                let complaint =
                    format!("illegal move {text} (number {}): dropped with the rest", n + 1);
                return (Some(game), Some(complaint));
            }
        }
        (Some(game), None)
    }

    fn position(&mut self, place: &Placement) {
        let (game, complaint) = self.build_game(place);
        if let Some(game) = game {
            self.game = game;
            self.banned.clear();
        }
        if let Some(complaint) = complaint {
            self.message(complaint);
        }
    }

    /// The moves of a list that are legal now.
    fn legal(&mut self, tokens: &[Token]) -> Vec<Move> {
        self.observe(tokens);
        let ranks = self.ranks();
        let moves = tokens.iter().filter_map(|token| match token {
            Token::Move(written) => written.read(ranks),
            Token::Other(_) => None,
        });
        moves.filter(|&m| self.game.position().is_legal(m)).collect()
    }

    fn ban_moves(&mut self, tokens: &[Token]) {
        let mut moves = self.legal(tokens);
        self.banned.append(&mut moves);
        self.banned.sort_unstable();
        self.banned.dedup();
    }

    /// Tells what the hash table knows of a position, also while the search fills it.
    fn probe(&mut self, place: &Placement) {
        let (game, complaint) = self.build_game(place);
        if let Some(complaint) = complaint {
            self.message(complaint);
        }
        let hit = game.and_then(|game| self.engine.look_up(game.position()));
        self.say(&Reply::PopHash(hit));
    }

    // --- thinking ---

    fn perft(&mut self, depth: u32) {
        let ranks = self.ranks();
        let position = self.game.position().clone();
        let depth = depth.min(MAX_PERFT_DEPTH);
        self.thinking = Some(Thinking::count(position, depth, move |m| ranks.show(m)));
    }

    fn bench(&mut self, depth: Option<u32>) {
        match Searcher::new(bench::HASH_MEBIBYTES) {
            Ok(searcher) => {
                let depth = depth.unwrap_or(bench::DEPTH);
                self.thinking = Some(Thinking::bench(searcher, depth));
            }
            Err(error) => self.message(error.to_string()),
        }
    }

    fn go(&mut self, go: &Go) {
        if go.depth == Some(0) {
            self.answer_statically();
            return;
        }
        let only = self.legal(&go.searchmoves);
        if only.is_empty() && !go.searchmoves.is_empty() {
            self.message("none of the searchmoves is legal: all moves are searched");
        }
        let side = self.game.position().side();
        let banned = self.banned.clone();
        if let Some(word) = go.unread {
            self.message(format!("go: no number that can be read behind {word}"));
        }
        let limits = timing::limits(go, self.dialect(), &self.settings, side, banned, only);
        let limits = temper::temper(limits, &self.settings, self.seed);
        let hold = match (go.ponder, limits.is_endless()) {
            (true, _) => Hold::Ponder,
            (false, true) => Hold::Infinite,
            (false, false) => Hold::None,
        };
        self.prepare_engine();
        match self.engine.take() {
            Some(searcher) => {
                let game = self.game.clone();
                self.thinking = Some(Thinking::search(searcher, game, limits, hold, go.draw));
            }
            None => self.answer_anyhow("there is no memory to search with"),
        }
    }

    fn stop(&mut self) {
        let Some(thinking) = &mut self.thinking else { return };
        thinking.stop();
        // A count ends in its own time, and what waits behind it begins then.
        if !thinking.is_console {
            self.finish();
        }
    }

    fn ponderhit(&mut self, draw: bool) {
        if let Some(thinking) = &mut self.thinking {
            thinking.draw_offered |= draw;
            thinking.ponderhit();
        }
        self.answer_if_due();
    }

    /// Waits for the end of the work that was told to stop, and answers.
    fn finish(&mut self) {
        self.answer_if_due();
        while let Some(thinking) = &self.thinking {
            let event = thinking.wait();
            // What waited is gone: the work was told to stop.
            let _ = self.event(event);
        }
    }

    /// Handles news of the work in progress.
    pub fn event(&mut self, event: Event) -> Flow {
        match event {
            Event::Line(line) => {
                if let Some(thinking) = &mut self.thinking {
                    thinking.brake.push(line);
                }
                self.print_due_lines();
            }
            Event::Searched(searcher, outcome) => {
                self.engine.put_back(searcher);
                if let Some(thinking) = &mut self.thinking {
                    thinking.held = Some(outcome);
                }
                self.answer_if_due();
            }
            Event::Text(text) => self.say(&Reply::Text(text)),
            Event::Finished(text) => {
                self.thinking = None;
                self.say(&Reply::Text(text));
                return self.catch_up();
            }
            Event::Failed => {
                self.thinking = None;
                self.answer_anyhow("the search has failed; this is a bug");
            }
        }
        Flow::Continue
    }

    /// Handles the commands that came while something was counted, in their order.
    fn catch_up(&mut self) -> Flow {
        while !self.is_counting() {
            let Some(line) = self.waiting.pop_front() else {
                return if self.is_ending { self.quit() } else { Flow::Continue };
            };
            if self.line(&line) == Flow::Quit {
                return Flow::Quit;
            }
        }
        Flow::Continue
    }

    /// Prints the info lines that may pass now.
    pub fn print_due_lines(&mut self) {
        let now = Instant::now();
        while let Some(line) = self.thinking.as_mut().and_then(|t| t.brake.next(now)) {
            self.print(line);
        }
    }

    /// Prints a line, and under it why it is won or lost by rule if that is news.
    fn print(&mut self, mut line: Line) {
        let note = line.rule.take();
        self.say(&Reply::Info(line));
        let Some(thinking) = &mut self.thinking else { return };
        if note.is_some() && note != thinking.explained {
            thinking.explained.clone_from(&note);
            if let Some(note) = note {
                self.say(&Reply::Rule(note));
            }
        }
    }

    /// Answers a finished search, unless it has to wait for `stop` or `ponderhit`.
    fn answer_if_due(&mut self) {
        let Some(thinking) = &mut self.thinking else { return };
        if thinking.hold != Hold::None {
            return;
        }
        let Some(outcome) = thinking.held.take() else { return };
        while let Some(line) = self.thinking.as_mut().and_then(|t| t.brake.held_next()) {
            self.print(line);
        }
        let Some(thinking) = self.thinking.take() else { return };
        let word = if thinking.plays {
            let offered = thinking.draw_offered;
            self.manners.say(&outcome, &self.game, offered, &self.settings)
        } else {
            Word::default()
        };
        self.answer(&outcome, word);
    }

    fn answer(&mut self, outcome: &Outcome, word: Word) {
        let Some(best) = outcome.best else {
            self.report_lost_root();
            self.say(&Reply::NoBestMove);
            return;
        };
        let ponder = outcome.ponder.filter(|&reply| self.is_legal_after(best, reply));
        self.say(&Reply::BestMove { best, ponder, draw: word.draw, resign: word.resign });
    }

    /// Whether `reply` is legal once `best` has been played.
    fn is_legal_after(&self, best: Move, reply: Move) -> bool {
        let mut position = self.game.position().clone();
        position.is_legal(best) && {
            position.make(best);
            position.is_legal(reply)
        }
    }

    /// A mover without a legal move is mated or stalemated: the score says so.
    fn report_lost_root(&mut self) {
        if !self.game.position().has_legal_move() {
            self.say(&Reply::Info(Line::of_static(Score::mated_in(0))));
        }
    }

    /// `go depth 0`: a score and no move.
    fn answer_statically(&mut self) {
        if self.game.position().has_legal_move() {
            let score = self.engine.backend().evaluate(self.game.position());
            self.say(&Reply::Info(Line::of_static(score)));
        }
        self.answer(&Outcome::default(), Word::default());
    }

    /// Answers with any move that may be played, after something went wrong.
    fn answer_anyhow(&mut self, why: &str) {
        self.message(why);
        let moves = self.game.position().legal_moves();
        let best = moves.into_iter().find(|m| !self.banned.contains(m));
        self.answer(&Outcome { best, ..Outcome::default() }, Word::default());
    }
}
