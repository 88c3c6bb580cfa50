//! All fill-in rules, repeated until they find nothing more. Filling never changes the winner or who is Last.
//!
//! Filling a filled position again changes nothing, nor does filling any image of it. Tables and stores rely on that,
//! because they identify a position by its filled form. So each rule must find the same in every image of the board,
//! and graphs that are updated stone by stone must equal those built from the field.

use rex_game::{Cell, CellSet, Player};

use crate::captured::{captured_four, captured_neighbours, captured_pair};
use crate::dead::{DeadEvidence, clique_around, cut_off_in_any_image, dead_by_clique, dead_stone};
use crate::decomposition::{Decomposition, decomposition};
use crate::field::Field;
use crate::mutual::{MutualFillIn, mutual_fill_in};
use crate::options::{OptionKind, Options};
use crate::reduced::Reduced;

/// The version of these rules. Store it with filled positions: another version may fill the same position differently.
/// Increase it whenever a rule, a default or the order of the rules changes.
pub const RULES: u8 = 2;

/// The version of the rules under these options: 0 if they are not the default ones.
pub fn rules(options: &Options) -> u8 {
    let usual = Options::default();
    let same = Options::of_kind(OptionKind::FillIn).all(|info| (info.get)(options) == (info.get)(&usual));
    if same { RULES } else { 0 }
}

/// One step of fill-in, with its evidence.
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
    /// A captured set is filled for the player who captures it.
    Captured {
        /// Who captures.
        player: Player,
        /// One pair, or two that are captured only together.
        pairs: Vec<(Cell, Cell)>,
    },
    /// A mutual fill-in.
    Mutual(MutualFillIn),
    /// A region is filled: a captured set, and the cells that are then dead.
    Decomposition(Decomposition),
}

/// What a step of fill-in does to the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct FillEffect {
    /// Empty cells that are dead.
    pub dead: CellSet,
    /// Stones whose colour can no longer matter.
    pub dead_stones: CellSet,
    /// By [`Player::index`]: cells that the player captures.
    pub captured: [CellSet; 2],
    /// By [`Player::index`]: cells that the player gets in exchange for the opponent's.
    pub exchanged: [CellSet; 2],
}

impl FillEffect {
    /// All cells that change.
    pub fn cells(&self) -> CellSet {
        let FillEffect { dead, dead_stones, captured, exchanged } = *self;
        [captured, exchanged].as_flattened().iter().fold(dead | dead_stones, |all, &cells| all | cells)
    }
}

impl FillStep {
    /// The rule behind this step, by its name in [`Options::TABLE`].
    pub fn rule(&self) -> &'static str {
        match self {
            FillStep::Dead { cells, .. } if cells.len() == 1 => "dead",
            FillStep::Dead { .. } => "dead-cutset",
            FillStep::DeadStone { .. } => "dead-stones",
            FillStep::Captured { pairs, .. } if pairs.len() == 1 => "captured",
            FillStep::Captured { .. } => "captured-fours",
            FillStep::Mutual(_) => "mutual-fillin",
            FillStep::Decomposition(_) => "decomposition",
        }
    }

    /// What the step does to the board.
    pub fn effect(&self) -> FillEffect {
        let mut effect = FillEffect::default();
        match self {
            FillStep::Dead { cells, .. } => effect.dead = *cells,
            FillStep::DeadStone { cell } => effect.dead_stones = cell.set(),
            FillStep::Captured { player, pairs } => {
                let cells = pairs.iter().flat_map(|&(one, other)| [one, other]);
                effect.captured[player.index()] = cells.collect();
            }
            FillStep::Mutual(found) => {
                effect.exchanged = [found.black.0.set(), found.white.0.set()];
            }
            FillStep::Decomposition(found) => {
                effect.captured[found.player.index()] = found.pairing.cells();
                effect.dead = found.dead;
            }
        }
        effect
    }

    /// The field after this step.
    pub fn apply(&self, field: &Field) -> Field {
        let FillEffect { dead, dead_stones, captured, exchanged } = self.effect();
        let mut field = *field;
        for player in Player::BOTH.map(Player::index) {
            field.stones[player] |= dead | dead_stones | captured[player] | exchanged[player];
        }
        field
    }
}

/// Listens to the steps of fill-in. The search listens with `()`, which costs nothing.
pub trait Trace {
    /// A step was found and is about to be made. Listeners that want to see it call `step`.
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

/// Fills in everything that can be filled. `changed` are the cells whose neighbourhood may have changed since the
/// position was last filled; for a new position, all cells.
///
/// ```
/// use rex_theory::fill_in::{FillStep, fill_in};
/// use rex_theory::{Field, Options, Reduced};
///
/// //   a b c
/// // 1 . B .    White's edges are left and right: she can never use a1.
/// //  2 . . .
/// //   3 . . .
/// let state: rex_game::State = "1b1/3/3 w".parse()?;
/// let mut reduced = Reduced::new(Field::new(&state));
/// let mut steps = Vec::new();
/// fill_in(&mut reduced, &Options::default(), state.board().cells(), &mut steps);
/// let a1 = state.board().cell_named("a1").unwrap();
/// assert!(matches!(&steps[..], [FillStep::Dead { cells, .. }] if *cells == a1.set()));
/// assert_eq!(reduced.field.settled(), a1.set());
/// # Ok::<(), rex_game::NotationError>(())
/// ```
pub fn fill_in(reduced: &mut Reduced, options: &Options, mut changed: CellSet, trace: &mut impl Trace) {
    // All changes since the position was last filled.
    let mut unseen = CellSet::EMPTY;
    // Each rule returns the cells it affects, or none if it finds nothing to fill.
    while reduced.joined.is_none() {
        changed &= reduced.empty();
        unseen |= changed;
        let dead = settle_dead(reduced, options, changed, trace);
        let captured = fill_captured_pair(reduced, options, changed, trace);
        if dead.is_some() || captured.is_some() {
            changed |= dead.unwrap_or_default() | captured.unwrap_or_default();
            continue;
        }
        // The cheap rules find nothing more. Whenever one of the others does, they get another turn.
        unseen &= reduced.empty();
        let found = fill_captured_neighbours(reduced, options, unseen, trace)
            .or_else(|| fill_captured_four(reduced, options, trace))
            .or_else(|| settle_cut_off(reduced, options, trace))
            .or_else(|| fill_mutual(reduced, options, trace))
            .or_else(|| fill_decomposition(reduced, options, trace))
            .or_else(|| settle_stones(reduced, options, trace));
        let Some(found) = found else { break };
        changed = found;
    }
}

/// Settles all stones that would be dead if uncoloured. Returns the cells whose neighbourhood may have changed, or none
/// if there was no such stone. The other rules must look at those again, because a settled stone no longer links what
/// is around it.
fn settle_stones(reduced: &mut Reduced, options: &Options, trace: &mut impl Trace) -> Option<CellSet> {
    let mut changed = None;
    while options.dead_stones
        && let Some(stone) = dead_stone(&reduced.field)
    {
        trace.note(|| FillStep::DeadStone { cell: stone });
        changed = Some(changed.unwrap_or_default() | reduced.settle_stone(stone));
    }
    changed
}

fn settle_dead(
    reduced: &mut Reduced,
    options: &Options,
    near: CellSet,
    trace: &mut impl Trace,
) -> Option<CellSet> {
    if !options.dead {
        return None;
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
    (!all.is_empty()).then(|| reduced.settle(all))
}

fn settle_cut_off(reduced: &mut Reduced, options: &Options, trace: &mut impl Trace) -> Option<CellSet> {
    let (cells, evidence) = options.dead_cutset.then(|| cut_off_in_any_image(reduced))??;
    trace.note(|| FillStep::Dead { cells, evidence });
    Some(reduced.settle(cells))
}

fn fill_captured_pair(
    reduced: &mut Reduced,
    options: &Options,
    near: CellSet,
    trace: &mut impl Trace,
) -> Option<CellSet> {
    let near = near & reduced.empty();
    let find = |player| Some((player, captured_pair(reduced, player, near)?));
    let (player, pair) = options.captured.then(|| Player::BOTH.into_iter().find_map(find))??;
    Some(fill_pairs(reduced, player, &[pair], trace))
}

fn fill_captured_neighbours(
    reduced: &mut Reduced,
    options: &Options,
    unseen: CellSet,
    trace: &mut impl Trace,
) -> Option<CellSet> {
    let find = |player| {
        let far = reduced.graph(player).neighbours_of_set(unseen) - unseen;
        Some((player, captured_neighbours(reduced, player, far)?))
    };
    let (player, pair) = options.captured.then(|| Player::BOTH.into_iter().find_map(find))??;
    Some(fill_pairs(reduced, player, &[pair], trace))
}

fn fill_captured_four(reduced: &mut Reduced, options: &Options, trace: &mut impl Trace) -> Option<CellSet> {
    let find = |player| Some((player, captured_four(reduced, player)?));
    let (player, pairs) = options.captured_fours.then(|| Player::BOTH.into_iter().find_map(find))??;
    Some(fill_pairs(reduced, player, &pairs, trace))
}

fn fill_pairs(
    reduced: &mut Reduced,
    player: Player,
    pairs: &[(Cell, Cell)],
    trace: &mut impl Trace,
) -> CellSet {
    trace.note(|| FillStep::Captured { player, pairs: pairs.to_vec() });
    let mut changed = CellSet::EMPTY;
    for &(one, other) in pairs {
        changed |= reduced.put(one, player) | reduced.put(other, player);
    }
    changed
}

fn fill_mutual(reduced: &mut Reduced, options: &Options, trace: &mut impl Trace) -> Option<CellSet> {
    let found = options.mutual_fillin.then(|| mutual_fill_in(reduced, reduced.empty()))??;
    trace.note(|| FillStep::Mutual(found));
    Some(reduced.put(found.black.0, Player::Black) | reduced.put(found.white.0, Player::White))
}

fn fill_decomposition(reduced: &mut Reduced, options: &Options, trace: &mut impl Trace) -> Option<CellSet> {
    let found = options.decomposition.then(|| decomposition(reduced))??;
    trace.note(|| FillStep::Decomposition(found));
    let mut changed = CellSet::EMPTY;
    for cell in found.pairing.cells() {
        changed |= reduced.put(cell, found.player);
    }
    Some(changed | reduced.settle(found.dead))
}
