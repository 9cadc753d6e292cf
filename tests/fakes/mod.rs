//! Engines that misbehave, for tests.

use std::{
    path::{Path, PathBuf},
    process::Command,
    sync::OnceLock,
};

/// The engine that misbehaves on request: `examples/fake_engine.rs`. `cargo test` builds it; where
/// only one test target was asked for it is built here.
fn fake_engine() -> &'static Path {
    static PATH: OnceLock<PathBuf> = OnceLock::new();
    PATH.get_or_init(|| {
        let binary = Path::new(env!("CARGO_BIN_EXE_chuhe"));
        let profile = binary.parent().expect("a folder");
        let path =
            profile.join("examples").join(format!("fake_engine{}", std::env::consts::EXE_SUFFIX));
        if !path.exists() {
            let mut build = Command::new(env!("CARGO"));
            build.args(["build", "--quiet", "--example", "fake_engine", "--target-dir"]);
            build.arg(profile.parent().expect("a folder"));
            if profile.ends_with("release") {
                build.arg("--release");
            }
            assert!(build.status().expect("cargo runs").success());
        }
        path
    })
}

/// The description of a fake as `--engine` takes it.
pub fn fake(protocol: &str, behaviour: &str, limits: &str) -> String {
    let path = fake_engine().display();
    let kind = if protocol == "ucci" { "ucci" } else { "uci" };
    format!("name=fake,cmd=\"{path}\",proto={kind},args=\"{protocol} {behaviour}\",{limits}")
}
