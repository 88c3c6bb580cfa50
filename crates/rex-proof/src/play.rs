//! Playing the winner's side from an explicit certificate.

use std::collections::HashMap;

use rex_game::{Cell, Player, State, Symmetry};

use crate::claim::{Answer, Claim, ClaimId, Rule};

/// The winner's strategy that an explicit certificate spells out.
///
/// Collect the claims with [`Strategy::add`] while the certificate is checked, then [`Strategy::start`] at its
/// root.
#[derive(Clone, Debug, Default)]
pub struct Strategy {
    claims: HashMap<ClaimId, Claim>,
    by_state: HashMap<State, ClaimId>,
    /// Where the game is; `None` before it has started.
    at: Option<Place>,
}

/// A claim and how its board lies on that of the game.
#[derive(Clone, Copy, Debug)]
struct Place {
    /// The state of the game, as the players see it.
    state: State,
    winner: Player,
    claim: ClaimId,
    /// From the game's coordinates to those of the claim.
    symmetry: Symmetry,
}

/// The game cannot go on from the certificate.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StrategyError {
    /// A claim is missing, or uses a rule that names no moves.
    #[error("the certificate names no moves here; only one with 'rules explicit' can be played")]
    NotExplicit,
    /// The person cannot move there now.
    #[error("there is no such move now")]
    BadMove,
}

impl Strategy {
    /// Takes note of a claim that has been checked.
    pub fn add(&mut self, claim: &Claim) {
        self.by_state.insert(claim.state, claim.id);
        self.claims.insert(claim.id, claim.clone());
    }

    /// Starts a game from a state that one of the claims is about.
    ///
    /// # Errors
    /// If there is none.
    pub fn start(&mut self, state: &State) -> Result<(), StrategyError> {
        let claim = *self.by_state.get(state).ok_or(StrategyError::NotExplicit)?;
        let winner = self.claims[&claim].winner;
        self.at = Some(Place { state: *state, winner, claim, symmetry: Symmetry::Identity });
        self.follow_images()
    }

    /// The state of the game.
    pub fn state(&self) -> Option<State> {
        self.at.map(|at| at.state)
    }

    /// The winner's move, when it is hers. The game goes on after it.
    ///
    /// # Errors
    /// If the certificate is not explicit, or it is not her move.
    pub fn move_of_winner(&mut self) -> Result<Cell, StrategyError> {
        let at = self.at.ok_or(StrategyError::NotExplicit)?;
        if at.state.to_move != at.winner || at.state.moves().is_empty() {
            return Err(StrategyError::BadMove);
        }
        let board = at.state.board();
        let back = at.symmetry.inverse();
        let to_game = |cell| back.apply_to_cell(board, cell);
        match &self.claims[&at.claim].rule {
            Rule::Move(cell, id) => {
                let (cell, id) = (to_game(*cell), *id);
                self.go(cell, id)?;
                Ok(cell)
            }
            Rule::Pairs(pairs, key) => {
                let pairs = pairs.iter().map(|&(one, other)| (to_game(one), to_game(other)));
                let cell = pairing_move(&at.state, at.winner, pairs, key.map(to_game));
                self.go(cell, at.claim)?;
                Ok(cell)
            }
            _ => Err(StrategyError::NotExplicit),
        }
    }

    /// The loser moves.
    ///
    /// # Errors
    /// If she cannot move there, or the certificate is not explicit.
    pub fn move_of_loser(&mut self, cell: Cell) -> Result<(), StrategyError> {
        let at = self.at.ok_or(StrategyError::NotExplicit)?;
        if at.state.to_move == at.winner || !at.state.moves().has(cell) {
            return Err(StrategyError::BadMove);
        }
        let there = at.symmetry.apply_to_cell(at.state.board(), cell);
        let next = match &self.claims[&at.claim].rule {
            Rule::Pairs(..) => at.claim,
            Rule::All(answers) => match answers.iter().find(|(answered, _)| *answered == there) {
                Some((_, Answer::Claim(id))) => *id,
                // The game is over.
                Some((_, Answer::Joins)) => at.claim,
                _ => return Err(StrategyError::NotExplicit),
            },
            _ => return Err(StrategyError::NotExplicit),
        };
        self.go(cell, next)
    }

    fn go(&mut self, cell: Cell, claim: ClaimId) -> Result<(), StrategyError> {
        if let Some(at) = &mut self.at {
            at.state = at.state.play(cell);
            at.claim = claim;
        }
        self.follow_images()
    }

    fn follow_images(&mut self) -> Result<(), StrategyError> {
        while let Some(at) = &mut self.at {
            let claim = self.claims.get(&at.claim).ok_or(StrategyError::NotExplicit)?;
            let Rule::Image(symmetry, id) = claim.rule else { break };
            at.symmetry = at.symmetry.then(symmetry);
            at.claim = id;
        }
        Ok(())
    }
}

/// A move that keeps at most one cell of each pair the winner's, and never takes the key.
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
        // The mate of a cell that the loser has.
        for (here, there) in [(one, other), (other, one)] {
            if empty.has(here) && theirs.has(there) {
                return here;
            }
        }
    }
    // By the lemma on pairs only whole ones are left when nothing is spare, and then she may open one.
    spare.first().or(empty.first()).expect("the game is not over")
}
