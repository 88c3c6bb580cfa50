use std::sync::OnceLock;

use rex_game::{Board, Cell, CellSet, Player, Position, State};

use crate::dead::DeadTable;
use crate::joins::{BLACK_JOINED, Joins, WHITE_JOINED};
use crate::numbering::{Numbering, step};

/// Black wins with Black to move.
const BLACK_FIRST: u8 = 4;
/// Black wins with White to move.
const WHITE_FIRST: u8 = 8;

/// The winner of every position on a board of at most 16 cells, for either side to move.
///
/// The table has all 3^n ways to put stones on the board, whether or not a game can reach them. A 4x4
/// board takes 43 MB and about a second on one core.
pub struct Oracle {
    board: Board,
    pub(crate) numbering: Numbering,
    joins: Joins,
    /// For each position number, who is joined and whether Black wins with either side to move, as flags.
    table: Vec<u8>,
    /// For each block, and for the end, the number of live positions before it.
    pub(crate) live_before: Vec<usize>,
    dead: OnceLock<DeadTable>,
}

impl Oracle {
    /// Solves all positions on a board.
    ///
    /// # Panics
    /// If the board has more than 16 cells.
    pub fn new(board: Board) -> Oracle {
        let numbering = Numbering::new(board.len());
        let joins = Joins::new(board);
        let table = solve(&numbering, &joins);
        let mut live_before = vec![0];
        for block in table.chunks(numbering.block_len()) {
            let live = block.iter().filter(|&&entry| is_live(entry)).count();
            live_before.push(live_before[live_before.len() - 1] + live);
        }
        Oracle { board, numbering, joins, table, live_before, dead: OnceLock::new() }
    }

    /// The board of this oracle.
    pub fn board(&self) -> Board {
        self.board
    }

    /// The winner of a state. If somebody is joined, that is the other player.
    ///
    /// # Panics
    /// If the state is not on the board of this oracle.
    pub fn winner(&self, state: &State) -> Player {
        winner_in(self.table[self.index(&state.position)], state.to_move)
    }

    /// The same as [`winner`](Oracle::winner), from bare stones.
    ///
    /// # Panics
    /// If a cell is off the board or has two colours.
    pub fn winner_of(&self, black: CellSet, white: CellSet, to_move: Player) -> Player {
        winner_in(self.table[self.numbering.index(black, white)], to_move)
    }

    /// The winner of a position if `last` would colour the last cell. That determines who is to move:
    /// `last` exactly when the number of empty cells is odd.
    ///
    /// # Panics
    /// If the position is not on the board of this oracle.
    pub fn winner_with_last(&self, position: &Position, last: Player) -> Player {
        let to_move = if position.empty().len() % 2 == 1 { last } else { !last };
        winner_in(self.table[self.index(position)], to_move)
    }

    /// The winning moves of the side to move; none if somebody is joined.
    ///
    /// # Panics
    /// If the state is not on the board of this oracle.
    pub fn winning_moves(&self, state: &State) -> CellSet {
        if self.joined(&state.position).is_some() {
            return CellSet::EMPTY;
        }
        let wins = |&cell: &Cell| self.winner(&state.play(cell)) == state.to_move;
        state.position.empty().into_iter().filter(wins).collect()
    }

    /// Who has joined her own two sides, and so has lost. At most one player can have.
    ///
    /// # Panics
    /// If the position is not on the board of this oracle.
    pub fn joined(&self, position: &Position) -> Option<Player> {
        match self.table[self.index(position)] & (BLACK_JOINED | WHITE_JOINED) {
            0 => None,
            BLACK_JOINED => Some(Player::Black),
            WHITE_JOINED => Some(Player::White),
            _ => unreachable!("the players' joins would have to cross"),
        }
    }

    /// All dead cells of a position: the empty cells whose colour never decides who is joined, however
    /// the other empty cells are filled.
    ///
    /// The first call builds a second table (for 4x4, 86 MB in less than a second).
    ///
    /// # Panics
    /// If the position is not on the board of this oracle.
    pub fn dead(&self, position: &Position) -> CellSet {
        let table = self.dead.get_or_init(|| DeadTable::new(&self.numbering, &self.joins));
        CellSet::from_bits(table.at(self.index(position)).into())
    }

    /// Whether nobody is joined in the position with this number.
    pub(crate) fn is_live(&self, index: usize) -> bool {
        is_live(self.table[index])
    }

    fn index(&self, position: &Position) -> usize {
        assert!(position.board() == self.board, "the oracle is for another board");
        self.numbering.index(position.stones(Player::Black), position.stones(Player::White))
    }
}

fn is_live(entry: u8) -> bool {
    entry & (BLACK_JOINED | WHITE_JOINED) == 0
}

fn winner_in(entry: u8, to_move: Player) -> Player {
    let black_wins = match to_move {
        Player::Black => BLACK_FIRST,
        Player::White => WHITE_FIRST,
    };
    if entry & black_wins != 0 { Player::Black } else { Player::White }
}

/// Fills the table from the full boards (the largest numbers) down to the empty one.
fn solve(numbering: &Numbering, joins: &Joins) -> Vec<u8> {
    let mut table = vec![0; numbering.len()];
    for block in (0..numbering.blocks()).rev() {
        for place in (0..numbering.block_len()).rev() {
            let index = block * numbering.block_len() + place;
            let stones = numbering.stones(block, place);
            table[index] = match joins.of(stones) {
                0 => decide(&table, index, numbering.empty(stones)),
                BLACK_JOINED => BLACK_JOINED,
                joined => joined | BLACK_FIRST | WHITE_FIRST,
            };
        }
    }
    table
}

/// The entry of a live position. Each player, if she is to move, wins if she has a winning move.
fn decide(table: &[u8], index: usize, empty: u16) -> u8 {
    let mut entry = WHITE_FIRST;
    let mut cells = empty;
    while cells != 0 && entry != BLACK_FIRST {
        let step = step(cells.trailing_zeros() as usize);
        if table[index + step] & WHITE_FIRST != 0 {
            entry |= BLACK_FIRST;
        }
        if table[index + 2 * step] & BLACK_FIRST == 0 {
            entry &= !WHITE_FIRST;
        }
        cells &= cells - 1;
    }
    entry
}
