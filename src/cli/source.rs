//! Records of games as commands are given them: a file of any format, standard input, folders.

use super::Failure;
use std::{
    fs::File,
    io::{self, BufRead, BufReader},
    path::{Path, PathBuf},
};
use xiangqi::records::{Format, Games, ReadGame, ReadOptions};

/// The games of one file.
pub struct Source {
    /// What messages call it.
    pub name: String,
    games: Games<Box<dyn BufRead>>,
}

impl Source {
    /// Opens a file, or standard input for `-`.
    ///
    /// # Errors
    /// If there is none or no game in it: the work failed.
    pub fn open(path: &Path, options: &ReadOptions) -> Result<Self, Failure> {
        let is_stdin = path == Path::new("-");
        let name = if is_stdin { "standard input".to_owned() } else { path.display().to_string() };
        let reader: io::Result<Box<dyn BufRead>> = if is_stdin {
            Ok(Box::new(BufReader::new(io::stdin())))
        } else {
            File::open(path).map(|file| Box::new(BufReader::new(file)) as Box<dyn BufRead>)
        };
        let games = reader.and_then(|reader| Games::open(reader, options));
        match games {
            Ok(games) => Ok(Self { name, games }),
            Err(why) => Err(Failure::work(format!("{name}: {why}"))),
        }
    }
}

impl Iterator for Source {
    type Item = Result<ReadGame, Failure>;

    fn next(&mut self) -> Option<Self::Item> {
        let game = self.games.next()?;
        Some(game.map_err(|why| Failure::work(format!("{}: {why}", self.name))))
    }
}

/// The files that arguments name: a folder stands for all records in it and below, a pattern with
/// `*` or `?` for what it fits (not every shell puts the files in its place).
///
/// # Errors
/// If a pattern is none or fits nothing, or a folder cannot be looked into.
pub fn files(arguments: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    for argument in arguments {
        let text = argument.to_string_lossy();
        if argument.is_dir() {
            records_in(argument, &mut files)
                .map_err(|why| Failure::work(format!("{text}: {why}")))?;
        } else if !argument.exists() && text.contains(['*', '?']) {
            let found =
                glob::glob(&text).map_err(|why| Failure::usage(format!("{text}: {why}")))?;
            let before = files.len();
            files.extend(found.filter_map(Result::ok).filter(|path| path.is_file()));
            if files.len() == before {
                return Err(Failure::usage(format!("{text}: no file fits")));
            }
        } else {
            files.push(argument.clone());
        }
    }
    Ok(files)
}

/// All records in a folder and the folders below, by their endings, in the order of their names.
fn records_in(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    let mut waiting = vec![folder.to_owned()];
    let mut found = Vec::new();
    while let Some(folder) = waiting.pop() {
        for entry in folder.read_dir()? {
            let path = entry?.path();
            if path.is_dir() && !path.is_symlink() {
                waiting.push(path);
            } else if has_known_ending(&path) {
                found.push(path);
            }
        }
    }
    // By the name before its ending, so that `game.xqf` stands before `game-2.xqf`.
    found.sort_by_cached_key(|path| (path.with_extension(""), path.clone()));
    files.extend(found);
    Ok(())
}

fn has_known_ending(path: &Path) -> bool {
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
    ending.is_some_and(|ending| {
        Format::ALL.iter().any(|format| format.extension() == ending)
            || ["html", "htm", "ubb"].contains(&ending.as_str())
    })
}
