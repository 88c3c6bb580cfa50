//! Picks Solrex's moves in a game against a human.

use std::convert::Infallible;
use std::time::Duration;

use rex_game::{Cell, CellSet, Player, Random, State};
use rex_search::{Limits, Listener, MoveReport, MoveValue, Request, Solution, Solver};
use rex_theory::domination::Domination;
use rex_theory::fill_in::fill_in;
use rex_theory::{Field, Options, Reduced};
use serde_json::{Value, json};

use crate::answer::versioned;

/// The longest a player should have to wait for a move.
pub const MOVE_TIME: Duration = Duration::from_secs(10);

/// How well the program plays.
#[derive(Clone, Copy, PartialEq, Eq, serde::Deserialize, Debug)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Wins if it can, and otherwise resists as long as possible
    Perfect,
    /// Plays any move that does not lose at once
    Easy,
}

/// A move and what is known about it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Choice {
    /// The move.
    pub cell: Cell,
    /// Who wins after it, if that was solved in time.
    pub winner: Option<Player>,
    /// In a lost position, if counted: how many of the opponent's replies win.
    pub replies: Option<usize>,
}

/// A winning move if there is one; in a lost position, the move that leaves the fewest winning replies; if the limits
/// are too tight, a plausible move. `None` if the game is over.
pub fn choose(solver: &Solver, state: &State, limits: &Limits, listener: Listener) -> Option<Choice> {
    let asked = choose_by(state, |question| {
        Ok::<_, Infallible>(question.put(solver.ask(state).limits(limits).on_progress(&mut *listener)))
    });
    let Ok(choice) = asked;
    choice
}

/// The questions whose answers decide the move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Question {
    /// Who wins, and by which move.
    Winner,
    /// How many replies refute each move.
    Replies,
}

impl Question {
    /// Asks it about the state of a request.
    pub fn put(self, request: Request) -> (Solution, Vec<MoveReport>) {
        match self {
            Question::Winner => (request.solve(), Vec::new()),
            Question::Replies => request.counting_replies(true).moves(),
        }
    }
}

/// The same as [`choose`], but `ask` answers the questions.
///
/// # Errors
/// If a question is not answered.
pub fn choose_by<E>(
    state: &State,
    ask: impl FnMut(Question) -> Result<(Solution, Vec<MoveReport>), E>,
) -> Result<Option<Choice>, E> {
    Choosing::new(state).go_on(ask)
}

/// A choice that may take several tries.
pub struct Choosing {
    state: State,
    /// The answer to [`Question::Winner`], if it was given.
    solution: Option<Solution>,
}

impl Choosing {
    /// A choice of the side to move.
    pub fn new(state: &State) -> Choosing {
        Choosing { state: *state, solution: None }
    }

    /// Chooses; `ask` answers the questions. `None` if the game is over.
    ///
    /// # Errors
    /// If a question is not answered. Called again, it asks that question again, and none before it.
    pub fn go_on<E>(
        &mut self,
        mut ask: impl FnMut(Question) -> Result<(Solution, Vec<MoveReport>), E>,
    ) -> Result<Option<Choice>, E> {
        let state = &self.state;
        if state.moves().is_empty() {
            return Ok(None);
        }
        let guessed = |cell: Option<Cell>| cell.or_else(|| guess(state));
        if self.solution.is_none() {
            self.solution = Some(ask(Question::Winner)?.0);
        }
        let Some(solution) = &self.solution else { return Ok(None) };
        if solution.winner != Some(!state.to_move) {
            // A winner without a move (by symmetry, if the limits stop the search for one) is no help.
            let winner = solution.best.and(solution.winner);
            return Ok(guessed(solution.best).map(|cell| Choice { cell, winner, replies: None }));
        }
        let (_, reports) = ask(Question::Replies)?;
        // A move that connects at once needs no refutation, and is the worst of all.
        let goes_on = |report: &&MoveReport| state.play(report.cell).position.winner().is_none();
        let fewest = fewest_replies(reports.iter().filter(goes_on));
        let (winner, replies) = (solution.winner, fewest.map(|(replies, _)| replies));
        let cell = guessed(fewest.map(|(_, cell)| cell).or(solution.best));
        Ok(cell.map(|cell| Choice { cell, winner, replies }))
    }
}

/// An opening not worth swapping: it loses, but leaves the fewest winning replies. `None` if all win or time is up.
pub fn fair_opening(solver: &Solver, state: &State, limits: &Limits, listener: Listener) -> Option<Choice> {
    let (_, reports) = Question::Replies.put(solver.ask(state).limits(limits).on_progress(listener));
    let (replies, cell) = fewest_replies(reports.iter())?;
    Some(Choice { cell, winner: Some(!state.to_move), replies: Some(replies) })
}

/// The losing move that leaves the fewest winning replies, after their number.
fn fewest_replies<'a>(reports: impl Iterator<Item = &'a MoveReport>) -> Option<(usize, Cell)> {
    let lost = reports.filter(|report| report.value == MoveValue::Loss);
    lost.filter_map(|report| Some((report.replies?, report.cell))).min_by_key(|&(replies, _)| replies)
}

/// A plausible move with as few neighbours of the mover's colour as possible.
pub fn guess(state: &State) -> Option<Cell> {
    let own = state.position.stones(state.to_move);
    let neighbours = |cell: Cell| (state.board().neighbours(cell) & own).len();
    plausible(state).into_iter().min_by_key(|&cell| neighbours(cell))
}

/// A random plausible move. `None` if the game is over.
pub fn careless(state: &State, random: &mut Random) -> Option<Cell> {
    let moves = plausible(state);
    moves.into_iter().nth(random.below(moves.len().max(1)))
}

/// The moves that do not connect the mover's sides, and that theory does not prune. If there are none, all moves.
pub fn plausible(state: &State) -> CellSet {
    let board = state.board();
    let joins = |cell: Cell| state.play(cell).position.winner().is_some();
    let sound: CellSet = state.moves().into_iter().filter(|&cell| !joins(cell)).collect();
    if sound.is_empty() {
        return state.moves();
    }
    let mut reduced = Reduced::new(Field::new(state));
    fill_in(&mut reduced, &Options::default(), board.cells(), &mut ());
    // A dead cell is as good as any move, and passes the turn.
    let dead = reduced.field.settled() & sound;
    if !dead.is_empty() {
        return dead;
    }
    if reduced.joined.is_some() {
        return sound;
    }
    let kept = Domination::new(&reduced, state.to_move, &Options::default()).prune(reduced.empty());
    if (kept & sound).is_empty() { sound } else { kept & sound }
}

/// The same with what is known about it.
pub fn careless_choice(state: &State, seed: u64) -> Option<Choice> {
    let cell = careless(state, &mut Random(seed))?;
    Some(Choice { cell, winner: None, replies: None })
}

/// A question for a move, from somebody who plays against the program.
#[derive(serde::Deserialize, Debug)]
pub struct MoveRequest {
    /// The position.
    pub position: String,
    /// How well to play.
    pub level: Level,
    /// Random seed for the level easy.
    #[serde(default)]
    pub seed: u64,
}

/// The answer to it, without a move when the game is over.
pub fn answer(state: &State, choice: Option<Choice>) -> Value {
    versioned(json!({
        "position": state.to_string(),
        "move": choice.map(|choice| state.board().name(choice.cell)),
        "winner": choice.and_then(|choice| choice.winner).map(|player| player.to_string()),
        "replies": choice.and_then(|choice| choice.replies),
    }))
}

#[cfg(test)]
mod tests {
    use rex_search::Settings;

    use super::*;

    fn choice(position: &str, limits: &Limits) -> Option<Choice> {
        let state: State = position.parse().unwrap();
        let solver = Solver::new(state.board(), Settings { memory: 1 << 24, ..Settings::default() }).unwrap();
        choose(&solver, &state, limits, &mut |_| {})
    }

    fn named(position: &str, found: Option<Choice>) -> String {
        position.parse::<State>().unwrap().board().name(found.unwrap().cell)
    }

    #[test]
    fn a_won_position_is_won() {
        let found = choice("4x4 d1 a1", &Limits::default());
        assert_eq!(found.unwrap().winner, Some(Player::Black));
        assert!(["a2", "c1"].contains(&named("4x4 d1 a1", found).as_str()));
    }

    #[test]
    fn a_lost_position_leaves_the_fewest_answers() {
        let found = choice("3x3", &Limits::default()).unwrap();
        assert_eq!((found.winner, found.replies), (Some(Player::White), Some(7)));
    }

    #[test]
    fn without_time_there_is_still_a_move() {
        let found = choice("8x8 a1", &Limits { nodes: Some(1), ..Limits::default() }).unwrap();
        assert_eq!(found.winner, None);
        // Black wins by symmetry, but no move is known: none may be called a winning one.
        let found = choice("8x8", &Limits { nodes: Some(1), ..Limits::default() }).unwrap();
        assert_eq!(found.winner, None);
        assert_eq!(choice("b1/b1 w", &Limits::default()), None);
        // Only joining moves are left.
        assert!(choice("b/1 b", &Limits::default()).is_some());
    }
}
