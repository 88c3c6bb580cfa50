//! The blocks that HexGui shows on its board and in its status line: how a search goes, and what came of it.

use std::fmt::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use rex_game::{Cell, State};
use rex_search::{MoveReport, MoveValue, Progress, Solution};

use super::conversation::Conversation;
use super::input::CommandLine;
use crate::{show::output, show::text, system::interrupt};

/// Between two looks at a running search.
const BETWEEN: Duration = Duration::from_millis(500);

/// A move, and whether it wins.
pub type Label = (Cell, bool);

/// Shows the progress and the result of a search.
pub struct Live {
    state: State,
    on: bool,
    watched: bool,
    cancel: Arc<AtomicBool>,
    shown: Option<Duration>,
    /// The solved moves.
    decided: Vec<Label>,
}

impl Live {
    pub fn new(conversation: &Conversation, line: &CommandLine, state: &State) -> Live {
        Live {
            state: *state,
            on: conversation.live,
            watched: conversation.live && conversation.watched,
            cancel: line.cancel.clone(),
            shown: None,
            decided: Vec::new(),
        }
    }

    pub fn decide(&mut self, report: &MoveReport) {
        self.decided.push((report.cell, report.value == MoveValue::Win));
    }

    /// Shows progress now and then. Ends the search if nobody reads the output any more, or after Ctrl-C.
    pub fn show(&mut self, progress: &Progress) {
        if interrupt::pressed() {
            self.cancel.store(true, Relaxed);
        }
        let due = self.shown.is_none_or(|shown| progress.elapsed >= shown + BETWEEN);
        if !self.on || !due {
            return;
        }
        self.shown = Some(progress.elapsed);
        let [black, white] = progress.bounds;
        let nodes = text::count(progress.nodes, "node");
        let figures = format!("{nodes}, {}, black {black} white {white}", text::seconds(progress.elapsed));
        if output::bytes(block(&self.state, &progress.line, &self.decided, &figures).as_bytes()).is_err() {
            self.cancel.store(true, Relaxed);
        }
    }

    /// Shows the result, if somebody is looking: of its buttons' responses HexGui shows only moves.
    pub fn finish(&self, labels: impl FnOnce() -> Vec<Label>, verdict: impl FnOnce() -> String) {
        if self.watched {
            // If nobody reads it, nobody reads the response either, and that ends the program.
            let _ = output::bytes(block(&self.state, &[], &labels(), &verdict()).as_bytes());
        }
    }
}

/// A line of play, the moves that are decided, and text, as HexGui reads them.
fn block(state: &State, line: &[Cell], labels: &[Label], words: &str) -> String {
    let board = state.board();
    let mut text = "gogui-gfx:\ndfpn\nVAR".to_owned();
    let mut player = state.to_move;
    for &cell in line {
        let _ = write!(text, " {} {}", text::letter(player), board.name(cell));
        player = !player;
    }
    text += "\nLABEL";
    for &(cell, wins) in labels {
        let _ = write!(text, " {} {}", board.name(cell), if wins { 'W' } else { 'L' });
    }
    let _ = write!(text, "\nTEXT {words}\n\n");
    text
}

/// Who wins, in a sentence; `winning` are the moves that are known to win.
pub fn verdict(state: &State, solution: &Solution, winning: &[Cell]) -> String {
    let board = state.board();
    let mover = text::name(state.to_move);
    if let Some(winner) = state.position.winner() {
        let (winner, loser) = (text::name(winner), text::name(!winner));
        return format!("The game is over: {loser} has connected both sides, so {winner} wins this Rex game");
    }
    let Some(winner) = solution.winner else {
        let nodes = text::count(solution.nodes, "node");
        return format!("Stopped after {nodes}: the winner of this Rex position is unknown");
    };
    let wins = format!("{} wins this Rex position", text::name(winner));
    match winning {
        _ if winner != state.to_move => format!("{wins}: every move of {mover} loses"),
        [] => format!("{wins}, but no winning move is known yet"),
        cells => format!("{wins} with {}", text::cells(board, cells.iter().copied())),
    }
}

#[cfg(test)]
mod tests {
    use rex_game::Player;

    use super::*;

    fn state(position: &str) -> State {
        position.parse().unwrap()
    }

    #[test]
    fn a_block_has_the_line_the_labels_and_the_words() {
        let state = state("4x4 d1");
        let cell = |name| state.board().cell_named(name).unwrap();
        assert_eq!(
            block(&state, &[cell("a1"), cell("c1")], &[(cell("b2"), true), (cell("c2"), false)], "12 nodes"),
            "gogui-gfx:\ndfpn\nVAR W a1 B c1\nLABEL b2 W c2 L\nTEXT 12 nodes\n\n"
        );
        assert_eq!(block(&state, &[], &[], "so"), "gogui-gfx:\ndfpn\nVAR\nLABEL\nTEXT so\n\n");
    }

    #[test]
    fn a_verdict_says_who_wins_and_how() {
        let won = |winner| Solution { winner: Some(winner), ..Solution::default() };
        let at = state("4x4 d1 a1");
        let cells = ["a2", "c1"].map(|name| at.board().cell_named(name).unwrap());
        for (position, solution, winning, wanted) in [
            (at, won(Player::Black), &cells[..1], "Black wins this Rex position with a2"),
            (at, won(Player::Black), &cells[..], "Black wins this Rex position with a2 c1"),
            (at, won(Player::Black), &[], "Black wins this Rex position, but no winning move is known yet"),
            (at, won(Player::White), &[], "White wins this Rex position: every move of Black loses"),
            (
                at,
                Solution { nodes: 1234, ..Solution::default() },
                &[],
                "Stopped after 1,234 nodes: the winner of this Rex position is unknown",
            ),
            (
                state("b1/b1 w"),
                won(Player::White),
                &[],
                "The game is over: Black has connected both sides, so White wins this Rex game",
            ),
        ] {
            assert_eq!(verdict(&position, &solution, winning), wanted);
        }
    }
}
