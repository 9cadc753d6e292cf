//! The transposition table: lock-free, shared by all threads.
//!
//! A cluster is one cache line of four entries, an entry two words: the data, and the key xor-ed
//! with the data. A reader that meets a half-written entry sees a key that fits nothing and takes
//! it for a miss (Hyatt and Mann 2002), so plain relaxed atomics are enough.

use super::{Bound, HashError, huge_pages::prefer_huge_pages, params};
use crate::eval::Score;
use std::{
    sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering::Relaxed},
    thread,
};
use xiangqi::types::{Key, Move};

const ENTRIES: usize = 4;
const CLUSTER_WORDS: usize = 2 * ENTRIES;
const CLUSTER_BYTES: usize = CLUSTER_WORDS * size_of::<u64>();

/// Fewer words than this are not worth a thread.
const CLEARED_AT_ONCE: usize = 1 << 20;

/// The words of the smallest page that any system has.
const PAGE_WORDS: usize = 4096 / size_of::<u64>();

/// Generations are counted modulo this.
const GENERATIONS: u8 = 128;

/// What the table knows of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The best move known.
    pub best: Option<Move>,
    /// The score of the search that stored it, seen from the node that looked it up.
    pub score: Score,
    /// How the score is to be read; `None` if only the move and the evaluation are worth anything.
    pub bound: Option<Bound>,
    /// The static evaluation; `None` in check.
    pub eval: Option<Score>,
    /// The depth of that search; 0 = quiescence.
    pub depth: i32,
    /// Whether the position was ever on a principal variation.
    pub was_pv: bool,
}

const NO_EVAL: i16 = i16::MIN;

impl Entry {
    fn pack(&self, generation: u8) -> u64 {
        let bound = match self.bound {
            None => 0,
            Some(Bound::Upper) => 1,
            Some(Bound::Lower) => 2,
            Some(Bound::Exact) => 3,
        };
        let eval = self.eval.map_or(NO_EVAL, |score| score.0 as i16);
        u64::from(self.best.map_or(0, Move::bits))
            | bound << 14
            | u64::from(self.score.0 as i16 as u16) << 16
            | u64::from(eval as u16) << 32
            | u64::from(self.depth.clamp(0, 255) as u8) << 48
            | u64::from(self.was_pv) << 56
            | u64::from(generation) << 57
    }

    fn unpack(data: u64) -> Self {
        let eval = (data >> 32) as i16;
        Self {
            best: Move::from_bits(data as u16 & 0x3fff),
            score: Score(i32::from((data >> 16) as i16)),
            bound: match data >> 14 & 3 {
                0 => None,
                1 => Some(Bound::Upper),
                2 => Some(Bound::Lower),
                _ => Some(Bound::Exact),
            },
            eval: (eval != NO_EVAL).then_some(Score(i32::from(eval))),
            depth: packed_depth(data),
            was_pv: data >> 56 & 1 != 0,
        }
    }
}

const fn packed_depth(data: u64) -> i32 {
    (data >> 48 & 0xff) as i32
}

const fn packed_generation(data: u64) -> u8 {
    (data >> 57) as u8
}

/// Scores that count plies do so from the root while searching, and from their own node in the
/// table.
fn to_table(score: Score, ply: usize) -> Score {
    if score.0 > Score::EVAL_LIMIT.0 {
        score + Score(ply as i32)
    } else if score.0 < -Score::EVAL_LIMIT.0 {
        score - Score(ply as i32)
    } else {
        score
    }
}

fn from_table(score: Score, ply: usize) -> Score {
    if score.0 > Score::EVAL_LIMIT.0 {
        score - Score(ply as i32)
    } else if score.0 < -Score::EVAL_LIMIT.0 {
        score + Score(ply as i32)
    } else {
        score
    }
}

/// The table.
pub struct Table {
    words: Box<[AtomicU64]>,
    /// Words before the first cluster, so that clusters are cache lines.
    skip: usize,
    clusters: usize,
    generation: AtomicU8,
    /// Whether anything may stand in it.
    used: AtomicBool,
}

impl Table {
    /// A table of this many MiB, at least one.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub fn new(mebibytes: usize) -> Result<Self, HashError> {
        let error = HashError { mebibytes };
        let bytes = mebibytes.max(1).checked_mul(1 << 20).ok_or(error)?;
        let clusters = bytes / CLUSTER_BYTES - 1;
        // Fresh zero pages from the system cost nothing until they are touched.
        let words: Box<[AtomicU64]> =
            bytemuck::try_zeroed_slice_box(bytes / size_of::<u64>()).map_err(|()| error)?;
        prefer_huge_pages(&words);
        let skip = words.as_ptr().align_offset(CLUSTER_BYTES).min(CLUSTER_WORDS - 1);
        Ok(Self {
            words,
            skip,
            clusters,
            generation: AtomicU8::new(0),
            used: AtomicBool::new(false),
        })
    }

    fn cluster(&self, key: Key) -> &[AtomicU64] {
        let index = ((u128::from(key.0) * self.clusters as u128) >> 64) as usize;
        let first = self.skip + index * CLUSTER_WORDS;
        &self.words[first..first + CLUSTER_WORDS]
    }

    /// Begins a new search: what stands in the table is a generation older.
    pub fn age(&self) {
        let next = (self.generation.load(Relaxed) + 1) % GENERATIONS;
        self.generation.store(next, Relaxed);
        self.used.store(true, Relaxed);
    }

    /// Forgets everything, with this many threads. Memory that was never used is not touched.
    pub fn clear(&self, threads: usize) {
        self.generation.store(0, Relaxed);
        if !self.used.swap(false, Relaxed) {
            return;
        }
        self.in_parallel(threads, |words| words.iter().for_each(|word| word.store(0, Relaxed)));
    }

    /// Has the system lay memory behind a new table, with this many threads: 1 s of one thread and
    /// more for 2 GiB. A table in use has it already.
    pub fn touch(&self, threads: usize) {
        if self.used.load(Relaxed) {
            return;
        }
        self.in_parallel(threads, |words| {
            words.iter().step_by(PAGE_WORDS).for_each(|word| word.store(0, Relaxed));
        });
    }

    /// Runs this over all words, cut into a part for each thread.
    fn in_parallel(&self, threads: usize, run: impl Fn(&[AtomicU64]) + Copy + Send) {
        let part = self.words.len().div_ceil(threads.max(1)).max(CLEARED_AT_ONCE);
        thread::scope(|scope| {
            for words in self.words.chunks(part).skip(1) {
                // What no thread can be had for is done here.
                if thread::Builder::new().spawn_scoped(scope, move || run(words)).is_err() {
                    run(words);
                }
            }
            self.words.chunks(part).take(1).for_each(run);
        });
    }

    /// Starts to load a key's cluster into the cache.
    #[inline]
    pub fn prefetch(&self, key: Key) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let line = self.cluster(key).as_ptr();
            // SAFETY: a prefetch reads nothing and may be given any address; SSE is part of x86-64.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(line.cast()) };
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = key;
    }

    /// What is known of a position that stands `ply` plies from the root.
    #[inline]
    pub fn probe(&self, key: Key, ply: usize) -> Option<Entry> {
        self.cluster(key).chunks_exact(2).find_map(|slot| {
            let data = slot[1].load(Relaxed);
            if data == 0 || slot[0].load(Relaxed) ^ data != key.0 {
                return None;
            }
            let entry = Entry::unpack(data);
            Some(Entry { score: from_table(entry.score, ply), ..entry })
        })
    }

    /// Stores what a search `ply` plies from the root found, unless the table knows better.
    pub fn store(&self, key: Key, ply: usize, entry: Entry) {
        let generation = self.generation.load(Relaxed);
        let mut entry = Entry { score: to_table(entry.score, ply), ..entry };
        let mut worst = (i32::MAX, 0);
        let cluster = self.cluster(key);
        for (i, slot) in cluster.chunks_exact(2).enumerate() {
            let data = slot[1].load(Relaxed);
            let tt_entry = data != 0 && slot[0].load(Relaxed) ^ data == key.0;
            if tt_entry {
                let old = Entry::unpack(data);
                entry.best = entry.best.or(old.best);
                let bonus = 3 + 2 * i32::from(entry.was_pv);
                let deeper = entry.depth + bonus > old.depth
                    || entry.bound == Some(Bound::Exact)
                    || packed_generation(data) != generation;
                // An entry with a bound is never given up for one without.
                if !deeper || entry.bound.is_none() && old.bound.is_some() {
                    return;
                }
                worst = (i32::MIN, i);
                break;
            }
            let age = (generation + GENERATIONS - packed_generation(data)) % GENERATIONS;
            let worth = if data == 0 { i32::MIN } else { packed_depth(data) - 8 * i32::from(age) };
            if worth < worst.0 {
                worst = (worth, i);
            }
        }
        let slot = &cluster[2 * worst.1..2 * worst.1 + 2];
        let data = entry.pack(generation);
        slot[0].store(key.0 ^ data, Relaxed);
        slot[1].store(data, Relaxed);
    }

    /// How much of a sample of the table this generation has filled, in thousandths.
    pub fn hashfull(&self) -> u32 {
        let generation = self.generation.load(Relaxed);
        let sample = self.clusters.min(1000 / ENTRIES);
        let words = &self.words[self.skip..self.skip + sample * CLUSTER_WORDS];
        let used = words.chunks_exact(2).filter(|slot| {
            let data = slot[1].load(Relaxed);
            data != 0 && packed_generation(data) == generation
        });
        (used.count() * 1000 / (sample * ENTRIES)) as u32
    }
}

/// The key of a position in the table, `clock` plies after the last capture.
pub(super) fn clocked_key(key: Key, clock: u16) -> Key {
    let late = u64::from(clock.saturating_sub(params::CLOCK_FREE) / 8);
    Key(key.0 ^ late.wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

impl Entry {
    /// Whether the stored score shows on which side of `beta` (with a closed window) the node is.
    pub(super) fn settles(&self, beta: Score) -> bool {
        match self.bound {
            Some(Bound::Exact) => true,
            Some(Bound::Lower) => self.score >= beta,
            Some(Bound::Upper) => self.score < beta,
            None => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(depth: i32, score: i32) -> Entry {
        Entry {
            best: "h2e2".parse().ok(),
            score: Score(score),
            bound: Some(Bound::Lower),
            eval: Some(Score(-321)),
            depth,
            was_pv: true,
        }
    }

    #[test]
    fn gives_back_what_it_was_given() {
        let table = Table::new(1).unwrap();
        assert_eq!(table.probe(Key(77), 0), None);
        for bound in [None, Some(Bound::Exact), Some(Bound::Lower), Some(Bound::Upper)] {
            for (i, eval) in
                [None, Some(Score(28_000)), Some(Score(-28_000))].into_iter().enumerate()
            {
                let stored = Entry { bound, eval, was_pv: i == 0, ..entry(17, -1234) };
                let key = Key(u64::MAX / 7 * (i as u64 + 1) + bound.map_or(0, |b| b as u64 + 1));
                table.store(key, 5, stored);
                assert_eq!(table.probe(key, 5), Some(stored));
            }
        }
    }

    #[test]
    fn mates_are_counted_from_the_node() {
        let table = Table::new(1).unwrap();
        // Mate seen 9 plies from a root, at a node 4 plies from it: 5 plies from the node.
        table.store(Key(1), 4, entry(3, Score::mate_in(9).0));
        assert_eq!(table.probe(Key(1), 0).unwrap().score, Score::mate_in(5));
        table.store(Key(2), 4, entry(3, Score::mated_in(9).0));
        assert_eq!(table.probe(Key(2), 10).unwrap().score, Score::mated_in(15));
        table.store(Key(3), 4, entry(3, Score::rule_win_in(6).0));
        assert_eq!(table.probe(Key(3), 1).unwrap().score, Score::rule_win_in(3));
    }

    #[test]
    fn deep_entries_stay_until_they_are_old() {
        let table = Table::new(1).unwrap();
        // Keys below 2^40 all fall into the first cluster.
        table.store(Key(1), 0, entry(20, 1));
        for key in 2..100 {
            table.store(Key(key), 0, entry(3, 2));
        }
        assert!(table.probe(Key(1), 0).is_some(), "shallow entries pushed out a deep one");
        for _ in 0..4 {
            table.age();
        }
        for key in 100..110 {
            table.store(Key(key), 0, entry(3, 2));
        }
        assert!(table.probe(Key(1), 0).is_none(), "an old entry stayed");
    }

    #[test]
    fn a_shallow_result_does_not_replace_a_deep_one() {
        let table = Table::new(1).unwrap();
        table.store(Key(9), 0, entry(20, 1));
        table.store(Key(9), 0, Entry { best: None, ..entry(3, 2) });
        assert_eq!(table.probe(Key(9), 0).unwrap().depth, 20);
        let better = Entry { best: None, bound: Some(Bound::Exact), ..entry(3, 2) };
        table.store(Key(9), 0, better);
        let kept = table.probe(Key(9), 0).unwrap();
        assert_eq!((kept.depth, kept.best), (3, "h2e2".parse().ok()), "the move is kept");
    }

    #[test]
    fn impossible_sizes_are_errors() {
        assert!(Table::new(usize::MAX).is_err());
        assert!(Table::new(usize::MAX >> 21).is_err());
    }

    #[test]
    fn clearing_empties_it() {
        let table = Table::new(1).unwrap();
        for key in 0..200_000u64 {
            table.store(Key(key.wrapping_mul(0x9e37_79b9_7f4a_7c15)), 0, entry(3, 2));
        }
        assert_eq!(table.hashfull(), 1000);
        table.age();
        assert_eq!(table.hashfull(), 0, "only this generation counts");
        table.clear(1);
        assert_eq!(table.hashfull(), 0);
    }

    #[test]
    fn clearing_by_several_threads_leaves_nothing() {
        let table = Table::new(17).unwrap();
        let key = |i: u64| Key(i.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        table.age();
        for i in 0..100_000 {
            table.store(key(i), 0, entry(3, 2));
        }
        assert!((0..100_000).filter(|&i| table.probe(key(i), 0).is_some()).count() > 90_000);
        table.clear(3);
        assert!((0..100_000).all(|i| table.probe(key(i), 0).is_none()));
    }
}
