//! The referee against engines that misbehave in every way: each game must end with the right
//! result and reason, and no child may stay behind.

mod fakes;

use chuhe::arbiter::{
    Conditions, Contest, EngineSpec, GameRecord, OpeningSource, Shard, Termination, Verdict,
    contest,
};
use chuhe::openings::Opening;
use fakes::fake;
use std::{
    collections::BTreeSet,
    path::PathBuf,
    sync::atomic::AtomicBool,
    time::{Duration, Instant},
};
use xiangqi::types::Side;

/// A match of two engines with short patience, from the start position.
fn contest(engines: [&str; 2], games: u32) -> Contest {
    Contest {
        engines: engines.map(|text| text.parse().unwrap()),
        games,
        openings: OpeningSource::List(vec![Opening::default()]),
        seed: 1,
        concurrency: 1,
        conditions: Conditions {
            margin: Duration::from_millis(100),
            hang: Duration::from_millis(300),
            ..Conditions::default()
        },
        shard: Shard { index: 0, count: 1 },
        startup: Duration::from_secs(10),
        log: None,
    }
}

fn play(contest: &Contest) -> Vec<GameRecord> {
    let mut records = Vec::new();
    contest::run(contest, &BTreeSet::new(), &AtomicBool::new(false), &mut |record| {
        records.push(record);
        true
    })
    .unwrap();
    records.sort_by_key(|record| record.number);
    records
}

/// Plays the built-in engine with Red against a fake with Black, then with colours swapped, and
/// tells how both games ended from the fake's side.
fn against(behaviour: &str, limits: &str) -> Vec<(i32, Termination)> {
    let fake = fake("ucci", behaviour, limits);
    let contest = contest(["name=us,nodes=30", &fake], 2);
    play(&contest).iter().map(|record| outcome(record, 1)).collect()
}

/// +1, 0 or -1 for this engine, and why.
fn outcome(record: &GameRecord, engine: usize) -> (i32, Termination) {
    let points = match record.end.verdict {
        Verdict::Win(side) if side == record.side_of(engine) => 1,
        Verdict::Win(_) => -1,
        Verdict::Draw => 0,
        Verdict::BothLose => -1,
    };
    (points, record.end.termination)
}

#[test]
fn cheats_lose_for_the_right_reason() {
    use Termination::*;
    let cases = [
        ("dead", "nodes=10", NoStart),
        ("deaf", "nodes=10", NoStart),
        ("slow-start 1500", "nodes=10", NoStart),
        ("die", "nodes=10", Crash),
        ("silent", "nodes=10", Stalled),
        ("deaf-later", "nodes=10", Stalled),
        ("endless", "nodes=10", Stalled),
        ("silent", "movetime=100", Time),
        ("late", "tc=0.2", Time),
        ("slow 400", "movetime=100", Time),
        ("slow 400", "tc=0.25", Time),
        ("endless", "tc=0.2", Time),
        ("illegal", "nodes=10", IllegalMove),
        ("garbage", "nodes=10", IllegalMove),
        ("resign", "nodes=10", Resignation),
        ("nomove", "nodes=10", NoMove),
    ];
    // Most of the time is spent waiting, so all cases run at once.
    std::thread::scope(|scope| {
        for (behaviour, limits, reason) in cases {
            scope.spawn(move || loses(behaviour, limits, reason));
        }
    });
}

/// The fake loses with either colour, for this reason.
fn loses(behaviour: &str, limits: &str, reason: Termination) {
    let fake = fake("ucci", behaviour, limits);
    let mut contest = contest(["name=us,nodes=30", &fake], 2);
    if reason == Termination::NoStart {
        contest.startup = Duration::from_millis(500);
    }
    let begin = Instant::now();
    for record in play(&contest) {
        let text = format!("{behaviour} {limits}: {:?}", record.end);
        assert_eq!(outcome(&record, 1), (-1, reason), "{text}");
    }
    assert!(begin.elapsed() < Duration::from_secs(15), "{behaviour} held the match");
}

#[test]
fn noise_does_no_harm() {
    for (behaviour, limits) in [
        ("plain", "nodes=10"),
        ("slow-start 300", "nodes=10"),
        ("flood", "tc=60"),
        ("longline", "nodes=10"),
        ("slow 20", "movetime=1000"),
        ("never-ready", "nodes=10"),
    ] {
        let fake = fake("ucci", behaviour, limits);
        let mut contest = contest(["name=us,nodes=30", &fake], 1);
        contest.conditions.hang = Duration::from_secs(20);
        contest.conditions.adjudication = "plies=8".parse().unwrap();
        let records = play(&contest);
        assert_eq!(outcome(&records[0], 1), (0, Termination::Adjudication), "{behaviour}");
        let said = &records[0].plies[1];
        assert_eq!((said.depth, said.nodes), (Some(4), Some(1234)), "{behaviour}");
    }
}

/// A second answer to one question is not taken for the answer to the next one, unless it comes so
/// late that nobody can tell; the game goes on or ends as an illegal move, and so does the match.
#[test]
fn two_answers() {
    for (_, reason) in against("twice", "nodes=10") {
        assert_ne!(reason, Termination::Crash);
        assert_ne!(reason, Termination::Stalled);
    }
}

/// A UCCI engine that has just answered when `stop` reaches it says `nobestmove`: that is no answer to
/// the next question, however late it comes.
#[test]
fn a_stop_that_crosses_the_answer() {
    let fake = fake("ucci", "crossing", "movetime=20");
    let mut contest = contest(["name=us,nodes=30", &fake], 2);
    contest.conditions.adjudication = "plies=8".parse().unwrap();
    contest.conditions.margin = Duration::from_secs(5);
    for record in play(&contest) {
        assert_eq!(outcome(&record, 1), (0, Termination::Adjudication), "{:?}", record.end);
    }
}

/// Both coordinate dialects of UCI give the same games as UCCI.
#[test]
fn dialects_agree() {
    let games = ["ucci", "uci", "uci1"].map(|protocol| {
        let fake = fake(protocol, "plain", "nodes=10");
        let mut contest = contest(["name=us,nodes=30", &fake], 2);
        contest.conditions.adjudication = "plies=60".parse().unwrap();
        let records = play(&contest);
        records.iter().map(|r| r.plies.iter().map(|p| p.played.clone()).collect()).collect()
    });
    let [ucci, uci, uci1]: [Vec<Vec<String>>; 3] = games;
    assert!(ucci.iter().all(|game| game.len() > 20));
    assert_eq!((&uci, &uci1), (&ucci, &ucci));
}

/// The rook on the e-file's side checks for ever: e8e9... with a king that can only step aside.
const CHECKER: &str = "3k5/9/9/9/9/9/9/9/3p5/R3K4 w - - 0 1";

fn with_opening(mut contest: Contest, fen: &str) -> Contest {
    let opening = Opening { fen: fen.to_owned(), moves: Vec::new() };
    contest.openings = OpeningSource::List(vec![opening]);
    contest
}

/// Red checks for ever with its rook, Black's king steps up and down. A side that ignores
/// `banmoves` loses at the third occurrence (24.1); one that obeys goes on otherwise.
#[test]
fn perpetual_check_is_banned_and_loses() {
    let checks = "a0a9-a9a8-a8a9";
    let steps = fake("ucci", "script d9d8-d8d9", "nodes=10").replace("name=fake", "name=king");
    for (behaviour, forbidden) in [("script", true), ("obedient", false)] {
        let rook = fake("ucci", &format!("{behaviour} {checks}"), "nodes=10");
        let mut contest = with_opening(contest([&rook, &steps], 1), CHECKER);
        contest.conditions.adjudication = "plies=40".parse().unwrap();
        let record = &play(&contest)[0];
        let loses = outcome(record, 0) == (-1, Termination::RepetitionLoss);
        assert_eq!(loses, forbidden, "{behaviour}: {:?}", record.end);
        // The position after a0a9 stands there for the third time after nine plies.
        assert_eq!(record.plies.len() == 9, forbidden);
    }
}

/// A rook chases an unprotected cannon for ever. At the third occurrence, after eight plies, Red
/// must change; the one that does not loses when the cycle has been gone through once more (24.3).
#[test]
fn perpetual_chase_gets_one_more_cycle() {
    let fen = "3k5/1c7/9/9/2R6/9/9/9/9/4K4 w - - 0 1";
    let cannon = fake("ucci", "script b8c8-c8b8", "nodes=10").replace("name=fake", "name=cannon");
    for (behaviour, forbidden) in [("script", true), ("obedient", false)] {
        let rook = fake("ucci", &format!("{behaviour} c5b5-b5c5"), "nodes=10");
        let mut contest = with_opening(contest([&rook, &cannon], 1), fen);
        contest.conditions.adjudication = "plies=40".parse().unwrap();
        let record = &play(&contest)[0];
        let loses = outcome(record, 0) == (-1, Termination::RepetitionLoss);
        assert_eq!(loses, forbidden, "{behaviour}: {:?}", record.end);
        assert_eq!(record.plies.len() == 12, forbidden, "{}", record.plies.len());
    }
}

/// The same through `searchmoves`, in both coordinate dialects.
#[test]
fn perpetual_check_is_kept_from_uci_engines() {
    let steps = fake("ucci", "script d9d8-d8d9", "nodes=10").replace("name=fake", "name=king");
    let rook = fake("uci", "obedient a0a9-a9a8-a8a9", "nodes=10");
    let mut contest = with_opening(contest([&rook, &steps], 1), CHECKER);
    contest.conditions.adjudication = "plies=40".parse().unwrap();
    let record = &play(&contest)[0];
    assert_ne!(record.end.termination, Termination::RepetitionLoss);
}

#[test]
fn draw_offers() {
    // Two that offer on every move: the first reply accepts.
    let one = fake("ucci", "draws", "nodes=10");
    let two = one.replace("name=fake", "name=other");
    let record = &play(&contest([&one, &two], 1))[0];
    assert_eq!(record.end.termination, Termination::DrawAgreed);
    assert_eq!(record.plies.len(), 1);

    // One that offers on every move to one that never answers: offers in a row are fouls, which
    // lose only on request.
    let mut contest = contest(["name=us,nodes=30", &one], 1);
    contest.conditions.adjudication = "plies=20".parse().unwrap();
    let record = &play(&contest)[0];
    // Ten moves: a fair offer, eight in a row after it, and the move that ended the game.
    assert_eq!(record.fouls, [0, 8]);
    assert_eq!(record.end.termination, Termination::Adjudication);
    contest.conditions.max_fouls = Some(3);
    let record = &play(&contest)[0];
    assert_eq!(record.fouls, [0, 3]);
    assert_eq!(outcome(record, 1), (-1, Termination::Fouls));
    assert_eq!(record.plies.len(), 8);
}

#[test]
fn both_absent_both_lose() {
    let one = fake("ucci", "dead", "nodes=10");
    let two = one.replace("name=fake", "name=other");
    let record = &play(&contest([&one, &two], 1))[0];
    assert_eq!(
        (record.end.verdict, record.end.termination),
        (Verdict::BothLose, Termination::NoStart)
    );
}

/// An engine that dies in every game is started again for the next one.
#[test]
fn the_match_outlives_its_engines() {
    let die = fake("ucci", "die", "nodes=10");
    let records = play(&contest(["name=us,nodes=30", &die], 4));
    assert_eq!(records.len(), 4);
    assert!(records.iter().all(|record| record.plies.len() >= 4));
    assert!(records.iter().all(|record| record.end.detail.contains('7')), "{:?}", records[0].end);
}

#[test]
fn facing_generals_is_named() {
    let opens = fake("ucci", "script a0a1", "nodes=10");
    let other = fake("ucci", "plain", "nodes=10").replace("name=fake", "name=other");
    // The soldier on e4 is all that stands between the kings; the fake leaves the file with it.
    let fen = "4k4/9/9/9/4P4/9/9/9/9/R3K4 w - - 0 1";
    let leave = opens.replace("script a0a1", "say e5d5");
    let record = &play(&with_opening(contest([&leave, &other], 1), fen))[0];
    assert_eq!(record.end.verdict, Verdict::Win(Side::Black));
    assert_eq!(record.end.termination, Termination::FacingGenerals);
}

/// No process stays behind, not even one that an engine started and left.
#[cfg(target_os = "linux")]
#[test]
fn every_child_is_reaped() {
    let file = std::env::temp_dir().join(format!("chuhe-child-{}", std::process::id()));
    let parent = fake("ucci", &format!("parent {}", file.display()), "nodes=10");
    let mut contest = contest(["name=us,nodes=30", &parent], 1);
    contest.conditions.adjudication = "plies=4".parse().unwrap();
    play(&contest);
    assert_gone(&file);
    std::fs::remove_file(&file).unwrap();
}

/// The process whose number stands in this file has ended.
#[cfg(unix)]
fn assert_gone(file: &std::path::Path) {
    let child: u32 = std::fs::read_to_string(file).unwrap().parse().unwrap();
    let alive = || match std::fs::read_to_string(format!("/proc/{child}/stat")) {
        Ok(stat) => !stat.contains(") Z "),
        Err(_) => false,
    };
    let until = Instant::now() + Duration::from_secs(2);
    while alive() && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(!alive(), "process {child} is left");
}

/// Asked to end by a signal, the referee ends its children and says why it stopped.
#[cfg(unix)]
#[test]
fn a_signal_ends_the_match_and_its_engines() {
    use std::process::{Command, Stdio};
    let folder = std::env::temp_dir().join(format!("chuhe-signal-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let child = folder.join("child");
    let parent = fake("ucci", &format!("parent {}", child.display()), "nodes=10");
    let silent = fake("ucci", "silent", "nodes=10").replace("name=fake", "name=silent");
    let referee = Command::new(env!("CARGO_BIN_EXE_chuhe"))
        .args(["match", "--engine", &parent, "--engine", &silent, "--log"])
        .arg(&folder)
        .stderr(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let asked = || {
        let logs = std::fs::read_dir(&folder).unwrap().flatten();
        let mut texts = logs.map(|file| std::fs::read_to_string(file.path()).unwrap_or_default());
        texts.any(|text| text.contains("-- start for game 1, black") && text.contains(">> go"))
    };
    let until = Instant::now() + Duration::from_secs(20);
    while !asked() && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(10));
    }
    let begin = Instant::now();
    assert!(Command::new("kill").arg(referee.id().to_string()).status().unwrap().success());
    let output = referee.wait_with_output().unwrap();
    assert!(begin.elapsed() < Duration::from_secs(10));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "chuhe: interrupted\n");
    assert_eq!(output.status.code(), Some(1));
    assert_gone(&child);
    std::fs::remove_dir_all(&folder).unwrap();
}

/// The log shows both directions and names the game.
#[test]
fn dialogues_are_kept() {
    let folder: PathBuf = std::env::temp_dir().join(format!("chuhe-log-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let plain = fake("ucci", "plain", "tc=60+1");
    let mut contest = contest(["name=us,nodes=30", &plain], 1);
    contest.conditions.adjudication = "plies=4".parse().unwrap();
    contest.log = Some(folder.clone());
    play(&contest);
    let entry = std::fs::read_dir(&folder).unwrap().next().unwrap().unwrap();
    let text = std::fs::read_to_string(entry.path()).unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    for part in [
        "-- start for game 1, black",
        ">> ucci",
        "<< ucciok",
        ">> setoption usemillisec true",
        ">> setoption newgame",
        ">> go time 60000 increment 1000",
        "<< bestmove ",
        ">> quit",
    ] {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
}

#[test]
fn specs_with_fakes_read_back() {
    let spec: EngineSpec = fake("uci", "script a0a1", "nodes=10").parse().unwrap();
    assert_eq!(spec.arguments, ["uci", "script", "a0a1"]);
}
