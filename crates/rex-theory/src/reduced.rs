use rex_game::{Cell, CellSet, Player};

use crate::field::Field;
use crate::graph::Graph;

/// A field and both players' reduced graphs, kept up to date stone by stone.
#[derive(Clone, Debug)]
pub struct Reduced {
    /// The stones.
    pub field: Field,
    /// By [`Player::index`].
    pub graphs: [Graph; 2],
    /// Who has connected her sides, and so has lost, if anybody has.
    pub joined: Option<Player>,
}

impl Reduced {
    /// The reduced form of a field.
    pub fn new(field: Field) -> Reduced {
        let graphs = Player::BOTH.map(|player| Graph::new(&field, player));
        let joined = Player::BOTH.into_iter().find(|&player| field.board.joins(player, field.own(player)));
        Reduced { field, graphs, joined }
    }

    /// The graph of a player.
    #[inline]
    pub fn graph(&self, player: Player) -> &Graph {
        &self.graphs[player.index()]
    }

    /// The empty cells.
    #[inline]
    pub fn empty(&self) -> CellSet {
        self.graphs[0].cells
    }

    /// Puts a stone on an empty cell. Returns the cells whose neighbourhood may have changed.
    pub fn put(&mut self, cell: Cell, player: Player) -> CellSet {
        let changed = self.graph(player).changed_by_contracting(cell) | self.graph(!player).neighbours(cell);
        let absorbed = self.graph(player).links_a_group_to_a_side(cell, self.field.board);
        self.field.stones[player.index()].insert(cell);
        self.graphs[(!player).index()].delete(cell);
        if self.graphs[player.index()].contract(cell) {
            self.joined = Some(player);
        }
        if absorbed {
            self.graphs[player.index()] = Graph::new(&self.field, player);
        }
        changed
    }

    /// Settles a stone that would be dead if uncoloured. It no longer links the cells around it, so we rebuild the
    /// graphs. Returns the cells whose neighbourhood may have changed.
    pub fn settle_stone(&mut self, stone: Cell) -> CellSet {
        for stones in &mut self.field.stones {
            stones.insert(stone);
        }
        let mut changed = CellSet::EMPTY;
        for player in Player::BOTH {
            let graph = Graph::new(&self.field, player);
            changed |= graph.difference(self.graph(player));
            self.graphs[player.index()] = graph;
        }
        changed
    }

    /// Settles dead cells. Returns the cells whose neighbourhood may have changed.
    pub fn settle(&mut self, dead: CellSet) -> CellSet {
        let mut changed = CellSet::EMPTY;
        for graph in &mut self.graphs {
            changed |= graph.neighbours_of_set(dead);
            graph.cells -= dead;
        }
        for stones in &mut self.field.stones {
            *stones |= dead;
        }
        changed - dead
    }

    /// The cells each of which kills `cell` if `player` takes it, by the clique test in either player's graph.
    #[inline]
    pub fn killers(&self, cell: Cell, player: Player) -> CellSet {
        self.graph(!player).killers_by_deletion(cell) | self.graph(player).killers_by_contraction(cell)
    }

    /// Whether `cell` is dead once `player` has `taken`, by the same tests.
    pub fn dead_after(&self, cell: Cell, player: Player, taken: Cell) -> bool {
        self.graph(!player).dead_without(cell, taken.set()) || self.graph(player).dead_with(cell, taken)
    }
}
