//! `solrex play` through a pipe.

use crate::common::{BARE, ENDLESS, Run, SMALL, run};

fn play(args: &[&str], input: &str) -> Run {
    let run = run(&[&["play"][..], args, &SMALL].concat(), input.as_bytes());
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""), "{args:?}\n{}", run.out);
    run
}

/// Every cell again and again: a player who takes what comes first, and is told where she cannot play.
fn every_cell(size: usize) -> String {
    let row = |row: usize| (0..size).map(move |col| format!("{}{row}\n", (b'a' + col as u8) as char));
    (1..=size).flat_map(row).collect()
}

#[test]
fn solrex_wins_what_can_be_won() {
    // The second player wins on 3x3, the first on 4x4.
    let run = play(&["3x3"], &every_cell(3).repeat(4));
    assert!(run.out.contains("Black has connected her two sides: White wins."), "{}", run.out);
    let run = play(&["4", "--black", "solrex"], &every_cell(4).repeat(4));
    assert!(run.out.contains("White has connected her two sides: Black wins."), "{}", run.out);
}

#[test]
fn two_solrexes_play_to_the_end() {
    let run = play(&["3x4", "--black", "solrex", "--white", "solrex"], "");
    assert!(run.out.contains("Black (Solrex) plays"), "{}", run.out);
    // The sides of White are further apart: she wins whoever starts.
    assert!(run.out.ends_with("Black has connected her two sides: White wins.\n"), "{}", run.out);
}

#[test]
fn hints_moves_and_reasons() {
    let run = play(&["4x4 d1 a1", "--white", "human"], "hint\nmoves\nwhy\nquit\na2\n");
    assert!(run.out.contains("a2 wins.") || run.out.contains("c1 wins."), "{}", run.out);
    assert!(run.out.contains("     1 W - + B 1\nwhite 2 + - - - 2 white\n"), "{}", run.out);
    assert!(run.out.contains("Black wins"), "{}", run.out);
    assert!(run.out.ends_with("Black to move: quit\n"), "{}", run.out);
    let run = play(&["3x3"], "hint\nwhy\n");
    assert!(
        run.out.contains("Every move loses; ") && run.out.contains("leaves only 7 winning moves."),
        "{}",
        run.out
    );
}

#[test]
fn undo_takes_both_moves_back() {
    let run = play(&["3x3"], "undo\nb2\nundo\nundo\n");
    assert!(run.out.contains("Black to move: undo\nThere is nothing to take back.\n"), "{}", run.out);
    assert!(run.out.contains("Black to move: undo\n2 moves taken back.\n"), "{}", run.out);
    let empty = "     1 . . . 1\nwhite 2 . . . 2 white\n       3 . . . 3\n";
    assert_eq!(run.out.matches(empty).count(), 2, "{}", run.out);
}

#[test]
fn a_game_that_is_over_can_be_taken_back() {
    let run = play(&["2x2", "--white", "human"], "a1\nb1\na2\nhint\nwhy\nb2\nundo\nb2\n");
    assert!(run.out.contains("Black has connected her two sides: White wins."), "{}", run.out);
    assert!(run.out.contains("The game is over: hint\nThe game is over.\n"), "{}", run.out);
    assert!(run.out.contains("comes after the end: black is connected"), "{}", run.out);
    assert!(
        run.out.contains("White has connected her two sides: Black wins.")
            || run.out.contains("1 move taken back")
    );
}

#[test]
fn the_pie_rule() {
    let run = play(&["4x4", "--swap", "--white", "human"], "swap\nhint\na1\nhint\nswap\nswap\nundo\n");
    assert!(run.out.contains("Black to move: swap\nOnly the second player can swap"), "{}", run.out);
    // A winning opening would be taken over.
    let fair =
        "Black to move: hint\nc2 makes swapping a mistake: it loses, but leaves only 9 winning moves.\n";
    assert!(run.out.contains(fair), "{}", run.out);
    assert!(run.out.contains("White to move: hint\nSwap: the opening wins for Black.\n"), "{}", run.out);
    assert!(run.out.contains("White to move: swap\nThe players have swapped sides.\n"), "{}", run.out);
    assert!(run.out.contains("White to move: undo\n1 move taken back.\n"), "{}", run.out);
    // Solrex takes over a winning opening, and leaves a losing one.
    let run = play(&["4x4", "--swap"], "a1\n");
    assert!(run.out.contains("Solrex swaps: the opening wins. You play White now."), "{}", run.out);
    let run = play(&["4x4", "--swap"], "c2\n");
    assert!(run.out.contains("White (Solrex) plays "), "{}", run.out);
    // When it opens itself, there is nothing to gain by a swap.
    let run = play(&["4x4", "--swap", "--black", "solrex"], "hint\n");
    assert!(run.out.contains("Do not swap: White is winning."), "{}", run.out);
    // Where every opening wins, a swap pays in any case.
    let run = play(&["4x3", "--swap"], "hint\n");
    assert!(run.out.contains(" wins, but your opponent should then swap."), "{}", run.out);
}

#[test]
fn a_game_is_the_same_for_the_same_seed() {
    let args = ["5x5", "--black", "solrex", "--white", "solrex", "--level", "casual", "--seed"];
    let game = |seed: &str| play(&[&args[..], &[seed]].concat(), "").out;
    assert_eq!(game("7"), game("7"));
    assert_ne!(game("7"), game("8"));
    assert!(game("7").contains(" wins.\n"));
}

#[test]
fn the_top_level_says_that_it_guessed_and_the_others_claim_nothing() {
    let guessed = "It could not solve the position in time, and guessed.";
    for (level, says) in
        [("novice", false), ("casual", false), ("skilled", false), ("expert", false), ("perfect", true)]
    {
        let run = run(
            &[
                &["play", ENDLESS, "--white", "solrex", "--black", "human", "--level", level, "--nodes", "5"],
                &BARE[..],
            ]
            .concat(),
            b"",
        );
        assert!(run.out.contains("White (Solrex) plays "), "{}", run.out);
        assert_eq!(run.out.contains(guessed), says, "{level}\n{}", run.out);
    }
}

#[test]
fn a_game_is_saved() {
    let path = format!("{}/played.sgf", env!("CARGO_TARGET_TMPDIR"));
    let input = format!("save\nb2\na1\nsave {path}\nsave /no/such/folder/x\n");
    let run = play(&["3x3", "--white", "human"], &input);
    assert!(run.out.contains("'save' needs a file name"), "{}", run.out);
    assert!(run.out.contains("cannot write '/no/such/folder/x'"), "{}", run.out);
    assert!(std::fs::read_to_string(path).unwrap().ends_with("SZ[3];B[b2];W[a1])\n"));
}

#[test]
fn what_is_not_understood_is_said() {
    let run = play(&["3x3"], "help\n\nfly\na1 b2\nd9\n\u{fffd}\n");
    for part in [
        "  e3     move there\n  hint",
        "'fly' is not a move",
        "One move at a time.",
        "move 'd9' is off the 3x3 board",
    ] {
        assert!(run.out.contains(part), "{part} in\n{}", run.out);
    }
    for (args, says) in [
        (&["play", "9x9"][..], "81 cells"),
        (&["play", "4x4", "--black", "nobody"], "human, solrex"),
        (&["play", "4x4", "--level", "easy"], "novice, casual, skilled, expert, perfect"),
        (&["play", "4x4", "--json"], "'play' has no JSON form"),
        (&["play"], "SIZE"),
    ] {
        let run = crate::common::run(args, b"");
        assert_eq!(run.code, Some(2), "{args:?}");
        assert!(run.err.contains(says) || run.out.contains(says), "{args:?}\n{}{}", run.err, run.out);
    }
}

/// The block shows a part of the game: its lines come in this order, with nothing between them.
#[test]
fn the_manual_shows_a_real_game() {
    let path = format!("{}/../../docs/manual.md", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    let (_, rest) = text.split_once("```play\n$ solrex play ").expect("there is a game");
    let (args, shown) = rest.split_once("```").expect("it ends").0.split_once('\n').expect("it has lines");
    let typed = |line: &str| Some(line.split_once(" to move: ")?.1.to_owned() + "\n");
    let input: String = shown.lines().filter_map(typed).collect();
    let run = play(&args.split(' ').collect::<Vec<_>>(), &input);
    assert!(run.out.contains(shown), "{}", run.out);
}
