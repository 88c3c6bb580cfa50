//! What theory says about a position without search.

use rex_game::{CellSet, Player, State, Symmetry};
use rex_theory::domination::{Dominated, explain as explain_domination};
use rex_theory::exact_pairing::{Outcome, find_pairing};
use rex_theory::fill_in::{FillEffect, FillStep, fill_in};
use rex_theory::hsearch::HSearch;
use rex_theory::mirror_pairing::mirror_pairing;
use rex_theory::pairing::PairingVerdict;
use rex_theory::symmetry::notlast_wins_by_symmetry;
use rex_theory::{Field, Options, Reduced};

mod cells;
mod json;
mod strategy;

pub use cells::Kind;
pub use json::object;

/// The most steps per player for the exact pairing search: some hundredths of a second.
pub const PAIRING_STEPS: u32 = 200_000;

/// Why a position is decided without search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DecidedBy {
    /// A player is joined.
    Joined,
    /// Fill-in joins a player.
    FillIn,
    /// By this reflection; it names no move.
    Symmetry(Symmetry),
    /// A pairing joins the loser.
    JoinPairing,
    /// A pairing with a key joins the loser.
    PreJoinPairing,
}

/// Everything that was found.
pub struct Explanation {
    /// The position.
    pub state: State,
    /// How it is filled in.
    pub steps: Vec<FillStep>,
    /// The filled position.
    pub filled: Field,
    /// Who wins, if that is clear, and why.
    pub verdict: Option<(Player, DecidedBy)>,
    /// The reflection by which Notlast wins.
    pub symmetry: Option<Symmetry>,
    /// Pairings that make a player lose.
    pub pairings: Vec<PairingVerdict>,
    /// A pairing that makes the loser lose in the position as it stands, with nothing filled in.
    pub strategy: Option<PairingVerdict>,
    /// Keys of the mover's own pre-join pairings. She need not try them.
    pub own_keys: CellSet,
    /// Moves that are no better than others.
    pub dominated: Vec<Dominated>,
}

impl Explanation {
    /// Applies these rules to a position.
    pub fn new(state: &State, options: &Options) -> Explanation {
        let mut explanation = Explanation {
            state: *state,
            steps: Vec::new(),
            filled: Field::new(state),
            verdict: state.position.winner().map(|winner| (winner, DecidedBy::Joined)),
            symmetry: None,
            pairings: Vec::new(),
            strategy: None,
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
            self.strategy = self.as_it_stands(joined, None);
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
        if let Some(found) = self.pairings.first() {
            self.strategy = self.as_it_stands(found.loser, Some(found));
        }
        let moves = reduced.empty() - self.own_keys;
        self.dominated = explain_domination(&reduced, reduced.field.mover(), options, moves);
    }

    /// The empty cells found dead. Each is as good a move as any.
    pub fn dead(&self) -> CellSet {
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
            let of_filled = pairing_of(reduced, loser, options);
            // Fill-in may put stones into a mirror pairing.
            let as_it_stands = || mirrored(&Field::new(&self.state), loser, options);
            self.pairings.extend(of_filled.or_else(as_it_stands));
        }
        let mover = reduced.field.mover();
        if options.hsearch && options.own_keys && mover != last && self.pairings.is_empty() {
            self.own_keys = HSearch::default().run(reduced, mover, options, false).keys;
        }
    }
}

/// A pairing that makes `loser` lose: one that joins her sides, or, if she is Last, one with a key.
fn pairing_of(reduced: &Reduced, loser: Player, options: &Options) -> Option<PairingVerdict> {
    let with_key = loser == reduced.field.last;
    let verdict = |pairing| PairingVerdict { loser, pairing, mirrored: None };
    if options.hsearch {
        let found = HSearch::default().run(reduced, loser, options, false);
        let pre_join = found.pre_join.filter(|_| with_key);
        if let Some(pairing) = found.join.or(pre_join) {
            return Some(verdict(pairing));
        }
    }
    if let Some(found) = mirrored(&reduced.field, loser, options) {
        return Some(found);
    }
    if options.exact_pairing {
        for key in [false, true] {
            if let Outcome::Found(pairing) =
                find_pairing(reduced.graph(!loser), key && with_key, PAIRING_STEPS)
            {
                return Some(verdict(pairing));
            }
        }
    }
    None
}

/// The mirror pairing of a field that makes `loser` lose.
fn mirrored(field: &Field, loser: Player, options: &Options) -> Option<PairingVerdict> {
    let found = options.mirror_pairing.then(|| mirror_pairing(field)).flatten()?;
    let verdict = PairingVerdict { loser, pairing: found.pairing, mirrored: Some(found.strip) };
    (found.loser == loser).then_some(verdict)
}

/// Whether symmetry says who wins, but not how.
pub fn is_existence_argument(state: &State, theory: &Options) -> bool {
    state.position.winner().is_none() && notlast_wins_by_symmetry(&Field::new(state), theory).is_some()
}

/// The name of a player's side.
pub fn side(player: Player, which: usize) -> &'static str {
    match (player, which) {
        (Player::Black, 0) => "top",
        (Player::Black, _) => "bottom",
        (Player::White, 0) => "left",
        (Player::White, _) => "right",
    }
}
