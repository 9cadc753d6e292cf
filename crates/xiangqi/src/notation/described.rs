//! Moves told from the player's side: piece, file, direction, number. Chinese, WXF and the short
//! form of the rules are spellings of this one thing.

use super::glyphs::Token;
use crate::{
    board::Position,
    types::{Bitboard, Kind, Move, Side, Square},
};

/// Which of several pieces on one file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Order {
    Front,
    Middle,
    Rear,
    /// Counted from the front, from 1.
    Nth(u8),
}

impl Order {
    /// The place in a list that begins in front.
    fn index(self, len: usize) -> Option<usize> {
        let index = match self {
            Self::Front => 0,
            Self::Middle if len % 2 == 1 => len / 2,
            Self::Middle => return None,
            Self::Rear => len.checked_sub(1)?,
            Self::Nth(number) => usize::from(number) - 1,
        };
        (index < len).then_some(index)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Step {
    Forward,
    Level,
    Back,
}

/// What the text of a move says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Described {
    pub(super) kind: Kind,
    /// From the right hand of the mover, 1 to 9.
    file: Option<u8>,
    order: Option<Order>,
    step: Option<Step>,
    number: u8,
}

/// No move has more characters, `前兵三进一` being the longest.
const MAX_TOKENS: usize = 5;

impl Described {
    /// Reads a move in Chinese (`炮二平五`, `前车进１`, `后三平四`), in WXF (`C2.5`, `+P+1`, `R+=4`) or
    /// in the short form of article 7.5 (`炮25`). Blanks are passed over. `None` if it is none.
    pub(super) fn read(text: &str) -> Option<Self> {
        let mut tokens = [Token::Level; MAX_TOKENS];
        let mut len = 0;
        for c in text.chars().filter(|c| !c.is_whitespace()) {
            *tokens.get_mut(len)? = Token::from_char(c)?;
            len += 1;
        }
        let (&last, head) = tokens[..len].split_last()?;
        let Token::Digit(number) = last else { return None };
        let step = match head.last()? {
            Token::Forward | Token::Plus => Some(Step::Forward),
            Token::Back | Token::Minus => Some(Step::Back),
            Token::Level => Some(Step::Level),
            _ => None,
        };
        let head = if step.is_some() { &head[..head.len() - 1] } else { head };
        let (kind, file, order) = read_piece(head)?;
        Some(Self { kind, file, order, step, number })
    }

    /// The squares of the pieces that the text can mean.
    fn origins(&self, position: &Position) -> Bitboard {
        let side = position.side();
        let all = position.pieces(side, self.kind);
        let here = self.file.map_or(all, |file| all & Bitboard::file(file_from_number(side, file)));
        let Some(order) = self.order else { return here };
        let in_files = |by_order: Order| -> Bitboard {
            let files = (0..9).map(|file| here & Bitboard::file(file));
            let pick = |set: Bitboard| {
                let rows = front_first(set, side);
                Some(rows[by_order.index(set.len() as usize)?])
            };
            files.filter(|set| set.has_several()).filter_map(pick).collect()
        };
        // Where soldiers stand behind each other on two files, a number counts them all, from the
        // right and from the front (象棋电脑应用规范).
        if let (Order::Nth(number), None) = (order, self.file) {
            let crowded: Vec<Bitboard> = (1..=9)
                .map(|file| here & Bitboard::file(file_from_number(side, file)))
                .filter(|set| set.has_several())
                .collect();
            if crowded.len() > 1 {
                let counted = crowded.iter().flat_map(|&set| front_first(set, side));
                return counted.skip(usize::from(number) - 1).take(1).collect();
            }
        }
        in_files(order)
    }

    /// The legal moves that fit.
    pub(super) fn matches(&self, position: &Position) -> Vec<Move> {
        let with_step = |step| {
            let fits = |from| self.target(position, from, step);
            self.origins(position).into_iter().filter_map(fits).collect::<Vec<Move>>()
        };
        if let Some(step) = self.step {
            return with_step(step);
        }
        // The short form leaves the direction out: sideways where that is legal, else forward;
        // a horse, an advisor or an elephant goes where its file lies.
        let oblique = is_oblique(self.kind);
        let mut found = if oblique { Vec::new() } else { with_step(Step::Level) };
        if found.is_empty() {
            found = with_step(Step::Forward);
        }
        if oblique {
            found.extend(with_step(Step::Back));
        }
        found
    }

    fn target(&self, position: &Position, from: Square, step: Step) -> Option<Move> {
        let side = position.side();
        let seen = from.relative_to(side);
        let file = file_from_number(side, self.number);
        let rank = if is_oblique(self.kind) {
            let across = from.file().abs_diff(file);
            let along = match (self.kind, across) {
                (Kind::Horse, 1) => 2,
                (Kind::Horse, 2) => 1,
                (Kind::Elephant, 2) => 2,
                (Kind::Advisor, 1) => 1,
                _ => return None,
            };
            step_rank(seen.rank(), along, step)?
        } else {
            step_rank(seen.rank(), self.number, step)?
        };
        if is_oblique(self.kind) && step == Step::Level {
            return None;
        }
        let sideways = is_oblique(self.kind) || step == Step::Level;
        let to = Square::new(if sideways { file } else { from.file() }, rank)?.relative_to(side);
        Move::new(from, to).filter(|&m| position.is_legal(m))
    }
}

fn step_rank(rank: u8, by: u8, step: Step) -> Option<u8> {
    match step {
        Step::Forward => rank.checked_add(by),
        Step::Level => Some(rank),
        Step::Back => rank.checked_sub(by),
    }
}

/// Whether the number behind the direction is a file: these pieces never stay on theirs.
const fn is_oblique(kind: Kind) -> bool {
    matches!(kind, Kind::Horse | Kind::Elephant | Kind::Advisor)
}

fn read_piece(head: &[Token]) -> Option<(Kind, Option<u8>, Option<Order>)> {
    let order = |token: Token| match token {
        Token::Front | Token::Plus => Some(Order::Front),
        Token::Middle => Some(Order::Middle),
        Token::Rear | Token::Minus => Some(Order::Rear),
        Token::Digit(number) => Some(Order::Nth(number)),
        _ => None,
    };
    match *head {
        [Token::Piece(kind)] => Some((kind, None, None)),
        [Token::Piece(kind), Token::Digit(file)] => Some((kind, Some(file), None)),
        [first, Token::Piece(kind)] => Some((kind, None, Some(order(first)?))),
        [Token::Piece(kind), second] => Some((kind, None, Some(order(second)?))),
        [first, Token::Digit(file)] => Some((Kind::Soldier, Some(file), Some(order(first)?))),
        [first, Token::Piece(kind), Token::Digit(file)] => {
            Some((kind, Some(file), Some(order(first)?)))
        }
        _ => None,
    }
}

/// The squares of a file in the order in which their owner counts them.
pub(super) fn front_first(set: Bitboard, side: Side) -> Vec<Square> {
    let mut squares: Vec<Square> = set.into_iter().collect();
    if side == Side::Red {
        squares.reverse();
    }
    squares
}

/// The number of a square's file, counted from the right hand of its side.
pub(super) const fn file_number(side: Side, square: Square) -> u8 {
    match side {
        Side::Red => 9 - square.file(),
        Side::Black => square.file() + 1,
    }
}

/// The file (0-8) that a side calls by this number (1-9).
const fn file_from_number(side: Side, number: u8) -> u8 {
    match side {
        Side::Red => 9 - number,
        Side::Black => number - 1,
    }
}
