//! The products of the general net. Nearly all of its time is spent here, so there is one version for the vectors of
//! x86-64, one for those of WebAssembly, and one that the compiler may do as it likes with. All give the same sums.

use super::{CHANNELS, Channels, Layer, Matrix, TAPS};

type Weights = [Matrix<{ CHANNELS / 2 }>; TAPS.len()];

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

/// A convolution: calls `put` with the sums of each cell. Two cells at a time share what is read of the weights.
pub fn convolve(
    weights: &Weights,
    bias: &Channels<i32>,
    layer: &Layer,
    around: &[[usize; TAPS.len()]],
    mut put: impl FnMut(usize, &Channels<i32>),
) {
    for first in (0..around.len()).step_by(2) {
        let second = (first + 1).min(around.len() - 1);
        let sums = both(weights, bias, layer, [&around[first], &around[second]]);
        put(first, &sums[0]);
        if second != first {
            put(second, &sums[1]);
        }
    }
}

fn both(
    weights: &Weights,
    bias: &Channels<i32>,
    layer: &Layer,
    around: [&[usize; TAPS.len()]; 2],
) -> [Channels<i32>; 2] {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has the instructions that the function is compiled with; it asks for nothing else.
        #[allow(unsafe_code)]
        return unsafe { avx2::both(weights, bias, layer, around) };
    }
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    return wasm::both(weights, bias, layer, around);
    #[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
    around.map(|places| {
        let mut sums = *bias;
        for (&place, matrix) in places.iter().zip(weights) {
            sums = multiply(matrix, &sums, &layer[place]);
        }
        sums
    })
}

/// Two inputs as one number, as they lie side by side in a vector.
#[cfg(any(target_arch = "x86_64", all(target_arch = "wasm32", target_feature = "simd128")))]
fn pair(inputs: [i16; 2]) -> i32 {
    i32::from(inputs[0] as u16) | i32::from(inputs[1]) << 16
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use std::arch::x86_64::{__m256i, _mm256_add_epi32, _mm256_madd_epi16, _mm256_set1_epi32};

    use zerocopy::transmute;

    use super::{CHANNELS, Channels, Layer, TAPS, Weights, pair};

    const VECTORS: usize = CHANNELS / 8;

    #[target_feature(enable = "avx2")]
    pub fn both(
        weights: &Weights,
        bias: &Channels<i32>,
        layer: &Layer,
        around: [&[usize; TAPS.len()]; 2],
    ) -> [Channels<i32>; 2] {
        let bias: [__m256i; VECTORS] = transmute!(*bias);
        let mut sums = [bias; 2];
        for (tap, matrix) in weights.iter().enumerate() {
            let inputs = around.map(|places| layer[places[tap]].as_chunks::<2>().0);
            for ((weights, &one), &other) in matrix.iter().zip(inputs[0]).zip(inputs[1]) {
                let factors = [one, other].map(|inputs| _mm256_set1_epi32(pair(inputs)));
                let weights: [__m256i; VECTORS] = transmute!(*weights);
                for vector in 0..VECTORS {
                    for cell in 0..2 {
                        let products = _mm256_madd_epi16(weights[vector], factors[cell]);
                        sums[cell][vector] = _mm256_add_epi32(sums[cell][vector], products);
                    }
                }
            }
        }
        transmute!(sums)
    }
}

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod wasm {
    use std::arch::wasm32::{i32x4_add, i32x4_dot_i16x8, i32x4_splat, v128};

    use zerocopy::transmute;

    use super::{CHANNELS, Channels, Layer, TAPS, Weights, pair};

    const VECTORS: usize = CHANNELS / 4;

    pub fn both(
        weights: &Weights,
        bias: &Channels<i32>,
        layer: &Layer,
        around: [&[usize; TAPS.len()]; 2],
    ) -> [Channels<i32>; 2] {
        let bias: [v128; VECTORS] = transmute!(*bias);
        let mut sums = [bias; 2];
        for (tap, matrix) in weights.iter().enumerate() {
            let inputs = around.map(|places| layer[places[tap]].as_chunks::<2>().0);
            for ((weights, &one), &other) in matrix.iter().zip(inputs[0]).zip(inputs[1]) {
                let factors = [one, other].map(|inputs| i32x4_splat(pair(inputs)));
                let weights: [v128; VECTORS] = transmute!(*weights);
                for vector in 0..VECTORS {
                    for cell in 0..2 {
                        let products = i32x4_dot_i16x8(weights[vector], factors[cell]);
                        sums[cell][vector] = i32x4_add(sums[cell][vector], products);
                    }
                }
            }
        }
        transmute!(sums)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let layer: Layer = std::array::from_fn(|_| std::array::from_fn(|_| number(1025)));
        let around = [[0, 1, 2, 3, 4, 5, 6], [64, 6, 63, 2, 1, 64, 9], [1, 1, 1, 1, 1, 1, 1]];
        let bias = std::array::from_fn(|_| i32::from(number(30_000)) - 15_000);
        let mut heard = 0;
        convolve(&weights, &bias, &layer, &around, |cell, sums| {
            let mut plain = bias;
            for (tap, &place) in around[cell].iter().enumerate() {
                plain = multiply(&weights[tap], &plain, &layer[place]);
            }
            assert_eq!(*sums, plain, "cell {cell}");
            heard += 1;
        });
        assert_eq!(heard, around.len());
    }
}
