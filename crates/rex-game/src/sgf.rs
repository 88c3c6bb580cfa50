//! SGF, the Smart Game Format, as used for Hex: `FF[4]`, `GM[11]`, cells named by letter and number, `RU[Rex]`.
//!
//! A [`Collection`] keeps everything it reads, also properties it does not know. What they mean:
//! - `SZ[6]` or `SZ[columns:rows]` is the size (11 if it is missing).
//! - `AB` and `AW` put black and white stones, `AE` clears cells, one by one or as rectangles `a1:b2`. `PL` says who is
//!   to move. Without it the side to move stays the same: we infer nothing from the stones.
//! - `B` and `W` are a cell to colour, or `swap-pieces` (also `swap`), `swap-sides`, `pass`, `resign`, `forfeit`.
//! - `IP` marks the node whose position to show; without it, that is the last one. `C` is a comment.
//!
//! Some files write cells with two letters, as in Go (`cb` is c2); we read those too. Little Golem calls the first player
//! White; `sgf/golem.rs` puts that right. HexGui up to 0.9 writes
//! `swap-pieces` but means `swap-sides`; `sgf/swap.rs` tells the two apart. It also ignores stones in the first node,
//! so we write them in the second one.

use std::ops::Range;

use crate::{Action, ActionKind, Board, Cell, GameRecord, NotationError, Player, State};

mod golem;
mod meaning;
mod parse;
mod swap;
mod tree;
mod write;

pub use parse::decode;
pub use tree::{Place, Tree};

/// All games of a file.
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
    /// The text that was read, to show where an error is.
    text: String,
    /// All nodes of all games. A list, not a tree: a deeply nested file could overflow the stack.
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

/// The text between the brackets, with its escapes as in the file.
#[derive(Clone, Debug)]
struct Value {
    raw: String,
    /// Its place in the text that was read.
    span: Range<usize>,
}

/// One game of a collection.
#[derive(Clone, Copy, Debug)]
pub struct Game<'a> {
    games: &'a Collection,
    root: SgfNode,
}

impl Collection {
    /// The games, in order.
    pub fn games(&self) -> impl Iterator<Item = Game<'_>> {
        self.roots.iter().map(|&root| Game { games: self, root })
    }

    /// The only game.
    ///
    /// # Errors
    /// If there are several.
    pub fn only_game(&self) -> Result<Game<'_>, NotationError> {
        match self.roots[..] {
            [root] => Ok(Game { games: self, root }),
            _ => {
                let message = format!("there are {} games", self.roots.len());
                Err(NotationError::new(message, "one", 0..self.text.trim_end().len()).located(&self.text))
            }
        }
    }

    /// Adds a game that starts with this state, and returns the node that holds it: the first node if the board is
    /// empty and Black is to move, otherwise a second node with the stones.
    pub fn add_game(&mut self, start: &State) -> SgfNode {
        let root = self.add_node();
        self.roots.push(root);
        let board = start.board();
        let (rows, cols) = (board.rows(), board.cols());
        let size = if rows == cols { rows.to_string() } else { format!("{cols}:{rows}") };
        self.set(root, "SZ", [size]);
        let empty = State::new(board);
        if *start == empty { root } else { self.add_set_up(root, &empty, start) }
    }

    /// Adds a node below `parent` that turns one state into another by setting up and clearing stones.
    ///
    /// ```
    /// use rex_game::{State, sgf::Collection};
    ///
    /// let (before, after): (State, State) = ("b1/1w b".parse()?, "bb/2 w".parse()?);
    /// let mut games = Collection::default();
    /// let start = games.add_game(&before);
    /// games.add_set_up(start, &before, &after);
    /// assert!(games.to_string().ends_with(";AB[b1]AE[b2]PL[W])\n"));
    /// # Ok::<(), rex_game::NotationError>(())
    /// ```
    pub fn add_set_up(&mut self, parent: SgfNode, before: &State, after: &State) -> SgfNode {
        let node = self.add_child(parent);
        let board = after.board();
        for (stone, name) in [(Some(Player::Black), "AB"), (Some(Player::White), "AW"), (None, "AE")] {
            let is_new =
                |&cell: &Cell| after.position.get(cell) == stone && before.position.get(cell) != stone;
            self.set(node, name, board.cells().into_iter().filter(is_new).map(|cell| board.name(cell)));
        }
        self.set(node, "PL", [letter(after.to_move)]);
        node
    }

    /// Adds a node below `parent` with an action on this board. The children of a node after its first are variations.
    pub fn add_action(&mut self, parent: SgfNode, board: Board, action: Action) -> SgfNode {
        let node = self.add_child(parent);
        let value = match action.kind {
            ActionKind::Play(cell) => board.name(cell),
            kind => write::word(kind).to_owned(),
        };
        self.set(node, &letter(action.player), [value]);
        node
    }

    /// Sets a property of the game added last, such as `GN`, its name.
    ///
    /// # Panics
    /// If there is no game.
    pub fn set_info(&mut self, name: &str, text: &str) {
        let root = *self.roots.last().expect("a game was added");
        self.set(root, name, [text]);
    }

    /// Sets a property of a node to these texts. With no texts, removes it.
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

fn letter(player: Player) -> String {
    player.letter().to_ascii_uppercase().to_string()
}

/// One game. Its only variation, if pieces were swapped, starts with the position after the swap.
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
