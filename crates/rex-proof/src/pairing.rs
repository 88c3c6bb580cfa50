//! The checker's test for pairings.

use rex_game::{Cell, CellSet, Player, Position};

/// The most paths that a check looks at. Run the check before you write a claim into a certificate.
const MOST_PATHS: u32 = 20_000;

/// Whether `loser` is joined as soon as she has one cell of each pair, and the key if there is one, whatever else
/// is coloured. That is so if the opponent has no path from side to side that avoids the key and holds at most
/// one cell of each pair. Also false if that takes too long to tell.
pub fn forces_a_join(position: &Position, loser: Player, pairs: &[(Cell, Cell)], key: Option<Cell>) -> bool {
    let empty = position.empty();
    let mut cells = CellSet::EMPTY;
    for cell in pairs.iter().flat_map(|&(one, other)| [one, other]).chain(key) {
        if !empty.has(cell) || cells.has(cell) {
            return false;
        }
        cells.insert(cell);
    }
    let mut area = position.board().cells() - position.stones(loser);
    if let Some(key) = key {
        area.remove(key);
    }
    let mut paths = MOST_PATHS;
    no_path(position, !loser, pairs, area, &mut paths)
}

/// Whether no path of `player` through `area` holds at most one cell of each pair; false when out of paths.
fn no_path(
    position: &Position,
    player: Player,
    pairs: &[(Cell, Cell)],
    area: CellSet,
    paths: &mut u32,
) -> bool {
    if *paths == 0 {
        return false;
    }
    *paths -= 1;
    let Some(path) = shortest_path(position, player, area) else { return true };
    let clash = pairs.iter().find(|&&(one, other)| path.has(one) && path.has(other));
    // A path that counts avoids one of the two.
    clash.is_some_and(|&(one, other)| {
        no_path(position, player, pairs, area.without(one), paths)
            && no_path(position, player, pairs, area.without(other), paths)
    })
}

/// The cells of a shortest path from side to side.
fn shortest_path(position: &Position, player: Player, area: CellSet) -> Option<CellSet> {
    let board = position.board();
    let (from, to) = (board.side(player, 0) & area, board.side(player, 1) & area);
    let mut layers = vec![from];
    let mut seen = from;
    let mut last = from;
    while !last.meets(to) {
        last = (board.neighbours_of_set(last) & area) - seen;
        if last.is_empty() {
            return None;
        }
        seen |= last;
        layers.push(last);
    }
    let mut path = CellSet::EMPTY;
    let mut near = to;
    for layer in layers.iter().rev() {
        let cell = (*layer & near).first()?;
        path.insert(cell);
        near = board.neighbours(cell);
    }
    Some(path)
}
