//! "Did you mean": options with two letters exchanged, which clap finds too unlike.

use clap::{
    Command,
    error::{ContextKind, ContextValue, Error, ErrorKind},
};

/// Adds the option of the command that was called which an unknown one is nearest to, if it is one
/// slip of the keyboard away and nothing is suggested yet.
pub fn suggest(mut error: Error, program: &Command, words: &[String]) -> Error {
    let Some(ContextValue::String(unknown)) = error.get(ContextKind::InvalidArg) else {
        return error;
    };
    let unknown = unknown.clone();
    if error.kind() != ErrorKind::UnknownArgument || error.get(ContextKind::SuggestedArg).is_some()
    {
        return error;
    }
    let mut command = program;
    for word in words {
        match command.find_subcommand(word) {
            Some(inner) => command = inner,
            None => break,
        }
    }
    let names = command.get_arguments().filter_map(clap::Arg::get_long);
    let distance = |name: &str| strsim::damerau_levenshtein(name, unknown.trim_start_matches('-'));
    if let Some(name) = names.min_by_key(|name| distance(name)).filter(|name| distance(name) == 1) {
        error.insert(ContextKind::SuggestedArg, ContextValue::String(format!("--{name}")));
        // That it could be meant as a value leads away from what it is.
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(Vec::new()));
    }
    error
}
