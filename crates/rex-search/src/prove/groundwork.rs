//! The claims of a proof in progress, and how to find them again.

use std::collections::{HashMap, HashSet};

use rex_game::{Board, Player, State, Symmetry};
use rex_proof::{Claim, ClaimId, Rule};
use rex_theory::{Field, Reduced};

use super::monotone::ClaimsByMoves;
use super::{Extent, Proof, RefusedStep};
use crate::known::{Node, Part, Solved};

/// Claims for one winner of one board, each after those it rests on. Every one of them holds, also after a walk that
/// came to nothing, so the next walk can go on from here.
pub struct Groundwork {
    board: Board,
    pub(super) explicit: bool,
    pub(super) claims: Vec<Claim>,
    by_state: HashMap<State, ClaimId>,
    /// By the canonical image of a state: a claim on one of its images.
    by_canonical: HashMap<State, ClaimId>,
    /// By filled position: a claim on it, with some colouring of the settled cells.
    pub(super) by_node: HashMap<Node, (ClaimId, Symmetry)>,
    pub(super) claims_by_moves: ClaimsByMoves,
    /// All filled positions so far.
    positions: HashSet<Node>,
    /// Winning moves that the solver had forgotten, and nodes searched for them.
    pub(super) forgotten: usize,
    pub(super) nodes: u64,
    pub(super) refused: Vec<RefusedStep>,
}

impl Groundwork {
    /// Nothing yet. An explicit proof uses only joins, moves, pairs and images.
    pub fn new(board: Board, explicit: bool) -> Groundwork {
        Groundwork {
            board,
            explicit,
            claims: Vec::new(),
            by_state: HashMap::new(),
            by_canonical: HashMap::new(),
            by_node: HashMap::new(),
            claims_by_moves: ClaimsByMoves::new(board),
            positions: HashSet::new(),
            forgotten: 0,
            nodes: 0,
            refused: Vec::new(),
        }
    }

    /// How many claims there are, and how many nodes were searched for moves that the solver had forgotten.
    pub fn size(&self) -> (usize, u64) {
        (self.claims.len(), self.nodes)
    }

    /// The proof of one of its claims.
    pub fn into_proof(self, root: ClaimId) -> Proof {
        let Groundwork { board, explicit, claims, positions, forgotten, nodes, refused, .. } = self;
        let extent = Extent { positions: positions.len(), forgotten, nodes };
        Proof { board, explicit, claims, root, kept: Vec::new(), extent, refused }
    }

    /// The filled positions that have a claim, each with its winner.
    pub fn proved(&self) -> impl Iterator<Item = Solved> {
        self.by_node.iter().map(|(&node, &(id, way))| {
            let claim = self.claim(id);
            let winner = if way.swaps_colours() { !claim.winner } else { claim.winner };
            Solved { node, winner: Part::of(winner, node.last), best: None, nodes: 1 }
        })
    }

    pub(super) fn claim(&self, id: ClaimId) -> &Claim {
        &self.claims[id as usize - 1]
    }

    /// Counts a filled position.
    pub(super) fn meet(&mut self, reduced: &Reduced) {
        if reduced.joined.is_none() {
            self.positions.insert(Node::of(&reduced.field).0);
        }
    }

    /// Records a claim on a filled position.
    pub(super) fn settle(&mut self, field: &Field, id: ClaimId) {
        let (node, symmetry) = Node::of(field);
        self.by_node.insert(node, (id, symmetry));
    }

    /// Whether there is a claim, on this state or an image of it, that this player wins.
    pub(super) fn claims_win(&self, state: &State, player: Player) -> bool {
        let id = self.by_canonical.get(&state.canonical().0);
        id.is_some_and(|&id| {
            // An image with colours swapped also has the side to move swapped.
            let claim = self.claim(id);
            (claim.state.to_move == state.to_move) == (claim.winner == player)
        })
    }

    /// The claim on a state, through a claim on an image if necessary.
    pub(super) fn remembered(&mut self, state: &State) -> Option<ClaimId> {
        if let Some(&id) = self.by_state.get(state) {
            return Some(id);
        }
        let (canonical, symmetry) = state.canonical();
        let id = *self.by_canonical.get(&canonical)?;
        let Claim { state: its_state, winner, .. } = *self.claim(id);
        let way = symmetry.then(its_state.canonical().1);
        let winner = if way.swaps_colours() { !winner } else { winner };
        // A game that is over needs no other claim.
        let rule = if state.position.winner().is_some() { Rule::Joined } else { Rule::Image(way, id) };
        Some(self.push(state, winner, rule))
    }

    pub(super) fn push(&mut self, state: &State, winner: Player, rule: Rule) -> ClaimId {
        let id = self.claims.len() as ClaimId + 1;
        self.claims.push(Claim { id, state: *state, winner, rule });
        self.by_state.insert(*state, id);
        self.by_canonical.entry(state.canonical().0).or_insert(id);
        id
    }
}
