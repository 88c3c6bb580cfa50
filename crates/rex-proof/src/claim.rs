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

impl Rule {
    /// The words for the rules, in the order in which reports count them.
    pub const WORDS: [&'static str; 8] =
        ["joined", "move", "all", "pairs", "mirror", "image", "fill", "worse"];

    /// Where its word is in [`Rule::WORDS`].
    pub fn index(&self) -> usize {
        match self {
            Rule::Joined => 0,
            Rule::Move(..) => 1,
            Rule::All(_) => 2,
            Rule::Pairs(..) => 3,
            Rule::Mirror(_) => 4,
            Rule::Image(..) => 5,
            Rule::Fill(..) => 6,
            Rule::Worse(_) => 7,
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
pub fn symmetry_word(symmetry: Symmetry) -> &'static str {
    match symmetry {
        Symmetry::Identity => "identity",
        Symmetry::Rotation => "rotation",
        Symmetry::Transpose => "transpose",
        Symmetry::AntiTranspose => "antitranspose",
    }
}

/// Pairs as `a1-b1,c2-c3`, or `-` for none.
fn pairs_text(board: Board, pairs: &[(Cell, Cell)]) -> String {
    if pairs.is_empty() {
        return "-".to_owned();
    }
    let pair = |&(one, other): &(Cell, Cell)| format!("{}-{}", board.name(one), board.name(other));
    pairs.iter().map(pair).collect::<Vec<_>>().join(",")
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let board = self.state.board();
        let name = |cell| board.name(cell);
        let list = |pairs: &[(Cell, Cell)]| pairs_text(board, pairs);
        let word = Rule::WORDS[self.rule.index()];
        write!(f, "{} {} {} {word}", self.id, self.state, self.winner.letter())?;
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
                        DominatedBy::Captured(pairs) => write!(f, "8:{}", list(pairs)),
                    }
                }
            }),
            Rule::Pairs(pairs, key) => {
                write!(f, " {}", list(pairs))?;
                key.map_or(Ok(()), |key| write!(f, " key {}", name(key)))
            }
            Rule::Mirror(symmetry) => write!(f, " {}", symmetry_word(*symmetry)),
            Rule::Image(symmetry, id) => write!(f, " {} {id}", symmetry_word(*symmetry)),
            Rule::Fill(steps, id) => {
                for step in steps {
                    match step {
                        Step::Dead(cells) => {
                            let names: Vec<String> = cells.into_iter().map(name).collect();
                            write!(f, " dead:{}", names.join(","))
                        }
                        Step::Captured(player, pairs) => {
                            write!(f, " captured:{}:{}", player.letter(), list(pairs))
                        }
                        Step::Mutual(black, white) => write!(f, " mutual:{}", list(&[*black, *white])),
                    }?;
                }
                write!(f, " {id}")
            }
            Rule::Worse(id) => write!(f, " {id}"),
        }
    }
}
