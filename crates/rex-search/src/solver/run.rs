//! One request in progress: who wins, by which move, and the line of play.

use rex_game::{Cell, CellSet, Player, State};
use rex_theory::{Field, Options, Reduced};

use super::{Listener, MoveReport, MoveValue, Solution, Solver, progress};
use crate::dfpn::{Search, View};
use crate::known::{Bounds, Node, Part, Solved, Work};
use crate::limits::StopReason;
use crate::line_end::LineEnd;
use crate::parallel::{self, Task};

/// One request in progress.
pub(super) struct Run<'a, 'l> {
    pub(super) solver: &'a Solver,
    /// One per thread that has had work. The first one counts the nodes of all.
    pub(super) searches: Vec<Search<'a>>,
    /// At most this many.
    pub(super) threads: usize,
    pub(super) listener: Listener<'l>,
    /// The moves before the position being searched, for progress reports.
    pub(super) started_line: Vec<Cell>,
}

impl<'a> Run<'a, '_> {
    pub(super) fn search(&self) -> &Search<'a> {
        &self.searches[0]
    }

    pub(super) fn options(&self) -> &Options {
        &self.search().context.options
    }

    /// Decides a state.
    pub(super) fn winner(&mut self, state: &State) -> Result<Player, StopReason> {
        let bounds = self.bounds(state, Bounds::NO_LIMIT)?;
        let winner = bounds.winner().expect("a search without end comes back with a winner");
        Ok(winner.player(state.last()))
    }

    /// Searches a state until it is decided or one of its numbers reaches the limit.
    fn bounds(&mut self, state: &State, limit: Bounds) -> Result<Bounds, StopReason> {
        if let Some(winner) = state.position.winner() {
            return Ok(Bounds::won_by(Part::of(winner, state.last())));
        }
        self.search().watch.look()?;
        if let Some(entry) = self.solver.in_book(state) {
            return Ok(Bounds::won_by(Part::of(entry.winner, state.last())));
        }
        let field = Field::new(state);
        if let Some(winner) = self.search().context.mirrored(&field) {
            return Ok(Bounds::won_by(winner));
        }
        let (node, symmetry) = match self.search().context.node_of(&field) {
            Ok(node) => node,
            Err(winner) => return Ok(Bounds::won_by(winner)),
        };
        if let Some((winner, _)) = self.decided(&node) {
            return Ok(Bounds::won_by(winner));
        }
        self.solver.seed();
        let (line, listener) = (&self.started_line, &mut self.listener);
        let mut views = |view: &View| listener(&progress(view, line, field.last));
        let task = Task { node: &node, symmetry, limit, budget: u64::MAX };
        parallel::search(&mut self.searches, self.solver.team(self.threads), &task, &mut views)
    }

    /// Decides the state after a move.
    pub(super) fn winner_after(&mut self, state: &State, cell: Cell) -> Result<Player, StopReason> {
        self.started_line.push(cell);
        let winner = self.winner(&state.play(cell));
        self.started_line.pop();
        winner
    }

    /// What the book, the table or the memory knows of a state: who wins, and how much work it took.
    pub(super) fn look_up(&self, state: &State) -> Option<(Player, Work)> {
        if let Some(winner) = state.position.winner() {
            return Some((winner, Work::default()));
        }
        if let Some(entry) = self.solver.in_book(state) {
            return Some((entry.winner, Work::default()));
        }
        let field = Field::new(state);
        if let Some(winner) = self.search().context.mirrored(&field) {
            return Some((winner.player(field.last), Work::default()));
        }
        match self.search().context.node_of(&field) {
            Err(winner) => Some((winner.player(field.last), Work::default())),
            Ok((node, _)) => {
                let (winner, work) = self.decided(&node)?;
                Some((winner.player(field.last), work))
            }
        }
    }

    /// Who wins a node, if the table or the memory knows, and how much work it took.
    pub(super) fn decided(&self, node: &Node) -> Option<(Part, Work)> {
        let in_table = self.search().entry(node).and_then(|entry| Some((entry.bounds.winner()?, entry.work)));
        in_table.or_else(|| self.solver.recall(node).map(|solved| (solved.winner, Work::of(solved.nodes))))
    }

    /// The best move that the book has for a state; or the memory, if the side to move is still the same after fill-in.
    pub(super) fn remembered_move(&self, state: &State) -> Option<Cell> {
        if let Some(cell) = self.solver.in_book(state).and_then(|entry| entry.best) {
            return Some(cell);
        }
        self.solver.memory.as_ref()?;
        let (node, symmetry) = self.search().context.node_of(&Field::new(state)).ok()?;
        let cell = symmetry.apply_to_cell(state.board(), self.solver.recall(&node)?.best?);
        (self.keeps_mover(&node, state) && state.moves().has(cell)).then_some(cell)
    }

    /// Whether the side to move is still the same after fill-in to this node.
    pub(super) fn keeps_mover(&self, node: &Node, state: &State) -> bool {
        let filled = self.search().mover(node);
        filled == Part::of(state.to_move, state.last())
    }

    /// Stores the move found for the position asked about.
    pub(super) fn remember_best(&mut self, state: &State, solution: &Solution) {
        if solution.best.is_none() || self.solver.memory.is_none() {
            return;
        }
        // A verdict by symmetry costs nothing, but finding the move may have cost a lot.
        let solved = self.solved(state, solution.best, solution.nodes);
        self.searches[0].remember(solved.filter(|solved| solved.best.is_some()));
    }

    /// What is known of a state, with at least this much work, and with this best move if it is also a move of the
    /// filled state.
    pub(super) fn solved(&self, state: &State, best: Option<Cell>, nodes: u64) -> Option<Solved> {
        let (node, symmetry) = self.search().context.node_of(&Field::new(state)).ok()?;
        let (winner, work) = self.decided(&node)?;
        let open = node.field(state.board()).empty();
        let best = best.map(|cell| symmetry.apply_to_cell(state.board(), cell));
        let best = best.filter(|&cell| open.has(cell) && self.keeps_mover(&node, state));
        Some(Solved { node, winner, best, nodes: work.nodes().max(nodes) })
    }

    /// The side to move's winning move that took the least work, if there is one.
    pub(super) fn winning_move(&mut self, state: &State) -> Result<Option<Cell>, StopReason> {
        // Start with what is known. The memory may name another move, whose outcome it has not stored.
        if let Some(cell) = self.known_winning_move(state) {
            return Ok(Some(cell));
        }
        if let Some(cell) = self.remembered_move(state)
            && self.winner_after(state, cell)? == state.to_move
        {
            return Ok(Some(cell));
        }
        let moves = self.likely_moves(state);
        self.first_winning(state, &moves)
    }

    /// The first of these moves that is found to win. The search switches to whichever looks most promising: a verdict
    /// by symmetry says that one of them wins, and the one that looks best may be the hardest to decide.
    fn first_winning(&mut self, state: &State, moves: &[Cell]) -> Result<Option<Cell>, StopReason> {
        let mover = Part::of(state.to_move, state.last());
        let weighing = self.search().weighing;
        let mut bounds = vec![Bounds::UNKNOWN; moves.len()];
        while let Some(choice) = weighing.choose(mover, &bounds) {
            let cell = moves[choice.index];
            if choice.best == 0 {
                return Ok(Some(cell));
            }
            let limit =
                weighing.child_limit(mover, &choice, choice.index, bounds[choice.index], Bounds::NO_LIMIT);
            self.started_line.push(cell);
            let found = self.bounds(&state.play(cell), limit);
            self.started_line.pop();
            bounds[choice.index] = found?;
        }
        Ok(None)
    }

    /// A winning move that is known without search: the one in the memory, or the one that took the least work.
    pub(super) fn known_winning_move(&self, state: &State) -> Option<Cell> {
        let win =
            |cell: &Cell| self.look_up(&state.play(*cell)).filter(|(winner, _)| *winner == state.to_move);
        self.remembered_move(state).filter(|cell| win(cell).is_some()).or_else(|| {
            let known = state.moves().into_iter().filter_map(|cell| Some((win(&cell)?.1, cell)));
            known.min().map(|(_, cell)| cell)
        })
    }

    /// All moves, in the order in which the search would try them.
    pub(super) fn likely_moves(&mut self, state: &State) -> Vec<Cell> {
        let mut reduced = Reduced::new(Field::new(state));
        rex_theory::fill_in::fill_in(&mut reduced, self.options(), state.board().cells(), &mut ());
        let mut moves: Vec<Cell> = Vec::new();
        // A dead cell is as good as any move.
        moves.extend(reduced.field.settled() & state.moves());
        if reduced.joined.is_none() && moves.is_empty() {
            moves.extend(self.search().ordered_moves(&reduced));
        }
        let listed: CellSet = moves.iter().copied().collect();
        moves.extend(state.moves() - listed);
        moves
    }

    /// The move in a lost state that took most work to refute.
    pub(super) fn longest_resistance(&mut self, state: &State) -> Option<Cell> {
        let joins = |cell: Cell| state.play(cell).position.winner().is_some();
        if let Some(cell) = self.remembered_move(state)
            && !joins(cell)
        {
            return Some(cell);
        }
        let moves = state.moves().into_iter();
        let known = moves
            .filter_map(|cell| self.look_up(&state.play(cell)).map(|(_, work)| (!joins(cell), work, cell)));
        let best = known.max_by_key(|&(open, work, cell)| (open, work, std::cmp::Reverse(cell)));
        best.map(|(.., cell)| cell)
            .or_else(|| state.moves().into_iter().find(|&cell| !joins(cell)))
            .or(state.moves().first())
    }

    pub(super) fn principal_variation(
        &mut self,
        state: &State,
        solution: &mut Solution,
    ) -> Result<(), StopReason> {
        // If the book or the memory has the answer, give it at once and end the line where no more is known.
        let recalled = self.search().watch.nodes() == 0 && self.is_remembered(state);
        self.line(state, solution, None, |run, at| {
            if recalled && !run.started_line.is_empty() {
                Ok(run.known_winning_move(at))
            } else {
                run.winning_move(at)
            }
        })
    }

    /// Whether the book names a move.
    fn has_book_move(&self, state: &State) -> bool {
        self.solver.in_book(state).is_some_and(|entry| entry.best.is_some())
    }

    /// Whether the book or the memory knows a state.
    pub(super) fn is_remembered(&self, state: &State) -> bool {
        self.solver.in_book(state).is_some()
            || self.solver.memory.is_some()
                && self
                    .search()
                    .context
                    .node_of(&Field::new(state))
                    .is_ok_and(|(node, _)| self.solver.recall(&node).is_some())
    }

    /// The line of play: the winner's moves as `winning` finds them, against the longest resistance. It starts with
    /// `first` if given.
    pub(super) fn line(
        &mut self,
        state: &State,
        solution: &mut Solution,
        mut first: Option<Cell>,
        winning: impl Fn(&mut Self, &State) -> Result<Option<Cell>, StopReason>,
    ) -> Result<(), StopReason> {
        let Some(winner) = solution.winner else { return Ok(()) };
        let mut state = *state;
        solution.pv_end = None;
        let end = loop {
            if state.position.winner().is_some() {
                break LineEnd::Over;
            }
            let cell = match first.take() {
                Some(cell) => Some(cell),
                None if state.to_move == winner => winning(self, &state)?,
                None => self.longest_resistance(&state),
            };
            let Some(cell) = cell else { break LineEnd::Unknown };
            if solution.pv.is_empty() {
                solution.best = Some(cell);
            }
            solution.pv.push(cell);
            self.started_line.push(cell);
            state = state.play(cell);
            if state.position.winner().is_none()
                && let Some(end) = self.searches[0].decided_at_once(&Field::new(&state))
                && !(end == LineEnd::Symmetry && self.has_book_move(&state))
            {
                break end;
            }
        };
        solution.pv_end = Some(end);
        self.started_line.clear();
        Ok(())
    }

    /// Finds out what a move is worth. If a limit stops this, the report keeps what is known so far.
    pub(super) fn report(
        &mut self,
        state: &State,
        report: &mut MoveReport,
        with_replies: bool,
    ) -> Result<(), StopReason> {
        let cell = report.cell;
        if self.winner_after(state, cell)? == state.to_move {
            report.value = MoveValue::Win;
            return Ok(());
        }
        report.value = MoveValue::Loss;
        let child = state.play(cell);
        self.started_line.push(cell);
        let found = self.refute(&child, report, with_replies);
        self.started_line.pop();
        found
    }

    /// Reports what is known of a move without search.
    pub(super) fn report_known(&self, state: &State, report: &mut MoveReport) {
        let child = state.play(report.cell);
        match self.look_up(&child) {
            Some((winner, _)) if winner == state.to_move => report.value = MoveValue::Win,
            Some(_) => {
                report.value = MoveValue::Loss;
                report.refutation = self.known_winning_move(&child);
            }
            None => {}
        }
    }

    /// Finds a winning reply to a losing move, and with `with_replies` how many there are.
    fn refute(
        &mut self,
        child: &State,
        report: &mut MoveReport,
        with_replies: bool,
    ) -> Result<(), StopReason> {
        report.refutation = self.winning_move(child)?;
        if with_replies && child.position.winner().is_none() {
            let mut wins = 0;
            for reply in child.moves() {
                wins += usize::from(self.winner_after(child, reply)? == child.to_move);
            }
            report.replies = Some(wins);
        }
        Ok(())
    }
}
