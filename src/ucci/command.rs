//! From bytes to a [`Command`]: pure and total. A line that means nothing is a value, not an error.

use super::coordinates::WrittenMove;
use xiangqi::notation::decode;

/// What a client asks for.
#[derive(Clone, PartialEq, Debug)]
pub enum Command {
    /// `ucci`: speak UCCI from now on.
    Ucci,
    /// `uci`: speak UCI from now on.
    Uci,
    /// `isready`
    IsReady,
    /// `setoption ...`: the rest of the line, in either syntax.
    SetOption(String),
    /// `debug on|off` of UCI, and the option of the same name.
    Debug(bool),
    /// `ucinewgame`, `newgame`
    NewGame,
    /// `position ...`, or `fen ...` and `startpos ...` alone.
    Position(Placement),
    /// `banmoves M...`
    BanMoves(Vec<Token>),
    /// `go ...`
    Go(Box<Go>),
    /// `go perft N`
    Perft(u32),
    /// `ponderhit [draw]`
    PonderHit {
        /// The opponent offers a draw.
        draw: bool,
    },
    /// `stop`
    Stop,
    /// `probe ...`
    Probe(Placement),
    /// `quit`
    Quit,
    /// `d`: show the board.
    Display,
    /// `eval`: show the static evaluation.
    Eval,
    /// `bench [DEPTH]`
    Bench(Option<u32>),
    /// `help`
    Help,
    /// An empty line, a comment, or a word that is no command.
    Unknown,
}

/// Where a game starts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Start {
    /// The start position.
    Standard,
    /// A FEN, not looked at yet.
    Fen(String),
}

/// A position as a client describes it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Placement {
    /// Where the game starts.
    pub start: Start,
    /// The moves played since.
    pub moves: Vec<Token>,
    /// Whether the line had no `position` before `fen` or `startpos`, as some old clients write.
    pub bare: bool,
}

/// One word of a move list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Token {
    /// A move in coordinates.
    Move(WrittenMove),
    /// Something else: the start of it, safe to print.
    Other(Box<str>),
}

impl Token {
    fn of(word: &str) -> Self {
        match WrittenMove::parse(word) {
            Some(written) => Self::Move(written),
            None => Self::Other(excerpt(word).into()),
        }
    }
}

/// The keywords of a `go`, as they came. Times are in the unit of the command: UCCI's clocks in
/// the unit that the option `usemillisec` says, UCI's in milliseconds. Negative numbers read as 0.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[expect(missing_docs, reason = "the names and the type's own text say it")]
pub struct Go {
    pub ponder: bool,
    pub draw: bool,
    pub infinite: bool,
    pub depth: Option<u64>,
    pub nodes: Option<u64>,
    pub mate: Option<u64>,
    pub movetime: Option<u64>,
    pub time: Option<u64>,
    pub increment: Option<u64>,
    pub movestogo: Option<u64>,
    pub opptime: Option<u64>,
    pub oppincrement: Option<u64>,
    pub oppmovestogo: Option<u64>,
    pub wtime: Option<u64>,
    pub btime: Option<u64>,
    pub winc: Option<u64>,
    pub binc: Option<u64>,
    pub searchmoves: Vec<Token>,
    /// A keyword that wants a number and has none that can be read; the first of them.
    pub unread: Option<&'static str>,
}

/// The start of a text from outside, short and printable, fit for a message.
pub fn excerpt(text: &str) -> String {
    let short: String = text.chars().take(20).flat_map(char::escape_default).collect();
    if text.chars().nth(20).is_some() { short + "..." } else { short }
}

/// A file name from outside as one line: as it stands, but for characters that do not print.
pub fn printable(name: &str) -> String {
    let escape =
        |c: char| if c.is_control() { c.escape_default().collect() } else { c.to_string() };
    let short: String = name.chars().take(200).map(escape).collect();
    if name.chars().nth(200).is_some() { short + "..." } else { short }
}

/// Reads one line, without its end.
pub fn parse(line: &[u8]) -> Command {
    let text = decode(line);
    // Scripts written on Windows may start with a byte order mark.
    let text = text.trim_start_matches('\u{feff}').trim();
    let (word, rest) = split_word(text);
    match word.to_ascii_lowercase().as_str() {
        "ucci" => Command::Ucci,
        "uci" => Command::Uci,
        "isready" => Command::IsReady,
        "setoption" => Command::SetOption(rest.to_owned()),
        "debug" => Command::Debug(!matches!(rest, "off" | "false" | "0")),
        "ucinewgame" | "newgame" => Command::NewGame,
        "position" => Command::Position(placement(rest, false)),
        "fen" | "startpos" => Command::Position(placement(text, true)),
        "banmoves" => Command::BanMoves(rest.split_ascii_whitespace().map(Token::of).collect()),
        "go" => go(rest),
        "ponderhit" => Command::PonderHit { draw: rest == "draw" },
        "stop" => Command::Stop,
        "probe" => Command::Probe(placement(rest, false)),
        "quit" | "exit" => Command::Quit,
        "d" => Command::Display,
        "eval" => Command::Eval,
        "bench" => Command::Bench(split_word(rest).0.parse().ok()),
        "help" | "--help" => Command::Help,
        _ => Command::Unknown,
    }
}

/// The first word, and what follows it without the blanks around it.
fn split_word(text: &str) -> (&str, &str) {
    let text = text.trim_ascii();
    match text.split_once(|c: char| c.is_ascii_whitespace()) {
        Some((word, rest)) => (word, rest.trim_ascii()),
        None => (text, ""),
    }
}

/// What stands before and behind a word.
fn split_at<'a>(text: &'a str, word: &str) -> (&'a str, &'a str) {
    let is_edge = |c: Option<char>| c.is_none_or(|c| c.is_ascii_whitespace());
    text.match_indices(word)
        .filter_map(|(at, _)| Some((text.get(..at)?, text.get(at + word.len()..)?)))
        .find(|(before, behind)| {
            is_edge(before.chars().next_back()) && is_edge(behind.chars().next())
        })
        .unwrap_or((text, ""))
}

/// Reads `{fen FEN | startpos | FEN} [moves M...]`.
fn placement(text: &str, bare: bool) -> Placement {
    let (start, moves) = split_at(text, "moves");
    let (word, fen) = split_word(start);
    let start = match word {
        "startpos" => Start::Standard,
        "fen" => Start::Fen(fen.to_owned()),
        // Some clients leave the keyword out.
        _ => Start::Fen(start.trim_ascii().to_owned()),
    };
    Placement { start, moves: moves.split_ascii_whitespace().map(Token::of).collect(), bare }
}

/// Reads the keywords of a `go` in any order. A word that is none is skipped, and so is a keyword
/// without its number.
fn go(text: &str) -> Command {
    let mut go = Go::default();
    let mut words = text.split_ascii_whitespace().peekable();
    while let Some(word) = words.next() {
        let (name, slot) = match word {
            "ponder" => {
                go.ponder = true;
                continue;
            }
            "draw" => {
                go.draw = true;
                continue;
            }
            "infinite" => {
                go.infinite = true;
                continue;
            }
            "searchmoves" => {
                while let Some(word) = words.next_if(|word| WrittenMove::parse(word).is_some()) {
                    go.searchmoves.push(Token::of(word));
                }
                continue;
            }
            "perft" => {
                let depth = words.next().and_then(number).unwrap_or(1);
                return Command::Perft(depth.try_into().unwrap_or(u32::MAX));
            }
            "depth" => ("depth", &mut go.depth),
            "nodes" => ("nodes", &mut go.nodes),
            "mate" => ("mate", &mut go.mate),
            "movetime" => ("movetime", &mut go.movetime),
            "time" => ("time", &mut go.time),
            "increment" => ("increment", &mut go.increment),
            "movestogo" => ("movestogo", &mut go.movestogo),
            "opptime" => ("opptime", &mut go.opptime),
            "oppincrement" => ("oppincrement", &mut go.oppincrement),
            "oppmovestogo" => ("oppmovestogo", &mut go.oppmovestogo),
            "wtime" => ("wtime", &mut go.wtime),
            "btime" => ("btime", &mut go.btime),
            "winc" => ("winc", &mut go.winc),
            "binc" => ("binc", &mut go.binc),
            _ => continue,
        };
        match words.peek().and_then(|word| number(word)) {
            Some(value) => {
                *slot = Some(value);
                words.next();
            }
            None => go.unread = go.unread.or(Some(name)),
        }
    }
    Command::Go(Box::new(go))
}

/// A number, held within 0 and the largest.
pub fn number(word: &str) -> Option<u64> {
    let digits = word.strip_prefix(['-', '+']).unwrap_or(word);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    // All that can fail now is the size.
    Some(if word.starts_with('-') { 0 } else { digits.parse().unwrap_or(u64::MAX) })
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod tests {
    use super::*;

    fn go(line: &str) -> Go {
        match parse(line.as_bytes()) {
            Command::Go(go) => *go,
            other => panic!("{line}: {other:?}"),
        }
    }

    fn position(line: &str) -> (Start, usize, bool) {
        match parse(line.as_bytes()) {
            Command::Position(place) | Command::Probe(place) => {
                (place.start, place.moves.len(), place.bare)
            }
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn words() {
        for (line, command) in [
            ("ucci", Command::Ucci),
            ("\u{feff}ucci\r", Command::Ucci),
            ("  uci \t", Command::Uci),
            ("IsReady", Command::IsReady),
            ("stop", Command::Stop),
            ("ponderhit", Command::PonderHit { draw: false }),
            ("ponderhit draw", Command::PonderHit { draw: true }),
            ("quit\r", Command::Quit),
            ("bench 7", Command::Bench(Some(7))),
            ("bench", Command::Bench(None)),
            ("debug off", Command::Debug(false)),
            ("debug on", Command::Debug(true)),
            ("", Command::Unknown),
            ("// Match Rule", Command::Unknown),
            ("ponderhint ", Command::Unknown),
            ("setoption  name Hash value 3 ", Command::SetOption("name Hash value 3".into())),
            ("go perft 3", Command::Perft(3)),
        ] {
            assert_eq!(parse(line.as_bytes()), command, "{line:?}");
        }
        assert_eq!(parse(b"\xff\x00\xfe go"), Command::Unknown);
    }

    #[test]
    fn positions() {
        let fen = |text: &str| Start::Fen(text.to_owned());
        assert_eq!(position("position startpos"), (Start::Standard, 0, false));
        assert_eq!(position("position startpos moves"), (Start::Standard, 0, false));
        assert_eq!(position("position startpos moves h2e2 h9g7\r"), (Start::Standard, 2, false));
        assert_eq!(position("position fen A w -- 0 1  moves h2e2"), (fen("A w -- 0 1"), 1, false));
        assert_eq!(position("position A w"), (fen("A w"), 0, false));
        assert_eq!(position("probe A w moves x y z"), (fen("A w"), 3, false));
        assert_eq!(position("fen A r moves"), (fen("A r"), 0, true));
        assert_eq!(position("startpos moves a0a1"), (Start::Standard, 1, true));
        assert_eq!(position("position"), (fen(""), 0, false));
        assert_eq!(position("position fen xmoves"), (fen("xmoves"), 0, false));
    }

    #[test]
    fn go_in_any_order() {
        let clock = Go {
            time: Some(10000),
            opptime: Some(9780),
            increment: Some(1),
            oppincrement: Some(2),
            ..Go::default()
        };
        assert_eq!(go("go time 10000 opptime 9780 oppincrement 2 increment 1"), clock);
        assert_eq!(go("go increment 1 oppincrement 2 opptime 9780 time 10000"), clock);
        let mixed = Go { depth: Some(6), movetime: Some(59970), btime: Some(7), ..Go::default() };
        assert_eq!(go("go btime 7 movetime 59970 depth 6"), mixed);
        assert_eq!(go("go"), Go::default());
        assert_eq!(go("go draw ponder"), Go { draw: true, ponder: true, ..Go::default() });
        let searched = go("go searchmoves h2e2 b2e2 depth 3");
        assert_eq!((searched.searchmoves.len(), searched.depth), (2, Some(3)));
    }

    #[test]
    fn odd_numbers() {
        assert_eq!(go("go depth -5").depth, Some(0));
        assert_eq!(go("go nodes None"), Go { unread: Some("nodes"), ..Go::default() });
        let second = Go { nodes: Some(5), unread: Some("depth"), ..Go::default() };
        assert_eq!(go("go depth nodes 5"), second);
        assert_eq!(go("go nodes 99999999999999999999999").nodes, Some(u64::MAX));
        assert_eq!(go("go time"), Go { unread: Some("time"), ..Go::default() });
    }

    #[test]
    fn file_names_stay_readable() {
        assert_eq!(printable("/my nets/象棋.nnue"), "/my nets/象棋.nnue");
        assert_eq!(printable("a\u{7}b\u{85}"), "a\\u{7}b\\u{85}");
        assert_eq!(printable(&"网".repeat(300)), "网".repeat(200) + "...");
    }

    #[test]
    fn excerpts_are_short_and_printable() {
        assert_eq!(excerpt("h2e2"), "h2e2");
        assert_eq!(excerpt("\n\u{5c06}"), "\\n\\u{5c06}");
        assert_eq!(excerpt(&"x".repeat(1 << 20)), "x".repeat(20) + "...");
    }
}
