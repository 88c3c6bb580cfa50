//! Commands that do not search: inferior cells and pairings, in the words of HexGui.

use rex::{Cell, CellSet, Player, State};
use rex_theory::domination::Theorem;
use rex_theory::exact_pairing::{Outcome as Search, find_pairing};
use rex_theory::fill_in::FillStep;
use rex_theory::hsearch::HSearch;
use rex_theory::pairing::Pairing;
use rex_theory::{Field, Options, Reduced};

use super::engine::{Engine, Outcome};
use super::input::Line;
use crate::explain::{Explanation, PAIRING_STEPS};

impl Engine {
    /// Filled cells (`fdb` dead, `fcb` captured by Black, `fpw` filled for White otherwise), inferior ones with
    /// their better ones (`iv[a1]` by a killer, `id[a1]` by a capturer), and those not to be considered (`x`).
    pub fn inferior(&mut self, line: &Line) -> Outcome {
        let state = self.state(line.colour(0)?);
        let found = Explanation::new(&state, &Options::all());
        let mut pairs = fill_pairs(&state, &found);
        // A dead cell hands the move over; then the dominated cells are the other player's.
        if found.filled.mover() == state.to_move {
            let board = state.board();
            for dominated in &found.dominated {
                let kind = match dominated.theorem {
                    Theorem::Victim | Theorem::Vulnerable => "iv",
                    Theorem::Capturer | Theorem::MutualCreator => "id",
                };
                pairs.push(format!(
                    "{} {kind}[{}]",
                    board.name(dominated.cell),
                    board.name(dominated.better)
                ));
            }
            pairs.extend(found.own_keys.into_iter().map(|cell| format!("{} x", board.name(cell))));
        }
        Ok(pairs.join(" "))
    }

    /// Filled cells alone.
    pub fn fill_in(&mut self, line: &Line) -> Outcome {
        let state = self.state(line.colour(0)?);
        Ok(fill_pairs(&state, &Explanation::new(&state, &Options::all())).join(" "))
    }

    /// A pairing that connects two sides, groups or empty cells.
    pub fn join_pairing(&mut self, line: &Line) -> Outcome {
        self.pairing(line, false)
    }

    /// A pairing that connects them once the key is taken.
    pub fn pre_join_pairing(&mut self, line: &Line) -> Outcome {
        self.pairing(line, true)
    }

    fn pairing(&self, line: &Line, with_key: bool) -> Outcome {
        // HexGui's menus name the colour first; it may also come last.
        let (player, at) = match line.colour(2) {
            Ok(player) => (player, 0),
            Err(_) => (line.colour(0)?, 1),
        };
        let words = [line.arg(at), line.arg(at + 1)];
        let mut state = self.state(player);
        let ends = [self.end(player, words[0])?, self.end(player, words[1])?];
        if ends[0].cells == ends[1].cells {
            return Err(format!("'{}' and '{}' are the same", words[0], words[1]));
        }
        let [first, second] = ends.each_ref().map(|end| &end.name);
        let (sides, board) = (ends.iter().all(|end| end.is_side), state.board());
        for end in ends.iter().filter(|end| end.is_empty) {
            state.position = state.position.with(end.cells.first().expect("it is a cell"), player);
        }
        let found = find(&state, player, ends.each_ref().map(|end| end.cells), sides, with_key);
        let Some(pairing) = found else { return Ok(String::new()) };
        let mut carrier: Vec<Cell> = pairing.pairs().iter().flat_map(|&(one, other)| [one, other]).collect();
        carrier.extend(pairing.key);
        let cells: String = carrier.iter().map(|&cell| board.name(cell) + " ").collect();
        let kind = if with_key { "semi" } else { "full" };
        let key = pairing.key.map_or(String::new(), |key| format!(" {}", board.name(key)));
        Ok(format!("\n{player} {first} {second} {kind} pairing [ {cells}] [ ]{key}"))
    }

    /// What is meant: a side by its name, or by a stone of a group that touches it; another group by one of its stones;
    /// or an empty cell, thought of as the player's.
    fn end(&self, player: Player, word: &str) -> Result<End, String> {
        let (names, board) = (SIDES[player.index()], self.position.board());
        let word = word.to_ascii_lowercase();
        let stones = self.position.stones(player);
        let cell = board.cell_named(&word).filter(|&cell| self.position.get(cell) != Some(!player));
        let joined = |side: usize| board.reachable(board.side(player, side), stones);
        let is_side = |side: usize| names[side] == word || cell.is_some_and(|cell| joined(side).has(cell));
        if let Some(side) = (0..2).find(|&side| is_side(side)) {
            let cells = board.side(player, side);
            return Ok(End { name: names[side].to_owned(), cells, is_side: true, is_empty: false });
        }
        let cell = cell.ok_or_else(|| {
            format!(
                "'{word}' is no end for {player}; expected {}, {}, an empty cell or a {player} stone",
                names[0], names[1]
            )
        })?;
        let is_empty = !stones.has(cell);
        let cells = if is_empty { cell.set() } else { board.reachable(cell.set(), stones) };
        Ok(End { name: word, cells, is_side: false, is_empty })
    }
}

/// What a connection begins or ends at.
struct End {
    name: String,
    /// The cells of a side, the stones of a group, or one empty cell.
    cells: CellSet,
    is_side: bool,
    is_empty: bool,
}

const SIDES: [[&str; 2]; 2] = [["north", "south"], ["west", "east"]];

fn find(state: &State, player: Player, ends: [CellSet; 2], sides: bool, with_key: bool) -> Option<Pairing> {
    let (reduced, board) = (Reduced::new(Field::new(state)), state.board());
    let stones = state.position.stones(player);
    if board.reachable(ends[0], stones).meets(board.reachable(ends[1], stones)) {
        return (!with_key).then(|| Pairing::new(None));
    }
    let (mut hsearch, options) = (HSearch::default(), Options::all());
    let found = if sides {
        hsearch.run(&reduced, player, &options, with_key)
    } else {
        hsearch.run_between(&reduced, player, &options, ends, with_key)
    };
    let found = if with_key { found.pre_join } else { found.join };
    if !sides {
        return found;
    }
    found.or_else(|| match find_pairing(reduced.graph(!player), with_key, PAIRING_STEPS) {
        Search::Found(pairing) => Some(pairing).filter(|pairing| pairing.key.is_some() == with_key),
        Search::None | Search::GaveUp => None,
    })
}

fn fill_pairs(state: &State, found: &Explanation) -> Vec<String> {
    let board = state.board();
    let colour = |player: Player| player.letter();
    let mut pairs = Vec::new();
    let mut push = |cell: Cell, kind: char, player: Player| {
        pairs.push(format!("{} f{kind}{}", board.name(cell), colour(player)));
    };
    for step in &found.steps {
        match step {
            // The colour of a dead cell is of no importance.
            FillStep::Dead { cells, .. } => cells.into_iter().for_each(|cell| push(cell, 'd', Player::Black)),
            FillStep::DeadStone { .. } => {}
            FillStep::Captured { player, pairs } => {
                pairs.iter().flat_map(|&(one, other)| [one, other]).for_each(|cell| push(cell, 'c', *player));
            }
            FillStep::Mutual(mutual) => {
                push(mutual.black.0, 'p', Player::Black);
                push(mutual.white.0, 'p', Player::White);
            }
            FillStep::Decomposition(region) => {
                region.pairing.cells().into_iter().for_each(|cell| push(cell, 'c', region.player));
                region.dead.into_iter().for_each(|cell| push(cell, 'd', Player::Black));
            }
        }
    }
    pairs
}
