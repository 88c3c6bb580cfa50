use rex_game::{Board, Cell, CellSet, Player, Position, State, Symmetry};

/// A position as the theory sees it: stones, and who is Last.
///
/// A cell in both players' sets is *settled*: it is dead, so its colour can never matter, and neither player's graph
/// contains it. The side to move is not stored: Last moves exactly when the number of empty cells is odd. So a
/// fill-in that keeps Last always leaves the right side to move, even when settling a cell hands the move to the
/// other player.
///
/// ```
/// use rex_game::{Player, State};
/// use rex_theory::Field;
///
/// let state: State = "3x3 b1".parse()?;
/// let mut field = Field::new(&state);
/// // Eight cells are empty and White moves, so Black would colour the last one.
/// assert_eq!((field.mover(), field.last), (Player::White, Player::Black));
/// // a1 is dead. Settling it hands the move over: seven cells are left, and Black is still Last.
/// let a1 = state.board().cell_named("a1").unwrap();
/// field = field.with(a1, Player::Black).with(a1, Player::White);
/// assert_eq!((field.mover(), field.settled()), (Player::Black, a1.set()));
/// # Ok::<(), rex_game::NotationError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Field {
    /// The board under the stones.
    pub board: Board,
    /// By [`Player::index`]; cells in both sets are settled.
    pub stones: [CellSet; 2],
    /// Who would colour the last cell.
    pub last: Player,
}

impl Field {
    /// The field of a state.
    pub fn new(state: &State) -> Field {
        Field {
            board: state.board(),
            stones: Player::BOTH.map(|player| state.position.stones(player)),
            last: state.last(),
        }
    }

    /// The cells that have no stone and are not settled.
    #[inline]
    pub fn empty(&self) -> CellSet {
        self.board.cells() - (self.stones[0] | self.stones[1])
    }

    /// The settled cells.
    #[inline]
    pub fn settled(&self) -> CellSet {
        self.stones[0] & self.stones[1]
    }

    /// The stones of a player, without settled cells.
    #[inline]
    pub fn own(&self, player: Player) -> CellSet {
        self.stones[player.index()] - self.stones[(!player).index()]
    }

    /// The side to move.
    #[inline]
    pub fn mover(&self) -> Player {
        if self.empty().len() % 2 == 1 { self.last } else { !self.last }
    }

    /// This field with one more stone.
    #[inline]
    pub fn with(mut self, cell: Cell, player: Player) -> Field {
        self.stones[player.index()].insert(cell);
        self
    }

    /// The image of this field under a symmetry of its board. A symmetry that swaps the colours makes the other
    /// player Last.
    pub fn image(&self, symmetry: Symmetry) -> Field {
        let [black, white] = self.stones.map(|set| symmetry.apply(self.board, set));
        if symmetry.swaps_colours() {
            Field { stones: [white, black], last: !self.last, ..*self }
        } else {
            Field { stones: [black, white], ..*self }
        }
    }

    /// The smallest image, comparing stones as numbers, and a symmetry that leads to it (and back). Who is Last does
    /// not count in the comparison.
    pub fn least_image(&self) -> (Field, Symmetry) {
        let images = Symmetry::of(self.board).iter().map(|&symmetry| (self.image(symmetry), symmetry));
        images.min_by_key(|(image, _)| image.stones).expect("there is the identity")
    }

    /// A state with the same winner. Settled cells become Black's.
    pub fn to_state(&self) -> State {
        let [black, white] = self.stones;
        State { position: Position::with_stones(self.board, black, white - black), to_move: self.mover() }
    }
}
