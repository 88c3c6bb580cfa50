//! From a solved state to a certificate.
//!
//! `prove()` finds a rule for a state, in `evidence.rs` (pairings, dominated moves), `fill.rs` (fill-in) or `monotone.rs`
//! (claims that follow from worse ones), and otherwise plays moves. It uses the default rules whatever switches the
//! solver has; only symmetry can be switched off.
//!
//! Where the winner is to move, the walk asks the solver, whose table is warm, for her move. Where the loser is to
//! move, it answers every move. Each step must pass the checker's own tests before it is written. If it does not, the
//! walk takes a longer way instead. So a certificate may be longer than the search that found it, but never wrong.

mod evidence;
mod fill;
mod groundwork;
mod monotone;
mod moves;
mod request;

use std::collections::HashSet;
use std::io::{self, Write};

use rex_game::{Board, Cell, CellSet, Player, State};
use rex_proof::{Claim, ClaimId, Refutation, Rule, Written};
use rex_theory::domination::Domination;
use rex_theory::pairing::Pairing;
use rex_theory::symmetry::notlast_wins_by_symmetry;
use rex_theory::{Field, Options, Reduced};

use crate::clock::Moment;
use crate::known::Node;
use crate::limits::{Limits, StopReason};
use crate::solver::Solver;
pub use fill::RefusedStep;
use fill::{Filled, Origin};
pub use groundwork::Groundwork;
use monotone::Learned;
pub use request::{Attempt, ProofRequest};

/// Claims that together prove a state.
#[derive(Clone, Debug)]
pub struct Proof {
    /// The board.
    pub board: Board,
    /// Whether it uses only joins, moves, pairs and images.
    pub explicit: bool,
    /// The claims, each after those it refers to.
    pub claims: Vec<Claim>,
    /// The claim that was asked for.
    pub root: ClaimId,
    /// Others that were asked for.
    pub kept: Vec<ClaimId>,
    /// The size of the proof in search nodes.
    pub extent: Extent,
    /// Fill-in steps that the theory found but the checker did not accept, so the proof takes another way. They are
    /// harmless, unless the theory is wrong.
    pub refused: Vec<RefusedStep>,
}

/// The size of a proof, counted the way a search counts its nodes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Extent {
    /// Distinct filled positions, up to symmetry, that are not over. Each was proved by moves, by a pairing, by
    /// symmetry or by a worse position. Fill-in, images and claims that only recolour settled cells do not count again.
    pub positions: usize,
    /// How many of the winner's moves the solver had forgotten and had to find again.
    pub forgotten: usize,
    /// Nodes searched for that.
    pub nodes: u64,
}

impl Proof {
    /// Extends the proof of the state after a move to a proof that the side to move in `state` wins by that move to
    /// `cell`.
    pub fn of_the_move(mut self, state: &State, cell: Cell) -> Proof {
        let id = self.claims.len() as ClaimId + 1;
        let rule = Rule::Move(cell, self.root);
        self.claims.push(Claim { id, state: *state, winner: state.to_move, rule });
        self.root = id;
        self
    }

    /// Writes the certificate.
    ///
    /// # Errors
    /// If `out` fails.
    pub fn write(self, out: &mut impl Write) -> io::Result<Written> {
        rex_proof::write(out, self.board, self.explicit, self.claims, self.root, &self.kept)
    }
}

/// Why no certificate was made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProveError {
    /// A limit was reached.
    #[error("stopped by a limit: {}", .0.word())]
    Stopped(StopReason),
    /// The solver names no winning move.
    #[error("no winning move of {} was found in {state}, which the search had called won", state.to_move)]
    NoMove {
        /// The state.
        state: Box<State>,
    },
}

struct Prover<'a, 'l> {
    solver: &'a Solver,
    ground: Groundwork,
    /// Whether to prefer moves to pairings over the winning moves that the solver remembers.
    to_pairings: bool,
    theory: Options,
    limits: &'a Limits,
    started: Moment,
    pairings: evidence::Pairings,
    learned: Learned,
    /// Only reasons with a lower number may be used here: the others may follow from what is being proved.
    before: usize,
    /// If the solver was told what may be false: where to look for a winning move as long as it takes. Elsewhere the walk
    /// soon gives up.
    doubting: Option<&'a HashSet<State>>,
    /// The states from the root to the one being proved.
    way: Vec<State>,
    /// The number of claims at which to look at the clock. A try that goes on from earlier claims first adds some of its
    /// own: however short it is, it makes headway.
    next_look: usize,
    listener: &'l mut dyn FnMut(usize),
}

/// Check the clock after this many claims.
const BETWEEN_LOOKS: usize = 256;
/// How many nodes the solver may spend on one move before it tries another one.
const PATIENCE: [u64; 4] = [1, 300, 10_000, 300_000];
/// How many nodes it may spend on all moves of a state before the walk doubts that one of them wins.
const SOON: u64 = 10_000;

impl<'a, 'l> Prover<'a, 'l> {
    fn new(
        solver: &'a Solver,
        ground: Groundwork,
        state: &State,
        winner: Player,
        limits: &'a Limits,
        listener: &'l mut dyn FnMut(usize),
    ) -> Prover<'a, 'l> {
        // Symmetry names a winner but no move, so the caller can ask for a proof without it.
        let Options { colour_symmetry, dominated_symmetry, .. } = *solver.theory();
        let next_look = if ground.claims.is_empty() { 0 } else { ground.claims.len() + BETWEEN_LOOKS };
        Prover {
            solver,
            ground,
            to_pairings: false,
            theory: Options { colour_symmetry, dominated_symmetry, ..Options::default() },
            limits,
            started: Moment::now(),
            pairings: evidence::Pairings::default(),
            learned: Learned::new(state, winner),
            before: usize::MAX,
            doubting: None,
            way: Vec::new(),
            next_look,
            listener,
        }
    }

    fn run(&mut self, state: &State, winner: Player) -> Result<ClaimId, ProveError> {
        self.learned.catch_up(self.solver.log());
        // The position that was asked about deserves a long look: one pairing is what people can check by hand.
        // An earlier try has had it.
        let first = self.ground.claims.is_empty();
        let at_once = first && self.ground.explicit && state.position.winner().is_none();
        let pairing = at_once.then(|| {
            let filled = fill::fill(state, Origin::of(state), &self.theory);
            evidence::long_search(state, !winner, &filled)
        });
        match pairing.flatten() {
            Some(rule) => Ok(self.ground.push(state, winner, rule)),
            None => self.go_to(state, winner, Origin::of(state)),
        }
    }

    /// Proves a state that another one leads to. If that fails, the way there stays.
    fn go_to(&mut self, state: &State, winner: Player, origin: Origin) -> Result<ClaimId, ProveError> {
        self.way.push(*state);
        let id = self.prove(state, winner, origin)?;
        self.way.pop();
        Ok(id)
    }

    /// A claim that `winner` wins a state.
    fn prove(&mut self, state: &State, winner: Player, origin: Origin) -> Result<ClaimId, ProveError> {
        if let Some(id) = self.ground.remembered(state) {
            return Ok(id);
        }
        if state.position.winner().is_some() {
            return Ok(self.ground.push(state, winner, Rule::Joined));
        }
        self.look()?;
        if !self.ground.explicit
            && let Some(rule) = self.by_symmetry(&Field::new(state), winner)
        {
            self.ground.meet(&origin.filled(&self.theory));
            return Ok(self.ground.push(state, winner, rule));
        }
        let filled = fill::fill(state, origin, &self.theory);
        self.ground.refused.extend(&filled.refused);
        self.ground.meet(&filled.reduced);
        if self.ground.explicit {
            let pairing = self.pairing(winner, &filled);
            let rule = match evidence::pairing(state, !winner, &filled, pairing.as_ref()) {
                Some(rule) => rule,
                None => self.by_moves(state, winner, &filled.reduced)?,
            };
            let id = self.ground.push(state, winner, rule);
            if filled.reduced.joined.is_none() {
                self.ground.settle(&filled.reduced.field, id);
            }
            return Ok(id);
        }
        if filled.steps.is_empty() {
            let pairing = self.pairing(winner, &filled);
            return self.prove_filled(state, winner, &filled, pairing.as_ref());
        }
        let (node, symmetry) = Node::of(&filled.reduced.field);
        let known = self.ground.by_node.get(&node).copied();
        if let Some((id, its_symmetry)) = known {
            let way = symmetry.then(its_symmetry);
            let child = self.ground.claim(id).state.image(way);
            let child = self.ground.remembered(&child).expect("a claim on an image is there");
            return Ok(self.ground.push(state, winner, Rule::Fill(filled.steps, child)));
        }
        let pairing = self.pairing(winner, &filled);
        if let Some(rule) = evidence::pairing(state, !winner, &filled, pairing.as_ref()) {
            return Ok(self.ground.push(state, winner, rule));
        }
        let mut child = State { position: filled.position, to_move: state.to_move };
        if child.last() != state.last() {
            child.to_move = !child.to_move;
        }
        let at_rest = Filled { steps: Vec::new(), captured: Default::default(), ..filled };
        let id = match self.ground.remembered(&child) {
            Some(id) => id,
            None if child.position.winner().is_some() => self.ground.push(&child, winner, Rule::Joined),
            None => self.prove_filled(&child, winner, &at_rest, pairing.as_ref())?,
        };
        if self.ground.claim(id).state == *state {
            // Its settled cells were settled before.
            return Ok(id);
        }
        Ok(self.ground.push(state, winner, Rule::Fill(filled.steps, id)))
    }

    /// A claim on a state with nothing left to fill in. `filled` knows which stones are settled.
    fn prove_filled(
        &mut self,
        state: &State,
        winner: Player,
        filled: &Filled,
        pairing: Option<&Pairing>,
    ) -> Result<ClaimId, ProveError> {
        let field = &filled.reduced.field;
        // Settled cells may have any colour, and the loser's suits the winner best.
        let mut lent = *state;
        for cell in field.settled() {
            lent.position.set(cell, Some(!winner));
        }
        let id = if let Some(rule) = self.by_symmetry(field, winner) {
            self.ground.remembered(&lent).unwrap_or_else(|| self.ground.push(&lent, winner, rule))
        } else if let Some(rule) = evidence::pairing(state, !winner, filled, pairing) {
            self.ground.push(state, winner, rule)
        } else if let Some(rule) = self.known_pairing(&lent, winner, field) {
            self.ground.remembered(&lent).unwrap_or_else(|| self.ground.push(&lent, winner, rule))
        } else if let Some((id, way)) = self.ground.claims_by_moves.worse_than(&lent, winner) {
            let image = self.ground.claim(id).state.image(way.inverse());
            let id = self.ground.remembered(&image).expect("a claim on an image is there");
            self.ground.remembered(&lent).unwrap_or_else(|| self.ground.push(&lent, winner, Rule::Worse(id)))
        } else if let Some((number, worst)) = self.learned.worse_than(field, self.before) {
            let worst = worst.to_state();
            let before = std::mem::replace(&mut self.before, number);
            let id = self.go_to(&worst, winner, Origin::of(&worst));
            self.before = before;
            let id = id?;
            self.ground.remembered(&lent).unwrap_or_else(|| self.ground.push(&lent, winner, Rule::Worse(id)))
        } else {
            let rule = self.by_moves(state, winner, &filled.reduced)?;
            let id = self.ground.push(state, winner, rule);
            self.ground.claims_by_moves.add(state, winner, id);
            id
        };
        self.ground.settle(field, id);
        Ok(id)
    }

    fn by_symmetry(&self, field: &Field, winner: Player) -> Option<Rule> {
        let wins = winner != field.last;
        notlast_wins_by_symmetry(field, &self.theory).filter(|_| wins).map(Rule::Mirror)
    }

    /// A rule with a pairing that the search has learned. `lent` is the field with the loser's stones on settled cells.
    fn known_pairing(&self, lent: &State, winner: Player, field: &Field) -> Option<Rule> {
        evidence::as_it_stands(lent, !winner, &self.learned.pairing(field)?)
    }

    /// A pairing that makes the loser join in the filled position.
    fn pairing(&mut self, winner: Player, filled: &Filled) -> Option<Pairing> {
        let steps = if self.to_pairings { evidence::MORE_STEPS } else { evidence::STEPS };
        self.pairings.find(&self.theory, !winner, &filled.reduced, steps)
    }

    fn by_moves(&mut self, state: &State, winner: Player, reduced: &Reduced) -> Result<Rule, ProveError> {
        // An explicit proof has no fill-in, so no origin to keep.
        let (explicit, origin) = (self.ground.explicit, Origin::at_rest(&reduced.field));
        let after = |cell| if explicit { Origin::of(&state.play(cell)) } else { origin.after(cell) };
        if state.to_move == winner {
            let cell = self.winning_move(state, reduced, &after)?;
            let id = self.go_to(&state.play(cell), winner, after(cell))?;
            return Ok(Rule::Move(cell, id));
        }
        let loser = !winner;
        let empty = state.position.empty();
        let joining: CellSet =
            empty.into_iter().filter(|&cell| state.play(cell).position.joined(loser)).collect();
        let mut answers: Vec<(Cell, Refutation)> =
            joining.into_iter().map(|cell| (cell, Refutation::Joins)).collect();
        let mut answered = joining;
        let mut rest = empty - joining;
        let domination = (!self.ground.explicit).then(|| Domination::new(reduced, loser, &self.theory));
        // Moves that no other cell beats come first. A beaten one waits until a better one is answered.
        let mut kept = domination.as_ref().map_or(rest, |domination| domination.prune(rest));
        while !rest.is_empty() {
            let beaten = domination.as_ref().and_then(|domination| {
                rest.into_iter().find_map(|cell| {
                    let better = domination.better_than(cell) & answered;
                    Some((cell, evidence::domination(state, reduced, cell, better)?))
                })
            });
            let (cell, answer) = match beaten {
                Some(found) => found,
                None => {
                    let cell = (kept & rest).first().or(rest.first()).expect("there is a cell left");
                    kept.remove(cell);
                    (cell, Refutation::Claim(self.go_to(&state.play(cell), winner, after(cell))?))
                }
            };
            answers.push((cell, answer));
            answered.insert(cell);
            rest.remove(cell);
        }
        Ok(Rule::All(answers))
    }

    /// A winning move for the side to move: one that already has a claim; or, if wanted, one that leads to a pairing;
    /// or one that the solver remembers as won; or one that it can solve.
    fn winning_move(
        &mut self,
        state: &State,
        reduced: &Reduced,
        after: &impl Fn(Cell) -> Origin,
    ) -> Result<Cell, ProveError> {
        let mover = state.to_move;
        let moves = state.moves();
        let open: CellSet =
            moves.into_iter().filter(|&cell| !state.play(cell).position.joined(mover)).collect();
        let claimed = open.into_iter().find(|&cell| self.ground.claims_win(&state.play(cell), mover));
        if let Some(cell) = claimed {
            return Ok(cell);
        }
        let pruned = Domination::new(reduced, mover, &self.theory).prune(open & reduced.empty());
        // No proof is shorter than a pairing, and without fill-in anything else is long to prove (`docs/notes.md`,
        // "Proofs and the checker").
        if self.to_pairings {
            let found = pruned.into_iter().chain(open - pruned).find(|&cell| {
                let child = state.play(cell);
                let filled = fill::fill(&child, after(cell), &self.theory);
                self.is_paired(&child, &filled, mover)
            });
            if let Some(cell) = found {
                return Ok(cell);
            }
        }
        let mut known: Vec<Cell> = Vec::new();
        for set in [pruned, open - pruned] {
            for cell in set {
                if self.known(after(cell), mover) {
                    known.push(cell);
                }
            }
            if !known.is_empty() {
                return Ok(self.easiest(state, known, after));
            }
        }
        self.ground.forgotten += 1;
        if self.doubting.is_some_and(|insisting| !insisting.contains(state)) {
            return self.soon_found(state);
        }
        for nodes in PATIENCE.into_iter().map(Some).chain([None]) {
            for set in [pruned, open - pruned] {
                for cell in set {
                    if self.winner_within(&state.play(cell), nodes)? == Some(mover) {
                        return Ok(cell);
                    }
                }
            }
        }
        Err(ProveError::NoMove { state: Box::new(*state) })
    }

    /// A winning move that the solver finds soon.
    fn soon_found(&mut self, state: &State) -> Result<Cell, ProveError> {
        let limits = self.limits_within(Some(SOON));
        let solution = self.solver.ask(state).limits(&limits).winning_move();
        self.ground.nodes += solution.nodes;
        self.learned.catch_up(self.solver.log());
        match (solution.best, solution.stopped) {
            (Some(cell), _) => Ok(cell),
            (None, Some(reason @ (StopReason::Time | StopReason::Interrupt | StopReason::Board))) => {
                Err(ProveError::Stopped(reason))
            }
            (None, _) => Err(ProveError::NoMove { state: Box::new(*state) }),
        }
    }

    /// The move whose proof looks shortest: a pairing right after it, else the fewest cells left open.
    fn easiest(&mut self, state: &State, known: Vec<Cell>, after: &impl Fn(Cell) -> Origin) -> Cell {
        if let [only] = known[..] {
            return only;
        }
        let effort = |cell: Cell, prover: &mut Self| {
            let child = state.play(cell);
            let filled = fill::fill(&child, after(cell), &prover.theory);
            let (node, _) = Node::of(&filled.reduced.field);
            if !prover.ground.explicit && prover.ground.by_node.contains_key(&node) {
                return 0;
            }
            if prover.is_paired(&child, &filled, state.to_move) {
                1
            } else {
                2 + filled.reduced.empty().len()
            }
        };
        let best = known.into_iter().min_by_key(|&cell| effort(cell, self));
        best.expect("some move is known to win")
    }

    /// Whether a pairing of a state is soon found and can be written down.
    fn is_paired(&mut self, state: &State, filled: &Filled, winner: Player) -> bool {
        let few = evidence::FEW_STEPS;
        let pairing = self.pairings.find(&self.theory, !winner, &filled.reduced, few);
        evidence::pairing(state, !winner, filled, pairing.as_ref()).is_some()
    }

    /// Whether the solver knows that the winner, whose move it was, wins.
    fn known(&self, origin: Origin, mover: Player) -> bool {
        let mover = if origin.swaps_colours() { !mover } else { mover };
        let filled = origin.filled(&self.theory);
        self.solver
            .table_winner(&filled)
            .map_or_else(|| self.learned.decides(&filled.field), |winner| winner == mover)
    }

    /// What is left of the limits, for a search of this many nodes.
    fn limits_within(&self, nodes: Option<u64>) -> Limits {
        let left = self.limits.nodes.map(|all| all.saturating_sub(self.ground.nodes));
        Limits {
            nodes: nodes.into_iter().chain(left).min(),
            time: self.limits.time.map(|time| time.saturating_sub(self.started.elapsed())),
            cancel: self.limits.cancel.clone(),
        }
    }

    /// Who wins, if the solver finds out within this many nodes.
    fn winner_within(&mut self, state: &State, nodes: Option<u64>) -> Result<Option<Player>, ProveError> {
        let limits = self.limits_within(nodes);
        let solution = self.solver.ask(state).limits(&limits).verdict();
        self.ground.nodes += solution.nodes;
        self.learned.catch_up(self.solver.log());
        match solution.stopped {
            Some(StopReason::Nodes) if nodes.is_some() && limits.nodes != Some(0) => Ok(None),
            Some(reason) => Err(ProveError::Stopped(reason)),
            None => Ok(solution.winner),
        }
    }

    fn look(&mut self) -> Result<(), ProveError> {
        if self.ground.claims.len() >= self.next_look {
            self.next_look = self.ground.claims.len() + BETWEEN_LOOKS;
            (self.listener)(self.ground.claims.len());
            let cancelled = self.limits.cancel.as_ref();
            if cancelled.is_some_and(|flag| flag.load(std::sync::atomic::Ordering::Relaxed)) {
                return Err(ProveError::Stopped(StopReason::Interrupt));
            }
            if self.limits.time.is_some_and(|time| self.started.elapsed() >= time) {
                return Err(ProveError::Stopped(StopReason::Time));
            }
        }
        Ok(())
    }
}
