//! The board, and which command does what.

use std::io::Write;
use std::time::Duration;

use anyhow::Context;
use rex::{Board, Cell, CellSet, Player, Position, State, mirrored};
use rex_search::{Limits, Settings};

use super::input::Line;
use crate::position_arg;
use crate::search_args::WarmSolver;
use crate::store_args::Kept;

/// What a command answers, or why it fails.
pub type Outcome = Result<String, String>;

/// An answer that can be written.
pub struct Answer {
    outcome: Outcome,
    /// Whether the program ends after it.
    pub is_last: bool,
}

impl Answer {
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

/// Writes to standard output without delay.
pub fn write(text: &str) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).context("cannot write to standard output")
}

/// What the program remembers from command to command. The side to move is not part of it: a command that needs
/// one is told.
pub struct Engine {
    pub position: Position,
    history: Vec<Position>,
    pub settings: Settings,
    /// At most so long and so many nodes for a search.
    pub time: Option<Duration>,
    pub nodes: Option<u64>,
    /// Whether searches tell how they go.
    pub live: bool,
    pub warm: WarmSolver,
    /// The store of solved positions, if one is open.
    pub kept: Kept,
}

/// A command: its name, its arguments for people, and what it does.
type Command = (&'static str, &'static str, fn(&mut Engine, &Line) -> Outcome);

/// All commands but `quit`, which ends the loop.
const COMMANDS: &[Command] = &[
    ("name", "", |_, _| Ok("Solrex".to_owned())),
    ("version", "", |_, _| Ok(env!("CARGO_PKG_VERSION").to_owned())),
    ("protocol_version", "", |_, _| Ok("2".to_owned())),
    ("list_commands", "", |_, _| Ok(list_commands())),
    ("known_command", "NAME", |_, line| Ok(is_known(line.arg(0)).to_string())),
    ("hexgui-analyze_commands", "", |_, _| Ok(ANALYZE.to_owned())),
    // Says that `# interrupt` is understood.
    ("gogui-interrupt", "", |_, _| Ok(String::new())),
    ("boardsize", "COLUMNS [ROWS]", Engine::boardsize),
    ("clear_board", "", |engine, _| engine.start(Position::new(engine.position.board()))),
    ("play", "COLOUR CELL", Engine::play),
    ("undo", "", Engine::undo),
    ("genmove", "COLOUR", Engine::genmove),
    ("showboard", "", |engine, _| Ok(format!("\n{}", engine.position.diagram()))),
    ("final_score", "", Engine::final_score),
    ("all_legal_moves", "", |engine, _| Ok(names(engine.position.board(), engine.position.empty()))),
    ("loadsgf", "FILE [MOVES]", Engine::loadsgf),
    ("dfpn-solve-state", "COLOUR", Engine::solve_state),
    ("dfpn-solver-find-winning", "COLOUR", Engine::find_winning),
    ("dfpn-get-pv", "COLOUR", Engine::get_pv),
    ("dfpn-get-state", "COLOUR", Engine::get_state),
    ("dfpn-clear-tt", "", Engine::clear_table),
    ("dfpn-open-db", "FILE", Engine::open_store),
    ("dfpn-close-db", "", Engine::close_store),
    ("param_dfpn", "[NAME VALUE]", Engine::parameters),
    ("compute-inferior", "COLOUR", Engine::inferior),
    ("compute-fillin", "COLOUR", Engine::fill_in),
    ("vc-between-cells", "COLOUR FROM TO", Engine::join_pairing),
    ("vc-between-cells-full", "COLOUR FROM TO", Engine::join_pairing),
    ("vc-between-cells-semi", "COLOUR FROM TO", Engine::pre_join_pairing),
    ("quit", "", |_, _| Ok(String::new())),
];

/// What HexGui offers in its menu: how the answer is shown, a title, and the command (`%m` is the side to move).
const ANALYZE: &str = "\
string/Solve State/dfpn-solve-state %m
plist/Find Winning/dfpn-solver-find-winning %m
var/Get PV/dfpn-get-pv %m
string/Get State/dfpn-get-state %m
none/Clear Table/dfpn-clear-tt
none/Open DB/dfpn-open-db %r
none/Close DB/dfpn-close-db
param/Solver Parameters/param_dfpn
inferior/Compute Inferior/compute-inferior %m
inferior/Compute Fillin/compute-fillin %m
vc/Join Pairing of Black/vc-between-cells black north south
vc/Join Pairing of White/vc-between-cells white west east
vc/Pre-join Pairing of Black/vc-between-cells-semi black north south
vc/Pre-join Pairing of White/vc-between-cells-semi white west east
vc/Pairing Between Cells/vc-between-cells %c %P
vc/Pairing Between Cells With Key/vc-between-cells-semi %c %P
string/Final Score/final_score
";

fn list_commands() -> String {
    COMMANDS.iter().map(|(name, ..)| *name).collect::<Vec<_>>().join("\n")
}

fn is_known(name: &str) -> bool {
    COMMANDS.iter().any(|(known, ..)| *known == name)
}

/// Names in the order of columns, as Hex programs list them.
pub fn names(board: Board, cells: CellSet) -> String {
    let mut cells: Vec<Cell> = cells.into_iter().collect();
    cells.sort_by_key(|&cell| (board.coordinates(cell).1, board.coordinates(cell).0));
    crate::text::cells(board, cells)
}

impl Line {
    /// An argument, or the empty string where there is none.
    pub fn arg(&self, index: usize) -> &str {
        self.words.get(index + 1).map_or("", String::as_str)
    }

    /// The colour that an argument names.
    pub fn colour(&self, index: usize) -> Result<Player, String> {
        let word = self.arg(index);
        word.to_ascii_lowercase()
            .parse()
            .map_err(|_| format!("'{word}' is no colour; expected black or white"))
    }
}

/// Whether so many arguments fit `COLOUR CELL` or, with brackets for those that may be missing, `FILE [MOVES]`.
fn fits(usage: &str, arguments: usize) -> bool {
    let all = usage.split_whitespace().count();
    let optional = usage.find('[').map_or(0, |at| usage[at..].split_whitespace().count());
    arguments == all || arguments == all - optional
}

impl Engine {
    /// An empty board.
    pub fn new(board: Board, settings: Settings, kept: Kept, limits: &Limits) -> Engine {
        Engine {
            position: Position::new(board),
            history: Vec::new(),
            warm: WarmSolver::new(settings.clone(), kept.clone()),
            kept,
            settings,
            time: limits.time,
            nodes: limits.nodes,
            live: true,
        }
    }

    /// Does what a line says.
    pub fn answer(&mut self, line: &Line) -> Answer {
        let name = line.words.first().map_or("", String::as_str);
        let outcome = match COMMANDS.iter().find(|(known, ..)| *known == name) {
            _ if line.too_long => Err("line too long".to_owned()),
            None if name.is_empty() => Err("no command".to_owned()),
            None => Err("unknown command".to_owned()),
            Some((_, usage, _)) if !fits(usage, line.words.len() - 1) => Err(match *usage {
                "" => format!("{name} takes no arguments"),
                usage => format!("{name} takes {usage}"),
            }),
            Some((.., command)) => command(self, line),
        };
        Answer { is_last: name == "quit" && outcome.is_ok(), outcome }
    }

    /// The position with a side to move.
    pub fn state(&self, to_move: Player) -> State {
        State { position: self.position, to_move }
    }

    fn start(&mut self, position: Position) -> Outcome {
        self.position = position;
        self.history.clear();
        Ok(String::new())
    }

    /// The next position; `undo` brings this one back.
    pub fn go_on(&mut self, position: Position) {
        self.history.push(self.position);
        self.position = position;
    }

    fn boardsize(&mut self, line: &Line) -> Outcome {
        let number = |index| {
            let word = line.arg(index);
            word.parse::<usize>().map_err(|_| format!("'{word}' is no number of cells"))
        };
        let cols = number(0)?;
        let rows = if line.arg(1).is_empty() { cols } else { number(1)? };
        let board = Board::new(rows, cols).map_err(|error| format!("unacceptable size: {error}"))?;
        self.start(Position::new(board))
    }

    /// Stones come in any order and number, also after somebody has joined: setups arrive this way.
    fn play(&mut self, line: &Line) -> Outcome {
        let player = line.colour(0)?;
        let word = line.arg(1).to_ascii_lowercase();
        let board = self.position.board();
        let illegal = |why: &str| format!("illegal move: {player} {word} ({why})");
        let next = match word.as_str() {
            "swap" | "swap-pieces" if board.is_square() => {
                mirrored(&self.position).expect("a square board can be mirrored")
            }
            "swap" | "swap-pieces" => return Err(illegal("the board is no square")),
            "swap-sides" | "resign" | "forfeit" | "pass" => self.position,
            name => {
                let cell = board.cell_named(name).ok_or_else(|| illegal("invalid"))?;
                if self.position.get(cell).is_some() {
                    return Err(illegal("occupied"));
                }
                self.position.with(cell, player)
            }
        };
        self.go_on(next);
        Ok(String::new())
    }

    fn undo(&mut self, _: &Line) -> Outcome {
        self.position = self.history.pop().ok_or("cannot undo")?;
        Ok(String::new())
    }

    /// The winner is the one who has not joined.
    fn final_score(&mut self, _: &Line) -> Outcome {
        Ok(match self.position.winner() {
            Some(Player::Black) => "B+",
            Some(Player::White) => "W+",
            None => "cannot score",
        }
        .to_owned())
    }

    fn loadsgf(&mut self, line: &Line) -> Outcome {
        let given = position_arg::given(&format!("@{}", line.arg(0))).map_err(|error| one_line(&error))?;
        let mut record = given.records.into_iter().next().ok_or("no game")?;
        if !line.arg(1).is_empty() {
            let moves =
                line.arg(1).parse().map_err(|_| format!("'{}' is no number of moves", line.arg(1)))?;
            record.show(moves);
        }
        self.start(record.state().position)
    }
}

/// The first line of an error: the rest shows the place.
pub fn one_line(error: &anyhow::Error) -> String {
    format!("{error:#}").lines().next().unwrap_or_default().to_owned()
}
