//! Plays the dialogues of `ucci-scripts/` with the real engine. `ucci-scripts/README.md` says how
//! they are written. `DIALOGUE=name cargo test --test dialogues` plays one alone.

mod client;
mod dialogue;

use std::{fs, path::PathBuf, sync::Mutex, thread};

fn scripts() -> Vec<PathBuf> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("ucci-scripts");
    let mut paths: Vec<_> = fs::read_dir(folder)
        .expect("ucci-scripts stands here")
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|ext| ext == "ucci"))
        .collect();
    paths.sort();
    paths
}

#[test]
fn every_dialogue_goes_as_written() {
    let wanted = std::env::var("DIALOGUE").unwrap_or_default();
    let paths: Vec<_> =
        scripts().into_iter().filter(|p| p.to_string_lossy().contains(&wanted)).collect();
    assert!(!paths.is_empty(), "no dialogue matches {wanted}");
    let count = paths.len();
    let queue = Mutex::new(paths);
    let (failures, alone) = (Mutex::new(Vec::new()), Mutex::new(()));
    thread::scope(|scope| {
        // They mostly wait, so there may be more of them than cores.
        for _ in 0..3 {
            scope.spawn(|| {
                while let Some(path) = { queue.lock().unwrap().pop() } {
                    let text = fs::read_to_string(&path).expect("a readable script");
                    // The time limits are real ones, and a busy machine may miss one: who fails is
                    // heard once more, one at a time.
                    let first = dialogue::play(&text).err();
                    let again = || {
                        let _alone = alone.lock().unwrap();
                        dialogue::play(&text)
                    };
                    if let Some(Err(why)) = first.map(|_| again()) {
                        let name = path.file_name().unwrap().to_string_lossy().into_owned();
                        failures.lock().unwrap().push(format!("{name}: {why}"));
                    }
                }
            });
        }
    });
    let failures = failures.into_inner().unwrap();
    assert!(failures.is_empty(), "{} of {count} fail:\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn a_wrong_dialogue_fails() {
    for (script, complaint) in [
        ("> ucci\n< uciok", "line 2: got \"ucciok\""),
        ("> ucci\n< ucciok\n> go depth 1", "not asked for: \"bestmove"),
        ("> ucci\n< ucciok\nwithin 200ms\n< readyok", "nothing came in time"),
        ("> ucci\n< ucciok\nnever option usemillisec *", "line 3: there was"),
        ("nonsense", "line 1: what is \"nonsense\"?"),
    ] {
        let error = dialogue::play(script).expect_err(script);
        assert!(error.contains(complaint), "{script}: {error}");
    }
}
