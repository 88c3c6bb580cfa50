//! Games with variations, as the page has them: a starting position, a tree of moves, and the current place in it.
//!
//! The tree is written as moves. Several continuations are in brackets, the main one first: `d1(a1c1)(c1a1b2)`.
//! A place is the number of its node in that text; 0 is the start.

use rex_game::{
    Action, ActionKind, Cell, GameRecord, Player, Position, State, looks_like_moves, move_list, sgf,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::notation::{bad, given_content, read_text};
use crate::{BadInput, answer, svg};

type Result<T> = std::result::Result<T, BadInput>;

/// Ends with an error.
macro_rules! bail {
    ($($what:tt)*) => {
        return Err(BadInput::new(format_args!($($what)*)))
    };
}

/// The most moves of a game on the page.
const MOST_NODES: usize = 4096;
const MOST_LINES: usize = 256;

/// A game tree as text.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
pub struct GameText {
    /// Where it starts.
    pub position: String,
    /// The tree.
    #[serde(default)]
    pub moves: String,
    /// The place.
    #[serde(default)]
    pub at: usize,
}

/// Pasted text, with what is on the screen.
#[derive(Deserialize, Default, Debug)]
pub struct Pasted {
    /// The text.
    text: String,
    /// The board for moves that come without a size.
    board: Option<String>,
    /// Who is to move, if the text does not say.
    to_move: Option<String>,
}

/// A game that was read.
#[derive(Serialize, Debug)]
pub struct Imported {
    /// The game.
    #[serde(flatten)]
    pub game: GameText,
    /// What does not fit into a tree of moves, and where.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

struct GameNode {
    /// The previous node and the move that leads here; none at the start.
    before: Option<(usize, Cell)>,
    state: State,
    children: Vec<usize>,
}

/// A game tree.
struct GameTree {
    nodes: Vec<GameNode>,
}

impl GameTree {
    fn new(start: State) -> GameTree {
        GameTree { nodes: vec![GameNode { before: None, state: start, children: Vec::new() }] }
    }

    /// The node after a move, which is added if it is new.
    fn play(&mut self, at: usize, cell: Cell) -> Result<usize> {
        let before = Some((at, cell));
        if let Some(&child) =
            self.nodes[at].children.iter().find(|&&child| self.nodes[child].before == before)
        {
            return Ok(child);
        }
        let state = self.nodes[at].state;
        if !state.position.empty().has(cell) {
            bail!("{} already has a stone; expected an empty cell", state.board().name(cell));
        }
        if self.nodes.len() >= MOST_NODES {
            bail!("the game has more than {MOST_NODES} moves");
        }
        self.nodes.push(GameNode { before, state: state.play(cell), children: Vec::new() });
        let child = self.nodes.len() - 1;
        self.nodes[at].children.push(child);
        Ok(child)
    }

    fn read(text: &GameText) -> Result<(GameTree, usize)> {
        let start = read_text(&text.position)?;
        let board = start.board();
        let mut tree = GameTree::new(start);
        let (mut at, mut open) = (0, Vec::new());
        let mut rest = text.moves.as_str();
        while let Some(first) = rest.chars().next() {
            match first {
                '(' if open.len() > MOST_NODES => bail!("too many brackets"),
                '(' => open.push(at),
                ')' => at = open.pop().ok_or_else(|| BadInput::new("')' without '('"))?,
                _ => {
                    let letters = rest.bytes().take_while(u8::is_ascii_lowercase).count();
                    let digits = rest.bytes().skip(letters).take_while(u8::is_ascii_digit).count();
                    let name = &rest[..letters + digits];
                    let Some(cell) = board.cell_named(name) else {
                        let found = if name.is_empty() { first.to_string() } else { name.to_owned() };
                        bail!("'{found}' is not a cell of the {board} board");
                    };
                    at = tree.play(at, cell)?;
                    rest = &rest[name.len()..];
                    continue;
                }
            }
            rest = &rest[1..];
        }
        if !open.is_empty() {
            bail!("'(' without ')'");
        }
        let order = tree.order();
        let Some(&at) = order.get(text.at) else {
            bail!("place {} is after the end; expected at most {}", text.at, order.len() - 1);
        };
        Ok((tree, at))
    }

    /// The nodes in the order in which they are written.
    fn order(&self) -> Vec<usize> {
        let (mut order, mut next) = (Vec::new(), vec![0]);
        while let Some(node) = next.pop() {
            order.push(node);
            next.extend(self.nodes[node].children.iter().rev());
        }
        order
    }

    fn write(&self, at: usize) -> GameText {
        let start = &self.nodes[0].state;
        let mut moves = String::new();
        // What is still to be written: a node, or the end of a bracket.
        let mut next: Vec<Option<usize>> = vec![Some(0)];
        while let Some(item) = next.pop() {
            let Some(node) = item else {
                moves.push(')');
                continue;
            };
            if let Some((before, cell)) = self.nodes[node].before {
                if self.nodes[before].children.len() > 1 {
                    moves.push('(');
                }
                moves += &start.board().name(cell);
            }
            let children = &self.nodes[node].children;
            for &child in children.iter().rev() {
                if children.len() > 1 {
                    next.push(None);
                }
                next.push(Some(child));
            }
        }
        let at = self.order().iter().position(|&node| node == at).unwrap_or(0);
        GameText { position: start.to_string(), moves, at }
    }

    /// The moves that lead to a node.
    fn path(&self, mut at: usize) -> Vec<Cell> {
        let mut path = Vec::new();
        while let Some((before, cell)) = self.nodes[at].before {
            path.push(cell);
            at = before;
        }
        path.reverse();
        path
    }

    fn sgf(&self) -> String {
        let start = &self.nodes[0].state;
        let mut games = sgf::Collection::default();
        let mut names = vec![games.add_game(start)];
        // A node comes after the one before it, so its parent has its name already.
        for node in &self.nodes[1..] {
            let (before, cell) = node.before.expect("only the start has nothing before it");
            let action = Action { player: self.nodes[before].state.to_move, kind: ActionKind::Play(cell) };
            names.push(games.add_action(names[before], start.board(), action));
        }
        games.to_string()
    }
}

/// Reads pasted text: any notation or drawn board, moves without a size, and stones without a side to move. `None` if
/// neither the text nor the number of stones says who is to move: the page has to ask.
///
/// # Errors
/// If it cannot be read.
pub fn import(pasted: &Pasted) -> Result<Option<Imported>> {
    let Pasted { text, board, to_move } = pasted;
    if looks_like_moves(text)
        && let Some(board) = board
    {
        let start = State::new(board.parse().map_err(|error| bad(&error, board))?);
        let moves = start.parse_moves(text).map_err(|error| bad(&error, text))?;
        return tree_of(&[GameRecord::with_moves(start, &moves)]).map(Some);
    }
    let Some(position) = stones_alone(text) else {
        let given = given_content(text).map_err(|error| bad(&error, text))?;
        let lines = match &given.games {
            Some(games) => {
                let lines = games.only_game().and_then(|game| game.lines(MOST_LINES));
                lines.map_err(BadInput::new)?
            }
            None => given.records,
        };
        return tree_of(&lines).map(Some);
    };
    let told: Option<Player> = to_move.as_deref().map(str::parse).transpose().map_err(BadInput::new)?;
    let Some(to_move) = told.or_else(|| next(&position)) else { return Ok(None) };
    let mut imported = tree_of(&[GameRecord::new(State { position, to_move })])?;
    if told.is_none() {
        let player = answer::name(to_move);
        imported.note = Some(format!("{player} is to move, by the number of stones; the text does not say"));
    }
    Ok(Some(imported))
}

/// The answer to pasted text: the game, or what is missing.
///
/// # Errors
/// If it cannot be read.
pub fn imported(pasted: &Pasted) -> Result<Value> {
    match import(pasted)? {
        Some(imported) => serde_json::to_value(imported).map_err(BadInput::new),
        None => Ok(answer::versioned(json!({ "missing": "to_move" }))),
    }
}

/// The stones, if rows or a drawing do not say who is to move.
fn stones_alone(text: &str) -> Option<Position> {
    if text.trim().contains('\n') {
        let drawn = Position::from_diagram(text).ok()?;
        return State::from_diagram(text).is_err().then_some(drawn);
    }
    // A single word is taken for rows only if it has several of them.
    text.contains('/').then(|| text.parse().ok()).flatten()
}

/// Who is to move if both took turns, Black first.
fn next(position: &Position) -> Option<Player> {
    let [black, white] = Player::BOTH.map(|player| position.stones(player).len());
    match black.checked_sub(white)? {
        0 => Some(Player::Black),
        1 => Some(Player::White),
        _ => None,
    }
}

/// The tree of all lines of a game.
fn tree_of(lines: &[GameRecord]) -> Result<Imported> {
    let mut tree: Option<GameTree> = None;
    let (mut place, mut notes, mut left_out) = (0, Vec::new(), Vec::new());
    for (number, record) in lines.iter().enumerate() {
        let Stretch { start, since, moves, shown } = Stretch::last_of(record);
        if number == 0 && since > 0 {
            notes.push(format!(
                "the game starts after action {since}, because somebody swapped, passed or moved out of turn before it"
            ));
        }
        let tree = tree.get_or_insert_with(|| GameTree::new(start));
        // A variation with another set-up has no place in the tree.
        if tree.nodes[0].state != start {
            left_out.push((number + 1).to_string());
            continue;
        }
        let mut path = vec![0];
        for &cell in &moves {
            path.push(tree.play(path[path.len() - 1], cell)?);
        }
        if number == 0 {
            place = path[shown.min(moves.len())];
        }
    }
    let tree = tree.ok_or_else(|| BadInput::new("it contains no game"))?;
    if !left_out.is_empty() {
        notes.push(format!(
            "of {} lines these were left out because they do not start where the first one does (set-up, swap or pass in the middle): {}",
            lines.len(),
            left_out.join(", ")
        ));
    }
    Ok(Imported { game: tree.write(place), note: (!notes.is_empty()).then(|| notes.join("; ")) })
}

/// The last part of a game in which the players only coloured cells in turn.
struct Stretch {
    start: State,
    /// How many actions came before.
    since: usize,
    moves: Vec<Cell>,
    /// How many of the moves lead to the current position.
    shown: usize,
}

impl Stretch {
    fn last_of(record: &GameRecord) -> Stretch {
        let (mut start, mut state) = (*record.start(), *record.start());
        let (mut moves, mut since) = (Vec::new(), 0);
        for (number, action) in record.actions().iter().enumerate() {
            let in_turn = action.player == state.to_move;
            match action.kind {
                ActionKind::Play(cell) => {
                    if !in_turn {
                        (start, since) = (State { to_move: action.player, ..state }, number);
                        moves.clear();
                    }
                    moves.push(cell);
                }
                // It changes nothing on the board.
                ActionKind::Resign | ActionKind::Forfeit => continue,
                _ => {
                    (start, since) = (action.apply(&state), number + 1);
                    moves.clear();
                }
            }
            state = action.apply(&state);
        }
        if record.shown() < since {
            return Stretch { start: record.state(), since: record.shown(), moves: Vec::new(), shown: 0 };
        }
        let shown = record.shown() - since;
        Stretch { start, since, moves, shown }
    }
}

/// The game in every notation.
///
/// # Errors
/// If it is not a game.
pub fn export(game: &GameText) -> Result<Value> {
    let (tree, at) = GameTree::read(game)?;
    let (start, state) = (tree.nodes[0].state, tree.nodes[at].state);
    let record = GameRecord::with_moves(start, &tree.path(at));
    let title = match state.position.winner() {
        Some(winner) => format!("{} has won", answer::name(winner)),
        None => format!("{} to move", answer::name(state.to_move)),
    };
    Ok(json!({
        "ren": state.to_string(),
        "moves": record.moves().map(|moves| move_list(state.board(), &moves)),
        "hexworld": record.to_hexworld(),
        "sgf": tree.sgf().trim_end(),
        "diagram": state.diagram().to_string(),
        "svg": svg::board(&state.position, &title, |_| None),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads what somebody pasted while a board of 4x4 is on the screen.
    fn outcome(text: &str, to_move: Option<&str>) -> Result<Option<Imported>> {
        import(&Pasted {
            text: text.to_owned(),
            board: Some("4x4".into()),
            to_move: to_move.map(str::to_owned),
        })
    }

    fn import_text(text: &str) -> Imported {
        match outcome(text, None) {
            Ok(Some(imported)) => imported,
            other => panic!("{text}: {other:?}"),
        }
    }

    fn text(position: &str, moves: &str, at: usize) -> GameText {
        GameText { position: position.to_owned(), moves: moves.to_owned(), at }
    }

    #[test]
    fn a_tree_is_written_as_it_was_read() {
        for (moves, at) in [("", 0), ("d1a1", 2), ("d1(a1c1)(c1a1b2)", 4), ("(a1)(b1(c1)(d1))(c1)", 3)] {
            let game = text("4/4/4/4 b", moves, at);
            let (tree, place) = GameTree::read(&game).unwrap();
            assert_eq!(tree.write(place), game, "{moves}");
        }
    }

    #[test]
    fn a_tree_that_is_none_is_refused() {
        for moves in ["e1", "a1a1", "(", "a1)", "a", "1", "ä", "A1", "a1 b1", "a1(b1)("] {
            assert!(GameTree::read(&text("4x4", moves, 0)).is_err(), "{moves}");
        }
        assert!(GameTree::read(&text("4x4", "a1", 2)).is_err());
        assert!(GameTree::read(&text("4y4", "", 0)).is_err());
    }

    #[test]
    fn every_notation_comes_in_and_goes_out() {
        let sgf = "(;GM[11]SZ[4];B[d1](;W[a1]C[hard])(;W[c1];B[a1]))";
        let Imported { game, note } = import_text(sgf);
        assert_eq!(note, None);
        assert_eq!(game, text("4/4/4/4 b", "d1(a1)(c1a1)", 2));
        let all = export(&game).unwrap();
        assert_eq!(all["ren"], "w2b/4/4/4 b");
        assert_eq!(all["moves"], "4x4 d1 a1");
        for name in ["ren", "moves", "hexworld", "diagram"] {
            let back = import_text(all[name].as_str().unwrap()).game;
            let (tree, at) = GameTree::read(&back).unwrap();
            assert_eq!(tree.nodes[at].state.to_string(), "w2b/4/4/4 b", "{name}");
        }
        assert_eq!(import_text(all["sgf"].as_str().unwrap()).game.moves, game.moves);
    }

    #[test]
    fn moves_without_a_size_are_played_on_the_board_on_the_screen() {
        for pasted in ["d1 a1", "1. d1 a1", "1.d1 a1", " 1. d1\n2. a1 ", "d1,a1"] {
            let Imported { game, note } = import_text(pasted);
            assert_eq!((game, note), (text("4/4/4/4 b", "d1a1", 2), None), "{pasted}");
        }
        // A move, and no board of one row.
        assert_eq!(import_text("b2").game, text("4/4/4/4 b", "b2", 1));
        assert_eq!(import_text("b2 w").game, text("b2 w", "", 0));
        for (pasted, says) in
            [("d1 e5", "off the 4x4 board"), ("d1 d1", "on a black stone"), ("1 2", "bad position")]
        {
            let error = outcome(pasted, None).unwrap_err().to_string();
            assert!(error.contains(says), "{pasted}: {error}");
        }
        let sizeless = Pasted { text: "d1 a1".into(), ..Pasted::default() };
        assert!(import(&sizeless).unwrap_err().to_string().contains("is not a position"));
    }

    #[test]
    fn without_a_side_to_move_the_stones_tell_or_it_is_asked() {
        let drawn = ". b .\n w . .\n  . . .";
        for (pasted, position, note) in [
            ("1b1/w2/3", "1b1/w2/3 b", "Black is to move"),
            (drawn, "1b1/w2/3 b", "Black is to move"),
            ("1b1/3/3", "1b1/3/3 w", "White is to move"),
        ] {
            let Imported { game, note: said } = import_text(pasted);
            assert_eq!(game, text(position, "", 0), "{pasted}");
            assert!(said.unwrap().starts_with(note), "{pasted}");
            let given = outcome(pasted, Some("white")).unwrap();
            let Imported { game, note } = given.expect("it is said");
            assert!(game.position.ends_with(" w") && note.is_none(), "{pasted}");
        }
        for pasted in ["1w1/3/3", "bb1/3/3", ". w\n . ."] {
            assert!(matches!(outcome(pasted, None), Ok(None)), "{pasted}");
            assert!(matches!(outcome(pasted, Some("black")), Ok(Some(_))), "{pasted}");
            assert!(outcome(pasted, Some("red")).is_err(), "{pasted}");
        }
        // A drawing that says it is not asked about.
        let said = import_text(&format!("{drawn}\nwhite to move"));
        assert_eq!((said.game, said.note), (text("1b1/w2/3 w", "", 0), None));
    }

    #[test]
    fn a_trmph_link_is_a_game() {
        let Imported { game, note } = import_text("https://trmph.com/hex/board#4,d1a1");
        assert_eq!((game, note), (text("4/4/4/4 b", "d1a1", 2), None));
    }

    #[test]
    fn a_swap_starts_the_game_anew() {
        let Imported { game, note } = import_text("https://hexworld.org/board/#4,d1:sb2");
        assert_eq!(game, text("4/4/4/w3 b", "b2", 1));
        assert!(note.unwrap().starts_with("the game starts after action 2, because "));
        let passed = import_text("(;GM[11]SZ[4];B[d1];W[pass];B[c3])");
        assert_eq!(passed.game, text("3b/4/4/4 b", "c3", 1));
        assert!(passed.note.is_some());
    }

    #[test]
    fn a_set_up_in_the_middle_is_told() {
        // The main line goes on from the stones that were set up; the other lines do not.
        let middle = "(;GM[11]SZ[4];B[d1];AB[a1]AW[b2]PL[W];W[c3](;B[c1])(;B[d4]))";
        let Imported { game, note } = import_text(middle);
        assert_eq!((game, note), (text("b2b/1w2/4/4 w", "c3(c1)(d4)", 2), None));
        let variation = "(;GM[11]SZ[4];B[d1](;W[a1])(;AW[b2]PL[B];B[c3])(;W[c1](;B[a1])(;AE[d1])))";
        let Imported { game, note } = import_text(variation);
        assert_eq!(game, text("4/4/4/4 b", "d1(a1)(c1a1)", 2));
        let note = note.unwrap();
        assert!(note.starts_with("of 4 lines ") && note.ends_with(": 2, 4"), "{note}");
    }
}
