//! The shapes of `--json` lines. Keys come out in the order of the fields.

use std::time::Duration;

use rex_game::{Board, Cell, Player, State};
use rex_search::{MoveReport, MoveValue, Solution};
use serde::Serialize;
use serde_json::{Map, Value};

/// The version of these shapes.
pub const V: u32 = 1;

/// `solrex solve`.
#[derive(Serialize)]
pub struct SolveAnswer {
    v: u32,
    position: String,
    to_move: String,
    winner: Option<String>,
    best: Option<String>,
    pv: Vec<String>,
    nodes: u64,
    seconds: f64,
    /// Why the line of play ends there, if it was not cut off.
    #[serde(skip_serializing_if = "Option::is_none")]
    pv_end: Option<&'static str>,
    /// Which limit stopped the search.
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped: Option<&'static str>,
    /// With `--verdict-only`: the verdict is by symmetry, which names no move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub existence: Option<bool>,
}

impl SolveAnswer {
    /// The answer for a state.
    pub fn new(state: &State, solution: &Solution) -> SolveAnswer {
        let board = state.board();
        SolveAnswer {
            v: V,
            position: state.to_string(),
            to_move: state.to_move.to_string(),
            winner: solution.winner.map(|player| player.to_string()),
            best: solution.best.map(|cell| board.name(cell)),
            pv: solution.pv.iter().map(|&cell| board.name(cell)).collect(),
            nodes: solution.nodes,
            seconds: seconds(solution.time),
            pv_end: solution.pv_end.map(|end| end.word()),
            stopped: solution.stopped.map(|reason| reason.word()),
            existence: None,
        }
    }
}

/// `solrex moves`.
#[derive(Serialize)]
pub struct MovesAnswer {
    #[serde(flatten)]
    solve: SolveAnswer,
    moves: Map<String, Value>,
    refutations: Map<String, Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    replies: Option<Map<String, Value>>,
}

impl MovesAnswer {
    /// The answer for a state.
    pub fn new(state: &State, solution: &Solution, reports: &[MoveReport], replies: bool) -> MovesAnswer {
        let board = state.board();
        let map = |value: &dyn Fn(&MoveReport) -> Option<Value>| -> Map<String, Value> {
            reports.iter().filter_map(|report| Some((board.name(report.cell), value(report)?))).collect()
        };
        MovesAnswer {
            solve: SolveAnswer::new(state, solution),
            moves: map(&|report| Some(word(report.value).into())),
            refutations: map(&|report| Some(board.name(report.refutation?).into())),
            replies: replies.then(|| map(&|report| Some(report.replies?.into()))),
        }
    }
}

/// The word for a value.
pub fn word(value: MoveValue) -> &'static str {
    match value {
        MoveValue::Win => "win",
        MoveValue::Loss => "loss",
        MoveValue::Unknown => "unknown",
    }
}

/// One line of `solrex openings`.
#[derive(Serialize)]
pub struct OpeningAnswer {
    v: u32,
    r#move: String,
    winner: Option<String>,
    nodes: u64,
    seconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped: Option<&'static str>,
}

impl OpeningAnswer {
    /// The answer for an opening.
    pub fn new(board: Board, cell: Cell, solution: &Solution) -> OpeningAnswer {
        OpeningAnswer {
            v: V,
            r#move: board.name(cell),
            winner: solution.winner.map(|player: Player| player.to_string()),
            nodes: solution.nodes,
            seconds: seconds(solution.time),
            stopped: solution.stopped.map(|reason| reason.word()),
        }
    }
}

/// Seconds to the microsecond.
pub fn seconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e6
}
