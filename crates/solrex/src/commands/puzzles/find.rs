//! Finds puzzles in random games, and ranks them. A puzzle has few winning moves among several that look just as good, and
//! after the right one there is another to find.

use std::collections::HashSet;

use anyhow::Result;
use rex_answers::opponent::{self, Level};
use rex_game::{Board, Cell, CellSet, Random, State, Symmetry};
use rex_search::{Limits, Node, Settings, Solver};

use super::line::{self, Turn};
use crate::show::counter::Counter;
use crate::{show::log, system::interrupt};

/// Enough for boards that can be searched this quickly.
pub const MEMORY: u64 = 1 << 26;
/// Nodes per position, unless a limit is set.
pub const NODES: u64 = 20_000;
/// For each puzzle wanted, find this many and keep one, in at most this many games.
const POOL: usize = 3;
const GAMES: usize = 800;
/// A position with more empty cells takes too long; with less than half of the board empty it is too easy.
const MOST_EMPTY: usize = 26;
/// At least this many moves look good and fail.
const TEMPTATIONS: usize = 3;
/// At least this many moves are to be found.
const TURNS: usize = 2;
/// The level of the ladder that is to find them, for the difficulty.
const MEASURE: Level = Level::Skilled;
/// From which difficulty on a puzzle has grade 2, 3, 4 and 5.
const GRADES: [u64; 4] = [5, 15, 40, 150];

/// What the user wants.
pub struct Wish {
    pub board: Board,
    pub count: usize,
    pub max_winning: usize,
    pub seed: u64,
    pub settings: Settings,
    pub limits: Limits,
}

/// A puzzle.
#[derive(Clone, Debug)]
pub struct Puzzle {
    pub state: State,
    /// The moves to be found, with those that look good and fail.
    pub turns: Vec<Turn>,
    /// A solution: the moves of both players, with the best defence.
    pub line: Vec<Cell>,
    /// The first moves that look good and fail, each with its refutation.
    pub failing: Vec<(Cell, Vec<Cell>)>,
    /// How many nodes it takes to solve it.
    pub nodes: u64,
}

impl Puzzle {
    /// The winning moves.
    pub fn solutions(&self) -> CellSet {
        self.turns.first().map_or(CellSet::EMPTY, |turn| turn.wins)
    }

    /// How hard it is: in how many tries a player of the level skilled finds all the moves once.
    pub fn difficulty(&self) -> u64 {
        let chance: f64 = self.turns.iter().map(|turn| MEASURE.chance(&turn.state, turn.wins)).product();
        (1.0 / chance.max(1e-6)).round() as u64
    }

    /// The difficulty as a grade from 1, for beginners, to 5.
    pub fn grade(&self) -> usize {
        1 + GRADES.iter().filter(|&&least| self.difficulty() >= least).count()
    }
}

/// Looks for puzzles, the easiest first. There may be fewer than the user wants, for example after Ctrl-C.
pub fn find(wish: &Wish) -> Result<Vec<Puzzle>> {
    let mut random = Random(wish.seed);
    let mut seen = Seen::default();
    let mut puzzles = Vec::new();
    let solver = Solver::new(wish.board, wish.settings.clone())?;
    let mut counter = Counter::of_few("games played");
    for games in 0..wish.count * GAMES {
        if puzzles.len() >= wish.count * POOL || interrupt::pressed() {
            break;
        }
        counter.show(games as u64);
        let Some(state) = draw(wish.board, &mut random) else { continue };
        for candidate in candidates(wish, &solver, &state) {
            if seen.insert(&solver, &candidate)
                && let Some(puzzle) = examine(wish, &solver, &candidate)?
                && seen.insert_play(&solver, &puzzle)
            {
                log::note(&format!("game {games}: '{candidate}', difficulty {}", puzzle.difficulty()));
                puzzles.push(puzzle);
            }
        }
    }
    counter.finish();
    puzzles.sort_by_key(|puzzle: &Puzzle| (puzzle.difficulty(), puzzle.nodes, puzzle.state.to_string()));
    Ok(spread(puzzles, wish.count))
}

/// This many of them, as different as they are in difficulty; the hardest one is among them.
fn spread(puzzles: Vec<Puzzle>, count: usize) -> Vec<Puzzle> {
    let all = puzzles.len();
    let kept: HashSet<usize> = (1..=count.min(all)).map(|i| i * all / count.min(all) - 1).collect();
    puzzles.into_iter().enumerate().filter(|(i, _)| kept.contains(i)).map(|(_, puzzle)| puzzle).collect()
}

/// What was looked at. A position that is an image of another, or the same once cells are filled in, is no new one. Nor is
/// one whose play is that of another: from the same cells by the same moves, or to the same position by another move.
#[derive(Default)]
struct Seen {
    states: HashSet<State>,
    filled: HashSet<Node>,
    plays: HashSet<(CellSet, Vec<Cell>)>,
}

impl Seen {
    /// Whether it is new.
    fn insert(&mut self, solver: &Solver, state: &State) -> bool {
        let new = self.states.insert(state.canonical().0);
        // Where fill-in decides the game, nothing is left to compare.
        solver.node_of(state).map_or(new, |node| self.filled.insert(node) && new)
    }

    /// Whether the play of a puzzle is new. All its positions are then known.
    fn insert_play(&mut self, solver: &Solver, puzzle: &Puzzle) -> bool {
        let Puzzle { state, line, .. } = puzzle;
        let board = state.board();
        let images = Symmetry::of(board).iter().map(|symmetry| {
            let cell = |&cell: &Cell| symmetry.apply_to_cell(board, cell);
            (symmetry.apply(board, state.moves()), line.iter().map(cell).collect())
        });
        let mut new = images.min().is_some_and(|play| self.plays.insert(play));
        let mut state = *state;
        for &cell in line {
            state = state.play(cell);
            // Another first move may lead here. Later positions may well be those of other puzzles.
            let met = !self.insert(solver, &state);
            new &= !(met && state == puzzle.state.play(line[0]));
        }
        new
    }
}

/// A position from a random game. `None` if the game ends before.
fn draw(board: Board, random: &mut Random) -> Option<State> {
    let cells = board.len();
    let least = cells.saturating_sub(MOST_EMPTY).max(1);
    let most = (cells / 2).max(least);
    let stones = least + random.below(most - least + 1);
    let mut state = State::new(board);
    for _ in 0..stones {
        // Mostly sensible moves, so that it looks like a real game, and any move now and then.
        let any: Vec<Cell> = state.moves().into_iter().collect();
        let cell = if any.is_empty() {
            return None;
        } else if random.below(3) == 0 {
            any[random.below(any.len())]
        } else {
            opponent::careless(&state, random)?
        };
        state = state.play(cell);
    }
    state.position.winner().is_none().then_some(state)
}

/// The position itself if it is won; otherwise the positions after moves that leave few winning replies. Few won
/// positions have a single winning move, but most lost ones have a move that leads to such a position.
fn candidates(wish: &Wish, solver: &Solver, state: &State) -> Vec<State> {
    let limits = &wish.limits;
    let winner = solver.ask(state).limits(limits).verdict().winner;
    if winner == Some(state.to_move) {
        return vec![*state];
    }
    let few = |child: &State| {
        let wins = |reply: &Cell| {
            solver.ask(&child.play(*reply)).limits(limits).verdict().winner == Some(child.to_move)
        };
        // Stop counting as soon as there are too many.
        child.moves().into_iter().filter(wins).take(wish.max_winning + 1).count() <= wish.max_winning
    };
    let children = opponent::plausible(state).into_iter().map(|cell| state.play(cell));
    children.filter(few).collect()
}

/// The puzzle in a position, if there is one.
fn examine(wish: &Wish, solver: &Solver, state: &State) -> Result<Option<Puzzle>> {
    if line::tempting(state).len() <= TEMPTATIONS {
        return Ok(None);
    }
    let limits = &wish.limits;
    let first = line::turn(solver, state, limits);
    let is_puzzle =
        |turn: &Turn| (1..=wish.max_winning).contains(&turn.wins.len()) && turn.fails.len() >= TEMPTATIONS;
    let Some(line) = first.filter(is_puzzle).and_then(|turn| line::follow(solver, turn, limits)) else {
        return Ok(None);
    };
    if line.turns.len() < TURNS {
        return Ok(None);
    }
    let refutation = |cell: Cell| solver.ask(&state.play(cell)).limits(limits).solve().pv;
    let failing = line.turns[0].fails.iter().map(|&(cell, _)| (cell, refutation(cell))).collect();
    // Count the work from an empty table.
    let fresh = Solver::new(wish.board, wish.settings.clone())?;
    let nodes = fresh.ask(state).limits(limits).solve().nodes;
    Ok(Some(Puzzle { state: *state, turns: line.turns, line: line.moves, failing, nodes }))
}
