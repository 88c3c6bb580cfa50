use crate::expand::Children;
use crate::node::{Key, Node};

/// The children of nodes met lately. Depth-first proof-number search comes back to a node many times, mostly soon,
/// and working out its children costs more than anything else it does there.
pub struct Expansions {
    slots: Box<[Option<(Node, Children)>]>,
}

/// About 10 MB.
const SLOTS: usize = 1 << 13;

impl Default for Expansions {
    fn default() -> Expansions {
        Expansions { slots: vec![None; SLOTS].into_boxed_slice() }
    }
}

impl Expansions {
    /// Copies the children of a node to `children`, if they are at hand.
    pub fn get(&self, node: &Node, children: &mut Children) -> bool {
        match &self.slots[Self::place(node)] {
            Some((kept, list)) if kept == node => {
                children.copy_from(list);
                true
            }
            _ => false,
        }
    }

    /// Keeps the children of a node in place of another's.
    pub fn put(&mut self, node: &Node, children: &Children) {
        let (kept, list) = self.slots[Self::place(node)].get_or_insert((*node, Children::NONE));
        *kept = *node;
        list.copy_from(children);
    }

    fn place(node: &Node) -> usize {
        Key::new(node, 64).place as usize % SLOTS
    }
}
