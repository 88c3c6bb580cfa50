//! Commands that do not search: fill-in, inferior cells and what else the theory says, in the words of HexGui.

use rex_answers::explain::{DecidedBy, Explanation};
use rex_game::{Cell, CellSet, Player, State};
use rex_search::{conductance, hex_value};
use rex_theory::domination::{Dominated, Theorem};
use rex_theory::fill_in::{FillEffect, FillStep, fill_in};
use rex_theory::{Field, Options, Reduced};

use super::commands::names;
use super::conversation::{CommandResult, Conversation};
use super::input::CommandLine;

impl Conversation {
    /// Filled cells, inferior ones with better ones (`iv[a1]` by a killer, `id[a1]` by a capturer), and own keys (`x`).
    pub fn inferior(&mut self, line: &CommandLine) -> CommandResult {
        let found = self.explained(line, &Options::all())?;
        let keys = own_keys(&found).into_iter().map(|cell| format!("{} x", self.board().name(cell)));
        let pairs = fill_pairs(&found).into_iter().chain(dominated_pairs(&found)).chain(keys);
        Ok(pairs.collect::<Vec<_>>().join(" "))
    }

    /// Filled cells alone.
    pub fn fill_in(&mut self, line: &CommandLine) -> CommandResult {
        Ok(fill_pairs(&self.explained(line, &Options::all())?).join(" "))
    }

    /// Inferior cells alone, by Theorems 6 and 7.
    pub fn vulnerable(&mut self, line: &CommandLine) -> CommandResult {
        self.only_dominated(line, &Options { capturer: false, mutual_creator: false, ..Options::all() })
    }

    /// Inferior cells alone, by Theorems 8 and 10.
    pub fn dominated(&mut self, line: &CommandLine) -> CommandResult {
        self.only_dominated(line, &Options { victim: false, vulnerable: false, ..Options::all() })
    }

    fn only_dominated(&self, line: &CommandLine, options: &Options) -> CommandResult {
        Ok(dominated_pairs(&self.explained(line, options)?).join(" "))
    }

    /// What the theory says when the colour of the first argument is to move.
    fn explained(&self, line: &CommandLine, options: &Options) -> Result<Explanation, String> {
        Ok(Explanation::new(&self.state(line.colour(0)?), options))
    }

    /// None: no theorem about Rex finds reversible moves.
    pub fn reversible(&mut self, line: &CommandLine) -> CommandResult {
        line.colour(0).map(|_| String::new())
    }

    /// Why one cell is inferior, if it is.
    pub fn dominated_cell(&mut self, line: &CommandLine) -> CommandResult {
        let mut found = self.explained(line, &Options::all())?;
        let word = line.arg(1).to_ascii_lowercase();
        let cell = self.board().cell_named(&word).ok_or_else(|| format!("'{word}' is not a cell"))?;
        found.dominated.retain(|dominated| dominated.cell == cell);
        Ok(dominated_pairs(&found).join(" "))
    }

    /// Filled cells, and those that need not be considered (`x`) unless the position is decided.
    pub fn must_play(&mut self, line: &CommandLine) -> CommandResult {
        let found = self.explained(line, &Options::all())?;
        let mut pairs = fill_pairs(&found);
        // A verdict by symmetry names no move.
        if matches!(found.verdict, None | Some((_, DecidedBy::Symmetry(_)))) {
            let dominated = found.dominated.iter().map(|dominated| dominated.cell).collect();
            let left_out = own_keys(&found) | if keeps_mover(&found) { dominated } else { CellSet::EMPTY };
            pairs.extend(left_out.into_iter().map(|cell| format!("{} x", self.board().name(cell))));
        }
        Ok(pairs.join(" "))
    }

    /// The cells of a player's pairs that decompose the board.
    pub fn decomposition(&mut self, line: &CommandLine) -> CommandResult {
        let found = self.explained(line, &Options::all())?;
        let regions = found.steps.iter().filter(|step| matches!(step, FillStep::Decomposition(_)));
        let cells = regions.map(|step| step.effect().captured[found.state.to_move.index()]);
        Ok(names(self.board(), cells.fold(CellSet::EMPTY, |all, cells| all | cells)))
    }

    /// Each player's electric resistance, and the logarithm of their ratio: high when White is further from connecting.
    pub fn resistance(&mut self, line: &CommandLine) -> CommandResult {
        let reduced = filled(&self.state(line.colour(0)?))?;
        let [black, white] = Player::BOTH.map(|player| 1.0 / conductance(reduced.graph(player)));
        Ok(format!("res {:.3} rew {white:.3} reb {black:.3}", (white / black).ln()))
    }

    /// How much each empty cell matters to both players for connecting.
    pub fn resistance_of_cells(&mut self, line: &CommandLine) -> CommandResult {
        let state = self.state(line.colour(0)?);
        let reduced = filled(&state)?;
        let value = hex_value(&reduced);
        let pair = |cell: Cell| format!("{} {:.3}", state.board().name(cell), value[cell.index()]);
        Ok(reduced.empty().into_iter().map(pair).collect::<Vec<_>>().join(" "))
    }
}

/// The position filled in, if nobody has joined then.
fn filled(state: &State) -> Result<Reduced, String> {
    let over = |loser: Player| Err(format!("decided: {loser} has connected both sides"));
    if let Some(winner) = state.position.winner() {
        return over(!winner);
    }
    let mut reduced = Reduced::new(Field::new(state));
    fill_in(&mut reduced, &Options::default(), state.board().cells(), &mut ());
    reduced.joined.map_or(Ok(reduced), over)
}

/// Whether the side to move is still the same when the position is filled in: a dead cell hands the move over, and then
/// what is said about moves is about the other player's.
fn keeps_mover(found: &Explanation) -> bool {
    found.filled.mover() == found.state.to_move
}

fn own_keys(found: &Explanation) -> CellSet {
    if keeps_mover(found) { found.own_keys } else { CellSet::EMPTY }
}

fn dominated_pairs(found: &Explanation) -> Vec<String> {
    let board = found.state.board();
    let pair = |dominated: &Dominated| {
        let kind = match dominated.theorem {
            Theorem::Victim | Theorem::Vulnerable => "iv",
            Theorem::Capturer | Theorem::MutualCreator => "id",
        };
        format!("{} {kind}[{}]", board.name(dominated.cell), board.name(dominated.better))
    };
    if keeps_mover(found) { found.dominated.iter().map(pair).collect() } else { Vec::new() }
}

/// What is filled, and for whom: `fdw` dead, `fbb` for Black, `fww` for White.
///
/// HexGui draws the stone by the third letter, one version (of June 2023) by the second, and the background by the second
/// where it is `d` or `p`. These codes look the same in all of them.
fn fill_pairs(found: &Explanation) -> Vec<String> {
    const DEAD: &str = "fdw";
    let filled = |player| if player == Player::Black { "fbb" } else { "fww" };
    let mut pairs = Vec::new();
    let mut push = |cells: CellSet, code: &str| {
        pairs.extend(cells.into_iter().map(|cell| format!("{} {code}", found.state.board().name(cell))));
    };
    for step in &found.steps {
        let FillEffect { dead, dead_stones: _, captured, exchanged } = step.effect();
        for cells in [captured, exchanged] {
            Player::BOTH.into_iter().for_each(|player| push(cells[player.index()], filled(player)));
        }
        push(dead, DEAD);
    }
    pairs
}
