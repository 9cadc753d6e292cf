//! A whole session: whatever comes in, each `go` has at most one answer and the session ends.
#![no_main]

use libfuzzer_sys::fuzz_target;
use std::{
    io::{Cursor, Write},
    sync::{Arc, Mutex},
};

/// What would only take time or memory: searches that may not be interrupted, large tables.
const SLOW: [&str; 5] = ["batch", "perft", "bench", "hash", "threads"];

#[derive(Clone, Default)]
struct Sink(Arc<Mutex<Vec<u8>>>);

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("no panic").extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fuzz_target!(|input: &[u8]| {
    let text = String::from_utf8_lossy(input).to_lowercase();
    if SLOW.iter().any(|word| text.contains(word)) {
        return;
    }
    let mut bytes = b"uci\nsetoption hashsize 1\n".to_vec();
    bytes.extend_from_slice(input);
    let sink = Sink::default();
    chuhe::ucci::run(Cursor::new(bytes), sink.clone());
    let output = sink.0.lock().expect("no panic").clone();
    let output = String::from_utf8(output).expect("the engine speaks UTF-8");
    assert!(!output.contains("this is a bug"), "{output}");
    let words = |line: &str| line.split_whitespace().next().unwrap_or("").to_lowercase();
    let goes =
        text.lines().filter(|line| words(line.trim_start_matches('\u{feff}')) == "go").count();
    let stops =
        text.lines().filter(|line| words(line.trim_start_matches('\u{feff}')) == "stop").count();
    let answers = |word: &str| output.lines().filter(|line| line.starts_with(word)).count();
    assert!(answers("bestmove") + answers("nobestmove") <= goes + stops, "{output}");
});
