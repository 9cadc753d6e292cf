//! The arithmetic of the hidden layer, with one instruction set chosen at run time.
//!
//! Every kernel gives the same bits: the sums are exact integers, so their order does not matter.

/// Values of the hidden layer handled together.
pub const LANES: usize = 16;

/// Sixteen values of the hidden layer, aligned for one AVX2 register.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(C, align(32))]
pub struct Lane(pub [i16; LANES]);

/// The largest value that the clipped activation lets through: 1.0 in units of the hidden layer.
const CEILING: i16 = super::QA as i16;

/// Which instructions do the work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Kernel(Set);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Set {
    Scalar,
    /// Only ever made by [`Kernel::detect`], after the processor said that it has AVX2.
    #[cfg(target_arch = "x86_64")]
    Avx2,
}

impl Kernel {
    /// The best kernel for this processor.
    pub fn detect() -> Self {
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx2") {
            return Self(Set::Avx2);
        }
        Self::scalar()
    }

    /// The kernel in plain Rust, which runs everywhere.
    pub const fn scalar() -> Self {
        Self(Set::Scalar)
    }

    /// The name of the instruction set, for people.
    pub const fn name(self) -> &'static str {
        match self.0 {
            Set::Scalar => "scalar",
            #[cfg(target_arch = "x86_64")]
            Set::Avx2 => "avx2",
        }
    }

    /// `to = from + add - sub`, and minus `capture` if there was one. All of one length.
    #[inline]
    pub(super) fn update(self, to: &mut [Lane], from: &[Lane], change: &RowChange<'_>) {
        match self.0 {
            Set::Scalar => update(to, from, change),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: `Set::Avx2` exists only where the processor has AVX2.
            Set::Avx2 => unsafe { avx2::update(to, from, change) },
        }
    }

    /// `to += row`.
    #[inline]
    pub(super) fn add(self, to: &mut [Lane], row: &[Lane]) {
        match self.0 {
            Set::Scalar => add(to, row),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: `Set::Avx2` exists only where the processor has AVX2.
            Set::Avx2 => unsafe { avx2::add(to, row) },
        }
    }

    /// The sum of `clip(value)² · weight` over both halves, the mover's half first.
    #[inline]
    pub(super) fn output(self, mover: &[Lane], other: &[Lane], weights: &[Lane]) -> i64 {
        let (for_mover, for_other) = weights.split_at(mover.len());
        match self.0 {
            Set::Scalar => activate(mover, for_mover) + activate(other, for_other),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: `Set::Avx2` exists only where the processor has AVX2.
            Set::Avx2 => unsafe {
                avx2::activate(mover, for_mover) + avx2::activate(other, for_other)
            },
        }
    }
}

/// The weight rows by which one move changes the hidden layer.
pub(super) struct RowChange<'a> {
    pub add: &'a [Lane],
    pub sub: &'a [Lane],
    pub capture: Option<&'a [Lane]>,
}

/// Wrapping operations, because they never wrap: the loader bounds the weights.
#[inline(always)]
fn update(to: &mut [Lane], from: &[Lane], change: &RowChange<'_>) {
    let rows = to.iter_mut().zip(from).zip(change.add).zip(change.sub);
    match change.capture {
        None => {
            for (((to, from), add), sub) in rows {
                for i in 0..LANES {
                    to.0[i] = from.0[i].wrapping_add(add.0[i]).wrapping_sub(sub.0[i]);
                }
            }
        }
        Some(capture) => {
            for ((((to, from), add), sub), capture) in rows.zip(capture) {
                for i in 0..LANES {
                    to.0[i] = from.0[i]
                        .wrapping_add(add.0[i])
                        .wrapping_sub(sub.0[i])
                        .wrapping_sub(capture.0[i]);
                }
            }
        }
    }
}

#[inline(always)]
fn add(to: &mut [Lane], row: &[Lane]) {
    for (to, row) in to.iter_mut().zip(row) {
        for i in 0..LANES {
            to.0[i] = to.0[i].wrapping_add(row.0[i]);
        }
    }
}

fn activate(values: &[Lane], weights: &[Lane]) -> i64 {
    let mut sum = 0;
    for (values, weights) in values.iter().zip(weights) {
        for i in 0..LANES {
            let value = i32::from(values.0[i].clamp(0, CEILING));
            sum += i64::from(value * i32::from(weights.0[i]) * value);
        }
    }
    sum
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use super::{CEILING, Lane, RowChange};
    use std::arch::x86_64::{
        __m256i, _mm256_add_epi32, _mm256_load_si256, _mm256_madd_epi16, _mm256_max_epi16,
        _mm256_min_epi16, _mm256_mullo_epi16, _mm256_set1_epi16, _mm256_setzero_si256,
        _mm256_storeu_si256,
    };

    #[target_feature(enable = "avx2")]
    pub fn update(to: &mut [Lane], from: &[Lane], change: &RowChange<'_>) {
        super::update(to, from, change);
    }

    #[target_feature(enable = "avx2")]
    pub fn add(to: &mut [Lane], row: &[Lane]) {
        super::add(to, row);
    }

    #[target_feature(enable = "avx2")]
    fn load(lane: &Lane) -> __m256i {
        // SAFETY: a `Lane` is 32 bytes long and aligned to 32.
        unsafe { _mm256_load_si256(std::ptr::from_ref(lane).cast()) }
    }

    /// `value · weight` fits 16 bits (255 · 127), and a 32-bit element gathers two products for
    /// each lane: with at most [`MAX_HIDDEN`](crate::eval::nnue::MAX_HIDDEN) values it cannot wrap.
    #[target_feature(enable = "avx2")]
    pub fn activate(values: &[Lane], weights: &[Lane]) -> i64 {
        let (floor, ceiling) = (_mm256_setzero_si256(), _mm256_set1_epi16(CEILING));
        let mut sum = _mm256_setzero_si256();
        for (value, weight) in values.iter().zip(weights) {
            let value = _mm256_min_epi16(_mm256_max_epi16(load(value), floor), ceiling);
            let weighted = _mm256_mullo_epi16(value, load(weight));
            sum = _mm256_add_epi32(sum, _mm256_madd_epi16(weighted, value));
        }
        let mut parts = [0_i32; 8];
        // SAFETY: `parts` is 32 bytes long; the store needs no alignment.
        unsafe { _mm256_storeu_si256(parts.as_mut_ptr().cast(), sum) };
        parts.into_iter().map(i64::from).sum()
    }
}
