//! Whole matches through the command line: the same whatever the concurrency, after a kill, and
//! put together from shards.

use serde_json::Value;
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::{Duration, Instant},
};

/// A folder that goes away with the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("chuhe-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        std::fs::write(path.join("openings.txt"), OPENINGS).unwrap();
        Self(path)
    }

    fn file(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

const OPENINGS: &str = "h2e2 h9g7\nc3c4 g6g5 # two\nrnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/\
    9/RNBAKABNR w - - 0 1\nb0c2\n";

fn chuhe(folder: &Folder, arguments: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_chuhe"));
    command
        .current_dir(&folder.0)
        .args(["match", "--json", "--report", "0"])
        .args(arguments.split_whitespace())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    if !arguments.contains("--openings") {
        command.args(["--openings", "openings.txt"]);
    }
    command
}

const PAIRING: &str = "--engine name=A,nodes=150 --engine name=B,nodes=60";

fn run(folder: &Folder, arguments: &str) -> Value {
    let output = chuhe(folder, arguments).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    assert_eq!(errors, "", "nothing is drawn where there is no terminal");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// What a summary says apart from times.
fn result(summary: &Value) -> Vec<Value> {
    let keys = [
        "games",
        "wins",
        "draws",
        "losses",
        "pentanomial",
        "elo",
        "nelo",
        "los",
        "llr",
        "terminations",
        "plies_per_game",
    ];
    keys.iter().map(|key| summary[*key].clone()).collect()
}

/// The games of a journal by number, without times.
fn games(path: &str) -> BTreeMap<u64, Value> {
    let text = std::fs::read_to_string(path).unwrap();
    let mut games = BTreeMap::new();
    for line in text.lines().skip(1) {
        let mut game: Value = serde_json::from_str(line).unwrap();
        game["ended"] = Value::Null;
        for ply in game["plies"].as_array_mut().unwrap() {
            ply["t"] = Value::Null;
        }
        let number = game["number"].as_u64().unwrap();
        assert!(games.insert(number, game).is_none(), "game {number} was played twice");
    }
    games
}

/// Rounds in a PGN file, in order of the match, and that all its games fit the rules.
fn rounds(path: &str) -> Vec<String> {
    let check = Command::new(env!("CARGO_BIN_EXE_chuhe"))
        .args(["match", "--check", path])
        .output()
        .unwrap();
    assert!(check.status.success(), "{}", String::from_utf8_lossy(&check.stderr));
    let text = std::fs::read_to_string(path).unwrap();
    let mut rounds: Vec<String> =
        text.lines().filter(|line| line.starts_with("[Round")).map(str::to_owned).collect();
    let checked = String::from_utf8_lossy(&check.stdout).trim().to_owned();
    assert_eq!(checked, format!("games {} wrong 0", rounds.len()));
    rounds.sort();
    rounds
}

#[test]
fn concurrency_changes_nothing() {
    let folder = Folder::new("concurrency");
    let play = |concurrency: u32, file: &str| {
        let path = folder.file(file);
        let arguments =
            format!("{PAIRING} --games 12 --seed 3 --concurrency {concurrency} --resume {path}");
        (result(&run(&folder, &arguments)), games(&path))
    };
    let (one, three) = (play(1, "one"), play(3, "three"));
    assert_eq!(one.1.len(), 12);
    assert_eq!(one, three);
    // Colours change within a pair, the opening does not.
    assert_eq!(one.1[&0]["book"], one.1[&1]["book"]);
    assert_eq!((&one.1[&0]["red"], &one.1[&1]["red"]), (&Value::from(0), &Value::from(1)));
    // Another seed means another order of openings.
    let other = folder.file("other");
    run(&folder, &format!("{PAIRING} --games 12 --seed 4 --resume {other}"));
    assert_ne!(games(&other), one.1);
}

#[test]
fn random_openings_are_the_same_each_time() {
    let folder = Folder::new("random");
    let play = |file: &str| {
        let path = folder.file(file);
        let arguments = format!(
            "--engine name=A --engine name=B --each nodes=20 --games 6 --adjudicate plies=20 \
             --resume {path}"
        );
        let mut without_list = Command::new(env!("CARGO_BIN_EXE_chuhe"));
        without_list.arg("match").args(arguments.split_whitespace());
        assert!(without_list.output().unwrap().status.success());
        games(&path)
    };
    let (first, second) = (play("first"), play("second"));
    assert_eq!(first.len(), 6);
    assert_eq!(first, second);
    assert_ne!(first[&0]["book"], first[&2]["book"]);
}

/// Kills a match after some games, several times, and lets it go on.
#[test]
fn a_killed_match_ends_like_any_other() {
    let folder = Folder::new("killed");
    let arguments = |name: &str| {
        let (journal, pgn) = (folder.file(name), folder.file(&format!("{name}.pgn")));
        format!("{PAIRING} --games 16 --concurrency 2 --resume {journal} --pgn {pgn}")
    };
    std::fs::write(folder.file("killed.pgn"), "; games of another match\n\n").unwrap();
    let whole = run(&folder, &arguments("whole"));
    for wanted in [3, 8] {
        let mut child = chuhe(&folder, &arguments("killed")).spawn().unwrap();
        wait_for_lines(Path::new(&folder.file("killed")), wanted);
        child.kill().unwrap();
        child.wait().unwrap();
    }
    // A kill in the middle of a line leaves half of it.
    let journal = folder.file("killed");
    let mut text = std::fs::read_to_string(&journal).unwrap();
    let whole_lines = text.rfind('\n').unwrap() + 1;
    text.truncate(whole_lines);
    let played = text.lines().count() - 1;
    assert!((8..16).contains(&played), "{played} games before the last kill");
    text.push_str("{\"number\":15,\"red\":1,\"fe");
    std::fs::write(&journal, text).unwrap();

    let resumed = run(&folder, &arguments("killed"));
    assert_eq!(result(&resumed), result(&whole));
    assert_eq!(games(&journal), games(&folder.file("whole")));
    let pgn = std::fs::read_to_string(folder.file("killed.pgn")).unwrap();
    assert!(pgn.starts_with("; games of another match\n\n[Game"));
    assert_eq!(rounds(&folder.file("killed.pgn")), rounds(&folder.file("whole.pgn")));
    assert_eq!(rounds(&folder.file("whole.pgn")).len(), 16);

    // Asked again it plays nothing and says the same.
    let again = run(&folder, &arguments("killed"));
    assert_eq!(result(&again), result(&whole));
    assert_eq!(rounds(&folder.file("killed.pgn")).len(), 16);
    // Games of other matches that were added behind are no less safe.
    let shared = folder.file("killed.pgn");
    let before = std::fs::read_to_string(&shared).unwrap() + "; games of a third match\n";
    std::fs::write(&shared, &before).unwrap();
    let output = chuhe(&folder, &arguments("killed")).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("other games"));
    assert_eq!(std::fs::read_to_string(&shared).unwrap(), before);
    // And it does not go on with something else.
    let other = arguments("killed").replace("nodes=60", "nodes=61");
    let output = chuhe(&folder, &other).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("belongs to a different match"));
    // Nor does it cut anything off files that it does not go on with.
    let torn = std::fs::read_to_string(&journal).unwrap() + "{\"number\":16";
    for text in [&torn, "a note without an end of line", "{\"chuhe_match\":1,\"engines\":[\"x"] {
        std::fs::write(&journal, text).unwrap();
        let output = chuhe(&folder, &other).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{text}");
        assert_eq!(&std::fs::read_to_string(&journal).unwrap(), text);
    }
}

fn wait_for_lines(path: &Path, wanted: usize) {
    let until = Instant::now() + Duration::from_secs(60);
    while std::fs::read_to_string(path).map_or(0, |text| text.lines().count()) <= wanted {
        assert!(Instant::now() < until, "the match does not get on");
        std::thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn shards_make_the_whole_match() {
    let folder = Folder::new("shards");
    let common = format!("{PAIRING} --games 10");
    let whole = run(&folder, &format!("{common} --resume {}", folder.file("whole")));
    let parts: Vec<String> = (1..=3).map(|part| folder.file(&format!("part{part}"))).collect();
    let sizes: Vec<u64> = (1..=3)
        .map(|part| {
            let path = &parts[part - 1];
            let summary = run(&folder, &format!("{common} --shard {part}/3 --resume {path}"));
            summary["games"].as_u64().unwrap()
        })
        .collect();
    assert_eq!(sizes, [4, 4, 2]);
    let pgn = folder.file("merged.pgn");
    // A part given twice counts once.
    let merge =
        format!("--merge {} {} --pgn {pgn} --sprt elo0=0,elo1=50", parts.join(" "), parts[0]);
    let merged = run(&folder, &merge);
    let without_llr = |summary: &Value| {
        result(summary).into_iter().enumerate().filter(|(i, _)| *i != 8).collect::<Vec<_>>()
    };
    assert_eq!(without_llr(&merged), without_llr(&whole));
    assert!(merged["llr"].is_f64());
    assert_eq!(rounds(&pgn).len(), 10);
}

/// The test stops at the same pair whatever games happen to end first.
#[test]
fn sprt_stops_alike() {
    let folder = Folder::new("sprt");
    let play = |concurrency: u32| {
        run(
            &folder,
            &format!(
                "--engine name=A,nodes=400 --engine name=B,nodes=10 --games 200 \
                 --concurrency {concurrency} --sprt elo0=0,elo1=100"
            ),
        )
    };
    let (one, three) = (play(1), play(3));
    assert_eq!(one["sprt"]["decision"], "h1");
    assert!(one["games"].as_u64().unwrap() < 100, "{one}");
    assert!(one["llr"].as_f64().unwrap() >= 2.944);
    assert_eq!(result(&one), result(&three));
}

/// Records and lists in anybody's spelling start games, their first plies if so wanted; the PGN of
/// them is found right.
#[test]
fn openings_of_every_kind() {
    let folder = Folder::new("openings");
    let record = "[Game \"Chinese Chess\"]\n\n1. 炮二平五 马8进7 2. 马二进三 *\n";
    std::fs::write(folder.file("games.pgn"), record).unwrap();
    std::fs::write(folder.file("list.txt"), "\u{feff}1. H2-E2 H9-G7\r\n").unwrap();
    for openings in ["games.pgn,plies=2", "list.txt"] {
        let summary = run(
            &folder,
            &format!(
                "--engine name=A --engine name=B --each nodes=50 --games 2 --openings {openings} --pgn p"
            ),
        );
        assert_eq!(summary["games"], 2);
        let pgn = std::fs::read_to_string(folder.file("p")).unwrap();
        assert_eq!(pgn.matches("1. H2-E2 {book} H9-G7 {book} 2. ").count(), 2, "{pgn}");
        let output = chuhe(&folder, "--check p").output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stdout), "games 2 wrong 0\n");
        std::fs::remove_file(folder.file("p")).unwrap();
    }
}

#[test]
fn mistakes_in_arguments_are_told() {
    let folder = Folder::new("mistakes");
    std::fs::write(folder.file("over"), "h2e2\n\nh2e2 h9g7 e2h2 g7h9 h2e2 h9g7 e2h2 g7h9\n")
        .unwrap();
    for (arguments, words) in [
        ("--engine name=A,nodes=1", "give --engine twice"),
        ("--engine name=A --engine name=B", "A: no limit"),
        ("--engine name=A --engine name=A --each nodes=1", "different names"),
        ("--engine name=A,option.Book=1 --engine name=B --each nodes=1", "no option 'Book'"),
        ("--engine name=A --engine name=B --each nodes=1 --sprt elo0=1,elo1=0", "below elo1"),
        ("--engine name=A,cmd=./no/such --engine name=B --each nodes=1", "no program ./no/such"),
        ("--engine name=A --engine name=B --each nodes=1 --games 0", "an even number"),
        ("--engine name=A --engine name=B --each nodes=1 --games 3", "an even number"),
        (
            "--engine name=A --engine name=B --each nodes=1 --openings over",
            "line 3: the game is over",
        ),
        (
            "--engine name=A --engine name=B --each nodes=1 --openings over,plies=x",
            "'x' is no number",
        ),
        ("--engine name=A --engine name=B --each nodes=1 --shard 4/3", "no part such as"),
        ("--check no-such-file", "no-such-file"),
    ] {
        let output = chuhe(&folder, arguments).output().unwrap();
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && output.stdout.is_empty(), "{arguments}");
        assert!(text.contains(words), "{arguments}: {text}");
    }
}

/// OpenBench asks for openings with one argument and `quit`.
#[test]
fn genfens_answers_as_openbench_expects() {
    let call = |request: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_chuhe")).args([request, "quit"]).output();
        let output = output.unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let text = call("genfens 5 seed 42 book None");
    let fens: Vec<&str> =
        text.lines().map(|line| line.strip_prefix("info string genfens ").unwrap()).collect();
    assert_eq!(fens.len(), 5);
    for fen in &fens {
        let position: xiangqi::board::Position = fen.parse().unwrap();
        assert!(!position.in_check() && position.has_legal_move());
    }
    assert_eq!(text, call("genfens 5 seed 42 book None"));
    assert_ne!(text, call("genfens 5 seed 43 book None"));
    let folder = Folder::new("genfens");
    let from_book = call(&format!("genfens 2 seed 1 book {}", folder.file("openings.txt")));
    assert_eq!(from_book.lines().count(), 2);
}

#[test]
fn a_file_that_another_process_writes_is_refused() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("locked");
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("in-use");
    let path = file.to_str().unwrap();
    let _ = std::fs::remove_file(&file);
    let held = chuhe::disk::open_alone(&file).unwrap();
    let a_match = ["match", "--engine", "name=A", "--engine", "name=B", "--each", "nodes=50"];
    let of_match = |option| [&a_match[..], &["--games", "2", option, path]].concat();
    let datagen = ["datagen", "--games", "1", "--nodes", "50", "--out", path].to_vec();
    for arguments in [of_match("--resume"), of_match("--pgn"), datagen] {
        let output = Command::new(env!("CARGO_BIN_EXE_chuhe")).args(&arguments).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {said}");
        assert!(said.contains("in-use") && said.contains("another process"), "{said}");
        assert_eq!(std::fs::metadata(&file).unwrap().len(), 0, "{arguments:?}");
    }
    drop(held);
    let output =
        Command::new(env!("CARGO_BIN_EXE_chuhe")).args(of_match("--resume")).output().unwrap();
    assert!(output.status.success(), "{output:?}");
}
