//! Game files, generation, re-scoring and expansion.

use chuhe::{
    eval::Backend,
    train::{
        Recipe, Record, Trainer, WinDrawLoss,
        datagen::{Settings, generate},
        dataset::{Dataset, Expansion, Filters},
        format::{Ending, FormatError, GameReader, GameRecord, GameWriter, Header, ScoredMove},
        merge::merge,
        model::Shape,
        rescore::rescore,
        statistics::Rejection,
    },
};
use std::{
    collections::HashMap,
    fs,
    io::{Seek, SeekFrom, Write},
    ops::ControlFlow,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::atomic::AtomicBool,
    thread,
    time::{Duration, Instant},
};
use xiangqi::{
    board::Position,
    game::Game,
    rules::{RuleSet, Status, judge},
    types::Side,
};

/// A folder of its own for a test, removed at its end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("chuhe-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn games(seed: u64, count: u64, workers: usize) -> Vec<GameRecord> {
    let settings = Settings { soft_nodes: 60, seed, ..Settings::default() };
    let mut games = Vec::new();
    generate(&settings, 0..count, workers, |game| {
        games.push(game);
        ControlFlow::Continue(())
    })
    .unwrap();
    games
}

fn write(path: &Path, header: Header, games: &[GameRecord]) {
    let mut writer = GameWriter::append(path, header).unwrap();
    for game in games {
        writer.write(game).unwrap();
    }
}

fn read(path: &Path) -> Vec<GameRecord> {
    GameReader::open(path).unwrap().collect()
}

/// A game by hand from the start position.
fn game(result: WinDrawLoss, moves: &[(&str, i16)]) -> GameRecord {
    let moves =
        moves.iter().map(|&(m, score)| ScoredMove { played: m.parse().unwrap(), score }).collect();
    GameRecord { start: Position::start(), result, ending: Ending::Mate, moves }
}

#[test]
fn generation_is_repeatable_and_truthful() {
    let first = games(5, 6, 1);
    assert_eq!(first.len(), 6);
    assert_eq!(games(5, 6, 3), first);
    assert_ne!(games(6, 6, 1), first);
    for record in &first {
        let moves = record.moves.iter().map(|ply| ply.played);
        let mut game = Game::new(record.start.clone());
        for m in moves {
            game.play(m).unwrap();
        }
        assert!(record.start.fullmove() >= 5, "eight random plies come first");
        let last = record.moves.last().unwrap();
        let mover = Side::ALL[(record.start.side().index() + record.moves.len() + 1) % 2];
        match record.ending {
            // The side that is winning in the last score has won the game.
            Ending::AdjudicatedWin => {
                let expected = if last.score > 0 { WinDrawLoss::Win } else { WinDrawLoss::Loss };
                assert!(last.score.abs() >= 2000);
                assert_eq!(record.result_for(mover), expected);
            }
            Ending::Mate | Ending::RepetitionLoss => {
                assert_ne!(record.result, WinDrawLoss::Draw);
            }
            _ => assert_eq!(record.result, WinDrawLoss::Draw),
        }
    }
}

/// Whether a game ended by repetition when, and only when, these rules say so.
fn repetitions_fit(record: &GameRecord, rules: RuleSet) -> bool {
    let mut game = Game::new(record.start.clone());
    for (ply, scored) in record.moves.iter().enumerate() {
        game.play(scored.played).unwrap();
        let is_last = ply + 1 == record.moves.len();
        let expected = match judge(&game, rules).status {
            Status::None | Status::MustChange(_) => None,
            Status::Draw => Some((Ending::RepetitionDraw, WinDrawLoss::Draw)),
            Status::Loses(Side::Red) => Some((Ending::RepetitionLoss, WinDrawLoss::Loss)),
            Status::Loses(Side::Black) => Some((Ending::RepetitionLoss, WinDrawLoss::Win)),
        };
        let by_repetition =
            matches!(record.ending, Ending::RepetitionDraw | Ending::RepetitionLoss);
        // A game that ends by its score does so before its last move is played.
        let found = (is_last && by_repetition).then_some((record.ending, record.result));
        if found != expected && (!is_last || by_repetition) {
            return false;
        }
    }
    true
}

#[test]
fn repetitions_end_as_the_chosen_rules_say() {
    let endings = [Ending::RepetitionLoss, Ending::RepetitionDraw];
    let met = |games: &[GameRecord], ending| games.iter().any(|game| game.ending == ending);
    // Whichever games these are depends on the search: as many as it takes to meet both.
    let batch = |rules| {
        let settings = Settings { soft_nodes: 60, seed: 5, rules, ..Settings::default() };
        let settings = Settings { backend: Backend::Handwritten, ..settings };
        let mut games = Vec::new();
        generate(&settings, 0..3000, 2, |game| {
            games.push(game);
            if endings.iter().all(|&ending| met(&games, ending)) {
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        })
        .unwrap();
        games
    };
    for (rules, other) in [(RuleSet::Cn1999, RuleSet::League), (RuleSet::League, RuleSet::Cn1999)] {
        let games = batch(rules);
        for ending in endings {
            assert!(met(&games, ending), "{rules}: no {ending:?}");
        }
        for (number, game) in games.iter().enumerate() {
            assert!(repetitions_fit(game, rules), "{rules}: game {number}");
        }
        assert!(!games.iter().all(|game| repetitions_fit(game, other)), "{rules} is {other}");
    }
}

#[test]
fn a_file_cut_anywhere_goes_on_to_the_same_end() {
    let folder = Folder::new("torn");
    let path = folder.file("games");
    let header = Header { nodes: 60, seed: 9, evaluator: 0, settings: 0 };
    let all = [
        game(WinDrawLoss::Win, &[("h2e2", 20), ("h9g7", -15), ("h0g2", 18)]),
        game(WinDrawLoss::Draw, &[("b2e2", 3)]),
        game(WinDrawLoss::Loss, &[("c3c4", 0), ("g6g5", 7)]),
    ];
    write(&path, header, &all);
    let whole = fs::read(&path).unwrap();
    assert_eq!(whole.len(), 32 + (32 + 16) + (32 + 8) + (32 + 12));
    assert_eq!(read(&path), all);
    let ends = [32, 80, 120, 164];
    for length in 0..whole.len() {
        fs::write(&path, &whole[..length]).unwrap();
        let complete = ends[1..].iter().filter(|&&end| end <= length).count();
        if length >= 32 {
            let mut reader = GameReader::open(&path).unwrap();
            assert_eq!(reader.by_ref().count(), complete, "{length} bytes");
            assert_eq!(reader.torn_bytes().unwrap(), (length - ends[complete]) as u64);
        }
        let mut writer = GameWriter::append(&path, header).unwrap();
        assert_eq!(writer.games(), complete as u64);
        for game in &all[complete..] {
            writer.write(game).unwrap();
        }
        assert_eq!(fs::read(&path).unwrap(), whole, "{length} bytes");
    }
    // A crash can also leave zeros where the game should be.
    fs::write(&path, [&whole[..120], &[0; 30]].concat()).unwrap();
    assert_eq!(read(&path), all[..2]);
    assert_eq!(GameWriter::append(&path, header).unwrap().cut_bytes(), 30);
}

#[test]
fn refuses_what_it_must_not_append_to() {
    let folder = Folder::new("refuse");
    let path = folder.file("games");
    let header = Header { nodes: 60, seed: 9, evaluator: 0, settings: 0 };
    write(&path, header, &[game(WinDrawLoss::Win, &[("h2e2", 20)])]);
    let other = GameWriter::append(&path, Header { seed: 8, ..header });
    assert!(matches!(other, Err(FormatError::OtherSettings(_))));

    // More than the longest game (32 + 401 · 4 bytes) is no torn tail, and is not cut.
    let mut file = fs::OpenOptions::new().write(true).open(&path).unwrap();
    file.seek(SeekFrom::End(0)).unwrap();
    file.write_all(&[0x55; 1637]).unwrap();
    let damaged = GameWriter::append(&path, header);
    assert!(matches!(damaged, Err(FormatError::Damaged { games: 1, rest: 1637, .. })));
    assert_eq!(fs::metadata(&path).unwrap().len(), 72 + 1637);
    file.set_len(72 + 1636).unwrap();
    assert_eq!(GameWriter::append(&path, header).unwrap().cut_bytes(), 1636);

    // One flipped bit costs no game after it.
    let many = vec![game(WinDrawLoss::Win, &[("h2e2", 20)]); 50];
    fs::remove_file(&path).unwrap();
    write(&path, header, &many);
    let mut bytes = fs::read(&path).unwrap();
    bytes[32 + 5 * 40 + 32] ^= 1;
    fs::write(&path, &bytes).unwrap();
    let damaged = GameWriter::append(&path, header);
    assert!(matches!(damaged, Err(FormatError::Damaged { games: 5, rest: 1800, .. })));
    assert_eq!(fs::read(&path).unwrap(), bytes);

    // Other settings that the header has no room for are told by their hash, where it is known.
    for (older, newer, fits) in [(7, 7, true), (7, 8, false), (0, 8, true), (7, 0, false)] {
        fs::remove_file(&path).unwrap();
        write(&path, Header { settings: older, ..header }, &[]);
        let appended = GameWriter::append(&path, Header { settings: newer, ..header });
        assert_eq!(appended.is_ok(), fits, "{older} {newer}");
        assert_eq!(GameReader::open(&path).unwrap().header().settings, older);
    }

    for text in ["", "short", "something else altogether, longer than a head"] {
        fs::write(&path, text).unwrap();
        assert!(matches!(GameReader::open(&path), Err(FormatError::Foreign(_))));
        let appended = GameWriter::append(&path, header);
        assert_eq!(appended.is_ok(), text.is_empty(), "{text}");
    }
    assert!(matches!(GameReader::open(&folder.file("none")), Err(FormatError::Io(..))));
}

#[test]
fn merges_shards() {
    let folder = Folder::new("merge");
    let [a, b, out] = ["a", "b", "out"].map(|name| folder.file(name));
    let [one, two, three] = [
        game(WinDrawLoss::Win, &[("h2e2", 1)]),
        game(WinDrawLoss::Win, &[("b2e2", 1)]),
        game(WinDrawLoss::Win, &[("c3c4", 1)]),
    ];
    let header = Header { nodes: 100, seed: 1, evaluator: 7, settings: 5 };
    write(&a, header, &[one.clone(), two.clone()]);
    write(&b, Header { seed: 2, ..header }, &[two.clone(), three.clone()]);
    let mut heard = 0;
    let merged = merge(&[&a, &b], &out, |bytes| heard += bytes).unwrap();
    assert_eq!((merged.games, merged.repeated, merged.torn), (3, 1, Vec::new()));
    assert_eq!(heard, 2 * (32 + 2 * 40));
    assert_eq!(read(&out), [one.clone(), two, three]);
    let head = |path: &Path| GameReader::open(path).unwrap().header();
    assert_eq!(head(&out), Header { seed: 0, settings: 0, ..header });

    // Half a game at the end is told of; what is common to all stays in the header.
    let mut bytes = fs::read(&a).unwrap();
    bytes.truncate(bytes.len() - 3);
    fs::write(&a, &bytes).unwrap();
    let c = folder.file("c");
    write(&c, Header { evaluator: 8, ..header }, &[one]);
    let merged = merge(&[&a, &c], &out, |_| ()).unwrap();
    assert_eq!((merged.games, merged.repeated, merged.torn), (1, 1, vec![(a.clone(), 37)]));
    let expected = Header { nodes: 100, seed: 0, evaluator: Header::MIXED, settings: 0 };
    assert_eq!(head(&out), expected);

    // A damaged input leaves nothing, or what was there, and can be taken out.
    fs::write(&a, [&bytes[..], &[0x55; 2000]].concat()).unwrap();
    let (before, fresh) = (fs::read(&out).unwrap(), folder.file("fresh"));
    for target in [&out, &fresh] {
        let damaged = merge(&[&b, &a], target, |_| ());
        assert!(matches!(damaged, Err(FormatError::Damaged { path, .. }) if path == a));
    }
    assert_eq!(fs::read(&out).unwrap(), before);
    assert!(!fresh.exists());
    assert_eq!(merge(&[&b], &fresh, |_| ()).unwrap().games, 2);
}

#[test]
fn keeps_only_what_is_worth_learning() {
    // The start is ply 2, and counting begins at ply 4.
    let moves = [
        ("a0a1", 10), // opening
        ("i9i8", -10),
        ("a1a2", 30),   // kept
        ("i8i7", 3500), // decided
        ("a2d2", 50),   // gives check
        ("d9e9", -60),  // in check
        ("d2d5", 70),   // kept
        ("i7i6", -80),  // kept
        ("d5e5", 90),   // takes, with check
        ("e9d9", -100), // in check
        ("e5e4", 110),  // four plies that end where they began
        ("i6i5", -110),
        ("e4e5", 120),
        ("i5i6", -120),
        ("e5e7", 200), // kept
    ];
    let mut record = game(WinDrawLoss::Win, &moves);
    record.start = "3k4r/9/9/9/4p4/9/9/9/9/R3K4 w - - 0 2".parse().unwrap();
    let legal = moves.iter().map(|(m, _)| m.parse().unwrap());
    assert!(Game::with_moves(record.start.clone(), legal).is_ok());
    let filters = Filters { first_ply: 4, score_limit: 3000, validation_period: u64::MAX };
    let mut expansion = Expansion::new(filters);
    expansion.add(&record);
    // The mirror of the same game holds nothing new.
    let mut mirrored = GameRecord { start: record.start.mirrored(), ..record.clone() };
    for ply in &mut mirrored.moves {
        ply.played = ply.played.mirrored();
    }
    expansion.add(&mirrored);
    let (data, statistics) = expansion.finish(1);
    let expected = [
        (Rejection::Opening, 4),
        (Rejection::Decided, 2),
        (Rejection::Check, 2),
        (Rejection::InCheck, 4),
        (Rejection::Capture, 2),
        (Rejection::Cycle, 8),
        (Rejection::Duplicate, 4),
    ];
    assert_eq!(statistics.rejected, expected.into_iter().collect());
    let kept: Vec<_> = data.training.iter().map(|r| (r.score(), r.result())).collect();
    let mut scores: Vec<_> = kept.iter().map(|(score, _)| *score).collect();
    scores.sort_unstable();
    assert_eq!(scores, [-80, 30, 70, 200]);
    assert!(kept.contains(&(-80, WinDrawLoss::Loss)), "Black lost this game");
    assert_eq!(statistics.games, 2);
    assert_eq!(statistics.kept, 4);
    assert!(data.validation.is_empty());
}

#[test]
fn splits_by_game_and_shuffles() {
    let filters = Filters { validation_period: 4, ..Filters::default() };
    let games = games(3, 32, 2);
    // Each game by itself lies on one side.
    let mut sides = [0; 2];
    for game in &games {
        let mut expansion = Expansion::new(filters);
        expansion.add(game);
        let (data, statistics) = expansion.finish(1);
        let counts = [data.training.len(), data.validation.len()];
        assert!(counts.contains(&0), "{counts:?}");
        sides[usize::from(counts[0] == 0)] += u64::from(statistics.kept > 5);
    }
    assert!(sides[0] > 10 && sides[1] > 2, "{sides:?}");

    // Where each record comes first.
    let mut places = HashMap::new();
    for record in &games {
        let mut game = Game::new(record.start.clone());
        for ply in &record.moves {
            let result = record.result_for(game.position().side());
            let next = places.len();
            let made = Record::new(game.position(), ply.score, result);
            places.entry(*made.as_bytes()).or_insert(next);
            game.play(ply.played).unwrap();
        }
    }
    let order = |seed| {
        let mut expansion = Expansion::new(filters);
        games.iter().for_each(|game| expansion.add(game));
        let (data, _) = expansion.finish(seed);
        [data.training, data.validation]
            .map(|list| list.iter().map(|record| places[record.as_bytes()]).collect::<Vec<usize>>())
    };
    let (first, again, other) = (order(1), order(1), order(2));
    assert_eq!(first, again);
    for (first, other) in first.into_iter().zip(other) {
        assert!(first.len() > 100);
        assert_ne!(first, other, "the seed decides nothing");
        for list in [&first, &other] {
            // Half of the neighbours of a random order are turned round.
            let falls = list.windows(2).filter(|pair| pair[0] > pair[1]).count();
            assert!(falls * 3 > list.len(), "{falls} of {}", list.len());
        }
        let sorted = |mut list: Vec<usize>| {
            list.sort_unstable();
            list
        };
        assert_eq!(sorted(first), sorted(other));
    }
}

#[test]
fn kept_positions_survive_a_round_trip() {
    let mut expansion = Expansion::new(Filters { validation_period: 4, ..Filters::default() });
    let mut reversed = Expansion::new(Filters { validation_period: 4, ..Filters::default() });
    let games = games(3, 32, 2);
    games.iter().for_each(|game| expansion.add(game));
    games.iter().rev().for_each(|game| reversed.add(game));
    let (data, statistics) = expansion.finish(1);
    let (other, _) = reversed.finish(2);
    let total = data.training.len() + data.validation.len();
    assert_eq!(total as u64, statistics.kept);
    assert!(!data.validation.is_empty() && data.validation.len() < data.training.len());
    let sorted = |list: &[chuhe::train::Record]| {
        let mut hashes: Vec<_> = list.iter().map(|r| r.symmetric_hash()).collect();
        hashes.sort_unstable();
        hashes
    };
    let hashes = sorted(&data.training);
    assert!(hashes.windows(2).all(|pair| pair[0] != pair[1]), "a position is there twice");
    // Whatever the order of the files, a game stays on its side (but for shared positions).
    assert!(other.validation.len().abs_diff(data.validation.len()) < 20);

    let folder = Folder::new("records");
    let path = folder.file("records");
    data.save(&path).unwrap();
    let loaded = Dataset::load(&path).unwrap();
    assert_eq!(loaded.training, data.training);
    assert_eq!(loaded.validation, data.validation);
    let bytes = fs::read(&path).unwrap();
    assert_eq!(bytes.len(), 24 + 32 * total);
    fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
    assert!(Dataset::load(&path).is_err());
}

#[test]
fn rescoring_changes_scores_alone() {
    let old = games(8, 3, 1);
    let run = |workers| {
        let mut new = Vec::new();
        let (backend, rules) = (Backend::Handwritten, RuleSet::Cn1999);
        rescore(old.iter().cloned(), 200, &backend, rules, workers, |game| {
            new.push(game);
            ControlFlow::Continue(())
        })
        .unwrap();
        new
    };
    let new = run(1);
    assert_eq!(run(2), new);
    assert_eq!(new.len(), old.len());
    let mut changed = 0;
    for (old, new) in old.iter().zip(&new) {
        assert_eq!((&old.start, old.result, old.ending), (&new.start, new.result, new.ending));
        assert!(old.moves.iter().zip(&new.moves).all(|(a, b)| a.played == b.played));
        changed += old.moves.iter().zip(&new.moves).filter(|(a, b)| a.score != b.score).count();
    }
    assert!(changed > 10);
}

/// The program with these words as arguments; `@NAME` is a file of the folder.
fn chuhe(folder: &Folder, words: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_chuhe"));
    for word in words.split(' ') {
        match word.strip_prefix('@') {
            Some(name) => command.arg(folder.file(name)),
            None => command.arg(word),
        };
    }
    command.env_remove("RUST_LOG").stdout(Stdio::null());
    command
}

/// Runs a command to its end; its status and what it says on standard error.
fn done(mut command: Command) -> (Option<i32>, String) {
    let output = command.output().unwrap();
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

/// Kills a command when its file has some games.
fn kill_at_work(mut command: Command, file: &Path, games: u64) {
    let mut child = command.spawn().unwrap();
    let until = Instant::now() + Duration::from_secs(60);
    while fs::metadata(file).map_or(0, |data| data.len()) < 200 {
        assert!(Instant::now() < until, "no first game");
        thread::sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let count = GameReader::open(file).unwrap().count() as u64;
    assert!(0 < count && count < games, "{count} games: nothing was interrupted");
}

#[test]
fn killed_commands_go_on_to_the_same_bytes() {
    let folder = Folder::new("killed");
    let bytes = |name| fs::read(folder.file(name)).unwrap();
    let finished = (Some(0), String::new());
    let datagen = |out: &str, more: &str| {
        let line = format!("datagen --out {out} --games 60 --nodes 40 --net hce {more}");
        chuhe(&folder, line.trim_end())
    };
    assert_eq!(done(datagen("@whole", "--workers 2")), finished);
    kill_at_work(datagen("@cut", "--workers 1"), &folder.file("cut"), 60);
    // A kill in the middle of a game leaves a part of it.
    let half = [bytes("cut"), bytes("whole")[32..70].to_vec()].concat();
    fs::write(folder.file("cut"), half).unwrap();
    let cut = (Some(0), "cut 38 bytes of an unfinished game\n".to_owned());
    assert_eq!(done(datagen("@cut", "--workers 1")), cut);
    assert_eq!(bytes("cut"), bytes("whole"));

    // With other settings it does not go on.
    fs::write(folder.file("lines"), "h2e2\n").unwrap();
    for other in
        ["--random-plies 9", "--balance 300", "--rules league", "--openings @lines", "--seed 2"]
    {
        let (status, error) = done(datagen("@cut", other));
        assert_eq!(status, Some(1), "{other}");
        assert!(error.contains("made with another seed, node limit"), "{error}");
    }
    assert_eq!(bytes("cut"), bytes("whole"));
    for plies in ["4294967295", "100000", "61", "1"] {
        let (status, _) = done(datagen("@none", &format!("--random-plies {plies}")));
        assert_eq!(status, Some(2), "{plies}");
    }
    assert!(!folder.file("none").exists());

    let rescore = |from: &str, out: &str, more: &str| {
        let line = format!("rescore {from} --out {out} --nodes 60 --net hce {more}");
        chuhe(&folder, line.trim_end())
    };
    assert_eq!(done(rescore("@whole", "@new", "--workers 2")), finished);
    kill_at_work(rescore("@whole", "@newcut", "--workers 1"), &folder.file("newcut"), 60);
    assert_eq!(done(rescore("@whole", "@newcut", "--workers 1")), finished);
    assert_eq!(bytes("newcut"), bytes("new"));
    assert_ne!(bytes("new"), bytes("whole"));

    // Nor with other games or other rules.
    let reversed: Vec<_> = read(&folder.file("whole")).into_iter().rev().collect();
    let header = GameReader::open(&folder.file("whole")).unwrap().header();
    write(&folder.file("reversed"), header, &reversed);
    let (status, error) = done(rescore("@reversed", "@newcut", ""));
    assert_eq!(status, Some(1));
    assert!(error.contains("its game 1 is not that of") && error.lines().count() == 1, "{error}");
    let (status, error) = done(rescore("@whole", "@newcut", "--rules axf"));
    assert!(status == Some(1) && error.contains("or rules; use another file"), "{error}");
    assert_eq!(bytes("newcut"), bytes("new"));
}

/// The order of the records is part of a run: it goes on in it, whatever seed is said then.
#[test]
fn training_goes_on_in_its_order() {
    let folder = Folder::new("resumed");
    let data = folder.file("a.games");
    write(&data, Header { nodes: 60, seed: 5, evaluator: 0, settings: 0 }, &games(5, 12, 2));
    let train = |name: &str, more: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_chuhe"));
        command.arg("train").arg(&data).arg("--out").arg(folder.file(name));
        command.args("--hidden 16 --batch 32 --epochs 5 --threads 1".split(' '));
        command.args(more.split(' ')).stdout(Stdio::null()).stderr(Stdio::null());
        assert!(command.status().unwrap().success());
        fs::read(folder.file(name)).unwrap()
    };
    let whole = train("whole.nnue", "--seed 7");

    let mut expansion = Expansion::new(Filters::default());
    expansion.add_file(&data, |_| ()).unwrap();
    let (records, _) = expansion.finish(7);
    let shape = Shape { hidden: 16, buckets: 1 };
    let recipe = Recipe { shape, batch: 32, epochs: 5, seed: 7, ..Recipe::default() };
    let mut trainer = Trainer::new(recipe, &records, 1);
    for _ in 0..2 {
        trainer.epoch(&AtomicBool::new(false), &mut |_| ()).unwrap();
    }
    trainer.checkpoint().save(&folder.file("cut.checkpoint")).unwrap();
    assert!(train("cut.nnue", "--resume") == whole);
    assert!(train("other.nnue", "--seed 1") != whole, "or the test could not fail");
}
