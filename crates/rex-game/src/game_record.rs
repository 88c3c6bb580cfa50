//! A game as it was played: where it started and what was done.

use std::str::FromStr;

use crate::notation::{Source, source};
use crate::{Board, Cell, NotationError, Player, Position, State, hexworld, link, sgf};

/// One thing that a player does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Action {
    /// Who does it.
    pub player: Player,
    /// What is done.
    pub kind: ActionKind,
}

/// What a player can do.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ActionKind {
    /// Colours a cell.
    Play(Cell),
    /// Takes over the opponent's stones: they are mirrored on the long diagonal and change colour.
    SwapPieces,
    /// Takes over the opponent's sides: stones and colours stay, so the same colour moves next.
    SwapSides,
    /// Leaves the move to the opponent.
    Pass,
    /// Gives up.
    Resign,
    /// Loses on time or by a ruling.
    Forfeit,
}

/// A start and what was done since, without variations. SGF files and links are read into it and written from
/// it.
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
    /// How many of the actions lead to the position that is meant.
    shown: usize,
    /// The state after all of them.
    end: State,
}

impl GameRecord {
    /// Nothing was done yet.
    pub fn new(start: State) -> GameRecord {
        GameRecord { start, actions: Vec::new(), shown: 0, end: start }
    }

    /// The game with these moves, made in turn.
    ///
    /// # Panics
    /// If a move goes to a stone.
    pub fn with_moves(start: State, moves: &[Cell]) -> GameRecord {
        let mut record = GameRecord::new(start);
        let mut player = start.to_move;
        for &cell in moves {
            record.push(Action { player, kind: ActionKind::Play(cell) });
            player = !player;
        }
        record
    }

    /// Where it started.
    pub fn start(&self) -> &State {
        &self.start
    }

    /// All that was done, also what comes after the position that is meant.
    pub fn actions(&self) -> &[Action] {
        &self.actions
    }

    /// How many of the actions lead to the position that is meant.
    pub fn shown(&self) -> usize {
        self.shown
    }

    /// Means the position after this many actions, or after all if there are fewer.
    pub fn show(&mut self, actions: usize) {
        self.shown = actions.min(self.actions.len());
    }

    /// The position that is meant.
    pub fn state(&self) -> State {
        self.actions[..self.shown].iter().fold(self.start, |state, action| action.apply(&state))
    }

    /// The position after everything that was done.
    pub fn end(&self) -> State {
        self.end
    }

    /// Adds something that was done, and means the position after it.
    ///
    /// # Panics
    /// If a stone goes to a stone, or if pieces are swapped where [`mirrored`] says they cannot be.
    pub fn push(&mut self, action: Action) {
        self.end = action.apply(&self.end);
        self.actions.push(action);
        self.shown = self.actions.len();
    }

    /// The moves, if it is a game from the empty board in which Black and White colour cells in turn.
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

    /// The game as a link to HexWorld's board. What HexWorld could not replay (a setup, moves out of turn) is
    /// written as the position that is meant, with passes.
    pub fn to_hexworld(&self) -> String {
        hexworld::write(self)
    }

    /// The game as SGF, without variations.
    pub fn to_sgf(&self) -> String {
        sgf::Collection::from(self).to_string()
    }
}

impl Action {
    /// The state after it.
    ///
    /// # Panics
    /// As [`GameRecord::push`] does.
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

/// The position mirrored on the long diagonal, with the colours swapped. A board with more rows than a board
/// can have columns has no mirror image.
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

/// Reads every form of a position: rows, a size with moves, a link to HexWorld or trmph.com, SGF with one
/// game.
impl FromStr for GameRecord {
    type Err = NotationError;

    fn from_str(input: &str) -> Result<GameRecord, NotationError> {
        match source(input)? {
            Source::Rows => input.parse().map(GameRecord::new),
            Source::Moves(size) => {
                let board: Board =
                    input[size.clone()].parse().map_err(|error: NotationError| error.shifted(size.start))?;
                let start = State::new(board);
                let moves = start.parse_moves(&input[size.end..]).map_err(|error| error.shifted(size.end))?;
                Ok(GameRecord::with_moves(start, &moves))
            }
            Source::Link => link::read(input),
            Source::Sgf => sgf::Collection::parse(input)?.only_game()?.record(),
        }
    }
}
