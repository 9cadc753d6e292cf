//! A child process with line-wise pipes. It never blocks its owner, however the child behaves, and
//! never outlives it.

use super::spec::EngineSpec;
use process_wrap::std::{ChildWrapper, CommandWrap};
use std::{
    fs::{File, OpenOptions},
    io::{self, BufRead, BufReader, Read, Write},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::{
        Arc, Mutex,
        mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender},
    },
    time::{Duration, Instant},
};
use xiangqi::notation::decode;

/// A line is cut here; the rest of it is dropped.
const MAX_LINE_BYTES: usize = 64 * 1024;
/// Lines read ahead. Beyond that the child waits for us, as on any full pipe.
const MAX_LINES_AHEAD: usize = 1024;
/// How long a child may take to leave after `quit`.
const QUIT_GRACE: Duration = Duration::from_millis(500);

/// The dialogue with an engine, kept in a file.
#[derive(Clone)]
pub struct Dialogue {
    file: Arc<Mutex<File>>,
    begin: Instant,
}

impl Dialogue {
    /// Appends to this file.
    ///
    /// # Errors
    /// If it can not be opened.
    pub fn open(path: &Path) -> io::Result<Self> {
        let file = OpenOptions::new().create(true).append(true).open(path)?;
        Ok(Self { file: Arc::new(Mutex::new(file)), begin: Instant::now() })
    }

    /// Adds a line: `>>` to the engine, `<<` from it, `!!` on its standard error, `--` about it.
    pub fn note(&self, mark: &str, text: &str) {
        let seconds = self.begin.elapsed().as_secs_f64();
        if let Ok(mut file) = self.file.lock() {
            // A log that can not be written must not end a game.
            let _ = writeln!(file, "{seconds:10.3} {mark} {text}");
        }
    }
}

/// A line from the child and when it came.
pub struct Heard {
    /// When it was read.
    pub at: Instant,
    /// The line without its end, cut if it was very long.
    pub text: String,
}

/// Why there is no line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Silence {
    /// Not yet.
    Timeout,
    /// There will be none any more.
    Closed,
}

/// A running child.
pub struct Process {
    child: Box<dyn ChildWrapper>,
    input: Option<Sender<String>>,
    output: Receiver<Heard>,
    log: Option<Dialogue>,
}

impl Process {
    /// Starts a child in a process group (on Windows a job) of its own, so that it can be ended
    /// together with whatever it starts.
    ///
    /// # Errors
    /// If the program can not be started.
    pub fn start(spec: &EngineSpec, log: Option<Dialogue>) -> io::Result<Self> {
        let mut command = Command::new(program(spec)?);
        command
            .args(&spec.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(if log.is_some() { Stdio::piped() } else { Stdio::null() });
        if let Some(directory) = &spec.directory {
            command.current_dir(directory);
        }
        let mut command = CommandWrap::from(command);
        #[cfg(unix)]
        command.wrap(process_wrap::std::ProcessGroup::leader());
        #[cfg(windows)]
        command.wrap(process_wrap::std::JobObject);
        let mut child = command.spawn()?;
        let broken = || io::Error::other("no pipe");
        let stdin = child.stdin().take().ok_or_else(broken)?;
        let stdout = child.stdout().take().ok_or_else(broken)?;
        if let (Some(stderr), Some(log)) = (child.stderr().take(), log.clone()) {
            std::thread::spawn(move || {
                read_lines(BufReader::new(stderr), &mut |text| {
                    log.note("!!", &text);
                    true
                });
            });
        }
        let (line_sender, output) = mpsc::sync_channel(MAX_LINES_AHEAD);
        let reader_log = log.clone();
        std::thread::spawn(move || pass_on(BufReader::new(stdout), &line_sender, reader_log));
        let (input, lines) = mpsc::channel::<String>();
        std::thread::spawn(move || feed(stdin, &lines));
        Ok(Self { child, input: Some(input), output, log })
    }

    /// Sends a line, without waiting for the child to read it.
    pub fn send(&self, line: &str) {
        if let Some(log) = &self.log {
            log.note(">>", line);
        }
        if let Some(input) = &self.input {
            // A closed pipe shows on the other side, as the end of the output.
            let _ = input.send(format!("{line}\n"));
        }
    }

    /// The next line, waiting for it until then.
    ///
    /// # Errors
    /// If none comes.
    pub fn hear(&self, until: Instant) -> Result<Heard, Silence> {
        let wait = until.saturating_duration_since(Instant::now());
        self.output.recv_timeout(wait).map_err(|error| match error {
            RecvTimeoutError::Timeout => Silence::Timeout,
            RecvTimeoutError::Disconnected => Silence::Closed,
        })
    }

    /// Throws away what has come but was not asked for; at most what can be read ahead, so that a
    /// child that never stops talking does not hold us.
    pub fn forget_output(&self) {
        for _ in 0..MAX_LINES_AHEAD {
            if self.output.try_recv().is_err() {
                break;
            }
        }
    }

    /// How the child ended, in words, if it did.
    pub fn exit_text(&mut self) -> String {
        // The pipes close a moment before the process can be reaped.
        let until = Instant::now() + Duration::from_millis(200);
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return format!("{status}"),
                Ok(None) if Instant::now() < until => {
                    std::thread::sleep(Duration::from_millis(2));
                }
                _ => return "its output is closed".to_owned(),
            }
        }
    }

    fn wait_for_exit(&mut self, grace: Duration) -> bool {
        let until = Instant::now() + grace;
        loop {
            match self.child.try_wait() {
                Ok(Some(_)) => return true,
                Ok(None) if Instant::now() < until => {
                    // Keep the pipe empty, or the child could hang on its last words.
                    self.forget_output();
                    std::thread::sleep(Duration::from_millis(2));
                }
                _ => return false,
            }
        }
    }

    /// Ends the child with everything that it started, at once.
    pub fn kill(&mut self) {
        self.input = None;
        // Both fail only if it is gone already.
        let _ = self.child.start_kill();
        let _ = self.child.wait();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if self.input.is_some() {
            self.send("quit");
            self.wait_for_exit(QUIT_GRACE);
        }
        self.kill();
    }
}

/// The program to run. A path is taken from our working directory, not from the child's; a bare
/// name is looked up by the system.
fn program(spec: &EngineSpec) -> io::Result<PathBuf> {
    let path = spec.command.as_deref().unwrap_or(Path::new(""));
    if path.components().count() > 1 { std::path::absolute(path) } else { Ok(path.to_owned()) }
}

/// Hands lines to the owner until either side is gone.
fn pass_on(reader: impl BufRead, sender: &SyncSender<Heard>, log: Option<Dialogue>) {
    read_lines(reader, &mut |text| {
        if let Some(log) = &log {
            log.note("<<", &text);
        }
        sender.send(Heard { at: Instant::now(), text }).is_ok()
    });
}

/// Reads lines of any bytes, cut at a length, until the end or until `take` has enough.
fn read_lines(mut reader: impl BufRead, take: &mut dyn FnMut(String) -> bool) {
    let mut line = Vec::new();
    loop {
        let limit = (MAX_LINE_BYTES - line.len().min(MAX_LINE_BYTES)) as u64;
        let whole = match reader.by_ref().take(limit.max(1)).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) => line.last() == Some(&b'\n'),
        };
        if !whole && line.len() < MAX_LINE_BYTES {
            continue;
        }
        let at_end = !whole && !skip_line(&mut reader);
        while line.last().is_some_and(|b| b"\r\n".contains(b)) {
            line.pop();
        }
        if !take(decode(&line).into_owned()) || at_end {
            return;
        }
        line.clear();
    }
}

/// Skips to behind the end of a line; `false` at the end of everything.
fn skip_line(reader: &mut impl BufRead) -> bool {
    loop {
        let (used, found) = match reader.fill_buf() {
            Ok([]) | Err(_) => return false,
            Ok(bytes) => match bytes.iter().position(|&b| b == b'\n') {
                Some(end) => (end + 1, true),
                None => (bytes.len(), false),
            },
        };
        reader.consume(used);
        if found {
            return true;
        }
    }
}

/// Writes lines to the child until there are no more or the pipe breaks.
fn feed(mut stdin: impl Write, lines: &Receiver<String>) {
    while let Ok(line) = lines.recv() {
        if stdin.write_all(line.as_bytes()).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(bytes: &[u8]) -> Vec<String> {
        let mut lines = Vec::new();
        read_lines(BufReader::with_capacity(7, bytes), &mut |line| {
            lines.push(line);
            true
        });
        lines
    }

    #[test]
    fn lines_of_any_kind() {
        assert_eq!(lines(b"a\r\nbc\n\n\xff\n"), ["a", "bc", "", "\u{fffd}"]);
        assert_eq!(lines(b"no end"), Vec::<String>::new());
        let long = [vec![b'x'; 3 * MAX_LINE_BYTES], b"\nnext\n".to_vec()].concat();
        let cut = lines(&long);
        assert_eq!((cut.len(), cut[0].len()), (2, MAX_LINE_BYTES));
        assert_eq!(cut[1], "next");
        assert_eq!(lines(&vec![b'x'; 3 * MAX_LINE_BYTES]).len(), 1);
    }
}
