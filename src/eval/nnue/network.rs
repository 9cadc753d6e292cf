//! The quantised network: its file format, its checks, and its output.
//!
//! The layout of the file is specified in `docs/nnue.md`.

use super::{
    features,
    simd::{Kernel, LANES, Lane},
};
use crate::{eval::Score, hash::fnv_1a};
use once_cell::sync::Lazy;
use std::{
    fmt,
    fs::File,
    io::{self, Read},
    path::Path,
    sync::Arc,
};
use xiangqi::{board::Position, types::Side};

/// Units of the hidden layer: 1.0 is stored as this.
pub const QA: i32 = 255;
/// Units of the output weights: 1.0 is stored as this.
pub const QB: i32 = 64;
/// The widest hidden layer that the 32-bit sums of the AVX2 kernel hold for sure.
pub const MAX_HIDDEN: usize = 1024;
/// Feature weights within this keep a sum over all 32 pieces inside 16 bits.
pub const MAX_FEATURE_WEIGHT: i16 = 900;
/// The same for the bias of the hidden layer.
pub const MAX_FEATURE_BIAS: i16 = 3900;
/// Output weights within this keep `QA · weight` inside 16 bits.
pub const MAX_OUTPUT_WEIGHT: i16 = 127;
/// No network file is longer.
pub const MAX_FILE_BYTES: usize = 4 << 20;

const MAGIC: [u8; 8] = *b"CHUHENET";
/// In version 1 the checksum left the header out.
const VERSION: u16 = 2;
/// Architecture 1: 692 piece-square features, squared clipped ReLU, material output buckets.
const ARCHITECTURE: u16 = 1;
const HEADER_BYTES: usize = 40;
/// Where the checksum stands: it covers what is between the magic and itself, and all that follows.
const CHECKSUM_AT: usize = 32;
const SCALES: std::ops::RangeInclusive<i32> = 1..=4000;

const _: () = assert!(
    features::MAX_ACTIVE as i32 * MAX_FEATURE_WEIGHT as i32 + MAX_FEATURE_BIAS as i32
        <= i16::MAX as i32
);
const _: () = assert!(QA * MAX_OUTPUT_WEIGHT as i32 <= i16::MAX as i32);
const _: () = assert!(
    (MAX_HIDDEN / LANES) as i64 * 2 * (QA as i64 * QA as i64 * MAX_OUTPUT_WEIGHT as i64)
        <= i32::MAX as i64
);

/// The numbers of a network, in the order and units of its file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Weights {
    /// Width of the hidden layer for one perspective; a multiple of [`LANES`].
    pub hidden: usize,
    /// Output buckets, one of [`features::BUCKET_CHOICES`].
    pub buckets: usize,
    /// Score units per unit of the output, which is the logarithm of the odds of winning.
    pub scale: i32,
    /// A row of `hidden` weights for each feature, in units of 1 / [`QA`].
    pub features: Vec<i16>,
    /// The bias of the hidden layer, in the same units.
    pub feature_bias: Vec<i16>,
    /// For each bucket `hidden` weights for the mover's half, then `hidden` for the other's, in
    /// units of 1 / [`QB`].
    pub output: Vec<i16>,
    /// The bias of each bucket, in units of 1 / ([`QA`] · [`QB`]).
    pub output_bias: Vec<i32>,
}

/// Why a network cannot be used.
#[derive(Debug)]
pub enum NetworkError {
    /// The file cannot be read.
    Io(io::Error),
    /// The file does not begin like a network of this program.
    Foreign,
    /// It is a network, but of a version or shape that this program does not know.
    Unsupported(String),
    /// The file is shorter or longer than its header says.
    Length {
        /// The length that the header asks for, in bytes.
        expected: usize,
        /// The length found.
        found: usize,
    },
    /// The numbers are not those that were written.
    Checksum,
    /// A number is so large that sums could overflow.
    OutOfRange,
}

impl fmt::Display for NetworkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => write!(f, "cannot read the network: {error}"),
            Self::Foreign => f.write_str("not a network file of this engine"),
            Self::Unsupported(what) => write!(f, "a network this engine cannot use: {what}"),
            Self::Length { expected, found } => {
                write!(f, "a network file of {found} bytes where its header asks for {expected}")
            }
            Self::Checksum => f.write_str("a damaged network file: its checksum is wrong"),
            Self::OutOfRange => f.write_str("a network with weights out of range"),
        }
    }
}

impl std::error::Error for NetworkError {}

impl From<io::Error> for NetworkError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// A network ready to evaluate positions.
#[derive(Clone)]
pub struct Network {
    weights: Weights,
    checksum: u64,
    kernel: Kernel,
    /// Lanes in one half of the hidden layer.
    lanes: usize,
    features: Vec<Lane>,
    feature_bias: Vec<Lane>,
    output: Vec<Lane>,
}

impl Network {
    /// A network of these numbers, using the best instructions at hand.
    ///
    /// # Errors
    /// If the shape is unknown, a length does not fit the shape, or a weight is out of range.
    pub fn new(weights: Weights) -> Result<Self, NetworkError> {
        check_shape(weights.hidden, weights.buckets, weights.scale)?;
        let found = [weights.features.len(), weights.feature_bias.len(), weights.output.len()];
        let expected = shape_lengths(weights.hidden, weights.buckets);
        if found != expected || weights.output_bias.len() != weights.buckets {
            return Err(NetworkError::Unsupported("its parts do not fit its width".to_owned()));
        }
        let within = |list: &[i16], limit: i16| list.iter().all(|w| (-limit..=limit).contains(w));
        if !within(&weights.features, MAX_FEATURE_WEIGHT)
            || !within(&weights.feature_bias, MAX_FEATURE_BIAS)
            || !within(&weights.output, MAX_OUTPUT_WEIGHT)
        {
            return Err(NetworkError::OutOfRange);
        }
        Ok(Self {
            checksum: fnv_1a(header(&weights).iter().chain(&payload(&weights))),
            kernel: Kernel::detect(),
            lanes: weights.hidden / LANES,
            features: to_lanes(&weights.features),
            feature_bias: to_lanes(&weights.feature_bias),
            output: to_lanes(&weights.output),
            weights,
        })
    }

    /// Reads a network file.
    ///
    /// # Errors
    /// If it cannot be read, is no network, is damaged, or is of an unknown shape.
    pub fn load(path: &Path) -> Result<Self, NetworkError> {
        // A pipe or a terminal could keep the reader waiting for ever.
        if !path.metadata()?.is_file() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file").into());
        }
        let mut bytes = Vec::new();
        File::open(path)?.take(MAX_FILE_BYTES as u64 + 1).read_to_end(&mut bytes)?;
        Self::from_bytes(&bytes)
    }

    /// Reads the bytes of a network file.
    ///
    /// # Errors
    /// If they are no network, are damaged, or are of an unknown shape.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, NetworkError> {
        if !bytes.starts_with(&MAGIC) {
            return Err(NetworkError::Foreign);
        }
        let found = bytes.len();
        let Some((head, payload)) = bytes.split_at_checked(HEADER_BYTES) else {
            return Err(NetworkError::Length { expected: HEADER_BYTES, found });
        };
        let (version, architecture) = (u16_at(head, 8), u16_at(head, 10));
        if (version, architecture) != (VERSION, ARCHITECTURE) {
            let what = format!("version {version}, architecture {architecture}");
            return Err(NetworkError::Unsupported(what));
        }
        let hidden = usize::from(u16_at(head, 12));
        let buckets = usize::from(u16_at(head, 14));
        let units = (i32::from(u16_at(head, 16)), i32::from(u16_at(head, 18)));
        let scale = u32_at(head, 20) as i32;
        if units != (QA, QB) {
            let what = format!("quantised by {} and {}", units.0, units.1);
            return Err(NetworkError::Unsupported(what));
        }
        check_shape(hidden, buckets, scale)?;
        let lengths = shape_lengths(hidden, buckets);
        let expected = HEADER_BYTES + lengths.iter().sum::<usize>() * 2 + buckets * 4;
        if found != expected {
            return Err(NetworkError::Length { expected, found });
        }
        if u64_at(head, CHECKSUM_AT) != fnv_1a(head[MAGIC.len()..CHECKSUM_AT].iter().chain(payload))
        {
            return Err(NetworkError::Checksum);
        }
        let mut rest = payload;
        let mut shorts = |count: usize| {
            let (here, next) = rest.split_at(count * 2);
            rest = next;
            here.chunks_exact(2).map(|b| i16::from_le_bytes([b[0], b[1]])).collect::<Vec<_>>()
        };
        let [features, feature_bias, output] = lengths.map(&mut shorts);
        let output_bias = rest.chunks_exact(4).map(|b| u32_at(b, 0) as i32).collect();
        Self::new(Weights { hidden, buckets, scale, features, feature_bias, output, output_bias })
    }

    /// The bytes of the network's file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::from(MAGIC);
        bytes.extend(header(&self.weights));
        bytes.extend(self.checksum.to_le_bytes());
        bytes.extend(payload(&self.weights));
        bytes
    }

    /// The numbers of the network.
    pub const fn weights(&self) -> &Weights {
        &self.weights
    }

    /// Identifies the network: the checksum of its file.
    pub const fn checksum(&self) -> u64 {
        self.checksum
    }

    /// A line for people: shape, instructions and checksum.
    pub fn describe(&self) -> String {
        let Weights { hidden, buckets, .. } = self.weights;
        let name = self.kernel.name();
        format!("({} -> {hidden})x2 -> {buckets}, {name}, {:016x}", features::COUNT, self.checksum)
    }

    /// The same network on another kernel.
    pub const fn with_kernel(mut self, kernel: Kernel) -> Self {
        self.kernel = kernel;
        self
    }

    /// The kernel in use.
    pub(super) const fn kernel(&self) -> Kernel {
        self.kernel
    }

    /// Lanes in one half of the hidden layer.
    pub(super) const fn lanes(&self) -> usize {
        self.lanes
    }

    /// The weights of one feature.
    #[inline]
    pub(super) fn row(&self, feature: usize) -> &[Lane] {
        &self.features[feature * self.lanes..][..self.lanes]
    }

    /// The hidden layer of a position for one perspective, from nothing.
    pub(super) fn refresh(&self, to: &mut [Lane], position: &Position, perspective: Side) {
        to.copy_from_slice(&self.feature_bias);
        for feature in features::table().active(position, perspective) {
            self.kernel.add(to, self.row(feature));
        }
    }

    /// The score for the mover, given both halves of the hidden layer.
    #[inline]
    pub(super) fn output(&self, mover: &[Lane], other: &[Lane], bucket: usize) -> Score {
        let weights = &self.output[bucket * 2 * self.lanes..][..2 * self.lanes];
        let sum = self.kernel.output(mover, other, weights);
        let bias = i64::from(self.weights.output_bias[bucket]);
        let units = i64::from(QA * QB);
        let score = (sum / i64::from(QA) + bias) * i64::from(self.weights.scale) / units;
        let limit = i64::from(Score::EVAL_LIMIT.0);
        Score(score.clamp(-limit, limit) as i32)
    }

    /// Evaluates one position from nothing, for the mover.
    pub fn evaluate(&self, position: &Position) -> Score {
        let mut halves = vec![Lane::default(); 2 * self.lanes];
        let (mover, other) = halves.split_at_mut(self.lanes);
        self.refresh(mover, position, position.side());
        self.refresh(other, position, !position.side());
        self.output(mover, other, features::bucket_of(position, self.weights.buckets))
    }
}

/// The network that comes inside the program.
pub fn builtin() -> Arc<Network> {
    static BYTES: &[u8] = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/nets/default.nnue"));
    static NETWORK: Lazy<Arc<Network>> = Lazy::new(|| {
        Arc::new(Network::from_bytes(BYTES).expect("a test reads the network inside"))
    });
    Arc::clone(&NETWORK)
}

impl fmt::Debug for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Network({})", self.describe())
    }
}

fn check_shape(hidden: usize, buckets: usize, scale: i32) -> Result<(), NetworkError> {
    if hidden == 0 || hidden > MAX_HIDDEN || !hidden.is_multiple_of(LANES) {
        return Err(NetworkError::Unsupported(format!("{hidden} wide")));
    }
    if !features::BUCKET_CHOICES.contains(&buckets) {
        return Err(NetworkError::Unsupported(format!("{buckets} output buckets")));
    }
    if !SCALES.contains(&scale) {
        return Err(NetworkError::Unsupported(format!("scale {scale}")));
    }
    Ok(())
}

/// How many feature weights, hidden biases and output weights a shape has.
const fn shape_lengths(hidden: usize, buckets: usize) -> [usize; 3] {
    [features::COUNT * hidden, hidden, buckets * 2 * hidden]
}

/// What a file says between its magic and its checksum; the last eight bytes are zero.
fn header(weights: &Weights) -> [u8; CHECKSUM_AT - MAGIC.len()] {
    let shape = [VERSION, ARCHITECTURE, weights.hidden as u16, weights.buckets as u16];
    let shorts = shape.into_iter().chain([QA as u16, QB as u16]);
    let bytes = shorts.flat_map(u16::to_le_bytes).chain(weights.scale.to_le_bytes());
    let mut header = [0; CHECKSUM_AT - MAGIC.len()];
    header.iter_mut().zip(bytes).for_each(|(to, byte)| *to = byte);
    header
}

fn payload(weights: &Weights) -> Vec<u8> {
    let shorts = weights.features.iter().chain(&weights.feature_bias).chain(&weights.output);
    let mut bytes: Vec<u8> = shorts.flat_map(|w| w.to_le_bytes()).collect();
    bytes.extend(weights.output_bias.iter().flat_map(|w| w.to_le_bytes()));
    bytes
}

fn to_lanes(values: &[i16]) -> Vec<Lane> {
    let lane = |chunk: &[i16]| {
        let mut lane = Lane::default();
        lane.0.copy_from_slice(chunk);
        lane
    };
    values.chunks_exact(LANES).map(lane).collect()
}

fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from(u16_at(bytes, at)) | u32::from(u16_at(bytes, at + 2)) << 16
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from(u32_at(bytes, at)) | u64::from(u32_at(bytes, at + 4)) << 32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With one feature weight, one output weight and a bias the output can be done by hand.
    #[test]
    fn output_by_hand() {
        let hidden = LANES;
        let position: Position = "3k5/9/9/9/9/9/9/9/4R4/4K4 w - - 0 1".parse().unwrap();
        let rook = features::table().index(
            Side::Red,
            position.piece_on("e1".parse().unwrap()).unwrap(),
            "e1".parse().unwrap(),
        );
        let mut weights = Weights {
            hidden,
            buckets: 1,
            scale: 400,
            features: vec![0; features::COUNT * hidden],
            feature_bias: vec![0; hidden],
            output: vec![0; 2 * hidden],
            output_bias: vec![-1000],
        };
        weights.features[rook * hidden + 3] = 100;
        weights.output[3] = 50;
        weights.output[hidden + 3] = -20;
        // 100² · 50 / 255 = 1960; (1960 - 1000) · 400 / (255 · 64) = 23.5 for Red to move.
        let network = Network::new(weights.clone()).unwrap();
        assert_eq!(network.evaluate(&position), Score(23));
        // Above 255 the activation is clipped: 255 · 50 - 1000 = 11750 -> 287.99.
        weights.features[rook * hidden + 3] = 300;
        assert_eq!(Network::new(weights.clone()).unwrap().evaluate(&position), Score(287));
        // Black to move sees the rook in the other's half: -255 · 20 - 1000 = -6100 -> -149.5.
        let black = position.with_turn_passed().unwrap();
        assert_eq!(Network::new(weights).unwrap().evaluate(&black), Score(-149));
    }
}
