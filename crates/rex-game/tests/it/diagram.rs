//! Drawn boards, both ways.

use rex_game::{Board, Position, State};

fn state(text: &str) -> State {
    text.parse().unwrap()
}

#[test]
fn narrow_and_tall_boards_line_up() {
    let drawn = state("1/w/1/1/1/1/1/1/1/b w").diagram().to_string();
    let expected = "
  black
    a
   1 . 1
    2 W 2
     3 . 3
      4 . 4
 white 5 . 5 white
        6 . 6
         7 . 7
          8 . 8
           9 . 9
           10 B 10
               a
             black
white to move
";
    assert_eq!(format!("\n{drawn}"), expected);
    let drawn = state("1bw b").position.diagram().to_string();
    let expected = "
       black
       a b c
white 1 . B W 1 white
         a b c
         black
";
    assert_eq!(format!("\n{drawn}"), expected);
}

#[test]
fn stones_can_be_round_and_cells_marked() {
    let state = state("1b/w1 b");
    let marks = |cell| (cell == state.board().cell(1, 1).unwrap()).then(|| "+".to_owned());
    let drawn = state.diagram().unicode().marks(&marks).to_string();
    let expected = "
      black
       a b
white 1 · ● 1 white
       2 ○ + 2
          a b
         black
black to move
";
    assert_eq!(format!("\n{drawn}"), expected);
    assert_eq!(State::from_diagram(&drawn.replace('+', "·")), Ok(state));
}

#[test]
fn bare_and_decorated_forms_mean_the_same() {
    let wanted = state("1bw/2b w");
    for drawn in [
        ".bw\n..b\nwhite to move",
        "- B W\n - - B\n\n  White to move\n\n",
        "\r\n  . b w\r\n . . b\r\nwhite to move\r\n",
        "  abc\n1 . B W\n 2 . . B\nWHITE to move",
        "A B C\n1.bw1\n2..b2\na b c\nwhite to move",
        "black\na b c\nwhite 1 · ● ○ 1 white\n2 · · ●\nblack\nwhite to move",
    ] {
        assert_eq!(State::from_diagram(drawn), Ok(wanted), "{drawn}");
        assert_eq!(Position::from_diagram(drawn), Ok(wanted.position), "{drawn}");
    }
}

#[test]
fn bad_diagrams_are_rejected_with_line_and_column() {
    let tall = ".\n".repeat(65);
    for (drawn, message) in [
        ("", "line 1, column 1: no rows; expected rows of '.', 'b' and 'w'"),
        (" \n\n", "line 1, column 1: no rows; expected rows of '.', 'b' and 'w'"),
        ("a b\n", "line 1, column 1: no rows; expected rows of '.', 'b' and 'w'"),
        (". .\n . *", "line 2, column 4: unknown symbol '*'; expected '.', 'b' or 'w'"),
        ("○ ä", "line 1, column 3: unknown symbol 'ä'; expected '.', 'b' or 'w'"),
        (". .\n . . .", "line 2, column 2: row 2 has 3 cells; expected 2 cells as in row 1"),
        (". .\n 2", "line 2, column 2: row 2 is empty; expected 2 cells as in row 1"),
        ("white", "line 1, column 1: row 1 is empty; expected at least one cell"),
        ("1 . .\n 3 . .", "line 2, column 2: row number '3'; expected 2"),
        ("1 . . 2", "line 1, column 7: row number '2'; expected 1"),
        ("1 . . 1 .", "line 1, column 9: '.' after the row number; expected the end of the line"),
        ("1 . . 1 1", "line 1, column 9: '1' after the row number; expected the end of the line"),
        ("a c\n. .", "line 1, column 3: 'c' in the line of letters; expected 'b'"),
        ("a b c\n. .", "line 1, column 1: letters for 3 columns; expected 2 as in the rows"),
        ("a b\n. .\na\n", "line 3, column 1: letters for 1 columns; expected 2 as in the rows"),
        (
            ". .\na b\n. .",
            "line 3, column 1: a row below the bottom of the board; expected the side to move or the end",
        ),
        (
            ". .\nblack to move\n. .",
            "line 3, column 1: a line after the side to move; expected the end of the diagram",
        ),
        (
            ". .\n. .\n",
            "line 2, column 4: missing side to move; expected a last line 'black to move' or 'white to move'",
        ),
        (&tall, "line 1, column 1: a board of 65x1 has 65 cells; expected at most 64"),
        (&".".repeat(27), "line 1, column 1: row 1 has 27 cells; expected at most 26 columns"),
    ] {
        let error = State::from_diagram(drawn).expect_err(drawn);
        assert_eq!(error.to_string(), message, "{drawn}");
        error.render(drawn);
    }
    let drawn = ". .\n . *";
    let rendered = State::from_diagram(drawn).unwrap_err().render(drawn);
    assert!(rendered.ends_with("\n   . *\n     ^"), "{rendered}");
}

#[test]
fn the_largest_boards_are_drawn() {
    for (rows, cols) in [(64, 1), (2, 26), (1, 26), (8, 8), (1, 1)] {
        let state = State::new(Board::new(rows, cols).unwrap());
        assert_eq!(State::from_diagram(&state.diagram().to_string()), Ok(state));
    }
}
