//! The state of a training run on disk.

use super::{
    dataset::Dataset,
    files::replace,
    model::Model,
    optimiser::AdamW,
    recipe::{EpochReport, Recipe},
};
use crate::hash::fnv_1a;
use serde::{Deserialize, Serialize};
use std::{
    fs,
    io::{self, Write},
    path::Path,
};

/// The 2 says that a checksum and a fingerprint of the data are there.
const MAGIC: [u8; 8] = *b"CHUHECK2";

/// By what the data of a run is known again: the same records in the same order.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Fingerprint {
    /// How many records there are to learn from.
    pub records: u64,
    /// FNV-1a of those, then of the records to validate with.
    pub hash: u64,
}

impl Fingerprint {
    /// The fingerprint of this data.
    pub fn of(data: &Dataset) -> Self {
        let records = data.training.iter().chain(&data.validation);
        let hash = fnv_1a(records.flat_map(|record| record.as_bytes()));
        Self { records: data.training.len() as u64, hash }
    }
}

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
    /// The data that it learns from.
    pub data: Fingerprint,
}

/// The readable part of the file.
#[derive(Serialize, Deserialize)]
struct Head {
    recipe: Recipe,
    steps: u64,
    data: Fingerprint,
    history: Vec<EpochReport>,
}

impl Checkpoint {
    /// Writes the checkpoint, replacing an older one only once the new one is complete.
    ///
    /// The file: magic, FNV-1a of all that follows (8 bytes, little-endian like all numbers), length
    /// of the JSON head (4 bytes), the head, then the weights, the means and the squares as 32-bit
    /// floats.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn save(&self, path: &Path) -> io::Result<()> {
        let bytes = self.to_bytes()?;
        replace(path, |out| out.write_all(&bytes))
    }

    fn to_bytes(&self) -> serde_json::Result<Vec<u8>> {
        let head = Head {
            recipe: self.recipe.clone(),
            steps: self.optimiser.steps,
            data: self.data,
            history: self.history.clone(),
        };
        let head = serde_json::to_vec(&head)?;
        let mut content = Vec::from((head.len() as u32).to_le_bytes());
        content.extend(head);
        for list in [&self.model.parameters, &self.optimiser.mean, &self.optimiser.square] {
            content.extend(list.iter().flat_map(|value| value.to_le_bytes()));
        }
        Ok([&MAGIC[..], &fnv_1a(&content).to_le_bytes(), &content].concat())
    }

    /// Reads a checkpoint.
    ///
    /// # Errors
    /// If the file cannot be read, is no checkpoint, is damaged, or is of a run that cannot be.
    pub fn load(path: &Path) -> io::Result<Self> {
        let invalid = |why| io::Error::new(io::ErrorKind::InvalidData, why);
        Self::from_bytes(&fs::read(path)?).map_err(invalid)
    }

    fn from_bytes(bytes: &[u8]) -> Result<Self, String> {
        let rest = bytes.strip_prefix(&MAGIC).ok_or("not a training checkpoint of this version")?;
        let content = rest
            .split_first_chunk()
            .filter(|(hash, content)| u64::from_le_bytes(**hash) == fnv_1a(*content))
            .map(|(_, content)| content)
            .ok_or("a damaged training checkpoint: its checksum is wrong")?;
        let (head, floats) = split_head(content).ok_or("a training checkpoint without a head")?;
        let Head { recipe, steps, data, history } =
            serde_json::from_slice(head).map_err(|e| format!("a checkpoint's head: {e}"))?;
        recipe.check()?;
        let batches = data.records.div_ceil(recipe.batch as u64);
        if history.len() > recipe.epochs as usize
            || batches.checked_mul(history.len() as u64) != Some(steps)
        {
            return Err("a training checkpoint whose epochs do not fit its steps".to_owned());
        }
        let count = recipe.shape.parameters();
        if floats.len() != count * 3 * 4 {
            return Err("a training checkpoint of another length than its shape".to_owned());
        }
        let list = |number: usize| -> Vec<f32> {
            let bytes = floats[number * count * 4..][..count * 4].chunks_exact(4);
            bytes.map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect()
        };
        let model = Model { shape: recipe.shape, parameters: list(0) };
        let optimiser = AdamW { mean: list(1), square: list(2), steps };
        Ok(Self { recipe, model, optimiser, history, data })
    }
}

/// The head of what follows the checksum, and the floats behind it.
fn split_head(content: &[u8]) -> Option<(&[u8], &[u8])> {
    let (length, rest) = content.split_first_chunk()?;
    rest.split_at_checked(u32::from_le_bytes(*length) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::{Record, WinDrawLoss, model::Shape};
    use xiangqi::board::Position;

    #[test]
    fn data_is_known_by_every_record_and_its_place() {
        let record = |score| Record::new(&Position::start(), score, WinDrawLoss::Draw);
        let of = |training: &[i16], validation: &[i16]| {
            let records = |scores: &[i16]| scores.iter().map(|&score| record(score)).collect();
            Fingerprint::of(&Dataset {
                training: records(training),
                validation: records(validation),
            })
        };
        let data = of(&[1, 2, 3], &[4]);
        assert_eq!(data.records, 3);
        assert_eq!(of(&[1, 2, 3], &[4]), data);
        for (training, validation) in
            [(&[1, 2, 5][..], &[4][..]), (&[2, 1, 3], &[4]), (&[1, 2, 3], &[5]), (&[1, 2], &[3, 4])]
        {
            assert_ne!(of(training, validation), data);
        }
    }

    /// A run of 20 records in batches of 8, one epoch of two done.
    fn checkpoint() -> Checkpoint {
        let shape = Shape { hidden: 16, buckets: 1 };
        let mut optimiser = AdamW::new(shape.parameters());
        optimiser.steps = 3;
        Checkpoint {
            recipe: Recipe { shape, epochs: 2, batch: 8, ..Recipe::default() },
            model: Model::random(shape, 1),
            optimiser,
            history: vec![EpochReport {
                epoch: 1,
                steps: 3,
                rate: 1e-3,
                result_share: 0.3,
                training_loss: 0.1,
                validation_loss: f64::NAN,
                records_per_second: 1.0,
            }],
            data: Fingerprint { records: 20, hash: 7 },
        }
    }

    #[test]
    fn one_other_byte_is_refused() {
        let bytes = checkpoint().to_bytes().unwrap();
        assert!(Checkpoint::from_bytes(&bytes).is_ok());
        // All of the head, and some of the floats.
        for at in (0..700).chain((700..bytes.len()).step_by(997)).chain([bytes.len() - 1]) {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1;
            assert!(Checkpoint::from_bytes(&damaged).is_err(), "byte {at}");
        }
        for length in [0, 7, 8, 15, 16, 19, 20, 100, bytes.len() - 4, bytes.len() - 1] {
            assert!(Checkpoint::from_bytes(&bytes[..length]).is_err(), "{length} bytes");
        }
    }

    /// A file that somebody made on purpose has a right checksum.
    #[test]
    fn a_run_that_cannot_be_is_refused() {
        let refused = |change: &dyn Fn(&mut Checkpoint)| {
            let mut changed = checkpoint();
            change(&mut changed);
            Checkpoint::from_bytes(&changed.to_bytes().unwrap()).unwrap_err()
        };
        for hidden in [0, 24, 2048, usize::MAX - 15] {
            let why = refused(&|c| c.recipe.shape.hidden = hidden);
            assert!(why.contains("width"), "{hidden}: {why}");
        }
        for buckets in [0, 3, usize::MAX] {
            let why = refused(&|c| c.recipe.shape.buckets = buckets);
            assert!(why.contains("buckets"), "{buckets}: {why}");
        }
        assert!(refused(&|c| c.recipe.batch = 0).contains("batch"));
        assert!(refused(&|c| c.recipe.scale = 0).contains("scale"));
        assert!(refused(&|c| c.recipe.epochs = 0).contains("epoch"));
        assert!(refused(&|c| c.recipe.result_share_end = 1.5).contains("share"));
        assert!(refused(&|c| c.recipe.rate = -1.0).contains("rates"));
        // JSON has no infinity.
        assert!(refused(&|c| c.recipe.rate = f32::INFINITY).contains("null"));
        assert!(refused(&|c| c.optimiser.steps = u64::MAX).contains("steps"));
        assert!(refused(&|c| c.history = vec![c.history[0]; 3]).contains("steps"));
        assert!(refused(&|c| c.model.parameters.truncate(5)).contains("length"));
        assert!(refused(&|c| c.recipe.shape.hidden = 32).contains("length"));
    }
}
