//! The grade of a move: how many winning moves the winner has next.

use std::collections::VecDeque;

use rex_game::{Cell, State};
use rex_search::{MoveReport, MoveValue};
use serde_json::json;

use super::{PageSearch, Session, Tell};
use crate::answer::{add, word};

/// Nodes after which no harder reply to a winning move is looked for.
const HARDEST_REPLY: u64 = 1_000;

/// How much room a move leaves to whoever wins after it: the winning moves she then has. After a losing move these are
/// the opponent's replies that refute it. After a winning one, they are the mover's own answers to the hardest reply: the
/// one that leaves her the fewest.
pub(super) struct Count {
    cell: Cell,
    value: MoveValue,
    /// The position after the move.
    after: State,
    /// The replies to a winning move that are still to be tried, the one that resists longest first.
    replies: VecDeque<Cell>,
    /// Where the winner is to move, and the reply that leads there.
    now: Option<(Option<Cell>, Tally)>,
    /// The fewest so far.
    fewest: Option<(Option<Cell>, Tally)>,
    /// Nodes when it began.
    since: u64,
}

/// Winning moves that were counted in a position.
#[derive(Clone)]
struct Tally {
    state: State,
    untried: VecDeque<Cell>,
    winning: usize,
}

impl Tally {
    fn new(state: State) -> Tally {
        Tally { state, untried: state.moves().into_iter().collect(), winning: 0 }
    }
}

impl PageSearch {
    /// The moves in the order in which they are graded: first those whose replies are all known, then the suggested one,
    /// at which somebody looks, then the others.
    pub(super) fn grading_order(
        &self,
        session: &impl Session,
        best: Option<Cell>,
        reports: &[MoveReport],
    ) -> VecDeque<(Cell, MoveValue)> {
        let is_known = |report: &MoveReport| {
            let after = self.state.play(report.cell);
            let known = |cell| {
                session.solver().is_some_and(|solver| solver.known_winner(&after.play(cell)).is_some())
            };
            report.value == MoveValue::Loss && after.moves().into_iter().all(known)
        };
        let rank = |report: &MoveReport| match is_known(report) {
            true => 0,
            false if Some(report.cell) == best => 1,
            false => 2,
        };
        let mut ranked: Vec<_> =
            reports.iter().map(|report| (rank(report), (report.cell, report.value))).collect();
        ranked.sort_by_key(|&(rank, _)| rank);
        ranked.into_iter().map(|(_, one)| one).collect()
    }

    /// Grades the moves that are left, until a limit is reached.
    pub(super) fn grade<S: Session>(
        &mut self,
        session: &mut S,
        left: &mut VecDeque<(Cell, MoveValue)>,
        count: &mut Option<Count>,
        tell: Tell,
    ) -> Result<(), S::Refused> {
        while !session.is_over() {
            if let Some(open) = count {
                self.count_on(session, open, tell)?;
                *count = None;
            } else if let Some(&(cell, value)) = left.front() {
                *count = self.count_after(session, cell, value, tell)?;
                left.pop_front();
            } else {
                break;
            }
        }
        Ok(())
    }

    /// Prepares to grade a move. There is nothing to count if the game is then over.
    fn count_after<S: Session>(
        &mut self,
        session: &mut S,
        cell: Cell,
        value: MoveValue,
        tell: Tell,
    ) -> Result<Option<Count>, S::Refused> {
        let after = self.state.play(cell);
        if value == MoveValue::Unknown || after.position.winner().is_some() {
            return Ok(None);
        }
        let mut count = Count {
            cell,
            value,
            after,
            replies: VecDeque::new(),
            now: None,
            fewest: None,
            since: session.nodes(),
        };
        if value == MoveValue::Loss {
            count.now = Some((None, Tally::new(after)));
            return Ok(Some(count));
        }
        let (solution, ()) = session
            .ask(None, tell, |attempt, _| (attempt.solver.ask(&after).limits(&attempt.limits).solve(), ()))?;
        let others = after.moves().into_iter().filter(|&reply| Some(reply) != solution.best);
        // A reply that connects is none.
        let goes_on = |reply: &Cell| after.play(*reply).position.winner().is_none();
        count.replies = solution.best.into_iter().chain(others).filter(goes_on).collect();
        Ok(Some(count))
    }

    /// Counts to the end, and tells the number. On large boards it stops at the hardest reply found for a while.
    fn count_on<S: Session>(
        &mut self,
        session: &mut S,
        count: &mut Count,
        tell: Tell,
    ) -> Result<(), S::Refused> {
        loop {
            if let Some((reply, tally)) = &mut count.now {
                let most = count.fewest.as_ref().map(|(_, fewest)| fewest.winning);
                if !self.tally_on(session, &[Some(count.cell), *reply], tally, most, tell)? {
                    // A limit was reached.
                    break;
                }
                if most.is_none_or(|most| tally.winning < most) {
                    count.fewest = count.now.take();
                }
                count.now = None;
            }
            let enough = count.fewest.as_ref().is_some_and(|(_, fewest)| fewest.winning <= 1)
                || (count.fewest.is_some() && session.nodes() - count.since > HARDEST_REPLY);
            match count.replies.front() {
                Some(&reply) if !enough => {
                    count.now = Some((Some(reply), Tally::new(count.after.play(reply))));
                    count.replies.pop_front();
                }
                _ => break,
            }
        }
        let Some((reply, fewest)) = &count.fewest else { return Ok(()) };
        let board = self.state.board();
        let mut grade = json!({
            "cell": board.name(count.cell),
            "value": word(count.value),
            "winning": fewest.winning,
            "of": fewest.state.moves().len(),
        });
        add(&mut grade, "reply", reply.map(|cell| board.name(cell)));
        tell("grade", grade);
        Ok(())
    }

    /// Counts the winning moves of a position, until there are as many as `most`. Returns whether no limit was reached.
    fn tally_on<S: Session>(
        &mut self,
        session: &mut S,
        before: &[Option<Cell>],
        tally: &mut Tally,
        most: Option<usize>,
        tell: Tell,
    ) -> Result<bool, S::Refused> {
        while let Some(&cell) = tally.untried.front()
            && most.is_none_or(|most| tally.winning < most)
        {
            let after = tally.state.play(cell);
            let line: Vec<Cell> = before.iter().copied().flatten().chain([cell]).collect();
            let mut so_far = self.so_far();
            let asked = session.ask(None, tell, |attempt, tell| {
                let request = attempt.solver.ask(&after).limits(&attempt.limits);
                (request.on_progress(|now| so_far.tell(attempt, now, &line, tell)).verdict(), ())
            });
            self.last_progress = so_far.last;
            let winner = asked?.0.winner;
            let Some(winner) = winner else { return Ok(false) };
            tally.winning += usize::from(winner == tally.state.to_move);
            tally.untried.pop_front();
        }
        Ok(true)
    }
}
