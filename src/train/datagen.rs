//! Games of the engine against itself, for training.
//!
//! The number of a game decides it, given the settings and this version of the search: its opening
//! comes from seed and number, the searches are limited by nodes, and nothing is remembered from one
//! game to the next.

use super::{
    format::{Ending, GameRecord, Header, MAX_PLIES, ScoredMove},
    opening::{OpeningLines, random_opening},
    parallel::{WorkError, try_in_order},
    record::WinDrawLoss,
};
use crate::{
    eval::{Backend, Score},
    hash::fnv_1a,
    search::{HashError, Limits, Outcome, Searcher},
};
use rand::{SeedableRng, rngs::StdRng};
use std::ops::{ControlFlow, Range};
use xiangqi::{
    board::Position,
    game::Game,
    rules::{self, RuleSet, outcome},
    types::Side,
};

/// How games are generated.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Nodes after which no further iteration is started.
    pub soft_nodes: u64,
    /// What evaluates.
    pub backend: Backend,
    /// Lines that half of the games start with, if there are any.
    pub openings: OpeningLines,
    /// Random moves at the start, this many or one more.
    pub random_plies: u32,
    /// Starts that a deeper search judges beyond this are thrown away.
    pub balance: Score,
    /// The seed of everything random.
    pub seed: u64,
    /// Which rules end repetitions.
    pub rules: RuleSet,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            soft_nodes: 1500,
            backend: Backend::default(),
            openings: OpeningLines::default(),
            random_plies: 8,
            balance: Score(400),
            seed: 1,
            rules: RuleSet::Cn1999,
        }
    }
}

impl Settings {
    /// The header of a file of games made in this way.
    pub fn header(&self) -> Header {
        Header {
            nodes: u32::try_from(self.soft_nodes).unwrap_or(u32::MAX),
            seed: self.seed,
            evaluator: self.backend.number(),
            settings: self.hash(),
        }
    }

    /// FNV-1a of what the header does not hold by itself, folded to 16 bits; never 0.
    fn hash(&self) -> u16 {
        let numbers = [self.random_plies, self.balance.0 as u32, self.rules as u32];
        let mut bytes: Vec<u8> = numbers.into_iter().flat_map(u32::to_le_bytes).collect();
        bytes.extend(self.openings.bytes());
        let hash = fnv_1a(&bytes);
        let folded = hash ^ hash >> 32;
        (folded as u16 ^ (folded >> 16) as u16).max(1)
    }
}

/// A search that does not find the end of an iteration is cut at this many times the soft limit.
const HARD_FACTOR: u64 = 8;
/// A start is judged with this many times the nodes of a move.
const BALANCE_FACTOR: u64 = 5;
/// Memory for a worker's hash table; the searches are short.
const HASH_MEBIBYTES: usize = 2;
/// A game is won when the score has been beyond this for [`WIN_PLIES`].
const WIN_SCORE: i32 = 2000;
const WIN_PLIES: usize = 5;
/// A game is drawn when the score has been within this for [`DRAW_PLIES`], from [`DRAW_FROM`] on.
const DRAW_SCORE: i32 = 10;
const DRAW_PLIES: usize = 12;
const DRAW_FROM: usize = 80;

/// Plays the games with these numbers, in order of their numbers to `on_game`, which may end the
/// work.
///
/// # Errors
/// If a hash table cannot be allocated or no thread be started.
pub fn generate(
    settings: &Settings,
    numbers: Range<u64>,
    workers: usize,
    on_game: impl FnMut(GameRecord) -> ControlFlow<()>,
) -> Result<(), WorkError<HashError>> {
    try_in_order(
        numbers,
        workers,
        || Player::new(settings),
        |player, number| player.play(number),
        on_game,
    )
}

/// One searcher that plays both sides: what one side found serves the other.
struct Player<'a> {
    settings: &'a Settings,
    searcher: Searcher,
}

impl<'a> Player<'a> {
    fn new(settings: &'a Settings) -> Result<Self, HashError> {
        let mut searcher = Searcher::new(HASH_MEBIBYTES)?;
        searcher.set_backend(settings.backend.clone());
        searcher.set_rules(settings.rules);
        Ok(Self { settings, searcher })
    }

    fn play(&mut self, number: u64) -> GameRecord {
        // Neighbouring numbers must not give related streams; the generator's own seeding mixes.
        let mut random = StdRng::seed_from_u64(self.settings.seed.rotate_left(32) ^ number);
        loop {
            let lines = &self.settings.openings;
            let start = random_opening(self.settings.random_plies, lines, &mut random);
            self.searcher.clear();
            if let Some(start) = start.filter(|start| self.is_balanced(start)) {
                return self.play_from(start);
            }
        }
    }

    fn is_balanced(&mut self, start: &Position) -> bool {
        let nodes = self.settings.soft_nodes * BALANCE_FACTOR;
        let outcome = search(&mut self.searcher, &Game::new(start.clone()), nodes);
        self.searcher.clear();
        outcome.score.0.abs() <= self.settings.balance.0
    }

    fn play_from(&mut self, start: Position) -> GameRecord {
        let mut game = Game::new(start.clone());
        let mut moves = Vec::new();
        let mut verdict = Verdict::default();
        let (result, ending) = loop {
            if let Some(end) = by_the_rules(&game, self.settings.rules) {
                break end;
            }
            let side = game.position().side();
            let outcome = search(&mut self.searcher, &game, self.settings.soft_nodes);
            let Some(best) = outcome.best else { break (won_by(!side), Ending::Mate) };
            let score = outcome.score;
            moves.push(ScoredMove { played: best, score: score.0 as i16 });
            let repeated = game.occurrences() > 1;
            if let Some(end) = verdict.after(side, score, moves.len(), repeated) {
                break end;
            }
            game.play_legal(best);
        };
        GameRecord { start, result, ending, moves }
    }
}

/// One search with a soft limit of nodes.
pub(super) fn search(searcher: &mut Searcher, game: &Game, soft_nodes: u64) -> Outcome {
    let limits = Limits {
        soft_nodes: Some(soft_nodes),
        nodes: Some(soft_nodes.saturating_mul(HARD_FACTOR)),
        ..Limits::default()
    };
    searcher.prepare(&limits);
    searcher.search(game, &limits, &mut |_| ())
}

const fn won_by(side: Side) -> WinDrawLoss {
    match side {
        Side::Red => WinDrawLoss::Win,
        Side::Black => WinDrawLoss::Loss,
    }
}

/// The end of the game that the rules know of.
fn by_the_rules(game: &Game, rules: RuleSet) -> Option<(WinDrawLoss, Ending)> {
    let outcome = outcome(game, rules)?;
    let ending = match outcome.ending {
        rules::Ending::Mate | rules::Ending::Stalemate => Ending::Mate,
        rules::Ending::RepetitionLoss => Ending::RepetitionLoss,
        rules::Ending::RepetitionDraw => Ending::RepetitionDraw,
        rules::Ending::NoAttackers => Ending::Material,
        rules::Ending::NaturalLimit => Ending::NaturalLimit,
    };
    Some((outcome.winner.map_or(WinDrawLoss::Draw, won_by), ending))
}

/// Ends games early by their scores.
#[derive(Default)]
struct Verdict {
    /// Plies in a row beyond [`WIN_SCORE`] for the side that it favours.
    winning: usize,
    favoured: Option<Side>,
    level: usize,
}

impl Verdict {
    /// What the score of the ply means for the game, `plies` into it. In a position that occurred
    /// before, the repetition rule may be about to decide otherwise: no score ends the game there.
    fn after(
        &mut self,
        side: Side,
        score: Score,
        plies: usize,
        repeated: bool,
    ) -> Option<(WinDrawLoss, Ending)> {
        let favoured = if score.0 > 0 { side } else { !side };
        if score.is_mate() {
            return Some((won_by(favoured), Ending::Mate));
        }
        // A win by the repetition rule has to be played: the loser can still change.
        let clear = score.0.abs() >= WIN_SCORE && !score.is_rule();
        let goes_on = clear && self.favoured == Some(favoured);
        self.winning = if goes_on { self.winning + 1 } else { usize::from(clear) };
        self.favoured = clear.then_some(favoured);
        self.level = if score.0.abs() <= DRAW_SCORE { self.level + 1 } else { 0 };
        if self.winning >= WIN_PLIES && !repeated {
            return Some((won_by(favoured), Ending::AdjudicatedWin));
        }
        if self.level >= DRAW_PLIES && plies >= DRAW_FROM && !repeated {
            return Some((WinDrawLoss::Draw, Ending::AdjudicatedDraw));
        }
        (plies >= MAX_PLIES).then_some((WinDrawLoss::Draw, Ending::TooLong))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adjudicates() {
        let mut verdict = Verdict::default();
        // Red ahead by 2100, seen from both sides in turn.
        for ply in 1..=4 {
            let side = Side::ALL[(ply + 1) % 2];
            let score = Score(if side == Side::Red { 2100 } else { -2100 });
            assert_eq!(verdict.after(side, score, ply, false), None);
        }
        let end = verdict.after(Side::Red, Score(2100), 5, false);
        assert_eq!(end, Some((WinDrawLoss::Win, Ending::AdjudicatedWin)));

        // The lead changes hands: the count begins again.
        let mut verdict = Verdict::default();
        for ply in 1..=20 {
            assert_eq!(verdict.after(Side::ALL[ply % 2], Score(3000), ply, false), None);
        }
        assert_eq!(verdict.after(Side::Black, Score::RULE_WIN, 21, false), None);
        let end = verdict.after(Side::Black, Score::mated_in(4), 22, false);
        assert_eq!(end, Some((WinDrawLoss::Win, Ending::Mate)));

        let mut verdict = Verdict::default();
        for ply in 1..=79 {
            assert_eq!(verdict.after(Side::ALL[ply % 2], Score(-10), ply, false), None);
        }
        let end = verdict.after(Side::Red, Score(3), 80, false);
        assert_eq!(end, Some((WinDrawLoss::Draw, Ending::AdjudicatedDraw)));
    }

    #[test]
    fn no_score_ends_a_game_inside_a_cycle() {
        let mut verdict = Verdict::default();
        for ply in 1..=100 {
            assert_eq!(verdict.after(Side::ALL[ply % 2], Score(0), ply, ply >= 80), None);
        }
        let end = verdict.after(Side::Black, Score(0), 101, false);
        assert_eq!(end, Some((WinDrawLoss::Draw, Ending::AdjudicatedDraw)));

        let mut verdict = Verdict::default();
        for ply in 1..=9 {
            let score = Score(if ply % 2 == 0 { 2500 } else { -2500 });
            assert_eq!(verdict.after(Side::ALL[ply % 2], score, ply, ply >= 5), None);
        }
        // What the search saw to the end stands.
        let end = verdict.after(Side::Red, Score::mated_in(3), 10, true);
        assert_eq!(end, Some((WinDrawLoss::Loss, Ending::Mate)));
    }

    #[test]
    fn each_setting_has_its_own_number() {
        let usual = Settings::default();
        let lines = |text: &str| OpeningLines::parse(text.as_bytes(), RuleSet::default()).unwrap();
        let others = [
            Settings { random_plies: 9, ..usual.clone() },
            Settings { balance: Score(300), ..usual.clone() },
            Settings { rules: RuleSet::League, ..usual.clone() },
            Settings { openings: lines("h2e2 h9g7"), ..usual.clone() },
            Settings { openings: lines("h2e2\nh2e2 h9g7"), ..usual.clone() },
            Settings { openings: lines("h2e2 h9g7\nh2e2"), ..usual.clone() },
        ];
        let mut numbers: Vec<u16> = others.iter().map(|other| other.header().settings).collect();
        numbers.push(usual.header().settings);
        numbers.sort_unstable();
        numbers.dedup();
        assert_eq!(numbers.len(), 7);
        assert_ne!(numbers[0], 0);
    }

    #[test]
    fn the_rules_end_games() {
        let game = |fen: &str, moves: &str| {
            let moves = moves.split_whitespace().map(|m| m.parse().unwrap());
            Game::with_moves(fen.parse().unwrap(), moves).unwrap()
        };
        // Neither side can attack: two kings, an advisor.
        let bare = game("3k5/9/9/9/9/9/9/9/4A4/4K4 w - - 0 1", "");
        assert_eq!(
            by_the_rules(&bare, RuleSet::Cn1999),
            Some((WinDrawLoss::Draw, Ending::Material))
        );
        // A rook checks from rank to rank, the king steps aside and back: the third occurrence.
        let checks = "e1e5 d9d8 e5d5 d8e8 d5e5 e8d8 e5d5 d8e8 d5e5 e8d8 e5d5 d8e8 d5e5 e8d8";
        let fen = "3k5/9/9/9/9/9/9/5A3/4R4/5K3 w - - 0 1";
        let perpetual = game(fen, checks);
        assert!(perpetual.occurrences() >= 3);
        assert_eq!(
            by_the_rules(&perpetual, RuleSet::Cn1999),
            Some((WinDrawLoss::Loss, Ending::RepetitionLoss))
        );
    }
}
