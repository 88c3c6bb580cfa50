//! A small network that guesses how hard a position is to prove for either player.
//!
//! The first layer takes the stones: a row of weights for each kind of stone on each cell, and one for the number of
//! empty cells. Two small layers follow. There are three outputs: who wins, and for each possible winner the binary
//! logarithm of the work to show it. All arithmetic is in integers, so a guess is the same on every machine. A move
//! changes one row, so the moves of a position share its sums.

use std::sync::LazyLock;

use rex_game::{Board, Cell, CellSet};
use rex_theory::Field;

use crate::known::Bounds;

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd;

/// Width of the first layer and of the second.
const WIDE: usize = 384;
const NARROW: usize = 32;
pub const OUTPUTS: usize = 3;
/// Kinds of stones: Last's, Notlast's, settled.
const KINDS: usize = 3;

/// Fixed-point numbers: the value of 1 in the first layer and the activations, in the weights above, and in the sums
/// there.
const ONE: i32 = 128;
const WEIGHT_ONE: i32 = 64;
const SUM_ONE: i32 = ONE * WEIGHT_ONE;
/// Activations of the first layer are clamped here.
const CEILING: i16 = 8 * ONE as i16;

/// A file begins with this, followed by the number of cells and the [`Trust`], a byte each. Then come the weights, each as
/// its place in the list 0, -1, 1, -2, 2, …: one byte, or [`LARGE`] and then two. Most weights are small, and a page that
/// has to be loaded should be too.
const MAGIC: &[u8] = b"RXN3";
const LARGE: u8 = 255;

/// How outputs become proof numbers: the work to a power, divided by the likelihood to another power. Work itself would
/// be the natural unit, but guesses are far off where the work is large, and more so if the net has learnt little.
/// `docs/notes.md` has what other powers gave on each board.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trust {
    /// The binary logarithm of the smallest number, in tenths.
    base: u8,
    /// The powers, in hundredths.
    work: u8,
    likelihood: u8,
    /// The binary logarithm of the largest number. Guesses stay far below the numbers that a search finds.
    largest: u8,
}

/// The weights for one board.
#[derive(Debug, PartialEq)]
pub struct Net {
    cells: usize,
    trust: Trust,
    /// Rows by kind and cell, then by number of empty cells.
    first: Vec<[i16; WIDE]>,
    second: Vec<[i16; NARROW]>,
    second_bias: [i32; NARROW],
    third: [[i16; NARROW]; OUTPUTS],
    third_bias: [i32; OUTPUTS],
}

/// The sums of the first layer for a position.
type Sums = [i16; WIDE];

impl Net {
    /// The net for a board, if there is one.
    pub fn for_board(board: Board) -> Option<&'static Net> {
        static FIVE: LazyLock<Net> = LazyLock::new(|| Net::embedded(include_bytes!("../weights/5x5.net")));
        static SIX: LazyLock<Net> = LazyLock::new(|| Net::embedded(include_bytes!("../weights/6x6.net")));
        match (board.rows(), board.cols()) {
            (5, 5) => Some(&FIVE),
            (6, 6) => Some(&SIX),
            _ => None,
        }
    }

    /// How many cells its boards have.
    pub fn cells(&self) -> usize {
        self.cells
    }

    fn embedded(bytes: &[u8]) -> Net {
        Net::from_bytes(bytes).expect("the weights that come with the program are whole")
    }

    /// Reads weights. `None` if they are incomplete or do not end where they should.
    pub fn from_bytes(bytes: &[u8]) -> Option<Net> {
        let (&[cells, base, work, likelihood, largest], rest) =
            bytes.strip_prefix(MAGIC)?.split_first_chunk()?;
        let trust = Trust::new([base, work, likelihood, largest])?;
        let mut bytes = rest.iter().copied();
        let net = Net::from_words(cells.into(), &mut words(&mut bytes))?;
        bytes.next().is_none().then_some(Net { trust, ..net })
    }

    /// Weights from a source of numbers, in the order of the file.
    pub fn from_words(cells: usize, next: &mut dyn FnMut() -> Option<i16>) -> Option<Net> {
        let mut net = Net {
            cells,
            trust: Trust { base: 20, work: 50, likelihood: 100, largest: 13 },
            first: vec![[0; WIDE]; KINDS * cells + cells + 1],
            second: vec![[0; NARROW]; WIDE],
            second_bias: [0; NARROW],
            third: [[0; NARROW]; OUTPUTS],
            third_bias: [0; OUTPUTS],
        };
        for weight in net.first.as_flattened_mut().iter_mut().chain(net.second.as_flattened_mut()) {
            *weight = next()?;
        }
        for bias in &mut net.second_bias {
            *bias = i32::from(next()?) * WEIGHT_ONE;
        }
        for from in 0..NARROW {
            for weights in &mut net.third {
                weights[from] = next()?;
            }
        }
        for bias in &mut net.third_bias {
            *bias = i32::from(next()?) * WEIGHT_ONE;
        }
        Some(net)
    }

    /// A guess at the proof numbers of a position.
    pub fn guess(&self, field: &Field) -> Bounds {
        let sums = self.sums(field);
        self.top(&sums, self.empty_row(field.empty().len()))
    }

    /// A guess for the position after each of these moves, before any fill-in.
    pub fn guess_moves(&self, field: &Field, moves: &[Cell], guesses: &mut [Bounds]) {
        let sums = self.sums(field);
        let empty = self.empty_row(field.empty().len() - 1);
        let kind = usize::from(field.mover() != field.last);
        for (&cell, guess) in moves.iter().zip(guesses) {
            let row = &self.first[kind * self.cells + cell.index()];
            let mut after = sums;
            for (sum, weight) in after.iter_mut().zip(row) {
                *sum = sum.wrapping_add(*weight);
            }
            *guess = self.top(&after, empty);
        }
    }

    fn empty_row(&self, empty: usize) -> &[i16; WIDE] {
        &self.first[KINDS * self.cells + empty]
    }

    fn sums(&self, field: &Field) -> Sums {
        let settled = field.settled();
        let kinds: [CellSet; KINDS] = [
            field.stones[field.last.index()] - settled,
            field.stones[(!field.last).index()] - settled,
            settled,
        ];
        let rows = kinds.into_iter().enumerate();
        let rows = rows
            .flat_map(|(kind, stones)| stones.into_iter().map(move |cell| kind * self.cells + cell.index()));
        self.sum_rows(rows)
    }

    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    fn sum_rows(&self, rows: impl Iterator<Item = usize>) -> Sums {
        let mut all = [0; rex_game::MAX_CELLS];
        let count = all.iter_mut().zip(rows).map(|(place, row)| *place = row).count();
        simd::sum_rows(self, &all[..count])
    }

    #[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
    fn sum_rows(&self, rows: impl Iterator<Item = usize>) -> Sums {
        let mut sums = [0; WIDE];
        for row in rows {
            for (sum, weight) in sums.iter_mut().zip(&self.first[row]) {
                *sum = i16::wrapping_add(*sum, *weight);
            }
        }
        sums
    }

    /// The upper layers.
    fn top(&self, sums: &Sums, empty: &[i16; WIDE]) -> Bounds {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("bmi1") {
            // SAFETY: the processor has the instructions that the function is compiled with; it asks for nothing else.
            #[allow(unsafe_code)]
            return unsafe { self.top_with_avx2(sums, empty) };
        }
        self.top_anywhere(sums, empty)
    }

    /// The same, compiled for instructions that nearly every x86-64 processor has, even if the rest of the program must
    /// run on all of them: a guess spends most of its time here. Only inlined code is compiled that way, hence the
    /// `inline(always)`.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1")]
    fn top_with_avx2(&self, sums: &Sums, empty: &[i16; WIDE]) -> Bounds {
        self.top_anywhere(sums, empty)
    }

    #[inline(always)]
    fn top_anywhere(&self, sums: &Sums, empty: &[i16; WIDE]) -> Bounds {
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
        let second = simd::second_layer(self, sums, empty);
        #[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
        let second = self.second_layer(sums, empty);
        let mut activations = [0; NARROW];
        for (activation, sum) in activations.iter_mut().zip(second) {
            *activation = (sum / WEIGHT_ONE).clamp(0, i32::from(i16::MAX));
        }
        let mut outputs = self.third_bias;
        for (output, weights) in outputs.iter_mut().zip(&self.third) {
            for (&activation, &weight) in activations.iter().zip(weights) {
                *output = output.wrapping_add(activation * i32::from(weight));
            }
        }
        self.trust.numbers(outputs)
    }

    /// The sums of the second layer.
    #[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
    #[inline(always)]
    fn second_layer(&self, sums: &Sums, empty: &[i16; WIDE]) -> [i32; NARROW] {
        let mut activations = [0i16; WIDE];
        for ((activation, &sum), &bias) in activations.iter_mut().zip(sums).zip(empty) {
            *activation = sum.wrapping_add(bias).clamp(0, CEILING);
        }
        let mut second = self.second_bias;
        // Most activations are zero and can be skipped.
        for (part, activations) in activations.chunks_exact(64).enumerate() {
            let mut active = positive(activations);
            while active != 0 {
                let index = active.trailing_zeros() as usize;
                active &= active - 1;
                let activation = i32::from(activations[index]);
                for (sum, &weight) in second.iter_mut().zip(&self.second[64 * part + index]) {
                    *sum = sum.wrapping_add(activation * i32::from(weight));
                }
            }
        }
        second
    }
}

/// Which of 64 activations are positive, as bits. Each group of eight becomes a word of bytes that are zero or one, and
/// a multiplication gathers these in its highest byte. That is much faster than testing one at a time.
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
#[inline(always)]
fn positive(activations: &[i16]) -> u64 {
    const GATHER: u64 = 0x0102_0408_1020_4080;
    let mut bits = 0;
    for (group, activations) in activations.chunks_exact(8).enumerate() {
        let mut bytes = [0; 8];
        for (byte, &activation) in bytes.iter_mut().zip(activations) {
            *byte = u8::from(activation > 0);
        }
        bits |= (u64::from_le_bytes(bytes).wrapping_mul(GATHER) >> 56) << (8 * group);
    }
    bits
}

/// The weights of a file, from its bytes.
pub fn words(bytes: &mut impl Iterator<Item = u8>) -> impl FnMut() -> Option<i16> {
    || {
        let place = match bytes.next()? {
            LARGE => u16::from_le_bytes([bytes.next()?, bytes.next()?]),
            small => small.into(),
        };
        Some((place >> 1) as i16 ^ -((place & 1) as i16))
    }
}

impl Trust {
    /// So that three sums of sixty such guesses are still far below infinity.
    const LARGEST: u8 = 35;

    /// From its bytes in a file.
    pub fn new([base, work, likelihood, largest]: [u8; 4]) -> Option<Trust> {
        (largest <= Trust::LARGEST).then_some(Trust { base, work, likelihood, largest })
    }

    /// Proof numbers from the outputs.
    pub fn numbers(self, [last_wins, last_work, notlast_work]: [i32; OUTPUTS]) -> Bounds {
        let hundredths = |share: u8, of: i64| i64::from(share) * of / 100;
        let number = |work: i32, unlikely: i32| {
            // The output is the natural logarithm of the odds.
            let unlikely = i64::from(unlikely.max(0)) * 1477 / 1024;
            let exponent = hundredths(self.base, 10 * i64::from(SUM_ONE))
                + hundredths(self.work, i64::from(work.max(0)))
                + hundredths(self.likelihood, unlikely);
            power_of_two(exponent.min(i64::from(self.largest) * i64::from(SUM_ONE)))
        };
        Bounds {
            last: number(last_work, last_wins.saturating_neg()),
            notlast: number(notlast_work, last_wins),
        }
    }
}

/// Two to a fixed-point power, in steps of a sixteenth of a doubling.
fn power_of_two(exponent: i64) -> u64 {
    /// 2^(i/16) in units of 1/256.
    const STEPS: [u64; 16] = [256, 267, 279, 292, 304, 318, 332, 347, 362, 378, 395, 412, 431, 450, 470, 490];
    let sixteenths = exponent.max(0) * 16 / i64::from(SUM_ONE);
    let (whole, part) = (sixteenths / 16, (sixteenths % 16) as usize);
    (STEPS[part] << whole) / 256
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_of_two_grow() {
        let at = |x: f64| power_of_two((x * f64::from(SUM_ONE)) as i64);
        assert_eq!([at(-1.0), at(0.0), at(2.0), at(2.5), at(16.0), at(35.0)], [1, 1, 4, 5, 65_536, 1 << 35]);
        assert!((0..800).all(|i| at(f64::from(i) / 50.0) <= at(f64::from(i + 1) / 50.0)));
    }

    #[test]
    fn a_move_is_guessed_like_the_position_it_leads_to() {
        let mut seed = 1u64;
        let mut word = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            Some((seed >> 58) as i16 - 32)
        };
        let net = Net::from_words(16, &mut word).expect("there is no end of numbers");
        let state: rex_game::State = "4x4 b2 c1 a3".parse().expect("a position");
        let moves: Vec<Cell> = state.moves().into_iter().collect();
        let mut guesses = vec![Bounds { last: 0, notlast: 0 }; moves.len()];
        net.guess_moves(&Field::new(&state), &moves, &mut guesses);
        for (cell, guess) in moves.into_iter().zip(guesses) {
            assert_eq!(net.guess(&Field::new(&state.play(cell))), guess);
        }
    }

    #[test]
    fn weights_cut_short_are_refused() {
        let whole = include_bytes!("../weights/6x6.net");
        assert!(Net::from_bytes(whole).is_some());
        assert!(Net::from_bytes(&whole[..whole.len() - 1]).is_none());
        assert!(Net::from_bytes(&[&whole[..], &[0, 0]].concat()).is_none());
    }
}
