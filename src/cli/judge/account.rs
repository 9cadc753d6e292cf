//! What is said about one game: its ruling, and what was due on the way.

use crate::cli::headings;
use xiangqi::{
    game::Game,
    notation::chinese_move,
    rules::{
        Due, DueKind, Judged, NaturalLimit, RuleSet, Ruling, all_due, judge, material_draw,
        natural_limit,
    },
    types::Side,
};

/// The full account of a game.
pub struct Account {
    /// Which game of the input, where there are several.
    pub title: String,
    /// The tags of its record.
    pub tags: Vec<(String, String)>,
    /// The game.
    pub game: Game,
    /// The ruling on its last position.
    pub ruling: Ruling,
    /// Rounds without a capture.
    pub limit: NaturalLimit,
    /// Whether neither side has anything to win with.
    pub material_draw: bool,
    /// Everything that was due, ply by ply.
    pub due: Vec<Due>,
}

impl Account {
    /// Judges a game.
    pub fn new(game: Game, title: String, tags: Vec<(String, String)>, rules: RuleSet) -> Self {
        Self {
            ruling: judge(&game, rules),
            limit: natural_limit(&game, rules),
            material_draw: material_draw(&game),
            due: all_due(&game, rules),
            title,
            tags,
            game,
        }
    }

    /// Where the game was over before its last move.
    pub fn over(&self) -> Option<&Due> {
        self.due.iter().find(|due| due.is_end() && due.ply < self.game.plies().len())
    }

    /// A change that was due before the last move, if the last position is not repeated itself.
    pub fn missed_change(&self) -> Option<&Due> {
        let before = |due: &&Due| !due.is_end() && due.ply < self.game.plies().len();
        let change = |due: &&Due| due.what == DueKind::MustChange;
        self.due.iter().filter(before).rfind(change).filter(|_| self.ruling.cycle.is_none())
    }

    /// The account of the game as it stood after so many plies.
    pub fn at(&self, plies: usize) -> Self {
        let moves = self.game.moves().take(plies);
        let game = Game::with_moves(self.game.start(), moves);
        // Moves of a game that was played are legal.
        let game = game.unwrap_or_else(|_| Game::new(self.game.start()));
        Self::new(game, self.title.clone(), self.tags.clone(), self.ruling.rules)
    }

    /// The moves of the cycle in Chinese notation.
    pub fn chinese_moves(&self) -> Vec<String> {
        let Some(cycle) = self.ruling.cycle else { return Vec::new() };
        let mut position = self.game.position_at(cycle.first_ply - 1);
        let mut notate = |judged: &Judged| {
            let text = chinese_move(&position, judged.played).unwrap_or_default();
            position.make(judged.played);
            text
        };
        self.ruling.moves.iter().map(&mut notate).collect()
    }

    /// Players, result and event of the record, Chinese and English in one line each.
    pub fn headings(&self) -> Vec<String> {
        headings::headings(&self.tags)
    }

    /// The plies after which the position stood before, the first one first.
    pub fn earlier(&self) -> Vec<usize> {
        let mut plies: Vec<usize> = self.game.earlier_occurrences().collect();
        plies.reverse();
        plies
    }

    /// The natural limit in both languages.
    pub fn limit_words(&self) -> (String, String) {
        let limit = &self.limit;
        let [red, black] = [Side::Red, Side::Black].map(|side| limit.counts[side.index()]);
        let (zh, en) =
            if limit.reached() { ("已到", "reached") } else { ("未到", "not reached") };
        let rounds = if limit.rounds == 1 { "round" } else { "rounds" };
        (
            format!(
                "自然限着{zh}：已有{}回合无吃子，红方可计{red}回合，黑方可计{black}回合，限{}回合",
                limit.rounds, limit.limit
            ),
            format!(
                "Natural limit {en}: {} {rounds} without a capture; Red may count {red}, Black {black}, of {}",
                limit.rounds, limit.limit
            ),
        )
    }
}
