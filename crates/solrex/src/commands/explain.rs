//! `solrex explain`: what theory says about a position without search.

use std::path::PathBuf;

use anyhow::Result;
use rex_game::{CellSet, Player, State, Symmetry};
use rex_theory::domination::{Dominated, explain as explain_domination};
use rex_theory::exact_pairing::{Outcome, find_pairing};
use rex_theory::fill_in::{FillEffect, FillStep, fill_in};
use rex_theory::hsearch::HSearch;
use rex_theory::pairing::{Pairing, PairingVerdict};
use rex_theory::symmetry::notlast_wins_by_symmetry;
use rex_theory::{Field, Options, Reduced};

use crate::arguments::position::PositionArg;
use crate::arguments::theory::TheoryFlags;
use crate::cli::Show;
use crate::{Ending, show::output};

mod cells;
mod json;
mod picture;
pub mod prose;

pub use json::object;

/// Explain a position without search: fill-in, inferior moves, pairings, symmetry
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    position: PositionArg,
    /// Also draw it to this file, with an arrow from each inferior move to a better one
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    #[command(flatten)]
    theory: TheoryFlags<true>,
}

const EXAMPLES: &str = "\
Examples:
  solrex explain 4x4 d1
  solrex explain 5x5 c3 --svg c3.svg
  solrex explain --no-hsearch '1b1w/3w/w2b/2b1 b'

All rules are on here, also those that a search leaves out, so explain may call a move inferior that a search tries.";

/// The most paths per player for the exact pairing search: some hundredths of a second.
pub const PAIRING_STEPS: u32 = 200_000;

/// Explains each position.
pub fn run(args: &Args, show: Show) -> Result<Ending> {
    args.position.for_each(show, |state| {
        let explanation = Explanation::new(state, &args.theory.options);
        output::answer(show, || json::object(&explanation), || prose::describe(&explanation))?;
        if let Some(path) = &args.svg {
            output::file(path, picture::svg(&explanation))?;
        }
        Ok(Ending::Answered)
    })
}

/// Why a position is decided without search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DecidedBy {
    Joined,
    FillIn,
    Symmetry(Symmetry),
    JoinPairing,
    PreJoinPairing,
}

/// Everything that was found.
pub struct Explanation {
    pub state: State,
    pub steps: Vec<FillStep>,
    pub filled: Field,
    pub verdict: Option<(Player, DecidedBy)>,
    symmetry: Option<Symmetry>,
    pub pairings: Vec<PairingVerdict>,
    /// Keys of the mover's own pre-join pairings. She need not try them.
    pub own_keys: CellSet,
    pub dominated: Vec<Dominated>,
}

impl Explanation {
    pub fn new(state: &State, options: &Options) -> Explanation {
        let mut explanation = Explanation {
            state: *state,
            steps: Vec::new(),
            filled: Field::new(state),
            verdict: state.position.winner().map(|winner| (winner, DecidedBy::Joined)),
            symmetry: None,
            pairings: Vec::new(),
            own_keys: CellSet::EMPTY,
            dominated: Vec::new(),
        };
        if explanation.verdict.is_none() {
            explanation.examine(options);
        }
        explanation
    }

    fn examine(&mut self, options: &Options) {
        let raw = self.filled;
        let last = raw.last;
        let mut reduced = Reduced::new(raw);
        fill_in(&mut reduced, options, raw.board.cells(), &mut self.steps);
        self.filled = reduced.field;
        if let Some(joined) = reduced.joined {
            self.verdict = Some((!joined, DecidedBy::FillIn));
            return;
        }
        self.symmetry = notlast_wins_by_symmetry(&raw, options)
            .or_else(|| notlast_wins_by_symmetry(&reduced.field, options));
        self.find_pairings(&reduced, options);
        let by_pairing = self.pairings.first().map(|found| {
            let with_key = found.pairing.key.is_some();
            (!found.loser, if with_key { DecidedBy::PreJoinPairing } else { DecidedBy::JoinPairing })
        });
        self.verdict =
            by_pairing.or(self.symmetry.map(|reflection| (!last, DecidedBy::Symmetry(reflection))));
        let moves = reduced.empty() - self.own_keys;
        self.dominated = explain_domination(&reduced, reduced.field.mover(), options, moves);
    }

    /// The empty cells found dead. Each is as good a move as any.
    fn dead(&self) -> CellSet {
        self.filled_by(|effect| effect.dead)
    }

    /// The cells filled for a player because she captures them.
    fn captured(&self, player: Player) -> CellSet {
        self.filled_by(|effect| effect.captured[player.index()])
    }

    /// The effect of all fill-in steps together.
    fn filled_by(&self, part: impl Fn(&FillEffect) -> CellSet) -> CellSet {
        self.steps.iter().fold(CellSet::EMPTY, |all, step| all | part(&step.effect()))
    }

    fn find_pairings(&mut self, reduced: &Reduced, options: &Options) {
        let last = reduced.field.last;
        for loser in Player::BOTH {
            if let Some(pairing) = pairing_of(reduced, loser, options) {
                self.pairings.push(PairingVerdict { loser, pairing });
            }
        }
        let mover = reduced.field.mover();
        if options.hsearch && options.own_keys && mover != last && self.pairings.is_empty() {
            self.own_keys = HSearch::default().run(reduced, mover, options, false).keys;
        }
    }
}

/// A pairing that makes `loser` lose: one that joins her sides, or, if she is Last, one with a key.
fn pairing_of(reduced: &Reduced, loser: Player, options: &Options) -> Option<Pairing> {
    let with_key = loser == reduced.field.last;
    if options.hsearch {
        let found = HSearch::default().run(reduced, loser, options, false);
        let pre_join = found.pre_join.filter(|_| with_key);
        if let Some(pairing) = found.join.or(pre_join) {
            return Some(pairing);
        }
    }
    if options.exact_pairing {
        for key in [false, true] {
            if let Outcome::Found(pairing) =
                find_pairing(reduced.graph(!loser), key && with_key, PAIRING_STEPS)
            {
                return Some(pairing);
            }
        }
    }
    None
}
