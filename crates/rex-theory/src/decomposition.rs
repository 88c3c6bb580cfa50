//! Decompositions. If two groups (or sides) of X both touch the same two groups (or sides) of the opponent, the four
//! form a ring. Suppose X has a pairing that connects her two inside the ring. Then after every choice from the pairs,
//! each remaining cell of the region lies in a pocket that borders on one group of X and one of the opponent. Whatever
//! enters such a pocket leaves it through the group it came from, so the pocket is dead. Hence X captures the pairs,
//! and once they are filled, the rest of the region is dead.

use rex_game::{Board, CellSet, Player, Symmetry};

use crate::dead::{cut_off, dead_by_clique};
use crate::exact_pairing::{Outcome, find_pairing};
use crate::field::Field;
use crate::graph::Graph;
use crate::pairing::Pairing;
use crate::reduced::Reduced;

/// A region that can be filled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decomposition {
    /// Whose groups are connected.
    pub player: Player,
    /// The pairs that connect them: a captured set.
    pub pairing: Pairing,
    /// The cells of the region that are dead once it is filled.
    pub dead: CellSet,
}

/// How many steps the pairing search may take in a region.
const STEPS: u32 = 30;

/// The most pairs in a region. We check every choice from them, so there must not be too many.
const MOST_PAIRS: usize = 4;

/// A group or a side: its stones, and the cells that touch it.
#[derive(Clone, Copy)]
struct Wall {
    stones: CellSet,
    border: CellSet,
    is_side: bool,
}

impl Wall {
    fn touches(&self, other: &Wall) -> bool {
        // Sides of different players meet in a corner.
        (self.is_side && other.is_side) || self.border.meets(other.stones) || other.border.meets(self.stones)
    }
}

/// The walls of one player.
struct Walls {
    count: usize,
    list: [Wall; 34],
}

impl Walls {
    fn new(field: &Field, player: Player) -> Walls {
        let board = field.board;
        let own = field.own(player);
        let mut walls = Walls {
            count: 0,
            list: [Wall { stones: CellSet::EMPTY, border: CellSet::EMPTY, is_side: false }; 34],
        };
        let mut rest = own;
        for which in 0..2 {
            let side = board.side(player, which);
            let stones = board.reachable(side, own);
            rest -= stones;
            walls.push(Wall { stones, border: board.neighbours_of_set(stones) | side, is_side: true });
        }
        while let Some(stone) = rest.first() {
            let stones = board.reachable(stone.set(), own);
            rest -= stones;
            walls.push(Wall { stones, border: board.neighbours_of_set(stones), is_side: false });
        }
        walls
    }

    fn push(&mut self, wall: Wall) {
        if self.count < self.list.len() {
            self.list[self.count] = wall;
            self.count += 1;
        }
    }

    fn as_slice(&self) -> &[Wall] {
        &self.list[..self.count]
    }
}

/// Finds a region that can be filled.
///
/// The pairing search gives up after a few steps, so it may find in one image of the board what it misses in another.
/// That is why it always runs on the smallest image: all images of a position are filled in the same way.
pub fn decomposition(reduced: &Reduced) -> Option<Decomposition> {
    // Most positions have no such region at all, so look for one first.
    find_region(reduced, |_| Some(()))?;
    let (image, symmetry) = reduced.field.least_image();
    if symmetry == Symmetry::Identity {
        find_region(reduced, |region| region.fill(reduced))
    } else {
        let there = Reduced::new(image);
        let found = find_region(&there, |region| region.fill(&there))?;
        Some(found.image(image.board, symmetry))
    }
}

impl Decomposition {
    /// Its image under a symmetry of the board.
    fn image(&self, board: Board, symmetry: Symmetry) -> Decomposition {
        let mut pairing = Pairing::new(None);
        for &(one, other) in self.pairing.pairs() {
            pairing.push(symmetry.apply_to_cell(board, one), symmetry.apply_to_cell(board, other));
        }
        Decomposition {
            player: if symmetry.swaps_colours() { !self.player } else { self.player },
            pairing,
            dead: symmetry.apply(board, self.dead),
        }
    }
}

/// The empty cells inside a ring of four walls.
struct Region {
    /// The player who might connect her two walls.
    player: Player,
    cells: CellSet,
    /// For each of the opponent's two walls, the cells that touch it.
    theirs: [CellSet; 2],
}

/// Calls `attempt` on each region that might be filled, until it returns something.
fn find_region<T>(reduced: &Reduced, mut attempt: impl FnMut(&Region) -> Option<T>) -> Option<T> {
    let walls = Player::BOTH.map(|player| Walls::new(&reduced.field, player));
    for player in Player::BOTH {
        let (own, theirs) = (&walls[player.index()], &walls[(!player).index()]);
        for (one, other) in pairs(own.as_slice()).filter(|(one, other)| !(one.is_side && other.is_side)) {
            let touching = |wall: &Wall| one.touches(wall) && other.touches(wall);
            for (first, second) in pairs(theirs.as_slice()) {
                if touching(first)
                    && touching(second)
                    && let Some(found) = in_ring(reduced, player, [one, other], [first, second], &mut attempt)
                {
                    return Some(found);
                }
            }
        }
    }
    None
}

fn pairs(walls: &[Wall]) -> impl Iterator<Item = (&Wall, &Wall)> {
    walls.iter().enumerate().flat_map(|(i, one)| walls[i + 1..].iter().map(move |other| (one, other)))
}

/// Calls `attempt` on the regions inside a ring of four walls: `player`'s `own` two and the opponent's two.
fn in_ring<T>(
    reduced: &Reduced,
    player: Player,
    own: [&Wall; 2],
    theirs: [&Wall; 2],
    attempt: &mut impl FnMut(&Region) -> Option<T>,
) -> Option<T> {
    let board = reduced.field.board;
    let walls = [own[0], own[1], theirs[0], theirs[1]];
    let ring = walls.iter().fold(CellSet::EMPTY, |ring, wall| ring | wall.stones);
    let mut rest = reduced.empty();
    while let Some(cell) = rest.first() {
        let inside = board.reachable(cell.set(), board.cells() - ring);
        rest -= inside;
        // A region that reaches a side outside the ring has more than four walls.
        let foreign_side = Player::BOTH.into_iter().any(|player| {
            (0..2).any(|which| {
                let side = board.side(player, which);
                side.meets(inside) && !walls.iter().any(|wall| wall.is_side && side.within(wall.border))
            })
        });
        if foreign_side || !walls.iter().all(|wall| wall.border.meets(inside)) {
            continue;
        }
        let cells = inside & reduced.empty();
        let found = attempt(&Region { player, cells, theirs: theirs.map(|wall| wall.border & cells) });
        if found.is_some() {
            return found;
        }
    }
    None
}

impl Region {
    /// How to fill it, if a pairing connects the player's walls in it.
    fn fill(&self, reduced: &Reduced) -> Option<Decomposition> {
        let mut local: Graph = reduced.graph(!self.player).clone();
        local.cells = self.cells;
        local.sides = self.theirs;
        let Outcome::Found(pairing) = find_pairing(&local, false, STEPS) else { return None };
        let fits = (1..=MOST_PAIRS).contains(&pairing.pairs().len())
            && every_choice_kills_the_rest(reduced, self.player, &pairing, self.cells);
        fits.then(|| Decomposition { player: self.player, pairing, dead: self.cells - pairing.cells() })
    }
}

/// Checks the claim instead of trusting the picture: whichever cell of each pair `player` takes, all other cells of the
/// region must be dead.
fn every_choice_kills_the_rest(
    reduced: &Reduced,
    player: Player,
    pairing: &Pairing,
    region: CellSet,
) -> bool {
    (0..1u32 << pairing.pairs().len()).all(|choice| {
        let mut after = reduced.clone();
        for (i, &(one, other)) in pairing.pairs().iter().enumerate() {
            after.put(if choice >> i & 1 == 0 { one } else { other }, player);
        }
        if after.joined.is_some() {
            return false;
        }
        loop {
            let rest = region & after.empty();
            if rest.is_empty() {
                return true;
            }
            let mut dead = CellSet::EMPTY;
            for graph_owner in Player::BOTH {
                dead |= dead_by_clique(&after, graph_owner, rest);
            }
            if dead.is_empty() {
                dead = cut_off(&after).map_or(CellSet::EMPTY, |(cells, _)| cells);
            }
            if dead.is_empty() {
                return false;
            }
            after.settle(dead);
        }
    })
}
