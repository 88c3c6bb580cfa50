//! An auditor that knows who wins every position and checks each step of a search against that.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use parking_lot::Mutex;
use rex_game::{CellSet, Player, Position, State};
use rex_theory::domination::Domination;
use rex_theory::fill_in::{FillStep, fill_in};
use rex_theory::{Field, OptionKind, Options, Reduced};

use super::Audit;
use crate::judge::{Judge, Judgement};
use crate::known::{Bounds, Node, Part};

/// The kinds of steps that an audit checks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StepKind {
    /// A position was filled in.
    FillIn,
    /// Theory decided a position without search.
    Verdict,
    /// A reason was learned.
    Reason,
    /// Moves were pruned.
    Pruning,
    /// A position was solved by search, or found solved in the table.
    Result,
}

impl StepKind {
    /// All of them, in the order in which a search meets them.
    pub const ALL: [StepKind; 5] =
        [StepKind::FillIn, StepKind::Verdict, StepKind::Reason, StepKind::Pruning, StepKind::Result];

    /// The word for it in output.
    pub fn word(self) -> &'static str {
        match self {
            StepKind::FillIn => "fill-in",
            StepKind::Verdict => "verdict",
            StepKind::Reason => "reason",
            StepKind::Pruning => "pruning",
            StepKind::Result => "result",
        }
    }
}

/// What a step claims about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StepClaim {
    /// It fills in to this one, in the orientation that the search uses.
    Filled(Field),
    /// This player wins it.
    Wins(Player),
    /// If any move wins, one of these does.
    Moves(CellSet),
}

/// A step that is wrong by the rules of the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WrongStep {
    /// What kind of step it is.
    pub kind: StepKind,
    /// The position before it.
    pub before: Field,
    /// What the step claims about it.
    pub claim: StepClaim,
}

/// Checks every step of a search against a source that knows all winners, such as a table of all positions of a small
/// board.
///
/// ```
/// use std::sync::Arc;
/// use rex_search::{Auditor, Settings, Solver};
///
/// let state: rex_game::State = "3x3 b1".parse()?;
/// let oracle = rex_oracle::Oracle::new(state.board());
/// let auditor = Arc::new(Auditor::new(move |state| oracle.winner(state)));
/// let solver = Solver::new(state.board(), Settings::default())?.audited_by(Box::new(auditor.clone()));
/// solver.ask(&state).solve();
/// assert!(auditor.checked().iter().any(|(_, count)| *count > 0));
/// assert_eq!(auditor.wrong(), []);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Auditor {
    winner: Box<dyn Fn(&State) -> Player + Send + Sync>,
    checked: [AtomicU64; StepKind::ALL.len()],
    wrong: Mutex<Vec<WrongStep>>,
}

/// One wrong step leads to many more, so the first ones are enough.
const MOST_KEPT: usize = 100;

impl Auditor {
    /// An auditor that asks `winner` who wins a position.
    pub fn new(winner: impl Fn(&State) -> Player + Send + Sync + 'static) -> Auditor {
        Auditor { winner: Box::new(winner), checked: Default::default(), wrong: Mutex::default() }
    }

    /// How many steps of each kind were checked.
    pub fn checked(&self) -> [(StepKind, u64); StepKind::ALL.len()] {
        StepKind::ALL.map(|kind| (kind, self.checked[kind as usize].load(Relaxed)))
    }

    /// The first hundred wrong steps, in the order in which they were made.
    pub fn wrong(&self) -> Vec<WrongStep> {
        self.wrong.lock().clone()
    }

    /// Who wins a field. `None` if that depends on the colour of a settled cell, so it should not have been settled.
    pub fn winner(&self, field: &Field) -> Option<Player> {
        let [black, white] = field.stones;
        let settled = field.settled();
        let winner = |black, white| {
            let position = Position::with_stones(field.board, black, white);
            (self.winner)(&State { position, to_move: field.mover() })
        };
        let (one, other) = (winner(black, white - settled), winner(black - settled, white));
        (one == other).then_some(one)
    }

    /// The rules that make a step wrong, by their names in [`Options::TABLE`]. Each of them does so alone. A wrong
    /// reason or result follows from other steps, so it names none.
    pub fn rules_at_fault(&self, wrong: &WrongStep, options: &Options) -> Vec<&'static str> {
        match wrong.kind {
            StepKind::FillIn => {
                self.first_false_fill(&wrong.before, options).iter().map(FillStep::rule).collect()
            }
            StepKind::Verdict => self.false_verdicts(&wrong.before, options),
            StepKind::Pruning => self.false_prunings(&wrong.before, options),
            StepKind::Reason | StepKind::Result => Vec::new(),
        }
    }

    /// The first step of fill-in that changes the winner.
    pub fn first_false_fill(&self, before: &Field, options: &Options) -> Option<FillStep> {
        let mut steps = Vec::new();
        fill_in(&mut Reduced::new(*before), options, before.board.cells(), &mut steps);
        let winner = self.winner(before);
        let mut field = *before;
        steps.into_iter().find(|step| {
            field = step.apply(&field);
            self.winner(&field).is_none() || self.winner(&field) != winner
        })
    }

    fn false_verdicts(&self, field: &Field, options: &Options) -> Vec<&'static str> {
        const STEPS: u32 = 10_000;
        let reduced = Reduced::new(*field);
        let claimed = |only: &Options| Judge::default().judge(&reduced, only, Some(STEPS), None).winner();
        // H-search has switches of its own that do nothing without it.
        let of_hsearch = Options { exact_pairing: false, mirror_pairing: false, ..*options };
        let of_hsearch = Options { colour_symmetry: false, dominated_symmetry: false, ..of_hsearch };
        let winner = self.winner(field);
        let rules = Options::of_kind(OptionKind::Verdict).filter(|info| (info.get)(options));
        rules
            .filter(|info| {
                let alone = if info.name == "hsearch" { of_hsearch } else { Options::only(info) };
                claimed(&alone).is_some_and(|claimed| Some(claimed.player(field.last)) != winner)
            })
            .map(|info| info.name)
            .collect()
    }

    fn false_prunings(&self, field: &Field, options: &Options) -> Vec<&'static str> {
        let reduced = Reduced::new(*field);
        let wins = self.winning_moves(field);
        let rules = Options::of_kind(OptionKind::Moves).filter(|info| (info.get)(options));
        rules
            .filter(|info| {
                let only = Options::only(info);
                let kept = if info.name == "own-keys" {
                    let judged =
                        Judge::default().by_pairings(&reduced, &Options { hsearch: true, ..only }, 0, None);
                    match judged {
                        Judgement::Open(keys) => field.empty() - keys,
                        Judgement::Symmetric(_) | Judgement::Paired(..) => field.empty(),
                    }
                } else {
                    Domination::new(&reduced, field.mover(), &only).prune(field.empty())
                };
                !wins.is_empty() && !kept.meets(wins)
            })
            .map(|info| info.name)
            .collect()
    }

    /// The winning moves of a field.
    pub fn winning_moves(&self, field: &Field) -> CellSet {
        let mover = field.mover();
        let wins = |cell: &rex_game::Cell| self.winner(&field.with(*cell, mover)) == Some(mover);
        field.empty().into_iter().filter(wins).collect()
    }

    fn check(&self, kind: StepKind, before: &Field, claim: StepClaim, is_right: bool) {
        self.checked[kind as usize].fetch_add(1, Relaxed);
        if !is_right {
            let mut wrong = self.wrong.lock();
            if wrong.len() < MOST_KEPT {
                wrong.push(WrongStep { kind, before: *before, claim });
            }
        }
    }

    fn check_winner(&self, kind: StepKind, field: &Field, winner: Part) {
        let winner = winner.player(field.last);
        self.check(kind, field, StepClaim::Wins(winner), self.winner(field) == Some(winner));
    }
}

impl Audit for Auditor {
    fn filled(&self, before: &Field, after: Result<&Node, Part>) {
        match after {
            Err(winner) => self.check_winner(StepKind::FillIn, before, winner),
            Ok(node) => {
                let after = node.field(before.board);
                // The node may be an image with colours swapped, so compare by part.
                let part = |field: &Field| self.winner(field).map(|winner| Part::of(winner, field.last));
                let is_right = part(before).is_some() && part(before) == part(&after);
                self.check(StepKind::FillIn, before, StepClaim::Filled(after), is_right);
            }
        }
    }

    fn judged(&self, field: &Field, winner: Part) {
        self.check_winner(StepKind::Verdict, field, winner);
    }

    fn learned(&self, worst: &Field, winner: Part) {
        self.check_winner(StepKind::Reason, worst, winner);
    }

    fn pruned(&self, field: &Field, kept: CellSet) {
        let one_wins = kept.meets(self.winning_moves(field));
        let mover_wins = self.winner(field) == Some(field.mover());
        let is_right = kept.within(field.empty()) && mover_wins == one_wins;
        self.check(StepKind::Pruning, field, StepClaim::Moves(kept), is_right);
    }

    fn believed(&self, field: &Field, bounds: Bounds) {
        if let Some(winner) = bounds.winner() {
            self.check_winner(StepKind::Result, field, winner);
        }
    }
}

impl<A: Audit> Audit for Arc<A> {
    fn filled(&self, before: &Field, after: Result<&Node, Part>) {
        (**self).filled(before, after);
    }

    fn judged(&self, field: &Field, winner: Part) {
        (**self).judged(field, winner);
    }

    fn learned(&self, worst: &Field, winner: Part) {
        (**self).learned(worst, winner);
    }

    fn pruned(&self, field: &Field, kept: CellSet) {
        (**self).pruned(field, kept);
    }

    fn believed(&self, field: &Field, bounds: Bounds) {
        (**self).believed(field, bounds);
    }
}

impl fmt::Debug for Auditor {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_struct("Auditor").field("checked", &self.checked).finish_non_exhaustive()
    }
}
