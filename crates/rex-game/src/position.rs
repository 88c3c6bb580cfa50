use crate::{Board, Cell, CellSet, Player, Symmetry};

/// Stones on a board: any stones, whether or not a game can reach them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    board: Board,
    stones: [CellSet; 2],
}

impl Position {
    /// The board without stones.
    pub fn new(board: Board) -> Position {
        Position { board, stones: [CellSet::EMPTY; 2] }
    }

    /// The board with these stones.
    ///
    /// # Panics
    /// If a cell is off the board or in both sets.
    pub fn with_stones(board: Board, black: CellSet, white: CellSet) -> Position {
        assert!(!black.meets(white), "a cell has one colour");
        assert!((black | white).within(board.cells()), "stones lie on the board");
        Position { board, stones: [black, white] }
    }

    /// The board under the stones.
    pub fn board(&self) -> Board {
        self.board
    }

    /// The stones of a player.
    pub fn stones(&self, player: Player) -> CellSet {
        self.stones[player.index()]
    }

    /// The cells without a stone.
    pub fn empty(&self) -> CellSet {
        self.board.cells() - (self.stones[0] | self.stones[1])
    }

    /// Who has a stone on this cell.
    pub fn get(&self, cell: Cell) -> Option<Player> {
        Player::BOTH.into_iter().find(|&player| self.stones(player).has(cell))
    }

    /// Puts a stone on a cell, or clears it if `stone` is `None`. Replaces what was there.
    ///
    /// # Panics
    /// If the cell is off the board.
    pub fn set(&mut self, cell: Cell, stone: Option<Player>) {
        assert!(self.board.cells().has(cell), "stones lie on the board");
        for player in Player::BOTH {
            self.stones[player.index()].remove(cell);
        }
        if let Some(player) = stone {
            self.stones[player.index()].insert(cell);
        }
    }

    /// This position with one more stone.
    pub fn with(mut self, cell: Cell, player: Player) -> Position {
        self.set(cell, Some(player));
        self
    }

    /// Whether `player` has connected her own two sides, and so has lost.
    pub fn joined(&self, player: Player) -> bool {
        self.board.joins(player, self.stones(player))
    }

    /// The winner, if somebody is joined. At most one player can be.
    pub fn winner(&self) -> Option<Player> {
        Player::BOTH.into_iter().find(|&player| self.joined(!player))
    }

    /// The image under a symmetry of the board.
    pub fn image(&self, symmetry: Symmetry) -> Position {
        let [black, white] = self.stones.map(|stones| symmetry.apply(self.board, stones));
        let stones = if symmetry.swaps_colours() { [white, black] } else { [black, white] };
        Position { board: self.board, stones }
    }
}

/// A position with a side to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct State {
    /// The stones.
    pub position: Position,
    /// Who moves next.
    pub to_move: Player,
}

impl State {
    /// The empty board with Black to move.
    pub fn new(board: Board) -> State {
        State { position: Position::new(board), to_move: Player::Black }
    }

    /// The board under the stones.
    pub fn board(&self) -> Board {
        self.position.board
    }

    /// The player who would colour the last cell if the board filled up. She is to move exactly when the
    /// number of empty cells is odd. This never changes during a game.
    pub fn last(&self) -> Player {
        if self.position.empty().len() % 2 == 1 { self.to_move } else { !self.to_move }
    }

    /// The cells that can be coloured: all empty ones, or none when somebody is joined.
    pub fn moves(&self) -> CellSet {
        if self.position.winner().is_some() { CellSet::EMPTY } else { self.position.empty() }
    }

    /// The state after the side to move colours `cell`.
    ///
    /// # Panics
    /// If the cell is not empty.
    pub fn play(&self, cell: Cell) -> State {
        assert!(self.position.empty().has(cell), "a move goes to an empty cell");
        State { position: self.position.with(cell, self.to_move), to_move: !self.to_move }
    }

    /// The image under a symmetry of the board.
    pub fn image(&self, symmetry: Symmetry) -> State {
        State { position: self.position.image(symmetry), to_move: symmetry.apply_to_player(self.to_move) }
    }

    /// The smallest image of this state under the symmetries of the board, and the symmetry to it.
    pub fn canonical(&self) -> (State, Symmetry) {
        Symmetry::of(self.board())
            .iter()
            .map(|&symmetry| (self.image(symmetry), symmetry))
            .min_by_key(|(image, _)| (image.to_move, image.position.stones))
            .expect("the identity is a symmetry of every board")
    }
}
