//! From a node to its children: the moves worth trying and the filled, canonical positions they lead to.

use rex::{Cell, CellSet, Symmetry};
use rex_theory::domination::Domination;
use rex_theory::fill_in::fill_in;
use rex_theory::{Field, Options, Reduced};

use crate::bounds::Part;
use crate::node::Node;
use crate::resistance::hex_value;

/// The children of a node, the most promising first: for each the move, the filled canonical position, and the
/// symmetry that leads there from the parent's coordinates.
#[derive(Clone, Copy, Debug)]
pub struct Children {
    len: u8,
    cells: [Cell; 64],
    symmetries: [Symmetry; 64],
    nodes: [[CellSet; 2]; 64],
}

impl Children {
    /// No children.
    pub const NONE: Children = Children {
        len: 0,
        cells: [Cell::new(0); 64],
        symmetries: [Symmetry::Identity; 64],
        nodes: [[CellSet::EMPTY; 2]; 64],
    };

    /// How many there are.
    pub fn len(&self) -> usize {
        self.len as usize
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The move to a child.
    pub fn cell(&self, index: usize) -> Cell {
        self.cells[index]
    }

    /// The symmetry from the parent's coordinates to the child's.
    pub fn symmetry(&self, index: usize) -> Symmetry {
        self.symmetries[index]
    }

    /// The stones of a child.
    pub fn stones(&self, index: usize) -> [CellSet; 2] {
        self.nodes[index]
    }

    /// Becomes a copy of `other`. Only what is in use is copied.
    pub fn copy_from(&mut self, other: &Children) {
        let len = other.len();
        self.len = other.len;
        self.cells[..len].copy_from_slice(&other.cells[..len]);
        self.symmetries[..len].copy_from_slice(&other.symmetries[..len]);
        self.nodes[..len].copy_from_slice(&other.nodes[..len]);
    }

    /// Adds a child unless another move leads to the same position.
    fn push(&mut self, cell: Cell, node: &Node, symmetry: Symmetry) {
        let len = self.len();
        if !self.nodes[..len].contains(&node.stones) {
            self.cells[len] = cell;
            self.symmetries[len] = symmetry;
            self.nodes[len] = node.stones;
            self.len += 1;
        }
    }
}

/// Fills a position in and brings it to canonical form; `Err` says who won when somebody is joined.
fn settle(reduced: &mut Reduced, options: &Options, changed: CellSet) -> Result<(Node, Symmetry), Part> {
    fill_in(reduced, options, changed, &mut ());
    match reduced.joined {
        Some(loser) => Err(Part::of(!loser, reduced.field.last)),
        None => Ok(Node::of(&reduced.field)),
    }
}

/// The filled canonical node of a field; `Err` says who won when somebody is joined.
pub fn node_of(field: &Field, options: &Options) -> Result<(Node, Symmetry), Part> {
    settle(&mut Reduced::new(*field), options, field.board.cells())
}

/// The moves of the mover that are worth trying, worst Hex move first. `keys` are cells she must not take.
pub fn ordered_moves(
    reduced: &Reduced,
    options: &Options,
    keys: CellSet,
) -> impl Iterator<Item = Cell> + use<> {
    let mover = reduced.field.mover();
    let graph = reduced.graph(mover);
    let joining = graph.sides[0] & graph.sides[1];
    let moves = Domination::new(reduced, mover, options).prune(reduced.empty() - joining - keys);
    let value = hex_value(reduced);
    let mut order = [Cell::new(0); 64];
    for (slot, cell) in order.iter_mut().zip(moves) {
        *slot = cell;
    }
    let count = moves.len();
    order[..count].sort_unstable_by(|a, b| value[a.index()].total_cmp(&value[b.index()]).then(a.cmp(b)));
    order.into_iter().take(count)
}

/// Writes the children of a filled node into `children`; `Some` when that already tells who wins.
pub fn expand(reduced: &Reduced, options: &Options, keys: CellSet, children: &mut Children) -> Option<Part> {
    children.len = 0;
    let mover = reduced.field.mover();
    let part = Part::of(mover, reduced.field.last);
    for cell in ordered_moves(reduced, options, keys) {
        let mut after = reduced.clone();
        let changed = after.put(cell, mover);
        match settle(&mut after, options, changed) {
            Ok((node, symmetry)) => children.push(cell, &node, symmetry),
            // The fill-in joined the opponent, and the move wins, or the mover, and it is out.
            Err(winner) if winner == part => return Some(winner),
            Err(_) => {}
        }
    }
    children.is_empty().then_some(part.other())
}
