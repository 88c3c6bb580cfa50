//! SGF, the Smart Game Format, as Hex has it: `FF[4]`, `GM[11]`, cells named by letter and number, `RU[Rex]`.
//!
//! A [`Collection`] keeps everything it reads: all games, all variations, and properties it does not know. What
//! the main line of a game means is read from it afterwards:
//! - `SZ[6]` or `SZ[columns:rows]` is the size (11 if it is missing),
//! - `AB`, `AW`, `AE` put black stones, white stones and none, cell by cell or as rectangles `a1:b2`; `PL` says who
//!   is to move (it stays as it was if `PL` is missing: nothing is inferred from the stones),
//! - `B`, `W` colour a cell, or are `swap-pieces` (also `swap`), `swap-sides`, `pass`, `resign`, `forfeit`,
//! - `IP` marks the node whose position is meant; without it, it is the last one.
//!
//! Some files write cells as in Go, with two letters (`cb` is c2); they are read too. HexGui up to 0.9 says `swap-pieces`
//! and means `swap-sides` (`sgf/swap.rs` tells the two apart), and it ignores the stones of the first node, so that they
//! are written in the second one.

use std::ops::Range;

use crate::{Action, ActionKind, Board, GameRecord, NotationError, Player, State};

mod meaning;
mod parse;
mod swap;
mod write;

pub use parse::decode;

/// The games of a file.
///
/// ```
/// use rex_game::sgf::Collection;
///
/// let games = Collection::parse("(;GM[11]SZ[4];B[d1](;W[a1]C[hard])(;W[c1];B[a1]))")?;
/// assert_eq!(games.only_game()?.record()?.state().to_string(), "w2b/4/4/4 b");
/// assert!(games.to_string().contains("(;W[a1]C[hard])"));
/// # Ok::<(), rex_game::NotationError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Collection {
    /// What was read, to show the place of an error.
    text: String,
    /// All nodes of all games. A list and not a tree, since files may be nested deeper than a stack is.
    nodes: Vec<SgfNodeData>,
    /// The first node of each game.
    roots: Vec<SgfNode>,
}

/// A node of a collection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SgfNode(usize);

#[derive(Clone, Debug, Default)]
struct SgfNodeData {
    properties: Vec<Property>,
    children: Vec<SgfNode>,
}

#[derive(Clone, Debug)]
struct Property {
    name: String,
    values: Vec<Value>,
}

/// A value between its brackets, with the escapes that it has in the file.
#[derive(Clone, Debug)]
struct Value {
    raw: String,
    /// Where it is in the text that was read.
    span: Range<usize>,
}

/// One game of a collection.
#[derive(Clone, Copy, Debug)]
pub struct Game<'a> {
    games: &'a Collection,
    root: SgfNode,
}

impl Collection {
    /// The games in their order.
    pub fn games(&self) -> impl Iterator<Item = Game<'_>> {
        self.roots.iter().map(|&root| Game { games: self, root })
    }

    /// The one game there is.
    ///
    /// # Errors
    /// If there are several.
    pub fn only_game(&self) -> Result<Game<'_>, NotationError> {
        match self.roots[..] {
            [root] => Ok(Game { games: self, root }),
            _ => {
                let message = format!("{} games", self.roots.len());
                Err(NotationError::new(message, "one", 0..self.text.trim_end().len()).located(&self.text))
            }
        }
    }

    /// Adds a game that starts here, and returns the node with the start: the first one if the board is empty and Black
    /// is to move, else a second one with the stones.
    pub fn add_game(&mut self, start: &State) -> SgfNode {
        let root = self.add_node();
        self.roots.push(root);
        let board = start.board();
        let (rows, cols) = (board.rows(), board.cols());
        let size = if rows == cols { rows.to_string() } else { format!("{cols}:{rows}") };
        self.set(root, "SZ", [size]);
        if *start == State::new(board) { root } else { self.add_set_up(root, start) }
    }

    /// Adds a node below a first one, which sets up a position.
    fn add_set_up(&mut self, parent: SgfNode, state: &State) -> SgfNode {
        let node = self.add_child(parent);
        let board = state.board();
        for (player, name) in [(Player::Black, "AB"), (Player::White, "AW")] {
            let cells = state.position.stones(player).into_iter();
            self.set(node, name, cells.map(|cell| board.name(cell)));
        }
        self.set(node, "PL", [letter(state.to_move)]);
        node
    }

    /// Adds a node below another one, in which something is done on this board. The first one below a node
    /// continues the main line, the others are variations.
    pub fn add_action(&mut self, parent: SgfNode, board: Board, action: Action) -> SgfNode {
        let node = self.add_child(parent);
        let value = match action.kind {
            ActionKind::Play(cell) => board.name(cell),
            kind => write::word(kind).to_owned(),
        };
        self.set(node, letter(action.player), [value]);
        node
    }

    /// Gives the game that was added last a property that is about the whole game, such as `GN`, its name.
    ///
    /// # Panics
    /// If there is no game.
    pub fn set_info(&mut self, name: &str, text: &str) {
        let root = *self.roots.last().expect("a game was added");
        self.set(root, name, [text]);
    }

    /// Gives a node a property with these texts. Without any, it gets none.
    pub fn set(&mut self, node: SgfNode, name: &str, texts: impl IntoIterator<Item = impl AsRef<str>>) {
        let value = |text: &str| Value { raw: write::escaped(text), span: 0..0 };
        let values: Vec<Value> = texts.into_iter().map(|text| value(text.as_ref())).collect();
        let properties = &mut self.nodes[node.0].properties;
        properties.retain(|property| property.name != name);
        if !values.is_empty() {
            properties.push(Property { name: name.to_owned(), values });
        }
    }

    fn add_child(&mut self, parent: SgfNode) -> SgfNode {
        let node = self.add_node();
        self.nodes[parent.0].children.push(node);
        node
    }

    fn add_node(&mut self) -> SgfNode {
        self.nodes.push(SgfNodeData::default());
        SgfNode(self.nodes.len() - 1)
    }
}

fn letter(player: Player) -> &'static str {
    match player {
        Player::Black => "B",
        Player::White => "W",
    }
}

/// One game. It has no variations, unless pieces were swapped: then a second one starts with the position after the swap.
impl From<&GameRecord> for Collection {
    fn from(record: &GameRecord) -> Collection {
        let mut games = Collection::default();
        let mut node = games.add_game(record.start());
        let mut board = record.start().board();
        for (i, &action) in record.actions().iter().enumerate() {
            if i == record.shown() {
                games.set(node, "IP", [""]);
            }
            node = games.add_action(node, board, action);
            if action.kind == ActionKind::SwapPieces && board.rows() != board.cols() {
                board = Board::new(board.cols(), board.rows()).expect("the record has it");
            }
        }
        games.add_after_swap(record);
        games
    }
}
