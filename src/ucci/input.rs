//! The way in: a thread that turns bytes into lines.

use crossbeam_channel::{Receiver, Sender, bounded};
use std::{
    io::{BufRead, BufReader, Read},
    thread,
};

/// Lines longer than this, in bytes, are cut. A game of a million moves still fits.
const MAX_LINE: u64 = 64 << 20;
/// How many lines may wait before the client has to.
const QUEUE: usize = 64;

/// Reads lines in a thread of its own. The channel closes at the end of the input.
pub fn lines(input: impl Read + Send + 'static) -> Receiver<Vec<u8>> {
    let (sender, receiver) = bounded(QUEUE);
    let thread = thread::Builder::new().name("input".to_owned());
    if let Err(error) = thread.spawn(move || read(BufReader::new(input), &sender)) {
        // The channel is closed now, which ends the session.
        log::error!("no thread to read the input: {error}");
    }
    receiver
}

fn read(mut input: impl BufRead, lines: &Sender<Vec<u8>>) {
    loop {
        let mut line = Vec::new();
        match input.by_ref().take(MAX_LINE).read_until(b'\n', &mut line) {
            Ok(0) => return,
            Ok(_) => {}
            Err(error) => {
                log::debug!("cannot read on: {error}");
                return;
            }
        }
        let whole = line.pop_if(|&mut last| last == b'\n').is_some();
        if line.len() as u64 == MAX_LINE && !whole && input.skip_until(b'\n').is_err() {
            return;
        }
        if lines.send(line).is_err() {
            return;
        }
    }
}

#[cfg(test)]
#[allow(clippy::indexing_slicing)]
mod tests {
    use super::*;
    use std::io::Cursor;

    #[test]
    fn lines_of_any_length() {
        let mut bytes = b"ucci\r\n\n".to_vec();
        bytes.extend(vec![b'x'; MAX_LINE as usize + 10]);
        bytes.extend(b"\nquit");
        let lines: Vec<_> = lines(Cursor::new(bytes)).iter().collect();
        assert_eq!(lines.len(), 4);
        assert_eq!(lines[0], b"ucci\r");
        assert_eq!(lines[1], b"");
        assert_eq!(lines[2].len() as u64, MAX_LINE);
        assert_eq!(lines[3], b"quit");
    }
}
