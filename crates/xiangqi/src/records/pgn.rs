//! Reading PGN: the import format as it is in life, with moves in any notation.

use super::{
    ReadGame, ReadOptions,
    words::{is_bare_number, is_result, split_marks, without_number},
};
use crate::{
    board::Position,
    notation::{
        Encoding, GameResult, GameTree, Loss, LossReason, NodeId, Place, Ranks, Style, decode_as,
        parse_move_in,
    },
};
use std::{
    collections::VecDeque,
    io::{self, BufRead},
};

/// A piece of movetext, with its line from 1.
struct Token {
    line: usize,
    what: What,
}

enum What {
    Move(String),
    Comment(String),
    Nag(u8),
    Open,
    Close,
}

/// A game as it stands in the text.
#[derive(Default)]
struct Raw {
    tags: Vec<(String, String)>,
    tokens: Vec<Token>,
    result: GameResult,
    losses: Vec<Loss>,
}

impl Raw {
    /// Whether there is no game: neither a tag nor anything but remarks.
    fn is_empty(&self) -> bool {
        let is_remark = |token: &Token| matches!(token.what, What::Comment(_));
        self.tags.is_empty() && self.tokens.iter().all(is_remark)
    }
}

/// The games of a PGN text, one after the other, with the memory of one. Ranks may count from 0 or
/// from 1; which of both is found out for each game. Lines that begin with `%`, and what stands
/// behind a result, are passed over. A comment that is never closed ends at the next tag section.
pub struct PgnReader<R> {
    lines: R,
    encoding: Option<Encoding>,
    line: usize,
    /// Games yielded.
    game: usize,
    raw: Raw,
    ready: VecDeque<Raw>,
    /// How many variations are open.
    depth: usize,
    /// The comment that is open, and the line where it began.
    comment: Option<(String, usize)>,
    /// Behind a result many programs draw a line or sign their name.
    is_over: bool,
    at_end: bool,
}

impl<R: BufRead> PgnReader<R> {
    /// Reads from here.
    pub fn new(lines: R, options: &ReadOptions) -> Self {
        Self {
            lines,
            encoding: options.encoding,
            line: 0,
            game: 0,
            raw: Raw::default(),
            ready: VecDeque::new(),
            depth: 0,
            comment: None,
            is_over: false,
            at_end: false,
        }
    }

    fn read_line(&mut self) -> io::Result<()> {
        let mut bytes = Vec::new();
        if self.lines.read_until(b'\n', &mut bytes)? == 0 {
            self.at_end = true;
            self.finish();
            return Ok(());
        }
        self.line += 1;
        // Files are put together from others: what does not fit may be in another encoding.
        let (text, is_whole) = match decode_as(&bytes, self.encoding) {
            (text, true) => (text, true),
            _ => decode_as(&bytes, None),
        };
        if !is_whole {
            let place = Place { line: Some(self.line), ..Place::default() };
            self.raw.losses.push(Loss::new(place, &text, LossReason::Encoding));
        }
        self.take_line(text.trim_start_matches('\u{feff}').trim_end());
        Ok(())
    }

    fn take_line(&mut self, line: &str) {
        if self.comment.is_none() && line.starts_with('%') {
            return;
        }
        // Tags are not looked for inside a comment, but for one that begins a new game.
        let tag = tag(line.trim()).filter(|(name, _)| {
            self.depth == 0 && self.comment.is_none() || ["Event", "Game"].contains(&name.as_str())
        });
        if let Some(tag) = tag {
            self.close_all();
            self.is_over = false;
            if !self.raw.tokens.is_empty() {
                self.finish();
            }
            self.raw.tags.push(tag);
            return;
        }
        let begins = |c: char| c.is_ascii_digit();
        self.is_over &= !line.trim_start().starts_with(begins);
        if !self.is_over {
            self.take_text(line);
        }
    }

    /// Cuts a line of movetext into tokens.
    fn take_text(&mut self, line: &str) {
        if let Some((comment, _)) = &mut self.comment
            && !comment.is_empty()
        {
            comment.push('\n');
        }
        let mut word = String::new();
        for (at, letter) in line.char_indices() {
            if let Some((comment, _)) = &mut self.comment {
                if letter == '}' {
                    self.end_comment();
                } else {
                    comment.push(letter);
                }
                continue;
            }
            let breaks = letter.is_whitespace() || "{}();".contains(letter);
            if !breaks {
                word.push(letter);
                continue;
            }
            self.take_word(&std::mem::take(&mut word));
            if self.is_over {
                return;
            }
            match letter {
                '{' => self.comment = Some((String::new(), self.line)),
                ';' => {
                    self.push(What::Comment(line[at + 1..].to_owned()));
                    return;
                }
                '(' => {
                    self.depth += 1;
                    self.push(What::Open);
                }
                ')' if self.depth > 0 => {
                    self.depth -= 1;
                    self.push(What::Close);
                }
                ')' => {
                    let place = Place { line: Some(self.line), ..Place::default() };
                    self.raw.losses.push(Loss::new(place, "", LossReason::Parentheses));
                }
                _ => {}
            }
        }
        self.take_word(&word);
    }

    fn push(&mut self, what: What) {
        self.raw.tokens.push(Token { line: self.line, what });
    }

    fn end_comment(&mut self) {
        if let Some((comment, line)) = self.comment.take() {
            self.raw.tokens.push(Token { line, what: What::Comment(comment) });
        }
    }

    /// A word outside comments: a move with its number and marks, a NAG or a result.
    fn take_word(&mut self, word: &str) {
        if self.depth == 0 && is_result(word) {
            self.raw.result = GameResult::from_text(word).unwrap_or_default();
            if !self.raw.is_empty() {
                self.finish();
            }
            self.is_over = true;
            return;
        }
        if let Some(number) = word.strip_prefix('$') {
            if let Ok(nag) = number.parse() {
                self.push(What::Nag(nag));
            }
            return;
        }
        let bare = without_number(word);
        if !is_bare_number(word) && !is_result(bare) {
            self.push(What::Move(bare.to_owned()));
        }
    }

    /// Closes what is open where a game ends.
    fn close_all(&mut self) {
        if let Some((_, line)) = &self.comment {
            let place = Place { line: Some(*line), ..Place::default() };
            self.raw.losses.push(Loss::new(place, "", LossReason::OpenComment));
            self.end_comment();
        }
        if self.depth > 0 {
            let place = Place { line: Some(self.line), ..Place::default() };
            self.raw.losses.push(Loss::new(place, "", LossReason::Parentheses));
            self.depth = 0;
        }
    }

    fn finish(&mut self) {
        self.close_all();
        let raw = std::mem::take(&mut self.raw);
        if !raw.is_empty() {
            self.ready.push_back(raw);
        }
    }
}

impl<R: BufRead> Iterator for PgnReader<R> {
    type Item = io::Result<ReadGame>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(raw) = self.ready.pop_front() {
                self.game += 1;
                return Some(Ok(game(raw, self.game)));
            }
            if self.at_end {
                return None;
            }
            if let Err(error) = self.read_line() {
                self.at_end = true;
                return Some(Err(error));
            }
        }
    }
}

/// Whether a line is a tag pair.
pub fn is_tag(line: &str) -> bool {
    tag(line).is_some()
}

fn tag(line: &str) -> Option<(String, String)> {
    let inner = line.strip_prefix('[')?.strip_suffix(']')?;
    let (name, rest) = inner.split_once(char::is_whitespace)?;
    let value = rest.trim().strip_prefix('"')?.strip_suffix('"')?;
    Some((name.to_owned(), value.replace("\\\"", "\"").replace("\\\\", "\\")))
}

/// Makes the tree of a game, with the ranks that fit.
fn game(raw: Raw, number: usize) -> ReadGame {
    let from_zero = build(&raw, number, Ranks::FromZero);
    let is_move = |loss: &Loss| matches!(loss.reason, LossReason::Move(_));
    if !from_zero.losses.iter().any(is_move) {
        return from_zero;
    }
    let from_one = build(&raw, number, Ranks::FromOne);
    let bad = |game: &ReadGame| game.losses.iter().filter(|&loss| is_move(loss)).count();
    let longer = from_one.tree.move_count() > from_zero.tree.move_count();
    if bad(&from_one) == 0 || longer { from_one } else { from_zero }
}

fn build(raw: &Raw, number: usize, ranks: Ranks) -> ReadGame {
    let mut losses = raw.losses.clone();
    let tree = head(raw, &mut losses);
    let root = tree.root();
    let mut builder = Builder {
        tree,
        losses,
        ranks,
        at: Some(root),
        depth: 0,
        branches: Vec::new(),
        before: String::new(),
    };
    raw.tokens.iter().for_each(|token| builder.take(token));
    let Builder { tree, mut losses, .. } = builder;
    for loss in &mut losses {
        loss.place.game = Some(number);
    }
    ReadGame { tree, losses }
}

/// The game before its moves: the start, the headers, the result.
fn head(raw: &Raw, losses: &mut Vec<Loss>) -> GameTree {
    let value = |name: &str| {
        let found = raw.tags.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    };
    let start = match value("FEN").map(str::parse::<Position>) {
        None => Position::start(),
        Some(Ok(start)) => start,
        Some(Err(why)) => {
            let text = value("FEN").unwrap_or_default();
            losses.push(Loss::new(Place::default(), text, LossReason::Fen(why)));
            Position::start()
        }
    };
    let mut tree = GameTree::new(start);
    let stated = value("Result").and_then(GameResult::from_text).unwrap_or_default();
    tree.result = if stated == GameResult::Unknown { raw.result } else { stated };
    tree.headers = raw.tags.iter().filter(|(name, value)| !is_own(name, value)).cloned().collect();
    tree
}

/// Whether a tag tells of the text and not of the game.
fn is_own(name: &str, value: &str) -> bool {
    match name.to_ascii_lowercase().as_str() {
        "fen" | "setup" | "result" => true,
        "game" => value.eq_ignore_ascii_case("Chinese Chess"),
        "format" => value.parse::<Style>().is_ok(),
        _ => false,
    }
}

/// Builds a tree from tokens.
struct Builder {
    tree: GameTree,
    losses: Vec<Loss>,
    ranks: Ranks,
    /// The last move; `None` behind a move that was refused, up to the end of its line.
    at: Option<NodeId>,
    depth: usize,
    /// Where the lines go on that open variations interrupt.
    branches: Vec<(Option<NodeId>, usize)>,
    /// A comment at the beginning of a variation.
    before: String,
}

impl Builder {
    fn take(&mut self, token: &Token) {
        match &token.what {
            What::Move(word) => self.take_move(word, token.line),
            What::Comment(text) => self.take_comment(text),
            What::Nag(nag) => {
                if let Some(at) = self.at.filter(|&at| at != self.tree.root()) {
                    self.tree.add_nag(at, *nag);
                }
            }
            What::Open => {
                self.branches.push((self.at, self.depth));
                // A variation takes the place of the last move.
                self.at = self.at.and_then(|at| self.tree.parent(at));
                self.depth = self.depth.saturating_sub(1);
                self.before.clear();
            }
            What::Close => {
                if let Some(back) = self.branches.pop() {
                    (self.at, self.depth) = back;
                }
                self.before.clear();
            }
        }
    }

    fn begins_variation(&self) -> bool {
        let branch = self.branches.last().and_then(|&(node, _)| node);
        branch.is_some_and(|node| self.tree.parent(node) == self.at)
    }

    fn take_comment(&mut self, text: &str) {
        match self.at {
            Some(_) if self.begins_variation() => {
                self.before.push('\n');
                self.before += text;
            }
            Some(at) => self.tree.add_comment(at, text),
            None => {}
        }
    }

    fn take_move(&mut self, word: &str, line: usize) {
        let Some(at) = self.at else { return };
        let (bare, nag) = split_marks(word);
        let place = Place { line: Some(line), ply: Some(self.depth + 1), ..Place::default() };
        let read = parse_move_in(self.tree.position_here(at), bare, self.ranks);
        let added = read.map_err(LossReason::Move).and_then(|m| {
            self.tree.add_move(at, m).map_err(|illegal| LossReason::Illegal(illegal.0))
        });
        match added {
            Ok(node) => {
                self.tree.add_comment_before(node, &std::mem::take(&mut self.before));
                if let Some(nag) = nag {
                    self.tree.add_nag(node, nag);
                }
                (self.at, self.depth) = (Some(node), self.depth + 1);
            }
            Err(reason) => {
                self.losses.push(Loss::new(place, word, reason));
                self.at = None;
            }
        }
    }
}
