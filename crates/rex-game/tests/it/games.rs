//! Games in SGF and as links to HexWorld and trmph.com.

use rex_game::sgf::{Collection, decode};
use rex_game::{ActionKind, GameRecord, Player, State};

fn record(text: &str) -> GameRecord {
    text.parse().unwrap_or_else(|e: rex_game::NotationError| panic!("{}", e.render(text)))
}

/// What a text means as a position.
fn state(text: &str) -> String {
    record(text).state().to_string()
}

#[test]
fn sgf_says_size_setup_moves_and_side_to_move() {
    for (text, wanted) in [
        ("(;GM[11]SZ[4];B[d1];W[a1])", "w2b/4/4/4 b"),
        ("(;FF[4]GM[11]SZ[4:3]AB[a1][c2]AW[d3])", "b3/2b1/3w b"),
        ("(;GM[11]SZ[3]AB[a1:b2]AW[c3]PL[W])", "bb1/bb1/2w w"),
        ("(;GM[11]SZ[3]AB[b2:a1]AW[a3:c2])", "bb1/www/www b"),
        ("(;SZ[3]AB[a1][b1]AE[a1]PL[white])", "1b1/3/3 w"),
        // Nothing is inferred from stones: White has none and yet it is Black's turn.
        ("(;SZ[2]AB[a1])", "b1/2 b"),
        // Two moves of a colour in a row.
        ("(;SZ[3];B[a1];B[b1];W[C2])", "bb1/2w/3 b"),
        // Stones may go on after somebody has joined.
        ("(;SZ[2];B[a1];W[b1];B[a2];W[b2])", "bw/bw b"),
        // Stones set after moves.
        ("(;SZ[3];B[a1];AW[b2]PL[B])", "b2/1w1/3 b"),
        // Cells as in Go.
        ("(;GM[11]SZ[4];B[db];W[ad])", "4/3b/4/w3 b"),
        // Old files pad the names with small letters.
        ("(;GaMe[11]SiZe[3];Black[b2])", "3/1b1/3 w"),
        ("\u{feff} (; SZ [3] C [a \\] bracket] ; B [ b2 ] )\r\n", "3/1b1/3 w"),
        ("(;SZ[3];B[a1];W[resign])", "b2/3/3 w"),
        ("(;SZ[3];B[a1];W[pass];B[])", "b2/3/3 w"),
    ] {
        assert_eq!(state(text), wanted, "{text}");
    }
}

/// HexGui ignores stones in the first node, and sets them up in the second one itself.
#[test]
fn stones_are_set_up_in_the_second_node_and_read_in_any() {
    for (text, wanted) in [
        ("(;SZ[3]AB[a1]AW[b2]PL[W])", "b2/1w1/3 w"),
        ("(;SZ[3];AB[a1]AW[b2]PL[W])", "b2/1w1/3 w"),
        ("(;AP[HexGui:0.9.GIT]FF[4]GM[11]SZ[3];PL[W]AB[a1]AW[b2];W[c3])", "b2/1w1/2w b"),
        ("(;SZ[3]AB[a1];AW[b2]PL[B];B[c3])", "b2/1w1/2b w"),
    ] {
        assert_eq!(state(text), wanted, "{text}");
    }
    for (rows, wanted) in [
        ("b2/1w1/3 w", "SZ[3];AB[a1]AW[b2]PL[W])\n"),
        ("3/3/3 w", "SZ[3];PL[W])\n"),
        ("3/3/3 b", "SZ[3])\n"),
        ("b2/3/3 b", "SZ[3];AB[a1]PL[B])\n"),
    ] {
        let sgf = record(rows).to_sgf();
        assert!(sgf.ends_with(wanted), "{sgf}");
        assert_eq!(state(&sgf), rows);
    }
}

#[test]
fn a_swap_moves_the_stone_or_the_sides() {
    // The second player takes the stone: mirrored on the long diagonal it is White's, and Black moves.
    assert_eq!(state("(;SZ[4];B[d1];W[swap-pieces])"), "4/4/4/w3 b");
    assert_eq!(state("(;SZ[4];B[d1];W[swap])"), "4/4/4/w3 b");
    assert_eq!(state("https://hexworld.org/board/#4,d1:s"), "4/4/4/w3 b");
    // The second player takes the sides: the stone stays black, and the other colour moves.
    assert_eq!(state("(;SZ[4];B[d1];W[swap-sides])"), "3b/4/4/4 w");
    assert_eq!(state("https://hexworld.org/board/#4,d1:Sa1"), "w2b/4/4/4 b");
    // Both mean the same game.
    let [pieces, sides] = ["(;SZ[4];B[d1];W[swap-pieces])", "(;SZ[4];B[d1];W[swap-sides])"].map(record);
    assert_eq!(pieces.state().canonical().0, sides.state().canonical().0);
    // A board that is no square is turned over with its stones.
    assert_eq!(state("(;SZ[3:2];B[c1];W[swap-pieces];B[b1])"), "1b/2/w1 w");
    assert_eq!(state("https://hexworld.org/board/#3x2,c1:sb1"), "1b/2/w1 w");
}

/// HexGui up to 0.9 says `swap-pieces` and means `swap-sides`.
#[test]
fn a_swap_means_what_the_program_that_wrote_it_means() {
    for (text, wanted) in [
        // Whoever swaps moves next: the stone has stayed.
        ("(;SZ[2];B[a1];W[swap-pieces];W[a2])", "b1/w1 b"),
        ("(;SZ[2];B[a1];W[swap];W[a2])", "b1/w1 b"),
        ("(;SZ[2];B[a1];W[swap-pieces];PL[W])", "b1/2 w"),
        ("(;SZ[2];B[b1];W[swap-pieces]PL[W];)", "1b/2 w"),
        // The opponent moves next: it has changed colour.
        ("(;SZ[2];B[b1];W[swap-pieces];B[a1])", "b1/w1 w"),
        ("(;SZ[2];B[b1];W[swap-pieces];PL[B])", "2/w1 b"),
        // HexGui up to 0.9, whoever moves next or whether anybody does.
        ("(;AP[HexGui:0.9.GIT]SZ[2];B[b1];W[swap-pieces])", "1b/2 w"),
        ("(;SZ[2]AP[HexGui\\:0.8];B[b1];W[swap-pieces];B[a1])", "bb/2 w"),
        ("(;AP[HexGui]SZ[2];B[b1];W[swap-pieces])", "1b/2 w"),
        // Later ones follow the rules of SGF, and so do we.
        ("(;AP[HexGui:0.10.GIT]SZ[2];B[b1];W[swap-pieces])", "2/w1 b"),
        ("(;AP[HexGui:1.0]SZ[2];B[b1];W[swap-pieces];W[a1])", "w1/w1 b"),
        ("(;AP[Solrex:0.1]SZ[2];B[b1];W[swap-pieces];W[a1])", "w1/w1 b"),
        // The first variation tells.
        ("(;SZ[2];B[b1];W[swap-pieces](;W[a1])(;B[a1]))", "wb/2 b"),
    ] {
        assert_eq!(state(text), wanted, "{text}");
        // What is written says it in a way that has one meaning.
        let written = Collection::parse(text).unwrap().to_string();
        assert_eq!(state(&written), wanted, "{written}");
    }
    let written = Collection::parse("(;AP[HexGui:0.9.GIT]SZ[2];B[b1];W[swap-pieces])").unwrap().to_string();
    assert!(written.contains(";B[b1];W[swap-sides])"), "{written}");
    // Each game of a file has its own program.
    let two = "(;AP[HexGui:0.9]SZ[2];B[b1];W[swap-pieces])(;SZ[2];B[b1];W[swap-pieces])";
    let games = Collection::parse(two).unwrap();
    let states: Vec<String> = games.games().map(|game| game.record().unwrap().state().to_string()).collect();
    assert_eq!(states, ["1b/2 w", "2/w1 b"]);
}

/// HexGui 0.9 shows the last variation first: there it finds the position as it is meant.
#[test]
fn swapped_pieces_are_written_so_that_every_program_shows_them() {
    let whole = record("https://hexworld.org/board/#4c1,d1:sb2,c3");
    let sgf = whole.to_sgf();
    assert_eq!(record(&sgf), whole, "{sgf}");
    let flat = sgf.replace('\n', "");
    assert!(flat.contains("SZ[4](;B[d1];W[swap-pieces];B[b2]IP[];W[c3])(;AW[a4]PL[B]C["), "{sgf}");
    assert!(flat.ends_with("];B[b2];W[c3]))"), "{sgf}");
    let lines = Collection::parse(&sgf).unwrap().only_game().unwrap().lines(10).unwrap();
    let ends: Vec<State> = lines.iter().map(GameRecord::end).collect();
    assert_eq!(ends, [whole.end(); 2]);
    // HexGui cannot show a board that is turned over.
    let turned = record("https://hexworld.org/board/#3x2,c1:sb1").to_sgf().replace('\n', "");
    assert!(turned.ends_with("SZ[3:2];B[c1];W[swap-pieces];B[b1])"), "{turned}");
}

#[test]
fn links_say_size_moves_and_which_position_is_shown() {
    for (text, wanted) in [
        ("https://hexworld.org/board/#6", "6/6/6/6/6/6 b"),
        ("https://hexworld.org/board/#3,", "3/3/3 b"),
        ("http://www.hexworld.org/board/#4r9c1,d1a1", "w2b/4/4/4 b"),
        ("https://hexworld.org/board/#4nc1,d1:pa1:rw", "b2b/4/4/4 w"),
        ("  https://hexworld.org/board/#4x3,d1a3  ", "3b/4/w3 b"),
        ("https://hexworld.org/board/#4,d1,a1", "3b/4/4/4 w"),
        ("https://hexworld.org/board/#4,,d1a1", "4/4/4/4 b"),
        ("https://hexworld.org/board/#4%2Cd1%3as", "4/4/4/w3 b"),
        ("HTTPS://HexWorld.org/board/#4,d1", "3b/4/4/4 w"),
        ("hexworld.org/board/#4,d1", "3b/4/4/4 w"),
        ("www.hexworld.org/board#4,d1", "3b/4/4/4 w"),
    ] {
        assert_eq!(state(text), wanted, "{text}");
    }
    let whole = record("https://hexworld.org/board/#4c1,d1,a1b2");
    assert_eq!((whole.actions().len(), whole.shown()), (3, 1));
    assert_eq!(whole.to_hexworld(), "https://hexworld.org/board/#4c1,d1,a1b2");
    assert!(whole.to_sgf().contains(";B[d1]IP[];W[a1];B[b2])"), "{}", whole.to_sgf());
}

#[test]
fn a_position_becomes_a_link_with_passes() {
    for (text, link) in [
        ("4x4 d1 a1", "#4c1,d1a1"),
        ("3x4", "#4x3c1"),
        ("bb1/3/2w b", "#3c1,a1c3b1:p"),
        ("3/1w1/3 w", "#3c1,:pb2:p"),
        ("3/3/3 w", "#3c1,:p"),
        ("bw/bw b", "#2c1,a1b1a2b2"),
    ] {
        assert_eq!(record(text).to_hexworld(), format!("https://hexworld.org/board/{link}"), "{text}");
    }
}

#[test]
fn sgf_is_written_with_its_rules() {
    let header = concat!("FF[4]GM[11]CA[UTF-8]AP[Solrex:", env!("CARGO_PKG_VERSION"), "]");
    assert_eq!(record("4x4 d1 a1").to_sgf(), format!("(;{header}RU[Rex]SZ[4];B[d1];W[a1])\n"));
    assert_eq!(record("b2w/4 w").to_sgf(), format!("(;{header}RU[Rex]SZ[4:2];AB[a1]AW[d1]PL[W])\n"));
    let hex = Collection::parse("(;SZ[2]RU[Hex]FF[3]AP[other]GM[11];B[a1])").unwrap();
    assert_eq!(hex.to_string(), format!("(;{header}SZ[2]RU[Hex];B[a1])\n"), "rules of its own stay");
    // The small letters of old files are no part of FF[4].
    let old = Collection::parse("(;GaMe[11]SiZe[2]RUles[Hex];Black[a1])").unwrap();
    assert_eq!(old.to_string(), format!("(;{header}SZ[2]RU[Hex];B[a1])\n"));
    // A name of nothing else is no name of FF[4] either, but it must not become an empty one.
    let odd = Collection::parse("(;SZ[2]RU[Rex]x[1];B[a1])").unwrap();
    assert_eq!(odd.to_string(), format!("(;{header}SZ[2]RU[Rex]x[1];B[a1])\n"));
}

#[test]
fn variations_comments_and_unknown_properties_are_kept() {
    let text = "(;GM[11]SZ[4]XY[a][b\\]c\\\\];B[d1]C[one
two](;W[a1](;B[a2])(;B[c1]))(;W[c1]LB[a1:x]))(;SZ[2])";
    let written = Collection::parse(text).unwrap().to_string();
    for part in ["XY[a][b\\]c\\\\]", "C[one\ntwo]", "(;W[a1](;B[a2])(;B[c1]))", "(;W[c1]LB[a1:x])"] {
        assert!(written.contains(part), "{part} in {written}");
    }
    let again = Collection::parse(&written).unwrap();
    assert_eq!(again.to_string(), written);
    let lengths: Vec<usize> = again.games().map(|game| game.record().unwrap().actions().len()).collect();
    assert_eq!(lengths, [3, 0], "the first variations are the main line");
}

#[test]
fn a_collection_is_built_node_by_node() {
    let start: State = "3b/4/4/4 w".parse().unwrap();
    let board = start.board();
    let act =
        |player, name| rex_game::Action { player, kind: ActionKind::Play(board.cell_named(name).unwrap()) };
    let mut games = Collection::default();
    let first = games.add_game(&start);
    games.set_info("GN", "a name");
    games.set(first, "C", ["White to play ]"]);
    let main = games.add_action(first, board, act(Player::White, "a1"));
    games.set(main, "TE", ["1"]);
    games.add_action(first, board, act(Player::White, "c1"));
    let text = games.to_string();
    assert!(text.contains("SZ[4]GN[a name]\n;AB[d1]PL[W]C["), "{text}");
    assert!(text.contains("C[White to play \\]](;W[a1]TE[1])(;W[c1])"), "{text}");
    let read = Collection::parse(&text).unwrap();
    assert_eq!(read.only_game().unwrap().record().unwrap().state().to_string(), "w2b/4/4/4 b");
}

#[test]
fn bad_games_are_rejected_with_the_place() {
    for (text, message) in [
        ("(", "line 1, column 2: the game is not closed; expected ')'"),
        ("(;", "line 1, column 3: the game is not closed; expected ')'"),
        ("()", "line 1, column 2: unexpected ')'; expected ';'"),
        ("((;))", "line 1, column 2: unexpected '('; expected ';'"),
        ("(;))", "line 1, column 4: unexpected ')'; expected '(;' or the end"),
        ("(;)x", "line 1, column 4: unexpected 'x'; expected '(;' or the end"),
        ("(;SZ[3](;B[a1]);W[b1])", "line 1, column 16: unexpected ';'; expected '(' or ')'"),
        ("(;SZ[3]\n;B[a1)", "line 2, column 3: the value is not closed; expected ']'"),
        ("(;SZ 3)", "line 1, column 6: 'SZ' has no value; expected '['"),
        ("(;GM[1]SZ[9])", "line 1, column 6: the game type is '1'; expected GM[11], Hex"),
        (
            "(;GM[11])",
            "line 1, column 1: there is no SZ, so the board is 11x11, with 121 cells; expected at most 64",
        ),
        ("(;SZ[9])", "line 1, column 6: a board of 9x9 has 81 cells; expected at most 64"),
        (
            "(;SZ[3:x])",
            "line 1, column 6: bad size '3:x'; expected a number, or columns and rows such as '6:5'",
        ),
        ("(;SZ[3][4])", "line 1, column 9: 'SZ' has a second value; expected only one"),
        (
            "(;SZ[3]AB[d1])",
            "line 1, column 11: 'd1' is not a cell of the 3x3 board; expected one from a1 to c3",
        ),
        ("(;SZ[3]PL[red])", "line 1, column 11: 'red' is not a player; expected 'B' or 'W'"),
        ("(;SZ[3];B[a1];W[a1])", "line 1, column 17: move 'a1' is on a black stone; expected an empty cell"),
        (
            "(;SZ[3];B[a1]\n;W[d9])",
            "line 2, column 4: move 'd9' is off the 3x3 board; expected a cell from a1 to c3",
        ),
        ("(;SZ[3])\n(;SZ[2])", "line 1, column 1: there are 2 games; expected one"),
        (
            "(;SZ[1:40];B[a1];W[swap-pieces])",
            "line 1, column 20: cannot swap pieces on a 40x1 board; expected a board that can be mirrored",
        ),
    ] {
        let error = text.parse::<GameRecord>().expect_err(text);
        assert_eq!(error.to_string(), message, "{text}");
        assert_eq!(text.parse::<State>().expect_err(text), error);
        error.render(text);
    }
}

#[test]
fn bad_links_are_rejected_with_the_place() {
    let board = "https://hexworld.org/board/";
    for (end, message, at) in [
        ("", "the link has no position; expected '#' and a size at the end, such as '#6'", 27..27),
        ("#", "missing number of columns; expected a size such as '6' or '6x5'", 28..28),
        ("#x", "missing number of columns; expected a size such as '6' or '6x5'", 28..28),
        ("#6x,", "missing number of rows; expected a size such as '6' or '6x5'", 30..30),
        ("#0", "bad number of columns '0'; expected a number from 1 to 26", 28..29),
        ("#11,a1", "a board of 11x11 has 121 cells; expected at most 64", 28..30),
        ("#4,a1a1", "move 'a1' is on a black stone; expected an empty cell", 32..34),
        ("#4,e1", "move 'e1' is off the 4x4 board; expected a cell from a1 to d4", 30..32),
        ("#4,a1:sb1:s", "a swap is not allowed here; expected one only as the second move", 36..38),
        ("#4,:s", "a swap is not allowed here; expected one only as the second move", 30..32),
        ("#4,a1,b1,", "there is a third ','; expected the end of the link", 35..35),
        (
            "#4,a1:rx",
            "':rx' is not a move; expected a cell such as 'a1', ':s', ':S', ':p', ':rb', ':rw', ':fb' or ':fw'",
            32..35,
        ),
        (
            "#4,a1 b1",
            "' ' is not a move; expected a cell such as 'a1', ':s', ':S', ':p', ':rb', ':rw', ':fb' or ':fw'",
            32..33,
        ),
    ] {
        let text = format!("{board}{end}");
        let error = text.parse::<GameRecord>().expect_err(&text);
        assert_eq!((error.to_string().as_str(), error.span()), (message, at), "{text}");
        error.render(&text);
    }
    let error = "https://example.org/#6".parse::<State>().unwrap_err();
    assert_eq!(error.to_string(), "the link leads to 'example.org'; expected 'hexworld.org' or 'trmph.com'");
}

#[test]
fn links_to_trmph_say_size_and_moves() {
    for (link, wanted) in [
        ("https://trmph.com/hex/board#4", "4/4/4/4 b"),
        ("https://trmph.com/hex/board#4,", "4/4/4/4 b"),
        ("https://trmph.com/hex/board#4,d1a1", "w2b/4/4/4 b"),
        ("  http://www.trmph.com/hex/board#8,h8a1b7 ", "w7/8/8/8/8/8/1b6/7b w"),
        ("trmph.com/hex/board#4%2Cd1", "3b/4/4/4 w"),
        // The first cell twice is a swap, and the stone lies where the link names it.
        ("https://trmph.com/hex/board#4,d1d1", "3w/4/4/4 b"),
        ("http://www.trmph.com/hex/board#4,d1d1a2", "3w/b3/4/4 w"),
        ("https://trmph.com/hex/board#4,b2b2", "4/1w2/4/4 b"),
    ] {
        assert_eq!(state(link), wanted, "{link}");
    }
    let swapped = record("https://trmph.com/hex/board#4,d1d1a2");
    assert_eq!(swapped.to_hexworld(), "https://hexworld.org/board/#4c1,a4:sa2");
}

#[test]
fn bad_links_to_trmph_are_rejected_with_the_place() {
    let board = "https://trmph.com/hex/board";
    for (end, message, at) in [
        ("", "the link has no position; expected '#' and a size at the end, such as '#6'", 27..27),
        ("#", "missing number of columns; expected a size such as '6'", 28..28),
        ("#13,a1b2c3", "a board of 13x13 has 169 cells; expected at most 64", 28..30),
        ("#4x4", "unexpected 'x' after the size; expected ','", 29..30),
        ("#4\n,a1", "unexpected '\\n' after the size; expected ','", 29..30),
        ("#4,e1", "move 'e1' is off the 4x4 board; expected a cell from a1 to d4", 30..32),
        ("#4,a1b2a1", "move 'a1' is on a black stone; expected an empty cell", 34..36),
        ("#4,a1a1a1", "move 'a1' is on a white stone; expected an empty cell", 34..36),
        ("#4,a1:s", "':' is not a move; expected a cell such as 'a1'", 32..33),
        ("#4,a1ä", "'ä' is not a move; expected a cell such as 'a1'", 32..34),
        ("#4,a", "'a' is not a move; expected a cell such as 'a1'", 30..31),
    ] {
        let text = format!("{board}{end}");
        let error = text.parse::<GameRecord>().expect_err(&text);
        assert_eq!((error.to_string().as_str(), error.span()), (message, at), "{text}");
        error.render(&text);
    }
}

#[test]
fn deep_nesting_needs_no_deep_stack() {
    let depth = 200_000;
    let text = "(;".repeat(depth) + "SZ[3]" + &")".repeat(depth);
    let games = Collection::parse(&text).unwrap();
    assert_eq!(games.to_string().matches(';').count(), depth);
    let many = format!("https://hexworld.org/board/#3,{}", ":p".repeat(200_000));
    assert_eq!(state(&many), "3/3/3 b");
}

#[test]
fn old_encodings_are_read() {
    let text = decode(b"(;SZ[3]C[caf\xe9];B[a1])");
    assert_eq!(state(&text), "b2/3/3 w");
    assert!(Collection::parse(&text).unwrap().to_string().contains("C[café]"));
}
