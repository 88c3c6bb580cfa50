//! `solrex census`: every position of a small board, counted by its value.

use std::fmt::Write;

use anyhow::{Result, bail};
use rex_game::{Board, Player, Position, Symmetry};
use rex_oracle::Oracle;
use serde_json::json;

use crate::arguments::units::size;
use crate::cli::Show;
use crate::show::style::{self, paint};
use crate::show::text::thousands;
use crate::{Ending, show::log, show::output};

/// Count the positions of a small board by who wins them
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Rows x columns, such as 4x4, or one number for a square board; at most 16 cells
    #[arg(value_name = "SIZE", value_parser = size)]
    board: Board,
    /// Count rotations of a position once
    #[arg(long)]
    up_to_symmetry: bool,
}

const EXAMPLES: &str = "\
Examples:
  solrex census 3x3
  solrex census 4x4 -v
  solrex census 3x4 --up-to-symmetry --json

All ways to place stones are counted, with any numbers of each colour. Positions have no side to move: one is won by
Black or by White whoever would colour the last cell, or by Notlast, the player who would not.";

/// The largest board whose table fits in memory.
const MOST_CELLS: usize = 16;

/// The positions with this many stones.
#[derive(Clone, Default)]
struct CensusRow {
    stones: usize,
    /// How many are not over.
    open: u64,
    black: u64,
    white: u64,
    notlast: u64,
    /// How many are over.
    over: u64,
}

/// The table of all positions of a board.
///
/// # Errors
/// If the board is too large.
pub fn oracle(board: Board) -> Result<Oracle> {
    if board.len() > MOST_CELLS {
        bail!("a board of {board} has {} cells; expected at most {MOST_CELLS}", board.len());
    }
    Ok(Oracle::new(board))
}

/// Counts the positions.
pub fn run(args: &Args, show: Show) -> Result<Ending> {
    log::note("solving every position");
    let oracle = oracle(args.board)?;
    log::note("counting");
    let rows = count(&oracle, args.up_to_symmetry);
    log::note("done");
    if show.json {
        for row in &rows {
            let CensusRow { stones, open, black, white, notlast, over } = row;
            output::json(json!({
                "board": args.board.to_string(), "stones": stones, "open": open, "black": black,
                "white": white, "notlast": notlast, "over": over,
            }))?;
        }
    } else {
        output::text(&table(&rows))?;
    }
    Ok(Ending::Answered)
}

fn count(oracle: &Oracle, up_to_symmetry: bool) -> Vec<CensusRow> {
    let board = oracle.board();
    let mut rows: Vec<CensusRow> =
        (0..=board.len()).map(|stones| CensusRow { stones, ..CensusRow::default() }).collect();
    for position in oracle.live_positions() {
        if up_to_symmetry && !is_first_image(&position) {
            continue;
        }
        let row = &mut rows[board.len() - position.empty().len()];
        row.open += 1;
        match Player::BOTH.map(|last| oracle.winner_with_last(&position, last)) {
            [Player::Black, Player::Black] => row.black += 1,
            [Player::White, Player::White] => row.white += 1,
            [Player::White, Player::Black] => row.notlast += 1,
            // A player who wins as Last also wins as Notlast.
            [Player::Black, Player::White] => unreachable!("'{position:?}' is won by Last alone"),
        }
    }
    if !up_to_symmetry {
        for (stones, row) in rows.iter_mut().enumerate() {
            row.over = colourings(board.len(), stones) - row.open;
        }
    }
    rows
}

/// The symmetries that keep the colours, and with them who wins.
fn turns(board: Board) -> impl Iterator<Item = Symmetry> {
    Symmetry::of(board).iter().copied().filter(|symmetry| !symmetry.swaps_colours())
}

/// Whether the position is the first of its images.
fn is_first_image(position: &Position) -> bool {
    let stones = |position: &Position| Player::BOTH.map(|player| position.stones(player));
    let images = turns(position.board()).map(|symmetry| stones(&position.image(symmetry)));
    images.min().is_none_or(|least| least == stones(position))
}

/// How many ways there are to put this many stones on the board: which cells, and which colours.
fn colourings(cells: usize, stones: usize) -> u64 {
    let choose = (0..stones as u64).fold(1, |ways, i| ways * (cells as u64 - i) / (i + 1));
    choose << stones
}

fn table(rows: &[CensusRow]) -> String {
    let over = rows.iter().any(|row| row.over > 0);
    let header = ["stones", "open", "Black", "White", "Notlast", if over { "over" } else { "" }];
    let mut text = String::new();
    let mut line = |fields: [String; 6], strong: bool| {
        let [first, rest @ ..] = fields;
        let mut written = format!("{first:>6}");
        for field in rest {
            let _ = write!(written, " {field:>12}");
        }
        let written = written.trim_end().to_owned();
        text += &if strong { paint(style::STRONG, written) } else { written };
        text.push('\n');
    };
    line(header.map(str::to_owned), true);
    let mut total = CensusRow::default();
    let fields = |row: &CensusRow, first: String| {
        let over = if over { thousands(row.over) } else { String::new() };
        [first, thousands(row.open), thousands(row.black), thousands(row.white), thousands(row.notlast), over]
    };
    for row in rows {
        line(fields(row, row.stones.to_string()), false);
        total.open += row.open;
        total.black += row.black;
        total.white += row.white;
        total.notlast += row.notlast;
        total.over += row.over;
    }
    line(fields(&total, "all".to_owned()), false);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn totals(size: &str, up_to_symmetry: bool) -> [u64; 5] {
        let rows = count(&Oracle::new(size.parse().unwrap()), up_to_symmetry);
        let sum = |field: fn(&CensusRow) -> u64| rows.iter().map(field).sum();
        [sum(|r| r.open), sum(|r| r.black), sum(|r| r.white), sum(|r| r.notlast), sum(|r| r.over)]
    }

    #[test]
    fn every_position_is_counted_once() {
        for (size, all) in [("1x1", 3), ("2x2", 81), ("2x3", 729), ("3x3", 19_683), ("1x5", 243)] {
            let [open, black, white, notlast, over] = totals(size, false);
            assert_eq!(open + over, all, "{size}");
            assert_eq!(black + white + notlast, open, "{size}");
        }
    }

    #[test]
    fn a_square_board_favours_nobody() {
        for size in ["1x1", "2x2", "3x3"] {
            let [_, black, white, ..] = totals(size, false);
            assert_eq!(black, white, "{size}");
        }
    }

    /// Burnside's lemma: the average number of positions that a symmetry leaves unchanged.
    #[test]
    fn up_to_symmetry_there_are_as_many_as_orbits() {
        let oracle = Oracle::new(Board::new(3, 3).unwrap());
        let fixed = oracle.live_positions().map(|position| {
            turns(oracle.board()).filter(|&symmetry| position.image(symmetry) == position).count()
        });
        let [open, black, white, ..] = totals("3x3", true);
        assert_eq!(open, (fixed.sum::<usize>() / turns(oracle.board()).count()) as u64);
        // A reflection swaps the colours of all of them.
        assert_eq!(black, white);
    }
}
