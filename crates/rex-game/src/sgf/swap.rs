//! The two meanings of `swap-pieces`.
//!
//! By the rules of SGF, all stones are mirrored and change colour, and the other player moves next. HexGui up to 0.9
//! uses the same word, but leaves the stones alone and lets the same player move next, which is `swap-sides`. We read a
//! game the way its program meant it. From then on `swap-pieces` has one meaning.

use super::{Collection, Property, SgfNode, SgfNodeData, Value};
use crate::{Action, ActionKind, GameRecord, Player, State};

/// What `swap-pieces` means in a game.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Meaning {
    Pieces,
    Sides,
    /// Decided case by case, by who moves next.
    AsItGoesOn,
}

impl Collection {
    /// Changes `swap-pieces` to `swap-sides` where that was meant.
    pub(super) fn settle_swaps(&mut self) {
        for index in 0..self.roots.len() {
            let meaning = self.nodes[self.roots[index].0].meaning_of_swaps();
            let mut next = vec![self.roots[index]];
            while let Some(node) = next.pop() {
                next.extend(&self.nodes[node.0].children);
                if let Some(swapper) = self.nodes[node.0].mover_if(Value::says_swap_pieces)
                    && (meaning == Meaning::Sides
                        || meaning == Meaning::AsItGoesOn && self.next_mover(node) == Some(swapper))
                {
                    self.nodes[node.0].swap_sides();
                }
            }
        }
    }

    /// Who moves after a node, if the node or the next one tells.
    fn next_mover(&self, node: SgfNode) -> Option<Player> {
        let data = &self.nodes[node.0];
        let after = data.children.first().map(|child| &self.nodes[child.0]);
        data.player_to_move().or_else(|| after?.mover_if(|_| true).or_else(|| after?.player_to_move()))
    }

    /// If pieces were swapped, adds a last variation that starts with the position after the last swap. HexGui 0.9
    /// would leave the stones of the main line where they are, but it shows the last variation first.
    pub(super) fn add_after_swap(&mut self, record: &GameRecord) {
        let Some((state, rest)) = last_swap(record) else { return };
        let mut node = self.add_set_up(self.roots[0], &State::new(state.board()), &state);
        self.set(node, "C", ["The position after the swap, for programs that do not swap pieces."]);
        for &action in rest {
            node = self.add_action(node, state.board(), action);
        }
    }
}

/// The position after the last swap of pieces, and the actions after it. None if it changed the board: SGF has only one.
fn last_swap(record: &GameRecord) -> Option<(State, &[Action])> {
    let swap = record.actions().iter().rposition(|action| action.kind == ActionKind::SwapPieces)?;
    let (before, rest) = record.actions().split_at(swap + 1);
    let state = before.iter().fold(*record.start(), |state, action| action.apply(&state));
    (state.board() == record.start().board()).then_some((state, rest))
}

impl SgfNodeData {
    /// What `swap-pieces` means to the program that wrote this first node of a game.
    fn meaning_of_swaps(&self) -> Meaning {
        let Some(program) = self.property("AP").and_then(|property| property.values.first()) else {
            return Meaning::AsItGoesOn;
        };
        let text = program.raw.replace('\\', "");
        let (name, version) = text.split_once(':').unwrap_or((&text, ""));
        match name.trim() {
            "Solrex" => Meaning::Pieces,
            "HexGui" if follows_the_rules(version) => Meaning::Pieces,
            "HexGui" => Meaning::Sides,
            _ => Meaning::AsItGoesOn,
        }
    }

    /// Who makes a move in this node, if it is of this kind.
    fn mover_if(&self, is_it: impl Fn(&Value) -> bool) -> Option<Player> {
        let mut moves = self.properties.iter().filter(|property| property.values.iter().any(&is_it));
        moves.find_map(Property::mover)
    }

    /// The player that `PL` names.
    fn player_to_move(&self) -> Option<Player> {
        self.property("PL")?.values.first()?.player()
    }

    fn swap_sides(&mut self) {
        for property in &mut self.properties {
            if property.mover().is_some() {
                for value in property.values.iter_mut().filter(|value| value.says_swap_pieces()) {
                    value.raw = "swap-sides".to_owned();
                }
            }
        }
    }
}

impl Value {
    fn says_swap_pieces(&self) -> bool {
        ActionKind::from_word(self.raw.trim()) == Some(ActionKind::SwapPieces)
    }

    /// The player that this names.
    pub(super) fn player(&self) -> Option<Player> {
        self.raw.trim().to_ascii_lowercase().parse().ok()
    }
}

/// Whether this version of HexGui, such as `0.10.GIT`, is later than 0.9.
fn follows_the_rules(version: &str) -> bool {
    let mut numbers = version.trim().split('.').map(|number| number.parse().unwrap_or(0));
    (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0)) > (0u32, 9u32)
}
