//! An explicit certificate is a strategy that wins against every play.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use rex_game::{Player, State};
use rex_proof::{CheckLimits, Report, Strategy, StrategyError, check, open, seal};

fn corpus(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus").join(name)
}

/// The strategy of a certificate, at the start.
fn strategy(input: impl std::io::BufRead) -> (Strategy, Report) {
    let mut strategy = Strategy::default();
    let report = check(input, &CheckLimits::default(), &mut |claim, _| strategy.add(claim)).unwrap();
    strategy.start(&report.state).unwrap();
    (strategy, report)
}

/// Plays every move of the loser's in every state that comes about; `met` keeps these.
fn play_all(strategy: &Strategy, winner: Player, met: &mut HashSet<State>) {
    let state = strategy.state().unwrap();
    if !met.insert(state) {
        return;
    }
    if let Some(won) = state.position.winner() {
        assert_eq!(won, winner, "{state}");
        return;
    }
    if state.to_move == winner {
        let mut next = strategy.clone();
        let cell = next.move_of_winner().unwrap();
        assert_eq!(next.state(), Some(state.play(cell)));
        return play_all(&next, winner, met);
    }
    for cell in state.moves() {
        let mut next = strategy.clone();
        next.move_of_loser(cell).unwrap();
        play_all(&next, winner, met);
    }
}

/// One is a pairing, one has a key, one has moves, answers and many pairings.
#[test]
fn the_winner_wins_against_every_play() {
    for name in ["3x3-b2-explicit.cert", "3x4-explicit.cert", "4x4-explicit.cert"] {
        let (strategy, report) = strategy(open(&corpus(name)).unwrap());
        let mut met = HashSet::new();
        play_all(&strategy, report.winner, &mut met);
        assert!(met.len() > 20, "{name}: {}", met.len());
    }
}

fn made_of(board: &str, claims: &str, root: u32) -> String {
    seal(&format!("rex-certificate 1\nboard {board}\nrules full\n{claims}"), root)
}

/// Two images on the way to a claim: a move on the board of the game is one elsewhere on the claim's.
#[test]
fn a_game_goes_on_in_an_image_of_an_image() {
    let claims = "1 wb/1w w b all a2=joins\n2 w1/bw w b image rotation 1\n3 bw/1b b w image transpose 2\n";
    let (mut game, report) = strategy(made_of("2x2", claims, 3).as_bytes());
    game.move_of_loser(report.state.board().cell_named("a2").unwrap()).unwrap();
    assert_eq!(game.state().unwrap().position.winner(), Some(Player::White));
    // The winner's moves come back from the claim's board.
    let claims = "1 wb/1w w b all a2=joins\n2 w1/1w b b move b1 1\n3 b1/1b w w image transpose 2\n";
    let (mut game, report) = strategy(made_of("2x2", claims, 3).as_bytes());
    assert_eq!(game.move_of_winner(), Ok(report.state.board().cell_named("a2").unwrap()));
    game.move_of_loser(report.state.board().cell_named("b1").unwrap()).unwrap();
    assert_eq!(game.state().unwrap().position.winner(), Some(Player::White));
}

#[test]
fn what_cannot_be_played() {
    // Before the start, and from a state that no claim is about.
    let mut idle = Strategy::default();
    assert_eq!(idle.state(), None);
    assert_eq!(idle.move_of_winner(), Err(StrategyError::NotExplicit));
    let elsewhere: State = "2/2 b".parse().unwrap();
    assert_eq!(idle.move_of_loser(elsewhere.moves().first().unwrap()), Err(StrategyError::NotExplicit));
    assert_eq!(idle.start(&elsewhere), Err(StrategyError::NotExplicit));

    // The other player's move, a stone's cell, and moves after the end.
    let text = made_of("2x2", "1 wb/1w w b all a2=joins\n2 w1/1w b b move b1 1\n", 2);
    let (mut game, report) = strategy(text.as_bytes());
    let cell = |name: &str| report.state.board().cell_named(name).unwrap();
    assert_eq!(game.move_of_loser(cell("a2")), Err(StrategyError::BadMove));
    assert_eq!(game.move_of_winner(), Ok(cell("b1")));
    assert_eq!(game.move_of_winner(), Err(StrategyError::BadMove));
    assert_eq!(game.move_of_loser(cell("b1")), Err(StrategyError::BadMove));
    assert_eq!(game.move_of_loser(cell("a2")), Ok(()));
    assert_eq!(game.state().unwrap().position.winner(), Some(Player::Black));
    assert_eq!(game.move_of_loser(cell("a2")), Err(StrategyError::BadMove));
    assert_eq!(game.move_of_winner(), Err(StrategyError::BadMove));

    // A rule that names no moves, for either side to move.
    let (mut game, report) = strategy(made_of("3x3", "1 3/3/3 b w mirror transpose\n", 1).as_bytes());
    let a1 = report.state.moves().first().unwrap();
    assert_eq!(game.move_of_loser(a1), Err(StrategyError::NotExplicit));
    let (mut game, _) = strategy(made_of("3x3", "1 w2/3/3 b b mirror transpose\n", 1).as_bytes());
    assert_eq!(game.move_of_winner(), Err(StrategyError::NotExplicit));
    // A move that another one beats.
    let claims = "1 w2/3/3 b b mirror transpose\n2 3/3/w2 b b mirror transpose\n3 2w/3/3 b b mirror transpose\n\
                  4 3/3/2w b b mirror transpose\n5 3/3/3 w b all a1=1 b1<a1:7 a2<a1:6 b2<a2:8:a2-a3 a3=2 c1=3 \
                  c3=4 b3<c3:7 c2<c3:6\n";
    let (mut game, report) = strategy(made_of("3x3", claims, 5).as_bytes());
    let b1 = report.state.board().cell_named("b1").unwrap();
    assert_eq!(game.move_of_loser(b1), Err(StrategyError::NotExplicit));
}
