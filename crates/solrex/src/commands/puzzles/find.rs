//! Finds puzzles in random games, and ranks them. A puzzle has few winning moves among several that look just as good.

use std::collections::HashSet;

use anyhow::Result;
use rex_answers::opponent;
use rex_game::{Board, Cell, CellSet, Random, State};
use rex_search::{Limits, MoveValue, Settings, Solver};

use crate::show::counter::Counter;
use crate::{show::log, system::interrupt};

/// Enough for boards that can be searched this quickly.
pub const MEMORY: u64 = 1 << 26;
/// Nodes per position, unless a limit is set.
pub const NODES: u64 = 20_000;
/// For each puzzle wanted, find this many and keep the hardest, in at most this many games.
const POOL: usize = 3;
const GAMES: usize = 800;
/// A position with more empty cells takes too long; with less than half of the board empty it is too easy.
const MOST_EMPTY: usize = 26;
/// At least this many moves look good and fail.
const TEMPTATIONS: usize = 3;
/// The longest refutation has at least this many moves before the theory decides the rest.
const DEPTH: usize = 2;

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
    /// The winning moves.
    pub solutions: CellSet,
    /// How the game continues after the first of them.
    pub line: Vec<Cell>,
    /// The moves that look good and fail, each with its refutation.
    pub failing: Vec<(Cell, Vec<Cell>)>,
    /// How many nodes it takes to solve it.
    pub nodes: u64,
}

impl Puzzle {
    /// The longest refutation.
    pub fn depth(&self) -> usize {
        self.failing.iter().map(|(_, line)| line.len()).max().unwrap_or(0)
    }

    /// How hard it is: moves that look good and fail, how deep their refutations are, and the search it takes
    /// (each doubling counts as one).
    pub fn difficulty(&self) -> u64 {
        let effort = u64::from((self.nodes + 1).ilog2());
        effort + self.failing.len() as u64 + self.depth() as u64
    }
}

/// Looks for puzzles, the easiest first. There may be fewer than the user wants, for example after Ctrl-C.
pub fn find(wish: &Wish) -> Result<Vec<Puzzle>> {
    let mut random = Random(wish.seed);
    let mut seen = HashSet::new();
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
            if seen.insert(candidate.canonical().0)
                && let Some(puzzle) = examine(wish, &solver, &candidate)?
            {
                log::note(&format!("game {games}: '{candidate}', difficulty {}", puzzle.difficulty()));
                puzzles.push(puzzle);
            }
        }
    }
    counter.finish();
    puzzles.sort_by_key(|puzzle: &Puzzle| (puzzle.difficulty(), puzzle.state.to_string()));
    Ok(puzzles.split_off(puzzles.len().saturating_sub(wish.count)))
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
    let plausible = opponent::plausible(state);
    if plausible.len() <= TEMPTATIONS {
        return Ok(None);
    }
    let limits = &wish.limits;
    let (_, reports) = solver.ask(state).limits(limits).moves();
    if reports.iter().any(|report| report.value == MoveValue::Unknown) {
        return Ok(None);
    }
    let wins = reports.iter().filter(|report| report.value == MoveValue::Win);
    let solutions: CellSet = wins.map(|report| report.cell).collect();
    let tempting = plausible - solutions;
    if !(1..=wish.max_winning).contains(&solutions.len()) || tempting.len() < TEMPTATIONS {
        return Ok(None);
    }
    let line_from = |cell: Cell| {
        let mut line = vec![cell];
        line.extend(solver.ask(&state.play(cell)).limits(limits).solve().pv);
        line
    };
    let failing: Vec<(Cell, Vec<Cell>)> =
        tempting.into_iter().map(|cell| (cell, line_from(cell).split_off(1))).collect();
    let line = solutions.first().map(line_from).unwrap_or_default();
    // Count the work from an empty table.
    let fresh = Solver::new(wish.board, wish.settings.clone())?;
    let nodes = fresh.ask(state).limits(limits).solve().nodes;
    let puzzle = Puzzle { state: *state, solutions, line, failing, nodes };
    Ok((puzzle.depth() >= DEPTH).then_some(puzzle))
}
