//! The general net: one small convolutional network for all boards.
//!
//! It looks at a filled position once and guesses, for every move, the proof numbers that a search would find after it. A few
//! layers of hexagonal convolutions see a cell and its six neighbours, so the same weights fit every board. All arithmetic
//! is in integers, as in [`crate::net`], and `train/general.py` is the same net in floating point.

use std::sync::LazyLock;

use rex_game::{Board, Cell, Player};
use rex_theory::Field;

use crate::known::Bounds;
use crate::net::{OUTPUTS, Trust, words};

mod kernel;

/// Channels of all layers.
const CHANNELS: usize = 32;
/// A cell and its neighbours, row by row.
const TAPS: [(isize, isize); 7] = [(-1, 0), (-1, 1), (0, -1), (0, 0), (0, 1), (1, -1), (1, 0)];
/// Kinds of stones: Last's, Notlast's, settled.
const KINDS: usize = 3;

/// Fixed-point numbers: the value of 1 in activations, and in weights as a power of two.
const ONE: i32 = 128;
const WEIGHT_BITS: u32 = 8;
/// Activations are clamped here.
const CEILING: i32 = 8 * ONE;
/// Outputs come as sums of products and are handed on in units of [`crate::net`].
const OUTPUT_BITS: u32 = 2;

/// A file begins with this, the channels, the blocks and the [`Trust`]; then come the weights, as in `net.rs`.
const MAGIC: &[u8] = b"RXG1";

type Channels<T> = [T; CHANNELS];
/// Weights of inputs two by two, as vectors multiply them: for each pair of inputs the pairs of weights of each output.
type Matrix<const PAIRS: usize> = [[[i16; 2]; CHANNELS]; PAIRS];

/// The activations of all cells; the last place is for what is outside of the board.
type Layer = [Channels<i16>; OUTSIDE + 1];
const OUTSIDE: usize = rex_game::MAX_CELLS;

#[derive(Debug, PartialEq)]
struct Hexagon {
    weights: [Matrix<{ CHANNELS / 2 }>; TAPS.len()],
    bias: Channels<i32>,
}

#[derive(Debug, PartialEq)]
struct Block {
    one: Hexagon,
    pool: [Channels<i16>; CHANNELS],
    two: Hexagon,
}

/// The weights.
#[derive(Debug, PartialEq)]
pub struct General {
    trust: Trust,
    stem: [[Channels<i16>; KINDS]; TAPS.len()],
    stem_bias: Channels<i16>,
    /// By who moves: Notlast, Last.
    mover: [Channels<i16>; 2],
    blocks: Vec<Block>,
    cell: Matrix<{ CHANNELS / 2 }>,
    cell_bias: Channels<i32>,
    around: [Channels<i16>; CHANNELS],
    moves: [[i16; OUTPUTS]; CHANNELS],
    moves_bias: [i32; OUTPUTS],
}

/// What the net thinks of the moves of a position.
pub struct Opinion<'a> {
    net: &'a General,
    /// The activations of the last layer, and their mean over the board.
    top: Layer,
    pooled: Channels<i32>,
}

impl General {
    /// The net that comes with the program.
    pub fn built_in() -> &'static General {
        static NET: LazyLock<General> = LazyLock::new(|| {
            General::from_bytes(include_bytes!("../weights/general.net"))
                .expect("the weights that come with the program are whole")
        });
        &NET
    }

    /// Reads weights. `None` if they are incomplete or do not end where they should.
    pub fn from_bytes(bytes: &[u8]) -> Option<General> {
        let (&[channels, blocks, base, work, likelihood, largest], rest) =
            bytes.strip_prefix(MAGIC)?.split_first_chunk()?;
        if usize::from(channels) != CHANNELS {
            return None;
        }
        let mut bytes = rest.iter().copied();
        let mut next = words(&mut bytes);
        let net = General {
            trust: Trust::new([base, work, likelihood, largest])?,
            stem: read(&mut next)?,
            stem_bias: read_row(&mut next)?,
            mover: [read_row(&mut next)?, read_row(&mut next)?],
            blocks: (0..blocks).map(|_| Block::read(&mut next)).collect::<Option<_>>()?,
            cell: read_matrix(&mut next)?,
            cell_bias: read_bias(&mut next)?,
            around: read_rows(&mut next)?,
            moves: read_rows(&mut next)?,
            moves_bias: read_bias(&mut next)?,
        };
        drop(next);
        bytes.next().is_none().then_some(net)
    }

    /// Looks at a position.
    pub fn look<'a>(&'a self, field: &Field) -> Opinion<'a> {
        let view = View { board: field.board, turned: field.last == Player::White };
        let stones = [field.last, !field.last].map(|player| field.stones[player.index()]);
        let count = field.board.len();
        let (around, beyond) = view.neighbours();
        let kind = |cell: Cell| match stones.map(|set| set.has(cell)) {
            [true, true] => Some(2),
            [true, false] => Some(0),
            [false, true] => Some(1),
            [false, false] => None,
        };

        let mut stream = [[0; CHANNELS]; OUTSIDE + 1];
        let mover = usize::from(field.mover() == field.last);
        for (cell, sums) in stream[..count].iter_mut().enumerate() {
            *sums = self.stem_bias;
            add(sums, &self.mover[mover]);
            for (tap, &place) in around[cell].iter().enumerate() {
                let kind = if place == OUTSIDE { beyond[cell][tap] } else { kind(Cell::new(place)) };
                if let Some(kind) = kind {
                    add(sums, &self.stem[tap][kind]);
                }
            }
        }
        let mut active = [[0; CHANNELS]; OUTSIDE + 1];
        let mut middle = [[0; CHANNELS]; OUTSIDE + 1];
        for block in &self.blocks {
            activate(&stream[..count], &mut active);
            let pooled = dense(&mean(&active[..count]), &block.pool, &block.one.bias);
            kernel::convolve(&block.one.weights, &pooled, &active, &around[..count], |cell, sums| {
                for (place, &sum) in middle[cell].iter_mut().zip(sums) {
                    *place = rounded(sum).clamp(0, CEILING) as i16;
                }
            });
            kernel::convolve(&block.two.weights, &block.two.bias, &middle, &around[..count], |cell, sums| {
                for (place, &sum) in stream[cell].iter_mut().zip(sums) {
                    *place =
                        (i32::from(*place) + rounded(sum)).clamp(i16::MIN.into(), i16::MAX.into()) as i16;
                }
            });
        }
        activate(&stream[..count], &mut active);
        let pooled = mean(&active[..count]);
        Opinion { net: self, top: active, pooled }
    }
}

impl Opinion<'_> {
    /// A guess at the numbers of the position after each of these moves, before any fill-in.
    pub fn moves(&self, moves: &[Cell], guesses: &mut [Bounds]) {
        let bias = dense(&self.pooled, &self.net.around, &self.net.cell_bias);
        for (&cell, guess) in moves.iter().zip(guesses) {
            let sums = kernel::multiply(&self.net.cell, &bias, &self.top[cell.index()]);
            *guess = self.numbers(&sums);
        }
    }

    fn numbers(&self, sums: &Channels<i32>) -> Bounds {
        let mut outputs = self.net.moves_bias;
        for (&sum, weights) in sums.iter().zip(&self.net.moves) {
            let activation = rounded(sum).clamp(0, CEILING);
            for (output, &weight) in outputs.iter_mut().zip(weights) {
                *output += activation * i32::from(weight);
            }
        }
        self.net.trust.numbers(outputs.map(|output| output >> OUTPUT_BITS))
    }
}

/// A sum of products in the unit of activations.
fn rounded(sum: i32) -> i32 {
    (sum + (1 << (WEIGHT_BITS - 1))) >> WEIGHT_BITS
}

fn add(sums: &mut Channels<i16>, row: &Channels<i16>) {
    for (sum, weight) in sums.iter_mut().zip(row) {
        *sum = sum.saturating_add(*weight);
    }
}

fn activate(stream: &[Channels<i16>], active: &mut Layer) {
    for (active, sums) in active.iter_mut().zip(stream) {
        *active = sums.map(|sum| sum.clamp(0, CEILING as i16));
    }
}

fn mean(cells: &[Channels<i16>]) -> Channels<i32> {
    let mut sums = [0; CHANNELS];
    for cell in cells {
        for (sum, &here) in sums.iter_mut().zip(cell) {
            *sum += i32::from(here);
        }
    }
    sums.map(|sum| sum / cells.len() as i32)
}

fn dense(inputs: &Channels<i32>, weights: &[Channels<i16>], bias: &Channels<i32>) -> Channels<i32> {
    let mut sums = *bias;
    for (&input, weights) in inputs.iter().zip(weights) {
        for (sum, &weight) in sums.iter_mut().zip(weights) {
            *sum += input * i32::from(weight);
        }
    }
    sums
}

/// A board as the net sees it. To the net Last is Black. Where she is White, it looks at the reflection that exchanges
/// the colours: rows are columns.
#[derive(Clone, Copy)]
struct View {
    board: Board,
    turned: bool,
}

impl View {
    /// The places of each cell and its neighbours, and what lies beyond the edge where there is none.
    fn neighbours(self) -> ([[usize; TAPS.len()]; OUTSIDE], [[Option<usize>; TAPS.len()]; OUTSIDE]) {
        let mut around = [[OUTSIDE; TAPS.len()]; OUTSIDE];
        let mut beyond = [[None; TAPS.len()]; OUTSIDE];
        let (rows, cols) = (self.board.rows() as isize, self.board.cols() as isize);
        let mut cell = 0;
        for row in 0..rows {
            for col in 0..cols {
                for (tap, (down, right)) in TAPS.into_iter().enumerate() {
                    let (down, right) = if self.turned { (right, down) } else { (down, right) };
                    let (row, col) = (row + down, col + right);
                    if (0..rows).contains(&row) && (0..cols).contains(&col) {
                        around[cell][tap] = (row * cols + col) as usize;
                    } else {
                        beyond[cell][tap] = self.side(row, col);
                    }
                }
                cell += 1;
            }
        }
        (around, beyond)
    }

    /// The kind of stone beyond the edge: the sides are stones around the board, and Last owns the top and the bottom. The
    /// two corners where no side ends have none.
    fn side(self, row: isize, col: isize) -> Option<usize> {
        let (rows, cols) = (self.board.rows() as isize, self.board.cols() as isize);
        let (row, col, rows, cols) =
            if self.turned { (col, row, cols, rows) } else { (row, col, rows, cols) };
        if row < 0 {
            (col >= 0).then_some(0)
        } else if row >= rows {
            (col < cols).then_some(0)
        } else {
            Some(1)
        }
    }
}

fn read_row<const N: usize>(next: &mut dyn FnMut() -> Option<i16>) -> Option<[i16; N]> {
    let mut row = [0; N];
    for weight in &mut row {
        *weight = next()?;
    }
    Some(row)
}

fn read_rows<const N: usize, const ROWS: usize>(
    next: &mut dyn FnMut() -> Option<i16>,
) -> Option<[[i16; N]; ROWS]> {
    let mut rows = [[0; N]; ROWS];
    for row in &mut rows {
        *row = read_row(next)?;
    }
    Some(rows)
}

fn read<const N: usize, const ROWS: usize, const ALL: usize>(
    next: &mut dyn FnMut() -> Option<i16>,
) -> Option<[[[i16; N]; ROWS]; ALL]> {
    let mut all = [[[0; N]; ROWS]; ALL];
    for rows in &mut all {
        *rows = read_rows(next)?;
    }
    Some(all)
}

/// Biases, in the unit of sums.
fn read_bias<const N: usize>(next: &mut dyn FnMut() -> Option<i16>) -> Option<[i32; N]> {
    Some(read_row(next)?.map(|bias| i32::from(bias) << WEIGHT_BITS))
}

/// A matrix: in the file by input and output.
fn read_matrix<const PAIRS: usize>(next: &mut dyn FnMut() -> Option<i16>) -> Option<Matrix<PAIRS>> {
    let mut matrix = [[[0; 2]; CHANNELS]; PAIRS];
    for pair in &mut matrix {
        for half in 0..2 {
            for (weights, weight) in pair.iter_mut().zip(read_row::<CHANNELS>(next)?) {
                weights[half] = weight;
            }
        }
    }
    Some(matrix)
}

impl Hexagon {
    fn read(next: &mut dyn FnMut() -> Option<i16>) -> Option<Hexagon> {
        let mut weights = [[[[0; 2]; CHANNELS]; CHANNELS / 2]; TAPS.len()];
        for tap in &mut weights {
            *tap = read_matrix(next)?;
        }
        Some(Hexagon { weights, bias: read_bias(next)? })
    }
}

impl Block {
    fn read(next: &mut dyn FnMut() -> Option<i16>) -> Option<Block> {
        Some(Block { one: Hexagon::read(next)?, pool: read_rows(next)?, two: Hexagon::read(next)? })
    }
}

#[cfg(test)]
mod tests {
    use rex_game::{CellSet, Random, State};

    use super::*;

    fn opinion(field: &Field) -> Vec<Bounds> {
        let opinion = General::built_in().look(field);
        let cells: Vec<Cell> = field.board.cells().into_iter().collect();
        let mut guesses = vec![Bounds::UNKNOWN; cells.len()];
        opinion.moves(&cells, &mut guesses);
        guesses
    }

    #[test]
    fn it_thinks_the_same_of_a_position_and_its_reflection() {
        for (rows, cols) in [(5, 5), (4, 7), (7, 4), (8, 8), (1, 6), (2, 26)] {
            let board = Board::new(rows, cols).unwrap();
            let mirrored = Board::new(cols, rows).unwrap();
            let mut random = Random(rows as u64);
            for stones in 0..board.len() / 3 {
                let position = random.stones(board, stones, stones);
                let field = Field::new(&State { position, ..State::new(board) });
                let seen = opinion(&field);
                // Rows become columns and colours change, on a board that is as tall as this one is wide.
                let across = |cell: Cell| Cell::new(cell.index() % cols * rows + cell.index() / cols);
                let mirror =
                    |set: CellSet| set.into_iter().fold(CellSet::EMPTY, |all, cell| all | across(cell).set());
                let [black, white] = field.stones;
                let image =
                    Field { board: mirrored, stones: [mirror(white), mirror(black)], last: !field.last };
                let seen_there = opinion(&image);
                for cell in board.cells() {
                    assert_eq!(seen[cell.index()], seen_there[across(cell).index()], "{board} {stones}");
                }
            }
        }
    }

    #[test]
    fn weights_cut_short_are_refused() {
        let whole = include_bytes!("../weights/general.net");
        assert!(General::from_bytes(whole).is_some());
        assert!(General::from_bytes(&whole[..whole.len() - 1]).is_none());
        assert!(General::from_bytes(&[&whole[..], &[0]].concat()).is_none());
    }
}
