//! An engine in a process of its own.

use super::{
    player::{Answer, NotReady, Player, Task, Thought},
    spec::EngineSpec,
};
use std::{path::PathBuf, time::Duration};

/// A child process that speaks UCCI or UCI.
pub struct External {
    spec: EngineSpec,
}

impl External {
    /// An engine that is started when its first game begins.
    pub fn new(spec: EngineSpec, _startup: Duration, _log: Option<PathBuf>) -> Self {
        Self { spec }
    }
}

impl Player for External {
    fn start_game(&mut self, _label: &str) -> Result<(), NotReady> {
        Err(NotReady(format!("{}: other processes can not be played yet", self.spec.name)))
    }

    fn think(&mut self, _task: &Task<'_>) -> Thought {
        Thought {
            answer: Answer::Gone(String::new()),
            elapsed: Duration::ZERO,
            score: None,
            depth: None,
            nodes: None,
        }
    }
}
