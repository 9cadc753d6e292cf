//! A small retrograde solver: every position of a few pieces is won, lost or drawn, worked out
//! backwards from mates, stalemates and captures. Repetition rules are left out: who cannot make
//! progress draws, which is what they come to where the weaker side has nothing to check with.

use std::{collections::HashMap, rc::Rc};
use xiangqi::{
    board::{Position, standing_squares},
    types::{Bitboard, Piece, Side, Square},
};

/// What a position comes to for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    /// No legal position.
    Illegal,
    Draw,
    Win,
    Loss,
}

/// How many of each piece there are.
type Material = [u8; 14];

/// The material that letters of a FEN tell, e.g. `KRkaa`.
fn material(letters: &str) -> Material {
    let mut material = [0; 14];
    for letter in letters.chars() {
        let piece = Piece::ALL.into_iter().find(|piece| piece.letter() == letter);
        material[piece.expect("a FEN letter") as usize] += 1;
    }
    material
}

fn material_of(position: &Position) -> Material {
    Piece::ALL.map(|piece| position.pieces(piece.side(), piece.kind()).len() as u8)
}

/// Like pieces and all the ways in which they can stand.
struct Group {
    piece: Piece,
    /// Sorted by their bits.
    placements: Vec<Bitboard>,
}

impl Group {
    fn new(piece: Piece, count: u8) -> Self {
        let mut placements = vec![Bitboard::EMPTY];
        for _ in 0..count {
            // Squares are added in ascending order, so no set comes up twice.
            let larger = |set: &Bitboard| {
                let (set, last) = (*set, set.into_iter().last());
                let free = standing_squares(piece).into_iter();
                free.filter(move |square| last.is_none_or(|last| square.index() > last.index()))
                    .map(move |square| set.with(square))
            };
            placements = placements.iter().flat_map(larger).collect();
        }
        placements.sort_by_key(|set| set.bits());
        Self { piece, placements }
    }
}

/// The positions with a certain material, numbered.
struct Class {
    groups: Vec<Group>,
    size: usize,
}

impl Class {
    fn new(material: &Material) -> Self {
        let present = Piece::ALL.into_iter().filter(|&piece| material[piece as usize] > 0);
        let groups: Vec<Group> =
            present.map(|piece| Group::new(piece, material[piece as usize])).collect();
        let size = groups.iter().map(|group| group.placements.len()).product::<usize>() * Side::NUM;
        Self { groups, size }
    }

    fn position(&self, index: usize) -> Option<Position> {
        let side = Side::ALL[index % Side::NUM];
        let mut rest = index / Side::NUM;
        let mut mailbox = [None; Square::NUM];
        for group in &self.groups {
            for square in group.placements[rest % group.placements.len()] {
                if mailbox[square.index()].replace(group.piece).is_some() {
                    return None;
                }
            }
            rest /= group.placements.len();
        }
        Position::assemble(mailbox, side, 0, 1).ok()
    }

    fn index(&self, position: &Position) -> usize {
        let index = self.groups.iter().rev().fold(0, |index, group| {
            let set = position.pieces(group.piece.side(), group.piece.kind()).bits();
            let place = group.placements.binary_search_by_key(&set, |set| set.bits());
            index * group.placements.len() + place.expect("a placement")
        });
        index * Side::NUM + position.side().index()
    }
}

/// A class with the values of its positions.
pub struct Solved {
    class: Class,
    values: Vec<Value>,
}

impl Solved {
    /// What a position of this material comes to.
    pub fn value(&self, position: &Position) -> Value {
        self.values[self.class.index(position)]
    }

    /// All legal positions with their values.
    pub fn positions(&self) -> impl Iterator<Item = (Position, Value)> + '_ {
        let legal = (0..self.class.size).filter(|&index| self.values[index] != Value::Illegal);
        legal.filter_map(|index| Some((self.class.position(index)?, self.values[index])))
    }

    /// How many positions there are with this side to move, and how many of them Red wins and
    /// Black wins.
    pub fn counts(&self, side: Side) -> [usize; 3] {
        let mut counts = [0; 3];
        for value in self.values.iter().skip(side.index()).step_by(Side::NUM) {
            counts[0] += usize::from(*value != Value::Illegal);
            let mover_wins = *value == Value::Win;
            if mover_wins || *value == Value::Loss {
                let winner = if mover_wins { side } else { !side };
                counts[1 + winner.index()] += 1;
            }
        }
        counts
    }
}

/// Solves classes and remembers them: a capture leads from one to the next.
#[derive(Default)]
pub struct Solver {
    known: HashMap<Material, Rc<Solved>>,
}

/// A position that cannot become lost any more: it has a drawing capture.
const SAFE: u8 = u8::MAX;

impl Solver {
    /// All positions with these pieces, e.g. `KRkaa`.
    pub fn solve(&mut self, letters: &str) -> Rc<Solved> {
        self.solve_material(&material(letters))
    }

    fn solve_material(&mut self, material: &Material) -> Rc<Solved> {
        if let Some(solved) = self.known.get(material) {
            return solved.clone();
        }
        for piece in
            Piece::ALL.into_iter().filter(|piece| piece.kind() != xiangqi::types::Kind::King)
        {
            let mut less = *material;
            if less[piece as usize] > 0 {
                less[piece as usize] -= 1;
                self.solve_material(&less);
            }
        }
        let solved = Rc::new(self.solve_class(Class::new(material)));
        self.known.insert(*material, solved.clone());
        solved
    }

    fn solve_class(&self, class: Class) -> Solved {
        let mut values = vec![Value::Illegal; class.size];
        // Moves of each position that have not been found to lose.
        let mut open = vec![0u8; class.size];
        // First the number, then the end of each position's predecessors.
        let mut ends = vec![0u32; class.size + 1];
        let mut decided = Vec::new();
        for index in 0..class.size {
            let Some(position) = class.position(index) else { continue };
            values[index] = Value::Draw;
            let mut wins = false;
            for after in successors(&position) {
                match self.value_by_capture(&class, &after) {
                    Some(Value::Loss) => wins = true,
                    Some(Value::Win) => {}
                    Some(_) => open[index] = SAFE,
                    None => {
                        ends[class.index(&after)] += 1;
                        open[index] = open[index].saturating_add(1);
                    }
                }
            }
            if wins {
                values[index] = Value::Win;
            } else if open[index] == 0 {
                values[index] = Value::Loss;
            }
            if values[index] != Value::Draw {
                decided.push(index);
            }
        }
        let predecessors = predecessors(&class, &mut ends);
        while let Some(index) = decided.pop() {
            let first = if index == 0 { 0 } else { ends[index - 1] };
            for &before in &predecessors[first as usize..ends[index] as usize] {
                let before = before as usize;
                if values[before] != Value::Draw {
                    continue;
                }
                if values[index] == Value::Loss {
                    values[before] = Value::Win;
                } else if open[before] == SAFE {
                    continue;
                } else {
                    open[before] -= 1;
                    if open[before] > 0 {
                        continue;
                    }
                    values[before] = Value::Loss;
                }
                decided.push(before);
            }
        }
        Solved { class, values }
    }

    /// The value of a position that a capture led out of the class to.
    fn value_by_capture(&self, class: &Class, after: &Position) -> Option<Value> {
        let count: usize = class.groups.iter().map(|g| g.placements[0].len() as usize).sum();
        (after.occupied().len() as usize != count)
            .then(|| self.known[&material_of(after)].value(after))
    }
}

fn successors(position: &Position) -> impl Iterator<Item = Position> {
    position.legal_moves().into_iter().map(|m| {
        let mut after = position.clone();
        after.make(m);
        after
    })
}

/// The positions from which a move without a capture leads to each position, one list after the
/// other; `ends` comes with their numbers and leaves with where each list ends.
fn predecessors(class: &Class, ends: &mut [u32]) -> Vec<u32> {
    let mut sum = 0;
    for end in ends.iter_mut() {
        let count = *end;
        *end = sum;
        sum += count;
    }
    let mut all = vec![0; sum as usize];
    for index in 0..class.size {
        let Some(position) = class.position(index) else { continue };
        for after in successors(&position) {
            if after.occupied().len() == position.occupied().len() {
                let end = &mut ends[class.index(&after)];
                all[*end as usize] = index as u32;
                *end += 1;
            }
        }
    }
    all
}
