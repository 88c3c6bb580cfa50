//! Picks Solrex's moves in a game against a human.
//!
//! There are five levels. Each draws, for each move, how much care it takes over it: [`Level`] has how often, and
//! `rex-tools ladder` measures what that is worth.

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

/// How well the program plays, the weakest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Deserialize, Debug)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Plays any move, and now and then connects by mistake
    Novice,
    /// Avoids connecting, and sometimes sees which moves are inferior
    Casual,
    /// Mostly sees which moves are inferior
    Skilled,
    /// Sees which moves are inferior, and mostly solves the position
    Expert,
    /// Wins if it can, and otherwise resists as long as possible
    Perfect,
}

/// How much care goes into one move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Care {
    /// Any move.
    None,
    /// Any move that does not connect at once.
    Safe,
    /// Any move that theory does not prune.
    Plausible,
    /// A winning move, if one is found quickly.
    Solved,
    /// The best move.
    Best,
}

/// With more empty cells, counting the replies would take much longer than solving.
const MOST_EMPTY_TO_COUNT: usize = 25;
/// What the perfect level searches for another winning move, once it has one.
const LOOK: u64 = 300;
/// What an expert searches before a move …
const QUICK: u64 = 2_000;
/// … and on boards of more than 36 cells, where a node takes ten times as long and tells more.
const QUICK_ON_LARGE: u64 = 200;

impl Level {
    /// All of them, the weakest first.
    pub const ALL: [Level; 5] = [Level::Novice, Level::Casual, Level::Skilled, Level::Expert, Level::Perfect];

    /// Its name, the same for the command line, the page and other programs.
    pub fn name(self) -> &'static str {
        match self {
            Level::Novice => "novice",
            Level::Casual => "casual",
            Level::Skilled => "skilled",
            Level::Expert => "expert",
            Level::Perfect => "perfect",
        }
    }

    /// How often it takes how much care over a move, in percent. Tuned: `docs/notes.md` has what was measured.
    fn shares(self) -> &'static [(usize, Care)] {
        match self {
            Level::Novice => &[(35, Care::None), (65, Care::Safe)],
            Level::Casual => &[(60, Care::Safe), (40, Care::Plausible)],
            Level::Skilled => &[(15, Care::Safe), (85, Care::Plausible)],
            Level::Expert => &[(35, Care::Plausible), (65, Care::Solved)],
            Level::Perfect => &[(100, Care::Best)],
        }
    }

    fn care(self, random: &mut Random) -> Care {
        let mut drawn = random.below(100);
        for &(share, care) in self.shares() {
            if drawn < share {
                return care;
            }
            drawn -= share;
        }
        Care::Best
    }

    /// How likely it plays one of these moves, from 0 to 1. Where it searches, it finds one of them.
    pub fn chance(self, state: &State, moves: CellSet) -> f64 {
        let found = |care: Care| match care.moves(state) {
            Some(all) => (all & moves).len() as f64 / all.len().max(1) as f64,
            None => 1.0,
        };
        self.shares().iter().map(|&(share, care)| share as f64 / 100.0 * found(care)).sum()
    }
}

impl Care {
    /// The moves that are all the same to it, if it does not search.
    fn moves(self, state: &State) -> Option<CellSet> {
        match self {
            Care::None => Some(state.moves()),
            Care::Safe => Some(safe(state)),
            Care::Plausible => Some(plausible(state)),
            Care::Solved | Care::Best => None,
        }
    }
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

impl Choice {
    /// A move about which nothing is known.
    fn unsure(cell: Cell) -> Choice {
        Choice { cell, winner: None, replies: None }
    }
}

/// A winning move if there is one; in a lost position, the move that leaves the fewest winning replies; if the limits
/// are too tight, a plausible move. `None` if the game is over.
pub fn choose(solver: &Solver, state: &State, limits: &Limits, listener: Listener) -> Option<Choice> {
    choose_as(Level::Perfect, 0, solver, state, limits, listener)
}

/// A move of this level. The seed decides what the level leaves to chance; with 0, the perfect one always plays the same.
/// `None` if the game is over.
pub fn choose_as(
    level: Level,
    seed: u64,
    solver: &Solver,
    state: &State,
    limits: &Limits,
    listener: Listener,
) -> Option<Choice> {
    let asked = Choosing::new(state, level, seed).go_on(|question| {
        let nodes = [limits.nodes, question.nodes].into_iter().flatten().min();
        let limits = Limits { nodes, ..limits.clone() };
        Ok::<_, Infallible>(
            question.put(|state| solver.ask(state).limits(&limits).on_progress(&mut *listener)),
        )
    });
    let Ok(choice) = asked;
    choice
}

/// A question whose answer decides the move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Question {
    state: State,
    about: About,
    /// The most nodes that its answer is worth, if there is a limit.
    pub nodes: Option<u64>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum About {
    /// Who wins, and by which move.
    Winner,
    /// Who wins, by whatever move.
    Verdict,
    /// How many replies refute each move.
    Replies,
}

impl Question {
    /// Asks it; `ask` makes the request about a state.
    pub fn put<'a>(self, ask: impl FnOnce(&State) -> Request<'a>) -> (Solution, Vec<MoveReport>) {
        let request = ask(&self.state);
        match self.about {
            About::Winner => (request.solve(), Vec::new()),
            About::Verdict => (request.verdict(), Vec::new()),
            About::Replies => request.counting_replies(true).moves(),
        }
    }
}

/// A choice that may take several tries.
pub struct Choosing {
    state: State,
    care: Care,
    random: Random,
    /// Whether it chooses among moves that are equally good.
    varied: bool,
    /// The answer to [`About::Winner`], if it was given.
    solution: Option<Solution>,
    /// In a won position: the moves that may be played, the next one to look at last.
    candidates: Option<Vec<Cell>>,
}

impl Choosing {
    /// A choice of the side to move, at this level. The seed decides what the level leaves to chance.
    pub fn new(state: &State, level: Level, seed: u64) -> Choosing {
        let mut random = Random(seed);
        let care = level.care(&mut random);
        Choosing { state: *state, care, random, varied: seed != 0, solution: None, candidates: None }
    }

    /// The choice, if it takes no search.
    pub fn without_search(&mut self) -> Option<Option<Choice>> {
        self.go_on(|_| Err(())).ok()
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
        if self.care == Care::Best {
            return self.best(ask);
        }
        if self.care == Care::Solved {
            let nodes = Some(if state.board().len() > 36 { QUICK_ON_LARGE } else { QUICK });
            let solution = ask(Question { state: *state, about: About::Winner, nodes })?.0;
            if let Some(cell) = solution.best.filter(|_| solution.winner == Some(state.to_move)) {
                return Ok(Some(Choice { winner: solution.winner, ..Choice::unsure(cell) }));
            }
        }
        let moves = self.care.moves(state).unwrap_or_else(|| plausible(state));
        Ok(any(moves, &mut self.random).map(Choice::unsure))
    }

    fn best<E>(
        &mut self,
        mut ask: impl FnMut(Question) -> Result<(Solution, Vec<MoveReport>), E>,
    ) -> Result<Option<Choice>, E> {
        let state = &self.state;
        let guessed = |cell: Option<Cell>| cell.or_else(|| guess(state));
        if self.solution.is_none() {
            self.solution = Some(ask(Question { state: *state, about: About::Winner, nodes: None })?.0);
        }
        let Some(solution) = &self.solution else { return Ok(None) };
        if let Some(best) = solution.best.filter(|_| self.varied && solution.winner == Some(state.to_move)) {
            let candidates = self.candidates.get_or_insert_with(|| {
                let mut moves = safe(state);
                moves.insert(best);
                shuffled(moves, &mut self.random)
            });
            while let Some(&cell) = candidates.last().filter(|&&cell| cell != best) {
                let question = Question { state: state.play(cell), about: About::Verdict, nodes: Some(LOOK) };
                if ask(question)?.0.winner == Some(state.to_move) {
                    break;
                }
                candidates.pop();
            }
            let cell = candidates.last().copied().unwrap_or(best);
            return Ok(Some(Choice { winner: solution.winner, ..Choice::unsure(cell) }));
        }
        if solution.winner != Some(!state.to_move) {
            // A winner without a move (by symmetry, if the limits stop the search for one) is no help.
            let winner = solution.best.and(solution.winner);
            return Ok(guessed(solution.best).map(|cell| Choice { winner, ..Choice::unsure(cell) }));
        }
        let reports = match state.moves().len() {
            // The move that took most work to refute will do.
            empty if empty > MOST_EMPTY_TO_COUNT => Vec::new(),
            _ => ask(Question { state: *state, about: About::Replies, nodes: None })?.1,
        };
        // A move that connects at once needs no refutation, and is the worst of all.
        let goes_on = |report: &&MoveReport| state.play(report.cell).position.winner().is_none();
        let fewest = fewest_replies(reports.iter().filter(goes_on));
        let (winner, replies) = (solution.winner, fewest.map(|(replies, _)| replies));
        let alike = reports.iter().filter(goes_on).filter(|report| report.replies == replies);
        let drawn = match self.varied && replies.is_some() {
            true => any(alike.map(|report| report.cell).collect(), &mut self.random),
            false => fewest.map(|(_, cell)| cell),
        };
        let cell = guessed(drawn.or(solution.best));
        Ok(cell.map(|cell| Choice { cell, winner, replies }))
    }
}

/// An opening not worth swapping: it loses, but leaves the fewest winning replies. `None` if all win or time is up.
pub fn fair_opening(solver: &Solver, state: &State, limits: &Limits, listener: Listener) -> Option<Choice> {
    let request = solver.ask(state).limits(limits).on_progress(listener);
    let (_, reports) = request.counting_replies(true).moves();
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
    any(plausible(state), random)
}

/// The moves in a random order.
fn shuffled(moves: CellSet, random: &mut Random) -> Vec<Cell> {
    let mut left: Vec<Cell> = moves.into_iter().collect();
    let mut order = Vec::with_capacity(left.len());
    while !left.is_empty() {
        order.push(left.swap_remove(random.below(left.len())));
    }
    order
}

fn any(moves: CellSet, random: &mut Random) -> Option<Cell> {
    moves.into_iter().nth(random.below(moves.len().max(1)))
}

/// The moves that do not connect the mover's sides. If there are none, all moves.
pub fn safe(state: &State) -> CellSet {
    let joins = |cell: &Cell| state.play(*cell).position.winner().is_some();
    let safe: CellSet = state.moves().into_iter().filter(|cell| !joins(cell)).collect();
    if safe.is_empty() { state.moves() } else { safe }
}

/// The safe moves that theory does not prune.
pub fn plausible(state: &State) -> CellSet {
    let safe = safe(state);
    let filled = |options: &Options| {
        let mut reduced = Reduced::new(Field::new(state));
        fill_in(&mut reduced, options, state.board().cells(), &mut ());
        reduced
    };
    // A dead cell is as good as any move, and passes the turn. One that is dead only after others are filled in is not.
    let dead = filled(&Options { dead: true, ..Options::NONE }).field.settled() & safe;
    if !dead.is_empty() {
        return dead;
    }
    let reduced = filled(&Options::default());
    let kept = match reduced.joined.is_none() && reduced.field.mover() == state.to_move {
        true => Domination::new(&reduced, state.to_move, &Options::default()).prune(reduced.empty()),
        // What is filled in decides the game, or passes the turn: then with a cell of the mover's.
        false => reduced.field.stones[state.to_move.index()],
    };
    if (kept & safe).is_empty() { safe } else { kept & safe }
}

/// A question for a move, from somebody who plays against the program.
#[derive(serde::Deserialize, Debug)]
pub struct MoveRequest {
    /// The position.
    pub position: String,
    /// How well to play.
    pub level: Level,
    /// Decides what the level leaves to chance; with 0, the perfect one always plays the same.
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
    use rex_game::Board;
    use rex_oracle::testing::ENDLESS;
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

    /// Every winning move has its turn, and no other move.
    #[test]
    fn the_perfect_level_plays_different_games_and_wins_them_all() {
        for (position, wins) in [("4x4 d1 a1", vec!["a2", "c1"]), ("2x2", vec!["a1", "b2"])] {
            let state: State = position.parse().unwrap();
            let solver =
                Solver::new(state.board(), Settings { memory: 1 << 24, ..Settings::default() }).unwrap();
            let played = |seed| {
                let limits = Limits::default();
                let found = choose_as(Level::Perfect, seed, &solver, &state, &limits, &mut |_| {}).unwrap();
                assert_eq!(found.winner, Some(state.to_move));
                state.board().name(found.cell)
            };
            let all: std::collections::BTreeSet<String> = (1..50).map(played).collect();
            assert_eq!(all.into_iter().collect::<Vec<_>>(), wins, "{position}");
            assert_eq!(played(0), played(0));
        }
        // In a lost position: all that leave the fewest replies.
        let state: State = "3x3".parse().unwrap();
        let solver = Solver::new(state.board(), Settings { memory: 1 << 24, ..Settings::default() }).unwrap();
        let choose =
            |seed| choose_as(Level::Perfect, seed, &solver, &state, &Limits::default(), &mut |_| {}).unwrap();
        let all: Vec<Choice> = (1..100).map(choose).collect();
        assert!(all.iter().all(|choice| choice.replies == Some(7)));
        assert!(all.iter().any(|choice| choice.cell != all[0].cell));
    }

    #[test]
    fn a_lost_position_leaves_the_fewest_answers() {
        let found = choice("3x3", &Limits::default()).unwrap();
        assert_eq!((found.winner, found.replies), (Some(Player::White), Some(7)));
    }

    /// What theory prunes is never all that wins.
    #[test]
    fn a_plausible_move_wins_if_any_does() {
        let board: Board = "4x4".parse().unwrap();
        let solver = Solver::new(board, Settings { memory: 1 << 24, ..Settings::default() }).unwrap();
        let mut random = Random(1);
        let mut won = 0;
        for _ in 0..2_000 {
            let stones = random.below(12);
            let position = random.stones(board, stones.div_ceil(2), stones / 2);
            let to_move = if stones.is_multiple_of(2) { Player::Black } else { Player::White };
            let state = State { position, to_move };
            if state.moves().is_empty() || solver.ask(&state).verdict().winner != Some(to_move) {
                continue;
            }
            won += 1;
            let wins = |cell: Cell| solver.ask(&state.play(cell)).verdict().winner == Some(to_move);
            assert!(plausible(&state).into_iter().any(wins), "{state}");
        }
        assert!(won > 500, "{won}");
    }

    /// Each draws from its own moves, and the same for the same seed.
    #[test]
    fn levels_play_what_they_say() {
        let state: State = "b3/4/b3/3w w".parse().unwrap();
        let solver = Solver::new(state.board(), Settings { memory: 1 << 24, ..Settings::default() }).unwrap();
        for level in Level::ALL {
            let choose =
                |seed| choose_as(level, seed, &solver, &state, &Limits::default(), &mut |_| {}).unwrap().cell;
            let played: CellSet = (0..200).map(choose).collect();
            assert!((0..20).all(|seed| choose(seed) == choose(seed)), "{level:?}");
            let expected = match level {
                Level::Novice => state.moves(),
                Level::Casual | Level::Skilled => safe(&state),
                Level::Expert | Level::Perfect => plausible(&state) | played,
            };
            assert!((played - expected).is_empty(), "{level:?}");
            let chance = level.chance(&state, expected);
            assert!((chance - 1.0).abs() < 1e-9, "{level:?} {chance}");
        }
    }

    #[test]
    fn without_time_there_is_still_a_move() {
        let found = choice(ENDLESS, &Limits { nodes: Some(1), ..Limits::default() }).unwrap();
        assert_eq!(found.winner, None);
        // Black wins by symmetry, which names no move: none may be called a winning one.
        let found = choice("8x8", &Limits { nodes: Some(1), ..Limits::default() }).unwrap();
        assert_eq!(found.winner, None);
        assert_eq!(choice("b1/b1 w", &Limits::default()), None);
        // Only joining moves are left.
        assert!(choice("b/1 b", &Limits::default()).is_some());
    }
}
