//! The options: names in both families, ranges, defaults, and their present values.

use super::{command::number, coordinates::Ranks};
use crate::{eval::Backend, search::Skill};
use xiangqi::rules::RuleSet;

/// Which option.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "the names and the type's own text say it")]
pub enum Id {
    UseMillisec,
    Batch,
    Debug,
    Ponder,
    HashSize,
    Threads,
    NewGame,
    ClearHash,
    MultiPv,
    MoveOverhead,
    EvalFile,
    Idle,
    Randomness,
    Style,
    SkillLevel,
    LimitStrength,
    Elo,
    DrawOffers,
    Resign,
    RepetitionRule,
    ShowWdl,
    AnalyseMode,
    Variant,
    Ranks,
}

/// What values an option takes.
#[derive(Clone, Copy, PartialEq, Debug)]
#[expect(missing_docs, reason = "the names and the type's own text say it")]
pub enum Kind {
    /// True or false.
    Check { default: bool },
    /// A number.
    Spin { default: u64, min: u64, max: u64 },
    /// One of some words, the default first: an adapter sends the first one back as the setting.
    Combo(&'static [&'static str]),
    /// Any text.
    Text { default: &'static str },
    /// Something to do.
    Button,
}

/// One option and what it is called.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Spec {
    /// Which option.
    pub id: Id,
    /// Its name in UCCI: one word in lower case.
    pub ucci: &'static str,
    /// Its name in UCI.
    pub uci: &'static str,
    /// In which handshake it is listed. It can be set in either dialect all the same.
    pub listed: Listed,
    /// What it takes.
    pub kind: Kind,
}

/// In which handshake an option is listed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Listed {
    /// In both.
    Both,
    /// In UCCI only.
    Ucci,
    /// In UCI only.
    Uci,
}

const fn check(default: bool) -> Kind {
    Kind::Check { default }
}

const fn spin(default: u64, min: u64, max: u64) -> Kind {
    Kind::Spin { default, min, max }
}

const fn spec(id: Id, ucci: &'static str, uci: &'static str, listed: Listed, kind: Kind) -> Spec {
    Spec { id, ucci, uci, listed, kind }
}

/// The largest hash size that can be asked for, in MiB; what the machine has is a bound of its own.
pub const MAX_HASH: u64 = 1 << 20;
const MAX_SKILL: u64 = Skill::MAX_LEVEL as u64;

/// The most threads that can be asked for.
pub const MAX_THREADS: u64 = crate::search::MAX_THREADS as u64;

/// All options, in the order of the handshake.
#[rustfmt::skip]
pub const OPTIONS: [Spec; 24] = [
    spec(Id::UseMillisec, "usemillisec", "UseMillisec", Listed::Ucci, check(true)),
    spec(Id::Batch, "batch", "Batch", Listed::Ucci, check(false)),
    spec(Id::Debug, "debug", "Debug", Listed::Ucci, check(false)),
    spec(Id::Ponder, "ponder", "Ponder", Listed::Both, check(false)),
    spec(Id::HashSize, "hashsize", "Hash", Listed::Both, spin(64, 0, MAX_HASH)),
    spec(Id::Threads, "threads", "Threads", Listed::Both, spin(1, 0, MAX_THREADS)),
    spec(Id::MultiPv, "multipv", "MultiPV", Listed::Both, spin(1, 1, 128)),
    spec(Id::MoveOverhead, "moveoverhead", "Move Overhead", Listed::Both, spin(10, 0, 5000)),
    spec(Id::EvalFile, "evalfile", "EvalFile", Listed::Both, Kind::Text { default: Backend::BUILTIN }),
    spec(Id::Idle, "idle", "Idle", Listed::Both, Kind::Combo(&["none", "small", "medium", "large"])),
    spec(Id::Randomness, "randomness", "Randomness", Listed::Both, Kind::Combo(&["none", "small", "medium", "large"])),
    spec(Id::Style, "style", "Style", Listed::Both, Kind::Combo(&["normal", "solid", "risky"])),
    spec(Id::SkillLevel, "skilllevel", "Skill Level", Listed::Both, spin(MAX_SKILL, 0, MAX_SKILL)),
    spec(Id::LimitStrength, "limitstrength", "UCI_LimitStrength", Listed::Both, check(false)),
    spec(Id::Elo, "elo", "UCI_Elo", Listed::Both, spin(Skill::MAX_ELO as u64, Skill::MIN_ELO as u64, Skill::MAX_ELO as u64)),
    spec(Id::DrawOffers, "drawoffers", "Draw Offers", Listed::Ucci, check(true)),
    spec(Id::Resign, "resign", "Resign", Listed::Ucci, check(true)),
    spec(Id::RepetitionRule, "repetitionrule", "Repetition Rule", Listed::Both, Kind::Combo(&["cn1999", "axf", "league"])),
    spec(Id::ShowWdl, "showwdl", "UCI_ShowWDL", Listed::Uci, check(false)),
    spec(Id::AnalyseMode, "analysemode", "UCI_AnalyseMode", Listed::Uci, check(false)),
    // Only in UCI: in UCCI an adapter would take it for a list of the games that we play.
    spec(Id::Variant, "variant", "UCI_Variant", Listed::Uci, Kind::Combo(&["xiangqi"])),
    spec(Id::Ranks, "ranks", "UCI_Ranks", Listed::Uci, Kind::Combo(&["auto", "0-9", "1-10"])),
    spec(Id::ClearHash, "clearhash", "Clear Hash", Listed::Uci, Kind::Button),
    spec(Id::NewGame, "newgame", "NewGame", Listed::Ucci, Kind::Button),
];

/// A setting in four steps, none at all being the default.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[expect(missing_docs, reason = "the names and the type's own text say it")]
pub enum Grade {
    #[default]
    None,
    Small,
    Medium,
    Large,
}

impl Grade {
    fn of(word: &str) -> Self {
        match word {
            "small" => Self::Small,
            "medium" => Self::Medium,
            "large" => Self::Large,
            _ => Self::None,
        }
    }
}

/// How much risk the engine likes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[expect(missing_docs, reason = "the names and the type's own text say it")]
pub enum Style {
    Solid,
    #[default]
    Normal,
    Risky,
}

impl Style {
    fn of(word: &str) -> Self {
        match word {
            "solid" => Self::Solid,
            "risky" => Self::Risky,
            _ => Self::Normal,
        }
    }
}

/// The present values.
#[derive(Clone, PartialEq, Debug)]
pub struct Settings {
    /// UCCI's clocks are in milliseconds, not seconds.
    pub use_millisec: bool,
    /// Read no command while thinking.
    pub batch: bool,
    /// Say more.
    pub debug: bool,
    /// The client ponders.
    pub ponder: bool,
    /// Hash size in MiB; 0 = choose.
    pub hash_size: u64,
    /// Search threads; 0 = choose.
    pub threads: u64,
    /// How many best lines to show.
    pub multi_pv: u64,
    /// Time kept back for the way to and from the client, in ms.
    pub move_overhead: u64,
    /// The evaluation last asked for: what [`Backend::named`] understands.
    pub eval_file: String,
    /// How much the engine rests while it thinks.
    pub idle: Grade,
    /// How much chance there is in its play.
    pub randomness: Grade,
    /// Its taste.
    pub style: Style,
    /// Its skill; the maximum = not limited.
    pub skill_level: u64,
    /// Whether `elo` limits its skill, instead of `skill_level`.
    pub limit_strength: bool,
    /// A rating to play at.
    pub elo: u64,
    /// Whether it offers and accepts draws.
    pub draw_offers: bool,
    /// Whether it gives up lost games.
    pub resign: bool,
    /// Which repetition rules hold.
    pub repetition_rule: RuleSet,
    /// Print `wdl` in UCI.
    pub show_wdl: bool,
    /// The engine analyses and does not play: it neither offers draws nor resigns.
    pub analyse_mode: bool,
    /// The numbering of ranks, if the client decided it outright.
    pub ranks: Option<Ranks>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            use_millisec: true,
            batch: false,
            debug: false,
            ponder: false,
            hash_size: 64,
            threads: 1,
            multi_pv: 1,
            move_overhead: 10,
            eval_file: Backend::BUILTIN.to_owned(),
            idle: Grade::None,
            randomness: Grade::None,
            style: Style::Normal,
            skill_level: MAX_SKILL,
            limit_strength: false,
            elo: u64::from(Skill::MAX_ELO),
            draw_offers: true,
            resign: true,
            repetition_rule: RuleSet::Cn1999,
            show_wdl: false,
            analyse_mode: false,
            ranks: None,
        }
    }
}

/// Finds the option that a `setoption` names, and the value given. Reads `NAME [VALUE]` and
/// `name NAME [value VALUE]`, names of both families, in any case, blanks inside or not.
pub fn resolve(text: &str) -> Option<(&'static Spec, &str)> {
    if let Some(rest) = strip_word(text, "name") {
        let (name, value) = split_value(rest);
        let squeezed = squeeze(name);
        return OPTIONS.iter().find(|spec| spec.is_called(&squeezed)).map(|spec| (spec, value));
    }
    // A name may hold blanks (`Move Overhead 50`), so the longest one that fits counts.
    let mut name = String::new();
    let mut found = None;
    let mut rest = text.trim_ascii();
    for _ in 0..3 {
        let (word, behind) =
            rest.split_once(|c: char| c.is_ascii_whitespace()).unwrap_or((rest, ""));
        name += &squeeze(word);
        rest = behind.trim_ascii();
        if let Some(spec) = OPTIONS.iter().find(|spec| spec.is_called(&name)) {
            found = Some((spec, rest));
        }
    }
    found
}

fn strip_word<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let (first, rest) = text.trim_ascii().split_once(|c: char| c.is_ascii_whitespace())?;
    first.eq_ignore_ascii_case(word).then_some(rest)
}

/// Splits `NAME value VALUE`.
fn split_value(text: &str) -> (&str, &str) {
    let text = text.trim_ascii();
    match text.split_once(" value ") {
        Some((name, value)) => (name, value.trim_ascii()),
        None => (text.strip_suffix(" value").unwrap_or(text), ""),
    }
}

/// A name without blanks and in lower case. Too long a text is no name.
fn squeeze(name: &str) -> String {
    let kept = name.chars().filter(|c| !c.is_ascii_whitespace()).take(40);
    kept.map(|c| c.to_ascii_lowercase()).collect()
}

impl Spec {
    fn is_called(&self, squeezed: &str) -> bool {
        self.ucci == squeezed || squeeze(self.uci) == squeezed
    }

    const fn zero_is_automatic(&self) -> bool {
        matches!(self.id, Id::HashSize | Id::Threads)
    }

    /// The setting that a text stands for; a number out of range is held within it. `None` if the
    /// text makes no sense.
    fn value<'a>(&self, text: &'a str) -> Option<Value<'a>> {
        match self.kind {
            Kind::Check { .. } => match text.to_ascii_lowercase().as_str() {
                "true" | "on" | "1" => Some(Value::Check(true)),
                "false" | "off" | "0" => Some(Value::Check(false)),
                _ => None,
            },
            Kind::Spin { min, max, .. } => {
                // Zero means "by itself" where it is allowed: who asks for less than nothing gets
                // the least there is.
                let is_less = self.zero_is_automatic() && text.starts_with('-');
                let least = if is_less { 1 } else { min };
                number(text).map(|number| Value::Spin(number.clamp(least, max)))
            }
            Kind::Combo(words) => words
                .iter()
                .find(|word| word.eq_ignore_ascii_case(text))
                .map(|word| Value::Combo(word)),
            Kind::Text { .. } => Some(Value::Text(text)),
            Kind::Button => Some(Value::Button),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Value<'a> {
    Check(bool),
    Spin(u64),
    Combo(&'static str),
    Text(&'a str),
    Button,
}

impl Settings {
    /// Sets an option to what a text stands for. Tells whether the text made sense.
    pub fn set(&mut self, spec: &Spec, text: &str) -> bool {
        let Some(value) = spec.value(text) else { return false };
        match (spec.id, value) {
            (Id::UseMillisec, Value::Check(on)) => self.use_millisec = on,
            (Id::Batch, Value::Check(on)) => self.batch = on,
            (Id::Debug, Value::Check(on)) => self.debug = on,
            (Id::Ponder, Value::Check(on)) => self.ponder = on,
            (Id::ShowWdl, Value::Check(on)) => self.show_wdl = on,
            (Id::AnalyseMode, Value::Check(on)) => self.analyse_mode = on,
            (Id::HashSize, Value::Spin(n)) => self.hash_size = n,
            (Id::Threads, Value::Spin(n)) => self.threads = n,
            (Id::MultiPv, Value::Spin(n)) => self.multi_pv = n,
            (Id::MoveOverhead, Value::Spin(n)) => self.move_overhead = n,
            (Id::EvalFile, Value::Text(text)) => self.eval_file = text.to_owned(),
            (Id::SkillLevel, Value::Spin(n)) => self.skill_level = n,
            (Id::Elo, Value::Spin(n)) => self.elo = n,
            (Id::LimitStrength, Value::Check(on)) => self.limit_strength = on,
            (Id::DrawOffers, Value::Check(on)) => self.draw_offers = on,
            (Id::Resign, Value::Check(on)) => self.resign = on,
            (Id::Idle, Value::Combo(word)) => self.idle = Grade::of(word),
            (Id::Randomness, Value::Combo(word)) => self.randomness = Grade::of(word),
            (Id::Style, Value::Combo(word)) => self.style = Style::of(word),
            (Id::RepetitionRule, Value::Combo(word)) => {
                self.repetition_rule = word.parse().unwrap_or_default();
            }
            (Id::Ranks, Value::Combo(word)) => {
                self.ranks = match word {
                    "0-9" => Some(Ranks::FromZero),
                    "1-10" => Some(Ranks::FromOne),
                    _ => None,
                };
            }
            _ => {}
        }
        true
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn set(settings: &mut Settings, text: &str) -> Option<Id> {
        let (spec, value) = resolve(text)?;
        settings.set(spec, value).then_some(spec.id)
    }

    #[test]
    fn both_syntaxes_and_both_families() {
        for text in [
            "hashsize 32",
            "Hash 32",
            "name Hash value 32",
            "name hashsize value 32\r",
            "HASH   32 ",
            "name  hAsH  value  32",
        ] {
            let mut settings = Settings::default();
            assert_eq!(set(&mut settings, text), Some(Id::HashSize), "{text}");
            assert_eq!(settings.hash_size, 32, "{text}");
        }
        for text in ["Move Overhead 70", "moveoverhead 70", "name Move Overhead value 70"] {
            let mut settings = Settings::default();
            set(&mut settings, text).unwrap();
            assert_eq!(settings.move_overhead, 70, "{text}");
        }
        assert_eq!(resolve("name Clear Hash").unwrap().0.id, Id::ClearHash);
        assert_eq!(resolve("newgame").unwrap().0.id, Id::NewGame);
    }

    #[test]
    fn values() {
        let mut settings = Settings::default();
        for (text, on) in [("1", true), ("0", false), ("on", true), ("off", false), ("True", true)]
        {
            set(&mut settings, &format!("ponder {text}")).unwrap();
            assert_eq!(settings.ponder, on, "{text}");
        }
        assert_eq!(set(&mut settings, "ponder maybe"), None);
        assert!(settings.ponder, "nonsense leaves the value alone");
        for (text, size) in [
            ("-1", 1),
            ("0", 0),
            ("-0", 1),
            ("1000000000", MAX_HASH),
            ("99999999999999999999", MAX_HASH),
        ] {
            set(&mut settings, &format!("Hash {text}")).unwrap();
            assert_eq!(settings.hash_size, size, "{text}");
        }
        set(&mut settings, "MultiPV 0").unwrap();
        assert_eq!(settings.multi_pv, 1);
        set(&mut settings, "repetitionrule AXF").unwrap();
        assert_eq!(settings.repetition_rule, RuleSet::Axf);
    }

    #[test]
    fn a_text_is_kept_as_it_stands() {
        let mut settings = Settings::default();
        for text in [
            "evalfile /nets of mine/象棋 network.nnue",
            "EvalFile  /nets of mine/象棋 network.nnue ",
            "name EvalFile value /nets of mine/象棋 network.nnue",
        ] {
            settings.eval_file.clear();
            assert_eq!(set(&mut settings, text), Some(Id::EvalFile), "{text}");
            assert_eq!(settings.eval_file, "/nets of mine/象棋 network.nnue", "{text}");
        }
        for text in ["evalfile", "name EvalFile value", "name EvalFile"] {
            set(&mut settings, text).unwrap();
            assert_eq!(settings.eval_file, "", "{text}");
        }
    }

    #[test]
    fn unknown_names() {
        for text in
            ["", "name", "name value", "OwnBook false", "name OwnBook value false", "promotion on"]
        {
            assert_eq!(resolve(text), None, "{text}");
        }
    }

    #[test]
    fn the_table_is_sound() {
        let mut settings = Settings::default();
        for spec in &OPTIONS {
            assert!(!spec.ucci.contains(|c: char| !c.is_ascii_lowercase()), "{}", spec.ucci);
            // An adapter takes an option whose name holds "var" for a list of values.
            assert!(spec.listed == Listed::Uci || !spec.ucci.contains("var"));
            let default = match spec.kind {
                Kind::Check { default } => default.to_string(),
                Kind::Spin { default, min, max } => {
                    assert!(min <= default && default <= max);
                    default.to_string()
                }
                Kind::Combo(words) => words.first().unwrap().to_string(),
                Kind::Text { default } => default.to_owned(),
                Kind::Button => String::new(),
            };
            assert!(settings.set(spec, &default));
        }
        assert_eq!(settings, Settings::default(), "the defaults are listed as they are");
    }
}
