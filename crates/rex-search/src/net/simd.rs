//! The layers of a net in the vectors of WebAssembly. For x86-64 the compiler finds good ones by itself. Here it misses
//! the instruction that helps most: two products of 16-bit numbers and their sum, in each lane.

use std::arch::wasm32::{
    i16x8_add, i16x8_bitmask, i16x8_gt, i16x8_max, i16x8_min, i16x8_shuffle, i16x8_splat, i32x4_add,
    i32x4_dot_i16x8, i32x4_splat, v128,
};

use zerocopy::transmute;

use super::{CEILING, NARROW, Net, Sums, WIDE};

const LANES: usize = 8;
/// Vectors that are summed at once. More would not stay in registers.
const BLOCK: usize = 8;

/// The numbers as vectors.
fn vectors(numbers: &[i16]) -> impl Iterator<Item = v128> {
    numbers.as_chunks::<LANES>().0.iter().map(|&lanes| transmute!(lanes))
}

/// The sum of these rows of the first layer.
pub fn sum_rows(net: &Net, rows: &[usize]) -> Sums {
    let mut sums = [0; WIDE];
    for (block, sums) in sums.as_chunks_mut::<{ BLOCK * LANES }>().0.iter_mut().enumerate() {
        let mut sum = [i16x8_splat(0); BLOCK];
        for &row in rows {
            let weights = &net.first[row].as_chunks::<{ BLOCK * LANES }>().0[block];
            for (sum, weights) in sum.iter_mut().zip(vectors(weights)) {
                *sum = i16x8_add(*sum, weights);
            }
        }
        *sums = transmute!(sum);
    }
    sums
}

/// The sums of the second layer. Its active inputs are taken two at a time.
pub fn second_layer(net: &Net, sums: &Sums, empty: &[i16; WIDE]) -> [i32; NARROW] {
    let mut activations = [0i16; WIDE];
    let (mut active, mut count) = ([0; WIDE], 0);
    let places = activations.as_chunks_mut::<LANES>().0.iter_mut().zip((0..).step_by(LANES));
    for (((place, first), sum), bias) in places.zip(vectors(sums)).zip(vectors(empty)) {
        let clamped = i16x8_min(i16x8_max(i16x8_add(sum, bias), i16x8_splat(0)), i16x8_splat(CEILING));
        *place = transmute!(clamped);
        let mut positive = i16x8_bitmask(i16x8_gt(clamped, i16x8_splat(0)));
        while positive != 0 {
            active[count] = first + positive.trailing_zeros() as usize;
            positive &= positive - 1;
            count += 1;
        }
    }
    let mut second: [v128; NARROW / 4] = transmute!(net.second_bias);
    for pair in active[..count].chunks(2) {
        let one = pair[0];
        // The last one of an odd number goes with itself, times zero.
        let (other, factor) = pair.get(1).map_or((one, 0), |&other| (other, activations[other]));
        let factors = i32x4_splat(i32::from(activations[one]) | i32::from(factor) << 16);
        let weights = vectors(&net.second[one]).zip(vectors(&net.second[other]));
        for ([low, high], (one, other)) in second.as_chunks_mut().0.iter_mut().zip(weights) {
            let pairs = i16x8_shuffle::<0, 8, 1, 9, 2, 10, 3, 11>(one, other);
            *low = i32x4_add(*low, i32x4_dot_i16x8(pairs, factors));
            let pairs = i16x8_shuffle::<4, 12, 5, 13, 6, 14, 7, 15>(one, other);
            *high = i32x4_add(*high, i32x4_dot_i16x8(pairs, factors));
        }
    }
    transmute!(second)
}
