//! How the user describes an engine: `name=A,cmd=PATH,proto=uci,nodes=10000,...`.

use super::limit::Limit;
use std::{fmt, path::PathBuf, str::FromStr};

/// The language that an engine speaks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Protocol {
    /// UCCI 3.0.
    Ucci,
    /// UCI as xiangqi engines speak it.
    Uci,
}

/// The unit of the times that a UCCI engine is sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unit {
    /// Milliseconds.
    Millis,
    /// Seconds, which the standard means where nothing is declared.
    Seconds,
}

/// How ranks are counted in an engine's coordinates.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ranks {
    /// a0-i9.
    FromZero,
    /// a1-i10.
    FromOne,
}

/// One engine of a match.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EngineSpec {
    /// The name in records.
    pub name: String,
    /// The program; `None` = the built-in engine, in this process.
    pub command: Option<PathBuf>,
    /// The program's arguments.
    pub arguments: Vec<String>,
    /// Its working directory; `None` = ours.
    pub directory: Option<PathBuf>,
    /// What it speaks; `None` = whichever it answers to.
    pub protocol: Option<Protocol>,
    /// The unit of times in UCCI; `None` = as the engine declares.
    pub unit: Option<Unit>,
    /// Its coordinates; `None` = from one in UCI once the variant has been chosen, else from zero.
    pub ranks: Option<Ranks>,
    /// Options to set, in order.
    pub options: Vec<(String, String)>,
    /// A fresh process for each game.
    pub restart: bool,
    /// Its own limits; where there are none, those of the match.
    pub limit: Limit,
}

/// Splits at commas that stand outside double quotes, and takes the quotes away.
fn split_fields(text: &str) -> Result<Vec<String>, String> {
    let mut fields = vec![String::new()];
    let mut quoted = false;
    for letter in text.chars() {
        match letter {
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(String::new()),
            _ => fields.last_mut().expect("never empty").push(letter),
        }
    }
    if quoted { Err("a double quote is not closed".to_owned()) } else { Ok(fields) }
}

fn switch(value: &str) -> Option<bool> {
    match value {
        "on" | "true" | "1" => Some(true),
        "off" | "false" | "0" => Some(false),
        _ => None,
    }
}

impl EngineSpec {
    /// The keys that an engine knows besides those of [`Limit`] and `option.NAME`.
    const KEYS: &str = "name, cmd, args, dir, proto, unit, ranks, restart, option.NAME";

    /// Adds a list of `key=value` to what is known, as `--engine` and `--each` do.
    ///
    /// # Errors
    /// The first thing that is off, in words for the user.
    pub fn extend(&mut self, text: &str) -> Result<(), String> {
        for field in split_fields(text)?.iter().filter(|field| !field.is_empty()) {
            let (key, value) =
                field.split_once('=').ok_or_else(|| format!("'{field}' is no key=value"))?;
            self.set(key.trim(), value)?;
        }
        Ok(())
    }

    fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
        let unknown = |known: &str| format!("'{key}={value}' is not known: {known}");
        match key {
            "name" => self.name = value.to_owned(),
            "cmd" => self.command = Some(value.into()),
            "args" => self.arguments = value.split_whitespace().map(str::to_owned).collect(),
            "dir" => self.directory = Some(value.into()),
            "proto" => {
                self.protocol = match value {
                    "ucci" => Some(Protocol::Ucci),
                    "uci" => Some(Protocol::Uci),
                    _ => return Err(unknown("ucci or uci")),
                }
            }
            "unit" => {
                self.unit = match value {
                    "ms" => Some(Unit::Millis),
                    "s" => Some(Unit::Seconds),
                    _ => return Err(unknown("ms or s")),
                }
            }
            "ranks" => {
                self.ranks = match value {
                    "0-9" => Some(Ranks::FromZero),
                    "1-10" => Some(Ranks::FromOne),
                    _ => return Err(unknown("0-9 or 1-10")),
                }
            }
            "restart" => self.restart = switch(value).ok_or_else(|| unknown("on or off"))?,
            _ => match key.strip_prefix("option.") {
                Some(option) if !option.is_empty() => {
                    self.options.push((option.to_owned(), value.to_owned()));
                }
                _ if Limit::KEYS.contains(&key) => self.limit.set(key, value)?,
                _ => {
                    return Err(unknown(&format!("{}, {}", Self::KEYS, Limit::KEYS.join(", "))));
                }
            },
        }
        Ok(())
    }
}

impl EngineSpec {
    /// The options that are set, for people: `Hash=16, Threads=2`.
    pub fn options_text(&self) -> String {
        let pairs = self.options.iter().map(|(name, value)| format!("{name}={value}"));
        pairs.collect::<Vec<_>>().join(", ")
    }
}

impl FromStr for EngineSpec {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut spec = Self::default();
        spec.extend(text)?;
        Ok(spec)
    }
}

impl fmt::Display for EngineSpec {
    /// As [`EngineSpec::extend`] reads it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let quoted = |text: &str| {
            if text.contains(',') { format!("\"{text}\"") } else { text.to_owned() }
        };
        write!(f, "name={}", quoted(&self.name))?;
        if let Some(command) = &self.command {
            write!(f, ",cmd={}", quoted(&command.to_string_lossy()))?;
            match self.protocol {
                Some(Protocol::Uci) => f.write_str(",proto=uci")?,
                Some(Protocol::Ucci) => f.write_str(",proto=ucci")?,
                None => {}
            }
        }
        if !self.arguments.is_empty() {
            write!(f, ",args=\"{}\"", self.arguments.join(" "))?;
        }
        if let Some(directory) = &self.directory {
            write!(f, ",dir={}", quoted(&directory.to_string_lossy()))?;
        }
        if let Some(unit) = self.unit {
            f.write_str(if unit == Unit::Millis { ",unit=ms" } else { ",unit=s" })?;
        }
        if let Some(ranks) = self.ranks {
            f.write_str(if ranks == Ranks::FromOne { ",ranks=1-10" } else { ",ranks=0-9" })?;
        }
        if self.restart {
            f.write_str(",restart=on")?;
        }
        for (name, value) in &self.options {
            write!(f, ",option.{name}={}", quoted(value))?;
        }
        if self.limit.is_empty() { Ok(()) } else { write!(f, ",{}", self.limit) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_whole_of_a_description() {
        let spec: EngineSpec = "name=A,cmd=./engine,args=\"--fast -x a,b\",dir=/opt/e e,proto=uci,\
            unit=ms,ranks=1-10,option.Hash=16,option.Book File=b.dat;c.dat,restart=on,tc=10+0.1"
            .parse()
            .unwrap();
        assert_eq!(spec.name, "A");
        assert_eq!(spec.command, Some("./engine".into()));
        assert_eq!(spec.arguments, ["--fast", "-x", "a,b"]);
        assert_eq!(spec.directory, Some("/opt/e e".into()));
        assert_eq!((spec.protocol, spec.unit), (Some(Protocol::Uci), Some(Unit::Millis)));
        assert_eq!((spec.ranks, spec.restart), (Some(Ranks::FromOne), true));
        assert_eq!(
            spec.options,
            [("Hash".into(), "16".into()), ("Book File".into(), "b.dat;c.dat".into())]
        );
        assert_eq!(spec.limit.to_string(), "tc=10+0.1");
        assert_eq!(spec.to_string().parse(), Ok(spec));
    }

    #[test]
    fn says_what_is_off() {
        for (text, words) in [
            ("name", "'name' is no key=value"),
            ("proto=xboard", "ucci or uci"),
            ("option.=1", "is not known"),
            ("color=red", "'color=red' is not known"),
            ("args=\"a", "double quote"),
            ("nodes=0", "no number of nodes"),
        ] {
            let error = text.parse::<EngineSpec>().unwrap_err();
            assert!(error.contains(words), "{text}: {error}");
        }
    }
}
