//! What a search runs with: the theory, the guide and the auditor.

use rex_game::{Board, CellSet, Symmetry};
use rex_theory::domination::Domination;
use rex_theory::fill_in::fill_in;
use rex_theory::mirror_pairing::mirror_pairing;
use rex_theory::{Field, Options, Reduced};

use crate::audit::Audit;
use crate::guidance::{Guide, Ranked};
use crate::known::{Node, Part};

/// Shared by the whole search and all its threads.
#[derive(Clone, Copy)]
pub(crate) struct Context<'a> {
    pub board: Board,
    pub options: Options,
    pub guide: Guide,
    pub audit: Option<&'a dyn Audit>,
}

impl Context<'_> {
    /// The filled canonical node of a field. `Err`: fill-in joined a player, and this is the winner.
    pub fn node_of(&self, field: &Field) -> Result<(Node, Symmetry), Part> {
        self.fill(&mut Reduced::new(*field), field.board.cells())
    }

    /// Fills in a position around the cells that changed, and brings it to canonical form. `Err`: fill-in joined a
    /// player, and this is the winner.
    pub fn fill(&self, reduced: &mut Reduced, changed: CellSet) -> Result<(Node, Symmetry), Part> {
        let before = reduced.field;
        fill_in(reduced, &self.options, changed, &mut ());
        let after = match reduced.joined {
            Some(loser) => Err(Part::of(!loser, reduced.field.last)),
            None => Ok(Node::of(&reduced.field)),
        };
        if let Some(audit) = self.audit {
            audit.filled(&before, after.as_ref().map(|(node, _)| node).map_err(|&winner| winner));
        }
        after
    }

    /// Who wins by a mirror pairing of the field as it stands. Fill-in may put stones into such a pairing, so positions
    /// that are asked about are tried before it, too. In the search that does not pay.
    pub fn mirrored(&self, field: &Field) -> Option<Part> {
        let found = self.options.mirror_pairing.then(|| mirror_pairing(field)).flatten()?;
        let winner = Part::of(!found.loser, field.last);
        if let Some(audit) = self.audit {
            audit.judged(field, winner);
        }
        Some(winner)
    }

    /// The moves worth trying for the mover, the most promising first. She must not take what is `forbidden`.
    pub fn ranked_moves(&self, reduced: &Reduced, forbidden: CellSet) -> Ranked {
        self.guide.rank(reduced, self.moves(reduced, forbidden))
    }

    /// The moves worth trying for the mover. She must not take what is `forbidden`.
    pub fn moves(&self, reduced: &Reduced, forbidden: CellSet) -> CellSet {
        let mover = reduced.field.mover();
        let graph = reduced.graph(mover);
        let joining = graph.sides[0] & graph.sides[1];
        Domination::new(reduced, mover, &self.options).prune(reduced.empty() - joining - forbidden)
    }
}
