//! Writing PGN.

use crate::{
    notation::{GameTree, NodeId, Style, write_move},
    types::Side,
};

/// Lines of movetext are broken behind this many columns; a Chinese character takes two.
const WIDTH: usize = 78;

/// The PGN of a game, with an empty line behind it.
pub fn write(tree: &GameTree, style: Style) -> String {
    let mut out = String::new();
    tag(&mut out, "Game", "Chinese Chess");
    for (name, value) in &tree.headers {
        tag(&mut out, name, value);
    }
    tag(&mut out, "Result", tree.result.pgn());
    let fen = tree.start().fen();
    if fen != crate::board::START_FEN {
        tag(&mut out, "FEN", &fen);
    }
    if style != Style::Coordinates {
        tag(&mut out, "Format", style.name());
    }
    out.push('\n');
    out += &Movetext::of(tree, style);
    out.push_str("\n\n");
    out
}

/// A tag pair; a name of a header is any word without blanks and brackets.
fn tag(out: &mut String, name: &str, value: &str) {
    let name: String =
        name.chars().filter(|c| !c.is_whitespace() && !"[]\"".contains(*c)).collect();
    let value = value.replace(['\n', '\r'], " ").replace('\\', "\\\\").replace('"', "\\\"");
    if !name.is_empty() {
        *out += &format!("[{name} \"{value}\"]\n");
    }
}

/// What is still to be written, the next thing last.
enum Task {
    /// The line behind a node.
    Behind(NodeId),
    /// A variation that begins with this node.
    Variation(NodeId),
    Close,
}

struct Movetext {
    tree: GameTree,
    style: Style,
    out: String,
    column: usize,
    /// Whether Black's next move needs its number.
    numbered: bool,
    /// Whether a variation begins with the next word.
    opens: bool,
}

impl Movetext {
    fn of(tree: &GameTree, style: Style) -> String {
        let tree = tree.clone();
        let mut text =
            Self { tree, style, out: String::new(), column: 0, numbered: true, opens: false };
        let root = text.tree.root();
        text.comment(text.tree.comment(root).to_owned());
        let mut tasks = vec![Task::Behind(root)];
        while let Some(task) = tasks.pop() {
            match task {
                Task::Behind(node) => {
                    let children: Vec<NodeId> = text.tree.children(node).collect();
                    let Some((&main, others)) = children.split_first() else { continue };
                    text.played(main);
                    tasks.push(Task::Behind(main));
                    tasks.extend(others.iter().rev().map(|&other| Task::Variation(other)));
                }
                Task::Variation(first) => {
                    text.opens = true;
                    text.numbered = true;
                    text.comment(text.tree.comment_before(first).to_owned());
                    text.played(first);
                    tasks.push(Task::Close);
                    tasks.push(Task::Behind(first));
                }
                Task::Close => {
                    text.out.push(')');
                    text.column += 1;
                    text.numbered = true;
                }
            }
        }
        text.word(text.tree.result.pgn());
        text.out
    }

    /// A move with its number, marks and comment.
    fn played(&mut self, node: NodeId) {
        let (Some(m), Some(parent)) = (self.tree.played(node), self.tree.parent(node)) else {
            return;
        };
        let position = self.tree.position_here(parent);
        let (side, number) = (position.side(), position.fullmove());
        let word = write_move(position, m, self.style);
        match side {
            Side::Red => self.word(&format!("{number}. {word}")),
            Side::Black if self.numbered => self.word(&format!("{number}... {word}")),
            Side::Black => self.word(&word),
        }
        self.numbered = false;
        for nag in self.tree.nags(node).to_vec() {
            self.word(&format!("${nag}"));
        }
        self.comment(self.tree.comment(node).to_owned());
    }

    fn comment(&mut self, text: String) {
        if text.is_empty() {
            return;
        }
        // A brace would end the comment, and a line like a tag would begin a game.
        let text = text.replace('}', "｝").replace("\n[", "\n［");
        self.numbered = true;
        if text.contains('\n') {
            if self.column > 0 {
                self.out.push(' ');
            }
            self.out += if std::mem::take(&mut self.opens) { "({" } else { "{" };
            self.out += &text;
            self.out.push('}');
            self.column = WIDTH;
        } else {
            self.word(&format!("{{{text}}}"));
        }
    }

    fn word(&mut self, word: &str) {
        let opening = if std::mem::take(&mut self.opens) { "(" } else { "" };
        let width: usize = word.chars().map(|c| if c.is_ascii() { 1 } else { 2 }).sum();
        let width = width + opening.len();
        if self.column > 0 && self.column + 1 + width > WIDTH {
            self.out.push('\n');
            self.column = 0;
        } else if self.column > 0 {
            self.out.push(' ');
            self.column += 1;
        }
        self.out += opening;
        self.out += word;
        self.column += width;
    }
}
