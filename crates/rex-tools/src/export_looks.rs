//! `rex-tools export-looks`: what searches found out about the moves they looked at, to train the general net with.

use std::collections::HashMap;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::Result;
use rex_game::{Board, Cell, CellSet, Player, Random};
use rex_search::{Bounds, Limits, Node, Part, Settings, Solver, Work};
use serde_json::json;

use crate::draw::Stones;
use crate::export_training::{stones_as_bytes, write_whole};

/// Write the proof numbers that searches found for the moves they looked at
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Rows x columns, such as 7x7; Black is Last in all positions, so 6x7 and 7x6 differ
    #[arg(value_name = "SIZE")]
    board: Board,
    /// Where to write them
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Search this many random positions, each from an empty table
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    random: u64,
    /// Another number gives other random positions, the same number the same ones
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Random positions have half of this many stones, drawn from this range, for Last, and as many and up to three more
    /// for Notlast
    #[arg(long, value_name = "A-B", default_value = "2-12")]
    stones: Stones,
    /// Stop each search after this many nodes
    #[arg(long, value_name = "N", default_value_t = 40_000)]
    nodes: u64,
    /// Memory for the search, in MiB; the same command gives the same file anywhere, so it is fixed
    #[arg(long, value_name = "MIB", default_value_t = 256)]
    memory: u64,
}

const EXAMPLES: &str = "\
Examples:
  rex-tools export-looks 7x7 --random 1000 --seed 1 -o 7x7.looks
  rex-tools export-looks 8x8 --random 100 --stones 4-14 --nodes 15000 -o 8x8.looks

A look counts whether it led anywhere or not: most of what a search looks at it never solves. docs/training.md has the format.
The file is written at the end; what is told about it is one JSON object.";

/// A file starts with this and the version.
const MAGIC: &[u8; 4] = b"RXLK";
const VERSION: u8 = 1;
/// The steps of a number in the file for each doubling, and what stands for the loser's number once a position is solved.
const STEPS: f64 = 8.0;
const LOST: u8 = 255;
/// A position with less work has no move that was looked at.
const LEAST_WORK: u64 = 2;

/// Positions, and the moves from each that a search has looked at.
#[derive(Default)]
struct Looks {
    stones: Vec<[CellSet; 2]>,
    /// How many moves there are from each.
    counts: Vec<u8>,
    /// A cell, the numbers of Last and Notlast after the move, and the work behind them.
    moves: Vec<[u8; 4]>,
}

impl Looks {
    /// Adds what a search knows of the positions it met.
    fn add(&mut self, solver: &Solver) {
        for met in solver.numbers(solver.take_met()) {
            if met.node.last == Player::Black
                && let Ok(children) = solver.children(&met.node)
            {
                let known = solver.numbers(children.iter().map(|child| child.node).collect());
                let known: HashMap<Node, _> = known.into_iter().map(|known| (known.node, known)).collect();
                let looked_at =
                    children.iter().filter_map(|child| Some((child.cell, known.get(&child.node)?)));
                let before = self.moves.len();
                self.moves
                    .extend(looked_at.map(|(cell, found)| look(cell, found.entry.bounds, found.entry.work)));
                if self.moves.len() > before {
                    self.stones.push(met.node.stones);
                    self.counts.push((self.moves.len() - before) as u8);
                }
            }
        }
    }

    fn bytes(&self, board: Board) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend([VERSION, board.rows() as u8, board.cols() as u8, 0]);
        bytes.extend((self.stones.len() as u64).to_le_bytes());
        bytes.extend(self.stones.iter().flat_map(|stones| stones_as_bytes(stones, board)));
        bytes.extend(&self.counts);
        bytes.extend(self.moves.as_flattened());
        bytes
    }
}

fn look(cell: Cell, bounds: Bounds, work: Work) -> [u8; 4] {
    let number = |part| match bounds.winner() {
        Some(winner) if winner == part => 0,
        Some(_) => LOST,
        None => ((bounds.get(part) as f64).log2() * STEPS).round().min(f64::from(LOST - 1)) as u8,
    };
    [cell.index() as u8, number(Part::Last), number(Part::Notlast), work.step()]
}

/// Searches random positions and writes what it looked at.
pub fn run(args: &Args) -> Result<()> {
    let board = args.board;
    args.stones.check(board)?;
    let settings = Settings { memory: args.memory << 20, note: Some(LEAST_WORK), ..Settings::default() };
    let limits = Limits { nodes: Some(args.nodes), ..Limits::default() };
    let mut random = Random(args.seed);
    let mut looks = Looks::default();
    let (mut unsolved, mut nodes, mut time) = (0, 0, Duration::ZERO);
    for _ in 0..args.random {
        let started = Instant::now();
        let solver = Solver::new(board, settings.clone())?;
        let solution = solver.ask(&args.stones.draw(board, &mut random)).limits(&limits).verdict();
        looks.add(&solver);
        unsolved += u64::from(solution.winner.is_none());
        nodes += solution.nodes;
        time += started.elapsed();
    }
    write_whole(&args.output, &looks.bytes(board))?;
    let told = json!({
        "file": args.output.display().to_string(),
        "board": board.to_string(),
        "positions": looks.stones.len(),
        "moves": looks.moves.len(),
        "searched": args.random,
        "unsolved": unsolved,
        "nodes": nodes,
        "seconds": time.as_secs_f64(),
    });
    println!("{told}");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_is_as_described() {
        let board = Board::new(3, 3).unwrap();
        let unsolved = Bounds { last: 8, notlast: 12 };
        let looks = Looks {
            stones: vec![[CellSet::from_bits(0b1_0000_0000), CellSet::from_bits(0b10)]],
            counts: vec![2],
            moves: vec![
                look(Cell::new(4), unsolved, Work::of(1)),
                look(Cell::new(5), Bounds::won_by(Part::Notlast), Work::of(6)),
            ],
        };
        let bytes = looks.bytes(board);
        let (head, rest) = bytes.split_at(16);
        assert_eq!(head, [&b"RXLK\x01\x03\x03\x00"[..], &1u64.to_le_bytes()].concat());
        // Eight times the binary logarithms: of 8 it is 24, of 12 28.7.
        assert_eq!(rest, [0, 1, 2, 0, 2, 4, 24, 29, 0, 5, 255, 0, 10]);
    }
}
