//! Games with variations, as the page has them: a starting position, a tree of moves, and the current place in it.
//!
//! The tree is written as moves. Several continuations are in brackets, the main one first: `d1(a1c1)(c1a1b2)`. Where
//! the position was changed by hand, the new one stands between two `@`, with dots and an underscore so that it can be
//! part of an address: `d1@b2.1w1.3_b@c3`. A swap or a pass is written as on HexWorld: `:s` (pieces), `:S` (sides), `:p`. A place is the number of its node in that text; 0 is the start.

use rex_game::sgf::{Collection, Game, Tree};
use rex_game::{GameRecord, MAX_CELLS, NotationError, Player, Position, State, looks_like_moves, move_list};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::notation::{bad, given_content};
use crate::{BadInput, answer};

mod picture;
mod tree;

pub use picture::Shown;
use tree::GameTree;

type Result<T> = std::result::Result<T, BadInput>;

/// The most moves of a game on the page.
const MOST_NODES: usize = 4096;

/// A game tree as text.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Default, Debug)]
pub struct GameText {
    /// Where it starts.
    pub position: String,
    /// The tree.
    #[serde(default)]
    pub moves: String,
    /// The place.
    #[serde(default)]
    pub at: usize,
    /// What is said about places, by their numbers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub comments: Vec<(usize, String)>,
    /// Who played Black, where that is known.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub black: String,
    /// Who played White.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub white: String,
}

/// A game to write, with what the board shows besides stones.
#[derive(Deserialize, Default, Debug)]
pub struct Exported {
    /// The game.
    #[serde(flatten)]
    game: GameText,
    /// For its picture.
    #[serde(flatten)]
    shown: Shown,
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
    /// What was left out, or had to be guessed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
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
        let board = board.parse().map_err(|error| unreadable(&error, board))?;
        let record = GameRecord::from_moves(board, text).map_err(|error| unreadable(&error, text))?;
        return tree_of_record(&record).map(Some);
    }
    let Some(position) = stones_alone(text) else {
        let given = given_content(text).map_err(|error| unreadable(&error, text))?;
        return match (&given.games, &given.records[..]) {
            (Some(games), _) => first_of(games).map(Some),
            (None, [record]) => tree_of_record(record).map(Some),
            _ => Err(BadInput::new("it contains no game")),
        };
    };
    let told: Option<Player> = to_move.as_deref().map(str::parse).transpose().map_err(BadInput::new)?;
    let Some(to_move) = told.or_else(|| next(&position)) else { return Ok(None) };
    let mut imported = tree_of_record(&GameRecord::new(State { position, to_move }))?;
    if told.is_none() {
        let player = answer::name(to_move);
        imported.note = Some(format!("{player} is to move, by the number of stones; the text does not say"));
    }
    Ok(Some(imported))
}

/// The error for a text that is no game. A game on a larger board is nobody's fault.
fn unreadable(error: &NotationError, text: &str) -> BadInput {
    let Some((rows, cols)) = error.too_large() else { return bad(error, text) };
    BadInput::new(format_args!(
        "This board is {rows}x{cols}. The text is fine, but Solrex takes at most {MAX_CELLS} cells, such as 8x8: \
         nobody can solve larger boards yet."
    ))
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

/// The first game of an SGF. A note says if there are more.
fn first_of(games: &Collection) -> Result<Imported> {
    let mut all = games.games();
    let first = all.next().ok_or_else(|| BadInput::new("it contains no game"))?;
    let mut imported = tree_of_game(&first)?;
    let others = all.count();
    if others > 0 {
        let note = format!("this is the first of {} games in the text", others + 1);
        imported.note = Some(imported.note.map_or(note.clone(), |before| format!("{before}; {note}")));
    }
    Ok(imported)
}

/// A game of an SGF, with everything in it.
fn tree_of_game(game: &Game) -> Result<Imported> {
    let tree = game.tree().map_err(BadInput::new)?;
    let board = tree.places[0].state.board();
    if tree.places.iter().all(|place| place.state.board() == board) {
        return imported_tree(&tree, None);
    }
    let mut main_line = tree_of_record(&game.record().map_err(BadInput::new)?)?;
    let also = "; variations and comments were left out";
    main_line.note.iter_mut().for_each(|note| *note += also);
    Ok(main_line)
}

/// A game without variations. A swap turns a board that is not square; then the game starts after it.
fn tree_of_record(record: &GameRecord) -> Result<Imported> {
    let mut tree = Tree::new(*record.start());
    let (mut at, mut note) = (0, None);
    for (number, &action) in record.actions().iter().enumerate() {
        at = tree.act(at, action);
        let state = tree.places[at].state;
        if state.board() != tree.places[0].state.board() {
            (tree, at) = (Tree::new(state), 0);
            note = Some(format!("the game starts after action {}, which turned the board", number + 1));
        }
        if number < record.shown() {
            tree.shown = at;
        }
    }
    imported_tree(&tree, note)
}

/// A whole tree. Our game has no swap and no pass, so a note says what they mean for the solver.
fn imported_tree(tree: &Tree, note: Option<String>) -> Result<Imported> {
    let made = GameTree::of(tree)?;
    let others = made.besides_moves().map(|what| {
        format!("the game has {what}; the solver judges each position as it stands, as if nobody could swap or pass")
    });
    let notes: Vec<String> = note.into_iter().chain(others).collect();
    let note = (!notes.is_empty()).then(|| notes.join("; "));
    Ok(Imported { game: made.write(tree.shown), note })
}

/// The game in every notation.
///
/// # Errors
/// If it is not a game.
pub fn export(Exported { game, shown }: &Exported) -> Result<Value> {
    let (tree, at) = GameTree::read(game)?;
    let state = tree.state(at);
    let record = tree.since_set_up(at);
    Ok(json!({
        "ren": state.to_string(),
        "moves": record.moves().map(|moves| move_list(state.board(), &moves)),
        "hexworld": record.to_hexworld(),
        "sgf": tree.sgf(at).trim_end(),
        "diagram": state.diagram().to_string(),
        "svg": picture::picture(&state, shown)?,
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

    fn exported(game: &GameText) -> Result<Value> {
        export(&Exported { game: game.clone(), shown: Shown::default() })
    }

    fn text(position: &str, moves: &str, at: usize) -> GameText {
        GameText { position: position.to_owned(), moves: moves.to_owned(), at, ..GameText::default() }
    }

    #[test]
    fn a_tree_is_written_as_it_was_read() {
        for (moves, at) in [
            ("", 0),
            ("d1a1", 2),
            ("d1(a1c1)(c1a1b2)", 4),
            ("(a1)(b1(c1)(d1))(c1)", 3),
            ("d1(@3b.1w2.4.4_b@a1)(c1@4.4.4.4_w@)", 2),
        ] {
            let mut game = text("4/4/4/4 b", moves, at);
            if at > 1 {
                game.comments = vec![(0, "first".to_owned()), (at, "here]\\".to_owned())];
            }
            let (tree, place) = GameTree::read(&game).unwrap();
            assert_eq!(tree.write(place), game, "{moves}");
        }
    }

    #[test]
    fn a_tree_that_is_none_is_refused() {
        for moves in [
            "e1",
            "a1a1",
            "(",
            "a1)",
            "a",
            "1",
            "ä",
            "A1",
            "a1 b1",
            "a1(b1)(",
            "@",
            "@4.4_b@",
            "@4.4.4.4@",
            "a1@nonsense@",
        ] {
            assert!(GameTree::read(&text("4x4", moves, 0)).is_err(), "{moves}");
        }
        assert!(GameTree::read(&text("4x4", "a1", 2)).is_err());
        assert!(GameTree::read(&text("4y4", "", 0)).is_err());
        let commented = |place| GameText { comments: vec![(place, "x".into())], ..text("4x4", "a1", 0) };
        assert!(GameTree::read(&commented(1)).is_ok() && GameTree::read(&commented(2)).is_err());
    }

    #[test]
    fn every_notation_comes_in_and_goes_out() {
        let sgf = "(;GM[11]SZ[4];B[d1](;W[a1]C[hard])(;W[c1];B[a1]))";
        let Imported { game, note } = import_text(sgf);
        assert_eq!(note, None);
        let comments = vec![(2, "hard".to_owned())];
        assert_eq!(game, GameText { comments, ..text("4/4/4/4 b", "d1(a1)(c1a1)", 2) });
        let all = exported(&game).unwrap();
        assert_eq!(all["ren"], "w2b/4/4/4 b");
        assert_eq!(all["moves"], "4x4 d1 a1");
        for name in ["ren", "moves", "hexworld", "diagram"] {
            let back = import_text(all[name].as_str().unwrap()).game;
            let (tree, at) = GameTree::read(&back).unwrap();
            assert_eq!(tree.state(at).to_string(), "w2b/4/4/4 b", "{name}");
        }
        assert_eq!(import_text(all["sgf"].as_str().unwrap()).game, game);
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
    fn swaps_and_passes_are_steps_of_the_game() {
        let says = |what: &str| Some(format!("the game has {what}; "));
        for (pasted, moves, at, states, besides) in [
            (
                "https://hexworld.org/board/#4,d1:sb2",
                "d1:sb2",
                3,
                ["4/4/4/w3 b", "4/1b2/4/w3 w"],
                says("a swap"),
            ),
            (
                "https://hexworld.org/board/#4,d1:Sb2",
                "d1:Sb2",
                3,
                ["3b/4/4/4 w", "3b/1w2/4/4 b"],
                says("a swap"),
            ),
            (
                "https://hexworld.org/board/#4,d1:pb2",
                "d1:pb2",
                3,
                ["3b/4/4/4 b", "3b/1b2/4/4 w"],
                says("a pass"),
            ),
            (
                "https://trmph.com/hex/board#4,a4a4b2",
                "d1:sb2",
                3,
                ["4/4/4/w3 b", "4/1b2/4/w3 w"],
                says("a swap"),
            ),
            ("1. d1 swap 2. b2", "d1:sb2", 3, ["4/4/4/w3 b", "4/1b2/4/w3 w"], says("a swap")),
            ("4x4 d1 pass b2", "d1:pb2", 3, ["3b/4/4/4 b", "3b/1b2/4/4 w"], says("a pass")),
            (
                "(;GM[11]SZ[4];B[d1];W[swap-pieces];B[b2])",
                "d1:sb2",
                3,
                ["4/4/4/w3 b", "4/1b2/4/w3 w"],
                says("a swap"),
            ),
            (
                "(;GM[11]SZ[4];B[d1];W[swap-sides];W[b2])",
                "d1:Sb2",
                3,
                ["3b/4/4/4 w", "3b/1w2/4/4 b"],
                says("a swap"),
            ),
            (
                "(;GM[11]SZ[4];B[d1];W[pass];B[b2];W[resign])",
                "d1:pb2",
                3,
                ["3b/4/4/4 b", "3b/1b2/4/4 w"],
                says("a pass"),
            ),
            ("(;GM[11]SZ[4];B[d1];B[c3])", "d1@3b.4.4.4_b@c3", 3, ["3b/4/4/4 b", "3b/4/2b1/4 w"], None),
            ("(;GM[11]SZ[4];W[d1];B[c3];W[resign])", "d1c3", 2, ["3w/4/4/4 b", "3w/4/2b1/4 w"], None),
        ] {
            let Imported { game, note } = import_text(pasted);
            assert_eq!((game.moves.as_str(), game.at), (moves, at), "{pasted}");
            assert_eq!(note.map(|note| note[..note.find("; ").unwrap() + 2].to_owned()), besides, "{pasted}");
            let after = |place| {
                let (tree, at) = GameTree::read(&GameText { at: place, ..game.clone() }).unwrap();
                tree.state(at).to_string()
            };
            assert_eq!([after(at - 1), after(at)], states, "{pasted}");
            // What goes out comes in again.
            let all = exported(&game).unwrap();
            assert_eq!(import_text(all["sgf"].as_str().unwrap()).game, game, "{pasted}");
            let back = import_text(all["hexworld"].as_str().unwrap()).game;
            let (tree, place) = GameTree::read(&back).unwrap();
            assert_eq!(tree.state(place).to_string(), states[1], "{pasted}");
        }
        for bad in ["d1:", "d1:x", "d1:sd1:sa4"] {
            assert!(GameTree::read(&text("4x4", bad, 0)).is_err(), "{bad}");
        }
        assert!(GameTree::read(&text("3x4", "a1:s", 0)).is_err());
        assert!(outcome("d1 a1 swap", None).unwrap_err().to_string().contains("only as the second move"));
        // The board is turned, so the game cannot start before that.
        let Imported { game, note } = import_text("(;GM[11]SZ[3:4];B[a2]C[x];W[swap-pieces];B[c3])");
        assert_eq!(game, text("1w2/4/4 b", "c3", 1));
        assert!(note.unwrap().starts_with("the game starts after action 2, which turned the board; "));
    }

    /// There the first player is called White and owns top and bottom.
    #[test]
    fn a_game_of_little_golem_has_our_sides_and_its_names() {
        let sgf = "(;FF[4]EV[hex.ch.1]PB[Second \\] player]PW[First]SZ[4]SO[http://www.littlegolem.com];W[da];B[swap];W[bb])";
        let Imported { game, .. } = import_text(sgf);
        let expected = text("4/4/4/4 b", "d1:sb2", 3);
        assert_eq!(game, GameText { black: "First".into(), white: "Second ] player".into(), ..expected });
        let out = exported(&game).unwrap()["sgf"].as_str().unwrap().to_owned();
        assert!(out.contains("PB[First]PW[Second \\] player]"), "{out}");
        assert_eq!(import_text(&out).game, game);
    }

    #[test]
    fn a_board_that_is_too_large_is_nobodys_fault() {
        for pasted in [
            "(;GM[11]SZ[11];B[a1])",
            "(;FF[4];B[a1])",
            "https://hexworld.org/board/#11,a1",
            "https://trmph.com/hex/board#11,a1",
            "11x11 a1",
        ] {
            let error = outcome(pasted, None).unwrap_err().to_string();
            assert!(error.starts_with("This board is 11x11. The text is fine, but"), "{pasted}: {error}");
        }
    }

    #[test]
    fn sgf_keeps_set_ups_comments_and_the_place() {
        let start = "(;GM[11]SZ[4];AB[a1]PL[W]C[our lesson];W[b1])";
        assert_eq!(import_text(start).game.position, "b3/4/4/4 w");
        let sgf =
            "(;GM[11]SZ[4];B[d1](;AB[a1]AW[b2]AE[d1]PL[W]IP[];W[c3]C[why \\] not](;B[c1])(;B[d4]))(;W[a1]))";
        let Imported { game, note } = import_text(sgf);
        assert_eq!(note, None);
        assert_eq!((game.moves.as_str(), game.at), ("d1(@b3.1w2.4.4_w@c3(c1)(d4))(a1)", 2));
        assert_eq!(game.comments, vec![(3, "why ] not".to_owned())]);
        let all = exported(&game).unwrap();
        assert_eq!((&all["ren"], &all["moves"]), (&json!("b3/1w2/4/4 w"), &Value::Null));
        assert_eq!(import_text(all["sgf"].as_str().unwrap()).game, game);
    }
}
