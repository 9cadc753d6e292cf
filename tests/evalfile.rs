//! The option that chooses the evaluation, with real files at paths that are hard to write.

mod client;

use chuhe::eval::nnue::{Network, QA, QB, Weights, builtin, features};
use client::Client;
use std::{
    env, fs,
    path::{Path, PathBuf},
    time::Duration,
};
use xiangqi::board::Position;

/// A folder whose name holds blanks and Chinese characters; removed in the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("网络 of 楚河 {name}"));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn file(&self, name: &str, bytes: &[u8]) -> String {
        let path = self.0.join(name);
        fs::write(&path, bytes).unwrap();
        path.to_str().unwrap().to_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A network that finds every position this good for the mover.
fn constant(score: i32) -> Network {
    Network::new(Weights {
        hidden: 64,
        buckets: 1,
        scale: 400,
        features: vec![0; features::COUNT * 64],
        feature_bias: vec![0; 64],
        output: vec![0; 128],
        output_bias: vec![score * QA * QB / 400],
    })
    .unwrap()
}

/// The next line that starts with this; anything else that is no progress is a failure.
fn next(client: &Client, start: &str) -> String {
    loop {
        let line = client.line(Duration::from_secs(20)).expect(start);
        if line.starts_with(start) {
            return line;
        }
        assert!(!client::is_answer(&line), "{line} instead of {start}");
        assert!(!line.starts_with("info message"), "{line} instead of {start}");
    }
}

#[test]
fn a_network_from_a_path_with_blanks_and_chinese_characters() {
    let folder = Folder::new("one");
    let path = folder.file("战 术.nnue", &constant(200).to_bytes());
    let mut client = Client::start();
    client.send("ucci");
    next(&client, "ucciok");
    for syntax in ["evalfile ", "name EvalFile value "] {
        client.send("setoption evalfile hce");
        next(&client, "info message evaluating with the hand-written evaluation");
        client.send(&format!("setoption {syntax}{path}"));
        next(&client, "info message evaluating with network (692 -> 64)x2 -> 1");
        // 200 of the engine's points are half a minor piece, 50 in UCCI, at the root and one ply
        // below it, where it is the other side that is so well off.
        client.send("go depth 0");
        assert!(next(&client, "info depth 0 ").contains(" score 50 "));
        next(&client, "nobestmove");
        client.send("go depth 1");
        assert!(next(&client, "info depth 1 ").contains(" score -50 "), "the search uses it too");
        next(&client, "bestmove ");
    }
    // A client at a Chinese Windows may write the path in GBK.
    client.send("setoption evalfile hce");
    next(&client, "info message evaluating with the hand-written evaluation");
    let (gbk, _, _) = encoding_rs::GBK.encode(&path);
    client.send_bytes(&[b"setoption evalfile ", &*gbk, b"\r\n"].concat());
    next(&client, "info message evaluating with network (692 -> 64)x2 -> 1");
    // The search of another size of table, and of more threads, still uses it.
    client.send("setoption hashsize 2");
    client.send("setoption threads 2");
    next(&client, "info message using 2 threads");
    client.send("go depth 1");
    assert!(next(&client, "info depth 1 ").contains(" score -50 "));
    next(&client, "bestmove ");
}

#[test]
fn a_file_that_cannot_be_used_changes_nothing() {
    let folder = Folder::new("two");
    let whole = builtin().to_bytes();
    let mut damaged = whole.clone();
    *damaged.last_mut().unwrap() ^= 1;
    let cases = [
        (folder.file("半 截.nnue", &whole[..1000]), "a network file of 1000 bytes"),
        (folder.file("头.nnue", &whole[..20]), "a network file of 20 bytes"),
        (folder.file("空.nnue", b""), "not a network file"),
        (folder.file("外 国.nnue", b"NNUE of somebody else"), "not a network file"),
        (folder.file("坏.nnue", &damaged), "a damaged network file"),
        (folder.0.join("没有.nnue").to_str().unwrap().to_owned(), "cannot read the network"),
        (folder.0.to_str().unwrap().to_owned(), "cannot read the network"),
    ];
    let good = folder.file("好.nnue", &constant(-80).to_bytes());
    let mut client = Client::start();
    client.send("ucci");
    next(&client, "ucciok");
    client.send(&format!("setoption evalfile {good}"));
    next(&client, "info message evaluating with network");
    for (path, why) in &cases {
        client.send(&format!("setoption evalfile {path}"));
        let line = next(&client, "info message ");
        assert!(line.starts_with(&format!("info message {path}: {why}")), "{line}");
        assert!(line.ends_with(": the evaluation in use stays"), "{line}");
        client.send("go depth 0");
        assert!(next(&client, "info depth 0 ").contains(" score -20 "), "{path}");
        next(&client, "nobestmove");
    }
    assert_ne!(builtin().evaluate(&Position::start()).0, -80, "or the test could not fail");
}
