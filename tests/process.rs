//! The engine as a process: memory that cannot be had, clients that die, and what is left behind.
#![cfg(unix)]

use std::{
    io::{BufRead, BufReader, Read, Write},
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

fn start(command: &mut Command) -> Child {
    let command = command.env_remove("RUST_LOG").stdin(Stdio::piped()).stdout(Stdio::piped());
    command.stderr(Stdio::piped()).spawn().expect("the engine starts")
}

fn engine() -> Child {
    start(&mut Command::new(env!("CARGO_BIN_EXE_chuhe")))
}

/// Waits for the end, kills what does not end, and tells the status and standard error.
fn end(mut child: Child) -> (Option<i32>, String) {
    let limit = Instant::now() + Duration::from_secs(10);
    let status = loop {
        match child.try_wait().expect("a child") {
            Some(status) => break status.code(),
            None if Instant::now() > limit => {
                child.kill().expect("it can be killed");
                panic!("the engine does not leave");
            }
            None => thread::sleep(Duration::from_millis(5)),
        }
    };
    let mut errors = String::new();
    child.stderr.take().expect("a pipe").read_to_string(&mut errors).expect("text");
    (status, errors)
}

#[test]
fn a_hash_table_that_cannot_be_had_leaves_the_old_one() {
    // An address space too small for the table that is asked for.
    let program = env!("CARGO_BIN_EXE_chuhe");
    let script = format!("ulimit -v 700000 && exec '{program}'");
    let mut child = start(Command::new("sh").args(["-c", &script]));
    let mut input = child.stdin.take().expect("a pipe");
    let commands = "ucci\nsetoption batch true\nsetoption hashsize 8\nposition startpos\ngo depth 5\n\
                    setoption hashsize 900\nprobe startpos\ngo depth 5\nisready\nquit\n";
    input.write_all(commands.as_bytes()).expect("it reads");
    let mut output = String::new();
    child.stdout.take().expect("a pipe").read_to_string(&mut output).expect("text");
    let (status, errors) = end(child);
    assert_eq!((status, errors.as_str()), (Some(0), ""));
    let lines: Vec<&str> = output.lines().collect();
    let complaints: Vec<_> = lines.iter().filter(|l| l.starts_with("info message")).collect();
    // A machine with less memory than that clamps the size instead.
    assert!(!complaints.is_empty(), "{output}");
    assert!(complaints.iter().any(|line| line.contains("the old table stays")), "{complaints:?}");
    let probe = lines.iter().find(|line| line.starts_with("pophash")).expect("an answer");
    assert!(probe.contains("bestmove"), "what was known is still known: {probe}");
    assert_eq!(lines.iter().filter(|line| line.starts_with("bestmove ")).count(), 2);
    assert_eq!(lines.last(), Some(&"bye"));
}

#[test]
fn a_client_that_no_longer_reads_is_left() {
    for thinking in [false, true] {
        let mut child = engine();
        let mut input = child.stdin.take().expect("a pipe");
        let mut output = BufReader::new(child.stdout.take().expect("a pipe"));
        input.write_all(b"ucci\n").expect("it reads");
        let mut line = String::new();
        while !line.starts_with("ucciok") {
            line.clear();
            assert!(output.read_line(&mut line).expect("text") > 0, "it ended");
        }
        drop(output);
        // The input stays open: it is the write that fails.
        let command: &[u8] = if thinking { b"go infinite\n" } else { b"isready\n" };
        input.write_all(command).expect("it reads");
        let (status, errors) = end(child);
        assert_eq!((status, errors.as_str()), (Some(0), ""), "thinking: {thinking}");
    }
}

#[test]
fn nothing_is_left_of_a_search_with_several_threads() {
    let mut child = engine();
    let mut input = child.stdin.take().expect("a pipe");
    input.write_all(b"ucci\nsetoption threads 4\ngo infinite\n").expect("it reads");
    let mut output = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut line = String::new();
    while !line.starts_with("info depth 2") {
        line.clear();
        assert!(output.read_line(&mut line).expect("text") > 0, "it ended");
    }
    // The client dies: both pipes close.
    drop((input, output));
    assert_eq!(end(child), (Some(0), String::new()));
}

/// The processor time that the engine has used, in ticks of 10 ms.
#[cfg(target_os = "linux")]
fn ticks(child: &Child) -> u64 {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", child.id())).expect("it runs");
    let (_, fields) = stat.rsplit_once(") ").expect("a name in parentheses");
    fields.split(' ').skip(11).take(2).map(|field| field.parse::<u64>().expect("a number")).sum()
}

#[test]
#[cfg(target_os = "linux")]
fn idle_lowers_the_load() {
    let mut child = engine();
    let mut input = child.stdin.take().expect("a pipe");
    let mut output = BufReader::new(child.stdout.take().expect("a pipe"));
    input.write_all(b"ucci\nsetoption idle large\ngo infinite\n").expect("it reads");
    let mut line = String::new();
    while !line.starts_with("info depth 4") {
        line.clear();
        assert!(output.read_line(&mut line).expect("text") > 0, "it ended");
    }
    let before = ticks(&child);
    thread::sleep(Duration::from_millis(1500));
    // A quarter of 150 ticks is meant; without the option it would be all that the machine gives.
    let used = ticks(&child) - before;
    assert!(used < 75, "{used} ticks of 150");
    input.write_all(b"quit\n").expect("it reads");
    drop((input, output));
    assert_eq!(end(child), (Some(0), String::new()));
}

#[test]
fn a_command_that_nobody_reads_ends_quietly() {
    let program = env!("CARGO_BIN_EXE_chuhe");
    let mut child = start(Command::new(program).args(["perft", "4", "--divide"]));
    drop(child.stdout.take());
    let (status, errors) = end(child);
    assert_eq!((status, errors.as_str()), (Some(0), ""));
}

#[cfg(target_os = "linux")]
#[test]
fn output_that_cannot_be_written_is_a_failure_unless_nobody_reads() {
    let perft = |output: Stdio| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_chuhe"));
        command.args(["perft", "1"]).stdout(output).stderr(Stdio::piped());
        let output = command.output().expect("it starts");
        (output.status.code(), String::from_utf8(output.stderr).expect("text"))
    };
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("a device");
    let (status, error) = perft(full.into());
    assert_eq!((status, error.lines().count()), (Some(1), 1), "{error}");
    assert!(error.starts_with("chuhe: standard output: "), "{error}");
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    assert_eq!(perft(writer.into()), (Some(0), String::new()));
}
