//! How a puzzle is played: the solver's moves against the best defence, and where she can go wrong.

use rex_answers::explain::Explanation;
use rex_answers::opponent;
use rex_game::{Cell, CellSet, State};
use rex_search::{Limits, MoveReport, MoveValue, Solver};
use rex_theory::Options;

/// Where theory decides the game, a line ends after at least this many moves of the player who solves the puzzle: it knows
/// pairings that still have to be played.
const FEWEST_TURNS: usize = 3;
/// A line is cut off after this many moves of the player who solves the puzzle.
const MOST_TURNS: usize = 5;
/// On boards of so few cells theory sees everything, but a beginner does not.
const BEGINNERS: usize = 9;

/// A turn of the player who solves the puzzle.
#[derive(Clone, Debug)]
pub struct Turn {
    /// The position.
    pub state: State,
    /// The winning moves.
    pub wins: CellSet,
    /// The moves that look good and fail, each with a reply that refutes it.
    pub fails: Vec<(Cell, Option<Cell>)>,
}

/// All turns of a puzzle, and the moves of both players. Nothing if the limits stop a search.
#[derive(Clone, Debug)]
pub struct Line {
    pub turns: Vec<Turn>,
    pub moves: Vec<Cell>,
}

/// The moves that look good.
pub fn tempting(state: &State) -> CellSet {
    if state.board().len() <= BEGINNERS { opponent::safe(state) } else { opponent::plausible(state) }
}

/// A turn here, if the limits allow to solve every move.
pub fn turn(solver: &Solver, state: &State, limits: &Limits) -> Option<Turn> {
    let (_, reports) = solver.ask(state).limits(limits).moves();
    if reports.iter().any(|report| report.value == MoveValue::Unknown) {
        return None;
    }
    let wins: CellSet =
        reports.iter().filter(|report| report.value == MoveValue::Win).map(|report| report.cell).collect();
    let tempting = tempting(state) - wins;
    let fails = reports.iter().filter(|report| tempting.has(report.cell));
    let fails = fails.map(|report| (report.cell, report.refutation)).collect();
    Some(Turn { state: *state, wins, fails })
}

/// Goes on from the first turn while there is a wrong move to make, or until theory decides the game.
pub fn follow(solver: &Solver, first: Turn, limits: &Limits) -> Option<Line> {
    let mut line = Line { turns: Vec::new(), moves: Vec::new() };
    let mut next = Some(first);
    while let Some(turn) = next.take() {
        let good = (tempting(&turn.state) & turn.wins).first().or(turn.wins.first())?;
        line.moves.push(good);
        let after = turn.state.play(good);
        line.turns.push(turn);
        if line.turns.len() >= MOST_TURNS || (line.turns.len() >= FEWEST_TURNS && is_clear(&after)) {
            break;
        }
        let defence = defence(solver, &after, limits)?;
        let there = after.play(defence);
        if there.position.winner().is_some() {
            line.moves.push(defence);
            break;
        }
        let turn = self::turn(solver, &there, limits)?;
        if turn.fails.is_empty() {
            break;
        }
        line.moves.push(defence);
        next = Some(turn);
    }
    Some(line)
}

/// Whether the rest needs no thought. To a beginner nothing is clear before the end.
fn is_clear(state: &State) -> bool {
    state.board().len() > BEGINNERS && Explanation::new(state, &Options::all()).verdict.is_some()
}

/// The loser's move that leaves the fewest winning replies; of several, the one that leaves the most moves to go wrong
/// with.
fn defence(solver: &Solver, state: &State, limits: &Limits) -> Option<Cell> {
    let (_, reports) = solver.ask(state).limits(limits).counting_replies(true).moves();
    let goes_on = |report: &&MoveReport| state.play(report.cell).position.winner().is_none();
    let harm = |report: &MoveReport| {
        let there = state.play(report.cell);
        Some((report.replies?, usize::MAX - tempting(&there).len(), report.cell))
    };
    let best = reports.iter().filter(goes_on).map(harm).collect::<Option<Vec<_>>>()?.into_iter().min();
    // Whoever can only connect has lost at once.
    best.map(|(.., cell)| cell).or(state.moves().first())
}
