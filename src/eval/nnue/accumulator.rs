//! The hidden layer along the line being searched, updated only when a position is evaluated.

use super::{
    features,
    network::Network,
    simd::{Lane, RowChange},
};
use crate::eval::Score;
use xiangqi::{
    board::Position,
    types::{Move, Piece, Side, Square},
};

/// What a move does to the hidden layer.
#[derive(Clone, Copy)]
struct Change {
    piece: Piece,
    from: Square,
    to: Square,
    captured: Option<Piece>,
}

/// The hidden layer of each position on the line, for both perspectives.
///
/// Null moves need no level: the halves belong to Red and Black, not to the mover.
pub struct AccumulatorStack {
    /// The moves from the root: level `n` comes from level `n - 1` by `changes[n - 1]`.
    changes: Vec<Change>,
    /// Levels up to this one hold their values; those above wait until they are evaluated.
    computed: usize,
    /// For each level Red's half, then Black's.
    values: Vec<Lane>,
    lanes: usize,
}

impl AccumulatorStack {
    /// A stack for a network, with this position at its root.
    pub fn new(network: &Network, root: &Position) -> Self {
        let lanes = network.lanes();
        let mut stack = Self { changes: Vec::new(), computed: 0, values: Vec::new(), lanes };
        stack.reset(network, root);
        stack
    }

    /// Begins a new line at this position.
    pub fn reset(&mut self, network: &Network, root: &Position) {
        self.changes.clear();
        self.computed = 0;
        self.grow();
        let (red, black) = self.values[..2 * self.lanes].split_at_mut(self.lanes);
        network.refresh(red, root, Side::Red);
        network.refresh(black, root, Side::Black);
    }

    /// Goes down by a move. Must be called with the position before it.
    ///
    /// # Panics
    /// If no piece stands on the square it comes from.
    #[inline]
    pub fn push(&mut self, before: &Position, m: Move) {
        let (from, to) = (m.from(), m.to());
        let piece = before.piece_on(from).expect("a move starts on a piece");
        self.changes.push(Change { piece, from, to, captured: before.piece_on(to) });
    }

    /// Takes the last move back.
    #[inline]
    pub fn pop(&mut self) {
        debug_assert!(!self.changes.is_empty(), "pop without push");
        self.changes.pop();
        self.computed = self.computed.min(self.changes.len());
    }

    /// The score of the position at the top, for its mover.
    #[inline]
    pub fn evaluate(&mut self, network: &Network, position: &Position) -> Score {
        let top = self.changes.len();
        self.grow();
        while self.computed < top {
            self.computed += 1;
            self.apply(network, self.computed);
        }
        let (red, black) =
            self.values[top * 2 * self.lanes..][..2 * self.lanes].split_at(self.lanes);
        let bucket = features::bucket_of(position, network.weights().buckets);
        match position.side() {
            Side::Red => network.output(red, black, bucket),
            Side::Black => network.output(black, red, bucket),
        }
    }

    fn grow(&mut self) {
        let needed = (self.changes.len() + 1) * 2 * self.lanes;
        if self.values.len() < needed {
            self.values.resize(needed, Lane::default());
        }
    }

    /// Computes one level from the one below it.
    fn apply(&mut self, network: &Network, level: usize) {
        let change = self.changes[level - 1];
        let table = features::table();
        let (below, here) = self.values.split_at_mut(level * 2 * self.lanes);
        let below = &below[(level - 1) * 2 * self.lanes..];
        for side in Side::ALL {
            let half = side.index() * self.lanes..(side.index() + 1) * self.lanes;
            let row = |piece, square| network.row(table.index(side, piece, square));
            let rows = RowChange {
                add: row(change.piece, change.to),
                sub: row(change.piece, change.from),
                capture: change.captured.map(|piece| row(piece, change.to)),
            };
            network.kernel().update(&mut here[half.clone()], &below[half], &rows);
        }
    }
}
