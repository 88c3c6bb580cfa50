use crate::expansion::Expansion;
use crate::known::Node;
use crate::table::Key;

/// The children of nodes met lately. Depth-first proof-number search comes back to a node many times, mostly soon,
/// and working out its children costs more than anything else it does there.
pub struct Expansions {
    /// For each place the number of its entry, counted from one; zero where there is none yet.
    places: Box<[u32]>,
    /// Grows with what is kept, so that a short search takes little memory.
    entries: Vec<(Node, Expansion)>,
}

/// The most entries that are of use.
pub const MOST: usize = 1 << 13;
/// The bytes of an entry.
pub const BYTES: usize = size_of::<(Node, Expansion)>() + size_of::<u32>();

impl Expansions {
    /// Room for this many nodes, at least one.
    pub fn new(count: usize) -> Expansions {
        Expansions { places: vec![0; count.max(1)].into_boxed_slice(), entries: Vec::new() }
    }

    /// Copies the children of a node to `children`, if they are at hand.
    pub fn get(&self, node: &Node, children: &mut Expansion) -> bool {
        let entry = (self.places[self.place(node)] as usize).checked_sub(1);
        match entry.map(|entry| &self.entries[entry]) {
            Some((kept, list)) if kept == node => {
                children.copy_from(list);
                true
            }
            _ => false,
        }
    }

    /// Keeps the children of a node in place of another's.
    pub fn put(&mut self, node: &Node, children: &Expansion) {
        let place = self.place(node);
        if self.places[place] == 0 {
            // What there is no memory for is worked out again.
            if self.entries.len() == self.entries.capacity() && self.entries.try_reserve(64).is_err() {
                return;
            }
            self.entries.push((*node, Expansion::NONE));
            self.places[place] = self.entries.len() as u32;
        }
        let (kept, list) = &mut self.entries[self.places[place] as usize - 1];
        *kept = *node;
        list.copy_from(children);
    }

    fn place(&self, node: &Node) -> usize {
        Key::new(node, 64).place as usize % self.places.len()
    }
}
