//! Verdicts by pairings, without search.

use rex_game::{CellSet, Player};
use rex_theory::exact_pairing::{Outcome, find_pairing};
use rex_theory::hsearch::HSearch;
use rex_theory::{Options, Reduced};

use crate::bounds::Part;

/// Decides positions by pairings, with room for H-search.
#[derive(Default)]
pub struct Judge {
    hsearch: HSearch,
}

/// What the judge can tell of a position.
pub enum Judgement {
    /// Who wins.
    Won(Part),
    /// Nobody yet; the mover must not take these keys of her own pre-join pairings.
    Open(CellSet),
}

impl Judge {
    /// A judge for boards of at most so many cells.
    pub fn for_cells(cells: usize) -> Judge {
        Judge { hsearch: HSearch::for_cells(cells) }
    }

    /// Judges a filled position. The exact pairing search may look at `steps` paths for each player.
    pub fn judge(
        &mut self,
        reduced: &Reduced,
        options: &Options,
        steps: u32,
        moved: Option<Part>,
    ) -> Judgement {
        let last = reduced.field.last;
        let mut keys = CellSet::EMPTY;
        if options.hsearch {
            if moved != Some(Part::Notlast) {
                let found = self.hsearch.run(reduced, last, options, true);
                if found.join.is_some() || found.pre_join.is_some() {
                    return Judgement::Won(Part::Notlast);
                }
            }
            if moved != Some(Part::Last) {
                let found = self.hsearch.run(reduced, !last, options, false);
                if found.join.is_some() {
                    return Judgement::Won(Part::Last);
                }
                if options.own_keys && reduced.field.mover() != last {
                    keys = found.keys;
                }
            }
        }
        if options.exact_pairing {
            let finds = |loser: Player| {
                matches!(find_pairing(reduced.graph(!loser), loser == last, steps), Outcome::Found(_))
            };
            if moved != Some(Part::Notlast) && finds(last) {
                return Judgement::Won(Part::Notlast);
            }
            if moved != Some(Part::Last) && finds(!last) {
                return Judgement::Won(Part::Last);
            }
        }
        Judgement::Open(keys)
    }
}
