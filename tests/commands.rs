//! The small commands, and how commands take their arguments.

use std::process::Command;

/// Exit status, stdout and stderr of a command.
fn chuhe(arguments: &[&str]) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_chuhe")).args(arguments).output();
    let output = output.expect("the program runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let status = output.status.code().expect("an exit status");
    (status, text(&output.stdout), text(&output.stderr))
}

/// 1,920 is the published count of the start position at depth 2.
#[test]
fn startpos_is_a_position() {
    let (status, out, _) = chuhe(&["perft", "2", "--fen", "startpos"]);
    assert_eq!(status, 0);
    assert!(out.starts_with("nodes 1920 "), "{out}");
    let with = chuhe(&["eval", "--fen", "startpos"]);
    assert_eq!((with.0, with.1), (0, chuhe(&["eval"]).1));
}

#[test]
fn a_slip_of_the_keyboard_is_understood() {
    for (arguments, meant) in [
        (&["perft", "3", "--fne", "x"][..], "'--fen'"),
        (&["match", "--gmaes", "2"], "'--games'"),
        (&["speedtest", "--theads", "2"], "'--threads'"),
    ] {
        let (status, out, errors) = chuhe(arguments);
        assert_eq!((status, out.as_str()), (2, ""), "{arguments:?}");
        assert!(errors.contains(meant) && !errors.contains("as a value"), "{errors}");
    }
    // What is like nothing is not taken for something.
    assert!(!chuhe(&["perft", "3", "--xyz"]).2.contains("similar"));
}

#[test]
fn work_has_bounds() {
    for arguments in [["bench", "200"], ["bench", "0"], ["perft", "200"]] {
        let (status, out, errors) = chuhe(&arguments);
        assert_eq!((status, out.as_str()), (2, ""), "{arguments:?}");
        assert!(errors.contains("is not in"), "{errors}");
    }
    let (status, out, errors) = chuhe(&["speedtest", "--threads", "999", "--seconds", "0.05"]);
    assert_eq!(status, 0);
    let cores = std::thread::available_parallelism().unwrap().get();
    assert!(errors.contains("999 threads") && out.lines().count() == cores, "{errors}{out}");
}

/// A file that is not there is the same failure everywhere.
#[test]
fn missing_files() {
    for arguments in [
        "judge nofile",
        "show nofile",
        "review nofile",
        "eval --net nofile",
        "match --check nofile",
        "match --engine name=A --engine name=B --each nodes=1 --openings nofile",
    ] {
        let words: Vec<&str> = arguments.split(' ').collect();
        let (status, out, errors) = chuhe(&words);
        assert_eq!((status, out.as_str()), (1, ""), "{arguments}: {errors}");
        assert!(errors.contains("nofile") && errors.lines().count() == 1, "{arguments}: {errors}");
    }
}
