//! Plays the winner's side from an explicit certificate.

use std::collections::HashMap;

use rex_game::{Cell, Player, State, Symmetry};

use crate::claim::{Claim, ClaimId, Refutation, Rule};

/// The winner's strategy, as spelled out by an explicit certificate.
///
/// [`Strategy::add`] the claims while checking the certificate, then [`Strategy::start`] at its root.
#[derive(Clone, Debug, Default)]
pub struct Strategy {
    claims: HashMap<ClaimId, Claim>,
    by_state: HashMap<State, ClaimId>,
    /// Where the game is; `None` before it starts.
    at: Option<Place>,
}

/// Where a game is in a certificate: a claim, and how its coordinates map to those of the game.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// The state of the game, as the players see it.
    pub state: State,
    /// Who wins it.
    pub winner: Player,
    /// The claim that says how.
    pub claim: ClaimId,
    /// From the game's coordinates to those of the claim.
    pub symmetry: Symmetry,
}

/// Why the game cannot continue from the certificate.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StrategyError {
    /// A claim is missing, or its rule names no moves.
    #[error("the certificate names no moves here; only one with 'rules explicit' can be played")]
    NotExplicit,
    /// This move is not possible now.
    #[error("that move is not possible now")]
    BadMove,
}

impl Strategy {
    /// Adds a claim that has been checked.
    pub fn add(&mut self, claim: &Claim) {
        self.by_state.insert(claim.state, claim.id);
        self.claims.insert(claim.id, claim.clone());
    }

    /// Starts a game from the state of one of the claims.
    ///
    /// # Errors
    /// If no claim is about this state.
    pub fn start(&mut self, state: &State) -> Result<(), StrategyError> {
        let &Claim { id, winner, .. } = self.about(state)?;
        let mut at = Place { state: *state, winner, claim: id, symmetry: Symmetry::Identity };
        at.follow_images(&|id| self.claims.get(&id).cloned())?;
        self.at = Some(at);
        Ok(())
    }

    /// A claim about this state.
    pub(crate) fn about(&self, state: &State) -> Result<&Claim, StrategyError> {
        self.claim(*self.by_state.get(state).ok_or(StrategyError::NotExplicit)?)
    }

    pub(crate) fn claim(&self, id: ClaimId) -> Result<&Claim, StrategyError> {
        self.claims.get(&id).ok_or(StrategyError::NotExplicit)
    }

    /// The state of the game.
    pub fn state(&self) -> Option<State> {
        self.at.map(|at| at.state)
    }

    /// Makes the winner's move, if it is her turn, and returns it.
    ///
    /// # Errors
    /// If the certificate is not explicit, or it is not her turn.
    pub fn move_of_winner(&mut self) -> Result<Cell, StrategyError> {
        let mut at = self.at.ok_or(StrategyError::NotExplicit)?;
        let cell = at.move_of_winner(|id| self.claims.get(&id).cloned())?;
        self.at = Some(at);
        Ok(cell)
    }

    /// Makes a move of the loser.
    ///
    /// # Errors
    /// If she cannot move there, or the certificate is not explicit.
    pub fn move_of_loser(&mut self, cell: Cell) -> Result<(), StrategyError> {
        let mut at = self.at.ok_or(StrategyError::NotExplicit)?;
        at.move_of_loser(cell, |id| self.claims.get(&id).cloned())?;
        self.at = Some(at);
        Ok(())
    }
}

/// `look` finds a claim by its number.
impl Place {
    /// Makes the winner's move, if it is her turn, and returns it.
    ///
    /// # Errors
    /// If the claim names no move, or it is not her turn.
    pub fn move_of_winner(&mut self, look: impl Fn(ClaimId) -> Option<Claim>) -> Result<Cell, StrategyError> {
        if self.state.to_move != self.winner || self.state.moves().is_empty() {
            return Err(StrategyError::BadMove);
        }
        self.follow_images(&look)?;
        let board = self.state.board();
        let back = self.symmetry.inverse();
        let to_game = |cell| back.apply_to_cell(board, cell);
        let (cell, next) = match look(self.claim).map(|claim| claim.rule) {
            Some(Rule::Move(cell, id)) => (to_game(cell), id),
            Some(Rule::Pairs(pairs, key)) => {
                let pairs = pairs.iter().map(|&(one, other)| (to_game(one), to_game(other)));
                (pairing_move(&self.state, self.winner, pairs, key.map(to_game)), self.claim)
            }
            _ => return Err(StrategyError::NotExplicit),
        };
        self.go(cell, next, &look)?;
        Ok(cell)
    }

    /// Makes a move of the loser.
    ///
    /// # Errors
    /// If she cannot move there, or the claim does not answer that move by another one.
    pub fn move_of_loser(
        &mut self,
        cell: Cell,
        look: impl Fn(ClaimId) -> Option<Claim>,
    ) -> Result<(), StrategyError> {
        if self.state.to_move == self.winner || !self.state.moves().has(cell) {
            return Err(StrategyError::BadMove);
        }
        self.follow_images(&look)?;
        let there = self.symmetry.apply_to_cell(self.state.board(), cell);
        let next = match look(self.claim).map(|claim| claim.rule) {
            Some(Rule::Pairs(..)) => self.claim,
            Some(Rule::All(answers)) => match answers.iter().find(|(answered, _)| *answered == there) {
                Some((_, Refutation::Claim(id))) => *id,
                // The game is over.
                Some((_, Refutation::Joins)) => self.claim,
                _ => return Err(StrategyError::NotExplicit),
            },
            _ => return Err(StrategyError::NotExplicit),
        };
        self.go(cell, next, &look)
    }

    fn go(
        &mut self,
        cell: Cell,
        claim: ClaimId,
        look: &impl Fn(ClaimId) -> Option<Claim>,
    ) -> Result<(), StrategyError> {
        self.state = self.state.play(cell);
        self.claim = claim;
        self.follow_images(look)
    }

    /// An image is about the same position of the game.
    fn follow_images(&mut self, look: &impl Fn(ClaimId) -> Option<Claim>) -> Result<(), StrategyError> {
        while let Rule::Image(symmetry, id) = look(self.claim).ok_or(StrategyError::NotExplicit)?.rule {
            self.symmetry = self.symmetry.then(symmetry);
            self.claim = id;
        }
        Ok(())
    }
}

/// A move that leaves the winner with at most one cell of each pair, and never takes the key.
fn pairing_move(
    state: &State,
    winner: Player,
    pairs: impl Iterator<Item = (Cell, Cell)>,
    key: Option<Cell>,
) -> Cell {
    let (empty, theirs) = (state.position.empty(), state.position.stones(!winner));
    let mut spare = empty;
    if let Some(key) = key {
        spare.remove(key);
    }
    for (one, other) in pairs {
        spare = spare.without(one).without(other);
        // The loser has one cell: take its mate.
        for (here, there) in [(one, other), (other, one)] {
            if empty.has(here) && theirs.has(there) {
                return here;
            }
        }
    }
    // If nothing is spare, only whole pairs are left, by the lemma on pairs, and the winner may open one.
    spare.first().or(empty.first()).expect("the game is not over")
}
