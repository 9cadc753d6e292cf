//! `chuhe judge`: the ruling on a game's repetition, as JSON, a report or a page, and the scan of
//! whole games.

mod account;
mod json;
mod page;
mod report;
mod scan;

use self::{account::Account, scan::Summary};
use super::{Failure, given, headings, progress::progress_bar, source::Source};
use std::{
    io::{self, Write as _},
    path::{Path, PathBuf},
};
use xiangqi::{
    game::Game,
    records::{ReadGame, ReadOptions},
    rules::RuleSet,
};

#[derive(clap::Args)]
pub struct Arguments {
    /// The rules: cn1999, axf or league
    #[arg(long, default_value = "cn1999")]
    rules: String,
    /// One JSON object a game, and nothing else
    #[arg(long)]
    json: bool,
    /// Write a page with a picture of each move of the cycle to this file
    #[arg(long, value_name = "FILE", conflicts_with_all = ["json", "scan"])]
    html: Option<PathBuf>,
    /// Rule at every ply of every game: list where something was due, and sum up
    #[arg(long)]
    scan: bool,
    /// The position that the moves start from, or startpos; without it the start position
    #[arg(long, conflicts_with = "files")]
    fen: Option<String>,
    /// The moves in coordinates, in one argument or several
    #[arg(long, num_args = 1.., conflicts_with = "files")]
    moves: Vec<String>,
    /// Game records; - is standard input
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
}

/// A game to be judged.
struct Input {
    title: String,
    tags: Vec<(String, String)>,
    game: Game,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let rules: RuleSet = arguments.rules.parse().map_err(Failure::usage)?;
    let (inputs, unread) = inputs(arguments)?;
    if let Some(file) = &arguments.html {
        let accounts: Vec<Account> = judged(inputs, rules).collect();
        let text = page::page(&accounts);
        std::fs::write(file, text)
            .map_err(|why| Failure::work(format!("{}: {why}", file.display())))?;
        return unread.map_or(Ok(()), Err);
    }
    let bar = progress_bar(inputs.len() as u64, "games");
    let mut summary = Summary::default();
    for account in judged(inputs, rules) {
        let text = if arguments.json {
            let output = json::Output::new(&account, arguments.scan);
            serde_json::to_string(&output).map_err(Failure::work)? + "\n"
        } else if arguments.scan {
            summary.add(&account);
            scan::lines(&account)
        } else {
            report::report(&account)
        };
        bar.suspend(|| print(&text))?;
        bar.inc(1);
    }
    bar.finish_and_clear();
    if arguments.scan && !arguments.json {
        print(&summary.words())?;
    }
    unread.map_or(Ok(()), Err)
}

fn judged(inputs: Vec<Input>, rules: RuleSet) -> impl Iterator<Item = Account> {
    inputs.into_iter().map(move |input| Account::new(input.game, input.title, input.tags, rules))
}

/// The games to be judged. A file that cannot be read stops no other: it is complained of at once,
/// and the failure at the end says how many there were.
fn inputs(arguments: &Arguments) -> Result<(Vec<Input>, Option<Failure>), Failure> {
    if arguments.files.is_empty() {
        if arguments.fen.is_none() && arguments.moves.is_empty() {
            return Err(Failure::usage("judge needs --fen, --moves or a file"));
        }
        let game = given::game(arguments.fen.as_deref(), &arguments.moves)?;
        return Ok((vec![Input { title: String::new(), tags: Vec::new(), game }], None));
    }
    let several = arguments.files.len() > 1;
    let mut all = Vec::new();
    let (mut unread_files, mut unread_games) = (0, 0);
    for file in &arguments.files {
        match read(file, several) {
            Ok((games, unread)) => {
                all.extend(games);
                unread_games += unread;
            }
            Err(failure) if !several => return Err(failure),
            Err(failure) => {
                eprintln!("chuhe: {}", failure.message);
                unread_files += 1;
            }
        }
    }
    let message = match (unread_files, unread_games) {
        (0, 0) => return Ok((all, None)),
        (0, games) => format!("{games} of {} games could not be read", all.len() + games),
        (files, _) => format!("{files} of {} files could not be read", arguments.files.len()),
    };
    let failure = if all.is_empty() { Failure::usage(message) } else { Failure::work(message) };
    Ok((all, Some(failure)))
}

/// The games of a record file, or of standard input, and how many of them could not be read: a
/// ruling on a part of a game would mislead.
fn read(file: &Path, several: bool) -> Result<(Vec<Input>, usize), Failure> {
    let source = Source::open(file, &ReadOptions::default())?;
    let name = source.name.clone();
    let games = source.collect::<Result<Vec<ReadGame>, Failure>>()?;
    if let ([game], false) = (games.as_slice(), several)
        && let Some(loss) = game.failure()
    {
        return Err(Failure::usage(format!("{name}: {loss}")));
    }
    let several = several || games.len() > 1;
    let mut inputs = Vec::new();
    let mut unread = 0;
    for (i, game) in games.iter().enumerate() {
        let ReadGame { tree, losses } = game;
        for loss in losses {
            eprintln!("chuhe: {name}: {loss}");
        }
        if game.failure().is_some() {
            unread += 1;
            continue;
        }
        let title = if several { format!("{name}, game {}", i + 1) } else { String::new() };
        let tags = headings::tags(tree);
        inputs.push(Input { title, tags, game: tree.main_game() });
    }
    Ok((inputs, unread))
}

/// Prints to standard output. A reader that has seen enough closes the pipe: no failure.
fn print(text: &str) -> Result<(), Failure> {
    match io::stdout().lock().write_all(text.as_bytes()) {
        Err(why) if why.kind() != io::ErrorKind::BrokenPipe => Err(Failure::work(why)),
        _ => Ok(()),
    }
}
