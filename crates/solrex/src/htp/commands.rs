//! Which command does what, and what HexGui offers in its menu.

use rex_game::{Board, Cell, CellSet, Player, State};

use super::conversation::{CommandResult, Conversation};
use super::input::CommandLine;
use super::settings::Group;

/// A command: its name, its arguments for people, and what it does.
pub type Command = (&'static str, &'static str, fn(&mut Conversation, &CommandLine) -> CommandResult);

/// Commands that need no board.
const GENERAL: &[Command] = &[
    ("name", "", |_, _| Ok("Solrex".to_owned())),
    ("version", "", |_, _| Ok(env!("CARGO_PKG_VERSION").to_owned())),
    ("protocol_version", "", |_, _| Ok("2".to_owned())),
    ("list_commands", "", |_, _| Ok(list_commands())),
    ("known_command", "NAME", |_, line| Ok(find(line.arg(0)).is_some().to_string())),
    ("hexgui-analyze_commands", "", Conversation::menu),
    // Says that `# interrupt` is understood.
    ("gogui-interrupt", "", |_, _| Ok(String::new())),
    ("exec", "FILE", Conversation::exec),
    ("boardsize", "COLUMNS [ROWS]", Conversation::boardsize),
    ("loadsgf", "FILE [MOVES]", Conversation::loadsgf),
    ("dfpn-clear-tt", "", Conversation::clear_table),
    ("dfpn-open-db", "FILE", Conversation::open_store),
    ("dfpn-close-db", "", Conversation::close_store),
    ("param_dfpn", "[NAME VALUE]", Conversation::parameters),
    ("param_solver_ice", "[NAME VALUE]", |conversation, line| {
        conversation.theory(Group::InferiorCells, line)
    }),
    ("param_solver_vc", "[NAME VALUE]", |conversation, line| conversation.theory(Group::Pairings, line)),
    ("param_solver_board", "[NAME VALUE]", |conversation, line| conversation.theory(Group::Board, line)),
    // The loop ends after it.
    ("quit", "", |_, _| Ok(String::new())),
];

/// Commands about the board. They fail while the board on the other side's screen is one that this program does not have.
const ABOUT_THE_BOARD: &[Command] = &[
    ("clear_board", "", |conversation, _| conversation.start(State::new(conversation.board()))),
    ("play", "COLOUR CELL", Conversation::play),
    ("undo", "", Conversation::undo),
    ("genmove", "COLOUR", Conversation::genmove),
    ("reg_genmove", "COLOUR", Conversation::reg_genmove),
    ("showboard", "", |conversation, _| Ok(format!("\n{}", conversation.now.position.diagram()))),
    ("final_score", "", Conversation::final_score),
    ("all_legal_moves", "[COLOUR]", Conversation::all_legal_moves),
    ("dfpn-solve-state", "[COLOUR]", Conversation::solve_state),
    ("dfpn-solver-find-winning", "COLOUR", Conversation::find_winning),
    ("dfpn-get-pv", "COLOUR", Conversation::get_pv),
    ("dfpn-get-state", "COLOUR", Conversation::get_state),
    ("dfpn-get-bounds", "COLOUR", Conversation::get_bounds),
    ("dfpn-get-work", "COLOUR", Conversation::get_work),
    ("compute-inferior", "COLOUR", Conversation::inferior),
    ("compute-fillin", "COLOUR", Conversation::fill_in),
    ("compute-vulnerable", "COLOUR", Conversation::vulnerable),
    ("compute-reversible", "COLOUR", Conversation::reversible),
    ("compute-dominated", "COLOUR", Conversation::dominated),
    ("compute-dominated-cell", "COLOUR CELL", Conversation::dominated_cell),
    ("find-comb-decomp", "COLOUR", Conversation::decomposition),
    ("eval-resist", "COLOUR", Conversation::resistance),
    ("eval-resist-cells", "COLOUR", Conversation::resistance_of_cells),
    ("vc-build", "COLOUR", Conversation::inferior),
    ("vc-get-mustplay", "COLOUR", Conversation::must_play),
    ("vc-between-cells", "COLOUR FROM TO", |conversation, line| conversation.pairing(line, false)),
    ("vc-between-cells-full", "COLOUR FROM TO", |conversation, line| conversation.pairing(line, false)),
    ("vc-between-cells-semi", "COLOUR FROM TO", |conversation, line| conversation.pairing(line, true)),
    ("vc-connected-to-full", "COLOUR FROM", |conversation, line| conversation.connected(line, false)),
    ("vc-connected-to-semi", "COLOUR FROM", |conversation, line| conversation.connected(line, true)),
];

/// What HexGui offers in its menu: how the answer is shown, a title, and the command (`%m` is the side to move).
pub const MENU: &str = "\
string/Rex: who wins/dfpn-solve-state %m
plist/Rex: winning moves/dfpn-solver-find-winning %m
var/Rex: line of play/dfpn-get-pv %m
string/Rex: what is known/dfpn-get-state %m
pspairs/Rex: proof numbers/dfpn-get-bounds %m
pspairs/Rex: work per move/dfpn-get-work %m
string/Rex: suggest a move/reg_genmove %m
inferior/Rex: inferior cells/compute-inferior %m
inferior/Rex: fill-in/compute-fillin %m
inferior/Rex: vulnerable cells/compute-vulnerable %m
inferior/Rex: dominated cells/compute-dominated %m
inferior/Rex: moves to consider/vc-get-mustplay %m
plist/Rex: decomposition/find-comb-decomp %c
vc/Rex: join pairing of Black/vc-between-cells black north south
vc/Rex: join pairing of White/vc-between-cells white west east
vc/Rex: pre-join pairing of Black/vc-between-cells-semi black north south
vc/Rex: pre-join pairing of White/vc-between-cells-semi white west east
vc/Rex: pairing between two cells/vc-between-cells %c %P
vc/Rex: pairing with key between two cells/vc-between-cells-semi %c %P
plist/Rex: cells connected to a cell/vc-connected-to-full %c %p
plist/Rex: cells connected with a key/vc-connected-to-semi %c %p
string/Rex: resistance/eval-resist %c
pspairs/Rex: resistance of cells/eval-resist-cells %c
plist/Rex: legal moves/all_legal_moves %c
string/Rex: final score/final_score
none/Solver: clear table/dfpn-clear-tt
none/Solver: open store/dfpn-open-db %r
none/Solver: close store/dfpn-close-db
param/Solver: parameters/param_dfpn
param/Solver: fill-in and inferior cells/param_solver_ice
param/Solver: pairings/param_solver_vc
param/Solver: decomposition and symmetry/param_solver_board
";

/// The command of this name, and whether it is about the board.
pub fn find(name: &str) -> Option<(&'static Command, bool)> {
    let in_list = |list: &'static [Command]| list.iter().find(|(known, ..)| *known == name);
    in_list(GENERAL)
        .map(|command| (command, false))
        .or_else(|| in_list(ABOUT_THE_BOARD).map(|command| (command, true)))
}

fn list_commands() -> String {
    let all = GENERAL.iter().chain(ABOUT_THE_BOARD);
    all.map(|(name, ..)| *name).collect::<Vec<_>>().join("\n")
}

/// Whether this many arguments fit `COLOUR CELL` or, with brackets for those that may be missing, `FILE [MOVES]`.
pub fn fits(usage: &str, arguments: usize) -> bool {
    let all = usage.split_whitespace().count();
    let optional = usage.find('[').map_or(0, |at| usage[at..].split_whitespace().count());
    arguments == all || arguments == all - optional
}

/// Names in the order of columns, as Hex programs list them.
pub fn names(board: Board, cells: CellSet) -> String {
    let mut cells: Vec<Cell> = cells.into_iter().collect();
    cells.sort_by_key(|&cell| (board.coordinates(cell).1, board.coordinates(cell).0));
    crate::show::text::cells(board, cells)
}

impl CommandLine {
    /// An argument, or the empty string where there is none.
    pub fn arg(&self, index: usize) -> &str {
        self.words.get(index + 1).map_or("", String::as_str)
    }

    /// The colour that an argument names.
    pub fn colour(&self, index: usize) -> Result<Player, String> {
        let word = self.arg(index);
        word.to_ascii_lowercase()
            .parse()
            .map_err(|_| format!("'{word}' is not a colour; expected black or white"))
    }

    /// The truth value that an argument names.
    pub fn truth(&self, index: usize) -> Result<bool, String> {
        match self.arg(index) {
            "1" | "true" => Ok(true),
            "0" | "false" => Ok(false),
            word => Err(format!("'{word}' is not a truth value; expected 0 or 1")),
        }
    }
}
