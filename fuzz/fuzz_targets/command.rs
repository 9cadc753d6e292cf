//! Any bytes are a command, and any text names an option or none.
#![no_main]

use chuhe::ucci::{
    command::{Command, parse},
    options::{Settings, resolve},
};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|line: &[u8]| {
    if let Command::SetOption(text) = parse(line)
        && let Some((spec, value)) = resolve(&text)
    {
        Settings::default().set(spec, value);
    }
});
