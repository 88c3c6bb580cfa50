//! The board, and the commands that change it.

use std::path::Path;
use std::time::Duration;

use rex_game::{Board, Player, State};
use rex_search::Settings;

use super::commands::{self, MENU, fits, names};
use super::input::{self, CommandLine};
use crate::arguments::position;
use crate::arguments::solver::{CheckpointArgs, Kept, SolverArgs, WarmSolver};
use crate::show::text;

/// What a command answers, or why it fails.
pub type CommandResult = Result<String, String>;

/// How deep files of commands may include each other.
const DEEPEST: usize = 8;

/// An answer that can be written.
pub struct Reply {
    outcome: CommandResult,
    /// Whether the program ends after it.
    pub is_last: bool,
}

impl Reply {
    /// `=3 text` or `?3 message`, and an empty line. An empty line in the text would end it too early.
    pub fn format(&self, id: &str) -> String {
        let (sign, text) = match &self.outcome {
            Ok(text) => ('=', text),
            Err(message) => ('?', message),
        };
        let mut body = text.trim_end().to_owned();
        while body.contains("\n\n") {
            body = body.replace("\n\n", "\n");
        }
        format!("{sign}{id} {body}\n\n")
    }
}

/// What the program remembers from command to command.
pub struct Conversation {
    /// The stones, and whose turn it is by what was played last. Only `dfpn-solve-state` without a colour asks that.
    pub now: State,
    history: Vec<State>,
    /// Why this program does not have the board that the other side shows.
    refused: Option<String>,
    /// Files of commands that are being executed.
    depth: usize,
    /// Whether a file of commands has ended the program.
    ended: bool,
    pub settings: Settings,
    /// Time and node limits of a search.
    pub time: Option<Duration>,
    pub nodes: Option<u64>,
    /// Whether searches show progress.
    pub live: bool,
    /// Whether somebody is looking at a screen: then a block shows the verdict too.
    pub watched: bool,
    pub warm: WarmSolver,
    /// The book, and the store of solved positions if one is open.
    pub kept: Kept,
    /// Where the table of this board is kept.
    pub checkpoint: CheckpointArgs,
    pub checkpoint_board: Board,
    /// Whether the contents of that file are to be discarded.
    pub forgotten: bool,
}

impl Conversation {
    /// An empty board.
    pub fn new(board: Board, args: &SolverArgs) -> anyhow::Result<Conversation> {
        let (settings, kept) = (args.search.settings(), args.store.open()?);
        Ok(Conversation {
            now: State::new(board),
            history: Vec::new(),
            refused: None,
            depth: 0,
            ended: false,
            warm: WarmSolver::new(settings.clone(), kept.clone()),
            kept,
            checkpoint: args.checkpoint.clone(),
            checkpoint_board: board,
            forgotten: false,
            settings,
            time: args.search.time(),
            nodes: args.search.nodes(),
            live: true,
            watched: false,
        })
    }

    /// Executes a line.
    pub fn answer(&mut self, line: &CommandLine) -> Reply {
        let name = line.words.first().map_or("", String::as_str);
        let outcome = match commands::find(name) {
            _ if line.too_long => Err("line too long".to_owned()),
            None if name.is_empty() => Err("no command".to_owned()),
            None => Err("unknown command".to_owned()),
            Some(((_, usage, _), _)) if !fits(usage, line.words.len() - 1) => Err(match *usage {
                "" => format!("{name} takes no arguments"),
                usage => format!("{name} takes {usage}"),
            }),
            Some((_, true)) if self.refused.is_some() => Err(self.refused.clone().unwrap_or_default()),
            Some(((.., command), _)) => command(self, line),
        };
        Reply { is_last: self.ended || name == "quit" && outcome.is_ok(), outcome }
    }

    /// The board.
    pub fn board(&self) -> Board {
        self.now.board()
    }

    /// The position with a side to move.
    pub fn state(&self, to_move: Player) -> State {
        State { to_move, ..self.now }
    }

    /// Starts over.
    pub fn start(&mut self, state: State) -> CommandResult {
        self.now = state;
        self.history.clear();
        self.refused = None;
        Ok(String::new())
    }

    /// The next position; `undo` brings this one back.
    pub fn go_on(&mut self, state: State) {
        self.history.push(self.now);
        self.now = state;
    }

    /// Only HexGui asks for its menu, so somebody is looking at a screen.
    pub fn menu(&mut self, _: &CommandLine) -> CommandResult {
        self.watched = true;
        Ok(MENU.to_owned())
    }

    /// An empty board. If this size is refused, all board commands fail until another size is accepted, because the other side
    /// shows a board that this program does not have.
    pub fn boardsize(&mut self, line: &CommandLine) -> CommandResult {
        let number = |index| {
            let word = line.arg(index);
            word.parse::<usize>().map_err(|_| format!("'{word}' is not a number of cells"))
        };
        let cols = number(0)?;
        let rows = if line.arg(1).is_empty() { cols } else { number(1)? };
        match Board::new(rows, cols) {
            Ok(board) => self.start(State::new(board)),
            Err(error) => {
                let most = "boards have at most 64 cells, 8x8 for example";
                self.refused = Some(format!("no board: boardsize {cols} {rows} was refused; {most}"));
                Err(format!("unacceptable size: {error}"))
            }
        }
    }

    /// Stones may come in any order and number, even after the game is over: this is how positions are set up.
    ///
    /// A swap has HexGui's meaning: the stones stay, and the player who swaps moves next.
    pub fn play(&mut self, line: &CommandLine) -> CommandResult {
        let player = line.colour(0)?;
        let word = line.arg(1).to_ascii_lowercase();
        let illegal = |why: &str| format!("illegal move: {player} {word} ({why})");
        let next = match word.as_str() {
            "swap" | "swap-pieces" | "swap-sides" => self.state(player),
            "pass" => self.state(!player),
            "resign" | "forfeit" => self.now,
            name => {
                let cell = self.board().cell_named(name).ok_or_else(|| illegal("invalid"))?;
                if self.now.position.get(cell).is_some() {
                    return Err(illegal("occupied"));
                }
                State { position: self.now.position.with(cell, player), to_move: !player }
            }
        };
        self.go_on(next);
        Ok(String::new())
    }

    /// Takes back what was played last.
    pub fn undo(&mut self, _: &CommandLine) -> CommandResult {
        self.now = self.history.pop().ok_or("cannot undo")?;
        Ok(String::new())
    }

    /// The winner is the one who has not joined.
    pub fn final_score(&mut self, _: &CommandLine) -> CommandResult {
        Ok(match self.now.position.winner() {
            Some(Player::Black) => "B+",
            Some(Player::White) => "W+",
            None => "cannot score",
        }
        .to_owned())
    }

    /// The empty cells, whoever moves.
    pub fn all_legal_moves(&mut self, line: &CommandLine) -> CommandResult {
        if !line.arg(0).is_empty() {
            line.colour(0)?;
        }
        Ok(names(self.board(), self.now.position.empty()))
    }

    /// The first game of a file.
    pub fn loadsgf(&mut self, line: &CommandLine) -> CommandResult {
        let given = position::given(&format!("@{}", line.arg(0))).map_err(|error| one_line(&error))?;
        let mut record = given.records.into_iter().next().ok_or("no game")?;
        if !line.arg(1).is_empty() {
            let moves =
                line.arg(1).parse().map_err(|_| format!("'{}' is not a number of moves", line.arg(1)))?;
            record.show(moves);
        }
        self.start(record.state())
    }

    /// Executes the lines of a file and returns their responses. Stops at the first that fails.
    pub fn exec(&mut self, line: &CommandLine) -> CommandResult {
        if self.depth == DEEPEST {
            return Err(format!("more than {DEEPEST} files include each other"));
        }
        let name = line.arg(0);
        let lines = input::lines_of_file(Path::new(name), &line.cancel)
            .map_err(|error| format!("cannot read the file '{name}': {error}"))?;
        self.depth += 1;
        let outcome = self.exec_lines(name, lines);
        self.depth -= 1;
        outcome
    }

    fn exec_lines(
        &mut self,
        name: &str,
        lines: impl Iterator<Item = std::io::Result<(usize, CommandLine)>>,
    ) -> CommandResult {
        let mut answers = Vec::new();
        for line in lines {
            let (number, line) = line.map_err(|error| format!("cannot read the file '{name}': {error}"))?;
            let Reply { outcome, is_last } = self.answer(&line);
            let answer = outcome.map_err(|message| format!("'{name}', line {number}: {message}"))?;
            answers.push(answer.trim_matches('\n').to_owned());
            if is_last {
                self.ended = true;
                break;
            }
            if line.is_cancelled() {
                return Err(format!("'{name}', line {number}: stopped"));
            }
        }
        answers.retain(|answer| !answer.is_empty());
        Ok(answers.join("\n"))
    }
}

/// The first line of an error: the rest shows the place.
pub fn one_line(error: &anyhow::Error) -> String {
    text::error(error).lines().next().unwrap_or_default().to_owned()
}
