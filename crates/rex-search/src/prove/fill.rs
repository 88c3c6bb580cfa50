//! Fill-in, step by step, each with the checker's consent.

use rex::{Cell, CellSet, Player, Position, State};
use rex_proof::Step;
use rex_theory::fill_in::{FillStep, fill_in};
use rex_theory::{Field, Options, Reduced};

/// A filled position.
pub struct Filled {
    /// How it came about.
    pub steps: Vec<Step>,
    /// As the theory sees it, with settled cells.
    pub reduced: Reduced,
    /// The same with colours for the settled cells.
    pub position: Position,
    /// The pairs that each player has captured.
    pub captured: [Vec<(Cell, Cell)>; 2],
}

/// Fills a position in as far as the checker agrees.
pub fn fill(state: &State, theory: &Options) -> Filled {
    let field = Field::new(state);
    let mut reduced = Reduced::new(field);
    let mut trace: Vec<FillStep> = Vec::new();
    fill_in(&mut reduced, theory, state.board().cells(), &mut trace);
    let mut replay = Replay {
        field: rex_proof::Field::new(&state.position),
        position: state.position,
        steps: Vec::new(),
        captured: Default::default(),
        before_dead: None,
    };
    let mut whole = true;
    for step in &trace {
        let agreed = match step {
            FillStep::Dead { cells, evidence } => replay.dead(*cells, Some(evidence.player)),
            FillStep::DeadStone { cell } => {
                // The last steps; one that is not agreed to does not matter to the others.
                whole &= replay.dead(cell.set(), None);
                continue;
            }
            FillStep::Captured { player, pairs } => replay.capture(*player, pairs),
            FillStep::Mutual(found) => replay.mutual(found.black, found.white),
            FillStep::Decomposition(found) => {
                replay.capture(found.player, found.pairing.pairs())
                    && (found.dead.is_empty() || replay.dead(found.dead, Some(found.player)))
            }
        };
        if !agreed {
            whole = false;
            break;
        }
    }
    if !whole {
        let settled = replay.field.settled();
        let stones = Player::BOTH.map(|player| replay.position.stones(player) | settled);
        reduced = Reduced::new(Field { stones, ..field });
    }
    let Replay { position, steps, captured, .. } = replay;
    Filled { steps, reduced, position, captured }
}

struct Replay {
    field: rex_proof::Field,
    position: Position,
    steps: Vec<Step>,
    captured: [Vec<(Cell, Cell)>; 2],
    /// Before the last step, if that is one that new dead cells can be added to.
    before_dead: Option<rex_proof::Field>,
}

impl Replay {
    /// Settles cells. In the graph in which they are found dead, an own stone there changes nothing, so that is the
    /// colour they get; dead stones keep theirs.
    fn dead(&mut self, cells: CellSet, colour: Option<Player>) -> bool {
        if let (Some(before), Some(Step::Dead(earlier))) = (self.before_dead, self.steps.last_mut())
            && let Some(field) = before.settle(*earlier | cells)
        {
            *earlier |= cells;
            self.field = field;
        } else {
            let Some(field) = self.field.settle(cells) else { return false };
            self.before_dead = Some(self.field);
            self.field = field;
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
        let Some(field) = self.field.capture(player, pairs) else { return false };
        self.field = field;
        self.before_dead = None;
        for &(one, other) in pairs {
            self.position = self.position.with(one, player).with(other, player);
        }
        self.captured[player.index()].extend_from_slice(pairs);
        self.steps.push(Step::Captured(player, pairs.to_vec()));
        true
    }

    fn mutual(&mut self, black: (Cell, Cell), white: (Cell, Cell)) -> bool {
        let Some(field) = self.field.mutual(black, white) else { return false };
        self.field = field;
        self.before_dead = None;
        self.position = self.position.with(black.0, Player::Black).with(white.0, Player::White);
        self.steps.push(Step::Mutual(black, white));
        true
    }
}
