//! A game with all its variations, set-ups and comments.

use super::{Game, SgfNode, Value};
use crate::{Action, ActionKind, NotationError, State};

/// A place in a game with variations, from [`Game::tree`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// The number of the place before it; `None` at the start.
    pub before: Option<usize>,
    /// The stones and the side to move here.
    pub state: State,
    /// What the player in turn did to get here: coloured a cell, swapped or passed. `None` where the state was set up, or
    /// where somebody got the turn out of turn.
    pub done: Option<ActionKind>,
    /// What was said about it.
    pub comment: String,
}

/// A game tree as a list in which each place comes after the one before it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tree {
    /// The places, the start first.
    pub places: Vec<Place>,
    /// The place to look at: the one that the file marks, else the end of the main line.
    pub shown: usize,
    /// The names of Black and White, where they are known.
    pub players: [String; 2],
}

impl Tree {
    /// A tree with nothing but its start.
    pub fn new(state: State) -> Tree {
        let start = Place { before: None, state, done: None, comment: String::new() };
        Tree { places: vec![start], shown: 0, players: Default::default() }
    }

    /// Adds what a player does after a place, and returns the place after it. Whoever acts out of turn first gets the turn,
    /// or starts the game with it.
    pub fn act(&mut self, mut at: usize, action: Action) -> usize {
        let state = self.places[at].state;
        // Giving up changes nothing on the board.
        if matches!(action.kind, ActionKind::Resign | ActionKind::Forfeit) {
            return at;
        }
        if action.player != state.to_move && self.places.len() == 1 {
            self.places[0].state.to_move = action.player;
        } else if action.player != state.to_move {
            at = self.add(at, State { to_move: action.player, ..state }, None);
        }
        self.add(at, action.apply(&state), Some(action.kind))
    }

    fn add(&mut self, before: usize, state: State, done: Option<ActionKind>) -> usize {
        self.places.push(Place { before: Some(before), state, done, comment: String::new() });
        self.places.len() - 1
    }
}

impl Game<'_> {
    /// The whole game: variations, stones that are set up on the way, and comments.
    ///
    /// ```
    /// use rex_game::sgf::Collection;
    ///
    /// let games = Collection::parse("(;GM[11]SZ[3];B[a1]C[a corner](;W[c3])(;AW[b2]PL[B];B[c1]))")?;
    /// let tree = games.only_game()?.tree()?;
    /// let states: Vec<String> = tree.places.iter().map(|place| place.state.to_string()).collect();
    /// assert_eq!(states, ["3/3/3 b", "b2/3/3 w", "b2/3/2w b", "b2/1w1/3 b", "b1b/1w1/3 w"]);
    /// assert_eq!((tree.places[1].comment.as_str(), tree.places[3].done, tree.shown), ("a corner", None, 2));
    /// # Ok::<(), rex_game::NotationError>(())
    /// ```
    ///
    /// # Errors
    /// Like [`Game::record`], anywhere in the tree.
    pub fn tree(&self) -> Result<Tree, NotationError> {
        self.read_tree().map_err(|error| error.located(&self.games.text))
    }

    fn read_tree(&self) -> Result<Tree, NotationError> {
        let mut tree = Tree::new(self.start()?);
        let root = &self.games.nodes[self.root.0];
        let name = |of: &str| root.property(of).map(|property| property.values[0].text()).unwrap_or_default();
        tree.players = [name("PB"), name("PW")];
        let mut marked = None;
        // Nodes still to visit, with the place before them and whether the game can still start with them.
        let mut next: Vec<(SgfNode, usize, bool)> = vec![(self.root, 0, true)];
        let mut ends = Vec::new();
        while let Some((node, mut at, starts)) = next.pop() {
            let data = &self.games.nodes[node.0];
            let before = tree.places[at].state;
            let after = data.set_up(before)?;
            if after != before && starts {
                tree.places[0].state = after;
            } else if after != before {
                at = tree.add(at, after, None);
            }
            for property in &data.properties {
                if let Some(player) = property.mover() {
                    let kind = property.only_value()?.kind(&tree.places[at].state)?;
                    at = tree.act(at, Action { player, kind });
                }
            }
            for comment in data.property("C").iter().flat_map(|property| &property.values) {
                let said = &mut tree.places[at].comment;
                if !said.is_empty() {
                    said.push('\n');
                }
                *said += &comment.text();
            }
            if data.property("IP").is_some() {
                marked = Some(at);
            }
            if data.children.is_empty() {
                ends.push(at);
            }
            let starts = starts && at == 0 && data.children.len() == 1;
            next.extend(data.children.iter().rev().map(|&child| (child, at, starts)));
        }
        tree.shown = marked.or(ends.first().copied()).unwrap_or(0);
        Ok(tree)
    }
}

impl Value {
    /// The text that is meant: without escapes and lines broken for the file alone.
    fn text(&self) -> String {
        let mut text = String::new();
        let mut symbols = self.raw.replace("\r\n", "\n").chars().collect::<Vec<_>>().into_iter();
        while let Some(symbol) = symbols.next() {
            match symbol {
                '\\' => text.extend(symbols.next().filter(|&next| next != '\n')),
                _ => text.push(symbol),
            }
        }
        text.trim().to_owned()
    }
}
