//! Between what a search knows, nodes with a Last, and what is kept, places without one.

use rex_game::{Board, Player};
use rex_search::bounds::Part;
use rex_search::node::Node;
use rex_search::table::Work;
use rex_search::{Fact, Solved};

use crate::place::Place;
use crate::record::{Known, Record};

/// What a solved node tells of its place. The node was filled in by these rules (0 for other than the usual ones).
pub fn entry(board: Board, solved: &Solved, rules: u8) -> (Place, Record) {
    let Solved { node, winner, best, nodes } = *solved;
    let (place, symmetry) = Place::of(board, &node);
    let there = |player: Player| if symmetry.swaps_colours() { !player } else { player };
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

/// What a record tells of a node at its place, if that is enough to know who wins.
pub fn fact(node: &Node, place: &Place, record: &Record) -> Option<Fact> {
    let board = place.board;
    let (_, symmetry) = Place::of(board, node);
    let there = |player: Player| if symmetry.swaps_colours() { !player } else { player };
    let winner = there(record.known.winner(there(node.last))?);
    let mover = there(node.field(board).mover());
    let best = record.best[mover.index()].map(|cell| symmetry.apply_to_cell(board, cell));
    Some(Fact { winner: Part::of(winner, node.last), best, work: record.work })
}

/// All that a record tells: for each Last with whom it is known who wins, the node and the fact.
pub fn facts(place: &Place, record: &Record) -> impl Iterator<Item = (Node, Fact)> + use<> {
    let (place, record) = (*place, *record);
    Player::BOTH.into_iter().filter_map(move |last| {
        let (node, _) = Node::of(&place.field(last));
        Some((node, fact(&node, &place, &record)?))
    })
}
