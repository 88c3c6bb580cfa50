//! Decompositions. Two groups (or sides) of X that both touch the same two groups (or sides) of the opponent
//! close a ring with them. If X has a pairing that connects her two inside the ring, then after every
//! choice from the pairs each remaining cell of the region lies in a pocket that borders on one group of X's
//! and one of the opponent's. Whatever enters such a pocket leaves it through the group it came from, so the
//! pocket is dead. Hence the pairs are an X-captured set, and once it is filled, the rest of the region is dead.

use rex::{CellSet, Player};

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

/// How many paths the pairing search may look at in a region.
const STEPS: u32 = 30;

/// The premise is checked choice by choice, so there must not be too many.
const MOST_PAIRS: usize = 4;

/// A group or side, with its stones and the cells that touch it.
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
pub fn decomposition(reduced: &Reduced) -> Option<Decomposition> {
    let walls = Player::BOTH.map(|player| Walls::new(&reduced.field, player));
    Player::BOTH.into_iter().find_map(|player| {
        let (own, theirs) = (&walls[player.index()], &walls[(!player).index()]);
        pairs(own.as_slice()).filter(|(one, other)| !(one.is_side && other.is_side)).find_map(
            |(one, other)| {
                pairs(theirs.as_slice())
                    .filter(|(first, second)| {
                        [first, second].into_iter().all(|wall| one.touches(wall) && other.touches(wall))
                    })
                    .find_map(|(first, second)| in_ring(reduced, player, [one, other], [first, second]))
            },
        )
    })
}

fn pairs(walls: &[Wall]) -> impl Iterator<Item = (&Wall, &Wall)> {
    walls.iter().enumerate().flat_map(|(i, one)| walls[i + 1..].iter().map(move |other| (one, other)))
}

/// Looks at the regions inside a ring of four walls, `own` of `player`'s and `theirs` of the opponent's.
fn in_ring(reduced: &Reduced, player: Player, own: [&Wall; 2], theirs: [&Wall; 2]) -> Option<Decomposition> {
    let board = reduced.field.board;
    let walls = [own[0], own[1], theirs[0], theirs[1]];
    let ring = walls.iter().fold(CellSet::EMPTY, |ring, wall| ring | wall.stones);
    let mut rest = reduced.empty();
    while let Some(cell) = rest.first() {
        let inside = board.reachable(cell.set(), board.cells() - ring);
        rest -= inside;
        // A region that reaches round to a side outside the ring has more than four walls.
        let foreign_side = Player::BOTH.into_iter().any(|player| {
            (0..2).any(|which| {
                let side = board.side(player, which);
                side.meets(inside) && !walls.iter().any(|wall| wall.is_side && side.within(wall.border))
            })
        });
        if foreign_side || !walls.iter().all(|wall| wall.border.meets(inside)) {
            continue;
        }
        let region = inside & reduced.empty();
        let mut local: Graph = reduced.graph(!player).clone();
        local.cells = region;
        local.sides = theirs.map(|wall| wall.border & region);
        if let Outcome::Found(pairing) = find_pairing(&local, false, STEPS)
            && (1..=MOST_PAIRS).contains(&pairing.pairs().len())
            && every_choice_kills_the_rest(reduced, player, &pairing, region)
        {
            return Some(Decomposition { player, pairing, dead: region - pairing.cells() });
        }
    }
    None
}

/// Checks the premise instead of trusting the picture: whichever cell of each pair `player` takes, all other
/// cells of the region are dead.
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
