//! `chuhe dataset wdl`: the curve from scores to chances, fitted to games.

use super::Failure;
use crate::{
    arbiter::{EngineScore, GameRecord, Protocol, Verdict, journal},
    eval::Score,
    train::{WinDrawLoss, chances::Outcomes, format::GameReader},
};
use std::{
    fmt::Write,
    path::{Path, PathBuf},
};
use xiangqi::types::Side;

/// Fits the curve to the games of these files, and shows it beside what it was fitted to.
pub fn fit(files: &[PathBuf]) -> Result<String, Failure> {
    let (mut outcomes, mut games) = (Outcomes::default(), 0);
    for path in files {
        games += match path.extension().is_some_and(|extension| extension == "jsonl") {
            true => add_match(&mut outcomes, path)?,
            false => add_games(&mut outcomes, path)?,
        };
    }
    let curve = outcomes.fit().ok_or_else(|| Failure::work("these games decide no curve"))?;
    let mut text = format!("games {games} positions {}\n", outcomes.positions());
    let _ = writeln!(text, "half {:.1} spread {:.1}", curve.half, curve.spread);
    let _ = writeln!(text, "score positions  won drawn  lost | fitted");
    for step in outcomes.steps(100) {
        let percent = |shares: [f64; 3]| {
            let [lost, drawn, won] = shares.map(|share| share * 100.0);
            format!("{won:5.1} {drawn:5.1} {lost:5.1}")
        };
        let (made, fitted) = (percent(step.shares), percent(curve.at(step.score)));
        let _ = writeln!(text, "{:>5} {:>9} {made} | {fitted}", step.low, step.positions);
    }
    Ok(text)
}

/// Adds the games of a game file; a torn tail is ignored. Returns their number.
fn add_games(outcomes: &mut Outcomes, path: &Path) -> Result<u64, Failure> {
    let mut reader = GameReader::open(path).map_err(Failure::work)?;
    for game in reader.by_ref() {
        outcomes.add(&game);
    }
    reader.torn_bytes().map_err(Failure::work)?;
    Ok(reader.games())
}

/// Adds the games of a match that this engine played in UCCI. Returns their number.
fn add_match(outcomes: &mut Outcomes, path: &Path) -> Result<u64, Failure> {
    let failed = |why: String| Failure::work(format!("{}: {why}", path.display()));
    let contents = journal::read(path).map_err(Failure::work)?;
    let engines = contents.identity.specs().map_err(failed)?;
    // In UCI the scores have been through the curve already.
    if engines.iter().any(|e| e.command.is_some() && e.protocol == Some(Protocol::Uci)) {
        return Err(failed("its engines did not speak UCCI".to_owned()));
    }
    for game in &contents.games {
        let mut side = game.first_side().map_err(failed)?;
        for ply in &game.plies {
            if let (Some(EngineScore::Points(points)), Some(result)) =
                (ply.score, result_for(game, side))
            {
                outcomes.count(points.saturating_mul(Score::MINOR.0) / 100, result);
            }
            side = !side;
        }
    }
    Ok(contents.games.len() as u64)
}

/// How the game ended for this side; `None` if it was no game.
fn result_for(game: &GameRecord, side: Side) -> Option<WinDrawLoss> {
    match game.end.verdict {
        Verdict::Win(winner) if winner == side => Some(WinDrawLoss::Win),
        Verdict::Win(_) => Some(WinDrawLoss::Loss),
        Verdict::Draw => Some(WinDrawLoss::Draw),
        Verdict::BothLose => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_match_is_counted_from_each_mover_s_view() {
        let path = std::env::temp_dir().join(format!("chuhe-wdl-{}.jsonl", std::process::id()));
        let identity = |protocol: &str| {
            format!(
                r#"{{"chuhe_match":1,"engines":["name=A,cmd=x,proto={protocol}","name=B,cmd=x"],"rules":"cn1999","seed":1,"openings":"","conditions":"","shard":"0/1","pgn_start":0}}"#
            )
        };
        let game = r#"{"number":0,"red":1,"fen":"rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1","book":["h2e2"],"plies":[{"m":"h9g7","t":1,"s":{"points":-10}},{"m":"h0g2","t":1,"s":{"points":25}},{"m":"g7h9","t":1,"s":{"mate":-3}}],"ended":0,"end":{"verdict":"1-0","termination":"mate"}}"#;
        fs::write(&path, format!("{}\n{game}\n", identity("ucci"))).unwrap();
        let mut outcomes = Outcomes::default();
        assert!(matches!(add_match(&mut outcomes, &path), Ok(1)));
        fs::write(&path, format!("{}\n{game}\n", identity("uci"))).unwrap();
        assert!(add_match(&mut Outcomes::default(), &path).is_err());
        fs::remove_file(&path).unwrap();
        // Black moved first after the book and lost; a hundredth of a minor piece is four points.
        let counted: Vec<_> = outcomes.steps(1).iter().map(|s| (s.low, s.shares)).collect();
        assert_eq!(counted, [(-40, [1.0, 0.0, 0.0]), (100, [0.0, 0.0, 1.0])]);
    }
}
