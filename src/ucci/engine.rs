//! What a session searches with: the evaluation, the searcher and its hash table, as the options ask.

use super::{command::printable, memory, options::Settings};
use crate::{
    eval::Backend,
    search::{Hit, Probe, Searcher},
};
use xiangqi::board::Position;

/// Sizes of the hash table, in MiB, that are tried where the one asked for cannot be had.
const SMALL_SIZES: [usize; 3] = [16, 4, 1];

/// The searcher of a session. What its user should know comes back as messages.
#[derive(Default)]
pub(super) struct Engine {
    /// The evaluation in use.
    backend: Backend,
    /// `None` until it is first needed, and while it thinks.
    searcher: Option<Box<Searcher>>,
    /// The hash table of the last search.
    table: Option<Probe>,
}

impl Engine {
    /// The evaluation in use.
    pub const fn backend(&self) -> &Backend {
        &self.backend
    }

    /// What the hash table knows of a position, also while a search fills it.
    pub fn look_up(&self, position: &Position) -> Option<Hit> {
        self.table.as_ref()?.look_up(position)
    }

    /// The searcher, to think with; [`Self::prepare`] makes one.
    pub fn take(&mut self) -> Option<Box<Searcher>> {
        let searcher = self.searcher.take()?;
        self.table = Some(searcher.probe());
        Some(searcher)
    }

    /// Takes the searcher back after it has thought.
    pub fn put_back(&mut self, searcher: Box<Searcher>) {
        self.searcher = Some(searcher);
    }

    /// Forgets what was learnt.
    pub fn clear(&mut self) {
        if let Some(searcher) = &mut self.searcher {
            searcher.clear();
        }
    }

    /// Makes a searcher as set if there is none yet; in need one with a smaller table.
    pub fn prepare(&mut self, settings: &Settings) -> Vec<String> {
        if self.searcher.is_some() {
            return Vec::new();
        }
        let messages = self.resize_hash(settings);
        if self.searcher.is_none() {
            let small = SMALL_SIZES.into_iter().find_map(|size| Searcher::new(size).ok());
            self.searcher = small.map(Box::new);
        }
        if let Some(searcher) = &mut self.searcher {
            searcher.set_threads(memory::threads(settings.threads));
        }
        self.set_rules(settings);
        self.set_backend();
        messages
    }

    /// Gives the hash table the size that is set.
    pub fn set_hash(&mut self, settings: &Settings) -> Vec<String> {
        if self.searcher.is_some() { self.resize_hash(settings) } else { self.prepare(settings) }
    }

    /// Makes a hash table of the size that is set; if it cannot be had the old one stays.
    fn resize_hash(&mut self, settings: &Settings) -> Vec<String> {
        let mut messages = Vec::new();
        let asked = settings.hash_size;
        let size = memory::hash_mebibytes(asked, memory::mebibytes());
        if asked > size {
            messages.push(format!("this machine has no {asked} MB for the hash: using {size} MB"));
        }
        let size = usize::try_from(size).unwrap_or(usize::MAX);
        let result = match &mut self.searcher {
            Some(searcher) => searcher.set_hash(size),
            None => Searcher::new(size).map(|new| self.searcher = Some(Box::new(new))),
        };
        // What must be there before readyok. A table that leaves others too little grows by use.
        if let Some(searcher) = self.searcher.as_ref().filter(|_| size <= memory::free() / 2) {
            searcher.touch_hash();
        }
        if let Err(error) = result {
            messages.push(format!("{error}: the old table stays"));
        }
        // The handle to the old table would keep its memory.
        self.table = self.searcher.as_ref().map(|searcher| searcher.probe());
        messages
    }

    /// Gives the searcher the number of threads that is set.
    pub fn set_threads(&mut self, settings: &Settings) -> String {
        let threads = memory::threads(settings.threads);
        if let Some(searcher) = &mut self.searcher {
            searcher.set_threads(threads);
        }
        format!("using {threads} thread{}", if threads == 1 { "" } else { "s" })
    }

    /// Lets the search obey the repetition rules that are set.
    pub fn set_rules(&mut self, settings: &Settings) {
        if let Some(searcher) = &mut self.searcher {
            searcher.set_rules(settings.repetition_rule);
        }
    }

    /// Evaluates with what is set from now on; if that cannot be had, as before.
    pub fn load_evaluation(&mut self, settings: &Settings) -> String {
        match Backend::named(&settings.eval_file) {
            Ok(backend) => {
                self.backend = backend;
                self.set_backend();
                format!("evaluating with {}", self.backend.describe())
            }
            Err(error) => {
                let path = printable(&settings.eval_file);
                format!("{path}: {error}: the evaluation in use stays")
            }
        }
    }

    /// Lets the search use the evaluation in use.
    fn set_backend(&mut self) {
        if let Some(searcher) = &mut self.searcher {
            searcher.set_backend(self.backend.clone());
        }
    }
}
