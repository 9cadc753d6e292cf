//! One game: asks the players in turn, keeps the clocks, and applies the rules.

use super::{
    adjudicate::Adjudication,
    bans::banned_moves,
    clock::GameClock,
    limit::Limit,
    outcome::{End, Termination, Verdict},
    player::{Answer, Player, Task, Thought},
    record::PlyRecord,
};
use crate::openings::Opening;
use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};
use xiangqi::{
    game::Game,
    rules::{self, RuleSet},
    types::{Move, Side},
};

/// What holds for every game of a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Conditions {
    /// The repetition rules.
    pub rules: RuleSet,
    /// How much later than its clock a move may come.
    pub margin: Duration,
    /// When an engine without a clock is taken for hung.
    pub hang: Duration,
    /// Ending games by score.
    pub adjudication: Adjudication,
    /// So many fouls lose (4.1.8 says three); `None` = fouls are only counted.
    pub max_fouls: Option<u32>,
}

impl Default for Conditions {
    fn default() -> Self {
        Self {
            rules: RuleSet::default(),
            margin: Duration::from_millis(100),
            hang: Duration::from_secs(120),
            adjudication: Adjudication::default(),
            max_fouls: None,
        }
    }
}

/// A game that came to its end.
#[derive(Clone, PartialEq, Debug)]
pub struct Played {
    /// What the engines played.
    pub plies: Vec<PlyRecord>,
    /// How it ended.
    pub end: End,
    /// Fouls of Red and Black.
    pub fouls: [u32; 2],
}

/// Plies without a capture after which `nobestmove` is taken for an engine's own natural limit
/// (ElephantEye counts 50 rounds).
const OWN_LIMIT_PLIES: u16 = 100;

/// Plays a game. The players and limits stand in the order Red, Black. `None` if `abort` was set
/// on the way, or if the opening is no game.
pub fn play<'a>(
    opening: &Opening,
    players: [&'a mut dyn Player; 2],
    limits: [&'a Limit; 2],
    conditions: &'a Conditions,
    label: &str,
    abort: &AtomicBool,
) -> Option<Played> {
    let mut table = Table::new(opening.game().ok()?, players, limits, conditions);
    let mut end = table.seat(label);
    let end = loop {
        if abort.load(Ordering::Relaxed) {
            return None;
        }
        match end {
            Some(end) => break end,
            None => end = table.turn(abort),
        }
    };
    Some(Played { plies: table.plies, end, fouls: table.fouls })
}

/// The state of a game in progress.
struct Table<'a> {
    game: Game,
    players: [&'a mut dyn Player; 2],
    limits: [&'a Limit; 2],
    conditions: &'a Conditions,
    clocks: [Option<GameClock>; 2],
    plies: Vec<PlyRecord>,
    fouls: [u32; 2],
    offer: Option<Side>,
    last_offer: Option<Side>,
}

impl<'a> Table<'a> {
    fn new(
        game: Game,
        players: [&'a mut dyn Player; 2],
        limits: [&'a Limit; 2],
        conditions: &'a Conditions,
    ) -> Self {
        let clocks = limits.map(|limit| limit.control.as_ref().map(GameClock::new));
        Self {
            game,
            players,
            limits,
            conditions,
            clocks,
            plies: Vec::new(),
            fouls: [0; 2],
            offer: None,
            last_offer: None,
        }
    }

    /// Makes both players ready. A player that is not loses; if neither is, both do (21.3).
    fn seat(&mut self, label: &str) -> Option<End> {
        let [red, black] = Side::ALL
            .map(|side| self.players[side.index()].start_game(&format!("{label}, {side}")).err());
        let (side, reason) = match (red, black) {
            (None, None) => return None,
            (Some(red), None) => (Side::Red, red.0),
            (None, Some(black)) => (Side::Black, black.0),
            (Some(red), Some(black)) => {
                return Some(End {
                    verdict: Verdict::BothLose,
                    termination: Termination::NoStart,
                    detail: format!("{}; {}", red.0, black.0),
                });
            }
        };
        Some(End::loss(side, Termination::NoStart).because(reason))
    }

    /// One ply. Returns the end of the game if this was it.
    fn turn(&mut self, abort: &AtomicBool) -> Option<End> {
        let side = self.game.position().side();
        let thought = self.ask(side, abort);
        if let Some(end) = self.judge_answer(side, &thought) {
            return Some(end);
        }
        let Answer::Play { played, draw } = thought.answer else { return None };
        if draw && self.offer == Some(!side) {
            return Some(End::draw(Termination::DrawAgreed));
        }
        if let Err(end) = self.check_move(side, played) {
            return Some(end);
        }
        self.game.play_legal(played);
        self.write_down(side, played, &thought);
        if let Some(end) = self.judge_board(side) {
            return Some(end);
        }
        self.note_offer(side, draw)
    }

    fn ask(&mut self, side: Side, abort: &AtomicBool) -> Thought {
        let view = |side: Side| self.clocks[side.index()].as_ref().map(GameClock::view);
        let limit = self.limits[side.index()];
        let banned = banned_moves(&self.game, self.conditions.rules);
        let timed = [view(side).map(|clock| clock.remaining), limit.move_time];
        let deadline = timed.into_iter().flatten().min();
        let task = Task {
            game: &self.game,
            limit,
            own: view(side),
            other: view(!side),
            banned: &banned,
            draw_offered: self.offer == Some(!side),
            deadline: deadline.unwrap_or(self.conditions.hang),
            grace: self.conditions.margin,
            abort,
        };
        self.players[side.index()].think(&task)
    }

    /// Everything that ends the game before a move is looked at: no move, or one that comes too
    /// late.
    fn judge_answer(&mut self, side: Side, thought: &Thought) -> Option<End> {
        let lose = |termination| Some(End::loss(side, termination));
        match &thought.answer {
            Answer::Gone(reason) => {
                return Some(End::loss(side, Termination::Crash).because(reason));
            }
            Answer::Silent if self.is_timed(side) => return lose(Termination::Time),
            Answer::Silent => return lose(Termination::Stalled),
            _ => {}
        }
        if let Some(end) = self.judge_time(side, thought.elapsed) {
            return Some(end);
        }
        match &thought.answer {
            Answer::Resign => lose(Termination::Resignation),
            Answer::NoMove if self.game.position().halfmove_clock() >= OWN_LIMIT_PLIES => {
                Some(End::draw(Termination::LimitClaimed))
            }
            Answer::NoMove => lose(Termination::NoMove),
            Answer::Unreadable(text) => {
                Some(End::loss(side, Termination::IllegalMove).because(format!("'{text}'")))
            }
            _ => None,
        }
    }

    fn is_timed(&self, side: Side) -> bool {
        self.clocks[side.index()].is_some() || self.limits[side.index()].move_time.is_some()
    }

    fn judge_time(&mut self, side: Side, used: Duration) -> Option<End> {
        let margin = self.conditions.margin;
        let late = self.limits[side.index()]
            .move_time
            .filter(|&time| used > time + margin)
            .map(|time| used - time);
        let overdue = self.clocks[side.index()]
            .as_mut()
            .and_then(|clock| clock.spend(used, margin).err())
            .map(|overdue| overdue.0);
        late.or(overdue).map(|by| {
            End::loss(side, Termination::Time).because(format!("{} ms too late", by.as_millis()))
        })
    }

    /// Whether the move may be played (4.1.2, 4.1.6).
    fn check_move(&self, side: Side, played: Move) -> Result<(), End> {
        let position = self.game.position();
        if position.is_legal(played) {
            return Ok(());
        }
        let termination = if position.is_pseudo_legal(played) && faces_king(&self.game, played) {
            Termination::FacingGenerals
        } else {
            Termination::IllegalMove
        };
        Err(End::loss(side, termination).because(format!("'{played}'")))
    }

    fn write_down(&mut self, side: Side, played: Move, thought: &Thought) {
        let clock = self.clocks[side.index()].as_ref();
        self.plies.push(PlyRecord {
            played: played.to_string(),
            millis: (thought.elapsed.as_secs_f64() * 1e6).round() / 1e3,
            clock: clock.map(|clock| clock.remaining().as_millis() as u64),
            score: thought.score,
            depth: thought.depth,
            nodes: thought.nodes,
        });
    }

    /// What the rules say after a move of `side`. Mate and stalemate come before everything else.
    fn judge_board(&self, side: Side) -> Option<End> {
        let rules = self.conditions.rules;
        board_verdict(&self.game, rules).or_else(|| {
            let scores: Vec<_> = self.plies.iter().map(|ply| ply.score).collect();
            self.conditions.adjudication.verdict(side, &scores, self.game.plies().len())
        })
    }

    /// Keeps a draw offer for the opponent to answer. A side may not offer twice in a row
    /// (23.1): the second offer is a foul (9.1.3) and is not passed on.
    fn note_offer(&mut self, side: Side, draw: bool) -> Option<End> {
        self.offer = None;
        if !draw {
            return None;
        }
        if self.last_offer != Some(side) {
            self.offer = Some(side);
            self.last_offer = Some(side);
            return None;
        }
        self.fouls[side.index()] += 1;
        let lost = self.conditions.max_fouls.is_some_and(|max| self.fouls[side.index()] >= max);
        lost.then(|| End::loss(side, Termination::Fouls).because("draw offers in a row"))
    }
}

/// Whether a pseudo-legal move of the mover leaves its king on an open file with the other king.
fn faces_king(game: &Game, played: Move) -> bool {
    let mut position = game.position().clone();
    let us = position.side();
    position.make(played);
    let king = position.king(us);
    let attackers = position.king_attackers(us, king, position.occupied());
    attackers.contains(position.king(!us))
}

/// What the rules alone say of a game as it stands: the end, or `None` if it goes on.
pub fn board_verdict(game: &Game, rules: RuleSet) -> Option<End> {
    rules::outcome(game, rules).map(End::from)
}
