//! The way out: one writer that flushes each line, and a brake for info lines.

use super::reply::Line;
use std::{
    collections::BTreeMap,
    io::{self, Write},
    time::{Duration, Instant},
};

/// Writes lines and remembers whether anybody still reads them.
pub struct Output<W> {
    writer: W,
    broken: bool,
}

impl<W: Write> Output<W> {
    /// An output to this writer.
    pub const fn new(writer: W) -> Self {
        Self { writer, broken: false }
    }

    /// Writes a text as one or more whole lines and flushes it.
    pub fn line(&mut self, text: &str) {
        if self.broken {
            return;
        }
        let mut bytes = Vec::with_capacity(text.len() + 1);
        bytes.extend_from_slice(text.as_bytes());
        bytes.push(b'\n');
        if let Err(error) = self.write(&bytes) {
            log::debug!("nobody reads the output any more: {error}");
            self.broken = true;
        }
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.writer.write_all(bytes)?;
        self.writer.flush()
    }

    /// Whether a write has failed: the client is gone.
    pub const fn is_broken(&self) -> bool {
        self.broken
    }
}

/// Lets about 45 info lines pass in a second and keeps the newest of the rest for later: a mate
/// that is found at once would otherwise print hundreds of depths and choke the client.
pub struct Brake {
    /// How many lines may pass now.
    allowance: f64,
    refilled: Instant,
    /// The newest line held back, for each number of `multipv`.
    held: BTreeMap<usize, Line>,
}

impl Brake {
    const LINES_PER_SECOND: f64 = 45.0;
    const BURST: f64 = 5.0;

    /// A brake that has let nothing pass yet.
    pub fn new(now: Instant) -> Self {
        Self { allowance: Self::BURST, refilled: now, held: BTreeMap::new() }
    }

    /// Takes a new line in; [`Brake::next`] tells what may pass.
    pub fn push(&mut self, line: Line) {
        // The search's last word stays behind all others.
        let place = if line.is_last { usize::MAX } else { line.multi_pv };
        self.held.insert(place, line);
    }

    /// The next line that may pass now.
    pub fn next(&mut self, now: Instant) -> Option<Line> {
        let gained = now.saturating_duration_since(self.refilled).as_secs_f64();
        self.refilled = now;
        self.allowance = (self.allowance + gained * Self::LINES_PER_SECOND).min(Self::BURST);
        if self.allowance < 1.0 {
            return None;
        }
        let line = self.held_next()?;
        self.allowance -= 1.0;
        Some(line)
    }

    /// The next line held back, whether or not it may pass: the last ones before an answer always do.
    pub fn held_next(&mut self) -> Option<Line> {
        self.held.pop_first().map(|(_, line)| line)
    }

    /// When to ask again, if a line waits.
    pub fn wait(&self) -> Option<Duration> {
        (!self.held.is_empty()).then(|| Duration::from_secs_f64(1.0 / Self::LINES_PER_SECOND))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Score;

    fn line(depth: u32, multi_pv: usize) -> Line {
        Line { depth, multi_pv, ..Line::of_static(Score::DRAW) }
    }

    #[test]
    fn a_flood_is_braked_and_its_end_kept() {
        let begin = Instant::now();
        let mut brake = Brake::new(begin);
        let mut printed = 0;
        for n in 0..1000 {
            brake.push(line(n, 1));
            let now = begin + Duration::from_millis(u64::from(n));
            printed += u32::from(brake.next(now).is_some());
        }
        assert!((45..=50).contains(&printed), "{printed}");
        brake.push(line(1000, 1));
        brake.push(line(1000, 2));
        assert!(brake.wait().is_some());
        assert_eq!(brake.held_next().map(|line| (line.depth, line.multi_pv)), Some((1000, 1)));
        assert_eq!(brake.held_next().map(|line| (line.depth, line.multi_pv)), Some((1000, 2)));
        brake.push(Line { is_last: true, ..line(1001, 1) });
        brake.push(line(1000, 2));
        assert_eq!(brake.held_next().map(|line| (line.depth, line.multi_pv)), Some((1000, 2)));
        assert_eq!(brake.held_next().map(|line| (line.depth, line.multi_pv)), Some((1001, 1)));
        assert_eq!(brake.held_next(), None);
        assert!(brake.wait().is_none());
    }

    #[test]
    fn a_broken_pipe_is_remembered() {
        struct Closed;
        impl Write for Closed {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::ErrorKind::BrokenPipe.into())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let mut output = Output::new(Closed);
        assert!(!output.is_broken());
        output.line("readyok");
        assert!(output.is_broken());
    }
}
