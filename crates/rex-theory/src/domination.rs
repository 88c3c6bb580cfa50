//! Inferior moves. For the side to move, X, cell `c` is at least as good as `k` if
//! - `c` is dead once X has `k` (Theorem 6: prefer the victim to its killer),
//! - `c` is dead once the opponent has `k` (Theorem 7: prefer the vulnerable to the opponent's killer),
//! - `c` is in a set that X captures by taking `k` (Theorem 8: prefer the capturee to the capturer),
//! - taking `k` creates a mutual fill-in in which X gets `c` (Theorem 10).
//!
//! "At least as good" is transitive. We strike cells one by one, each only while a better one is still
//! kept. So one cell of each cycle survives, and for every struck cell some kept cell is at least as
//! good.

use rex_game::{Cell, CellSet, Player};

use crate::captured::all_captures;
use crate::mutual::mutual_fill_in;
use crate::options::Options;
use crate::reduced::Reduced;

/// The theorem that makes a move inferior.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theorem {
    /// Theorem 6.
    Victim,
    /// Theorem 7.
    Vulnerable,
    /// Theorem 8.
    Capturer,
    /// Theorem 10.
    MutualCreator,
}

impl Theorem {
    /// All of them.
    pub const ALL: [Theorem; 4] =
        [Theorem::Victim, Theorem::Vulnerable, Theorem::Capturer, Theorem::MutualCreator];

    /// Whether it is switched on.
    fn is_on(self, options: &Options) -> bool {
        match self {
            Theorem::Victim => options.victim,
            Theorem::Vulnerable => options.vulnerable,
            Theorem::Capturer => options.capturer,
            Theorem::MutualCreator => options.mutual_creator,
        }
    }

    /// The number in the paper.
    pub fn number(self) -> usize {
        match self {
            Theorem::Victim => 6,
            Theorem::Vulnerable => 7,
            Theorem::Capturer => 8,
            Theorem::MutualCreator => 10,
        }
    }

    /// The theorem in a few words.
    pub fn slogan(self) -> &'static str {
        match self {
            Theorem::Victim => "prefer victim to killer",
            Theorem::Vulnerable => "prefer vulnerable to opponent killer",
            Theorem::Capturer => "prefer capturee to capturer",
            Theorem::MutualCreator => "prefer filled to mutual fill-in creator",
        }
    }
}

/// A struck move, and a move that is at least as good.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dominated {
    /// The move that need not be tried.
    pub cell: Cell,
    /// A move that wins if `cell` does. It may itself be struck because of another one.
    pub better: Cell,
    /// Why.
    pub theorem: Theorem,
}

/// Which cells are at least as good as which, for one side to move.
///
/// ```
/// use rex_theory::domination::Domination;
/// use rex_theory::{Field, Options, Reduced};
///
/// let state: rex_game::State = "3x3 a1".parse()?;
/// // Nothing can be filled in here; otherwise that would come first.
/// let reduced = Reduced::new(Field::new(&state));
/// let domination = Domination::new(&reduced, state.to_move, &Options::default());
/// let kept = domination.prune(reduced.empty());
/// let names: Vec<String> = kept.into_iter().map(|cell| state.board().name(cell)).collect();
/// // Of eight moves, one of these three wins if any does.
/// assert_eq!(names, ["b1", "a3", "c3"]);
/// # Ok::<(), rex_game::NotationError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Domination {
    better: [CellSet; 64],
}

impl Domination {
    /// Collects what the theorems say about `mover`'s moves in a filled position.
    pub fn new(reduced: &Reduced, mover: Player, options: &Options) -> Domination {
        let mut domination = Domination { better: [CellSet::EMPTY; 64] };
        for theorem in Theorem::ALL.into_iter().filter(|theorem| theorem.is_on(options)) {
            domination.collect(reduced, mover, theorem);
        }
        domination
    }

    /// Collects what one theorem says.
    fn collect(&mut self, reduced: &Reduced, mover: Player, theorem: Theorem) {
        match theorem {
            Theorem::Victim => {
                reduced.empty().into_iter().for_each(|cell| self.above(cell, reduced.killers(cell, mover)));
            }
            Theorem::Vulnerable => {
                reduced.empty().into_iter().for_each(|cell| self.above(cell, reduced.killers(cell, !mover)));
            }
            Theorem::Capturer => {
                for capture in all_captures(reduced, mover) {
                    self.better[capture.taken.index()] |= capture.pair;
                }
            }
            Theorem::MutualCreator => {
                for cell in reduced.empty() {
                    if let Some(filled) = creates_mutual_fill_in(reduced, mover, cell) {
                        self.better[cell.index()].insert(filled);
                    }
                }
            }
        }
    }

    /// Notes that `cell` is at least as good as each of `inferior`.
    fn above(&mut self, cell: Cell, inferior: CellSet) {
        for other in inferior {
            self.better[other.index()].insert(cell);
        }
    }

    /// The cells known to be at least as good as `cell`.
    pub fn better_than(&self, cell: Cell) -> CellSet {
        self.better[cell.index()].without(cell)
    }

    /// What is left of `moves` after striking every move for which a better one is left.
    pub fn prune(&self, moves: CellSet) -> CellSet {
        let mut kept = moves;
        for cell in moves {
            if self.better_than(cell).meets(kept.without(cell)) {
                kept.remove(cell);
            }
        }
        kept
    }
}

/// If `mover` creates a mutual fill-in by taking `cell`, her cell in it.
fn creates_mutual_fill_in(reduced: &Reduced, mover: Player, cell: Cell) -> Option<Cell> {
    let mut after = reduced.clone();
    let changed = after.put(cell, mover) & after.empty();
    if after.joined.is_some() {
        return None;
    }
    let found = mutual_fill_in(&after, changed)?;
    Some(match mover {
        Player::Black => found.black.0,
        Player::White => found.white.0,
    })
}

/// The moves struck from `moves`, each with a better one and the theorem, for a person to read.
pub fn explain(reduced: &Reduced, mover: Player, options: &Options, moves: CellSet) -> Vec<Dominated> {
    let kept = Domination::new(reduced, mover, options).prune(moves);
    let theorems: Vec<(Theorem, Domination)> = Theorem::ALL
        .into_iter()
        .filter(|theorem| theorem.is_on(options))
        .map(|theorem| {
            let mut domination = Domination { better: [CellSet::EMPTY; 64] };
            domination.collect(reduced, mover, theorem);
            (theorem, domination)
        })
        .collect();
    (moves - kept)
        .into_iter()
        .filter_map(|cell| {
            // Prefer to name a cell that is kept.
            [kept, moves].into_iter().find_map(|wanted| {
                theorems.iter().find_map(|(theorem, domination)| {
                    let better = (domination.better_than(cell) & wanted).first()?;
                    Some(Dominated { cell, better, theorem: *theorem })
                })
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::OptionKind;

    /// Own keys are the exception: they come from pairings, not from a theorem about moves.
    #[test]
    fn every_switch_that_strikes_moves_has_its_theorem() {
        for info in Options::of_kind(OptionKind::Moves).filter(|info| info.name != "own-keys") {
            let only = Options::only(info);
            let on = Theorem::ALL.iter().filter(|theorem| theorem.is_on(&only)).count();
            assert_eq!(on, 1, "{} is not in Theorem::ALL", info.name);
        }
    }
}
