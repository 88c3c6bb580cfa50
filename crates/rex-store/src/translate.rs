//! Converts between what a search knows, nodes with a Last, and what is stored, places without one.

use rex_game::{Board, Player};
use rex_search::{Node, Part, Solved, Work};

use crate::place::Place;
use crate::record::{Known, Record};

/// What a solved node says about its place. `rules` is the version of the rules that filled in the node, 0 if they
/// are not the default ones.
pub fn record_of(board: Board, solved: &Solved, rules: u8) -> (Place, Record) {
    let Solved { node, winner, best, nodes } = *solved;
    let (place, symmetry) = Place::of(board, &node);
    let there = |player| symmetry.apply_to_player(player);
    let mut record = Record {
        known: Known::from_game(there(node.last), there(winner.player(node.last))),
        best: [None; 2],
        work: Work::of(nodes),
        rules,
    };
    let mover = there(node.field(board).mover());
    record.best[mover.index()] = best.map(|cell| symmetry.apply_to_cell(board, cell));
    (place, record)
}

/// What a record says about a node at its place, if that tells who wins.
pub fn solved_node(node: &Node, place: &Place, record: &Record) -> Option<Solved> {
    let board = place.board;
    let (_, symmetry) = Place::of(board, node);
    let there = |player| symmetry.apply_to_player(player);
    let winner = there(record.known.winner(there(node.last))?);
    let mover = there(node.field(board).mover());
    let best = record.best[mover.index()].map(|cell| symmetry.apply_to_cell(board, cell));
    Some(Solved { node: *node, winner: Part::of(winner, node.last), best, nodes: record.work.nodes() })
}

/// Everything a record says: for each Last for whom we know the winner, the solved node.
pub fn solved_nodes(place: &Place, record: &Record) -> impl Iterator<Item = Solved> + use<> {
    let (place, record) = (*place, *record);
    Player::BOTH.into_iter().filter_map(move |last| {
        let (node, _) = Node::of(&place.field(last));
        solved_node(&node, &place, &record)
    })
}
