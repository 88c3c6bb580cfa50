//! Search with a budget, one piece at a time: what it takes to spread a search over many solvers.

use rex_game::{Cell, Player, State, Symmetry};
use rex_theory::Field;

use super::{Listener, Progress, Run, Solver, progress};
use crate::dfpn::View;
use crate::known::{Bounds, Child, Node, Numbers, Part, Solved};
use crate::limits::{Limits, StopReason};
use crate::parallel::{self, Task};
use crate::reasons::Reason;
use crate::table::Key;
use crate::upper_tree::UpperTree;

/// What a search with a budget found out about a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explored {
    /// Its numbers. If it is decided, they say who wins.
    pub bounds: Bounds,
    /// The winning move, if the side to move wins and one is known, in the node's coordinates.
    pub best: Option<Cell>,
    /// The moves worth trying, with the numbers of the positions they lead to.
    pub children: Vec<Child>,
    /// Nodes it took.
    pub nodes: u64,
}

impl Solver {
    /// The filled canonical node of a state. `Err`: a player is joined, and this is the winner.
    pub fn node_of(&self, state: &State) -> Result<Node, Player> {
        if let Some(winner) = state.position.winner() {
            return Err(winner);
        }
        let field = Field::new(state);
        let filled = self.context().node_of(&field);
        filled.map(|(node, _)| node).map_err(|winner| winner.player(field.last))
    }

    /// Searches a node for about `budget` nodes, or until one of its numbers reaches `limit`, and returns how far it
    /// got. The node limit is ignored: it would end the search without numbers.
    ///
    /// # Errors
    /// If the time limit or the cancel flag stops it.
    pub(super) fn explore(
        &self,
        node: &Node,
        limit: Bounds,
        budget: u64,
        limits: &Limits,
        listener: Listener,
    ) -> Result<Explored, StopReason> {
        self.seed();
        let mut run = self.run(&Limits { nodes: None, ..limits.clone() }, listener);
        let found = run.search_node(node, limit, budget);
        let nodes = run.search().watch.nodes();
        let explored = found.map(|bounds| {
            let children = run.searches[0].children(node).unwrap_or_default();
            let mover = run.search().mover(node);
            let best = children.iter().find(|child| child.bounds.winner() == Some(mover));
            let best = best.map(|child| child.cell).filter(|_| bounds.winner() == Some(mover));
            Explored { bounds, best, children, nodes }
        });
        self.finish(run);
        explored
    }

    /// The moves worth trying at a node, with the table's numbers for each, or a first guess if it has none. Does not
    /// search.
    ///
    /// # Errors
    /// If one of the moves wins at once: the error is the winner.
    pub fn children(&self, node: &Node) -> Result<Vec<Child>, Part> {
        let mut nobody = |_: &Progress| {};
        let mut run = self.run(&Limits::default(), &mut nobody);
        let children = run.searches[0].children(node);
        self.finish(run);
        children
    }

    /// The positions noted since the last call, if [`Settings::note`] is set. One may occur many times.
    ///
    /// [`Settings::note`]: super::Settings::note
    pub fn take_met(&self) -> Vec<Node> {
        std::mem::take(&mut *self.met.lock())
    }

    /// The table's numbers for these positions, each of them once.
    pub fn numbers(&self, mut nodes: Vec<Node>) -> Vec<Numbers> {
        nodes.sort_unstable_by_key(|node| (node.stones, node.last.index()));
        nodes.dedup();
        let known = |node: Node| {
            let entry = self.table.get(Key::new(&node, self.board.len()))?;
            Some(Numbers { node, entry })
        };
        nodes.into_iter().filter_map(known).collect()
    }

    /// Takes over the numbers of another solver's table: those that name a winner, and those with more work behind them
    /// than ours.
    pub fn learn_met(&self, met: impl IntoIterator<Item = Numbers>) {
        for Numbers { node, entry } in met {
            let key = Key::new(&node, self.board.len());
            let known = self.table.get(key);
            let solved = entry.bounds.winner().is_some();
            if known
                .is_none_or(|known| known.bounds.winner().is_none() && (solved || known.work < entry.work))
            {
                self.table.put(key, entry);
            }
        }
    }

    /// Takes over positions solved elsewhere. Running searches find them in the table, and those that are new become
    /// reasons.
    pub fn learn(&self, solved: impl IntoIterator<Item = Solved>) {
        for solved in solved {
            if self.tell_table(&solved) && self.settings.theory.position_reasons {
                let field = solved.node.field(self.board);
                self.log.add(Reason::of_field(&field, solved.winner.other()));
            }
        }
    }

    /// A tree above several searches of this node, which share results through this solver's table. It has room for
    /// `most` positions.
    pub fn upper_tree(&self, root: &Node, symmetry: Symmetry, most: usize) -> UpperTree {
        let context = self.context();
        let weighing = self.settings.tuning.with(&context.guide, context.board).weighing();
        UpperTree::new(self.board, weighing, self.table.clone(), root, symmetry, most)
    }
}

impl Run<'_, '_> {
    /// Searches a node for about this many nodes.
    fn search_node(&mut self, node: &Node, limit: Bounds, budget: u64) -> Result<Bounds, StopReason> {
        self.search().watch.look()?;
        let (line, listener) = (&self.started_line, &mut self.listener);
        let mut views = |view: &View| listener(&progress(view, line, node.last));
        let task = Task { node, symmetry: Symmetry::Identity, limit, budget };
        parallel::search(&mut self.searches, self.solver.team(self.threads), &task, &mut views)
    }
}

#[cfg(test)]
mod tests {
    use rex_oracle::testing::LONG;
    use rex_theory::Options;

    use super::*;
    use crate::solver::Settings;
    use crate::tuning::Tuning;

    /// Searches on one thread, so every run is the same.
    fn explore(state: &State, nodes: Option<u64>) -> (Result<Bounds, StopReason>, u64) {
        let settings = Settings { theory: Options::NONE, ..Settings::default() };
        let solver = Solver::new(state.board(), settings).unwrap();
        let node = solver.node_of(state).unwrap();
        let mut nobody = |_: &Progress| {};
        let mut run = solver.run(&Limits { nodes, ..Limits::default() }, &mut nobody);
        let found = run.search_node(&node, Bounds::NO_LIMIT, u64::MAX);
        (found, run.search().watch.nodes())
    }

    #[test]
    fn what_is_decided_by_the_last_node_allowed_is_decided() {
        let state: State = LONG.parse().unwrap();
        let (found, nodes) = explore(&state, None);
        let alone = Tuning::default().alone;
        assert!(nodes > alone, "{nodes} nodes: it should take more than a thread does alone");
        assert!(found.unwrap().winner().is_some());
        assert_eq!(explore(&state, Some(nodes)), (found, nodes));
        assert_eq!(explore(&state, Some(nodes / 2)).0, Err(StopReason::Nodes));
    }

    #[test]
    fn what_was_decided_meanwhile_is_not_searched() {
        let state: State = "5x5 a1 d2".parse().unwrap();
        let solver = Solver::new(state.board(), Settings::default()).unwrap();
        let node = solver.node_of(&state).unwrap();
        solver.learn([Solved { node, winner: Part::Last, best: None, nodes: 10 }]);
        let mut nobody = |_: &Progress| {};
        let mut run = solver.run(&Limits::default(), &mut nobody);
        // Straight into the search, like a parent that looked before it was decided.
        let search = &mut run.searches[0];
        let found = search.search_below(&node, Symmetry::Identity, Bounds::NO_LIMIT, 10, &mut |_| {});
        assert_eq!(found, Ok(Bounds::won_by(Part::Last)));
        assert_eq!(search.watch.nodes(), 0);
    }
}
