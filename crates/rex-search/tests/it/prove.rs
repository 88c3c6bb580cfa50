//! Solved states have certificates that the checker accepts, with the full rules and with the explicit ones.

use rex_game::{Board, Player, Position, Random, State};
use rex_oracle::Oracle;
use rex_proof::{CheckLimits, Report, Strategy, check};
use rex_search::{Settings, Solver};
use rex_theory::mirror_pairing::mirror_pairing;
use rex_theory::{Field, Options};

fn solver(board: Board) -> Solver {
    Solver::new(board, Settings { memory: 1 << 24, ..Settings::default() }).unwrap()
}

/// The text of a certificate, after it was checked.
fn certificate(solver: &Solver, state: &State, explicit: bool) -> (Vec<u8>, Report) {
    let winner = solver.ask(state).verdict().winner.unwrap();
    let proof = solver.proof(state, winner).explicit(explicit).prove().unwrap();
    let mut text = Vec::new();
    proof.write(&mut text).unwrap();
    let report = check(&text[..], &CheckLimits::default(), &mut |_, _| {});
    let report = report.unwrap_or_else(|error| panic!("{error}\n{}", String::from_utf8_lossy(&text)));
    assert_eq!((report.state, report.winner, report.explicit), (*state, winner, explicit));
    (text, report)
}

#[test]
fn every_4x4_opening() {
    let board = Board::new(4, 4).unwrap();
    let solver = solver(board);
    for explicit in [false, true] {
        for cell in board.cells() {
            let (text, report) = certificate(&solver, &State::new(board).play(cell), explicit);
            let expected = ["c2", "b3"].contains(&board.name(cell).as_str());
            assert_eq!(report.winner == Player::White, expected);
            println!("{} {explicit}: {} claims, {} bytes", board.name(cell), report.claims, text.len());
        }
    }
}

/// On 5x5 the mirror decides the empty board, and says nothing about how to play.
#[test]
fn a_solver_without_symmetry_proves_without_it() {
    let board = Board::new(5, 5).unwrap();
    let state = State::new(board).play(board.cell(2, 2).unwrap());
    let mirrors = |theory| {
        let settings = Settings { theory, memory: 1 << 24, ..Settings::default() };
        let (text, _) = certificate(&Solver::new(board, settings).unwrap(), &state, false);
        String::from_utf8(text).unwrap().contains(" mirror")
    };
    assert!(mirrors(Options::default()));
    assert!(!mirrors(Options { colour_symmetry: false, dominated_symmetry: false, ..Options::default() }));
}

#[test]
fn positions_of_small_boards() {
    for (rows, cols, every) in [(2, 3, 1), (3, 3, 7), (3, 4, 701), (4, 4, 90_001)] {
        let board = Board::new(rows, cols).unwrap();
        let oracle = Oracle::new(board);
        let solver = solver(board);
        for position in oracle.sample(every, 1) {
            for to_move in Player::BOTH {
                let state = State { position, to_move };
                for explicit in [false, true] {
                    let (_, report) = certificate(&solver, &state, explicit);
                    assert_eq!(report.winner, oracle.winner(&state), "{state}");
                }
            }
        }
    }
}

/// All boards that are not square: empty, and with random stones that leave a mirror pairing intact.
#[test]
fn every_mirror_pairing_is_a_certificate_of_one_claim() {
    let mut random = Random(22);
    let mut with_stones = 0;
    for rows in 1..=64 {
        for cols in (1..=26).filter(|cols| rows * cols <= 64 && rows != *cols) {
            let board = Board::new(rows, cols).unwrap();
            let solver = solver(board);
            let few = |stones: usize| stones.min(board.len() / 4);
            let (black, white) = if rows < cols { (few(3), few(1)) } else { (few(1), few(3)) };
            let mut positions: Vec<Position> = (0..20).map(|_| random.stones(board, black, white)).collect();
            positions.push(State::new(board).position);
            for state in positions
                .into_iter()
                .flat_map(|position| Player::BOTH.map(|to_move| State { position, to_move }))
            {
                if state.position.winner().is_some() || mirror_pairing(&Field::new(&state)).is_none() {
                    continue;
                }
                let (_, report) = certificate(&solver, &state, true);
                assert_eq!(report.rules_used().collect::<Vec<_>>(), [("pairs", 1)], "{state}");
                with_stones += u32::from(state.position.empty() != board.cells());
            }
        }
    }
    assert!(with_stones > 2_000, "{with_stones}");
}

#[test]
fn a_sample_of_5x5_replies() {
    let solver = solver(Board::new(5, 5).unwrap());
    for (moves, also_explicit) in
        [("a1 d2", true), ("a1 a2", true), ("c1 d2", false), ("a2 c3", true), ("e3 e1", false)]
    {
        let state: State = format!("5x5 {moves}").parse().unwrap();
        let (text, report) = certificate(&solver, &state, false);
        println!("{moves} full: {} claims, {} bytes", report.claims, text.len());
        if also_explicit {
            let (text, report) = certificate(&solver, &state, true);
            println!("{moves} explicit: {} claims, {} bytes", report.claims, text.len());
        }
    }
}

/// The winner plays from the certificate, the loser plays every move there is.
#[test]
fn an_explicit_certificate_wins_against_every_play() {
    let board = Board::new(3, 3).unwrap();
    let solver = solver(board);
    for cell in board.cells() {
        against_every_play(&solver, &State::new(board).play(cell));
    }
    let state: State = "b3/1w2/4/4 b".parse().unwrap();
    against_every_play(&self::solver(state.board()), &state);
}

fn against_every_play(solver: &Solver, state: &State) {
    let (text, report) = certificate(solver, state, true);
    let mut strategy = Strategy::default();
    check(&text[..], &CheckLimits::default(), &mut |claim, _| strategy.add(claim)).unwrap();
    strategy.start(state).unwrap();
    let mut games = 0;
    play_on(&strategy, report.winner, &mut games);
    assert!(games > 0);
}

fn play_on(strategy: &Strategy, winner: Player, games: &mut u64) {
    let mut strategy = strategy.clone();
    loop {
        let state = strategy.state().unwrap();
        if let Some(won) = state.position.winner() {
            assert_eq!(won, winner);
            *games += 1;
            return;
        }
        if state.to_move != winner {
            break;
        }
        strategy.move_of_winner().unwrap();
    }
    for cell in strategy.state().unwrap().moves() {
        let mut next = strategy.clone();
        next.move_of_loser(cell).unwrap();
        play_on(&next, winner, games);
    }
}

#[test]
fn a_short_proof_is_a_proof_and_stands_on_fewer_positions() {
    let board = Board::new(5, 5).unwrap();
    let (mut short, mut full) = (0, 0);
    for moves in ["a1 d2", "a1 b4", "c1 d2"] {
        let state: State = format!("5x5 {moves}").parse().unwrap();
        let solver = solver(board);
        let solution = solver.ask(&state).verdict();
        let winner = solution.winner.unwrap();
        let proof = solver.proof(&state, winner).prove().unwrap();
        full += proof.extent.positions;
        let proof = solver.proof(&state, winner).short(true).prove().unwrap();
        short += proof.extent.positions;
        assert!(proof.extent.positions <= proof.claims.len());
        let mut text = Vec::new();
        proof.write(&mut text).unwrap();
        let report = check(&text[..], &CheckLimits::default(), &mut |_, _| {}).unwrap();
        assert_eq!((report.state, report.winner), (state, winner));
    }
    assert!(0 < short && short <= full, "{short} positions, {full} in the certificates");
}

/// Who wins after each move of all that were asked for, and nothing if one of them is missing.
#[test]
fn a_certificate_can_say_who_wins_after_every_move() {
    for (rows, cols, every) in [(1, 1, 1), (2, 2, 1), (2, 3, 1), (3, 3, 1), (3, 4, 701), (4, 4, 90_001)] {
        let oracle = Oracle::new(Board::new(rows, cols).unwrap());
        let solver = solver(oracle.board());
        let states = oracle
            .sample(every, 1)
            .flat_map(|position| Player::BOTH.map(|to_move| State { position, to_move }));
        for state in states.chain([State::new(oracle.board())]) {
            every_move(&oracle, &solver, &state);
        }
    }
}

/// Who wins a position and after each of its moves, proved, checked, and as the oracle has it.
fn every_move(oracle: &Oracle, solver: &Solver, state: &State) {
    let winner = solver.ask(state).verdict().winner.unwrap();
    let wanted: Vec<_> =
        state.moves().into_iter().map(|cell| (cell, oracle.winner(&state.play(cell)))).collect();
    let mut open = wanted.clone();
    open.retain(|(cell, _)| state.play(*cell).position.winner().is_none());
    for (cell, _) in &open {
        solver.ask(&state.play(*cell)).verdict();
    }
    for explicit in [false, true] {
        let mut proof =
            solver.proof(state, winner).every_move(open.clone()).explicit(explicit).prove().unwrap();
        let checked = |proof: rex_search::prove::Proof| {
            let mut text = Vec::new();
            proof.write(&mut text).unwrap();
            let report = check(&text[..], &CheckLimits::default(), &mut |_, _| {});
            report.unwrap_or_else(|error| panic!("{error}\n{}", String::from_utf8_lossy(&text)))
        };
        let report = checked(proof.clone());
        assert_eq!((report.state, report.winner), (*state, winner), "{state}");
        // Where every move ends the game, none was asked for.
        assert!(open.is_empty() || report.moves == wanted, "{state}");
        // A lost position is proved by its moves, so they are all there anyway. Otherwise none is told if one is missing.
        if winner == state.to_move && state.position.empty().len() == state.board().len() {
            proof.kept.pop();
            assert_eq!(checked(proof).moves, []);
        }
    }
}
