//! The rule of proof-number search: which child to search next, up to which numbers, and how the children's numbers
//! make up the parent's. Three places use it: the search of one thread ([`crate::dfpn`]), the tree that threads or the
//! workers of a cluster share ([`crate::upper_tree`], on numbers that searchers below make worse) and the choice of a
//! winning move at the root (`first_winning` in `solver/run.rs`).
//!
//! The mover needs one winning move, so her number is the smallest of her children's. The other player must answer
//! every move, so hers is the sum. The search goes to the child with the smallest number and stays there until that is
//! a little above the second best. Without that margin (ε) it would jump back and forth (Pawlewicz and Lew, 2007).
//!
//! # How large numbers get
//!
//! | what | up to | and then |
//! | --- | --- | --- |
//! | a number ([`Bounds`]) | 2^53 | stays the largest below infinity. Three sums of sixty guesses of 2^35 are less |
//! | its code, in tables, files and messages | 24 exact bits | is rounded up, by less than one part in 2^23 |
//! | a guess of the network | 2 to the `largest` of its file, today 16 | all that are harder look alike |
//! | a guess without one | 10,000 | likewise |
//! | the margin ε | an eighth or less of a number, and one | is more than any rounding: a visit always finds something new |
//! | virtual loss | the number, once more for each searcher below | stays the largest below infinity: the next one goes elsewhere |
//! | a job's limits in a cluster | twice what is known, or infinity | the job ends by its budget |
//! | [`Work`](crate::known::Work) | 2^63 nodes and a step | stays there |

use crate::known::{Bounds, INFINITE, LARGEST, Part};

/// How to choose among children.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Weighing {
    /// How many of the open children are in view, the most promising first: this many …
    pub widening_base: usize,
    /// … plus one in this many.
    pub widening_share: usize,
    /// A child's limit is above the best other child by one part in this many.
    pub epsilon_share: u64,
}

/// The child to search next.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Choice {
    /// Its index.
    pub index: usize,
    /// The mover's number there, the smallest in view. 0: this move wins.
    pub best: u64,
    /// The second smallest.
    pub second: u64,
    /// The sum of the other player's numbers over all open children.
    pub sum: u64,
}

impl Weighing {
    /// Chooses among the children of a node. `None`: all of them are lost for the mover.
    pub fn choose(&self, mover: Part, children: &[Bounds]) -> Option<Choice> {
        let other = mover.other();
        let open = children.iter().filter(|bounds| bounds.get(other) != 0).count();
        let in_view = self.widening_base + open.div_ceil(self.widening_share);
        let mut choice = Choice { index: 0, best: INFINITE, second: INFINITE, sum: 0 };
        let mut seen = 0;
        for (index, bounds) in children.iter().enumerate() {
            let (own, theirs) = (bounds.get(mover), bounds.get(other));
            if theirs == 0 {
                continue;
            }
            if own == 0 {
                return Some(Choice { index, best: 0, second: 0, sum: 0 });
            }
            choice.sum = (choice.sum + theirs).min(LARGEST);
            seen += 1;
            if seen > in_view {
                continue;
            }
            if own < choice.best {
                choice.second = choice.best;
                choice.best = own;
                choice.index = index;
            } else if own < choice.second {
                choice.second = own;
            }
        }
        (seen > 0).then_some(choice)
    }

    /// The numbers at which to stop searching a child: the mover's exceeds that of the best other child, or the
    /// opponent's pushes the parent over its own limit. The child is usually the choice itself. With several threads it
    /// may be another one; then its limit always leaves some room above its present numbers.
    pub fn child_limit(
        &self,
        mover: Part,
        choice: &Choice,
        index: usize,
        child: Bounds,
        limit: Bounds,
    ) -> Bounds {
        let other = mover.other();
        let (own, theirs) = (child.get(mover), child.get(other));
        let rival = if index == choice.index { choice.second } else { choice.best.max(own) };
        let margin = rival / self.epsilon_share + 1;
        let own_limit = limit.get(mover).min(rival + margin).max(own + 1);
        let slack = limit.get(other).saturating_sub(choice.sum).max(1);
        Bounds::of(mover, own_limit.min(INFINITE), (theirs + slack).min(INFINITE))
    }
}

/// The numbers of a node, given the choice among its children.
pub(crate) fn back_up(mover: Part, choice: Option<&Choice>) -> Bounds {
    match choice {
        None => Bounds::won_by(mover.other()),
        Some(Choice { best: 0, .. }) => Bounds::won_by(mover),
        Some(choice) => Bounds::unsolved(mover, choice.best, choice.sum),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use proptest::prelude::*;

    use super::*;

    const ALL_IN_VIEW: Weighing = Weighing { widening_base: 0, widening_share: 1, epsilon_share: 8 };

    fn of(own: u64, theirs: u64) -> Bounds {
        Bounds::of(Part::Last, own, theirs)
    }

    #[test]
    fn numbers_are_the_least_and_the_sum() {
        let children = [of(5, 3), of(7, 4), Bounds::won_by(Part::Notlast)];
        let choice = ALL_IN_VIEW.choose(Part::Last, &children);
        assert_eq!(back_up(Part::Last, choice.as_ref()), of(5, 7));
        assert_eq!(choice.map(|choice| (choice.index, choice.second)), Some((0, 7)));
    }

    #[test]
    fn one_winning_child_wins_and_only_lost_ones_lose() {
        let (won, lost) = (Bounds::won_by(Part::Last), Bounds::won_by(Part::Notlast));
        let backed_up =
            |children: &[Bounds]| back_up(Part::Last, ALL_IN_VIEW.choose(Part::Last, children).as_ref());
        assert_eq!(backed_up(&[lost, of(1, 1), won]), won);
        assert_eq!(backed_up(&[lost, lost]), lost);
        assert_eq!(backed_up(&[]), lost);
    }

    #[test]
    fn the_limit_is_a_little_over_the_second_best() {
        let children = [of(9, 2), of(2, 2), of(4, 2)];
        let choice = ALL_IN_VIEW.choose(Part::Last, &children).unwrap();
        let limit =
            |index: usize, limit| ALL_IN_VIEW.child_limit(Part::Last, &choice, index, children[index], limit);
        assert_eq!(limit(1, Bounds::NO_LIMIT), of(5, INFINITE - 6 + 2));
        // The parent's own limit counts too.
        assert_eq!(limit(1, of(3, 10)), of(3, 6));
        // A searcher sent to another child always gets some room.
        assert_eq!(limit(0, of(3, 6)), of(10, 3));
    }

    #[test]
    fn only_the_first_children_are_in_view_but_all_must_be_answered() {
        let narrow = Weighing { widening_base: 1, widening_share: 4, ..ALL_IN_VIEW };
        let children = [of(9, 1), of(8, 1), of(1, 1), of(1, 1)];
        let choice = narrow.choose(Part::Last, &children).unwrap();
        assert_eq!((choice.index, choice.best, choice.sum), (1, 8, 4));
    }

    /// A search in a tree of chance: sixty moves in each position, guesses of all sizes, and winners four moves on.
    struct Chance {
        seed: u64,
        /// What is known of each position, as a table keeps it.
        table: HashMap<u64, u64>,
        expanded: usize,
        visits: usize,
    }

    const MOVES: u64 = 60;
    const DEPTH: u32 = 4;
    const MOST_VISITS: usize = 3000;

    impl Chance {
        fn child(&self, node: u64, cell: u64) -> u64 {
            crate::table::spread((node ^ self.seed).wrapping_mul(MOVES + 1) + cell + 1)
        }

        fn known(&self, node: u64) -> Bounds {
            let guess = |node: u64| crate::table::spread(node) >> (63 - node % 37);
            let guessed = || Bounds::unsolved(Part::Last, guess(node), guess(node >> 8));
            self.table.get(&node).map_or_else(guessed, |&code| Bounds::from_code(code))
        }

        fn visit(&mut self, node: u64, depth: u32, limit: Bounds) -> Bounds {
            let mover = if depth.is_multiple_of(2) { Part::Last } else { Part::Notlast };
            self.visits += 1;
            if !self.table.contains_key(&node) {
                self.expanded += 1;
            }
            if depth == DEPTH {
                let winner = if node.is_multiple_of(3) { mover } else { mover.other() };
                self.table.insert(node, Bounds::won_by(winner).code());
                return Bounds::won_by(winner);
            }
            let below: Vec<u64> = (0..MOVES).map(|cell| self.child(node, cell)).collect();
            let mut bounds: Vec<Bounds> = below.iter().map(|&child| self.known(child)).collect();
            loop {
                let choice = ALL_IN_VIEW.choose(mover, &bounds);
                let now = back_up(mover, choice.as_ref());
                self.table.insert(node, now.code());
                let Some(Choice { index, .. }) = choice else { return now };
                if now.winner().is_some() || now.reaches(limit) || self.visits >= MOST_VISITS {
                    return now;
                }
                let limit = ALL_IN_VIEW.child_limit(mover, &choice.unwrap(), index, bounds[index], limit);
                let expanded = self.expanded;
                let found = self.visit(below[index], depth + 1, limit);
                // The search never goes in circles, however much the numbers are rounded.
                let changed = found != bounds[index] || self.expanded > expanded;
                assert!(changed || self.visits >= MOST_VISITS, "{found:?} up to {limit:?}");
                assert!(found.reaches(limit) || self.visits >= MOST_VISITS, "{found:?} up to {limit:?}");
                assert_eq!(Bounds::from_code(found.code()), found);
                bounds[index] = found;
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]

        #[test]
        fn each_visit_expands_or_decides_or_changes_a_number(seed: u64) {
            let mut search = Chance { seed, table: HashMap::new(), expanded: 0, visits: 0 };
            let found = search.visit(0, 0, Bounds::NO_LIMIT);
            prop_assert!(search.visits >= MOST_VISITS || found.winner().is_some());
        }
    }
}
