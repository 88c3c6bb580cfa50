//! A game as it was played: the start, and what the players did.

use std::ops::Range;
use std::str::FromStr;

use crate::notation::{Source, move_words, read_move, source};
use crate::{Board, Cell, NotationError, Player, Position, State, hexworld, link, sgf};

/// When pieces or sides can be swapped.
pub(crate) const ONLY_SECOND: &str = "one only as the second move";

/// Something a player does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Action {
    /// Who does it.
    pub player: Player,
    /// What she does.
    pub kind: ActionKind,
}

/// What a player can do.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ActionKind {
    /// Colours a cell.
    Play(Cell),
    /// Takes over the opponent's stones: they are mirrored across the long diagonal and change colour.
    SwapPieces,
    /// Takes over the opponent's sides: stones and colours stay, so the same colour moves next.
    SwapSides,
    /// Passes the turn to the opponent.
    Pass,
    /// Gives up.
    Resign,
    /// Loses on time or by a ruling.
    Forfeit,
}

/// The start of a game and the actions since, without variations: what an SGF file or a link holds. One of its
/// positions is the *shown* one, which the file or link asks to look at.
///
/// ```
/// let record: rex_game::GameRecord = "https://hexworld.org/board/#4,d1:sb2".parse()?;
/// assert_eq!(record.state().to_string(), "4/1b2/4/w3 w");
/// assert_eq!(record.to_hexworld(), "https://hexworld.org/board/#4c1,d1:sb2");
/// # Ok::<(), rex_game::NotationError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameRecord {
    start: State,
    actions: Vec<Action>,
    /// How many actions lead to the shown position.
    shown: usize,
    /// The state after all actions.
    end: State,
}

impl GameRecord {
    /// A game in which nothing has happened yet.
    pub fn new(start: State) -> GameRecord {
        GameRecord { start, actions: Vec::new(), shown: 0, end: start }
    }

    /// A game with these moves, played in turn.
    ///
    /// # Panics
    /// If a cell is already taken.
    pub fn with_moves(start: State, moves: &[Cell]) -> GameRecord {
        let mut record = GameRecord::new(start);
        let mut player = start.to_move;
        for &cell in moves {
            record.push(Action { player, kind: ActionKind::Play(cell) });
            player = !player;
        }
        record
    }

    /// Reads moves from the empty board on, as [`State::parse_moves`] does. The second one may be `swap`, and any may be
    /// `pass`.
    ///
    /// ```
    /// use rex_game::{Board, GameRecord};
    ///
    /// let record = GameRecord::from_moves(Board::new(4, 4)?, "1. d1 swap 2. b2 pass")?;
    /// assert_eq!(record.state().to_string(), "4/1b2/4/w3 b");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// At the first word that is none of these, or a move that is not possible.
    pub fn from_moves(board: Board, text: &str) -> Result<GameRecord, NotationError> {
        let mut record = GameRecord::new(State::new(board));
        for span in move_words(text) {
            let (word, state) = (&text[span.clone()], record.end());
            let kind = match ActionKind::from_word(word) {
                None => ActionKind::Play(read_move(&state, word, span)?),
                Some(ActionKind::Pass) => ActionKind::Pass,
                Some(swap) if record.can_swap() => {
                    swap.check_mirror(&state, span)?;
                    swap
                }
                Some(_) => {
                    return Err(NotationError::new("a swap is not allowed here", ONLY_SECOND, span));
                }
            };
            record.push(Action { player: state.to_move, kind });
        }
        Ok(record)
    }

    /// Whether it is time to swap: only the second player may, as her first move.
    pub(crate) fn can_swap(&self) -> bool {
        matches!(self.actions[..], [Action { kind: ActionKind::Play(_), .. }])
    }

    /// The start.
    pub fn start(&self) -> &State {
        &self.start
    }

    /// All actions, including those after the shown position.
    pub fn actions(&self) -> &[Action] {
        &self.actions
    }

    /// How many actions lead to the shown position.
    pub fn shown(&self) -> usize {
        self.shown
    }

    /// Shows the position after this many actions, or after all of them if there are fewer.
    pub fn show(&mut self, actions: usize) {
        self.shown = actions.min(self.actions.len());
    }

    /// The shown position.
    pub fn state(&self) -> State {
        self.actions[..self.shown].iter().fold(self.start, |state, action| action.apply(&state))
    }

    /// The position after all actions.
    pub fn end(&self) -> State {
        self.end
    }

    /// Adds an action, and shows the position after it.
    ///
    /// # Panics
    /// If a cell is already taken, or pieces are swapped on a board without a mirror image ([`mirrored`]).
    pub fn push(&mut self, action: Action) {
        self.end = action.apply(&self.end);
        self.actions.push(action);
        self.shown = self.actions.len();
    }

    /// The moves up to the shown position, if the players just colour cells in turn from the empty board on.
    pub fn moves(&self) -> Option<Vec<Cell>> {
        if self.start != State::new(self.start.board()) {
            return None;
        }
        let turns = Player::BOTH.into_iter().cycle();
        let cell = |(action, player): (&Action, Player)| match action.kind {
            ActionKind::Play(cell) if action.player == player => Some(cell),
            _ => None,
        };
        self.actions[..self.shown].iter().zip(turns).map(cell).collect()
    }

    /// The game as a link to HexWorld's board. A game that HexWorld cannot replay (stones set up, moves out
    /// of turn) is written as its shown position, with passes.
    pub fn to_hexworld(&self) -> String {
        hexworld::write(self)
    }

    /// The game as SGF, without variations.
    pub fn to_sgf(&self) -> String {
        sgf::Collection::from(self).to_string()
    }
}

impl ActionKind {
    /// HexWorld's letter for a swap or a pass.
    pub fn letter(self) -> Option<char> {
        match self {
            ActionKind::SwapPieces => Some('s'),
            ActionKind::SwapSides => Some('S'),
            ActionKind::Pass => Some('p'),
            ActionKind::Play(_) | ActionKind::Resign | ActionKind::Forfeit => None,
        }
    }

    /// The swap or pass with this letter.
    pub fn from_letter(letter: char) -> Option<ActionKind> {
        let all = [ActionKind::SwapPieces, ActionKind::SwapSides, ActionKind::Pass];
        all.into_iter().find(|kind| kind.letter() == Some(letter))
    }

    /// The swap or pass with this name, as games in SGF and lists of moves write it.
    pub fn from_word(word: &str) -> Option<ActionKind> {
        match word.to_ascii_lowercase().as_str() {
            "swap" | "swap-pieces" => Some(ActionKind::SwapPieces),
            "swap-sides" => Some(ActionKind::SwapSides),
            "pass" => Some(ActionKind::Pass),
            _ => None,
        }
    }

    /// Refuses to swap pieces on a board that has no mirror image. `span` is where the action was read.
    pub(crate) fn check_mirror(self, state: &State, span: Range<usize>) -> Result<(), NotationError> {
        if self != ActionKind::SwapPieces || mirrored(&state.position).is_some() {
            return Ok(());
        }
        let message = format!("cannot swap pieces on a {} board", state.board());
        Err(NotationError::new(message, "a board that can be mirrored", span))
    }
}

impl Action {
    /// The state after this action.
    ///
    /// # Panics
    /// Like [`GameRecord::push`].
    pub fn apply(self, state: &State) -> State {
        let Action { player, kind } = self;
        match kind {
            ActionKind::Play(cell) => State { to_move: player, ..*state }.play(cell),
            ActionKind::SwapPieces => {
                let position = mirrored(&state.position).expect("the mirrored board exists");
                State { position, to_move: !player }
            }
            ActionKind::SwapSides => State { to_move: player, ..*state },
            ActionKind::Pass => State { to_move: !player, ..*state },
            ActionKind::Resign | ActionKind::Forfeit => *state,
        }
    }
}

/// The position mirrored across the long diagonal, with the colours swapped. None if it has too many rows for that.
pub fn mirrored(position: &Position) -> Option<Position> {
    let board = position.board();
    let mirror = Board::new(board.cols(), board.rows()).ok()?;
    let mut image = Position::new(mirror);
    for cell in board.cells() {
        let (row, col) = board.coordinates(cell);
        let there = mirror.cell(col, row).expect("the mirrored board has the mirrored cell");
        image.set(there, position.get(cell).map(|player| !player));
    }
    Some(image)
}

/// Reads rows, a size with moves, a link to HexWorld or trmph.com, or SGF with one game.
impl FromStr for GameRecord {
    type Err = NotationError;

    fn from_str(input: &str) -> Result<GameRecord, NotationError> {
        match source(input)? {
            Source::Rows => input.parse().map(GameRecord::new),
            Source::Moves(size) => {
                let board: Board =
                    input[size.clone()].parse().map_err(|error: NotationError| error.shifted(size.start))?;
                GameRecord::from_moves(board, &input[size.end..]).map_err(|error| error.shifted(size.end))
            }
            Source::Link => link::read(input),
            Source::Sgf => sgf::Collection::parse(input)?.only_game()?.record(),
        }
    }
}
