//! Where a search was stopped: the nodes on its line, each with its children and their numbers as they were. The next search of the
//! same node goes on from there, as if it had not been stopped.

use std::io::Read;

use rex_game::{Board, CellSet};

use super::learn::Foreknown;
use crate::checkpoint::{CheckpointError, Reader};
use crate::expansion::Expansion;
use crate::known::{Bounds, Node};

/// A node on the line.
pub struct Frame {
    pub node: Node,
    pub children: Expansion,
    pub bounds: [Bounds; 64],
    pub foreknown: Foreknown,
}

/// The nodes on the line, the root last.
#[derive(Default)]
pub struct Stopped(Vec<Frame>);

impl Stopped {
    /// Adds the node above those that were added before.
    pub fn add(&mut self, frame: Frame) {
        self.0.push(frame);
    }

    /// Takes the next node of the line, if it is this one. Otherwise the search has gone another way, and the rest is forgotten.
    pub fn at(&mut self, node: &Node) -> Option<Frame> {
        let frame = self.0.pop().filter(|frame| frame.node == *node);
        if frame.is_none() {
            self.0.clear();
        }
        frame
    }

    /// Writes it for a checkpoint: how many nodes, and each of them with its children, their numbers, and what is foreknown.
    pub fn save(&self, board: Board, out: &mut Vec<u8>) {
        out.extend((self.0.len() as u64).to_le_bytes());
        for frame in &self.0 {
            let Frame { node, children, bounds, foreknown } = frame;
            out.extend(node.bytes(board));
            children.save(out);
            out.extend(bounds[..children.len()].iter().flat_map(|bounds| bounds.code().to_le_bytes()));
            let sets = [foreknown.struck, foreknown.empty].into_iter().chain(foreknown.answers);
            out.extend(sets.flat_map(|cells| cells.bits().to_le_bytes()));
        }
    }

    /// Reads it back.
    pub fn load(&mut self, board: Board, input: &mut Reader<impl Read>) -> Result<(), CheckpointError> {
        for _ in 0..input.word()? {
            let node = input.node(board)?;
            let mut children = Expansion::NONE;
            children.load(board, input)?;
            let mut bounds = [Bounds::UNKNOWN; 64];
            for bounds in &mut bounds[..children.len()] {
                *bounds = Bounds::from_code(input.word()?).checked().ok_or(CheckpointError::Damaged)?;
            }
            let (struck, empty) = (input.cells(board)?, input.cells(board)?);
            let mut answers = [CellSet::EMPTY; 64];
            for cells in &mut answers {
                *cells = input.cells(board)?;
            }
            let foreknown = Foreknown { winner: None, struck, empty, answers };
            self.add(Frame { node, children, bounds, foreknown });
        }
        Ok(())
    }
}
