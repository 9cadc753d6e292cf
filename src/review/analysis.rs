//! What the search says of one position.

use crate::{
    eval::Score,
    search::{Bound, Limits, Report, Searcher},
};
use std::time::Duration;
use xiangqi::{board::Position, game::Game, notation::chinese_move, types::Move};

/// A line of play and what it is worth.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// From the view of the side that moves first.
    pub score: Score,
    /// The moves; at least one.
    pub moves: Vec<Move>,
    /// The depth at which the line was found, in plies.
    pub depth: u32,
    /// The deepest ply looked at.
    pub seldepth: u32,
}

/// What a search came to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Analysis {
    /// The value of the position from the mover's view.
    pub score: Score,
    /// The best lines, the best one first; none if the mover has no move.
    pub lines: Vec<Line>,
    /// The last depth completed, in plies.
    pub depth: u32,
    /// Nodes searched, over all threads.
    pub nodes: u64,
    /// The time until the last report.
    pub elapsed: Duration,
}

impl Analysis {
    /// The best move; `None` if there is none.
    pub fn best(&self) -> Option<Move> {
        self.lines.first().and_then(|line| line.moves.first()).copied()
    }
}

/// Searches the last position of a game, until a limit is reached.
pub fn analyse(searcher: &mut Searcher, game: &Game, limits: &Limits) -> Analysis {
    let mut lines = Lines::default();
    searcher.prepare(limits);
    let outcome = searcher.search(game, limits, &mut |report| lines.add(report));
    Analysis {
        score: outcome.score,
        lines: lines.lines,
        depth: outcome.depth,
        nodes: outcome.nodes,
        elapsed: lines.elapsed,
    }
}

/// The lines as reports bring them: those of an iteration replace those of the one before.
#[derive(Default)]
struct Lines {
    lines: Vec<Line>,
    elapsed: Duration,
}

impl Lines {
    fn add(&mut self, report: &Report<'_>) {
        self.elapsed = report.elapsed;
        // A bound is followed by the score itself.
        if report.bound != Bound::Exact || report.pv.is_empty() {
            return;
        }
        let line = Line {
            score: report.score,
            moves: report.pv.to_vec(),
            depth: report.depth,
            seldepth: report.seldepth,
        };
        let at = report.multi_pv.saturating_sub(1);
        if report.is_last {
            // The move chosen goes to the front, whichever line it was.
            let known = self.lines.iter().position(|known| known.moves[0] == line.moves[0]);
            let replaced = known.or_else(|| self.lines.len().checked_sub(1));
            if let Some(replaced) = replaced {
                self.lines.remove(replaced);
            }
            self.lines.insert(0, line);
        } else if let Some(known) = self.lines.get_mut(at) {
            *known = line;
        } else {
            self.lines.push(line);
        }
    }
}

/// The moves of a line in Chinese notation.
pub fn chinese_line(position: &Position, moves: &[Move]) -> Vec<String> {
    let mut position = position.clone();
    let written = moves.iter().map_while(|&m| {
        // A line that a hash table has cut together may end in a move that is none.
        let text = position.is_legal(m).then(|| chinese_move(&position, m))??;
        position.make(m);
        Some(text)
    });
    written.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(multi_pv: usize, moves: &[Move], is_last: bool) -> Report<'_> {
        Report {
            depth: 1,
            seldepth: 1,
            multi_pv,
            score: Score::DRAW,
            ruling: None,
            bound: Bound::Exact,
            nodes: 1,
            elapsed: Duration::ZERO,
            hashfull: 0,
            pv: moves,
            is_last,
        }
    }

    fn mv(text: &str) -> Move {
        text.parse().unwrap()
    }

    #[test]
    fn the_move_chosen_comes_first() {
        let [a, b, c] = ["h2e2", "b2e2", "c3c4"].map(mv);
        let firsts = |lines: &Lines| lines.lines.iter().map(|l| l.moves[0]).collect::<Vec<_>>();
        let mut lines = Lines::default();
        for (number, m) in [(1, a), (2, b), (1, b), (2, a)] {
            lines.add(&report(number, &[m], false));
        }
        assert_eq!(firsts(&lines), [b, a]);
        lines.add(&report(1, &[a], true));
        assert_eq!(firsts(&lines), [a, b], "one of them");
        lines.add(&report(1, &[c], true));
        assert_eq!(firsts(&lines), [c, a], "another one, in the place of the last");
    }

    #[test]
    fn chinese_lines_end_before_what_is_no_move() {
        let line = chinese_line(&Position::start(), &["h2e2", "h9g7", "e2d2", "a0a9"].map(mv));
        assert_eq!(line, ["炮二平五", "马８进７", "炮五平六"]);
    }
}
