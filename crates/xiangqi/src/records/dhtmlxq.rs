//! The tags of dpxq.com (东萍象棋), also called UBB: `[DhtmlXQ_movelist]7747...[/DhtmlXQ_movelist]`.

use super::{
    ReadGame,
    fields::{keep_header, text_of},
    setup::{board_of_men, from_top, row, squares_of_men, start},
};
use crate::{
    board::Position,
    notation::{GameResult, GameTree, Loss, LossReason, NodeId, Place},
    types::{Move, Side, Square},
};
use std::collections::BTreeMap;

/// Headers by tag and name.
const TEXTS: [(&str, &str); 17] = [
    ("title", "Title"),
    ("event", "Event"),
    ("date", "Date"),
    ("place", "Site"),
    ("round", "Round"),
    ("red", "Red"),
    ("redteam", "RedTeam"),
    ("redlevel", "RedTitle"),
    ("redtime", "RedTime"),
    ("black", "Black"),
    ("blackteam", "BlackTeam"),
    ("blacklevel", "BlackTitle"),
    ("blacktime", "BlackTime"),
    ("remark", "Annotator"),
    ("author", "Author"),
    ("timerule", "TimeRule"),
    ("class", "Class"),
];

/// The tags of one game in the order of the text.
type Tags<'a> = Vec<(&'a str, &'a str)>;

/// The games of a text, which may be a web page: a game begins with `[DhtmlXQ]` or
/// `[DhtmlXQiFrame]`, or where a tag comes again that a game has only once.
pub fn read(text: &str) -> Vec<ReadGame> {
    let mut games: Vec<Tags<'_>> = Vec::new();
    let mut fresh = true;
    let mut rest = text;
    while let Some(at) = rest.find("[DhtmlXQ") {
        let tag = &rest[at + "[DhtmlXQ".len()..];
        let Some((name, behind)) = tag.split_once(']') else { break };
        rest = behind;
        let Some(name) = name.strip_prefix('_') else {
            // A frame begins.
            fresh = true;
            continue;
        };
        // Closing tags are misspelt at times: whatever closes, closes.
        let (value, behind) = rest.split_once("[/").unwrap_or((rest, ""));
        rest = behind;
        let again = name == "movelist"
            && games.last().is_some_and(|game| game.iter().any(|&(known, _)| known == name));
        if fresh || again {
            games.push(Vec::new());
            fresh = false;
        }
        if let Some(game) = games.last_mut() {
            game.push((name, value.trim()));
        }
    }
    games.iter().enumerate().map(|(i, tags)| game(tags, i + 1)).collect()
}

/// A text with its line ends and characters as they are meant.
fn unescaped(text: &str) -> String {
    let text = text.replace("||", "\n");
    let mut parts = text.split("\\u");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let code = part.get(..4).and_then(|hex| u32::from_str_radix(hex, 16).ok());
        match code.and_then(char::from_u32) {
            Some(letter) => {
                out.push(letter);
                out += &part[4..];
            }
            None => {
                out += "\\u";
                out += part;
            }
        }
    }
    out
}

fn result_of(text: &str) -> GameResult {
    GameResult::from_text(text).unwrap_or_else(|| match text.trim() {
        "W" | "红先胜" | "红方胜利" => GameResult::RedWins,
        "L" | "红先负" | "黑方胜利" => GameResult::BlackWins,
        "D" | "红先和" | "双方和棋" => GameResult::Draw,
        _ => GameResult::Unknown,
    })
}

/// The squares of digits, two by two; 99 and what is no square stand beside the board.
fn squares(digits: &str) -> Vec<Option<Square>> {
    let digits: Vec<u8> = digits.bytes().filter(u8::is_ascii_digit).map(|d| d - b'0').collect();
    digits.chunks_exact(2).map(|pair| from_top(pair[0], pair[1])).collect()
}

/// The moves of a line; `None` where the digits are none.
fn moves(digits: &str) -> Vec<Option<Move>> {
    let squares = squares(digits);
    squares.chunks_exact(2).map(|pair| Move::new(pair[0]?, pair[1]?)).collect()
}

/// A line of the file: what it branches from, at which ply, and its moves.
struct Branch {
    number: usize,
    from: usize,
    ply: usize,
    moves: Vec<Option<Move>>,
}

/// The nodes of a line that is planted.
struct Planted {
    from: usize,
    /// The ply of its first move.
    ply: usize,
    nodes: Vec<NodeId>,
}

fn game(tags: &Tags<'_>, number: usize) -> ReadGame {
    let value = |name: &str| {
        let found = tags.iter().find(|(known, _)| *known == name);
        found.map(|&(_, value)| value)
    };
    let mut losses = Vec::new();
    let place = Place { game: Some(number), ..Place::default() };
    let main = moves(value("movelist").unwrap_or_default());
    let mut tree = GameTree::new(start_of(&value, &main, place, &mut losses));
    for (tag, name) in TEXTS {
        keep_header(&mut tree, name, &unescaped(value(tag).unwrap_or_default()));
    }
    tree.result = result_of(value("result").unwrap_or_default());
    let root = Branch { number: 0, from: 0, ply: 1, moves: main };
    let mut waiting: Vec<Branch> =
        tags.iter().filter_map(|(name, text)| branch(name, text)).collect();
    waiting.insert(0, root);
    let mut lines: BTreeMap<usize, Planted> = BTreeMap::new();
    // A line may stand before the one that it branches from.
    loop {
        let before = waiting.len();
        waiting.retain(|branch| !plant(branch, &mut tree, &mut lines, place, &mut losses));
        if waiting.is_empty() || waiting.len() == before {
            break;
        }
    }
    for branch in waiting {
        let text = format!("move_{}_{}_{}", branch.from, branch.ply, branch.number);
        losses.push(Loss::new(place, &text, LossReason::Damaged("it branches from nowhere")));
    }
    for (name, text) in tags {
        if let Some(node) =
            comment_place(name).and_then(|(line, ply)| node(&lines, &tree, line, ply))
        {
            tree.add_comment(node, &unescaped(text));
        }
    }
    ReadGame { tree, losses }
}

fn start_of<'a>(
    value: &dyn Fn(&str) -> Option<&'a str>,
    main: &[Option<Move>],
    place: Place,
    losses: &mut Vec<Loss>,
) -> Position {
    let fen = value("fen").filter(|fen| !fen.is_empty());
    if let Some(fen) = fen {
        match fen.parse() {
            Ok(position) => return position,
            Err(why) => losses.push(Loss::new(place, fen, LossReason::Fen(why))),
        }
    }
    let Some(men) = value("binit").filter(|men| !men.is_empty()) else {
        return Position::start();
    };
    let board = board_of_men(squares(men).into_iter());
    start(board, main.first().copied().flatten(), Side::Red).unwrap_or_else(|why| {
        losses.push(Loss::new(place, men, LossReason::Fen(why.into())));
        Position::start()
    })
}

/// The line that a tag `move_P_N_I` holds.
fn branch(name: &str, text: &str) -> Option<Branch> {
    let mut numbers = name.strip_prefix("move_")?.split('_').map(str::parse);
    let mut next = || numbers.next()?.ok();
    let (from, ply, number) = (next()?, next()?, next()?);
    Some(Branch { number, from, ply, moves: moves(text) })
}

/// The line and the ply of a tag `commentN` or `commentI_N`.
fn comment_place(name: &str) -> Option<(usize, usize)> {
    let numbers = name.strip_prefix("comment")?;
    match numbers.split_once('_') {
        Some((line, ply)) => Some((line.parse().ok()?, ply.parse().ok()?)),
        None => Some((0, numbers.parse().ok()?)),
    }
}

/// The node at a ply of a line: its own, or one of the lines that it comes from.
fn node(
    lines: &BTreeMap<usize, Planted>,
    tree: &GameTree,
    mut line: usize,
    ply: usize,
) -> Option<NodeId> {
    // Damaged files may go round in circles.
    for _ in 0..=lines.len() {
        let planted = lines.get(&line)?;
        if ply >= planted.ply {
            return planted.nodes.get(ply - planted.ply).copied();
        }
        if line == 0 || planted.from == line {
            break;
        }
        line = planted.from;
    }
    (ply == 0).then(|| tree.root())
}

/// Plants a line, unless the one that it branches from is not there yet.
fn plant(
    branch: &Branch,
    tree: &mut GameTree,
    lines: &mut BTreeMap<usize, Planted>,
    place: Place,
    losses: &mut Vec<Loss>,
) -> bool {
    let first = branch.ply.max(1);
    let begin = match branch.number {
        0 => Some(tree.root()),
        _ => node(lines, tree, branch.from, first - 1),
    };
    let Some(mut at) = begin else { return false };
    let mut nodes = Vec::with_capacity(branch.moves.len());
    for (i, m) in branch.moves.iter().enumerate() {
        let reason = match m.map(|m| tree.add_move(at, m)) {
            Some(Ok(node)) => {
                nodes.push(node);
                at = node;
                continue;
            }
            Some(Err(illegal)) => LossReason::Illegal(illegal.0),
            None => LossReason::NoMove,
        };
        losses.push(Loss::new(Place { ply: Some(first + i), ..place }, "", reason));
        break;
    }
    lines.insert(branch.number, Planted { from: branch.from, ply: first, nodes });
    true
}

/// The tags of a game.
pub fn write(tree: &GameTree) -> String {
    let mut out = "[DhtmlXQ]\n".to_owned();
    let mut tag = |name: &str, text: &str| {
        // The next "[/" closes, whatever it closes.
        let text = text.replace("[/", "［/").replace('\n', "||");
        out += &format!("[DhtmlXQ_{name}]{text}[/DhtmlXQ_{name}]\n");
    };
    tag("ver", "www_dpxq_com");
    for (name, header) in TEXTS {
        if let Some(text) = tree.header(header) {
            tag(name, text);
        }
    }
    let result = match tree.result {
        GameResult::RedWins => "红胜",
        GameResult::BlackWins => "黑胜",
        GameResult::Draw => "和局",
        GameResult::Unknown => "未知",
    };
    tag("result", result);
    let men = squares_of_men(tree.start()).map(|man| man.map_or_else(|| "99".to_owned(), digits));
    tag("binit", &men.concat());
    if tree.main_line().next().is_none() && tree.start().side() == Side::Black {
        // Without a move nothing else tells who is to make it.
        tag("fen", &tree.start().fen());
    }
    let comment = |name: String, node: NodeId| (name, text_of(tree, node));
    let mut comments = vec![comment("comment0".to_owned(), tree.root())];
    for line in lines_of(tree) {
        let Line { number, from, nodes } = line;
        let first = nodes.first().map_or(1, |&node| tree.depth(node));
        let moves: String = nodes.iter().filter_map(|&node| tree.played(node)).map(four).collect();
        match number {
            0 => tag("movelist", &moves),
            _ => tag(&format!("move_{from}_{first}_{number}"), &moves),
        }
        comments.extend(nodes.iter().map(|&node| match number {
            0 => comment(format!("comment{}", tree.depth(node)), node),
            _ => comment(format!("comment{number}_{}", tree.depth(node)), node),
        }));
    }
    for (name, text) in comments.into_iter().filter(|(_, text)| !text.is_empty()) {
        tag(&name, &text);
    }
    out += "[/DhtmlXQ]\n";
    out
}

fn digits(square: Square) -> String {
    format!("{}{}", square.file(), row(square))
}

fn four(m: Move) -> String {
    digits(m.from()) + &digits(m.to())
}

/// A line of the tree: its number, the number of the line that it branches from, its nodes.
struct Line {
    number: usize,
    from: usize,
    nodes: Vec<NodeId>,
}

/// The main line as number 0, and the variations with numbers in the order in which readers have
/// to add them: those at one node from the first to the last.
fn lines_of(tree: &GameTree) -> Vec<Line> {
    let line = |number, from, first: Option<NodeId>| {
        let nodes = std::iter::successors(first, |&node| tree.first_child(node)).collect();
        Line { number, from, nodes }
    };
    let mut lines = vec![line(0, 0, tree.first_child(tree.root()))];
    let mut done = 0;
    while done < lines.len() {
        let number = lines[done].number;
        for at in 0..lines[done].nodes.len() {
            let node = lines[done].nodes[at];
            let is_main = tree.parent(node).and_then(|p| tree.first_child(p)) == Some(node);
            let others = tree.children(tree.parent(node).unwrap_or(node)).skip(1);
            for other in others.filter(|_| is_main) {
                lines.push(line(lines.len(), number, Some(other)));
            }
        }
        done += 1;
    }
    lines
}
