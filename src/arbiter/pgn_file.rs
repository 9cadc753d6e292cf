//! The PGN file that a match appends its games to.

use super::{pgn, record::GameRecord, spec::EngineSpec};
use crate::disk::open_alone;
use std::{
    fs::File,
    io::{self, Read, Seek, SeekFrom, Write},
    path::Path,
};
use xiangqi::types::Side;

/// A PGN file that only this process writes. Nothing in it changes before the first game is added.
pub struct PgnFile {
    file: File,
    engines: [EngineSpec; 2],
    rules: String,
    end: End,
}

/// The end of a file.
struct End {
    /// Where its whole games end.
    at: u64,
    /// How many bytes of a torn game of ours stand behind that.
    torn: u64,
    /// What has to stand between its last game and the next one.
    gap: &'static str,
}

impl PgnFile {
    /// Opens or creates the file, to add games behind those that it holds. A game of ours at its end
    /// that was cut short, by a kill or a full disk, will be taken away.
    ///
    /// # Errors
    /// If the file cannot be used, or another process has it.
    pub fn open(path: &Path, engines: &[EngineSpec; 2], rules: &str) -> io::Result<Self> {
        let mut file = open_alone(path)?;
        let end = find_end(&mut file)?;
        Ok(Self { file, engines: engines.clone(), rules: rules.to_owned(), end })
    }

    /// How many bytes of a game that was cut short there are at the end.
    pub const fn torn_bytes(&self) -> u64 {
        self.end.torn
    }

    /// Where the next game will begin, in bytes.
    pub const fn next_game(&self) -> u64 {
        self.end.at + self.end.gap.len() as u64
    }

    /// Makes the file hold these games from `start` on, where their first one was written. What
    /// stands there must be theirs, as far as it goes.
    ///
    /// # Errors
    /// If other games stand there, or the file cannot be read or written.
    pub fn restore(&mut self, games: &[GameRecord], start: u64) -> io::Result<()> {
        let text: String = games.iter().map(|record| self.text(record)).collect();
        let mut there = Vec::new();
        let start = start.min(self.end.at);
        self.file.seek(SeekFrom::Start(start))?;
        (&self.file).take(self.end.at - start).read_to_end(&mut there)?;
        match text.as_bytes().strip_prefix(&there[..]) {
            Some([]) => Ok(()),
            Some(rest) => self.write(rest, !there.is_empty()),
            None => Err(io::Error::other(
                "other games stand where this match's games begin: give it another file",
            )),
        }
    }

    /// Adds a game.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn add(&mut self, record: &GameRecord) -> io::Result<()> {
        let text = self.text(record);
        self.write(text.as_bytes(), false)
    }

    /// Writes behind the last whole game, or behind the part of a game that is gone on with.
    fn write(&mut self, text: &[u8], goes_on: bool) -> io::Result<()> {
        if self.end.torn > 0 {
            self.file.set_len(self.end.at)?;
            self.end.torn = 0;
        }
        self.file.seek(SeekFrom::End(0))?;
        let gap = std::mem::take(&mut self.end.gap);
        if !goes_on {
            self.file.write_all(gap.as_bytes())?;
        }
        self.file.write_all(text)
    }

    fn text(&self, record: &GameRecord) -> String {
        let sides = Side::ALL.map(|side| &self.engines[record.engine_of(side)]);
        pgn::write(record, &pgn::Heading::of(sides, &self.rules))
    }
}

/// So much of the end of a file is looked at. No game is as long.
const TAIL: u64 = 1 << 20;

fn find_end(file: &mut File) -> io::Result<End> {
    let length = file.seek(SeekFrom::End(0))?;
    let mut tail = Vec::new();
    file.seek(SeekFrom::Start(length.saturating_sub(TAIL)))?;
    file.read_to_end(&mut tail)?;
    let keep = whole_part(&tail);
    let torn = (tail.len() - keep) as u64;
    let rest = &tail[..keep];
    let gap = if rest.is_empty() || rest.ends_with(b"\n\n") || rest.ends_with(b"\n\r\n") {
        ""
    } else if rest.ends_with(b"\n") {
        "\n"
    } else {
        "\n\n"
    };
    Ok(End { at: length - torn, torn, gap })
}

/// How much of the end of a file is left without a game of ours that was cut short.
fn whole_part(tail: &[u8]) -> usize {
    let head = pgn::HEAD.as_bytes();
    // A game begins where our first tags stand, or as much of them as was written.
    let begins = |at: &usize| {
        let text = &tail[*at..];
        let is_ours =
            if text.len() < head.len() { head.starts_with(text) } else { text.starts_with(head) };
        is_ours && !text.is_empty() && (*at == 0 || tail[..*at].ends_with(b"\n\n"))
    };
    let Some(start) = (0..tail.len()).rev().find(begins) else { return tail.len() };
    // Behind its result, which stands at the end of a line, may stand what is not ours.
    let lines = tail[start..].split(|&byte| byte == b'\n');
    let ends = lines.into_iter().any(|line| {
        let last = line.trim_ascii_end().rsplit(|&byte| byte == b' ').next().unwrap_or_default();
        ["1-0", "0-1", "1/2-1/2", "*"].iter().any(|result| last == result.as_bytes())
    });
    if ends { tail.len() } else { start }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arbiter::{self, Termination};
    use std::fs;

    fn record(number: u32) -> GameRecord {
        GameRecord {
            number,
            red: 0,
            fen: xiangqi::board::START_FEN.to_owned(),
            book: vec!["h2e2".to_owned()],
            plies: Vec::new(),
            fouls: [0; 2],
            ended: 0,
            end: arbiter::End::win(Side::Red, Termination::Resignation),
        }
    }

    /// Power may fail at any byte of the last game: the file goes on, with whole games only.
    #[test]
    fn a_game_cut_anywhere_goes_on() {
        let path = std::env::temp_dir().join(format!("chuhe-pgn-{}.pgn", std::process::id()));
        let specs = ["name=A,nodes=1", "name=B,nodes=1"].map(|text| text.parse().unwrap());
        let open = || PgnFile::open(&path, &specs, "cn1999").unwrap();
        let games = [record(0), record(1), record(2)];
        let texts = games.each_ref().map(|game| open().text(game));
        let [first, second, third] = &texts;
        for end in 0..=second.len() {
            fs::write(&path, format!("{first}{}", &second[..end])).unwrap();
            let mut file = open();
            file.add(&games[2]).unwrap();
            drop(file);
            let expected = if second[..end].trim_end().ends_with(" 1-0") {
                format!("{first}{second}{third}")
            } else {
                format!("{first}{third}")
            };
            assert_eq!(fs::read_to_string(&path).unwrap(), expected, "cut at {end}");
        }
        // What is not ours stays.
        let foreign = "1. h2e2 {a comment";
        fs::write(&path, foreign).unwrap();
        let mut file = open();
        assert_eq!(file.torn_bytes(), 0);
        assert_eq!(fs::read_to_string(&path).unwrap(), foreign);
        file.add(&games[0]).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), format!("{foreign}\n\n{first}"));
        fs::remove_file(&path).unwrap();
    }
}
