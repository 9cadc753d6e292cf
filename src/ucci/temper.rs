//! What the options `idle`, `randomness`, `style` and those of skill mean to the search.

use super::options::{Grade, Settings, Style};
use crate::search::{Character, Limits, Skill};

/// Makes a search weaker, moodier or lazier as the settings say. An engine that analyses is none of
/// it but lazy. `seed` is to stay the same for a game.
pub fn temper(limits: Limits, settings: &Settings, seed: u64) -> Limits {
    let rest_percent = match settings.idle {
        Grade::None => 0,
        Grade::Small => 33,
        Grade::Medium => 100,
        Grade::Large => 300,
    };
    if settings.analyse_mode {
        return Limits { rest_percent, ..limits };
    }
    Limits { rest_percent, character: character(settings, seed), skill: skill(settings), ..limits }
}

/// Chance and taste, in points of score: a minor piece is worth 400.
const fn character(settings: &Settings, seed: u64) -> Character {
    let noise = match settings.randomness {
        Grade::None => 0,
        Grade::Small => 10,
        Grade::Medium => 30,
        Grade::Large => 80,
    };
    let (draw, tension) = match settings.style {
        Style::Solid => (40, -10),
        Style::Normal => (0, 0),
        Style::Risky => (-80, 10),
    };
    // Without chance the seed must not matter, or a plain character would not be plain.
    Character { noise, seed: if noise == 0 { 0 } else { seed }, draw, tension }
}

fn skill(settings: &Settings) -> Option<Skill> {
    let number = |n: u64| u16::try_from(n).unwrap_or(u16::MAX);
    if settings.limit_strength {
        Skill::of_elo(number(settings.elo))
    } else {
        Skill::of_level(number(settings.skill_level))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_defaults_change_nothing() {
        let limits = Limits { depth: Some(3), ..Limits::default() };
        assert_eq!(temper(limits.clone(), &Settings::default(), 77), limits);
    }

    #[test]
    fn an_analyst_has_no_temper() {
        let settings = Settings {
            analyse_mode: true,
            style: Style::Risky,
            randomness: Grade::Large,
            skill_level: 0,
            ..Settings::default()
        };
        assert_eq!(temper(Limits::default(), &settings, 7), Limits::default());
    }

    #[test]
    fn a_rating_comes_before_a_level() {
        let settings =
            Settings { skill_level: 3, limit_strength: true, elo: 1600, ..Settings::default() };
        assert_eq!(skill(&settings), Skill::of_level(10));
        assert_eq!(skill(&Settings { limit_strength: false, ..settings }), Skill::of_level(3));
    }
}
