//! Kinds of pieces, and pieces as a kind with an owner.

use super::Side;
use std::fmt;

/// What a piece is, whoever owns it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[repr(u8)]
pub enum Kind {
    /// King, general (帅/将).
    King,
    /// Advisor (仕/士).
    Advisor,
    /// Elephant, bishop (相/象).
    Elephant,
    /// Horse, knight (马).
    Horse,
    /// Rook, chariot (车).
    Rook,
    /// Cannon (炮).
    Cannon,
    /// Soldier, pawn (兵/卒).
    Soldier,
}

impl Kind {
    /// How many kinds there are.
    pub const NUM: usize = 7;
    /// All kinds in the order of their discriminants.
    pub const ALL: [Self; Self::NUM] = [
        Self::King,
        Self::Advisor,
        Self::Elephant,
        Self::Horse,
        Self::Rook,
        Self::Cannon,
        Self::Soldier,
    ];

    /// Position of this kind in [`Kind::ALL`], for indexing tables.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The upper-case FEN letter: `K A B N R C P`.
    pub const fn letter(self) -> char {
        match self {
            Self::King => 'K',
            Self::Advisor => 'A',
            Self::Elephant => 'B',
            Self::Horse => 'N',
            Self::Rook => 'R',
            Self::Cannon => 'C',
            Self::Soldier => 'P',
        }
    }

    /// Reads a FEN letter of either case. `E` and `H` are accepted for elephant and horse, since
    /// several programs write them.
    pub const fn from_letter(letter: char) -> Option<Self> {
        Some(match letter.to_ascii_uppercase() {
            'K' => Self::King,
            'A' => Self::Advisor,
            'B' | 'E' => Self::Elephant,
            'N' | 'H' => Self::Horse,
            'R' => Self::Rook,
            'C' => Self::Cannon,
            'P' => Self::Soldier,
            _ => return None,
        })
    }

    /// How many pieces of this kind one side has in a full set.
    pub const fn count_in_set(self) -> u32 {
        match self {
            Self::King => 1,
            Self::Soldier => 5,
            _ => 2,
        }
    }

    /// The English name, in lower case.
    pub const fn name(self) -> &'static str {
        match self {
            Self::King => "king",
            Self::Advisor => "advisor",
            Self::Elephant => "elephant",
            Self::Horse => "horse",
            Self::Rook => "rook",
            Self::Cannon => "cannon",
            Self::Soldier => "soldier",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A piece of a known side. The discriminant is `side * 7 + kind`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[repr(u8)]
#[rustfmt::skip]
#[expect(missing_docs, reason = "each variant is a side and a kind, both documented there")]
pub enum Piece {
    RedKing, RedAdvisor, RedElephant, RedHorse, RedRook, RedCannon, RedSoldier,
    BlackKing, BlackAdvisor, BlackElephant, BlackHorse, BlackRook, BlackCannon, BlackSoldier,
}

impl Piece {
    /// How many pieces there are, both sides counted.
    pub const NUM: usize = 14;
    /// All pieces in the order of their discriminants: Red's seven kinds, then Black's.
    #[rustfmt::skip]
    pub const ALL: [Self; Self::NUM] = [
        Self::RedKing, Self::RedAdvisor, Self::RedElephant, Self::RedHorse,
        Self::RedRook, Self::RedCannon, Self::RedSoldier,
        Self::BlackKing, Self::BlackAdvisor, Self::BlackElephant, Self::BlackHorse,
        Self::BlackRook, Self::BlackCannon, Self::BlackSoldier,
    ];

    /// The piece of `side` that is a `kind`.
    #[inline]
    pub const fn new(side: Side, kind: Kind) -> Self {
        Self::ALL[side.index() * Kind::NUM + kind.index()]
    }

    /// Position of this piece in [`Piece::ALL`], for indexing tables.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Its owner.
    #[inline]
    pub const fn side(self) -> Side {
        if (self as u8) < Kind::NUM as u8 { Side::Red } else { Side::Black }
    }

    /// What it is.
    #[inline]
    pub const fn kind(self) -> Kind {
        const KINDS: [Kind; Piece::NUM] = {
            let mut kinds = [Kind::King; Piece::NUM];
            let mut i = 0;
            while i < Piece::NUM {
                kinds[i] = Kind::ALL[i % Kind::NUM];
                i += 1;
            }
            kinds
        };
        KINDS[self as usize]
    }

    /// The FEN letter: upper case for Red, lower case for Black.
    pub const fn letter(self) -> char {
        match self.side() {
            Side::Red => self.kind().letter(),
            Side::Black => self.kind().letter().to_ascii_lowercase(),
        }
    }

    /// Reads a FEN letter; see [`Kind::from_letter`] for the letters.
    pub const fn from_letter(letter: char) -> Option<Self> {
        let side = if letter.is_ascii_uppercase() { Side::Red } else { Side::Black };
        match Kind::from_letter(letter) {
            Some(kind) => Some(Self::new(side, kind)),
            None => None,
        }
    }

    /// The same kind owned by the other side.
    pub const fn recoloured(self) -> Self {
        Self::ALL[(self.index() + Kind::NUM) % Self::NUM]
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.side(), self.kind())
    }
}

const _: () = assert!(size_of::<Option<Piece>>() == 1);
