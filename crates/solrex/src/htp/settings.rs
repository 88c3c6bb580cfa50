//! Parameters, the table and the store.

use std::path::Path;

use rex_search::{Settings, Solver};
use rex_store::{Store, StoreError, Thread};
use rex_theory::{OptionInfo, Options};

use super::conversation::{CommandResult, Conversation};
use super::input::CommandLine;
use crate::arguments::solver::WarmSolver;
use crate::arguments::solver::store::{self, same_file};
use crate::arguments::units;

/// The switches of the theory, in the groups that users of Benzene know.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Group {
    /// `param_solver_ice`: fill-in and inferior moves.
    InferiorCells,
    /// `param_solver_vc`: pairings.
    Pairings,
    /// `param_solver_board`: all others, and the two groups as a whole.
    Board,
}

/// The switches about pairings.
const PAIRINGS: [&str; 7] =
    ["hsearch", "augmented", "compatible", "side-and", "exact-pairing", "mirror-pairing", "own-keys"];
/// The switches about the board as a whole.
const BOARD: [&str; 3] = ["decomposition", "colour-symmetry", "dominated-symmetry"];
/// Names that stand for a group.
const WHOLE: [(&str, Group); 2] = [("use_ice", Group::InferiorCells), ("use_vcs", Group::Pairings)];

impl Group {
    fn of(info: &OptionInfo) -> Group {
        match info.name {
            name if PAIRINGS.contains(&name) => Group::Pairings,
            name if BOARD.contains(&name) => Group::Board,
            _ => Group::InferiorCells,
        }
    }

    fn switches(self) -> impl Iterator<Item = &'static OptionInfo> {
        Options::TABLE.iter().filter(move |info| Group::of(info) == self)
    }

    /// Whether any of its switches is on.
    fn is_used(self, theory: &Options) -> bool {
        self.switches().any(|info| (info.get)(theory))
    }

    /// All of it off, or as it is unless something else is said.
    fn set_all(self, theory: &mut Options, on: bool) {
        self.switches().for_each(|info| (info.set)(theory, on && info.default));
    }
}

/// A switch as a parameter is called.
fn parameter(info: &OptionInfo) -> String {
    info.name.replace('-', "_")
}

impl Conversation {
    /// Shows the parameters, or sets one.
    pub fn parameters(&mut self, line: &CommandLine) -> CommandResult {
        if line.arg(0).is_empty() {
            return Ok(format!(
                "\n[bool] use_guifx {}\n[string] timelimit {}\n[string] nodelimit {}\n[string] tt_size {}\n[string] threads {}",
                u8::from(self.live),
                self.time.unwrap_or_default().as_secs_f64(),
                self.nodes.unwrap_or(0),
                self.settings.memory,
                self.settings.threads,
            ));
        }
        let value = line.arg(1);
        match line.arg(0) {
            // A program that asks for it will show it.
            "use_guifx" => (self.live, self.watched) = (line.truth(1)?, line.truth(1)?),
            // No time and no nodes mean no limit.
            "timelimit" => self.time = Some(units::duration(value)?).filter(|time| !time.is_zero()),
            "nodelimit" => self.nodes = Some(units::count(value)?).filter(|&nodes| nodes > 0),
            "tt_size" => {
                let settings = Settings { memory: units::bytes(value)?, ..self.settings.clone() };
                // Fail now, and not in every search, if there is not enough memory.
                Solver::new(self.board(), settings.clone())
                    .map_err(|_| format!("no memory for a table of {} bytes", settings.memory))?;
                self.settings = settings;
            }
            "threads" => self.settings.threads = units::threads(value)?,
            name => return Err(format!("unknown parameter: {name}")),
        }
        if matches!(line.arg(0), "tt_size" | "threads") {
            self.cool();
        }
        Ok(String::new())
    }

    /// Shows the switches of a group, or sets one. Answers never depend on them.
    pub fn theory(&mut self, group: Group, line: &CommandLine) -> CommandResult {
        let wholes = || WHOLE.iter().filter(|_| group == Group::Board);
        let name = line.arg(0);
        let theory = &mut self.settings.theory;
        if name.is_empty() {
            let whole = wholes().map(|(name, whole)| (name.to_string(), whole.is_used(theory)));
            let single = group.switches().map(|info| (parameter(info), (info.get)(theory)));
            let line = |(name, on): (String, bool)| format!("\n[bool] {name} {}", u8::from(on));
            return Ok(whole.chain(single).map(line).collect());
        }
        let on = line.truth(1)?;
        // Benzene's plural.
        let asked = if name == "use_decompositions" { "decomposition" } else { name };
        let single = group.switches().find(|info| parameter(info) == asked);
        match (single, wholes().find(|(whole, _)| *whole == name)) {
            (Some(info), _) => (info.set)(theory, on),
            (None, Some((_, whole))) => whole.set_all(theory, on),
            (None, None) => return Err(format!("unknown parameter: {name}")),
        }
        self.cool();
        Ok(String::new())
    }

    /// Forgets what was found, also in the checkpoint.
    pub fn clear_table(&mut self, _: &CommandLine) -> CommandResult {
        self.forgotten = true;
        self.cool();
        Ok(String::new())
    }

    /// Keeps solved positions in this file instead of the one that is open.
    pub fn open_store(&mut self, line: &CommandLine) -> CommandResult {
        let path = Path::new(line.arg(0));
        let store = match (Store::open(path), &self.kept.store) {
            // It is this one.
            (Err(StoreError::InUse(_)), Some(kept)) if same_file(path, kept.store().path()) => {
                return Ok(String::new());
            }
            // Then the one that is open stays.
            (opened, _) => opened.map_err(|error| error.to_string())?,
        };
        self.kept.store = Some(Thread::start(store, store::warn));
        self.cool();
        Ok(String::new())
    }

    /// Closes the store.
    pub fn close_store(&mut self, _: &CommandLine) -> CommandResult {
        self.kept.store.take().ok_or("no store of solved positions is open")?;
        self.cool();
        Ok(String::new())
    }

    /// A solver that knows only what is in the store and the book.
    fn cool(&mut self) {
        self.warm = WarmSolver::new(self.settings.clone(), self.kept.clone());
    }
}
