//! What the search learns from each position it decides, and what that decides elsewhere.

use rex_game::{Cell, CellSet};
use rex_theory::pairing::Pairing;
use rex_theory::symmetry::notlast_wins_by_symmetry;
use rex_theory::{Field, Reduced};

use super::Search;
use crate::known::{Bounds, Part};
use crate::reasons::{Answers, Asked, Reason};

/// Less of a position is looked for only if it took at least this many nodes to solve.
const WORTH_A_LOOK: u64 = 16;

/// What is known of a field before anybody looks at it.
#[derive(Clone)]
pub struct Foreknown {
    /// Who wins it.
    pub winner: Option<Part>,
    /// Moves that lose.
    pub struck: CellSet,
    /// The empty cells.
    pub(super) empty: CellSet,
    /// For each move, the answers to it that lose.
    pub(super) answers: Answers,
}

impl Foreknown {
    /// A guess at the numbers of the position after a move. The fewer of its answers are open, the less must be shown
    /// for it to win.
    pub fn hasten(&self, guess: Bounds, mover: Part, cell: Cell) -> Bounds {
        let share = (u64::from(self.open_answers(cell)) + 1, self.empty.len() as u64);
        let own = guess.get(mover) * share.0 / share.1;
        Bounds::unsolved(mover, own, guess.get(mover.other()))
    }

    /// The numbers of the position after a move, found when so many answers were open, now that some of these lose.
    pub fn renew(&self, found: Bounds, mover: Part, cell: Cell, open_then: u8) -> Bounds {
        let open = self.open_answers(cell);
        if found.winner().is_some() || open >= open_then {
            return found;
        }
        let own = found.get(mover) * (u64::from(open) + 1);
        Bounds::unsolved(mover, own.div_ceil(u64::from(open_then) + 1), found.get(mover.other()))
    }

    /// How many answers to a move are open: no reason says that they lose.
    pub fn open_answers(&self, cell: Cell) -> u8 {
        (self.empty - cell.set() - self.answers[cell.index()]).len() as u8
    }
}

impl Search<'_> {
    /// What reasons say of a field.
    pub(super) fn foresee(&mut self, field: &Field) -> Foreknown {
        let mut known = Foreknown {
            winner: None,
            struck: CellSet::EMPTY,
            empty: field.empty(),
            answers: [CellSet::EMPTY; 64],
        };
        if !self.learns() {
            return known;
        }
        self.room.reasons.catch_up(self.log);
        let mover = Part::of(field.mover(), field.last);
        let Asked { decided, struck } = self.room.reasons.ask(field, mover);
        known.struck = struck;
        if decided.is_some() {
            known.winner = Some(mover.other());
        } else {
            let (decided, answers) = self.room.reasons.ask_answers(field, mover.other());
            known.winner = decided.then_some(mover);
            known.answers = answers;
        }
        if let Some(audit) = self.context.audit {
            for cell in struck {
                audit.judged(&field.with(cell, field.mover()), mover.other());
            }
            if let Some(winner) = known.winner {
                audit.judged(field, winner);
            }
        }
        known
    }

    fn learns(&self) -> bool {
        self.context.options.pairing_reasons || self.context.options.position_reasons
    }

    /// Learns from a pairing by which `winner` wins a field.
    pub(super) fn learn_pairing(&mut self, field: &Field, winner: Part, pairing: &Pairing) {
        if self.context.options.pairing_reasons {
            let reason = Reason::of_pairing(field, winner.other(), pairing);
            debug_assert!(reason.is_some(), "a pairing that does not join: {field:?} {pairing:?}");
            if let Some(reason) = reason {
                self.learn(reason);
            }
        }
    }

    /// Learns from a field that `winner` wins, and that took this many nodes.
    pub(super) fn learn_field(&mut self, field: &Field, winner: Part, nodes: u64) {
        let loser = winner.other();
        // What decided the winner's move may well decide the field itself.
        if !self.context.options.position_reasons || self.room.reasons.decide(field, loser).is_some() {
            return;
        }
        let worth = self.context.options.general_reasons && nodes >= WORTH_A_LOOK;
        let less = if worth { self.with_less(field, loser) } else { None };
        self.learn(Reason::of_field(&less.unwrap_or(*field), loser));
    }

    fn learn(&mut self, reason: Reason) {
        if let Some(audit) = self.context.audit {
            for worst in reason.worst(self.context.board) {
                audit.learned(&worst, reason.loser.other());
            }
        }
        self.log.add(reason);
        self.room.reasons.catch_up(self.log);
    }

    /// A field that is worse for the winner than this one, which `loser` loses, too.
    ///
    /// We look at one reason for each move: the loser's stones that none of them needs and the empty cells that none of
    /// them forbids might as well be the winner's. But moves are followed by fill-in, which may need more. So the new
    /// field must show for itself that the loser loses it.
    fn with_less(&mut self, field: &Field, loser: Part) -> Option<Field> {
        let player = loser.player(field.last);
        let reduced = Reduced::new(*field);
        let winning = self.winning;
        let moves: CellSet = if field.mover() == player {
            self.context.moves(&reduced, CellSet::EMPTY)
        } else {
            winning?.set()
        };
        let mut relevant = CellSet::EMPTY;
        for cell in moves {
            relevant |= self.cells_that_matter(&reduced, cell, loser)?;
        }
        let stones = field.own(player) - relevant;
        let mut empty = field.empty() - relevant;
        if empty.len() % 2 == 1 {
            // An even number, so that the same player moves.
            empty.pop();
        }
        let mut before = CellSet::EMPTY;
        [stones | empty, stones, empty].into_iter().find_map(|turned| {
            if turned.is_empty() || turned == before {
                return None;
            }
            before = turned;
            let mut less = *field;
            // A settled cell need not stay dead once a stone near it has changed hands. So it becomes the winner's first.
            less.stones[player.index()] = field.own(player) - turned;
            less.stones[(!player).index()] |= turned;
            self.is_lost_at_once(&less, loser, winning).then_some(less)
        })
    }

    /// Whether what we know decides a field against `loser` after one move: each of hers, or the winner's `winning` one.
    fn is_lost_at_once(&mut self, field: &Field, loser: Part, winning: Option<Cell>) -> bool {
        let mut reduced = Reduced::new(*field);
        if let Err(winner) = self.context.fill(&mut reduced, field.board.cells()) {
            return winner != loser;
        }
        if self.cells_that_decide(&reduced.field, loser).is_some() {
            return true;
        }
        if Part::of(reduced.field.mover(), field.last) != loser {
            return winning.is_some_and(|cell| {
                reduced.empty().has(cell) && self.cells_that_matter(&reduced, cell, loser).is_some()
            });
        }
        let moves = self.context.moves(&reduced, CellSet::EMPTY);
        if let Some(audit) = self.context.audit {
            audit.pruned(&reduced.field, moves);
        }
        let struck = self.room.reasons.ask(&reduced.field, loser).struck;
        (moves - struck).into_iter().all(|cell| self.cells_that_matter(&reduced, cell, loser).is_some())
    }

    /// If what we know decides a field against `loser` after a move: the cells that matter to that.
    fn cells_that_matter(&mut self, reduced: &Reduced, cell: Cell, loser: Part) -> Option<CellSet> {
        let mover = reduced.field.mover();
        if let Some(reason) = self.room.reasons.decide(&reduced.field.with(cell, mover), loser) {
            return Some(reason.forbid);
        }
        let mut after = reduced.clone();
        let changed = after.put(cell, mover);
        match self.context.fill(&mut after, changed) {
            // Fill-in decides it. What that needs we do not know; whoever proposes less must try.
            Err(winner) => (winner != loser).then_some(CellSet::EMPTY),
            Ok(_) => self.cells_that_decide(&after.field, loser),
        }
    }

    /// If what we know decides a filled field against `loser`: the cells that matter to that.
    fn cells_that_decide(&mut self, field: &Field, loser: Part) -> Option<CellSet> {
        if let Some(reason) = self.room.reasons.decide(field, loser) {
            return Some(reason.forbid);
        }
        if loser == Part::Notlast {
            return None;
        }
        let symmetry = notlast_wins_by_symmetry(field, &self.context.options)?;
        let mirror = |set| symmetry.apply(field.board, set);
        // Notlast may not have a stone whose image is not Last's.
        Some(
            mirror(field.own(!field.last)) | (field.board.cells() - mirror(field.stones[field.last.index()])),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_counts_the_answers_that_are_still_open() {
        let (move_to, mover) = (Cell::new(0), Part::Last);
        let known = |struck: usize| {
            let mut answers = [CellSet::EMPTY; 64];
            answers[0] = CellSet::first_n(struck + 1).without(move_to);
            Foreknown { winner: None, struck: CellSet::EMPTY, empty: CellSet::first_n(20), answers }
        };
        let found = Bounds::unsolved(mover, 100, 7);
        assert_eq!(known(9).open_answers(move_to), 10);
        assert_eq!(known(9).renew(found, mover, move_to, 10), found);
        assert_eq!(known(9).renew(found, mover, move_to, 21), Bounds::unsolved(mover, 50, 7));
        // However few are left, nothing is solved by that.
        assert_eq!(known(19).renew(Bounds::unsolved(mover, 1, 7), mover, move_to, 19).winner(), None);
        assert_eq!(known(19).renew(Bounds::won_by(mover), mover, move_to, 19), Bounds::won_by(mover));
    }
}
