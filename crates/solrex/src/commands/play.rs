//! `solrex play`: a game in the terminal, or through a pipe.

use std::io::IsTerminal;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::ValueEnum;
use rex_answers::opponent::{self, Choice, Level};
use rex_game::{Player, Random, State};
use rex_search::{Limits, Listener, Solver};

use crate::arguments::solver::SearchArgs;
use crate::arguments::solver::store::{self, StoreArgs};
use crate::cli::Show;
use crate::show::progress::ProgressLine;
use crate::show::style::{self, paint};
use crate::show::text::name;
use crate::system::lines::{Line, Lines};
use crate::{Ending, arguments::position, show::output, show::text, system::interrupt};

mod advice;
mod game;

use game::Game;

/// Play against Solrex
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// A size, such as 6x6 or 6, or any position to start from
    #[arg(required = true, value_name = "SIZE")]
    start: Vec<String>,
    /// Who plays Black
    #[arg(long, value_name = "WHO", default_value = "human")]
    black: Who,
    /// Who plays White [default: the other player]
    #[arg(long, value_name = "WHO")]
    white: Option<Who>,
    /// How well Solrex plays
    #[arg(long, default_value = "perfect")]
    level: Level,
    /// Use the pie rule: after the first move the second player may swap sides
    #[arg(long)]
    swap: bool,
    /// Random seed, to repeat a game
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    #[command(flatten)]
    search: SearchArgs,
    #[command(flatten)]
    store: StoreArgs,
}

const EXAMPLES: &str = "\
Examples:
  solrex play 4x4
  solrex play 5 --black solrex --level casual
  solrex play 6x6 --swap --time 30s
  solrex play @game.sgf --black human --white human

Solrex takes at most ten seconds per move unless you set --time or --nodes. What it cannot solve it guesses.";

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
enum Who {
    Human,
    Solrex,
}

/// How long Solrex thinks about a move, unless limits are set.
const MOVE_TIME: Duration = Duration::from_secs(10);
const CLEAR_SCREEN: &str = "\x1b[2J\x1b[H";

/// Plays until the input ends.
pub fn run(args: &Args, show: Show) -> Result<Ending> {
    if show.json {
        bail!("'play' has no JSON form; programs can use 'moves --json' or 'htp'");
    }
    let text = args.start.join(" ");
    let is_number = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let start = position::read(&if is_number { format!("{text}x{text}") } else { text })?;
    let mut limits = args.search.limits()?;
    if limits.nodes.is_none() {
        limits.time.get_or_insert(MOVE_TIME);
    }
    let white = args.white.unwrap_or(match args.black {
        Who::Human => Who::Solrex,
        Who::Solrex => Who::Human,
    });
    let seed = args.seed.unwrap_or_else(clock);
    let mut table = PlayTable {
        game: Game::new(start, args.swap),
        who: [args.black, white],
        level: args.level,
        random: Random(seed),
        solver: store::solver(start.board(), &args.search.settings(), &args.store.open()?)?,
        limits,
        screen: std::io::stdout().is_terminal(),
    };
    table.play()
}

/// A seed that differs from game to game.
fn clock() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.map_or(0, |time| time.as_nanos() as u64)
}

/// Everything needed for a game.
struct PlayTable {
    game: Game,
    /// By [`Player::index`].
    who: [Who; 2],
    level: Level,
    random: Random,
    solver: Solver,
    limits: Limits,
    /// Whether to clear the screen before drawing the board.
    screen: bool,
}

const HELP: &str = "  e3     move there
  hint   suggest a move (or whether to swap)
  moves  show which moves win
  why    say who wins, and why
  swap   take over the other side, if the pie rule allows it
  undo   take a move back
  save FILE   write the game as SGF
  quit   stop playing
";

impl PlayTable {
    fn play(&mut self) -> Result<Ending> {
        let mut input = Lines::of_stdin();
        let echo = !std::io::stdin().is_terminal();
        self.draw("Whoever connects their own two sides loses. Type 'help' for help.\n")?;
        loop {
            let state = self.game.state();
            if !self.human_is_next() {
                let said = self.solrex_moves()?;
                if interrupt::pressed() {
                    return Ok(Ending::Stopped);
                }
                self.draw(&said)?;
                continue;
            }
            if !self.who.contains(&Who::Human) {
                return Ok(Ending::Answered);
            }
            output::text(&match state.position.winner() {
                Some(_) => "The game is over: ".to_owned(),
                None => format!("{} to move: ", name(state.to_move)),
            })?;
            let line = match input.next()? {
                Some(Line::Text(line)) => line,
                Some(Line::TooLong(_)) => {
                    output::text("That line is too long.\n")?;
                    continue;
                }
                None => {
                    output::text("\n")?;
                    return Ok(if interrupt::pressed() { Ending::Stopped } else { Ending::Answered });
                }
            };
            if echo {
                output::text(&format!("{}\n", line.trim_end()))?;
            }
            if let Some(ending) = self.obey(line.trim())? {
                return Ok(ending);
            }
        }
    }

    /// Whether it is a human's turn: to make a move, or to look at the final position.
    fn human_is_next(&self) -> bool {
        let state = self.game.state();
        state.position.winner().is_some() || self.who[state.to_move.index()] == Who::Human
    }

    /// Carries out what was typed, and says how the program ends if it does.
    fn obey(&mut self, line: &str) -> Result<Option<Ending>> {
        let word = line.split_whitespace().next().unwrap_or_default().to_ascii_lowercase();
        let rest = line.get(word.len()..).unwrap_or_default().trim();
        let said = match word.as_str() {
            "" => return Ok(None),
            "quit" | "exit" | "q" => return Ok(Some(Ending::Answered)),
            "help" | "?" => HELP.to_owned(),
            "hint" => self.searching(PlayTable::hint),
            "moves" => self.searching(PlayTable::moves),
            "why" => self.searching(PlayTable::why),
            "save" => self.save(rest).unwrap_or_else(|error| format!("{error:#}\n")),
            "undo" => match self.undo() {
                Some(said) => return self.draw(&said).map(|()| None),
                None => "There is nothing to take back.\n".to_owned(),
            },
            "swap" if self.game.can_swap() => {
                let said = self.swap();
                return self.draw(&said).map(|()| None);
            }
            "swap" => {
                "Only the second player can swap, as the first move, and only with --swap.\n".to_owned()
            }
            _ => match self.game.state().parse_moves(line) {
                Ok(moves) if moves.len() == 1 => {
                    self.game.play(moves[0]);
                    return self.draw("").map(|()| None);
                }
                Ok(_) => "One move at a time.\n".to_owned(),
                Err(error) => format!("{error}\n"),
            },
        };
        output::text(&said)?;
        Ok(interrupt::pressed().then_some(Ending::Stopped))
    }

    /// Runs a search with a progress line on standard error.
    fn searching<T>(&self, work: impl FnOnce(&PlayTable, Listener) -> T) -> T {
        ProgressLine::new(self.game.state().board()).watch(|listener| work(self, listener)).0
    }

    /// Makes Solrex's move, and says what it did.
    fn solrex_moves(&mut self) -> Result<String> {
        let state = self.game.state();
        if self.level == Level::Perfect && self.game.can_swap() {
            let opening = self.searching(|table, line| {
                table.solver.ask(&state).limits(&table.limits).on_progress(line).verdict()
            });
            if opening.winner == Some(!state.to_move) {
                return Ok(format!("Solrex swaps: the opening wins. {}", self.swap()));
            }
        }
        let seed = self.random.below(usize::MAX) as u64;
        let choice = self.searching(|table, line| table.choice(&state, seed, line));
        let Choice { cell, winner, .. } = choice.context("the game is over")?;
        let guessed = self.level == Level::Perfect && winner.is_none();
        let note = if guessed { " It could not solve the position in time, and guessed." } else { "" };
        self.game.play(cell);
        let cell = paint(style::WIN, state.board().name(cell));
        Ok(format!("{} (Solrex) plays {cell}.{note}\n", name(state.to_move)))
    }

    /// Solrex's move. If the opponent may swap after it, a perfect one is not worth swapping.
    fn choice(&self, state: &State, seed: u64, listener: Listener) -> Option<Choice> {
        if self.level == Level::Perfect
            && self.game.before_a_swap()
            && let Some(opening) = opponent::fair_opening(&self.solver, state, &self.limits, listener)
        {
            return Some(opening);
        }
        opponent::choose_as(self.level, seed, &self.solver, state, &self.limits, listener)
    }

    fn swap(&mut self) -> String {
        self.game.swap();
        self.who.swap(0, 1);
        let human = Player::BOTH.into_iter().filter(|player| self.who[player.index()] == Who::Human);
        match human.collect::<Vec<_>>()[..] {
            [player] => format!("You play {} now.\n", name(player)),
            _ => "The players have swapped sides.\n".to_owned(),
        }
    }

    /// Takes back one move, or as many as it takes to get to a human's turn.
    fn undo(&mut self) -> Option<String> {
        let humans = self.who.contains(&Who::Human);
        let mut taken = 0;
        while let Some(swapped) = self.game.undo() {
            taken += 1;
            if swapped {
                self.who.swap(0, 1);
            }
            if !humans || self.who[self.game.state().to_move.index()] == Who::Human {
                break;
            }
        }
        (taken > 0).then(|| format!("{} taken back.\n", text::count(taken, "move")))
    }

    fn save(&self, path: &str) -> Result<String> {
        if path.is_empty() {
            bail!("'save' needs a file name");
        }
        output::file(path.as_ref(), self.game.record().to_sgf())?;
        Ok(format!("Written to '{path}'.\n"))
    }

    /// Prints what Solrex said, and the board with the last move in colour.
    fn draw(&self, said: &str) -> Result<()> {
        let state = self.game.state();
        let last = self.game.last();
        let mark = |cell| {
            let player = state.position.get(cell).filter(|_| Some(cell) == last)?;
            Some((text::letter(player), style::WIN))
        };
        let clear = if self.screen { CLEAR_SCREEN } else { "" };
        let mut text = format!("{clear}{said}{}", text::board(&state, mark));
        if let Some(winner) = state.position.winner() {
            let ending = format!("{} has connected her two sides: {} wins.", name(!winner), name(winner));
            text += &format!("{}\n", paint(style::STRONG, ending));
        }
        output::text(&text)
    }
}
