//! Positions drawn as text.

use std::fmt;

use crate::{Cell, Player, Position, State};

mod parse;

/// A position drawn as text, each row half a cell further right than the one above, as on a Hex board.
///
/// ```
/// let state: rex_game::State = "1b1w/3w/w2b/2b1 b".parse()?;
/// let drawn = "
///        black
///       a b c d
///      1 . B . W 1
/// white 2 . . . W 2 white
///        3 W . . B 3
///         4 . . B . 4
///            a b c d
///             black
/// black to move
/// ";
/// assert_eq!(state.diagram().to_string(), drawn.trim_start_matches('\n'));
/// assert_eq!(rex_game::State::from_diagram(drawn)?, state);
/// # Ok::<(), rex_game::NotationError>(())
/// ```
#[derive(Clone, Copy)]
pub struct Diagram<'a> {
    position: Position,
    to_move: Option<Player>,
    symbols: [char; 3],
    marks: Option<&'a dyn Fn(Cell) -> Option<String>>,
}

impl<'a> Diagram<'a> {
    /// Draws with `●`, `○` and `·` in place of `B`, `W` and `.`.
    pub fn unicode(mut self) -> Diagram<'a> {
        self.symbols = ['●', '○', '·'];
        self
    }

    /// Draws the text that `marks` returns for a cell in place of its symbol: one column, apart from styles.
    ///
    /// ```
    /// use rex_game::{Board, State};
    ///
    /// let state = State::new(Board::new(1, 3)?);
    /// let b1 = state.board().cell_named("b1");
    /// let best = |cell| (Some(cell) == b1).then(|| "*".to_owned());
    /// assert!(state.diagram().marks(&best).to_string().contains("1 . * . 1"));
    /// # Ok::<(), rex_game::BoardError>(())
    /// ```
    pub fn marks<'b>(self, marks: &'b dyn Fn(Cell) -> Option<String>) -> Diagram<'b> {
        Diagram { position: self.position, to_move: self.to_move, symbols: self.symbols, marks: Some(marks) }
    }
}

impl Position {
    /// A drawing of the stones.
    pub fn diagram(&self) -> Diagram<'static> {
        Diagram { position: *self, to_move: None, symbols: ['B', 'W', '.'], marks: None }
    }
}

impl State {
    /// A drawing of the stones, with a last line that says who is to move.
    pub fn diagram(&self) -> Diagram<'static> {
        Diagram { to_move: Some(self.to_move), ..self.position.diagram() }
    }
}

impl fmt::Display for Diagram<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let board = self.position.board();
        let (rows, cols) = (board.rows(), board.cols());
        let digits = rows.to_string().len();
        // The word `white` and a space go to the left of the middle row, which is already indented.
        let middle = (rows - 1) / 2;
        let margin = "white ".len().saturating_sub(middle);
        // The letters are placed like a row above the first one and a row below the last one.
        let first = margin + digits;
        let last = first + rows + 1;
        let letters =
            (0..cols).map(|col| ((b'a' + col as u8) as char).to_string()).collect::<Vec<_>>().join(" ");
        let centre = |left: usize| left + cols - 1 - "black".len() / 2;

        writeln!(f, "{:1$}{2}", "", centre(first), Player::Black)?;
        writeln!(f, "{:first$}{letters}", "")?;
        for row in 0..rows {
            let number = row + 1;
            let left = if row == middle { format!("{} {number}", Player::White) } else { number.to_string() };
            let right =
                if row == middle { format!("{number} {}", Player::White) } else { number.to_string() };
            write!(f, "{left:>0$}", first + row)?;
            for cell in (0..cols).filter_map(|col| board.cell(row, col)) {
                match self.marks.and_then(|marks| marks(cell)) {
                    Some(mark) => write!(f, " {mark}")?,
                    None => write!(f, " {}", self.symbols[self.position.get(cell).map_or(2, Player::index)])?,
                }
            }
            writeln!(f, " {right}")?;
        }
        writeln!(f, "{:last$}{letters}", "")?;
        writeln!(f, "{:1$}{2}", "", centre(last), Player::Black)?;
        if let Some(player) = self.to_move {
            writeln!(f, "{player} to move")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Diagram<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Diagram(\n{self})")
    }
}
