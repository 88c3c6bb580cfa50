//! What a certificate says, and how to write it.

use std::fmt;

use rex_game::{Board, Cell, CellSet, Player, State, Symmetry};

/// The number of a claim.
pub type ClaimId = u32;

/// One line: this player wins this state, by this rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Claim {
    /// Its number. Numbers increase from line to line.
    pub id: ClaimId,
    /// The stones and the side to move.
    pub state: State,
    /// Who wins.
    pub winner: Player,
    /// Why.
    pub rule: Rule,
}

/// Why a claim holds. Numbers refer to earlier claims.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Rule {
    /// The loser has connected her two sides.
    Joined,
    /// The winner is to move, and this move leads to a claim.
    Move(Cell, ClaimId),
    /// The loser is to move, and there is an answer to each empty cell.
    All(Vec<(Cell, Refutation)>),
    /// Pairs make the loser join. If she is Last, there may be a key.
    Pairs(Vec<(Cell, Cell)>, Option<Cell>),
    /// The winner is Notlast, and under this reflection each of her stones lands on one of Last's.
    Mirror(Symmetry),
    /// A symmetry maps this state to that of a claim.
    Image(Symmetry, ClaimId),
    /// Steps that do not change the winner lead to a claim.
    Fill(Vec<Step>, ClaimId),
    /// The winner even wins a claim with the same Last that is worse for her, cell by cell.
    Worse(ClaimId),
}

/// The answer to a move of the loser.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refutation {
    /// The move joins her two sides.
    Joins,
    /// A claim about the state after it.
    Claim(ClaimId),
    /// A cell answered further left in the line is at least as good for her.
    Dominated(Cell, DominatedBy),
}

/// Why one cell is at least as good as another for the loser, who is to move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DominatedBy {
    /// It is dead once she has the other one.
    Victim,
    /// It is dead once the winner has the other one.
    Vulnerable,
    /// It belongs to a set that she captures by taking the other one.
    Captured(Vec<(Cell, Cell)>),
}

/// A step that changes neither the winner nor who is Last.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    /// These cells are dead, so their colour does not matter.
    Dead(CellSet),
    /// A player captures these pairs, and they become hers.
    Captured(Player, Vec<(Cell, Cell)>),
    /// Black takes the first cell of the first pair and White the first cell of the second.
    Mutual((Cell, Cell), (Cell, Cell)),
}

/// The name of a rule, to count by.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[allow(missing_docs)] // They are the rules.
pub enum RuleKind {
    Joined,
    Move,
    All,
    Pairs,
    Mirror,
    Image,
    Fill,
    Worse,
}

impl RuleKind {
    /// All rules.
    pub const ALL: [RuleKind; 8] = [
        RuleKind::Joined,
        RuleKind::Move,
        RuleKind::All,
        RuleKind::Pairs,
        RuleKind::Mirror,
        RuleKind::Image,
        RuleKind::Fill,
        RuleKind::Worse,
    ];

    /// The word in the certificate.
    pub fn word(self) -> &'static str {
        match self {
            RuleKind::Joined => "joined",
            RuleKind::Move => "move",
            RuleKind::All => "all",
            RuleKind::Pairs => "pairs",
            RuleKind::Mirror => "mirror",
            RuleKind::Image => "image",
            RuleKind::Fill => "fill",
            RuleKind::Worse => "worse",
        }
    }
}

impl Rule {
    /// Which rule it is.
    pub fn kind(&self) -> RuleKind {
        match self {
            Rule::Joined => RuleKind::Joined,
            Rule::Move(..) => RuleKind::Move,
            Rule::All(_) => RuleKind::All,
            Rule::Pairs(..) => RuleKind::Pairs,
            Rule::Mirror(_) => RuleKind::Mirror,
            Rule::Image(..) => RuleKind::Image,
            Rule::Fill(..) => RuleKind::Fill,
            Rule::Worse(_) => RuleKind::Worse,
        }
    }

    /// Calls `visit` with the number of each claim that the rule refers to.
    pub fn for_each_reference(&mut self, mut visit: impl FnMut(&mut ClaimId)) {
        match self {
            Rule::Joined | Rule::Pairs(..) | Rule::Mirror(_) => {}
            Rule::Move(_, id) | Rule::Image(_, id) | Rule::Fill(_, id) | Rule::Worse(id) => visit(id),
            Rule::All(answers) => {
                for (_, answer) in answers {
                    if let Refutation::Claim(id) = answer {
                        visit(id);
                    }
                }
            }
        }
    }
}

/// The word for a symmetry.
pub(crate) fn symmetry_word(symmetry: Symmetry) -> &'static str {
    match symmetry {
        Symmetry::Identity => "identity",
        Symmetry::Rotation => "rotation",
        Symmetry::Transpose => "transpose",
        Symmetry::AntiTranspose => "antitranspose",
    }
}

/// Pairs as `a1-b1,c2-c3`, or `-` for none.
struct Pairs<'a>(Board, &'a [(Cell, Cell)]);

impl fmt::Display for Pairs<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.1.is_empty() {
            return f.write_str("-");
        }
        for (i, &(one, other)) in self.1.iter().enumerate() {
            let comma = if i == 0 { "" } else { "," };
            write!(f, "{comma}{}-{}", self.0.name(one), self.0.name(other))?;
        }
        Ok(())
    }
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let board = self.state.board();
        let name = |cell| board.name(cell);
        write!(f, "{} {} {} {}", self.id, self.state, self.winner.letter(), self.rule.kind().word())?;
        match &self.rule {
            Rule::Joined => Ok(()),
            Rule::Move(cell, id) => write!(f, " {} {id}", name(*cell)),
            Rule::All(answers) => answers.iter().try_for_each(|(cell, answer)| match answer {
                Refutation::Joins => write!(f, " {}=joins", name(*cell)),
                Refutation::Claim(id) => write!(f, " {}={id}", name(*cell)),
                Refutation::Dominated(better, reason) => {
                    write!(f, " {}<{}:", name(*cell), name(*better))?;
                    match reason {
                        DominatedBy::Victim => f.write_str("6"),
                        DominatedBy::Vulnerable => f.write_str("7"),
                        DominatedBy::Captured(pairs) => write!(f, "8:{}", Pairs(board, pairs)),
                    }
                }
            }),
            Rule::Pairs(pairs, key) => {
                write!(f, " {}", Pairs(board, pairs))?;
                key.map_or(Ok(()), |key| write!(f, " key {}", name(key)))
            }
            Rule::Mirror(symmetry) => write!(f, " {}", symmetry_word(*symmetry)),
            Rule::Image(symmetry, id) => write!(f, " {} {id}", symmetry_word(*symmetry)),
            Rule::Fill(steps, id) => {
                for step in steps {
                    match step {
                        Step::Dead(cells) => {
                            let names: Vec<String> = cells.into_iter().map(name).collect();
                            write!(f, " dead:{}", names.join(","))?;
                        }
                        Step::Captured(player, pairs) => {
                            write!(f, " captured:{}:{}", player.letter(), Pairs(board, pairs))?;
                        }
                        Step::Mutual(black, white) => {
                            write!(f, " mutual:{}", Pairs(board, &[*black, *white]))?;
                        }
                    }
                }
                write!(f, " {id}")
            }
            Rule::Worse(id) => write!(f, " {id}"),
        }
    }
}
