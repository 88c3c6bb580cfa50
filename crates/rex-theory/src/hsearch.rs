//! H-search for pairings.
//!
//! A *full* connection of two endpoints (sides, groups, or empty cells treated as coloured) is a set of pairs such that
//! any choice of one cell from each pair connects them. A *semi* connection also needs one key cell.
//! - AND over a stone or side: two fulls that meet there make a full. AND over an empty cell: two
//!   fulls that meet there make a semi with that cell as its key.
//! - OR: two semis of the same endpoints make a full; their keys become a pair.
//!
//! The parts must not conflict. Either their carriers are disjoint, or (*compatible overlap*) they agree on the
//! overlap: every pair of one that touches the other's carrier is also a pair of the other. Then the union is a pairing
//! again. *Augmented*: an empty endpoint may use a pair that it captures, because whichever cell of the pair the player
//! gets, both might as well be hers.
//!
//! Connections with large carriers are followed only if they start at a side, since only connections between the sides
//! count in the end.

use rex_game::{Cell, CellSet, Player};

use crate::captured::{Capture, all_captures};
use crate::options::Options;
use crate::pairing::Pairing;
use crate::reduced::Reduced;

/// The most endpoints: 64 cells and two sides.
const ENDS: usize = 66;
const SIDES: usize = 2;
/// The most fulls kept for two endpoints, and the most semis.
const FULLS: usize = 12;
const SEMIS: usize = 24;
/// The most different pairs.
const PAIRS: usize = 128;
/// The number of lists, one for each two endpoints, laid out as a triangle.
const LISTS: usize = ENDS * (ENDS - 1) / 2;
/// The index of the lists for the two sides.
const BETWEEN_SIDES: usize = 0;
/// Connections with a larger carrier are kept only if they start at a side.
const LOCAL_CARRIER: usize = 4;

/// What H-search found between the two sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// A join pairing.
    pub join: Option<Pairing>,
    /// A pre-join pairing.
    pub pre_join: Option<Pairing>,
    /// The keys of all pre-join pairings found.
    pub keys: CellSet,
}

#[derive(Clone, Copy, Default)]
struct Connection {
    carrier: CellSet,
    /// A set of pair numbers.
    pairs: [u64; 2],
    /// The key of a semi; part of its carrier.
    key: u8,
}

/// Connections of the same two endpoints. Most are asked for their carrier and nothing else, so the carriers are side by
/// side.
#[derive(Clone, Copy)]
struct List<const N: usize> {
    carriers: [CellSet; N],
    pairs: [[u64; 2]; N],
    keys: [u8; N],
}

impl<const N: usize> List<N> {
    const EMPTY: List<N> = List { carriers: [CellSet::EMPTY; N], pairs: [[0; 2]; N], keys: [0; N] };

    fn get(&self, slot: usize) -> Connection {
        Connection { carrier: self.carriers[slot], pairs: self.pairs[slot], key: self.keys[slot] }
    }

    fn set(&mut self, slot: usize, connection: Connection) {
        self.carriers[slot] = connection.carrier;
        self.pairs[slot] = connection.pairs;
        self.keys[slot] = connection.key;
    }

    /// Whether the carrier of one of the first `count` lies within this one.
    fn has_within(&self, count: usize, carrier: CellSet) -> bool {
        self.carriers[..count].iter().any(|kept| kept.within(carrier))
    }
}

#[derive(Clone, Copy)]
struct Lists {
    full: List<FULLS>,
    semi: List<SEMIS>,
}

#[derive(Clone, Copy)]
struct Task {
    one: u8,
    other: u8,
    full: bool,
    slot: u8,
}

/// Tasks, first in, first out.
struct Queue {
    tasks: Vec<Task>,
    next: usize,
}

impl Default for Queue {
    fn default() -> Queue {
        Queue { tasks: Vec::with_capacity(4096), next: 0 }
    }
}

impl Queue {
    fn clear(&mut self) {
        self.tasks.clear();
        self.next = 0;
    }

    fn next(&mut self) -> Option<Task> {
        let task = self.tasks.get(self.next).copied();
        self.next += usize::from(task.is_some());
        task
    }
}

/// The working memory, reused for each search.
pub struct HSearch {
    lists: Box<[Lists]>,
    /// How many entries of each list are in use.
    fulls: [u8; LISTS],
    semis: [u8; LISTS],
    /// How many fulls of each list have been followed. A full is combined only with those; the others will be combined
    /// with it when their turn comes.
    followed: [u8; LISTS],
    pair_id: Box<[[u8; 64]; 64]>,
    pair_cells: [(u8, u8); PAIRS],
    pair_count: usize,
    /// Connections to follow. Those that start at a side come first, since one of them will end the search.
    queue: Queue,
    later: Queue,
    /// For each endpoint, those it has a followed full with.
    linked: [u128; ENDS],
    /// For each endpoint, those it touches: they need no further connection.
    touching: [u128; ENDS],
    end_count: usize,
    /// The endpoint of each empty cell.
    end_of: [u8; 64],
    /// The cell of each endpoint; the empty set for sides and groups.
    cell_of: [CellSet; ENDS],
    cells: [u8; ENDS],
    options: Options,
}

/// What it takes itself where pointers have eight bytes. It counts as much everywhere, so that searches with the same
/// memory are the same.
const BYTES: usize = 9616;
const _: () = assert!(size_of::<HSearch>() <= BYTES);

impl Default for HSearch {
    /// Working memory for any board.
    fn default() -> HSearch {
        HSearch::for_cells(ENDS - SIDES)
    }
}

impl HSearch {
    /// Working memory for boards of at most this many cells.
    pub fn for_cells(cells: usize) -> HSearch {
        HSearch {
            lists: vec![Lists { full: List::EMPTY, semi: List::EMPTY }; lists(cells)].into_boxed_slice(),
            fulls: [0; LISTS],
            semis: [0; LISTS],
            followed: [0; LISTS],
            pair_id: vec![[0; 64]; 64].into_boxed_slice().try_into().expect("the length fits"),
            pair_cells: [(0, 0); PAIRS],
            pair_count: 0,
            queue: Queue::default(),
            later: Queue::default(),
            linked: [0; ENDS],
            touching: [0; ENDS],
            end_count: 0,
            end_of: [0; 64],
            cell_of: [CellSet::EMPTY; ENDS],
            cells: [0; ENDS],
            options: Options::NONE,
        }
    }

    /// About how many bytes that takes.
    pub fn bytes(cells: usize) -> usize {
        BYTES + lists(cells) * size_of::<Lists>() + size_of::<[[u8; 64]; 64]>() + (64 << 10)
    }

    /// Searches for pairings of `player`. With `stop_at_semi` it stops at the first pre-join pairing, otherwise only at
    /// a join pairing.
    ///
    /// ```
    /// use rex_game::Player;
    /// use rex_theory::fill_in::fill_in;
    /// use rex_theory::hsearch::HSearch;
    /// use rex_theory::{Field, Options, Reduced};
    ///
    /// let state: rex_game::State = "4x4 c2".parse()?;
    /// let options = Options::default();
    /// let mut reduced = Reduced::new(Field::new(&state));
    /// fill_in(&mut reduced, &options, state.board().cells(), &mut ());
    /// let found = HSearch::default().run(&reduced, Player::Black, &options, false);
    /// // White can make Black take one cell of each pair, so Black is made to connect, and loses.
    /// assert_eq!(found.join.unwrap().pairs().len(), 3);
    /// # Ok::<(), rex_game::NotationError>(())
    /// ```
    pub fn run(&mut self, reduced: &Reduced, player: Player, options: &Options, stop_at_semi: bool) -> Found {
        let board = reduced.field.board;
        self.options = *options;
        self.search(reduced, player, [0, 1].map(|side| board.side(player, side)), stop_at_semi)
    }

    /// Searches for pairings that connect two groups of `player`, or a group and a side, instead of her two sides. An
    /// end is the stones of a group or the cells of a side. Does not use pairs that a cell captures: a captured cell
    /// cannot matter to the sides, but may matter to a group.
    pub fn run_between(
        &mut self,
        reduced: &Reduced,
        player: Player,
        options: &Options,
        ends: [CellSet; 2],
        stop_at_semi: bool,
    ) -> Found {
        self.options = Options { augmented: false, ..*options };
        self.search(reduced, player, ends, stop_at_semi)
    }

    fn search(&mut self, reduced: &Reduced, player: Player, ends: [CellSet; 2], stop_at_semi: bool) -> Found {
        self.set_up(reduced, player, ends);
        while let Some(task) = self.queue.next().or_else(|| self.later.next()) {
            if task.full {
                self.follow_full(task);
            } else {
                self.follow_semi(task);
            }
            if self.fulls[BETWEEN_SIDES] > 0 || (stop_at_semi && self.semis[BETWEEN_SIDES] > 0) {
                break;
            }
        }
        self.found()
    }

    fn found(&self) -> Found {
        let sides = &self.lists[BETWEEN_SIDES];
        let keys = &sides.semi.keys[..self.semis[BETWEEN_SIDES] as usize];
        let keys = keys.iter().map(|&key| Cell::new(key as usize));
        Found {
            join: (self.fulls[BETWEEN_SIDES] > 0).then(|| self.pairing(&sides.full.get(0), None)),
            pre_join: keys.clone().next().map(|key| self.pairing(&sides.semi.get(0), Some(key))),
            keys: keys.collect(),
        }
    }

    fn pairing(&self, connection: &Connection, key: Option<Cell>) -> Pairing {
        let mut pairing = Pairing::new(key);
        for (i, &(one, other)) in self.pair_cells[..self.pair_count].iter().enumerate() {
            if connection.pairs[i / 64] >> (i % 64) & 1 != 0 {
                pairing.push(Cell::new(one as usize), Cell::new(other as usize));
            }
        }
        pairing
    }

    /// Numbers the endpoints (sides, groups, empty cells) and notes which of them touch. The two ends take the place of
    /// the sides.
    fn set_up(&mut self, reduced: &Reduced, player: Player, ends: [CellSet; 2]) {
        let field = &reduced.field;
        let (board, own, empty) = (field.board, field.own(player), reduced.empty());
        for row in self.pair_id.iter_mut() {
            *row = [0xff; 64];
        }
        self.pair_count = 0;
        self.queue.clear();
        self.later.clear();
        let mut around = [CellSet::EMPTY; ENDS];
        let mut count = SIDES;
        for (around, end) in around[..SIDES].iter_mut().zip(ends) {
            *around = (end | board.neighbours_of_set(board.reachable(end, own))) & empty;
        }
        let mut rest = own - board.reachable(ends[0] | ends[1], own);
        while let Some(stone) = rest.first() {
            let group = board.reachable(stone.set(), own);
            rest -= group;
            around[count] = board.neighbours_of_set(group) & empty;
            count += 1;
        }
        let groups = count;
        self.cell_of[..groups].fill(CellSet::EMPTY);
        for cell in empty {
            self.end_of[cell.index()] = count as u8;
            self.cell_of[count] = cell.set();
            self.cells[count] = cell.index() as u8;
            around[count] = board.neighbours(cell) & empty;
            count += 1;
        }
        self.end_count = count;
        self.linked[..count].fill(0);
        self.touching[..count].fill(0);
        self.fulls[..count * (count - 1) / 2].fill(0);
        self.semis[..count * (count - 1) / 2].fill(0);
        self.followed[..count * (count - 1) / 2].fill(0);
        for (one, &around) in around[..count].iter().enumerate() {
            for cell in around {
                let other = self.end_of[cell.index()] as usize;
                if one < other {
                    self.touching[one] |= bit(other);
                    self.touching[other] |= bit(one);
                    self.add_full(one, other, Connection::default());
                }
            }
        }
        if self.options.augmented {
            for capture in all_captures(reduced, player) {
                self.add_capture(reduced, capture, &around[..groups]);
            }
        }
    }

    /// Connects a cell to whatever touches a pair that it captures.
    fn add_capture(&mut self, reduced: &Reduced, Capture { taken, pair }: Capture, groups: &[CellSet]) {
        let board = reduced.field.board;
        // Captured cells count as the player's, but they lead on from the cell only if they are connected to it.
        let mut linked = board.neighbours(taken) & pair;
        linked |= board.neighbours_of_set(linked) & pair;
        let mut both = pair;
        let (Some(one), Some(other)) = (both.pop(), both.pop()) else { return };
        if linked.is_empty() {
            return;
        }
        let Some(id) = self.pair_number(one, other) else { return };
        let connection = Connection { carrier: pair, pairs: with_pair([0; 2], id), key: 0 };
        let end = self.end_of[taken.index()] as usize;
        for near in (board.neighbours_of_set(linked) & reduced.empty()) - pair.with(taken) {
            let other = self.end_of[near.index()] as usize;
            self.add_full(end.min(other), end.max(other), connection);
        }
        for (group, around) in groups.iter().enumerate() {
            if around.meets(linked) {
                self.add_full(group, end, connection);
            }
        }
    }

    fn pair_number(&mut self, one: Cell, other: Cell) -> Option<u8> {
        let (one, other) = if one < other { (one, other) } else { (other, one) };
        let id = self.pair_id[one.index()][other.index()];
        if id != 0xff {
            return Some(id);
        }
        if self.pair_count == PAIRS {
            return None;
        }
        let id = self.pair_count as u8;
        self.pair_id[one.index()][other.index()] = id;
        self.pair_cells[self.pair_count] = (one.index() as u8, other.index() as u8);
        self.pair_count += 1;
        Some(id)
    }

    /// Keeps a full of `one < other`, unless the carrier of a kept one lies within its carrier.
    fn add_full(&mut self, one: usize, other: usize, full: Connection) {
        if one >= SIDES && full.carrier.len() > LOCAL_CARRIER {
            return;
        }
        let place = place(one, other);
        let lists = &mut self.lists[place];
        let count = self.fulls[place] as usize;
        if count == FULLS || lists.full.has_within(count, full.carrier) {
            return;
        }
        lists.full.set(count, full);
        self.fulls[place] += 1;
        self.follow_later(Task { one: one as u8, other: other as u8, full: true, slot: count as u8 });
    }

    fn add_semi(&mut self, one: usize, other: usize, semi: Connection) {
        if one >= SIDES && semi.carrier.len() > LOCAL_CARRIER {
            return;
        }
        let place = place(one, other);
        let lists = &mut self.lists[place];
        let (fulls, semis) = (self.fulls[place] as usize, self.semis[place] as usize);
        if semis == SEMIS
            || lists.full.has_within(fulls, semi.carrier)
            || lists.semi.has_within(semis, semi.carrier)
        {
            return;
        }
        lists.semi.set(semis, semi);
        self.semis[place] += 1;
        self.follow_later(Task { one: one as u8, other: other as u8, full: false, slot: semis as u8 });
    }

    fn follow_later(&mut self, task: Task) {
        let queue = if usize::from(task.one) < SIDES { &mut self.queue } else { &mut self.later };
        queue.tasks.push(task);
    }

    /// Whether the pairs of two connections together make a pairing again.
    fn agree(&self, one: &Connection, other: &Connection) -> bool {
        let shared = one.carrier & other.carrier;
        shared.is_empty() || (self.options.compatible && shared.len() == 2 * shared_pairs(one, other))
    }

    fn follow_full(&mut self, task: Task) {
        let (one, other) = (task.one as usize, task.other as usize);
        let full = self.lists[place(one, other)].full.get(task.slot as usize);
        self.and_over(one, other, &full);
        self.and_over(other, one, &full);
        self.linked[one] |= bit(other);
        self.linked[other] |= bit(one);
        self.followed[place(one, other)] += 1;
    }

    /// Combines a full of `from` and `middle` with every full of `middle`.
    fn and_over(&mut self, from: usize, middle: usize, full: &Connection) {
        if middle < SIDES && !self.options.side_and {
            return;
        }
        let key = self.cell_of[middle];
        let mut ends = self.linked[middle] & !(self.touching[from] | bit(from));
        let room = if from < SIDES { 64 } else { LOCAL_CARRIER - key.len().min(LOCAL_CARRIER) };
        if full.carrier.len() > room {
            // Too large for a connection that does not start at a side.
            ends &= (1 << SIDES) - 1;
        }
        while ends != 0 {
            let end = ends.trailing_zeros() as usize;
            ends &= ends - 1;
            if full.carrier.meets(self.cell_of[end]) {
                continue;
            }
            let index = place(middle.min(end), middle.max(end));
            let (low, high) = (from.min(end), from.max(end));
            for slot in 0..self.followed[index] as usize {
                let second = self.lists[index].full.get(slot);
                if second.carrier.meets(self.cell_of[from]) || !self.agree(full, &second) {
                    continue;
                }
                let carrier = full.carrier | second.carrier | key;
                let pairs = union(full.pairs, second.pairs);
                if key.is_empty() {
                    self.add_full(low, high, Connection { carrier, pairs, key: 0 });
                } else {
                    self.add_semi(low, high, Connection { carrier, pairs, key: self.cells[middle] });
                }
            }
        }
    }

    /// Combines a semi with every other semi of the same endpoints.
    fn follow_semi(&mut self, task: Task) {
        let (one, other) = (task.one as usize, task.other as usize);
        let lists = &self.lists[place(one, other)];
        let semi = lists.semi.get(task.slot as usize);
        let key = Cell::new(semi.key as usize);
        for slot in 0..task.slot as usize {
            let second = self.lists[place(one, other)].semi.get(slot);
            let second_key = Cell::new(second.key as usize);
            if second.carrier.has(key) || semi.carrier.has(second_key) || !self.agree(&semi, &second) {
                continue;
            }
            let Some(id) = self.pair_number(key, second_key) else { return };
            let pairs = with_pair(union(semi.pairs, second.pairs), id);
            self.add_full(one, other, Connection { carrier: semi.carrier | second.carrier, pairs, key: 0 });
        }
    }
}

/// The set of this one endpoint. (WebAssembly has no instruction that shifts so wide a number.)
fn bit(end: usize) -> u128 {
    let half = u128::from(1u64 << (end % 64));
    if end < 64 { half } else { half << 64 }
}

/// The number of lists for a board of this many cells.
fn lists(cells: usize) -> usize {
    let ends = SIDES + cells;
    ends * (ends - 1) / 2
}

/// The index of the lists for `one < other`.
fn place(one: usize, other: usize) -> usize {
    other * (other - 1) / 2 + one
}

fn with_pair(mut pairs: [u64; 2], id: u8) -> [u64; 2] {
    pairs[usize::from(id) / 64] |= 1 << (id % 64);
    pairs
}

fn union(one: [u64; 2], other: [u64; 2]) -> [u64; 2] {
    [one[0] | other[0], one[1] | other[1]]
}

fn shared_pairs(one: &Connection, other: &Connection) -> usize {
    let count = |i: usize| (one.pairs[i] & other.pairs[i]).count_ones();
    (count(0) + count(1)) as usize
}

#[cfg(test)]
mod tests {
    use rex_game::State;

    use super::*;
    use crate::Field;

    /// Whether the ends are connected whichever cell of each pair the player gets.
    fn connects(state: &State, player: Player, ends: [CellSet; 2], pairing: &Pairing) -> bool {
        let (board, pairs) = (state.board(), pairing.pairs());
        let own = state.position.stones(player) | pairing.key.map_or(CellSet::EMPTY, Cell::set);
        (0..1u32 << pairs.len()).all(|choice| {
            let taken = pairs.iter().enumerate().map(|(i, &(a, b))| if choice >> i & 1 == 0 { a } else { b });
            let own = own | taken.collect::<CellSet>();
            board.reachable(ends[0], own).meets(ends[1] & own)
        })
    }

    #[test]
    fn pairings_between_any_two_groups_connect_them() {
        let mut found = [0; 2];
        for text in ["4/4/4/4 b", "1b2/2w1/4/w3 b", "5/1w3/5/3b1/5 b", "b4/5/2w2/5/4w w", "3/1b1/w2/3 w"] {
            let state: State = text.parse().unwrap();
            let (board, mut hsearch) = (state.board(), HSearch::default());
            for player in Player::BOTH {
                let cells = state.position.empty() | state.position.stones(player);
                for one in cells {
                    for other in cells {
                        let mut state = state;
                        for cell in [one, other] {
                            state.position = state.position.with(cell, player);
                        }
                        let own = state.position.stones(player);
                        let ends = [one, other].map(|cell| board.reachable(cell.set(), own));
                        if ends[0].meets(ends[1]) {
                            continue;
                        }
                        let reduced = Reduced::new(Field::new(&state));
                        let options = Options::all();
                        let Found { join, pre_join, .. } =
                            hsearch.run_between(&reduced, player, &options, ends, false);
                        for (count, pairing) in found.iter_mut().zip([join, pre_join]) {
                            let Some(pairing) = pairing else { continue };
                            *count += 1;
                            let inside = pairing.cells() | pairing.key.map_or(CellSet::EMPTY, Cell::set);
                            assert!(inside.within(state.position.empty()), "{state}");
                            assert!(connects(&state, player, ends, &pairing), "{state} {pairing:?}");
                        }
                    }
                }
            }
        }
        assert!(found.iter().all(|&count| count > 100), "{found:?}");
    }
}
