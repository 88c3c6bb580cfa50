//! Pairings between sides, groups and empty cells, in the words of HexGui.

use rex_answers::explain::PAIRING_STEPS;
use rex_game::{Cell, CellSet, Player, State};
use rex_theory::exact_pairing::{Outcome, find_pairing};
use rex_theory::hsearch::HSearch;
use rex_theory::mirror_pairing::mirror_pairing;
use rex_theory::pairing::Pairing;
use rex_theory::{Field, Options, Reduced};

use super::commands::names;
use super::conversation::{CommandResult, Conversation};
use super::input::CommandLine;

impl Conversation {
    /// A pairing that connects two sides, groups or empty cells, or one that does so once the key is taken.
    pub fn pairing(&self, line: &CommandLine, with_key: bool) -> CommandResult {
        // HexGui's menus name the colour first; it may also come last.
        let (player, at) = match line.colour(2) {
            Ok(player) => (player, 0),
            Err(_) => (line.colour(0)?, 1),
        };
        let words = [line.arg(at), line.arg(at + 1)];
        let state = self.state(player);
        let ends = [self.end(player, words[0])?, self.end(player, words[1])?];
        if ends[0].cells == ends[1].cells {
            return Err(format!("'{}' and '{}' are the same", words[0], words[1]));
        }
        let [first, second] = ends.each_ref().map(|end| &end.name);
        let board = state.board();
        let found = find(&mut HSearch::default(), &state, &ends, with_key);
        let Some(pairing) = found else { return Ok(String::new()) };
        let mut carrier: Vec<Cell> = pairing.pairs().iter().flat_map(|&(one, other)| [one, other]).collect();
        carrier.extend(pairing.key);
        let cells: String = carrier.iter().map(|&cell| board.name(cell) + " ").collect();
        let kind = if with_key { "semi" } else { "full" };
        let key = pairing.key.map_or(String::new(), |key| format!(" {}", board.name(key)));
        Ok(format!("\n{player} {first} {second} {kind} pairing [ {cells}] [ ]{key}"))
    }

    /// What one end is connected to by a pairing: sides, and cells that are empty or the player's.
    pub fn connected(&self, line: &CommandLine, with_key: bool) -> CommandResult {
        let player = line.colour(0)?;
        let (state, board) = (self.state(player), self.board());
        let from = self.end(player, line.arg(1))?;
        let mut hsearch = HSearch::default();
        // The stones of a group are all connected, or none.
        let mut known: Vec<(CellSet, bool)> = vec![(from.cells, false)];
        let mut is_connected = |word: &str| -> Result<bool, String> {
            let to = self.end(player, word)?;
            if let Some(&(_, connected)) = known.iter().find(|(cells, _)| *cells == to.cells) {
                return Ok(connected);
            }
            let cells = to.cells;
            let ends = [from.clone(), to];
            let connected = find(&mut hsearch, &state, &ends, with_key).is_some();
            known.push((cells, connected));
            Ok(connected)
        };
        let mut connected = Vec::new();
        for side in SIDES[player.index()] {
            if is_connected(side)? {
                connected.push(side.to_owned());
            }
        }
        let mut cells = CellSet::EMPTY;
        for cell in board.cells() - state.position.stones(!player) {
            if is_connected(&board.name(cell))? {
                cells.insert(cell);
            }
        }
        connected.extend(Some(names(board, cells)).filter(|names| !names.is_empty()));
        Ok(connected.join(" "))
    }

    /// What is meant: a side by its name or a stone connected to it, another group by a stone, or an empty cell.
    fn end(&self, player: Player, word: &str) -> Result<End, String> {
        let (names, board) = (SIDES[player.index()], self.now.position.board());
        let word = word.to_ascii_lowercase();
        let stones = self.now.position.stones(player);
        let cell = board.cell_named(&word).filter(|&cell| self.now.position.get(cell) != Some(!player));
        let joined = |side: usize| board.reachable(board.side(player, side), stones);
        let is_side = |side: usize| names[side] == word || cell.is_some_and(|cell| joined(side).has(cell));
        if let Some(side) = (0..2).find(|&side| is_side(side)) {
            let cells = board.side(player, side);
            return Ok(End { name: names[side].to_owned(), cells, is_side: true, is_empty: false });
        }
        let cell = cell.ok_or_else(|| {
            format!(
                "'{word}' is not an end for {player}; expected {}, {}, an empty cell or a {player} stone",
                names[0], names[1]
            )
        })?;
        let is_empty = !stones.has(cell);
        let cells = if is_empty { cell.set() } else { board.reachable(cell.set(), stones) };
        Ok(End { name: word, cells, is_side: false, is_empty })
    }
}

/// What a connection begins or ends at.
#[derive(Clone)]
struct End {
    name: String,
    /// The cells of a side, the stones of a group, or one empty cell.
    cells: CellSet,
    is_side: bool,
    is_empty: bool,
}

const SIDES: [[&str; 2]; 2] = [["north", "south"], ["west", "east"]];

/// A pairing that connects two ends of the side to move.
fn find(hsearch: &mut HSearch, state: &State, ends: &[End; 2], with_key: bool) -> Option<Pairing> {
    let (player, board) = (state.to_move, state.board());
    let sides = ends.iter().all(|end| end.is_side);
    let mut position = state.position;
    for cell in ends.iter().filter(|end| end.is_empty).filter_map(|end| end.cells.first()) {
        position = position.with(cell, player);
    }
    let reduced = Reduced::new(Field::new(&State { position, ..*state }));
    let ends = ends.each_ref().map(|end| end.cells);
    let stones = position.stones(player);
    if board.reachable(ends[0], stones).meets(board.reachable(ends[1], stones)) {
        return (!with_key).then(|| Pairing::new(None));
    }
    let options = Options::all();
    let found = if sides {
        hsearch.run(&reduced, player, &options, with_key)
    } else {
        hsearch.run_between(&reduced, player, &options, ends, with_key)
    };
    let found = if with_key { found.pre_join } else { found.join };
    if !sides {
        return found;
    }
    let mirror = || mirror_pairing(&reduced.field).filter(|found| found.loser == player);
    let mirror = || mirror().map(|found| found.pairing).filter(|pairing| pairing.key.is_some() == with_key);
    found.or_else(mirror).or_else(|| match find_pairing(reduced.graph(!player), with_key, PAIRING_STEPS) {
        Outcome::Found(pairing) => Some(pairing).filter(|pairing| pairing.key.is_some() == with_key),
        Outcome::None | Outcome::GaveUp => None,
    })
}
