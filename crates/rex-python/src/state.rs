//! A position, as Python sees it.

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use rex_answers::answer::names;
use rex_answers::explain::{self, Explanation};
use rex_answers::notation::given_content;
use rex_answers::svg;
use rex_game::{Board, Cell, GameRecord, Player, Position};
use rex_theory::Options;

use crate::errors::{bad_text, bad_value};

/// Stones and a side to move; it never changes.
#[pyclass(frozen, eq, hash, module = "solrex._native")]
#[derive(PartialEq, Eq, Hash)]
pub struct State(pub rex_game::State);

#[pymethods]
impl State {
    /// Reads any notation.
    #[staticmethod]
    fn parse(py: Python, text: &str) -> PyResult<State> {
        let given = given_content(text).map_err(|error| bad_text(py, &error, text))?;
        match &given.records[..] {
            [record] => Ok(State(record.state())),
            several => Err(bad_value(format_args!("{} games; expected one", several.len()))),
        }
    }

    /// Sets stones up: for each cell 0 (empty), 1 (black) or 2 (white), row by row.
    #[staticmethod]
    fn from_stones(rows: usize, cols: usize, stones: &[u8], white_to_move: bool) -> PyResult<State> {
        let board = Board::new(rows, cols).map_err(bad_value)?;
        if stones.len() != board.len() {
            return Err(bad_value(format_args!("{} stones; expected {}", stones.len(), board.len())));
        }
        let mut position = Position::new(board);
        for (cell, &stone) in board.cells().into_iter().zip(stones) {
            position.set(
                cell,
                match stone {
                    0 => None,
                    1 => Some(Player::Black),
                    2 => Some(Player::White),
                    _ => return Err(bad_value("a stone that is none; expected 0, 1 or 2")),
                },
            );
        }
        let to_move = if white_to_move { Player::White } else { Player::Black };
        Ok(State(rex_game::State { position, to_move }))
    }

    #[getter]
    fn rows(&self) -> usize {
        self.0.board().rows()
    }

    #[getter]
    fn cols(&self) -> usize {
        self.0.board().cols()
    }

    #[getter]
    fn to_move(&self) -> String {
        self.0.to_move.to_string()
    }

    /// The player whose sides are not connected, if the other one's are.
    #[getter]
    fn winner(&self) -> Option<String> {
        self.0.position.winner().map(|player| player.to_string())
    }

    fn ren(&self) -> String {
        self.0.to_string()
    }

    fn diagram(&self) -> String {
        self.0.diagram().to_string()
    }

    fn sgf(&self) -> String {
        GameRecord::new(self.0).to_sgf()
    }

    fn hexworld(&self) -> String {
        GameRecord::new(self.0).to_hexworld()
    }

    fn svg(&self, title: &str) -> String {
        svg::board(&self.0.position, title, |_| None)
    }

    /// The names of all cells, row by row.
    fn cells(&self) -> Vec<String> {
        names(self.0.board(), self.0.board().cells())
    }

    fn moves(&self) -> Vec<String> {
        names(self.0.board(), self.0.moves())
    }

    /// What lies on each cell, row by row: 0, 1 for black, 2 for white.
    fn stones<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let stone = |cell: Cell| self.0.position.get(cell).map_or(0, |player| player.index() as u8 + 1);
        let stones: Vec<u8> = self.0.board().cells().into_iter().map(stone).collect();
        PyBytes::new(py, &stones)
    }

    /// Plays one or several moves.
    fn play(&self, py: Python, moves: &str) -> PyResult<State> {
        self.0.play_text(moves).map(State).map_err(|error| bad_text(py, &error, moves))
    }

    /// What follows without search, as JSON, as text and as a picture.
    fn explain(&self, py: Python) -> (String, String, String) {
        let state = self.0;
        py.detach(|| {
            let explanation = Explanation::new(&state, &Options::all());
            let object = rex_answers::answer::versioned(explain::object(&explanation));
            (object.to_string(), solrex::said::explanation(&explanation), solrex::said::picture(&explanation))
        })
    }
}
