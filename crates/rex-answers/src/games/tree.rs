//! The tree itself: as text, and as SGF.

use rex_game::sgf::{self, Place, Tree};
use rex_game::{Action, ActionKind, GameRecord, State};

use super::{GameText, MOST_NODES, Result};
use crate::BadInput;
use crate::notation::read_text;

/// Ends with an error.
macro_rules! bail {
    ($($what:tt)*) => {
        return Err(BadInput::new(format_args!($($what)*)))
    };
}

/// A game tree. Its places are in the order in which they came in, each after the one before it.
pub struct GameTree {
    places: Vec<Place>,
    children: Vec<Vec<usize>>,
    players: [String; 2],
}

impl GameTree {
    fn new(start: State) -> GameTree {
        let Tree { places, players, .. } = Tree::new(start);
        GameTree { places, children: vec![Vec::new()], players }
    }

    /// The tree of a game. All its places have the same board.
    pub fn of(tree: &Tree) -> Result<GameTree> {
        let Tree { places, players, .. } = tree.clone();
        let mut made = GameTree { children: vec![Vec::new(); places.len()], places, players };
        if made.places.len() > MOST_NODES {
            bail!("the game has more than {MOST_NODES} moves");
        }
        for (number, place) in tree.places.iter().enumerate() {
            if let Some(before) = place.before {
                made.children[before].push(number);
            }
        }
        Ok(made)
    }

    /// The state at a place.
    pub fn state(&self, at: usize) -> State {
        self.places[at].state
    }

    /// The place after what was done, or after a set-up. It is added if it is new.
    fn add(&mut self, at: usize, state: State, done: Option<ActionKind>) -> Result<usize> {
        let same = |&&child: &&usize| self.places[child].state == state && self.places[child].done == done;
        if let Some(&child) = self.children[at].iter().find(same) {
            return Ok(child);
        }
        if self.places.len() >= MOST_NODES {
            bail!("the game has more than {MOST_NODES} moves");
        }
        let child = self.places.len();
        self.places.push(Place { before: Some(at), state, done, comment: String::new() });
        self.children.push(Vec::new());
        self.children[at].push(child);
        Ok(child)
    }

    fn play(&mut self, at: usize, name: &str) -> Result<usize> {
        let state = self.state(at);
        let board = state.board();
        let Some(cell) = board.cell_named(name) else { bail!("'{name}' is not a cell of the {board} board") };
        if !state.position.empty().has(cell) {
            bail!("{name} already has a stone; expected an empty cell");
        }
        self.add(at, state.play(cell), Some(ActionKind::Play(cell)))
    }

    /// The place after a swap or a pass, by its letter.
    fn swap_or_pass(&mut self, at: usize, letter: Option<char>) -> Result<usize> {
        let state = self.state(at);
        let Some(kind) = letter.and_then(ActionKind::from_letter) else {
            bail!("':' stands before no 's', 'S' or 'p'")
        };
        // It would turn the board.
        if kind == ActionKind::SwapPieces && !state.board().is_square() {
            bail!("pieces cannot be swapped on the {} board", state.board());
        }
        self.add(at, Action { player: state.to_move, kind }.apply(&state), Some(kind))
    }

    fn set_up(&mut self, at: usize, text: &str) -> Result<usize> {
        let state: State = match text.replace('.', "/").replace('_', " ").parse() {
            Ok(state) => state,
            Err(_) => bail!("'@{text}@' is not a position"),
        };
        if state.board() != self.state(at).board() {
            bail!("'@{text}@' has another board");
        }
        self.add(at, state, None)
    }

    /// Reads a tree, and the place that is shown.
    pub fn read(text: &GameText) -> Result<(GameTree, usize)> {
        let mut tree = GameTree::new(read_text(&text.position)?);
        let (mut at, mut open) = (0, Vec::new());
        let mut rest = text.moves.as_str();
        while let Some(first) = rest.chars().next() {
            let taken = match first {
                '(' if open.len() > MOST_NODES => bail!("too many brackets"),
                '(' => {
                    open.push(at);
                    1
                }
                ')' => {
                    at = open.pop().ok_or_else(|| BadInput::new("')' without '('"))?;
                    1
                }
                '@' => {
                    let Some((position, _)) = rest[1..].split_once('@') else { bail!("'@' without another") };
                    at = tree.set_up(at, position)?;
                    position.len() + 2
                }
                ':' => {
                    at = tree.swap_or_pass(at, rest.chars().nth(1))?;
                    2
                }
                _ => {
                    let letters = rest.bytes().take_while(u8::is_ascii_lowercase).count();
                    let digits = rest.bytes().skip(letters).take_while(u8::is_ascii_digit).count();
                    let length = if letters + digits == 0 { first.len_utf8() } else { letters + digits };
                    at = tree.play(at, &rest[..length])?;
                    length
                }
            };
            rest = &rest[taken..];
        }
        if !open.is_empty() {
            bail!("'(' without ')'");
        }
        tree.players = [text.black.clone(), text.white.clone()];
        let order = tree.order();
        let last = order.len() - 1;
        for (place, comment) in &text.comments {
            let Some(&place) = order.get(*place) else {
                bail!("there is a comment on place {place}; expected at most {last}");
            };
            tree.places[place].comment.clone_from(comment);
        }
        let Some(&at) = order.get(text.at) else {
            bail!("place {} is after the end; expected at most {last}", text.at);
        };
        Ok((tree, at))
    }

    /// The places in the order in which they are written.
    fn order(&self) -> Vec<usize> {
        let (mut order, mut next) = (Vec::new(), vec![0]);
        while let Some(place) = next.pop() {
            order.push(place);
            next.extend(self.children[place].iter().rev());
        }
        order
    }

    /// The tree as text, with the place that is shown.
    pub fn write(&self, at: usize) -> GameText {
        let mut moves = String::new();
        // What is still to be written: a place, or the end of a bracket.
        let mut next: Vec<Option<usize>> = vec![Some(0)];
        while let Some(item) = next.pop() {
            let Some(number) = item else {
                moves.push(')');
                continue;
            };
            let place = &self.places[number];
            if let Some(before) = place.before {
                if self.children[before].len() > 1 {
                    moves.push('(');
                }
                moves += &match place.done {
                    Some(ActionKind::Play(cell)) => place.state.board().name(cell),
                    Some(kind) => kind.letter().map(|letter| format!(":{letter}")).unwrap_or_default(),
                    None => format!("@{}@", place.state).replace('/', ".").replace(' ', "_"),
                };
            }
            let children = &self.children[number];
            for &child in children.iter().rev() {
                if children.len() > 1 {
                    next.push(None);
                }
                next.push(Some(child));
            }
        }
        let order = self.order();
        let commented =
            order.iter().enumerate().filter(|(_, place)| !self.places[**place].comment.is_empty());
        let comments =
            commented.map(|(number, &place)| (number, self.places[place].comment.clone())).collect();
        let at = order.iter().position(|&place| place == at).unwrap_or(0);
        let [black, white] = self.players.clone();
        GameText { position: self.state(0).to_string(), moves, at, comments, black, white }
    }

    /// The last position on the way to a place that was set up, and what was done since.
    pub fn since_set_up(&self, mut at: usize) -> GameRecord {
        let mut done = Vec::new();
        while let Place { before: Some(before), done: Some(kind), .. } = self.places[at] {
            done.push(Action { player: self.state(before).to_move, kind });
            at = before;
        }
        let mut record = GameRecord::new(self.state(at));
        done.into_iter().rev().for_each(|action| record.push(action));
        record
    }

    /// What there is besides moves, in words: swaps and passes.
    pub fn besides_moves(&self) -> Option<&'static str> {
        let has = |wanted: &[ActionKind]| {
            self.places.iter().any(|place| place.done.is_some_and(|kind| wanted.contains(&kind)))
        };
        let swaps = has(&[ActionKind::SwapPieces, ActionKind::SwapSides]);
        match (swaps, has(&[ActionKind::Pass])) {
            (true, true) => Some("a swap and a pass"),
            (true, false) => Some("a swap"),
            (false, true) => Some("a pass"),
            (false, false) => None,
        }
    }

    /// The game as SGF. It marks the place that is shown, unless that is the end of the main line.
    pub fn sgf(&self, at: usize) -> String {
        let start = self.state(0);
        let mut games = sgf::Collection::default();
        let mut nodes = vec![games.add_game(&start)];
        for (property, name) in
            ["PB", "PW"].into_iter().zip(&self.players).filter(|(_, name)| !name.is_empty())
        {
            games.set_info(property, name);
        }
        for place in &self.places[1..] {
            let before = place.before.expect("only the start has nothing before it");
            let state = self.state(before);
            nodes.push(match place.done {
                Some(kind) => {
                    let action = Action { player: state.to_move, kind };
                    games.add_action(nodes[before], start.board(), action)
                }
                None => games.add_set_up(nodes[before], &state, &place.state),
            });
        }
        for (place, &node) in self.places.iter().zip(&nodes) {
            if !place.comment.is_empty() {
                games.set(node, "C", [&place.comment]);
            }
        }
        let mut end = 0;
        while let Some(&next) = self.children[end].first() {
            end = next;
        }
        if at != end {
            games.set(nodes[at], "IP", [""]);
        }
        games.to_string()
    }
}
