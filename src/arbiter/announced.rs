//! The options that an engine announces when it is greeted, and whether what the user wants to set
//! is among them. A misspelt option makes a test void without a word, so it is told beforehand, as
//! cutechess and fastchess do.

use super::spec::Protocol;

/// An option as an engine announced it, in UCCI or UCI.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Announced {
    name: String,
    kind: String,
    min: Option<i64>,
    max: Option<i64>,
    /// The values that a choice has.
    choices: Vec<String>,
}

/// The words that begin a part of an announcement.
const KEYS: [&str; 5] = ["type", "default", "min", "max", "var"];

impl Announced {
    /// Reads `option NAME type ...` of UCCI or `option name NAME type ...` of UCI; `None` for any
    /// other line.
    pub fn parse(line: &str, protocol: Protocol) -> Option<Self> {
        let mut words = line.split_whitespace();
        if words.next() != Some("option") {
            return None;
        }
        let mut words = words.peekable();
        if protocol == Protocol::Uci && words.next() != Some("name") {
            return None;
        }
        let mut part = || {
            let mut value: Vec<&str> = Vec::new();
            while let Some(word) = words.next_if(|word| !KEYS.contains(word)) {
                value.push(word);
            }
            (value.join(" "), words.next())
        };
        let (name, mut key) = part();
        let mut option =
            Self { name, kind: String::new(), min: None, max: None, choices: Vec::new() };
        while let Some(known) = key {
            let (value, next) = part();
            match known {
                "type" => option.kind = value,
                "min" => option.min = value.parse().ok(),
                "max" => option.max = value.parse().ok(),
                "var" => option.choices.push(value),
                _ => {}
            }
            key = next;
        }
        (!option.name.is_empty()).then_some(option)
    }

    /// What is wrong with this value, in words; `None` if nothing is.
    fn objection(&self, value: &str) -> Option<String> {
        let name = &self.name;
        match self.kind.as_str() {
            "spin" => {
                let (min, max) = (self.min.unwrap_or(i64::MIN), self.max.unwrap_or(i64::MAX));
                match value.parse::<i64>() {
                    Err(_) => Some(format!("'{value}' is no number for option '{name}'")),
                    Ok(number) if !(min..=max).contains(&number) => {
                        Some(format!("option '{name}' takes {min} to {max}, not {number}"))
                    }
                    Ok(_) => None,
                }
            }
            "check" if !["true", "false", "on", "off"].contains(&value) => {
                Some(format!("option '{name}' takes true or false, not '{value}'"))
            }
            "combo" if !self.choices.iter().any(|choice| choice.eq_ignore_ascii_case(value)) => {
                Some(format!("option '{name}' takes {}, not '{value}'", self.choices.join(", ")))
            }
            _ => None,
        }
    }
}

/// What is wrong with options that are to be set, in words for the user.
pub fn objections(wanted: &[(String, String)], announced: &[Announced]) -> Vec<String> {
    let objection = |(name, value): &(String, String)| match announced
        .iter()
        .find(|option| option.name.eq_ignore_ascii_case(name))
    {
        Some(option) => option.objection(value),
        None if announced.is_empty() => Some(format!("it announces no option '{name}'")),
        None => {
            let names: Vec<&str> = announced.iter().map(|option| &*option.name).collect();
            Some(format!("it announces no option '{name}', only {}", names.join(", ")))
        }
    };
    wanted.iter().filter_map(objection).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn announcements_of_both_protocols() {
        let spin = |name: &str| Announced {
            name: name.to_owned(),
            kind: "spin".to_owned(),
            min: Some(1),
            max: Some(64),
            choices: Vec::new(),
        };
        let uci = "option name Move Overhead type spin default 16 min 1 max 64";
        assert_eq!(Announced::parse(uci, Protocol::Uci), Some(spin("Move Overhead")));
        let ucci = "option hashsize type spin min 1 max 64 default 16";
        assert_eq!(Announced::parse(ucci, Protocol::Ucci), Some(spin("hashsize")));
        for line in ["option", "info string option", "option type spin", ""] {
            assert_eq!(Announced::parse(line, Protocol::Ucci), None, "{line}");
        }
    }

    #[test]
    fn what_does_not_fit_is_told() {
        let lines = [
            "option name Hash type spin default 16 min 1 max 64",
            "option name Ponder type check default false",
            "option name Style type combo default calm var calm var very wild",
            "option name EvalFile type string default <empty>",
        ];
        let announced = lines.map(|line| Announced::parse(line, Protocol::Uci).unwrap());
        for (name, value, words) in [
            ("Foo", "1", "no option 'Foo', only Hash, Ponder, Style, EvalFile"),
            ("Hash", "abc", "'abc' is no number"),
            ("Hash", "-16", "takes 1 to 64, not -16"),
            ("Ponder", "maybe", "true or false"),
            ("Style", "mad", "takes calm, very wild, not 'mad'"),
        ] {
            let found = objections(&[(name.to_owned(), value.to_owned())], &announced);
            assert!(found.len() == 1 && found[0].contains(words), "{name} {value}: {found:?}");
        }
        let fine = [("hash", "16"), ("Ponder", "true"), ("Style", "Very Wild"), ("EvalFile", "x")];
        let fine = fine.map(|(name, value)| (name.to_owned(), value.to_owned()));
        assert_eq!(objections(&fine, &announced), Vec::<String>::new());
    }
}
