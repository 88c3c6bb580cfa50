//! From a node to its children: the moves worth trying and the filled, canonical positions they lead to.

use std::io::Read;

use rex_game::{Board, Cell, CellSet, Player, Symmetry};
use rex_theory::Reduced;

use crate::checkpoint::{CheckpointError, Reader};
use crate::context::Context;
use crate::guidance::Ranked;
use crate::known::{Bounds, Child, Node, Part};

/// The children of a node, the most promising first. Each has its move and, once worked out, its filled canonical
/// position and the symmetry from the parent's coordinates to the child's. Fill-in is the most expensive part of a
/// child, so it waits until the search is about to visit it.
#[derive(Clone, Copy, Debug)]
pub struct Expansion {
    len: u8,
    /// A bit for each child that is worked out.
    ready: u64,
    /// A bit for each child to skip: the move joins the mover, another move leads to the same position, or a reason
    /// says that it loses.
    gone: u64,
    cells: [Cell; 64],
    symmetries: [Symmetry; 64],
    nodes: [[CellSet; 2]; 64],
    /// As [`Bounds::code`], which takes half the memory.
    guesses: [u64; 64],
    /// How many answers to the move were open when the child was last visited; 0: it was not.
    open_answers: [u8; 64],
}

impl Expansion {
    /// No children.
    pub const NONE: Expansion = Expansion {
        len: 0,
        ready: 0,
        gone: 0,
        cells: [Cell::new(0); 64],
        symmetries: [Symmetry::Identity; 64],
        nodes: [[CellSet::EMPTY; 2]; 64],
        guesses: [0; 64],
        open_answers: [0; 64],
    };

    /// Writes them for a checkpoint.
    pub fn save(&self, out: &mut Vec<u8>) {
        out.push(self.len);
        out.extend([self.ready, self.gone].map(u64::to_le_bytes).as_flattened());
        for index in 0..self.len() {
            let small =
                [self.cells[index].index() as u8, self.symmetries[index] as u8, self.open_answers[index]];
            out.extend(small);
            let [black, white] = self.nodes[index].map(CellSet::bits);
            out.extend([black, white, self.guesses[index]].map(u64::to_le_bytes).as_flattened());
        }
    }

    /// Reads them back.
    pub fn load(&mut self, board: Board, input: &mut Reader<impl Read>) -> Result<(), CheckpointError> {
        self.len = input.byte()?;
        if self.len() > board.len() {
            return Err(CheckpointError::Damaged);
        }
        (self.ready, self.gone) = (input.word()?, input.word()?);
        for index in 0..self.len() {
            self.cells[index] = input.cell(board)?;
            let symmetry =
                Symmetry::of(board).get(usize::from(input.byte()?)).ok_or(CheckpointError::Damaged)?;
            self.symmetries[index] = *symmetry;
            self.open_answers[index] = input.byte()?;
            self.nodes[index] = [input.cells(board)?, input.cells(board)?];
            self.guesses[index] = input.word()?;
            Bounds::from_code(self.guesses[index]).checked().ok_or(CheckpointError::Damaged)?;
        }
        Ok(())
    }

    /// Starts over with these moves, none of them worked out.
    pub fn begin(&mut self, moves: &Ranked) {
        let len = moves.len;
        (self.len, self.ready, self.gone) = (len as u8, 0, 0);
        self.cells[..len].copy_from_slice(&moves.cells[..len]);
        for (code, guess) in self.guesses.iter_mut().zip(&moves.guesses[..len]) {
            *code = guess.code();
        }
        self.open_answers[..len].fill(0);
    }

    /// How many children there are.
    pub fn len(&self) -> usize {
        self.len as usize
    }

    /// The move to a child.
    pub fn cell(&self, index: usize) -> Cell {
        self.cells[index]
    }

    /// Whether a child has been worked out.
    pub fn is_ready(&self, index: usize) -> bool {
        self.ready >> index & 1 != 0
    }

    /// Whether to skip a child.
    pub fn is_gone(&self, index: usize) -> bool {
        self.gone >> index & 1 != 0
    }

    /// The symmetry from the parent's coordinates to the child's.
    pub fn symmetry(&self, index: usize) -> Symmetry {
        self.symmetries[index]
    }

    /// The stones of a child that has been worked out.
    pub fn stones(&self, index: usize) -> [CellSet; 2] {
        self.nodes[index]
    }

    /// How many answers to the move were open when the child was last visited, if it was.
    pub fn open_answers(&self, index: usize) -> Option<u8> {
        Some(self.open_answers[index]).filter(|&open| open > 0)
    }

    /// Notes how many answers to the move were open as the child was visited.
    pub fn visited(&mut self, index: usize, open_answers: u8) {
        self.open_answers[index] = open_answers;
    }

    /// The first guess at a child's numbers, for as long as nobody has visited it.
    pub fn guess(&self, index: usize) -> Bounds {
        Bounds::from_code(self.guesses[index])
    }

    /// The children that are not skipped, with first guesses at their numbers. All must be worked out.
    pub fn open(&self, last: Player) -> impl Iterator<Item = Child> {
        (0..self.len()).filter(|&index| !self.is_gone(index)).map(move |index| Child {
            cell: self.cells[index],
            symmetry: self.symmetries[index],
            node: Node { stones: self.nodes[index], last },
            bounds: self.guess(index),
        })
    }

    /// Skips the children with these moves. Returns how many of them were not skipped before.
    pub fn strike(&mut self, moves: CellSet) -> u64 {
        let with_moves = (0..self.len()).filter(|&index| moves.has(self.cells[index]));
        let struck = with_moves.fold(0, |struck, index| struck | 1 << index) & !self.gone;
        self.gone |= struck;
        u64::from(struck.count_ones())
    }

    /// Copies `other`, but only the slots in use.
    pub fn copy_from(&mut self, other: &Expansion) {
        let len = other.len();
        self.len = other.len;
        self.ready = other.ready;
        self.gone = other.gone;
        self.cells[..len].copy_from_slice(&other.cells[..len]);
        self.symmetries[..len].copy_from_slice(&other.symmetries[..len]);
        self.nodes[..len].copy_from_slice(&other.nodes[..len]);
        self.guesses[..len].copy_from_slice(&other.guesses[..len]);
        self.open_answers[..len].copy_from_slice(&other.open_answers[..len]);
    }

    /// Works out a child. `Some`: the move wins at once.
    pub fn make_ready(&mut self, index: usize, parent: &Reduced, context: &Context) -> Option<Part> {
        let mover = parent.field.mover();
        let mut after = parent.clone();
        let changed = after.put(self.cells[index], mover);
        self.ready |= 1 << index;
        match context.fill(&mut after, changed) {
            Ok((node, symmetry)) => {
                let earlier = self.ready & !self.gone & !(1 << index);
                let known = |other: usize| earlier >> other & 1 != 0 && self.nodes[other] == node.stones;
                if (0..self.len()).any(known) {
                    self.gone |= 1 << index;
                }
                self.symmetries[index] = symmetry;
                self.nodes[index] = node.stones;
                self.guesses[index] = context.guide.guess(&after, self.guess(index)).code();
                None
            }
            // If fill-in joined the opponent, the move wins; if it joined the mover, the move is out.
            Err(winner) if winner == Part::of(mover, parent.field.last) => {
                self.ready &= !(1 << index);
                Some(winner)
            }
            Err(_) => {
                self.gone |= 1 << index;
                None
            }
        }
    }
}
