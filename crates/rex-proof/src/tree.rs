//! The strategy of a certificate as a game tree, for programs that show SGF.
//!
//! The loser tries every move, in the order of the certificate, and the winner answers with the move it names. A line
//! ends where a rule needs no moves; a comment names that rule. Where the certificate goes on from another position, a
//! node without a move sets it up: cells that were filled in, or a position that is worse for the winner.

use std::collections::BTreeMap;

use rex_game::sgf::{Collection, SgfNode};
use rex_game::{Action, ActionKind, Board, Cell, Player, State, Symmetry};

use crate::claim::{Claim, ClaimId, DominatedBy, Refutation, Rule, Step};
use crate::play::{Strategy, StrategyError};

/// How many nodes a game tree has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeSize {
    /// Nodes of the tree that is cut off after so many moves: first without any move, then after one, and so on.
    /// The last one is the whole tree, or the first one with more nodes than were asked for.
    pub to_depth: Vec<u64>,
    /// Whether the last one is the whole tree.
    pub whole: bool,
}

impl TreeSize {
    /// The greatest depth with at most this many nodes, and the nodes.
    pub fn deepest(&self, most: u64) -> Option<(usize, u64)> {
        self.to_depth.iter().copied().enumerate().rfind(|&(_, nodes)| nodes <= most)
    }
}

/// A node to continue at.
struct Branch {
    node: SgfNode,
    /// The moves that lead here.
    depth: usize,
    claim: ClaimId,
    /// From the coordinates of the tree to those of the claim.
    symmetry: Symmetry,
    /// The comment so far.
    said: String,
}

impl Strategy {
    /// Counts the nodes of [`Strategy::tree`], level by level, until there are more than `most`.
    ///
    /// # Errors
    /// If no claim is about this state, or one was not added.
    pub fn tree_size(&self, state: &State, most: u64) -> Result<TreeSize, StrategyError> {
        // Lines that lead to each claim on this level. References go to smaller numbers, so the greatest number left
        // has all its lines.
        let mut level = BTreeMap::from([(self.about(state)?.id, 1)]);
        let mut nodes: u64 = if *state == State::new(state.board()) { 1 } else { 2 };
        let mut to_depth = Vec::new();
        loop {
            let mut next: BTreeMap<ClaimId, u64> = BTreeMap::new();
            let mut moves: u64 = 0;
            while let Some((id, lines)) = level.pop_last() {
                let lead = |level: &mut BTreeMap<ClaimId, u64>, id: ClaimId| {
                    let known = level.entry(id).or_default();
                    *known = known.saturating_add(lines);
                };
                match &self.claim(id)?.rule {
                    Rule::Joined | Rule::Pairs(..) | Rule::Mirror(_) => {}
                    Rule::Image(_, id) => lead(&mut level, *id),
                    Rule::Fill(_, id) | Rule::Worse(id) => {
                        nodes = nodes.saturating_add(lines);
                        lead(&mut level, *id);
                    }
                    Rule::Move(_, id) => {
                        moves = moves.saturating_add(lines);
                        lead(&mut next, *id);
                    }
                    Rule::All(answers) => {
                        moves = moves.saturating_add(lines.saturating_mul(answers.len() as u64));
                        for (_, answer) in answers {
                            if let Refutation::Claim(id) = answer {
                                lead(&mut next, *id);
                            }
                        }
                    }
                }
            }
            to_depth.push(nodes);
            if moves == 0 || nodes > most {
                return Ok(TreeSize { to_depth, whole: moves == 0 });
            }
            nodes = nodes.saturating_add(moves);
            level = next;
        }
    }

    /// The game tree from this state, cut off after `depth` moves. [`Strategy::tree_size`] says how large it is. Calls
    /// `watch` with the number of nodes so far.
    ///
    /// # Errors
    /// If no claim is about this state, or one was not added.
    pub fn tree(
        &self,
        state: &State,
        depth: usize,
        watch: &mut dyn FnMut(u64),
    ) -> Result<Collection, StrategyError> {
        let root = self.about(state)?;
        let mut tree = Tree { games: Collection::default(), nodes: 0 };
        let node = tree.games.add_game(state);
        let said = format!("{} wins.", name(root.winner));
        let mut branches =
            vec![Branch { node, depth: 0, claim: root.id, symmetry: Symmetry::Identity, said }];
        while let Some(branch) = branches.pop() {
            let claim = self.claim(branch.claim)?;
            // An image is about the same node.
            match &claim.rule {
                Rule::Image(symmetry, id) => {
                    let symmetry = branch.symmetry.then(*symmetry);
                    branches.push(Branch { claim: *id, symmetry, ..branch });
                }
                Rule::Fill(_, id) | Rule::Worse(id) => {
                    let premise = self.claim(*id)?;
                    branches.push(tree.set_up(&branch, claim, premise));
                }
                Rule::Move(..) | Rule::All(_) if branch.depth >= depth => {
                    tree.say(&branch, format!("cut off: the strategy goes on (claim {})", claim.id));
                }
                Rule::Move(cell, id) => {
                    tree.say(&branch, String::new());
                    branches.push(tree.play(&branch, claim, *cell, *id, String::new()));
                }
                Rule::All(answers) => {
                    tree.say(&branch, String::new());
                    branches.extend(answers.iter().filter_map(|answer| tree.answer(&branch, claim, answer)));
                }
                Rule::Joined | Rule::Pairs(..) | Rule::Mirror(_) => tree.end(&branch, claim),
            }
            watch(tree.nodes);
        }
        Ok(tree.games)
    }
}

/// The tree so far.
struct Tree {
    games: Collection,
    /// Nodes added below the first.
    nodes: u64,
}

impl Tree {
    /// Adds a move, and returns where the line goes on.
    fn play(&mut self, branch: &Branch, claim: &Claim, cell: Cell, next: ClaimId, said: String) -> Branch {
        let board = claim.state.board();
        let there = View::of(branch, claim);
        let action =
            Action { player: there.player(claim.state.to_move), kind: ActionKind::Play(there.cell(cell)) };
        let node = self.games.add_action(branch.node, board, action);
        self.nodes += 1;
        Branch { node, depth: branch.depth + 1, claim: next, symmetry: branch.symmetry, said }
    }

    /// Adds a move of the loser's, and returns where the line goes on, if it does.
    fn answer(
        &mut self,
        branch: &Branch,
        claim: &Claim,
        (cell, answer): &(Cell, Refutation),
    ) -> Option<Branch> {
        let view = View::of(branch, claim);
        let (loser, winner) = (name(view.player(!claim.winner)), name(view.player(claim.winner)));
        let (this, number) = (view.name(*cell), claim.id);
        let said = match answer {
            Refutation::Claim(id) => return Some(self.play(branch, claim, *cell, *id, String::new())),
            Refutation::Joins => {
                format!("joins: {loser} has connected her two sides, and loses (claim {number})")
            }
            Refutation::Dominated(better, reason) => {
                let better = view.name(*better);
                let why = match reason {
                    DominatedBy::Victim => format!("it is dead once {loser} has {this}"),
                    DominatedBy::Vulnerable => format!("it is dead once {winner} has {this}"),
                    DominatedBy::Captured(pairs) => {
                        format!("with {this} {loser} captures {}", view.pairs(pairs))
                    }
                };
                format!("dominated: {better} is at least as good for {loser}, since {why} (claim {number})")
            }
        };
        let end = self.play(branch, claim, *cell, claim.id, String::new());
        self.say(&end, said);
        None
    }

    /// Adds a node with the position of a premise, and returns it.
    fn set_up(&mut self, branch: &Branch, claim: &Claim, premise: &Claim) -> Branch {
        self.say(branch, String::new());
        let view = View::of(branch, claim);
        let (before, after) = (claim.state.image(view.back), premise.state.image(view.back));
        let node = self.games.add_set_up(branch.node, &before, &after);
        self.nodes += 1;
        let said = match &claim.rule {
            Rule::Fill(steps, _) => {
                let steps: Vec<String> = steps.iter().map(|step| view.step(step)).collect();
                let steps = if steps.is_empty() { "nothing".to_owned() } else { steps.join("; ") };
                format!("fill-in: {steps}. The winner stays the same (claim {})", claim.id)
            }
            _ => {
                let winner = name(view.player(claim.winner));
                format!(
                    "worse: {winner} even wins this position, which is worse for her (claim {})",
                    claim.id
                )
            }
        };
        Branch { node, claim: premise.id, said, ..*branch }
    }

    /// Says by which rule the line ends.
    fn end(&mut self, branch: &Branch, claim: &Claim) {
        let view = View::of(branch, claim);
        let (loser, winner) = (name(view.player(!claim.winner)), name(view.player(claim.winner)));
        let rule = match &claim.rule {
            Rule::Pairs(pairs, key) => {
                let mut labels = Vec::new();
                for (number, &(one, other)) in pairs.iter().enumerate() {
                    labels.extend([one, other].map(|cell| format!("{}:{}", view.name(cell), number + 1)));
                }
                labels.extend(key.map(|key| format!("{}:key", view.name(key))));
                self.games.set(branch.node, "LB", labels);
                let pairs_of = (!pairs.is_empty()).then(|| (view.pairs(pairs), "a cell of each pair"));
                let the_key = key.map(|key| (format!("key {}", view.name(key)), "the key"));
                let (named, gets): (Vec<String>, Vec<&str>) = pairs_of.into_iter().chain(the_key).unzip();
                match named.is_empty() {
                    true => format!("pairing: none is needed. {loser} connects however they go on"),
                    false => {
                        format!(
                            "pairing: {}. {loser} gets {}, and connects",
                            named.join(", "),
                            gets.join(" and ")
                        )
                    }
                }
            }
            Rule::Mirror(_) => {
                format!(
                    "mirror: {winner} wins by symmetry, since {loser} would colour the last cell; this names no move"
                )
            }
            _ => format!("joined: {loser} has connected her two sides, and loses"),
        };
        self.say(branch, format!("{rule} (claim {})", claim.id));
    }

    /// Writes the comment of a node.
    fn say(&mut self, branch: &Branch, more: String) {
        let mut text = branch.said.clone();
        if !text.is_empty() && !more.is_empty() {
            text.push('\n');
        }
        text += &more;
        if !text.is_empty() {
            self.games.set(branch.node, "C", [text]);
        }
    }
}

/// A claim as the tree sees it.
struct View {
    board: Board,
    back: Symmetry,
}

impl View {
    fn of(branch: &Branch, claim: &Claim) -> View {
        View { board: claim.state.board(), back: branch.symmetry.inverse() }
    }

    fn player(&self, player: Player) -> Player {
        self.back.apply_to_player(player)
    }

    fn cell(&self, cell: Cell) -> Cell {
        self.back.apply_to_cell(self.board, cell)
    }

    fn name(&self, cell: Cell) -> String {
        self.board.name(self.cell(cell))
    }

    fn pairs(&self, pairs: &[(Cell, Cell)]) -> String {
        let pair = |&(one, other): &(Cell, Cell)| format!("{}-{}", self.name(one), self.name(other));
        pairs.iter().map(pair).collect::<Vec<_>>().join(", ")
    }

    fn step(&self, step: &Step) -> String {
        match step {
            Step::Dead(cells) => {
                let names: Vec<String> = cells.into_iter().map(|cell| self.name(cell)).collect();
                format!("dead {}", names.join(", "))
            }
            Step::Captured(player, pairs) => {
                format!("{} captures {}", name(self.player(*player)), self.pairs(pairs))
            }
            Step::Mutual(black, white) => {
                let [one, other] = [(Player::Black, black), (Player::White, white)]
                    .map(|(player, pair)| format!("{} {}", name(self.player(player)), self.name(pair.0)));
                format!("mutual {one}, {other}")
            }
        }
    }
}

fn name(player: Player) -> &'static str {
    match player {
        Player::Black => "Black",
        Player::White => "White",
    }
}
