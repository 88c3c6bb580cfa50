use crate::guidance::{Guidance, Guide};
use crate::proof_number::Rule;

/// How the search is steered. None of it can change an answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tuning {
    /// Expansion looked at for the minimum, unless a net knows them all: this many …
    pub widening_base: usize,
    /// … and one in this many of the live ones.
    pub widening_share: usize,
    /// The threshold of a child exceeds its best sibling by one part in this many …
    pub epsilon_share: u32,
    /// … or this many where a net guides.
    pub net_epsilon_share: u32,
    /// How many paths the exact pairing search may look at, unless a net guides.
    pub pairing_steps: u32,
    /// The same for the position that is asked about, on boards that are not square: there a mirror pairing may
    /// save the whole search (20,000 find it on 5x6, 5,000 do not).
    pub root_pairing_steps: u32,
    /// Where first guesses and the order of moves come from.
    pub guidance: Guidance,
    /// A net that puts the number of a verdict above this is believed: the pairings are not looked for. (Of the
    /// positions with a number of 724 or more, 1 in 100 is decided by a pairing.)
    pub hopeless: u32,
    /// Nodes that one thread searches before the others are started.
    pub alone: u64,
    /// Nodes a thread searches before it comes back to the shared tree: few, so that the threads part as deep in the
    /// tree as they can, where the work of both is needed. It grows with the tree. (10 / 30 / 100 / 400 / 1,500: 6x6 d3
    /// 60, 74, 86, 111, 131 thousand nodes with two threads, 67 with one; 10 takes a tenth more time a node.)
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
            root_pairing_steps: 20_000,
            guidance: Guidance::Learned,
            hopeless: 200,
            alone: 1000,
            quantum: 30,
        }
    }
}

impl Tuning {
    /// As it is with this guide. A net's numbers tell more than a rank, so that all children are in view, and the search
    /// may change its mind sooner; and with it the exact pairing search costs a tenth of the time and saves no nodes.
    pub(crate) fn with(self, guide: &Guide) -> Tuning {
        if guide.knows_every_move() {
            Tuning { widening_share: 1, epsilon_share: self.net_epsilon_share, pairing_steps: 0, ..self }
        } else {
            self
        }
    }

    /// How children are weighed.
    pub(crate) fn rule(&self) -> Rule {
        let Tuning { widening_base, widening_share, epsilon_share, .. } = *self;
        Rule { widening_base, widening_share, epsilon_share }
    }
}
