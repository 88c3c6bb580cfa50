//! Commands that do not search: inferior cells and pairings, in the words of HexGui.

use rex::{Cell, Player, State};
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

    /// A pairing that joins the two sides.
    pub fn join_pairing(&mut self, line: &Line) -> Outcome {
        self.pairing(line, false)
    }

    /// A pairing that joins them once the key is taken.
    pub fn pre_join_pairing(&mut self, line: &Line) -> Outcome {
        self.pairing(line, true)
    }

    fn pairing(&self, line: &Line, with_key: bool) -> Outcome {
        let player = line.colour(2)?;
        let state = self.state(player);
        let (from, to) = (self.side(player, line.arg(0))?, self.side(player, line.arg(1))?);
        if from == to {
            return Err(format!("'{}' and '{}' are the same side", line.arg(0), line.arg(1)));
        }
        let Some(pairing) = find(&state, player, with_key) else { return Ok(String::new()) };
        let board = state.board();
        let mut carrier: Vec<Cell> = pairing.pairs().iter().flat_map(|&(one, other)| [one, other]).collect();
        carrier.extend(pairing.key);
        let cells: String = carrier.iter().map(|&cell| board.name(cell) + " ").collect();
        let [first, second] = SIDES[player.index()];
        let kind = if with_key { "semi" } else { "full" };
        let key = pairing.key.map_or(String::new(), |key| format!(" {}", board.name(key)));
        Ok(format!("\n{player} {first} {second} {kind} pairing [ {cells}] [ ]{key}"))
    }

    /// Which of a player's sides is meant: by its name, or by a stone of a group that touches it.
    fn side(&self, player: Player, word: &str) -> Result<usize, String> {
        let names = SIDES[player.index()];
        let word = word.to_ascii_lowercase();
        if let Some(side) = names.iter().position(|name| *name == word) {
            return Ok(side);
        }
        let board = self.position.board();
        let stones = self.position.stones(player);
        let touches = |cell: Cell, side: usize| {
            stones.has(cell) && board.reachable(board.side(player, side), stones).has(cell)
        };
        board.cell_named(&word).and_then(|cell| (0..2).find(|&side| touches(cell, side))).ok_or_else(|| {
            format!(
                "'{word}' is no side of {player}; expected {} or {}, or a stone joined to it",
                names[0], names[1]
            )
        })
    }
}

const SIDES: [[&str; 2]; 2] = [["north", "south"], ["west", "east"]];

fn find(state: &State, player: Player, with_key: bool) -> Option<Pairing> {
    let reduced = Reduced::new(Field::new(state));
    if reduced.joined == Some(player) {
        return (!with_key).then(|| Pairing::new(None));
    }
    let found = HSearch::default().run(&reduced, player, &Options::all(), with_key);
    let found = if with_key { found.pre_join } else { found.join };
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
