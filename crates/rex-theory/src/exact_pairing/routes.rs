//! Paths of the opponent that were found. They are remembered, because the same ones stand open again and again.

use std::ops::{BitAnd, BitOr, Not};

use rex_game::{Cell, CellSet};

use crate::graph::Graph;

/// How many paths are remembered. Then the oldest is forgotten first.
const ROUTES: usize = 64 * MOST_WORDS;
/// The words of the largest sets.
pub const MOST_WORDS: usize = 8;

/// A path from side to side: its cells, and the same in their order.
#[derive(Clone, Copy)]
pub struct Route {
    pub cells: CellSet,
    pub order: Order,
}

impl Route {
    pub const EMPTY: Route = Route { cells: CellSet::EMPTY, order: [0; 64] };
}

/// The numbers of cells.
type Order = [u8; 64];

/// A set of remembered paths, of the first so many words. Mostly there are few paths, and the fewer words, the faster.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct RouteSet<const WORDS: usize>([u64; WORDS]);

impl<const WORDS: usize> RouteSet<WORDS> {
    pub const EMPTY: RouteSet<WORDS> = RouteSet([0; WORDS]);

    pub fn one(route: usize) -> RouteSet<WORDS> {
        let mut set = RouteSet::EMPTY;
        set.0[route / 64] = 1 << (route % 64);
        set
    }

    /// The same set, with room for more.
    fn widened<const MORE: usize>(self) -> RouteSet<MORE> {
        let mut set = RouteSet::EMPTY;
        set.0[..WORDS].copy_from_slice(&self.0);
        set
    }

    pub fn len(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }
}

impl<const WORDS: usize> IntoIterator for RouteSet<WORDS> {
    type Item = usize;
    type IntoIter = Numbered<WORDS>;

    fn into_iter(self) -> Numbered<WORDS> {
        Numbered { set: self, word: 0 }
    }
}

/// The routes of a set, from the first to the last.
pub struct Numbered<const WORDS: usize> {
    set: RouteSet<WORDS>,
    /// The first word that may have some.
    word: usize,
}

impl<const WORDS: usize> Iterator for Numbered<WORDS> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        while self.word < WORDS {
            let bits = self.set.0[self.word];
            if bits != 0 {
                self.set.0[self.word] = bits & (bits - 1);
                return Some(self.word * 64 + bits.trailing_zeros() as usize);
            }
            self.word += 1;
        }
        None
    }
}

impl<const WORDS: usize> BitAnd for RouteSet<WORDS> {
    type Output = RouteSet<WORDS>;

    fn bitand(self, other: RouteSet<WORDS>) -> RouteSet<WORDS> {
        RouteSet(std::array::from_fn(|word| self.0[word] & other.0[word]))
    }
}

impl<const WORDS: usize> BitOr for RouteSet<WORDS> {
    type Output = RouteSet<WORDS>;

    fn bitor(self, other: RouteSet<WORDS>) -> RouteSet<WORDS> {
        RouteSet(std::array::from_fn(|word| self.0[word] | other.0[word]))
    }
}

impl<const WORDS: usize> Not for RouteSet<WORDS> {
    type Output = RouteSet<WORDS>;

    fn not(self) -> RouteSet<WORDS> {
        RouteSet(self.0.map(|word| !word))
    }
}

/// A number for each route, in binary digits from the lowest.
#[derive(Clone, Copy)]
pub struct Numbers<const DIGITS: usize, const WORDS: usize>(pub [RouteSet<WORDS>; DIGITS]);

impl<const DIGITS: usize, const WORDS: usize> Numbers<DIGITS, WORDS> {
    pub const ZERO: Numbers<DIGITS, WORDS> = Numbers([RouteSet::EMPTY; DIGITS]);

    /// The same numbers, with room for more.
    pub fn widened<const MORE: usize>(self) -> Numbers<DIGITS, MORE> {
        Numbers(self.0.map(RouteSet::widened))
    }

    /// Adds one to the numbers of these routes. None of them may be the largest there is.
    pub fn add(&mut self, routes: RouteSet<WORDS>) {
        let mut carry = routes;
        for digit in &mut self.0 {
            let both = *digit & carry;
            *digit = (*digit | carry) & !both;
            carry = both;
        }
    }

    /// Takes one from the numbers of these routes. None of them may be zero.
    pub fn subtract(&mut self, routes: RouteSet<WORDS>) {
        let mut borrow = routes;
        for digit in &mut self.0 {
            let both = *digit & borrow;
            (*digit, borrow) = ((*digit | borrow) & !both, borrow & !both);
        }
    }

    /// Makes the numbers of these routes zero.
    pub fn clear(&mut self, routes: RouteSet<WORDS>) {
        self.0 = self.0.map(|digit| digit & !routes);
    }

    /// The sum of the numbers of these routes.
    pub fn sum(&self, routes: RouteSet<WORDS>) -> u32 {
        let digits =
            |word: usize| self.0.iter().enumerate().map(move |(place, digit)| (place, digit.0[word]));
        (0..WORDS)
            .flat_map(|word| {
                digits(word).map(move |(place, digit)| (routes.0[word] & digit).count_ones() << place)
            })
            .sum()
    }
}

/// The paths that are remembered.
pub struct Routes {
    /// The cells of each, side by side, since most are asked for nothing else.
    pub cells: Vec<CellSet>,
    orders: Vec<Order>,
    /// The oldest, once there are many.
    oldest: usize,
    /// For each cell, the routes through it.
    through: [RouteSet<MOST_WORDS>; 64],
}

impl Default for Routes {
    fn default() -> Routes {
        Routes::new()
    }
}

impl Routes {
    /// How many bytes they take at most.
    pub const BYTES: usize = size_of::<Routes>() + ROUTES * (size_of::<CellSet>() + size_of::<Order>());

    /// None so far.
    pub fn new() -> Routes {
        Routes { cells: Vec::new(), orders: Vec::new(), oldest: 0, through: [RouteSet::EMPTY; 64] }
    }

    /// Remembers those routes of another position that are paths in this graph, too. Cells that the owner of the graph has
    /// taken since drop out. What closes a path closes all that contain it, so those are left out.
    pub fn adopt(&mut self, others: &Routes, graph: &Graph) {
        let [first, last] = graph.sides;
        for number in (others.oldest..others.cells.len()).chain(0..others.oldest) {
            let mut route = Route::EMPTY;
            let mut next = last;
            let mut cells = others.along(number).filter(|&cell| graph.cells.has(cell));
            let connected = cells.all(|cell| {
                let goes_on = next.has(cell);
                route.order[route.cells.len()] = cell.index() as u8;
                route.cells.insert(cell);
                next = graph.neighbours(cell);
                goes_on
            });
            let Some(end) = route.cells.len().checked_sub(1).map(|end| Cell::new(route.order[end].into()))
            else {
                continue;
            };
            let known = || self.cells.iter().any(|&cells| (cells - route.cells).is_empty());
            if connected && first.has(end) && !known() {
                self.add(&route);
            }
        }
    }

    /// Remembers a route, and returns its number, which an older one may have had.
    pub fn add(&mut self, route: &Route) -> usize {
        let number = if self.cells.len() < ROUTES {
            self.cells.push(route.cells);
            self.orders.push(route.order);
            self.cells.len() - 1
        } else {
            let number = self.oldest;
            self.oldest = (number + 1) % ROUTES;
            for cell in std::mem::replace(&mut self.cells[number], route.cells) {
                self.through[cell.index()] = self.through[cell.index()] & !RouteSet::one(number);
            }
            self.orders[number] = route.order;
            number
        };
        for cell in route.cells {
            self.through[cell.index()] = self.through[cell.index()] | RouteSet::one(number);
        }
        number
    }

    /// The number of the oldest one.
    pub(super) fn oldest(&self) -> usize {
        self.oldest
    }

    /// Says which is the oldest. `None` if there is no such one.
    pub(super) fn begin_at(&mut self, oldest: usize) -> Option<()> {
        self.oldest = oldest;
        (oldest == 0 || oldest < self.cells.len()).then_some(())
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.cells.len()
    }

    /// All of them, of the first so many words.
    pub fn all<const WORDS: usize>(&self) -> RouteSet<WORDS> {
        let number = |word: usize| self.cells.len().saturating_sub(64 * word).min(64);
        RouteSet(std::array::from_fn(|word| CellSet::first_n(number(word)).bits()))
    }

    /// The routes through a cell.
    pub fn through<const WORDS: usize>(&self, cell: Cell) -> RouteSet<WORDS> {
        RouteSet(std::array::from_fn(|word| self.through[cell.index()].0[word]))
    }

    /// The routes through both of these cells.
    pub fn through_both<const WORDS: usize>(&self, one: Cell, other: Cell) -> RouteSet<WORDS> {
        self.through(one) & self.through(other)
    }

    /// The cells of a route, along it.
    pub fn along(&self, route: usize) -> impl Iterator<Item = Cell> {
        self.orders[route].iter().take(self.cells[route].len()).map(|&cell| Cell::new(cell.into()))
    }
}
