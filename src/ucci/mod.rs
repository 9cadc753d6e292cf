//! The protocols UCCI and UCI on standard input and output.
//!
//! A thread reads lines, a thread thinks, and the session in between is a state machine: bytes →
//! [`command::Command`] → [`session::Session`] → [`reply::Reply`] → text. The end of the input
//! means `quit`, also while thinking. Nothing that comes from outside can stop the engine with a
//! panic, so the lints that guard against it are on here.

#![deny(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    clippy::unreachable,
    clippy::unwrap_used
)]

pub mod command;
mod console;
pub mod coordinates;
mod engine;
mod input;
mod manners;
mod memory;
pub mod options;
mod output;
pub mod reply;
pub mod scale;
pub mod session;
mod temper;
mod thinking;
mod timing;

use crossbeam_channel::{Receiver, after, never, select};
use session::{Flow, Session};
use std::io::{Read, Write};
use thinking::Event;

/// Speaks with a client until it quits, its input ends, or it no longer reads.
pub fn run(input: impl Read + Send + 'static, output: impl Write) {
    let lines = input::lines(input);
    let mut session = Session::new(output);
    while !session.is_abandoned() {
        if step(&mut session, &lines) == Flow::Quit {
            return;
        }
    }
    // The client is gone, and a search must not be left behind.
    let _ = session.quit();
}

/// Waits for the next thing that happens and lets the session handle it.
fn step<W: Write>(session: &mut Session<W>, lines: &Receiver<Vec<u8>>) -> Flow {
    let (closed, deaf) = (never(), never());
    let events = session.thinking().and_then(|thinking| thinking.events()).unwrap_or(&closed);
    let lines = if session.is_deaf() || session.is_ending() { &deaf } else { lines };
    let due = session.thinking().and_then(|t| t.line_due()).map_or_else(never, after);
    select! {
        recv(lines) -> line => match line {
            Ok(line) => return session.line(&line),
            Err(_) => return session.input_ended(),
        },
        recv(events) -> event => return session.event(event.unwrap_or(Event::Failed)),
        recv(due) -> _ => session.print_due_lines(),
    }
    Flow::Continue
}
