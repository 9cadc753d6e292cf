//! The state of a training run on disk.

use super::{
    files::replace,
    model::Model,
    optimiser::AdamW,
    trainer::{EpochReport, Recipe},
};
use serde::{Deserialize, Serialize};
use std::{
    fs,
    io::{self, Write},
    path::Path,
};

const MAGIC: [u8; 8] = *b"CHUHECHK";

/// Everything needed to go on with a training run after an epoch.
#[derive(Clone, PartialEq, Debug)]
pub struct Checkpoint {
    /// The recipe.
    pub recipe: Recipe,
    /// The weights.
    pub model: Model,
    /// The optimiser's averages.
    pub optimiser: AdamW,
    /// The epochs so far.
    pub history: Vec<EpochReport>,
    /// How many records there were to learn from.
    pub records: u64,
}

/// The readable part of the file.
#[derive(Serialize, Deserialize)]
struct Head {
    recipe: Recipe,
    steps: u64,
    records: u64,
    history: Vec<EpochReport>,
}

impl Checkpoint {
    /// Writes the checkpoint, replacing an older one only once the new one is complete.
    ///
    /// The file: magic, length of the JSON head (4 bytes, little-endian), the head, then the
    /// weights, the means and the squares as 32-bit floats.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn save(&self, path: &Path) -> io::Result<()> {
        let head = Head {
            recipe: self.recipe.clone(),
            steps: self.optimiser.steps,
            records: self.records,
            history: self.history.clone(),
        };
        let head = serde_json::to_vec(&head)?;
        let mut bytes = Vec::from(MAGIC);
        bytes.extend((head.len() as u32).to_le_bytes());
        bytes.extend(head);
        for list in [&self.model.parameters, &self.optimiser.mean, &self.optimiser.square] {
            bytes.extend(list.iter().flat_map(|value| value.to_le_bytes()));
        }
        replace(path, |out| out.write_all(&bytes))
    }

    /// Reads a checkpoint.
    ///
    /// # Errors
    /// If the file cannot be read or is no checkpoint.
    pub fn load(path: &Path) -> io::Result<Self> {
        let bytes = fs::read(path)?;
        let invalid = || io::Error::new(io::ErrorKind::InvalidData, "not a training checkpoint");
        Self::from_bytes(&bytes).ok_or_else(invalid)
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let rest = bytes.strip_prefix(&MAGIC)?;
        let (length, rest) = rest.split_first_chunk()?;
        let (head, rest) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
        let Head { recipe, steps, records, history } = serde_json::from_slice(head).ok()?;
        let count = recipe.shape.parameters();
        let floats: Vec<f32> =
            rest.chunks_exact(4).map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect();
        if rest.len() != count * 3 * 4 {
            return None;
        }
        let mut lists = floats.chunks_exact(count).map(<[f32]>::to_vec);
        let model = Model { shape: recipe.shape, parameters: lists.next()? };
        let optimiser = AdamW { mean: lists.next()?, square: lists.next()?, steps };
        Some(Self { recipe, model, optimiser, history, records })
    }
}
