//! Verdicts without search: by symmetry, by mirror pairings, and by other pairings.

use std::io::Read;

use rex_game::{Board, CellSet};
use rex_theory::exact_pairing::{Known, Outcome, find_pairing_with};
use rex_theory::hsearch::HSearch;
use rex_theory::mirror_pairing::mirror_pairing;
use rex_theory::pairing::Pairing;
use rex_theory::symmetry::notlast_wins_by_symmetry;
use rex_theory::{Options, Reduced};

use crate::checkpoint::{CheckpointError, Reader};
use crate::known::Part;

/// An exact pairing search of more steps finds nearly all that H-search does, so H-search is not asked before it. That is
/// wherever a net guides.
const LONG: u32 = 1_000;
/// On smaller boards the exact pairing search begins from nothing: a pairing is found sooner than an earlier one is chosen.
const FEWEST_CELLS_WITH_SEEDS: usize = 30;

/// How many pairings of earlier positions the exact pairing search tries on a board with so many cells: 5 on 6x6, 9 on 7x7, 16 on
/// 8x8.
fn seeds(cells: usize) -> usize {
    if cells < FEWEST_CELLS_WITH_SEEDS { 0 } else { cells * cells / 256 }
}

/// Decides positions by symmetry and by pairings. Keeps the memory that H-search needs.
#[derive(Default)]
pub struct Judge {
    hsearch: HSearch,
    /// What the exact pairing search knows of each player from the positions before.
    known: [Known; 2],
}

/// What the judge says of a position.
pub enum Judgement {
    /// Decided: this part wins by symmetry, which names no move.
    Symmetric(Part),
    /// Decided: this part wins by a pairing.
    Paired(Part, Pairing),
    /// Not decided. The mover must not take these keys of her own pre-join pairings.
    Open(CellSet),
}

impl Judgement {
    /// Who wins, if it is decided.
    pub fn winner(&self) -> Option<Part> {
        match *self {
            Judgement::Symmetric(winner) | Judgement::Paired(winner, _) => Some(winner),
            Judgement::Open(_) => None,
        }
    }
}

impl Judge {
    /// A judge for boards of at most this many cells.
    pub fn for_cells(cells: usize) -> Judge {
        Judge { hsearch: HSearch::for_cells(cells), known: [(); 2].map(|()| Known::new(seeds(cells))) }
    }

    /// About how many bytes it takes.
    pub fn bytes(cells: usize) -> usize {
        HSearch::bytes(cells) + 2 * Known::bytes(seeds(cells))
    }

    /// Writes what it knows for a checkpoint: for each player the length, and the bytes.
    pub fn save(&self, out: &mut Vec<u8>) {
        for known in &self.known {
            let bytes = known.save();
            out.extend((bytes.len() as u64).to_le_bytes());
            out.extend(bytes);
        }
    }

    /// Reads it back.
    pub fn load(&mut self, board: Board, input: &mut Reader<impl Read>) -> Result<(), CheckpointError> {
        for known in &mut self.known {
            let bytes = input.bytes()?;
            known.load(board.len(), &bytes).ok_or(CheckpointError::Damaged)?;
        }
        Ok(())
    }

    /// Judges a filled position by symmetry and by mirror pairings, which cost nothing, and with `steps` also by other
    /// pairings.
    pub fn judge(
        &mut self,
        reduced: &Reduced,
        options: &Options,
        steps: Option<u32>,
        moved: Option<Part>,
    ) -> Judgement {
        if notlast_wins_by_symmetry(&reduced.field, options).is_some() {
            return Judgement::Symmetric(Part::Notlast);
        }
        if options.mirror_pairing
            && let Some(found) = mirror_pairing(&reduced.field)
        {
            return Judgement::Paired(Part::of(!found.loser, reduced.field.last), found.pairing);
        }
        steps
            .map_or(Judgement::Open(CellSet::EMPTY), |steps| self.by_pairings(reduced, options, steps, moved))
    }

    /// Judges a filled position by pairings. The exact pairing search may take so many steps for each player. If
    /// `moved` has just moved, only pairings that join her are looked for: her stone gives the opponent none.
    ///
    /// So own keys come up only where the search starts, or where fill-in gives Notlast a second move in a row. To look
    /// for them everywhere does not pay (`docs/notes.md`, "Pairings").
    pub fn by_pairings(
        &mut self,
        reduced: &Reduced,
        options: &Options,
        steps: u32,
        moved: Option<Part>,
    ) -> Judgement {
        let last = reduced.field.last;
        let mut keys = CellSet::EMPTY;
        if options.hsearch && (steps <= LONG || !options.exact_pairing) {
            if moved != Some(Part::Notlast) {
                let found = self.hsearch.run(reduced, last, options, true);
                if let Some(pairing) = found.join.or(found.pre_join) {
                    return Judgement::Paired(Part::Notlast, pairing);
                }
            }
            if moved != Some(Part::Last) {
                let found = self.hsearch.run(reduced, !last, options, false);
                if let Some(pairing) = found.join {
                    return Judgement::Paired(Part::Last, pairing);
                }
                if options.own_keys && reduced.field.mover() != last {
                    keys = found.keys;
                }
            }
        }
        if options.exact_pairing && steps > 0 {
            for winner in [Part::Notlast, Part::Last].into_iter().filter(|&winner| moved != Some(winner)) {
                let loser = winner.other().player(last);
                let (paths_of, known) = (reduced.graph(!loser), &mut self.known[(!loser).index()]);
                if let Outcome::Found(pairing) = find_pairing_with(paths_of, loser == last, steps, known) {
                    return Judgement::Paired(winner, pairing);
                }
            }
        }
        Judgement::Open(keys)
    }
}

#[cfg(test)]
mod tests {
    use rex_game::{Board, Player, State};
    use rex_oracle::Oracle;
    use rex_theory::Field;
    use rex_theory::fill_in::fill_in;

    use super::*;
    use crate::context::Context;
    use crate::guidance::{Guidance, Guide};

    #[test]
    fn own_keys_are_struck_from_the_moves() {
        let oracle = Oracle::new(Board::new(4, 4).unwrap());
        let board = oracle.board();
        let options = Options { exact_pairing: false, ..Options::default() };
        let guide = Guide::new(Guidance::Resistance, board);
        let context = Context { board, options, guide, audit: None };
        let mut judge = Judge::default();
        let mut struck = 0;
        let every = (oracle.live_count() / 20_000) | 1;
        let states = oracle
            .sample(every, 0)
            .flat_map(|position| Player::BOTH.map(|to_move| State { position, to_move }));
        for state in states {
            let mut reduced = Reduced::new(Field::new(&state));
            fill_in(&mut reduced, &options, state.board().cells(), &mut ());
            if reduced.joined.is_some() {
                continue;
            }
            if let Judgement::Open(keys) = judge.by_pairings(&reduced, &options, 0, None) {
                let moves = |keys| -> CellSet {
                    let ranked = context.ranked_moves(&reduced, keys);
                    ranked.cells[..ranked.len].iter().copied().collect()
                };
                let (all, kept) = (moves(CellSet::EMPTY), moves(keys));
                assert!(!kept.meets(keys));
                assert!(!oracle.winning_moves(&reduced.field.to_state()).meets(keys), "{state}: a key wins");
                struck += (all & keys).len();
            }
        }
        assert!(struck > 0, "no key was ever struck");
    }
}
