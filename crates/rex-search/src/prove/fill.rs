//! Fill-in, step by step, each accepted by the checker.

use rex_game::{Board, Cell, CellSet, Player, Position, State, Symmetry};
use rex_proof::Step;
use rex_theory::fill_in::{FillStep, fill_in};
use rex_theory::{Field, Options, Reduced};

use crate::known::Node;

/// A filled position.
pub struct Filled {
    /// The steps that led to it.
    pub steps: Vec<Step>,
    /// In the theory's form, with settled cells.
    pub reduced: Reduced,
    /// The same with the settled cells coloured.
    pub position: Position,
    /// The pairs captured by each player.
    pub captured: [Vec<(Cell, Cell)>; 2],
    /// Steps of the theory that the checker did not accept.
    pub refused: Vec<RefusedStep>,
}

/// A fill-in step that the checker does not accept, so the proof takes another way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RefusedStep {
    /// The state where fill-in began.
    pub state: State,
    /// The rule behind the step, by its name in [`Options::TABLE`].
    pub rule: &'static str,
    /// The cells it fills or settles.
    pub cells: CellSet,
}

/// A state as the search sees it before fill-in: the filled position before the last move, in its canonical
/// orientation, with that move made. Cells that were settled earlier are settled in it. Fill-in from there leads to the
/// position that the table knows; from the bare state it often leads to a different one.
#[derive(Clone)]
pub struct Origin {
    reduced: Reduced,
    changed: CellSet,
    /// From the orientation of the state.
    way: Symmetry,
}

impl Origin {
    /// The origin of a state with no history.
    pub fn of(state: &State) -> Origin {
        let reduced = Reduced::new(Field::new(state));
        Origin { reduced, changed: state.board().cells(), way: Symmetry::Identity }
    }

    /// The origin of a position with nothing left to fill in.
    pub fn at_rest(field: &Field) -> Origin {
        let (node, way) = Node::of(field);
        Origin { reduced: Reduced::new(node.field(field.board)), changed: CellSet::EMPTY, way }
    }

    /// The origin of the position after a move.
    pub fn after(&self, cell: Cell) -> Origin {
        let mut next = self.clone();
        let cell = self.way.apply_to_cell(self.reduced.field.board, cell);
        next.changed = next.reduced.put(cell, self.reduced.field.mover());
        next
    }

    /// Whether the players are swapped in it.
    pub fn swaps_colours(&self) -> bool {
        self.way.swaps_colours()
    }

    /// The filled position, in its own orientation.
    pub fn filled(mut self, theory: &Options) -> Reduced {
        fill_in(&mut self.reduced, theory, self.changed, &mut ());
        self.reduced
    }
}

/// Fills in a position as far as the checker agrees.
pub fn fill(state: &State, origin: Origin, theory: &Options) -> Filled {
    let board = state.board();
    let Origin { mut reduced, changed, way } = origin;
    let mut trace: Vec<FillStep> = Vec::new();
    let back = Back { board, symmetry: way.inverse() };
    let inherited = back.set(reduced.field.settled());
    fill_in(&mut reduced, theory, changed, &mut trace);
    let mut replay = Replay {
        filling: rex_proof::Filling::new(&state.position),
        position: state.position,
        steps: Vec::new(),
        captured: Default::default(),
        before_dead: None,
    };
    let mut refused = Vec::new();
    let refuse = |step: &FillStep| RefusedStep {
        state: *state,
        rule: step.rule(),
        cells: back.set(step.effect().cells()),
    };
    let mut whole = inherited.is_empty() || replay.dead(inherited, None);
    for step in &trace {
        let agreed = match step {
            FillStep::Dead { cells, evidence } => {
                replay.dead(back.set(*cells), Some(back.player(evidence.player)))
            }
            FillStep::DeadStone { cell } => {
                // These come last, so if one is refused the others still hold.
                let agreed = replay.dead(back.set(cell.set()), None);
                whole &= agreed;
                if !agreed {
                    refused.push(refuse(step));
                }
                continue;
            }
            FillStep::Captured { player, pairs } => replay.capture(back.player(*player), &back.pairs(pairs)),
            FillStep::Mutual(found) => {
                let pairs = back.pairs(&[found.black, found.white]);
                let first = back.player(Player::Black).index();
                replay.mutual(pairs[first], pairs[1 - first])
            }
            FillStep::Decomposition(found) => {
                let player = back.player(found.player);
                replay.capture(player, &back.pairs(found.pairing.pairs()))
                    && (found.dead.is_empty() || replay.dead(back.set(found.dead), Some(player)))
            }
        };
        if !agreed {
            refused.push(refuse(step));
            whole = false;
            break;
        }
    }
    let stones = if whole {
        let stones = |player| back.set(reduced.field.stones[back.player(player).index()]);
        Player::BOTH.map(stones)
    } else {
        let settled = replay.filling.settled();
        Player::BOTH.map(|player| replay.position.stones(player) | settled)
    };
    let reduced = Reduced::new(Field { board, stones, last: state.last() });
    let Replay { position, steps, captured, .. } = replay;
    Filled { steps, reduced, position, captured, refused }
}

/// Maps back to the orientation of the state.
struct Back {
    board: Board,
    symmetry: Symmetry,
}

impl Back {
    fn set(&self, cells: CellSet) -> CellSet {
        self.symmetry.apply(self.board, cells)
    }

    fn player(&self, player: Player) -> Player {
        if self.symmetry.swaps_colours() { !player } else { player }
    }

    fn pairs(&self, pairs: &[(Cell, Cell)]) -> Vec<(Cell, Cell)> {
        let cell = |cell| self.symmetry.apply_to_cell(self.board, cell);
        pairs.iter().map(|&(one, other)| (cell(one), cell(other))).collect()
    }
}

struct Replay {
    filling: rex_proof::Filling,
    position: Position,
    steps: Vec<Step>,
    captured: [Vec<(Cell, Cell)>; 2],
    /// The filling before the last step, if new dead cells can be added to that step.
    before_dead: Option<rex_proof::Filling>,
}

impl Replay {
    /// Settles cells. In the graph where they were found dead, a stone of that player there changes nothing, so
    /// they get her colour. Dead stones keep theirs.
    fn dead(&mut self, cells: CellSet, colour: Option<Player>) -> bool {
        if let (Some(before), Some(Step::Dead(earlier))) = (self.before_dead, self.steps.last_mut())
            && let Some(filling) = before.settle(*earlier | cells)
        {
            *earlier |= cells;
            self.filling = filling;
        } else {
            let Some(filling) = self.filling.settle(cells) else { return false };
            self.before_dead = Some(self.filling);
            self.filling = filling;
            self.steps.push(Step::Dead(cells));
        }
        for cell in cells {
            if colour.is_some() {
                self.position.set(cell, colour);
            }
        }
        true
    }

    fn capture(&mut self, player: Player, pairs: &[(Cell, Cell)]) -> bool {
        let Some(filling) = self.filling.capture(player, pairs) else { return false };
        self.filling = filling;
        self.before_dead = None;
        for &(one, other) in pairs {
            self.position = self.position.with(one, player).with(other, player);
        }
        self.captured[player.index()].extend_from_slice(pairs);
        self.steps.push(Step::Captured(player, pairs.to_vec()));
        true
    }

    fn mutual(&mut self, black: (Cell, Cell), white: (Cell, Cell)) -> bool {
        let Some(filling) = self.filling.mutual(black, white) else { return false };
        self.filling = filling;
        self.before_dead = None;
        self.position = self.position.with(black.0, Player::Black).with(white.0, Player::White);
        self.steps.push(Step::Mutual(black, white));
        true
    }
}
