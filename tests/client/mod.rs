//! A client for tests: starts the real binary, sends lines, reads lines with a time limit.

#![allow(dead_code, reason = "each test file uses its own part")]

use std::{
    io::{BufRead, BufReader, Read, Write},
    process::{Child, ChildStdin, Command, ExitStatus, Stdio},
    sync::mpsc::{Receiver, RecvTimeoutError, channel},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

/// An engine process and the ends of its pipes.
pub struct Client {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    errors: Option<JoinHandle<String>>,
}

impl Client {
    /// Starts the engine.
    pub fn start() -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_chuhe"))
            .env_remove("RUST_LOG")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the engine starts");
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut stderr = child.stderr.take().expect("a pipe");
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in output.split(b'\n').map_while(Result::ok) {
                if sender.send(String::from_utf8_lossy(&line).into_owned()).is_err() {
                    return;
                }
            }
        });
        let errors = thread::spawn(move || {
            let mut text = Vec::new();
            let _ = stderr.read_to_end(&mut text);
            String::from_utf8_lossy(&text).into_owned()
        });
        Self { child, input, lines, errors: Some(errors) }
    }

    /// Sends bytes as they are. A client that the engine has left does not mind.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        if let Some(input) = &mut self.input {
            let _ = input.write_all(bytes).and_then(|()| input.flush());
        }
    }

    /// Sends a line.
    pub fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    /// The next line, or why there is none.
    pub fn line(&self, limit: Duration) -> Result<String, &'static str> {
        self.lines.recv_timeout(limit).map_err(|error| match error {
            RecvTimeoutError::Timeout => "nothing came in time",
            RecvTimeoutError::Disconnected => "the engine closed its output",
        })
    }

    /// Closes the engine's input.
    pub fn close_input(&mut self) {
        self.input = None;
    }

    /// Waits for the engine to exit.
    pub fn exit(&mut self, limit: Duration) -> Result<ExitStatus, &'static str> {
        let end = Instant::now() + limit;
        loop {
            if let Ok(Some(status)) = self.child.try_wait() {
                return Ok(status);
            }
            if Instant::now() >= end {
                return Err("the engine does not exit");
            }
            thread::sleep(Duration::from_millis(2));
        }
    }

    /// What the engine wrote to its standard error. To be called after its exit.
    pub fn errors(&mut self) -> String {
        self.errors.take().and_then(|thread| thread.join().ok()).unwrap_or_default()
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Whether a line answers a command, rather than telling of progress or options.
pub fn is_answer(line: &str) -> bool {
    !["info ", "option ", "id "].iter().any(|start| line.starts_with(start)) && !line.is_empty()
}
