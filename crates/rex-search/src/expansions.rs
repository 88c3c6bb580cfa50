use std::io::Read;

use rex_game::Board;

use crate::checkpoint::{CheckpointError, Reader};
use crate::expansion::Expansion;
use crate::known::Node;
use crate::table::Key;

/// A cache of the children of recent nodes. Depth-first proof-number search returns to a node many times, usually
/// soon, and working out its children is the most expensive thing it does there.
pub struct Expansions {
    /// For each slot the number of its entry, counted from one. Zero: none yet.
    slots: Box<[u32]>,
    /// Grows as it fills up, so a short search takes little memory.
    entries: Vec<(Node, Expansion)>,
}

/// More entries than this do not help.
pub const MOST: usize = 1 << 15;
/// The bytes of an entry.
pub const BYTES: usize = size_of::<(Node, Expansion)>() + size_of::<u32>();

impl Expansions {
    /// Room for this many nodes, at least one.
    pub fn new(count: usize) -> Expansions {
        Expansions { slots: vec![0; count.max(1)].into_boxed_slice(), entries: Vec::new() }
    }

    /// Copies the children of a node to `children`, if they are in the cache.
    pub fn get(&self, node: &Node, children: &mut Expansion) -> bool {
        let entry = (self.slots[self.slot(node)] as usize).checked_sub(1);
        match entry.map(|entry| &self.entries[entry]) {
            Some((kept, list)) if kept == node => {
                children.copy_from(list);
                true
            }
            _ => false,
        }
    }

    /// Stores the children of a node, replacing whatever is in its slot.
    pub fn put(&mut self, node: &Node, children: &Expansion) {
        let slot = self.slot(node);
        if self.slots[slot] == 0 {
            // Out of memory: leave it out, and work it out again next time.
            if self.entries.len() == self.entries.capacity() && self.entries.try_reserve(64).is_err() {
                return;
            }
            self.entries.push((*node, Expansion::NONE));
            self.slots[slot] = self.entries.len() as u32;
        }
        let (kept, list) = &mut self.entries[self.slots[slot] as usize - 1];
        *kept = *node;
        list.copy_from(children);
    }

    /// Writes them for a checkpoint: how many there are, and each with its node.
    pub fn save(&self, board: Board, out: &mut Vec<u8>) {
        out.extend((self.entries.len() as u64).to_le_bytes());
        for (node, children) in &self.entries {
            out.extend(node.bytes(board));
            children.save(out);
        }
    }

    /// Reads them back. With less room the latest stay.
    pub fn load(&mut self, board: Board, input: &mut Reader<impl Read>) -> Result<(), CheckpointError> {
        let mut children = Expansion::NONE;
        for _ in 0..input.word()? {
            let node = input.node(board)?;
            children.load(board, input)?;
            self.put(&node, &children);
        }
        Ok(())
    }

    fn slot(&self, node: &Node) -> usize {
        (Key::new(node, 64).address % self.slots.len() as u64) as usize
    }
}
