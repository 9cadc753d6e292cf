//! `chuhe convert`: records of games from any format into another.

use super::{
    Failure,
    progress::progress_bar,
    source::{Source, files},
};
use std::{
    fs::File,
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};
use xiangqi::{
    board::Position,
    notation::{Encoding, GameResult, GameTree, Script, Style, parse_move},
    records::{self, Format, ReadOptions, WriteOptions},
};

#[derive(clap::Args)]
#[command(after_help = "Examples:
  chuhe convert games/ --to pgn --out all.pgn
  chuhe convert game.xqf --to pgn --moves wxf
  chuhe convert all.pgn --to xqf --out folder/ --filter player=胡荣华 --filter result=1-0")]
pub struct Arguments {
    /// Records, folders of them, or patterns; - is standard input
    #[arg(value_name = "FILE", required = true)]
    inputs: Vec<PathBuf>,
    /// pgn, xqf, dhtmlxq, cbr, cbl, cbf or lines
    #[arg(long, value_name = "FORMAT")]
    to: String,
    /// Write here: a file, or a folder (one file for each game where the format holds no more)
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// How PGN writes moves: coordinates, iccs, wxf, chinese or short
    #[arg(long, default_value = "chinese")]
    moves: String,
    /// The characters of Chinese moves: simplified or traditional
    #[arg(long, default_value = "simplified")]
    script: String,
    /// The encoding of what is written: utf-8, gb18030 or big5
    #[arg(long, default_value = "utf-8")]
    encoding: String,
    /// The encoding of what is read, where it is not to be found out
    #[arg(long, value_name = "ENCODING")]
    from_encoding: Option<String>,
    /// Only games that fit: player=, red=, black=, event=, result=, opening=MOVES, position=FEN
    #[arg(long, value_name = "KEY=VALUE")]
    filter: Vec<String>,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let format: Format = arguments.to.parse().map_err(Failure::usage)?;
    if format == Format::Pfc {
        return Err(Failure::usage(records::WriteError::ReadOnly(format)));
    }
    let encoding = arguments.encoding.parse::<Encoding>().map_err(Failure::usage)?;
    let options = WriteOptions { style: style(arguments)?, encoding };
    let from = arguments.from_encoding.as_deref().map(str::parse::<Encoding>).transpose();
    let reading = ReadOptions { encoding: from.map_err(Failure::usage)? };
    let filters = arguments.filter.iter().map(|text| Filter::read(text));
    let filters = filters.collect::<Result<Vec<Filter>, Failure>>()?;
    let inputs = files(&arguments.inputs)?;
    let out = arguments.out.as_deref();
    if let Some(same) = inputs.iter().find(|input| out.is_some_and(|out| is_same(input, out))) {
        return Err(Failure::usage(format!("{} is read and written", same.display())));
    }
    let mut sink = Sink::new(format, options, out)?;
    let tally = convert(&inputs, &reading, &filters, &mut sink)?;
    sink.finish()?;
    tally.failure().map_or(Ok(()), Err)
}

fn style(arguments: &Arguments) -> Result<Style, Failure> {
    let script = match arguments.script.as_str() {
        "simplified" => Script::Simplified,
        "traditional" => Script::Traditional,
        other => {
            return Err(Failure::usage(format!("{other}: a script is simplified or traditional")));
        }
    };
    Ok(match arguments.moves.parse().map_err(Failure::usage)? {
        Style::Chinese(Script::Simplified) => Style::Chinese(script),
        Style::Short(Script::Simplified) => Style::Short(script),
        other => other,
    })
}

fn is_same(one: &Path, other: &Path) -> bool {
    let whole = |path: &Path| path.canonicalize().ok();
    whole(one).is_some_and(|path| Some(path) == whole(other))
}

/// What went well and what did not.
#[derive(Default)]
struct Tally {
    games: usize,
    bad_games: usize,
    bad_files: usize,
}

impl Tally {
    fn failure(&self) -> Option<Failure> {
        let Self { games, bad_games, bad_files } = self;
        let message = match (bad_games, bad_files) {
            (0, 0) => return None,
            (bad, 0) => format!("{bad} of {games} games could be read in part only"),
            (0, bad) => format!("{bad} file{} could not be read", if *bad == 1 { "" } else { "s" }),
            _ => format!(
                "{bad_files} files could not be read, {bad_games} of {games} games in part only"
            ),
        };
        Some(Failure::work(message))
    }
}

/// Takes every game of every file to the sink. What cannot be read is said at once and stops
/// nothing.
fn convert(
    inputs: &[PathBuf],
    reading: &ReadOptions,
    filters: &[Filter],
    sink: &mut Sink,
) -> Result<Tally, Failure> {
    let bar = progress_bar(inputs.len() as u64, "files");
    let complain = |message: String| bar.suspend(|| eprintln!("chuhe: {message}"));
    let mut tally = Tally::default();
    for input in inputs {
        let source = match Source::open(input, reading) {
            Ok(source) => source,
            Err(failure) => {
                complain(failure.message);
                tally.bad_files += 1;
                continue;
            }
        };
        let name = source.name.clone();
        for game in source {
            let game = match game {
                Ok(game) => game,
                Err(failure) => {
                    complain(failure.message);
                    tally.bad_files += 1;
                    break;
                }
            };
            tally.games += 1;
            for loss in &game.losses {
                complain(format!("{name}: {loss}"));
            }
            tally.bad_games += usize::from(game.failure().is_some());
            if filters.iter().all(|filter| filter.fits(&game.tree)) {
                sink.put(game.tree, input)?;
            }
            if tally.games.is_multiple_of(1000) {
                bar.set_message(format!("{} games", tally.games));
            }
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(tally)
}

/// Where games go.
struct Sink {
    format: Format,
    options: WriteOptions,
    place: Place,
    /// Games that are written together at the end: of a library, or the one of a file.
    kept: Vec<GameTree>,
    written: usize,
}

enum Place {
    /// One after the other.
    Stream { name: String, writer: Box<dyn Write> },
    /// All at the end into this file, or numbered files beside it.
    File(PathBuf),
    /// A file each in this folder.
    Folder(PathBuf),
}

impl Sink {
    fn new(format: Format, options: WriteOptions, out: Option<&Path>) -> Result<Self, Failure> {
        let is_folder = |path: &Path| {
            path.is_dir() || path.to_string_lossy().ends_with(['/', std::path::MAIN_SEPARATOR])
        };
        let streams = format.holds_many() && format != Format::Cbl;
        let place = match out {
            None => Place::Stream {
                name: "standard output".to_owned(),
                writer: Box::new(BufWriter::new(io::stdout())),
            },
            Some(folder) if is_folder(folder) => {
                std::fs::create_dir_all(folder).map_err(|why| at(folder, &why))?;
                Place::Folder(folder.to_owned())
            }
            Some(path) if streams => {
                let file = File::create(path).map_err(|why| at(path, &why))?;
                Place::Stream {
                    name: path.display().to_string(),
                    writer: Box::new(BufWriter::new(file)),
                }
            }
            Some(path) => Place::File(path.to_owned()),
        };
        Ok(Self { format, options, place, kept: Vec::new(), written: 0 })
    }

    fn bytes(&self, games: &[GameTree]) -> Result<Vec<u8>, Failure> {
        records::write(games, self.format, &self.options).map_err(Failure::work)
    }

    fn put(&mut self, game: GameTree, input: &Path) -> Result<(), Failure> {
        self.written += 1;
        if let Place::Folder(folder) = &self.place {
            let stem =
                input.file_stem().map_or_else(|| "game".into(), |stem| stem.to_string_lossy());
            let path = free_path(&folder.join(&*stem), self.format.extension());
            let bytes = self.bytes(&[game])?;
            return std::fs::write(&path, bytes).map_err(|why| at(&path, &why));
        }
        let streams = self.format.holds_many() && self.format != Format::Cbl;
        if !(streams && matches!(self.place, Place::Stream { .. })) {
            self.kept.push(game);
            return Ok(());
        }
        let bytes = self.bytes(&[game])?;
        self.write(&bytes)
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        let Place::Stream { name, writer } = &mut self.place else { return Ok(()) };
        match writer.write_all(bytes) {
            Err(why) if why.kind() != io::ErrorKind::BrokenPipe => {
                Err(Failure::work(format!("{name}: {why}")))
            }
            _ => Ok(()),
        }
    }

    /// Writes what was kept.
    fn finish(mut self) -> Result<(), Failure> {
        let kept = std::mem::take(&mut self.kept);
        match &self.place {
            Place::Folder(_) => return Ok(()),
            Place::File(path) if kept.len() > 1 && !self.format.holds_many() => {
                // A file each, numbered beside the name that was given.
                for (i, game) in kept.iter().enumerate() {
                    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
                    let name = format!("{stem}-{}.{}", i + 1, self.format.extension());
                    let path = path.with_file_name(name);
                    let bytes = self.bytes(std::slice::from_ref(game))?;
                    std::fs::write(&path, bytes).map_err(|why| at(&path, &why))?;
                }
                return Ok(());
            }
            Place::File(path) if kept.is_empty() && !self.format.holds_many() => {
                return Err(Failure::work(format!("{}: no game to write", path.display())));
            }
            Place::File(path) => {
                let bytes = self.bytes(&kept)?;
                return std::fs::write(path, bytes).map_err(|why| at(path, &why));
            }
            Place::Stream { .. } => {}
        }
        if !kept.is_empty() {
            if kept.len() > 1 && !self.format.holds_many() {
                return Err(Failure::usage(format!(
                    "{} games and one file: give --out a folder",
                    kept.len()
                )));
            }
            let bytes = self.bytes(&kept)?;
            self.write(&bytes)?;
        }
        let Place::Stream { name, writer } = &mut self.place else { return Ok(()) };
        match writer.flush() {
            Err(why) if why.kind() != io::ErrorKind::BrokenPipe => {
                Err(Failure::work(format!("{name}: {why}")))
            }
            _ => Ok(()),
        }
    }
}

fn at(path: &Path, why: &io::Error) -> Failure {
    Failure::work(format!("{}: {why}", path.display()))
}

/// A file name that nobody has yet: with a number behind it where it must be.
fn free_path(stem: &Path, extension: &str) -> PathBuf {
    let name = stem.to_string_lossy();
    let names = std::iter::once(format!("{name}.{extension}"))
        .chain((2..).map(|number| format!("{name}-{number}.{extension}")));
    names.map(PathBuf::from).find(|path| !path.exists()).unwrap_or_default()
}

/// What a game must have to be written.
enum Filter {
    /// One of these headers holds the text, in any case of letters.
    Header(&'static [&'static str], String),
    Result(GameResult),
    /// The game begins with these moves from the start position, in any notation.
    Opening(Vec<String>),
    /// The main line reaches this position.
    Position(Box<Position>),
}

impl Filter {
    fn read(text: &str) -> Result<Self, Failure> {
        let keys = "player=, red=, black=, event=, result=, opening= or position=";
        let refuse = || Failure::usage(format!("{text}: a filter is {keys}"));
        let (key, value) = text.split_once('=').ok_or_else(refuse)?;
        let header = |names| Ok(Self::Header(names, value.to_lowercase()));
        match key {
            "player" => header(&["Red", "Black"]),
            "red" => header(&["Red"]),
            "black" => header(&["Black"]),
            "event" => header(&["Event"]),
            "result" => GameResult::from_text(value).map(Self::Result).ok_or_else(refuse),
            "opening" => Ok(Self::Opening(value.split_whitespace().map(str::to_owned).collect())),
            "position" => {
                let position = value.parse().map_err(Failure::usage)?;
                Ok(Self::Position(Box::new(position)))
            }
            _ => Err(refuse()),
        }
    }

    fn fits(&self, game: &GameTree) -> bool {
        match self {
            Self::Header(names, text) => names.iter().any(|name| {
                game.header(name).is_some_and(|value| value.to_lowercase().contains(text))
            }),
            Self::Result(result) => game.result == *result,
            Self::Opening(words) => {
                let mut position = game.start().clone();
                let mut played = game.main_moves();
                position == Position::start()
                    && words.iter().all(|word| {
                        let Some(m) = played.next() else { return false };
                        let fits = parse_move(&position, word) == Ok(m);
                        position.make(m);
                        fits
                    })
            }
            Self::Position(wanted) => {
                let mut position = game.start().clone();
                let mut found = position.key() == wanted.key();
                for m in game.main_moves() {
                    position.make(m);
                    found |= position.key() == wanted.key();
                }
                found
            }
        }
    }
}
