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
    /// Where others were when it last looked.
    others: HashMap<Node, Others>,
}

/// Others at a position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Others {
    /// Threads at it or below.
    pub threads: u32,
    /// Whether one of them is at it, so that it is not to be searched twice.
    pub here: bool,
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
        for (_, way) in others {
            for &node in way {
                self.others.entry(node).or_default().threads += 1;
            }
            if let Some(&end) = way.last() {
                self.others.entry(end).or_default().here = true;
            }
        }
    }

    /// Who was at a position.
    pub fn others_at(&self, node: &Node) -> Others {
        self.others.get(node).copied().unwrap_or_default()
    }
}

impl Drop for Companion<'_> {
    fn drop(&mut self) {
        self.company.lock().by_thread.retain(|(search, _), _| *search != self.number);
    }
}

#[cfg(test)]
mod tests {
    use rex_game::{CellSet, Player};

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
        let seen = |search: &Companion, stones| {
            let Others { threads, here } = search.others_at(&node(stones));
            (threads, here)
        };
        assert_eq!([1, 3, 5].map(|stones| seen(&second, stones)), [(2, false), (1, true), (1, true)]);
        assert_eq!([1, 3, 5].map(|stones| seen(&first, stones)), [(1, false), (1, true), (0, false)]);
        first.go(1, vec![node(1)]);
        second.look_around();
        assert_eq!([1, 5].map(|stones| seen(&second, stones)), [(2, true), (0, false)]);
        drop(first);
        second.look_around();
        assert_eq!(seen(&second, 1), (0, false));
    }
}
