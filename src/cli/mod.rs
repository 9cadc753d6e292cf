//! The command line: one file per subcommand. With no subcommand the program is the engine on
//! stdin and stdout.

/// Prints a line to standard output.
macro_rules! say {
    ($($text:tt)*) => { $crate::cli::print_line(format_args!($($text)*)) };
}

#[cfg(feature = "arbiter")]
mod analyse;
mod bench;
#[cfg(feature = "arbiter")]
mod convert;
#[cfg(feature = "train")]
mod datagen;
#[cfg(feature = "train")]
mod dataset;
mod eval;
#[cfg(feature = "arbiter")]
mod genfens;
#[cfg(feature = "arbiter")]
mod given;
#[cfg(feature = "arbiter")]
mod headings;
#[cfg(feature = "arbiter")]
mod judge;
#[cfg(feature = "arbiter")]
mod match_;
mod perft;
#[cfg(feature = "arbiter")]
mod progress;
#[cfg(feature = "train")]
mod rescore;
#[cfg(feature = "arbiter")]
mod review;
#[cfg(feature = "arbiter")]
mod scores;
mod shared;
#[cfg(feature = "arbiter")]
mod show;
#[cfg(feature = "arbiter")]
mod source;
mod speedtest;
mod suggest;
#[cfg(feature = "train")]
mod train;
#[cfg(feature = "train")]
mod tune;
#[cfg(feature = "train")]
mod wdl;

use crate::ucci;
use clap::{CommandFactory, Parser, Subcommand};
use std::{
    fmt,
    io::{self, Write},
    process::{self, ExitCode},
};

/// Prints a line; if nobody reads any more, as behind `| head`, the command ends quietly. A line
/// that cannot be written for another reason is a failure.
fn print_line(text: fmt::Arguments<'_>) {
    match writeln!(io::stdout().lock(), "{text}") {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => process::exit(0),
        Err(error) => {
            eprintln!("chuhe: standard output: {error}");
            process::exit(1);
        }
    }
}

#[derive(Parser)]
#[command(
    name = "chuhe",
    version,
    about = "A xiangqi engine. With no command it speaks UCCI and UCI on stdin and stdout."
)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Play engine against engine
    #[cfg(feature = "arbiter")]
    Match(Box<match_::Arguments>),
    /// Rule on a game's repetition, with reasons
    #[cfg(feature = "arbiter")]
    Judge(judge::Arguments),
    /// Show the best lines of a position
    #[cfg(feature = "arbiter")]
    Analyse(analyse::Arguments),
    /// Show a board, as text or as a picture
    #[cfg(feature = "arbiter")]
    Show(show::Arguments),
    /// Go through a game: mistakes, what was better, what the rules asked for
    #[cfg(feature = "arbiter")]
    Review(review::Arguments),
    /// Turn records of games into other formats
    #[cfg(feature = "arbiter")]
    Convert(convert::Arguments),
    /// Count the leaf nodes of the game tree
    Perft(perft::Arguments),
    /// Search fixed positions and print the node count
    Bench(bench::Arguments),
    /// Measure nodes per second by number of threads
    Speedtest(speedtest::Arguments),
    /// Show the static evaluation and its parts
    Eval(eval::Arguments),
    /// Play games against itself, to learn from
    #[cfg(feature = "train")]
    Datagen(datagen::Arguments),
    /// Look at game files, merge them, make records of them
    #[cfg(feature = "train")]
    Dataset(dataset::Arguments),
    /// Score old games anew
    #[cfg(feature = "train")]
    Rescore(rescore::Arguments),
    /// Make a network from games
    #[cfg(feature = "train")]
    Train(Box<train::Arguments>),
    /// Fit the weights of the hand-written evaluation to games
    #[cfg(feature = "train")]
    Tune(tune::Arguments),
}

/// Runs the program with the process's arguments. Exit status: 0 done, 1 the work failed, 2 the
/// arguments are off.
pub fn run() -> ExitCode {
    env_logger::init();
    // An argument that is no text is for clap to complain about.
    #[cfg(feature = "arbiter")]
    let first = std::env::args_os().nth(1).and_then(|argument| argument.into_string().ok());
    #[cfg(feature = "arbiter")]
    let result = match first.filter(|argument| genfens::is_meant(argument)) {
        Some(argument) => genfens::run(&argument),
        None => dispatch(parse().command),
    };
    #[cfg(not(feature = "arbiter"))]
    let result = dispatch(parse().command);
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("chuhe: {}", failure.message);
            ExitCode::from(failure.status)
        }
    }
}

/// The process's arguments. Ends the program where these are off, or ask for help.
fn parse() -> Arguments {
    Arguments::try_parse().unwrap_or_else(|error| {
        let words: Vec<String> =
            std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
        let mut program = Arguments::command();
        program.build();
        suggest::suggest(error, &program, &words).exit()
    })
}

fn dispatch(command: Option<Command>) -> Result<(), Failure> {
    match command {
        #[cfg(feature = "arbiter")]
        Some(Command::Match(arguments)) => match_::run(&arguments),
        #[cfg(feature = "arbiter")]
        Some(Command::Judge(arguments)) => judge::run(&arguments),
        #[cfg(feature = "arbiter")]
        Some(Command::Convert(arguments)) => convert::run(&arguments),
        #[cfg(feature = "arbiter")]
        Some(Command::Show(arguments)) => show::run(&arguments),
        #[cfg(feature = "arbiter")]
        Some(Command::Analyse(arguments)) => analyse::run(&arguments),
        #[cfg(feature = "arbiter")]
        Some(Command::Review(arguments)) => review::run(&arguments),
        None => {
            ucci::run(io::stdin(), io::stdout());
            Ok(())
        }
        Some(Command::Perft(arguments)) => perft::run(&arguments),
        Some(Command::Bench(arguments)) => bench::run(&arguments),
        Some(Command::Speedtest(arguments)) => speedtest::run(&arguments),
        Some(Command::Eval(arguments)) => eval::run(&arguments),
        #[cfg(feature = "train")]
        Some(Command::Datagen(arguments)) => datagen::run(&arguments),
        #[cfg(feature = "train")]
        Some(Command::Dataset(arguments)) => dataset::run(&arguments),
        #[cfg(feature = "train")]
        Some(Command::Rescore(arguments)) => rescore::run(&arguments),
        #[cfg(feature = "train")]
        Some(Command::Train(arguments)) => train::run(&arguments),
        #[cfg(feature = "train")]
        Some(Command::Tune(arguments)) => tune::run(&arguments),
    }
}

/// Why a subcommand did not do its work.
pub struct Failure {
    status: u8,
    message: String,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl Failure {
    /// The work failed: exit status 1.
    fn work(message: impl ToString) -> Self {
        Self { status: 1, message: message.to_string() }
    }

    /// The arguments are off: exit status 2.
    fn usage(message: impl ToString) -> Self {
        Self { status: 2, message: message.to_string() }
    }
}
