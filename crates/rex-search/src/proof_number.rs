//! The rule of proof-number search: which child to search next, up to which numbers, and how the children's numbers
//! make up the parent's. Three places use it: the search of one thread ([`crate::dfpn`]), the tree that threads or the
//! workers of a cluster share ([`crate::upper_tree`], on numbers that searchers below make worse) and the choice of a
//! winning move at the root (`first_winning` in `solver/run.rs`).
//!
//! The mover needs one winning move, so her number is the smallest of her children's. The other player must answer
//! every move, so hers is the sum. The search goes to the child with the smallest number and stays there until that is
//! a little above the second best. Without that margin (ε) it would jump back and forth (Pawlewicz and Lew, 2007).

use crate::known::{Bounds, INFINITE, Part};

/// How to choose among children.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Weighing {
    /// How many of the open children are in view, the most promising first: this many …
    pub widening_base: usize,
    /// … plus one in this many.
    pub widening_share: usize,
    /// A child's limit is above the best other child by one part in this many.
    pub epsilon_share: u32,
}

/// The child to search next.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Choice {
    /// Its index.
    pub index: usize,
    /// The mover's number there, the smallest in view. 0: this move wins.
    pub best: u32,
    /// The second smallest.
    pub second: u32,
    /// The sum of the other player's numbers over all open children.
    pub sum: u32,
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
            choice.sum = choice.sum.saturating_add(theirs).min(INFINITE - 1);
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
        let own_limit = limit.get(mover).min(rival.saturating_add(margin)).max(own.saturating_add(1));
        let slack = limit.get(other).saturating_sub(choice.sum).max(1);
        Bounds::of(mover, own_limit.min(INFINITE), theirs.saturating_add(slack).min(INFINITE))
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
    use super::*;

    const ALL_IN_VIEW: Weighing = Weighing { widening_base: 0, widening_share: 1, epsilon_share: 8 };

    fn of(own: u32, theirs: u32) -> Bounds {
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
}
