//! The knobs of the search. None of them can change an answer. `docs/notes.md` ("Search", "Threads", "Nets") has the
//! measurements behind the defaults.

use rex_game::Board;

use crate::guidance::{Guidance, Guide};
use crate::proof_number::Weighing;

/// Boards with at most this many cells are small.
pub(crate) const FEW_CELLS: usize = 25;

/// How the search is steered.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tuning {
    /// How many children are in view, unless a net rates them all: this many …
    pub widening_base: usize,
    /// … plus one in this many of the open ones.
    pub widening_share: usize,
    /// A child is searched until its number exceeds its best sibling's by one part in this many …
    pub epsilon_share: u64,
    /// … or this many if a net guides.
    pub net_epsilon_share: u64,
    /// How many steps the exact pairing search may take, unless a net guides …
    pub pairing_steps: u32,
    /// … or this many if one does.
    pub net_pairing_steps: u32,
    /// The first position of a search gets a long look, of so many steps, if it has many empty cells.
    pub long_look: u32,
    /// Where first guesses and the order of moves come from.
    pub guidance: Guidance,
    /// A pairing would show that the player who has just moved loses. If the net's number for that is above this, it
    /// is not looked for: there is hardly ever one …
    pub hopeless: u64,
    /// … or above this one on boards of at most 25 cells, where the net knows more …
    pub small_hopeless: u64,
    /// … or above this one if the general net guides, whose numbers are larger.
    pub general_hopeless: u64,
    /// One thread searches this many nodes before the others start.
    pub alone: u64,
    /// A thread searches this many nodes before it returns to the shared tree, while that is small. With a low
    /// number the tree soon grows deep, and threads separate only far down, where both of their results are needed.
    pub quantum: u64,
}

impl Default for Tuning {
    fn default() -> Tuning {
        Tuning {
            widening_base: 1,
            widening_share: 4,
            epsilon_share: 4,
            net_epsilon_share: 8,
            pairing_steps: 100,
            net_pairing_steps: 10_000,
            long_look: 300_000,
            guidance: Guidance::Learned,
            hopeless: 32,
            small_hopeless: 10,
            general_hopeless: 90,
            alone: 300,
            quantum: 100,
        }
    }
}

impl Tuning {
    /// The tuning for this guide on this board. A net's numbers say more than a rank, so all children are in view and the search may
    /// change its mind sooner.
    pub(crate) fn with(self, guide: &Guide, board: Board) -> Tuning {
        let small = board.len() <= FEW_CELLS;
        let hopeless = match (guide.is_general(), small) {
            (true, _) => self.general_hopeless,
            (false, true) => self.small_hopeless,
            (false, false) => self.hopeless,
        };
        let tuning = Tuning { hopeless, ..self };
        if guide.knows_every_move() {
            let (epsilon_share, pairing_steps) = (self.net_epsilon_share, self.net_pairing_steps);
            Tuning { widening_share: 1, epsilon_share, pairing_steps, ..tuning }
        } else {
            tuning
        }
    }

    /// How to choose among children.
    pub(crate) fn weighing(&self) -> Weighing {
        let Tuning { widening_base, widening_share, epsilon_share, .. } = *self;
        Weighing { widening_base, widening_share, epsilon_share }
    }
}
