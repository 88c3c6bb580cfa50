//! Position text: what it means, and what is said when it means nothing.

use rex_game::{Board, Player, Position, State, looks_like_moves, move_list};

fn error(input: &str) -> rex_game::NotationError {
    input.parse::<State>().expect_err(input)
}

#[test]
fn positions_are_read_and_printed_in_canonical_form() {
    let lines = include_str!("../data/positions.txt").lines().filter(|line| !line.starts_with('#'));
    for (input, canonical) in lines.filter_map(|line| line.split_once(" => ")) {
        let state: State =
            input.parse().unwrap_or_else(|e: rex_game::NotationError| panic!("{}", e.render(input)));
        assert_eq!(state.to_string(), canonical, "{input}");
        assert_eq!(canonical.parse(), Ok(state), "{input}");
    }
}

/// Each block of the file is what the error renders to, so its second line is the input.
#[test]
fn bad_positions_are_rejected_with_the_place_and_what_was_expected() {
    for block in include_str!("../data/bad_positions.txt").trim_end().split("\n\n") {
        let input = block.lines().nth(1).and_then(|line| line.strip_prefix("  ")).expect(block);
        assert_eq!(error(input).render(input), block);
    }
}

#[test]
fn spans_are_bytes_of_the_whole_input() {
    assert_eq!(error("  4/ä b").span(), 4..6);
    assert_eq!(error("\t6x6 a1\n a1 ").span(), 9..11);
    assert_eq!(error("4/4 ").span(), 3..3, "where something is missing the span is empty");
    assert_eq!(error("4/4 b c  ").span(), 6..7);
    assert_eq!(error("").span(), 0..0);
    assert_eq!(error(" , ").span(), 0..3);
    let e = error("3/2 b");
    assert_eq!((e.message(), e.expected()), ("row 2 has 2 cells", "3 cells as in row 1"));
}

#[test]
fn empty_input_is_no_position() {
    for input in ["", " ", "\n\t", ",", "\u{3000}"] {
        assert_eq!(error(input).message(), "no position");
        error(input).render(input);
    }
}

#[test]
fn every_stone_lands_on_its_cell() {
    let state: State = "1b1w/3w/w2b/2b1 w".parse().unwrap();
    let named = |names: &str| names.split(' ').map(|name| state.board().cell_named(name).unwrap()).collect();
    assert_eq!(state.position.stones(Player::Black), named("b1 d3 c4"));
    assert_eq!(state.position.stones(Player::White), named("d1 d2 a3"));
    assert_eq!(state.to_move, Player::White);
}

#[test]
fn stones_may_join_in_position_text() {
    let state: State = "b1/b1 w".parse().unwrap();
    assert_eq!(state.position.winner(), Some(Player::White));
    assert!(state.moves().is_empty());
}

#[test]
fn moves_are_read_from_any_state() {
    let state: State = "1b1/3/3 w".parse().unwrap();
    let moves = state.parse_moves(" a1, c3 ").unwrap();
    assert_eq!(state.play_text("a1 c3").unwrap().to_string(), "wb1/3/2b w");
    assert_eq!(state.play(moves[0]).play(moves[1]), state.play_text("a1 c3").unwrap());
    assert_eq!(state.play_text(" "), Ok(state));
    let e = state.play_text("a1 b1").unwrap_err();
    assert_eq!(
        (e.to_string().as_str(), e.span()),
        ("move 'b1' is on a black stone; expected an empty cell", 3..5)
    );
}

#[test]
fn moves_may_be_numbered() {
    let state: State = "4x4 d1 a1 c3".parse().unwrap();
    for text in ["4x4 1. d1 a1 2. c3", "4x4 1.d1 a1 2.c3", "4x4 1. d1 2. a1 3. c3", "4x4 1. d1 1... a1 2. c3"]
    {
        assert_eq!(text.parse(), Ok(state), "{text}");
    }
    for (text, wanted) in [
        ("d1 a1", true),
        ("1. d1 a1", true),
        ("1.d1,a1", true),
        ("b2", true),
        ("", false),
        ("1. 2.", false),
        ("b2 w", false),
        ("4x4 d1", false),
        ("1 d1", false),
        ("b1/w1", false),
        ("d", false),
    ] {
        assert_eq!(looks_like_moves(text), wanted, "{text}");
    }
    for (text, at) in [("4x4 1 d1", 4..5), ("4x4 1.z9", 6..8), ("4x4 .d1", 4..7), ("4x4 1.d1.", 6..9)] {
        assert_eq!(error(text).span(), at, "{text}");
    }
}

#[test]
fn rows_are_read_without_a_side_to_move() {
    let position: Position = " 1b1/w2/3\n".parse().unwrap();
    assert_eq!(position, "1b1/w2/3 w".parse::<State>().unwrap().position);
    let refused = |text: &str| text.parse::<Position>().expect_err(text).to_string();
    assert_eq!(refused("1b1/w2/3 w"), "unexpected 'w' after the rows; expected nothing more");
    assert_eq!(refused("3/2"), "row 2 has 2 cells; expected 3 cells as in row 1");
    assert_eq!(refused(""), "row 1 is empty; expected at least one cell");
}

#[test]
fn move_lists_are_printed() {
    let board = Board::new(10, 2).unwrap();
    assert_eq!(move_list(board, &[]), "10x2");
    let moves = State::new(board).parse_moves("b10 a1").unwrap();
    assert_eq!(move_list(board, &moves), "10x2 b10 a1");
}

#[test]
fn sizes_are_read() {
    assert_eq!(" 3x4 ".parse(), Board::new(3, 4).map_err(|_| unreachable!()));
    let message = |text: &str| text.parse::<Board>().unwrap_err().to_string();
    assert_eq!(message(""), "no size; expected rows x columns such as '6x6'");
    assert_eq!(message("six"), "bad number of rows 'si'; expected a number from 1 to 64");
    assert_eq!("6".parse(), Board::new(6, 6).map_err(|_| unreachable!()));
    assert_eq!(message("6a"), "'6a' is not a size; expected rows x columns such as '6x6'");
    assert_eq!(message("9"), "a board of 9x9 has 81 cells; expected at most 64");
    assert_eq!(message("6x6 e3"), "unexpected 'e3' after the size; expected nothing more");
    assert_eq!(message("9x9"), "a board of 9x9 has 81 cells; expected at most 64");
}

#[test]
fn long_input_is_clipped_around_the_place() {
    let input = format!("{}q{}", "4/".repeat(1000), "/4".repeat(1000));
    let rendered = error(&input).render(&input);
    let [_, line, caret] = rendered.lines().collect::<Vec<_>>()[..] else { panic!("{rendered}") };
    assert!(line.starts_with("  …") && line.ends_with('…') && line.chars().count() == 80, "{line}");
    let at = caret.find('^').unwrap();
    assert_eq!(line.chars().nth(at), Some('q'));

    let input = format!("{}4", "4/".repeat(10));
    assert!(error(&input).render(&input).contains(&format!("  {input}\n")));
    let input = "4/".repeat(15) + "4";
    let line = error(&input).render(&input);
    assert_eq!(line.lines().nth(2).unwrap().trim_start(), "^");
    // A span that runs off the window is marked as far as it is seen.
    let input = "9".repeat(500) + " b";
    let rendered = error(&input).render(&input);
    assert_eq!(rendered.lines().last().unwrap(), format!("  {}", "^".repeat(76)));
}

#[test]
fn control_characters_are_shown_escaped() {
    let input = "4/\u{1b}[31m b";
    assert_eq!(
        error(input).render(input),
        "unknown character '\\u{1b}' in row 2; expected 'b', 'w', a number or '/'\n  4/\\u{1b}[31m b\n    ^^^^^^"
    );
    let input = "\t4/4\r\n";
    assert_eq!(error(input).render(input).lines().nth(1), Some("  \\t4/4"));
    let input = "e\u{301}\u{202e}";
    assert_eq!(error(input).render(input).lines().last(), Some("  ^^^^^^^^^^^^^^^^"));
}

#[test]
fn rendering_over_another_input_is_harmless() {
    let e = error("6x6 a1 a1");
    for input in ["", "ä", "äöüäöüäöü", "a\nb\nc\nd\ne\n"] {
        e.render(input);
    }
}
