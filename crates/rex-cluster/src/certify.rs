//! The certificate of an answer, from a ledger that need not be believed.
//!
//! Two solvers take part. One is told everything in the ledger, so it knows at once what took the cluster hours; but
//! whatever it finds may rest on a lie. It only says where to look for the proof. The other one believes nobody: it
//! knows what it has searched itself.
//!
//! A walk writes the certificate from what the first one says. Where it says that a position is won and no winning move
//! can be found, something is false. `Inquiry::settle` then finds out what is true there, with the second solver if that
//! is quick, and removes what was false. Otherwise it only drops what asserts that win, and searches again with the
//! rest. Then the first solver starts from nothing, since it may have drawn conclusions from what is gone, and the walk
//! goes on; claims that are proved stay.
//!
//! It comes to an end: each time a record goes, a conclusion of our own is replaced by the truth, or a position gets its
//! claim. In the worst case nothing of the ledger is left, and everything is searched here.

use std::collections::{HashMap, HashSet};

use rex_game::{Cell, Player, State};
use rex_search::prove::{Groundwork, Proof, ProveError};
use rex_search::{Limits, Node, Part, Progress, Settings, Solution, Solved, Solver, StopReason, TableError};
use rex_store::{Place, Record, StoreError, record_of, solved_nodes};
use rex_theory::Options;
use rex_theory::fill_in::RULES;
use rex_theory::symmetry::notlast_wins_by_symmetry;

use crate::lead::Lead;
use crate::ledger::{Changes, Ledger};

/// A request for the certificate of what a ledger says.
pub struct Certify<'a> {
    /// The position, and how it was searched. Half of the memory is for each of the two solvers.
    pub lead: &'a Lead,
    /// What is known.
    pub ledger: &'a Ledger,
    /// Use only joins, moves, pairs and images.
    pub explicit: bool,
    /// Threads for what is searched here.
    pub threads: usize,
    /// Where a proof fails, search so many nodes without the ledger before trying what is left of it.
    pub alone: u64,
}

/// What happens meanwhile.
pub enum Step<'a> {
    /// A proof has so many claims.
    Claims(usize),
    /// Something is being searched.
    Search(&'a Progress),
    /// This state is won according to the ledger, but no winning move was found soon.
    Doubt(&'a State),
    /// Something in the ledger was false.
    Wrong(&'a Wrong),
}

/// Something in the ledger that was false.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wrong {
    /// The position, filled in and in canonical form.
    pub state: State,
    /// Who was said to win it.
    pub said: Player,
    /// The worker that was the first to report on it, if that is known.
    pub reporter: Option<String>,
}

/// What was found out on the way to a certificate.
pub struct Findings {
    /// Who wins.
    pub winner: Player,
    /// What was false.
    pub wrong: Vec<Wrong>,
    /// What the ledger says there now, for those who have learned the false records.
    pub corrected: Vec<(Place, Record)>,
    /// Records that were not used, because no proof of them was found soon; but they were not shown to be false.
    pub unconfirmed: usize,
    /// Nodes searched here.
    pub nodes: u64,
    /// Knows what was proved and what was searched here, and nothing else.
    own: Solver,
}

/// Why there is no certificate.
#[derive(Debug, thiserror::Error)]
pub enum CertifyError {
    /// It was cancelled. Nothing in the ledger is lost.
    #[error("stopped by a limit: {}", .0.word())]
    Stopped(StopReason),
    /// The ledger cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// There is not enough memory.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The solver contradicts itself.
    #[error(transparent)]
    Prove(ProveError),
}

impl From<ProveError> for CertifyError {
    fn from(error: ProveError) -> CertifyError {
        match error {
            ProveError::Stopped(reason) => CertifyError::Stopped(reason),
            error => CertifyError::Prove(error),
        }
    }
}

impl Certify<'_> {
    /// The usual number of nodes to search [`alone`](Certify::alone): a few seconds.
    pub const ALONE: u64 = 100_000;

    /// Makes the certificate, and removes from the ledger what turns out to be false. The certificate has not been
    /// checked yet.
    ///
    /// # Errors
    /// If it is cancelled, or the ledger or memory fail.
    pub fn run(self, step: &mut dyn FnMut(Step)) -> Result<(Proof, Findings), CertifyError> {
        let Certify { lead, ledger, explicit, threads, alone } = self;
        let settings = Settings {
            memory: lead.memory / 2,
            threads,
            remember: Some(lead.plan.share),
            theory: Options::default(),
            ..Settings::default()
        };
        let board = lead.state.board();
        let own = Solver::new(board, settings.clone())?;
        // Symmetry would prove who wins without a move.
        let names_no_move = own
            .node_of(&lead.state)
            .is_ok_and(|node| notlast_wins_by_symmetry(&node.field(board), &settings.theory).is_some());
        let mut inquiry = Inquiry {
            state: lead.state,
            names_no_move,
            ledger,
            alone,
            limits: Limits { cancel: Some(lead.cancel.clone()), ..Limits::default() },
            told: Solver::new(board, settings.clone())?,
            settings,
            own,
            ground: Player::BOTH.map(|_| Some(Groundwork::new(board, explicit))),
            doubted: HashSet::new(),
            concluded: HashMap::new(),
            insisting: HashSet::new(),
            wrong: Vec::new(),
            corrected: HashSet::new(),
            nodes: 0,
            step,
        };
        inquiry.hear()?;
        let found = inquiry.prove();
        inquiry.keep()?;
        inquiry.close(found?)
    }
}

impl Findings {
    /// The answer with a move and a line of play, from nothing but what was proved or searched here.
    pub fn solution(&self, state: &State, limits: &Limits) -> Solution {
        self.own.ask(state).limits(limits).solve()
    }
}

/// A certificate in the making.
struct Inquiry<'a> {
    state: State,
    /// Whether symmetry decides the position without naming a move. Then the certificate is one of a move.
    names_no_move: bool,
    ledger: &'a Ledger,
    alone: u64,
    limits: Limits,
    settings: Settings,
    /// Believes the ledger.
    told: Solver,
    /// Believes nobody.
    own: Solver,
    /// What is proved, by winner.
    ground: [Option<Groundwork>; 2],
    /// What is in the ledger and not believed any more.
    doubted: HashSet<Node>,
    /// What we made of the doubted ones, with the rest of the ledger. That may be false, too.
    concluded: HashMap<Node, Part>,
    /// Where to look for a winning move as long as it takes.
    insisting: HashSet<State>,
    wrong: Vec<Wrong>,
    corrected: HashSet<Place>,
    nodes: u64,
    step: &'a mut dyn FnMut(Step),
}

/// What to prove: the position itself or, if symmetry decides that, the one after its best move.
#[derive(Clone, Copy)]
struct Aim {
    state: State,
    cell: Option<Cell>,
    winner: Player,
}

/// The claim that proves it.
struct Found {
    aim: Aim,
    claim: u32,
}

/// What a record of the ledger says of one position.
struct Doubtful {
    place: Place,
    solved: Solved,
}

impl Inquiry<'_> {
    /// Tells everything that is believed to a solver that knows nothing else.
    fn hear(&mut self) -> Result<(), CertifyError> {
        let Inquiry { ledger, told, doubted, concluded, .. } = self;
        let believed = |solved: &Solved| !doubted.contains(&solved.node);
        ledger.each_solved(told.board(), &mut |place, record| {
            told.learn(solved_nodes(&place, &record).filter(believed));
        })?;
        told.learn(concluded.iter().map(|(&node, &winner)| Solved { node, winner, best: None, nodes: 1 }));
        Ok(())
    }

    /// Forgets everything that followed from what is no longer believed.
    fn hear_again(&mut self) -> Result<(), CertifyError> {
        self.nodes += self.told.nodes();
        self.told = Solver::new(self.state.board(), self.settings.clone())?;
        self.hear()
    }

    /// Walks until there is a proof.
    fn prove(&mut self) -> Result<Found, CertifyError> {
        loop {
            let aim = aim(&self.told, self.state, self.names_no_move, &self.limits, self.step)?;
            let ground = self.ground(aim.winner);
            let step = &mut *self.step;
            let attempt = self
                .told
                .proof(&aim.state, aim.winner)
                .doubting(&self.insisting)
                .limits(&self.limits)
                .on_progress(|claims| step(Step::Claims(claims)))
                .attempt(ground);
            self.ground[aim.winner.index()] = Some(attempt.ground);
            match attempt.end {
                Ok(claim) => return Ok(Found { aim, claim }),
                Err(ProveError::NoMove { state }) => (self.step)(Step::Doubt(&state)),
                Err(error) => return Err(error.into()),
            }
            if !self.settle(&attempt.way, aim.winner)? {
                return self.prove_alone();
            }
        }
    }

    /// Proves it with what we search ourselves.
    fn prove_alone(&mut self) -> Result<Found, CertifyError> {
        let aim = aim(&self.own, self.state, self.names_no_move, &self.limits, self.step)?;
        let claim = self.prove_own(&aim.state, aim.winner)?;
        Ok(Found { aim, claim })
    }

    /// Proves what our own search has found.
    fn prove_own(&mut self, state: &State, winner: Player) -> Result<u32, CertifyError> {
        let ground = self.ground(winner);
        let step = &mut *self.step;
        let proof = self.own.proof(state, winner).limits(&self.limits);
        let attempt = proof.on_progress(|claims| step(Step::Claims(claims))).attempt(ground);
        self.ground[winner.index()] = Some(attempt.ground);
        Ok(attempt.end?)
    }

    /// A walk failed at the end of this way: `winner` was believed to win each state of it. Finds out where that is not
    /// so, from the end on. Returns whether it found anything.
    fn settle(&mut self, way: &[State], winner: Player) -> Result<bool, CertifyError> {
        for state in way.iter().rev() {
            let Ok(node) = self.own.node_of(state) else { continue };
            let before = self.own.known_winner(state);
            if before.is_none() && self.told.known_winner(state) == Some(!winner) {
                // We have searched it again before, so what leads here is false.
                continue;
            }
            let mut truth = match before {
                Some(truth) => Some(truth),
                None => self.search_own(state, Some(self.alone))?,
            };
            // What we once concluded from the rest of the ledger was not better.
            if truth.is_none() && !self.concluded.contains_key(&node) {
                let asserting = self.asserting(&node, Part::of(winner, state.last()))?;
                let doubted = self.doubted.len();
                self.doubted.extend(asserting.iter().map(|record| record.solved.node));
                if self.doubted.len() > doubted {
                    self.hear_again()?;
                    let concluded = ask(&self.told, state, &self.limits, self.step)?;
                    self.concluded.insert(node, Part::of(concluded, state.last()));
                    return Ok(true);
                }
                if self.insisting.insert(*state) {
                    return Ok(true);
                }
            }
            if truth.is_none() {
                truth = self.search_own(state, None)?;
            }
            let Some(truth) = truth else { continue };
            let removed = self.overrule(&node, Part::of(truth, state.last()))?;
            if truth == winner {
                self.prove_own(state, winner)?;
                return Ok(true);
            }
            if removed || before.is_none() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Searches a state without the ledger.
    fn search_own(&mut self, state: &State, nodes: Option<u64>) -> Result<Option<Player>, CertifyError> {
        let limits = Limits { nodes, ..self.limits.clone() };
        match ask(&self.own, state, &limits, self.step) {
            Ok(winner) => Ok(Some(winner)),
            Err(CertifyError::Stopped(StopReason::Nodes)) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The records that say, themselves or by monotonicity, that this part wins a node.
    fn asserting(&self, node: &Node, winner: Part) -> Result<Vec<Doubtful>, CertifyError> {
        let board = self.state.board();
        let mut found = Vec::new();
        self.ledger.each_solved(board, &mut |place, record| {
            let asserts = |solved: &Solved| solved.winner == winner && solved.decides(board, node);
            found.extend(
                solved_nodes(&place, &record).filter(asserts).map(|solved| Doubtful { place, solved }),
            );
        })?;
        Ok(found)
    }

    /// This part wins a node: that is certain. Removes from the ledger what contradicts it, and what contradicts anything
    /// else we have found ourselves. Returns whether anything did.
    fn overrule(&mut self, node: &Node, winner: Part) -> Result<bool, CertifyError> {
        let truth = Solved { node: *node, winner, best: None, nodes: 1 };
        let mut certain = self.own.take_solved();
        certain.push(truth);
        let mut wrong = self.asserting(node, winner.other())?;
        let board = self.state.board();
        let concluded = self.concluded.len();
        self.concluded.retain(|&node, &mut part| {
            part == winner || !Solved { node, winner: part, best: None, nodes: 1 }.decides(board, &truth.node)
        });
        let found = concluded > self.concluded.len();
        let known: HashMap<Node, Part> = certain.iter().map(|solved| (solved.node, solved.winner)).collect();
        wrong.extend(self.contradicting(&known)?);
        let removed = self.remove(wrong, certain)?;
        self.hear_again()?;
        Ok(found || removed)
    }

    /// The records that contradict this.
    fn contradicting(&self, known: &HashMap<Node, Part>) -> Result<Vec<Doubtful>, CertifyError> {
        let mut found = Vec::new();
        self.ledger.each_solved(self.state.board(), &mut |place, record| {
            let wrong =
                |solved: &Solved| known.get(&solved.node).is_some_and(|&winner| winner != solved.winner);
            found
                .extend(solved_nodes(&place, &record).filter(wrong).map(|solved| Doubtful { place, solved }));
        })?;
        Ok(found)
    }

    /// Replaces wrong records by the truth, reports them, and stores what else is certain. Returns whether there were any.
    fn remove(&mut self, wrong: Vec<Doubtful>, mut certain: Vec<Solved>) -> Result<bool, CertifyError> {
        let board = self.state.board();
        let mut places = HashSet::new();
        for Doubtful { place, solved } in wrong {
            certain.push(Solved { winner: solved.winner.other(), best: None, ..solved });
            if !places.insert(place) {
                continue;
            }
            let said = solved.winner.player(solved.node.last);
            let reporter = self.ledger.reporter_of(&place)?;
            let wrong = Wrong { state: solved.node.field(board).to_state(), said, reporter };
            (self.step)(Step::Wrong(&wrong));
            self.wrong.push(wrong);
            self.doubted.remove(&solved.node);
        }
        let places: Vec<Place> = places.into_iter().collect();
        let certain: Vec<(Place, Record)> =
            certain.iter().map(|solved| record_of(board, solved, RULES)).collect();
        self.ledger.correct(&places, &certain)?;
        self.corrected.extend(&places);
        Ok(!places.is_empty())
    }

    /// Stores what was searched with the ledger's help, unless something in that was doubtful.
    fn keep(&mut self) -> Result<(), CertifyError> {
        let found = self.told.take_solved();
        if !self.wrong.is_empty() || !self.doubted.is_empty() {
            return Ok(());
        }
        let board = self.state.board();
        let solved = found.iter().map(|solved| record_of(board, solved, RULES)).collect();
        match self.ledger.commit(&Changes::of(solved)) {
            // It contradicts what is there, so one of them is false; nobody knows which.
            Err(StoreError::Clash(..)) => Ok(()),
            written => Ok(written?),
        }
    }

    /// Removes what the proof shows to be false, and says what was found.
    fn close(mut self, Found { aim, claim }: Found) -> Result<(Proof, Findings), CertifyError> {
        let mut proved: Vec<Solved> = self.ground.iter().flatten().flat_map(Groundwork::proved).collect();
        let root = self.own.node_of(&self.state).ok();
        let winner = Part::of(aim.winner, self.state.last());
        proved.extend(root.map(|node| Solved { node, winner, best: None, nodes: 1 }));
        let known: HashMap<Node, Part> = proved.iter().map(|solved| (solved.node, solved.winner)).collect();
        let wrong = self.contradicting(&known)?;
        self.remove(wrong, Vec::new())?;
        self.doubted.retain(|node| !known.contains_key(node));
        self.own.learn(proved);
        self.nodes += self.told.nodes() + self.own.nodes();
        let proof = self.ground(aim.winner).into_proof(claim);
        let proof = match aim.cell {
            Some(cell) => proof.of_the_move(&self.state, cell),
            None => proof,
        };
        let mut corrected = Vec::new();
        for place in &self.corrected {
            corrected.extend(self.ledger.record_at(place)?.map(|record| (*place, record)));
        }
        let Inquiry { wrong, doubted, nodes, own, .. } = self;
        let findings =
            Findings { winner: aim.winner, wrong, corrected, unconfirmed: doubted.len(), nodes, own };
        Ok((proof, findings))
    }

    fn ground(&mut self, winner: Player) -> Groundwork {
        self.ground[winner.index()].take().expect("it is put back after each walk")
    }
}

/// What to prove by this solver.
fn aim(
    solver: &Solver,
    state: State,
    names_no_move: bool,
    limits: &Limits,
    step: &mut dyn FnMut(Step),
) -> Result<Aim, CertifyError> {
    let question = solver.ask(&state).limits(limits).on_progress(|progress| step(Step::Search(progress)));
    let solution = if names_no_move { question.solve() } else { question.verdict() };
    let winner = decided(&solution)?;
    let cell = solution.best.filter(|_| names_no_move && winner == state.to_move);
    Ok(Aim { state: cell.map_or(state, |cell| state.play(cell)), cell, winner })
}

/// Who wins a state, by this solver.
fn ask(
    solver: &Solver,
    state: &State,
    limits: &Limits,
    step: &mut dyn FnMut(Step),
) -> Result<Player, CertifyError> {
    let question = solver.ask(state).limits(limits).on_progress(|progress| step(Step::Search(progress)));
    decided(&question.verdict())
}

fn decided(solution: &Solution) -> Result<Player, CertifyError> {
    match (solution.stopped, solution.winner) {
        (None, Some(winner)) => Ok(winner),
        (reason, _) => Err(CertifyError::Stopped(reason.unwrap_or(StopReason::Interrupt))),
    }
}
