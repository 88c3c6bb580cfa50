//! All fill-in, repeated until nothing more is found. Filling never changes the winner nor who is Last.

use rex::{Cell, CellSet, Player};

use crate::captured::{captured_four, captured_pair};
use crate::dead::{DeadEvidence, clique_around, cut_off, dead_by_clique, dead_stone};
use crate::decomposition::{Decomposition, decomposition};
use crate::mutual::{MutualFillIn, mutual_fill_in};
use crate::options::Options;
use crate::reduced::Reduced;

/// The version of these rules. Who keeps filled positions keeps it beside them: another version may fill the same
/// position differently. It goes up whenever a rule, a default or the order of the rules changes.
pub const RULES: u8 = 1;

/// The version of the rules that these options leave: 0 when they are not the usual ones.
pub fn rules(options: &Options) -> u8 {
    let usual = Options::default();
    let same = [
        options.dead == usual.dead,
        options.dead_stones == usual.dead_stones,
        options.dead_cutset == usual.dead_cutset,
        options.captured == usual.captured,
        options.captured_fours == usual.captured_fours,
        options.mutual_fillin == usual.mutual_fillin,
        options.decomposition == usual.decomposition,
    ];
    if same == [true; 7] { RULES } else { 0 }
}

/// One step of fill-in with its evidence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FillStep {
    /// Dead cells are settled.
    Dead {
        /// The cells.
        cells: CellSet,
        /// Why.
        evidence: DeadEvidence,
    },
    /// A stone that would be dead if uncoloured is settled.
    DeadStone {
        /// The stone.
        cell: Cell,
    },
    /// A captured set is filled for `player`.
    Captured {
        /// Who captures.
        player: Player,
        /// One pair, or two that are captured only together.
        pairs: Vec<(Cell, Cell)>,
    },
    /// A mutual fill-in.
    Mutual(MutualFillIn),
    /// A region is filled: a captured set, and what is dead after it.
    Decomposition(Decomposition),
}

/// Listens to the steps of fill-in. The search listens with `()`, which costs nothing.
pub trait Trace {
    /// A step was found, and is about to be made. `step` is only called by listeners that want it.
    fn note(&mut self, step: impl FnOnce() -> FillStep);
}

impl Trace for () {
    fn note(&mut self, _: impl FnOnce() -> FillStep) {}
}

impl Trace for Vec<FillStep> {
    fn note(&mut self, step: impl FnOnce() -> FillStep) {
        self.push(step());
    }
}

/// Fills in what can be filled. `changed` are the cells whose neighbourhood may have changed since the
/// position was last filled: all cells for a new position.
pub fn fill_in(reduced: &mut Reduced, options: &Options, mut changed: CellSet, trace: &mut impl Trace) {
    // What the cheap rules have seen and the others have not.
    let mut unseen = CellSet::EMPTY;
    while reduced.joined.is_none() {
        changed &= reduced.empty();
        unseen |= changed;
        let filled = settle_dead(reduced, options, changed, trace)
            | fill_captured_pair(reduced, options, changed, trace);
        if !filled.is_empty() {
            changed |= filled;
            continue;
        }
        // The cheap rules are at rest; each of the others hands what it changes back to them.
        let near = unseen & reduced.empty();
        changed = fill_captured_four(reduced, options, near, trace);
        if changed.is_empty() {
            changed = settle_cut_off(reduced, options, trace);
        }
        if changed.is_empty() {
            changed = fill_mutual(reduced, options, near, trace);
        }
        if changed.is_empty() {
            changed = fill_decomposition(reduced, options, trace);
        }
        if changed.is_empty() {
            break;
        }
    }
    if options.dead_stones && reduced.joined.is_none() {
        while let Some(stone) = dead_stone(&reduced.field) {
            trace.note(|| FillStep::DeadStone { cell: stone });
            reduced.settle(stone.set());
        }
    }
}

fn settle_dead(reduced: &mut Reduced, options: &Options, near: CellSet, trace: &mut impl Trace) -> CellSet {
    if !options.dead {
        return CellSet::EMPTY;
    }
    let mut all = CellSet::EMPTY;
    for player in Player::BOTH {
        let dead = dead_by_clique(reduced, player, near - all);
        all |= dead;
        for cell in dead {
            trace.note(|| FillStep::Dead {
                cells: cell.set(),
                evidence: clique_around(reduced, player, cell),
            });
        }
    }
    reduced.settle(all)
}

fn settle_cut_off(reduced: &mut Reduced, options: &Options, trace: &mut impl Trace) -> CellSet {
    if !options.dead_cutset {
        return CellSet::EMPTY;
    }
    let Some((cells, evidence)) = cut_off(reduced) else { return CellSet::EMPTY };
    trace.note(|| FillStep::Dead { cells, evidence });
    reduced.settle(cells)
}

fn fill_captured_pair(
    reduced: &mut Reduced,
    options: &Options,
    near: CellSet,
    trace: &mut impl Trace,
) -> CellSet {
    if !options.captured {
        return CellSet::EMPTY;
    }
    for player in Player::BOTH {
        if let Some(pair) = captured_pair(reduced, player, near & reduced.empty()) {
            trace.note(|| FillStep::Captured { player, pairs: vec![pair] });
            return reduced.put(pair.0, player) | reduced.put(pair.1, player);
        }
    }
    CellSet::EMPTY
}

fn fill_captured_four(
    reduced: &mut Reduced,
    options: &Options,
    near: CellSet,
    trace: &mut impl Trace,
) -> CellSet {
    if !options.captured_fours {
        return CellSet::EMPTY;
    }
    for player in Player::BOTH {
        if let Some(pairs) = captured_four(reduced, player, near) {
            trace.note(|| FillStep::Captured { player, pairs: pairs.to_vec() });
            let mut changed = CellSet::EMPTY;
            for (one, other) in pairs {
                changed |= reduced.put(one, player) | reduced.put(other, player);
            }
            return changed;
        }
    }
    CellSet::EMPTY
}

fn fill_mutual(reduced: &mut Reduced, options: &Options, near: CellSet, trace: &mut impl Trace) -> CellSet {
    if !options.mutual_fillin {
        return CellSet::EMPTY;
    }
    let Some(found) = mutual_fill_in(reduced, near) else { return CellSet::EMPTY };
    trace.note(|| FillStep::Mutual(found));
    reduced.put(found.black.0, Player::Black) | reduced.put(found.white.0, Player::White)
}

fn fill_decomposition(reduced: &mut Reduced, options: &Options, trace: &mut impl Trace) -> CellSet {
    if !options.decomposition {
        return CellSet::EMPTY;
    }
    let Some(found) = decomposition(reduced) else { return CellSet::EMPTY };
    trace.note(|| FillStep::Decomposition(found));
    let mut changed = CellSet::EMPTY;
    for cell in found.pairing.cells() {
        changed |= reduced.put(cell, found.player);
    }
    changed | reduced.settle(found.dead)
}
