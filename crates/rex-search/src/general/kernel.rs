//! The products of the general net. Nearly all of its time is spent here, so there are versions for the vectors of
//! x86-64, old and new, for those of WebAssembly, and one for everybody else. All give the same sums.

use super::{CHANNELS, Channels, Layer, Matrix, TAPS};

type Weights = [Matrix<{ CHANNELS / 2 }>; TAPS.len()];
/// A cell and its neighbours.
type Places = [usize; TAPS.len()];

/// Multiplies a matrix with the activations of one cell, on top of a bias.
pub fn multiply(
    matrix: &Matrix<{ CHANNELS / 2 }>,
    bias: &Channels<i32>,
    inputs: &Channels<i16>,
) -> Channels<i32> {
    let mut sums = *bias;
    for (pair, weights) in inputs.as_chunks::<2>().0.iter().zip(matrix) {
        let [one, other] = pair.map(i32::from);
        for (sum, weights) in sums.iter_mut().zip(weights) {
            *sum += one * i32::from(weights[0]) + other * i32::from(weights[1]);
        }
    }
    sums
}

/// A convolution: calls `put` with the sums of each cell.
pub fn convolve(
    weights: &Weights,
    bias: &Channels<i32>,
    layer: &Layer,
    around: &[Places],
    put: impl FnMut(usize, &Channels<i32>),
) {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vnni") {
        // SAFETY: the processor has the instructions that the function is compiled with; it asks for nothing else.
        #[allow(unsafe_code)]
        let several = |places| unsafe { avx512::several(weights, bias, layer, places) };
        return in_groups::<7>(around, several, put);
    } else if is_x86_feature_detected!("avx2") {
        // SAFETY: as above.
        #[allow(unsafe_code)]
        let several = |places| unsafe { avx2::several(weights, bias, layer, places) };
        return in_groups::<2>(around, several, put);
    }
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    return in_groups::<2>(around, |places| wasm::several(weights, bias, layer, places), put);
    #[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
    in_groups::<1>(around, |[places]| [plain(weights, bias, layer, &places)], put);
}

/// Some cells at a time, so that they share what is read of the weights. Seven are a row of 7x7, and have the edge in common.
fn in_groups<const N: usize>(
    around: &[Places],
    several: impl Fn([Places; N]) -> [Channels<i32>; N],
    mut put: impl FnMut(usize, &Channels<i32>),
) {
    for (group, cells) in around.chunks(N).enumerate() {
        // The last group may have fewer cells; the last of them then comes again.
        let sums = several(std::array::from_fn(|cell| cells[cell.min(cells.len() - 1)]));
        for (cell, sums) in sums.iter().take(cells.len()).enumerate() {
            put(group * N + cell, sums);
        }
    }
}

#[cfg(any(test, not(all(target_arch = "wasm32", target_feature = "simd128"))))]
fn plain(weights: &Weights, bias: &Channels<i32>, layer: &Layer, places: &Places) -> Channels<i32> {
    places.iter().zip(weights).fold(*bias, |sums, (&place, matrix)| multiply(matrix, &sums, &layer[place]))
}

/// Two inputs as one number, as they lie side by side in a vector.
#[cfg(any(target_arch = "x86_64", all(target_arch = "wasm32", target_feature = "simd128")))]
fn pair(inputs: [i16; 2]) -> i32 {
    i32::from(inputs[0] as u16) | i32::from(inputs[1]) << 16
}

/// The sums of several cells, in vectors. The versions differ in the vectors' size and in what adds products to them.
#[cfg(any(target_arch = "x86_64", all(target_arch = "wasm32", target_feature = "simd128")))]
macro_rules! several {
    ($(#[$feature:meta])? $vector:ty, $lanes:literal, $splat:path, |$sum:ident, $weights:ident, $factor:ident| $add:expr) => {
        $(#[$feature])?
        #[allow(clippy::needless_range_loop)]
        pub fn several<const N: usize>(
            weights: &Weights,
            bias: &Channels<i32>,
            layer: &Layer,
            around: [Places; N],
        ) -> [Channels<i32>; N] {
            let bias: [$vector; CHANNELS / $lanes] = transmute!(*bias);
            let mut sums = [bias; N];
            for (tap, matrix) in weights.iter().enumerate() {
                // Plain loops: what is passed to a function of the library may be compiled for older processors.
                let mut on_board = false;
                for cell in 0..N {
                    on_board |= around[cell][tap] != crate::general::OUTSIDE;
                }
                // Beyond the edge all is zero.
                if !on_board {
                    continue;
                }
                let mut inputs: [&[[i16; 2]; CHANNELS / 2]; N] = [&[[0; 2]; CHANNELS / 2]; N];
                for cell in 0..N {
                    inputs[cell] = transmute_ref!(&layer[around[cell][tap]]);
                }
                for place in 0..CHANNELS / 2 {
                    let weights: [$vector; CHANNELS / $lanes] = transmute!(matrix[place]);
                    for cell in 0..N {
                        let $factor = $splat(pair(inputs[cell][place]));
                        for vector in 0..CHANNELS / $lanes {
                            let ($sum, $weights) = (sums[cell][vector], weights[vector]);
                            sums[cell][vector] = $add;
                        }
                    }
                }
            }
            let mut all = [[0; CHANNELS]; N];
            for cell in 0..N {
                all[cell] = transmute!(sums[cell]);
            }
            all
        }
    };
}

#[cfg(target_arch = "x86_64")]
mod avx512 {
    use std::arch::x86_64::{__m512i, _mm512_dpwssd_epi32, _mm512_set1_epi32};

    use zerocopy::{transmute, transmute_ref};

    use super::{CHANNELS, Channels, Layer, Places, Weights, pair};

    several!(
        #[target_feature(enable = "avx512f,avx512vnni")]
        __m512i,
        16,
        _mm512_set1_epi32,
        |sum, weights, factor| _mm512_dpwssd_epi32(sum, weights, factor)
    );
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use std::arch::x86_64::{__m256i, _mm256_add_epi32, _mm256_madd_epi16, _mm256_set1_epi32};

    use zerocopy::{transmute, transmute_ref};

    use super::{CHANNELS, Channels, Layer, Places, Weights, pair};

    several!(
        #[target_feature(enable = "avx2")]
        __m256i,
        8,
        _mm256_set1_epi32,
        |sum, weights, factor| _mm256_add_epi32(sum, _mm256_madd_epi16(weights, factor))
    );
}

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod wasm {
    use std::arch::wasm32::{i32x4_add, i32x4_dot_i16x8, i32x4_splat, v128};

    use zerocopy::{transmute, transmute_ref};

    use super::{CHANNELS, Channels, Layer, Places, Weights, pair};

    several!(v128, 4, i32x4_splat, |sum, weights, factor| i32x4_add(sum, i32x4_dot_i16x8(weights, factor)));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::general::OUTSIDE;

    #[test]
    fn vectors_give_the_same_sums() {
        let mut seed = 1u64;
        let mut number = |most: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            ((seed >> 33) % most) as i16
        };
        let weights: Weights = std::array::from_fn(|_| {
            std::array::from_fn(|_| std::array::from_fn(|_| [number(2000) - 1000, number(2000) - 1000]))
        });
        let mut layer: Layer = std::array::from_fn(|_| std::array::from_fn(|_| number(1025)));
        layer[OUTSIDE] = [0; CHANNELS];
        // One tap is beyond the edge for all cells, another one for some.
        let around = [[64, 1, 2, 3, 4, 5, 6], [64, 6, 63, 2, 1, 64, 9], [64, 1, 1, 1, 1, 1, 1]];
        let bias = std::array::from_fn(|_| i32::from(number(30_000)) - 15_000);
        let wanted = around.map(|places| plain(&weights, &bias, &layer, &places));
        let mut heard = vec![];
        convolve(&weights, &bias, &layer, &around, |cell, sums| heard.push((cell, *sums)));
        assert!(heard.iter().copied().eq(wanted.into_iter().enumerate()));
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has these instructions.
            #[allow(unsafe_code)]
            let several = |places| unsafe { avx2::several(&weights, &bias, &layer, places) };
            heard.clear();
            in_groups::<2>(&around, several, |cell, sums| heard.push((cell, *sums)));
            assert!(heard.iter().copied().eq(wanted.into_iter().enumerate()), "AVX2");
        }
    }
}
