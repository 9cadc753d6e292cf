//! What a search holds to evaluate the positions of the line that it is on.

use super::{
    endings, evaluate,
    nnue::{self, AccumulatorStack, Network, NetworkError},
};
use crate::eval::Score;
use std::{path::Path, sync::Arc};
use xiangqi::{board::Position, types::Move};

/// Which evaluation is used; by default the network inside the program.
#[derive(Clone, Debug)]
pub enum Backend {
    /// The hand-written evaluation ([`evaluate`]).
    Handwritten,
    /// A network.
    Network(Arc<Network>),
}

impl Default for Backend {
    fn default() -> Self {
        Self::Network(nnue::builtin())
    }
}

impl Backend {
    /// What names the network inside the program where a network file could be named.
    pub const BUILTIN: &'static str = "<builtin>";
    /// What names the hand-written evaluation where a network file could be named.
    pub const HANDWRITTEN: &'static str = "hce";

    /// The evaluation that an `EvalFile` option names: nothing or `<builtin>` is the default, `hce`
    /// the hand-written one, anything else the path of a network file.
    ///
    /// # Errors
    /// If the file cannot be read or is no network of this engine.
    pub fn named(choice: &str) -> Result<Self, NetworkError> {
        match choice.trim() {
            "" | Self::BUILTIN | "<empty>" => Ok(Self::default()),
            choice if choice.eq_ignore_ascii_case(Self::HANDWRITTEN) => Ok(Self::Handwritten),
            path => Ok(Self::Network(Arc::new(Network::load(Path::new(path))?))),
        }
    }

    /// A number that identifies the evaluation: 0 for the hand-written one.
    pub fn number(&self) -> u64 {
        match self {
            Self::Handwritten => 0,
            Self::Network(network) => network.checksum(),
        }
    }

    /// A line for people: which evaluation this is.
    pub fn describe(&self) -> String {
        match self {
            Self::Handwritten => "the hand-written evaluation".to_owned(),
            Self::Network(network) => format!("network {}", network.describe()),
        }
    }

    /// The worth of a position from the mover's view.
    pub fn evaluate(&self, position: &Position) -> Score {
        Evaluator::new(self, position).evaluate(position)
    }
}

/// Evaluates positions along a line of play. Each search thread owns one.
///
/// [`Evaluator::reset`] at the root, then [`Evaluator::push`] with every move made and
/// [`Evaluator::pop`] with every move taken back; a null move needs neither.
pub struct Evaluator(Inner);

enum Inner {
    Handwritten,
    Network { network: Arc<Network>, stack: AccumulatorStack },
}

impl Evaluator {
    /// An evaluator with this position at the root.
    pub fn new(backend: &Backend, root: &Position) -> Self {
        Self(match backend {
            Backend::Handwritten => Inner::Handwritten,
            Backend::Network(network) => Inner::Network {
                network: Arc::clone(network),
                stack: AccumulatorStack::new(network, root),
            },
        })
    }

    /// Begins a new line at this position.
    pub fn reset(&mut self, root: &Position) {
        if let Inner::Network { network, stack } = &mut self.0 {
            stack.reset(network, root);
        }
    }

    /// Goes down by a move; call it before the move is made, with the position before it.
    #[inline]
    pub fn push(&mut self, before: &Position, m: Move) {
        if let Inner::Network { stack, .. } = &mut self.0 {
            stack.push(before, m);
        }
    }

    /// Goes back up by a move.
    #[inline]
    pub fn pop(&mut self) {
        if let Inner::Network { stack, .. } = &mut self.0 {
            stack.pop();
        }
    }

    /// The worth of the position on top of the line, from the mover's view.
    #[inline]
    pub fn evaluate(&mut self, position: &Position) -> Score {
        let score = match &mut self.0 {
            Inner::Handwritten => evaluate(position),
            Inner::Network { network, stack } => stack.evaluate(network, position),
        };
        endings::adjust(position, score)
    }
}
