//! What a search works with: which theory, whose guidance, and who looks over its shoulder.

use rex_game::{Board, CellSet, Symmetry};
use rex_theory::domination::Domination;
use rex_theory::fill_in::fill_in;
use rex_theory::{Field, Options, Reduced};

use crate::audit::Audit;
use crate::guidance::{Guide, Ranked};
use crate::known::{Node, Part};

/// The same for the whole of a search and for all its threads.
#[derive(Clone, Copy)]
pub(crate) struct Context<'a> {
    pub board: Board,
    pub options: Options,
    pub guide: Guide,
    pub audit: Option<&'a dyn Audit>,
}

impl Context<'_> {
    /// The filled canonical node of a field; `Err` says who won when somebody is joined.
    pub fn node_of(&self, field: &Field) -> Result<(Node, Symmetry), Part> {
        self.fill(&mut Reduced::new(*field), field.board.cells())
    }

    /// Fills a position in, where it has changed, and brings it to canonical form; `Err` says who won when somebody is
    /// joined.
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

    /// The moves of the mover that are worth trying, the most promising first. `forbidden` are cells she must not take.
    pub fn ranked_moves(&self, reduced: &Reduced, forbidden: CellSet) -> Ranked {
        let mover = reduced.field.mover();
        let graph = reduced.graph(mover);
        let joining = graph.sides[0] & graph.sides[1];
        let moves =
            Domination::new(reduced, mover, &self.options).prune(reduced.empty() - joining - forbidden);
        self.guide.rank(reduced, moves)
    }
}
