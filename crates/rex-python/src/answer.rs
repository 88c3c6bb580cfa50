//! An answer of the solver, as Python sees it.

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use rex_answers::answer::{names, seconds, verdict, versioned, word};
use rex_answers::svg::{self, Drawing, Look};
use rex_answers::{answer, explain};
use rex_game::{Cell, Player, State};
use rex_search::{MoveReport, MoveValue, Solution};
use rex_theory::Options;

/// What was found out about a position.
#[pyclass(frozen, module = "solrex._native")]
pub struct Answer {
    state: State,
    solution: Solution,
    /// The value of every move, if that was asked for, and whether replies were counted.
    reports: Option<(Vec<MoveReport>, bool)>,
    /// Whether an argument that names no move was enough.
    existence: bool,
}

impl Answer {
    /// Who wins, by which move.
    pub fn of_solution(state: State, solution: Solution) -> Answer {
        Answer { state, solution, reports: None, existence: false }
    }

    /// Who wins, perhaps by an argument that names no move.
    pub fn of_verdict(state: State, solution: Solution) -> Answer {
        let existence =
            solution.winner.is_some() && explain::is_existence_argument(&state, &Options::default());
        Answer { existence, ..Answer::of_solution(state, solution) }
    }

    /// With the value of every move.
    pub fn of_values(state: State, solution: Solution, reports: Vec<MoveReport>, replies: bool) -> Answer {
        Answer { reports: Some((reports, replies)), ..Answer::of_solution(state, solution) }
    }

    /// Who wins, if that is known.
    pub fn winning_player(&self) -> Option<Player> {
        self.solution.winner
    }

    /// One sentence.
    pub fn summary(&self) -> String {
        solrex::said::sentence(&self.state, &self.solution)
    }

    fn name(&self, cell: Cell) -> String {
        self.state.board().name(cell)
    }

    fn reports(&self) -> &[MoveReport] {
        self.reports.as_ref().map_or(&[], |(reports, _)| reports)
    }

    /// A dictionary with the cells for which there is a value.
    fn by_cell<'py, T: IntoPyObject<'py>>(
        &self,
        py: Python<'py>,
        value: impl Fn(&MoveReport) -> Option<T>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let all = PyDict::new(py);
        for report in self.reports() {
            if let Some(value) = value(report) {
                all.set_item(self.name(report.cell), value)?;
            }
        }
        Ok(all)
    }
}

#[pymethods]
impl Answer {
    #[getter]
    fn state(&self) -> crate::state::State {
        crate::state::State(self.state)
    }

    #[getter]
    fn winner(&self) -> Option<String> {
        self.solution.winner.map(|player| player.to_string())
    }

    #[getter]
    fn best(&self) -> Option<String> {
        self.solution.best.map(|cell| self.name(cell))
    }

    #[getter]
    fn pv(&self) -> Vec<String> {
        names(self.state.board(), self.solution.pv.iter().copied())
    }

    #[getter]
    fn nodes(&self) -> u64 {
        self.solution.nodes
    }

    #[getter]
    fn seconds(&self) -> f64 {
        seconds(self.solution.time)
    }

    #[getter]
    fn book(&self) -> bool {
        self.solution.book
    }

    #[getter]
    fn stopped(&self) -> Option<&'static str> {
        self.solution.stopped.map(|reason| reason.word())
    }

    #[getter]
    fn has_values(&self) -> bool {
        self.reports.is_some()
    }

    fn values<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.by_cell(py, |report| Some(word(report.value)))
    }

    fn refutations<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.by_cell(py, |report| report.refutation.map(|cell| self.name(cell)))
    }

    fn replies<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.by_cell(py, |report| report.replies)
    }

    /// For each cell, row by row, one signed byte: 1 if the move wins, -1 if it loses, 0 if that is not known or there
    /// is a stone.
    fn grid<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let mut grid = vec![0; self.state.board().len()];
        for report in self.reports() {
            grid[report.cell.index()] = match report.value {
                MoveValue::Win => 1i8,
                MoveValue::Loss => -1,
                MoveValue::Unknown => 0,
            } as u8;
        }
        PyBytes::new(py, &grid)
    }

    /// The object that the program prints.
    fn json(&self) -> String {
        let object = match &self.reports {
            Some((reports, replies)) => answer::moves(&self.state, &self.solution, reports, *replies),
            None => verdict(&self.state, &self.solution, self.existence),
        };
        versioned(object).to_string()
    }

    /// What the program says.
    fn text(&self) -> String {
        match &self.reports {
            Some((reports, _)) => solrex::said::moves(&self.state, &self.solution, reports),
            None => solrex::said::solution(&self.state, &self.solution, self.existence),
        }
    }

    /// The board, with green moves that win, red moves that lose, and a ring around the best one.
    fn svg(&self) -> String {
        let wins = |cell: Cell| match self.reports().iter().find(|report| report.cell == cell) {
            Some(report) => match report.value {
                MoveValue::Win => Some(true),
                MoveValue::Loss => Some(false),
                MoveValue::Unknown => None,
            },
            None if self.solution.best == Some(cell) => Some(self.solution.winner? == self.state.to_move),
            None => None,
        };
        let look = |cell| Look {
            fill: wins(cell).map_or(svg::BLANK, |wins| if wins { svg::GREEN } else { svg::RED }),
            ring: self.solution.best == Some(cell),
            ..Look::default()
        };
        let title = match self.solution.winner {
            Some(winner) => format!("{}: {} wins", self.state, answer::name(winner)),
            None => format!("{}: not solved", self.state),
        };
        svg::page(
            &Drawing { position: &self.state.position, look: &look, arrows: &[], links: &[] },
            &title,
            &[],
        )
    }
}
