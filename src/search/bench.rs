//! The fixed search whose node count is the fingerprint of search and evaluation: the same on every
//! run and machine, changed by every change that alters how the engine plays.

use super::{Limits, Searcher};
use std::{
    fmt,
    time::{Duration, Instant},
};
use xiangqi::game::Game;

/// The depth of the fingerprint, in plies.
pub const DEPTH: u32 = 12;

/// The size of its hash table.
pub const HASH_MEBIBYTES: usize = 16;

/// Openings, middlegames and endgames, some with mates near.
const POSITIONS: [&str; 20] = [
    "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1",
    "r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w - - 0 1",
    "1cbak4/9/n2a5/2p1p3p/5cp2/2n2N3/6PCP/3AB4/2C6/3A1K1N1 w - - 0 1",
    "5a3/3k5/3aR4/9/5r3/5n3/9/3A1A3/5K3/2BC2B2 w - - 0 1",
    "CRN1k1b2/3ca4/4ba3/9/2nr5/9/9/4B4/4A4/4KA3 w - - 0 1",
    "1C2ka3/9/C1Nab1n2/p3p3p/6p2/9/P3P3P/3AB4/3p2c2/c1BAK4 w - - 0 1",
    "CnN1k1b2/c3a4/4ba3/9/2nr5/9/9/4C4/4A4/4KA3 w - - 0 1",
    "r1bakab1r/9/1cn2cn2/p1p1p1p1p/9/9/P1P1P1P1P/1CN1C1N2/9/R1BAKAB1R b - - 0 5",
    "2bak4/4a4/4b4/p3R3p/2p3p2/6P2/P1n1r3P/4B4/4A4/2BAK1N2 b - - 0 20",
    "r1bakab1r/9/1cn4c1/p1p1p1p1p/5nP2/9/P1P1P3P/1C2C1N2/9/RNBAKABR1 w - - 2 5",
    "r2akab1r/9/2n1b1nc1/p1p1p1p1p/9/2P3P2/P3P3P/1CN1C1N2/9/R1BAKABR1 b - - 0 9",
    "3akab2/5r3/2n1b1n2/p1p1p3p/6p2/2P1P4/P4RP1P/2N1C1N2/9/2BAKAB2 w - - 0 15",
    "2ba1k3/4a4/4b1n2/p1p3N1p/4p4/2P1P4/P5P1P/2N1B4/4A4/2BAK4 w - - 0 24",
    "4kab2/4a4/4b4/3N5/9/4p4/9/4B4/4A1n2/3AK1B2 w - - 0 40",
    "3k1a3/4a4/9/4P4/9/9/9/4B3C/4A4/2BAK4 w - - 0 50",
    "4ka3/4a4/4b4/9/2r6/4R4/9/4B4/4A4/3AK1B2 b - - 0 45",
    "2bakab2/9/1cn3n2/p1R1p1p1p/9/6P2/P3P3P/1C2B1N1C/3r5/2BAKA3 b - - 0 14",
    "3aka3/9/4b4/p3C3p/2b3p2/P1n6/6P1P/4BA1N1/4A4/2B1K4 b - - 0 28",
    "r3kab1r/4a4/2n1b1n1c/p3p3p/2p3p2/1RP6/P3P1P1P/2N1CAN2/4K4/2B2AB1R w - - 0 12",
    "2eaka3/9/h3e3h/p1p1R1p1p/9/6P2/P3P3P/1C2E1H1C/3r5/2EAKA3 b - - 0 14",
];

/// What the searches came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Summary {
    /// Nodes in all.
    pub nodes: u64,
    /// The time they took.
    pub elapsed: Duration,
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rate = self.nodes as f64 / self.elapsed.as_secs_f64().max(1e-9);
        write!(f, "{} nodes {rate:.0} nps", self.nodes)
    }
}

/// Searches the positions one after the other until `aborted`, and tells of each in a line. For
/// the fingerprint the searcher has one thread and a table of [`HASH_MEBIBYTES`].
pub fn run(
    searcher: &mut Searcher,
    depth: u32,
    aborted: &dyn Fn() -> bool,
    on_line: &mut dyn FnMut(String),
) -> Summary {
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let mut nodes = 0;
    let begin = Instant::now();
    for fen in POSITIONS {
        let Ok(position) = fen.parse() else { continue };
        let game = Game::new(position);
        searcher.clear();
        searcher.prepare(&limits);
        if aborted() {
            break;
        }
        let outcome = searcher.search(&game, &limits, &mut |_| {});
        let best = outcome.best.map_or_else(|| "none".to_owned(), |m| m.to_string());
        on_line(format!(
            "{:>9} nodes, score {:>6}, best {best}: {fen}",
            outcome.nodes, outcome.score.0
        ));
        nodes += outcome.nodes;
    }
    Summary { nodes, elapsed: begin.elapsed() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use xiangqi::board::Position;

    #[test]
    fn every_position_counts() {
        assert!(POSITIONS.iter().all(|fen| fen.parse::<Position>().is_ok()));
    }
}
