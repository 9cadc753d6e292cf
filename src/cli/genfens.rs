//! `chuhe "genfens N seed S book B" quit`: start positions for the data generation of OpenBench,
//! which calls engines in just this way.

use super::Failure;
use crate::{
    openings::{Opening, RandomOpenings, SplitMix, read_openings},
    search::Searcher,
};
use xiangqi::rules::RuleSet;

/// What the one argument asks for.
#[derive(PartialEq, Eq, Debug)]
struct Request {
    count: u64,
    seed: u64,
    book: Option<String>,
}

/// Whether the program was called in this way.
pub fn is_meant(argument: &str) -> bool {
    argument.split_whitespace().next() == Some("genfens")
}

fn parse(argument: &str) -> Result<Request, String> {
    let words: Vec<&str> = argument.split_whitespace().collect();
    let off = || format!("'{argument}' is not: genfens N seed S book FILE|None");
    let (count, rest) = words.get(1..).and_then(<[_]>::split_first).ok_or_else(off)?;
    let mut request = Request { count: count.parse().map_err(|_| off())?, seed: 0, book: None };
    // Other pairs may follow: what they mean is up to the engine, and we know none.
    for pair in rest.chunks(2) {
        match *pair {
            ["seed", seed] => request.seed = seed.parse().map_err(|_| off())?,
            ["book", "None" | "none"] => {}
            ["book", path] => request.book = Some(path.to_owned()),
            _ => {}
        }
    }
    Ok(request)
}

pub fn run(argument: &str) -> Result<(), Failure> {
    let request = parse(argument).map_err(Failure::usage)?;
    let bases = match &request.book {
        None => vec![Opening::default()],
        Some(path) => {
            let text = std::fs::read(path);
            let text = text.map_err(|error| Failure::work(format!("{path}: {error}")))?;
            read_openings(&text, RuleSet::default(), None)
                .map_err(|error| Failure::usage(format!("{path}: {error}")))?
        }
    };
    // A book position is an opening already.
    let plies = if request.book.is_some() { 2 } else { RandomOpenings::default().plies };
    let random = RandomOpenings { plies, ..RandomOpenings::default() };
    let mut searcher =
        Searcher::new(1).map_err(|_| Failure::work("1 MiB of memory can not be had"))?;
    let mut choice = SplitMix::new(request.seed, u64::MAX);
    for number in 0..request.count {
        let base = &bases[choice.below(bases.len())];
        let opening = random.make(request.seed, number, base, &mut searcher);
        let game = opening.game().map_err(Failure::work)?;
        say!("info string genfens {}", game.position().fen());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_call() {
        let request = |count, seed, book: Option<&str>| {
            Ok(Request { count, seed, book: book.map(str::to_owned) })
        };
        assert_eq!(parse("genfens 8 seed 42 book None"), request(8, 42, None));
        assert_eq!(parse("genfens 3 seed 1 book a.epd extra 5"), request(3, 1, Some("a.epd")));
        assert_eq!(parse("genfens 2"), request(2, 0, None));
        for text in ["genfens", "genfens x", "genfens 2 seed -1"] {
            assert!(parse(text).is_err(), "{text}");
        }
        assert!(is_meant("genfens 8 seed 42") && !is_meant("bench"));
    }
}
