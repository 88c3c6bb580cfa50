//! Who searches where: several searches with one table keep out of each other's way by it, as the threads of one search do.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::node::Node;

/// The ways of all searches that know of each other.
#[derive(Debug, Default)]
pub struct Company(Mutex<Ways>);

#[derive(Debug, Default)]
struct Ways {
    /// The number of the next search.
    next: u64,
    /// The positions from where a search began to where a thread of it is.
    by_thread: HashMap<(u64, usize), Vec<Node>>,
}

/// A search among others. It is gone when this is dropped.
#[derive(Debug)]
pub struct Companion<'a> {
    company: &'a Company,
    number: u64,
    /// Threads of others at or below a position, when it last looked.
    others: HashMap<Node, u32>,
}

impl Company {
    /// A search begins.
    pub fn join(&self) -> Companion<'_> {
        let mut ways = self.lock();
        ways.next += 1;
        Companion { company: self, number: ways.next, others: HashMap::new() }
    }

    fn lock(&self) -> MutexGuard<'_, Ways> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Companion<'_> {
    /// A thread of this search goes a way.
    pub fn go(&self, thread: usize, way: Vec<Node>) {
        self.company.lock().by_thread.insert((self.number, thread), way);
    }

    /// Looks where the others are.
    pub fn look_around(&mut self) {
        self.others.clear();
        let ways = self.company.lock();
        let others = ways.by_thread.iter().filter(|((search, _), _)| *search != self.number);
        for &node in others.flat_map(|(_, way)| way) {
            *self.others.entry(node).or_default() += 1;
        }
    }

    /// How many threads of others were at or below a position.
    pub fn others_at(&self, node: &Node) -> u32 {
        self.others.get(node).copied().unwrap_or(0)
    }
}

impl Drop for Companion<'_> {
    fn drop(&mut self) {
        self.company.lock().by_thread.retain(|(search, _), _| *search != self.number);
    }
}

#[cfg(test)]
mod tests {
    use rex::{CellSet, Player};

    use super::*;

    fn node(stones: u64) -> Node {
        Node { stones: [CellSet(stones), CellSet(0)], last: Player::Black }
    }

    #[test]
    fn a_search_sees_the_threads_of_others_as_long_as_they_are_there() {
        let company = Company::default();
        let (mut first, mut second) = (company.join(), company.join());
        first.go(0, vec![node(1), node(3)]);
        first.go(1, vec![node(1), node(5)]);
        second.go(0, vec![node(1), node(3)]);
        first.look_around();
        second.look_around();
        assert_eq!([1, 3, 5].map(|stones| second.others_at(&node(stones))), [2, 1, 1]);
        assert_eq!([1, 3, 5].map(|stones| first.others_at(&node(stones))), [1, 1, 0]);
        first.go(1, vec![node(1)]);
        second.look_around();
        assert_eq!(second.others_at(&node(5)), 0);
        drop(first);
        second.look_around();
        assert_eq!(second.others_at(&node(1)), 0);
    }
}
