//! Certificates from ledgers in which some records are false: the certificate is right, and what is called false is.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use rex_cluster::local::Hub;
use rex_cluster::{
    Certify, CertifyError, Changes, Findings, Lead, Ledger, Plan, Worker, WorkerSettings, lead,
};
use rex_game::{Board, Player, State};
use rex_oracle::Oracle;
use rex_proof::CheckLimits;
use rex_search::prove::Proof;
use rex_search::{Settings, Solved, StopReason};
use rex_store::{Known, Place, Record, record_of, solved_nodes};
use rex_theory::fill_in::RULES;

fn fresh(name: &str) -> Ledger {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("certify-{name}.redb"));
    let _ = std::fs::remove_file(&path);
    Ledger::open(&path).unwrap()
}

fn leads(state: &State) -> Lead {
    Lead {
        state: *state,
        plan: Plan { share: 1, ..Plan::default() },
        memory: 1 << 24,
        silence: Duration::from_secs(60),
        note_reporters: true,
        cancel: Arc::default(),
    }
}

/// A ledger as an honest worker leaves it.
fn honest(state: &State, name: &str) -> Ledger {
    let ledger = fresh(name);
    let hub = Hub::default();
    let stop = Arc::new(AtomicBool::new(false));
    std::thread::scope(|scope| {
        let (mut bus, cancel) = (hub.worker(), stop.clone());
        scope.spawn(move || {
            let search = Settings { memory: 1 << 24, ..Settings::default() };
            let settings = WorkerSettings { name: "honest".to_owned(), search, cancel };
            Worker::new(settings, &mut |_| {}).run(&mut bus).unwrap();
        });
        let outcome = lead(&leads(state), &ledger, &mut hub.leader(), &mut |_| {});
        stop.store(true, Relaxed);
        assert!(outcome.unwrap().winner.is_some());
    });
    ledger
}

fn certify(state: &State, ledger: &Ledger) -> (Proof, Findings) {
    certify_by(state, ledger, Certify::ALONE)
}

fn certify_by(state: &State, ledger: &Ledger, alone: u64) -> (Proof, Findings) {
    let request = Certify { lead: &leads(state), ledger, explicit: false, threads: 1, alone };
    request.run(&mut |_| {}).unwrap()
}

/// Checks a certificate, and returns who wins by it.
fn check(state: &State, proof: Proof) -> Player {
    let mut text = Vec::new();
    proof.write(&mut text).unwrap();
    let report = rex_proof::check(&text[..], &CheckLimits::default(), &mut |_, _| {}).unwrap();
    assert_eq!(report.state, *state);
    report.winner
}

fn records(ledger: &Ledger, board: Board) -> Vec<(Place, Record)> {
    let mut all = Vec::new();
    ledger.each_solved(board, &mut |place, record| all.push((place, record))).unwrap();
    all
}

/// Says the opposite of a record, as far as one can.
fn opposite((place, record): &(Place, Record)) -> Option<(Place, Record)> {
    let (last, winner) =
        Player::BOTH.into_iter().find_map(|last| Some((last, record.known.winner(last)?)))?;
    let known = Known::from_game(last, !winner);
    record.known.and(known).is_none().then_some((*place, Record { known, ..*record }))
}

/// Numbers that look random, the same on every run.
struct Draw(u64);

impl Draw {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }
}

#[test]
fn an_honest_ledger_gives_a_certificate_and_nothing_is_called_false() {
    for position in ["4x4", "4x4 c2", "5x5 a1 e1", "5x5 c1 d2", "6x6 a1"] {
        let state: State = position.parse().unwrap();
        let ledger = honest(&state, "honest");
        let before = records(&ledger, state.board());
        let (proof, findings) = certify(&state, &ledger);
        assert_eq!((&findings.wrong[..], findings.unconfirmed), (&[][..], 0), "{position}");
        assert_eq!(check(&state, proof), findings.winner);
        let solution = findings.solution(&state, &Default::default());
        assert_eq!(solution.winner, Some(findings.winner));
        for (place, record) in before {
            let now = ledger.record_at(&place).unwrap().unwrap();
            assert!(now.and(&record).is_some_and(|both| both.known == now.known), "{position}: {place}");
        }
    }
}

/// One record in two, in ten or in fifty, or only the position itself, says the opposite of the truth. Others say so of
/// positions that nobody has searched.
#[test]
fn whatever_is_false_the_certificate_is_right_and_only_what_is_false_is_called_so() {
    let oracle = Oracle::new(Board::new(4, 4).unwrap());
    let (mut draw, mut found) = (Draw(1), 0);
    for position in ["4x4", "4x4 c2", "4x4 d1", "4x4 b2 c3", "4x4 d1 a1", "4x4 a1 b1"] {
        let state: State = position.parse().unwrap();
        let all = records(&honest(&state, "source"), state.board());
        for (one_in, alone) in
            [1, 2, 10, 50].into_iter().flat_map(|one_in| [0, 1, Certify::ALONE].map(|alone| (one_in, alone)))
        {
            let ledger = fresh("lies");
            let lies = all.iter().map(|record| match opposite(record) {
                Some(lie) if draw.below(one_in) == 0 => lie,
                _ => *record,
            });
            ledger.commit(&Changes::of(lies.collect())).unwrap();
            let (proof, findings) = certify_by(&state, &ledger, alone);
            assert_eq!(findings.winner, oracle.winner(&state), "{position} {one_in}");
            assert_eq!(check(&state, proof), findings.winner, "{position} {one_in}");
            for wrong in &findings.wrong {
                assert_eq!(oracle.winner(&wrong.state), !wrong.said, "{position} {one_in}: {}", wrong.state);
            }
            found += findings.wrong.len();
            let solution = findings.solution(&state, &Default::default());
            assert_eq!(solution.winner, Some(findings.winner));
            if let Some(best) = solution.best.filter(|_| findings.winner == state.to_move) {
                assert_eq!(oracle.winner(&state.play(best)), findings.winner, "{position} {one_in}");
            }
            // What is false of the position itself is gone.
            let asked = rex_search::Solver::new(state.board(), Settings::default()).unwrap().node_of(&state);
            for (place, record) in records(&ledger, state.board()) {
                for solved in solved_nodes(&place, &record).filter(|solved| Ok(solved.node) == asked) {
                    assert_eq!(solved.winner, rex_search::Part::of(findings.winner, state.last()));
                }
            }
        }
    }
    assert!(found > 20, "{found}");
}

/// The same on a board where a search takes some time, with lies about the position and about its moves.
#[test]
fn a_false_answer_with_false_reasons_is_found_out() {
    for position in ["6x6 a1", "6x6 f3", "6x6"] {
        let state: State = position.parse().unwrap();
        let ledger = honest(&state, "source");
        let solver = rex_search::Solver::new(state.board(), Settings::default()).unwrap();
        let truth = solver.ask(&state).verdict().winner.unwrap();
        let mut lies = Vec::new();
        for state in std::iter::once(state).chain(state.moves().into_iter().map(|cell| state.play(cell))) {
            let Ok(node) = solver.node_of(&state) else { continue };
            let winner = rex_search::Part::of(!truth, state.last());
            lies.push(record_of(state.board(), &Solved { node, winner, best: None, nodes: 1000 }, RULES));
        }
        let lied: Vec<Place> = lies.iter().map(|(place, _)| *place).collect();
        ledger.correct(&lied, &lies).unwrap();
        let (proof, findings) = certify(&state, &ledger);
        assert_eq!((findings.winner, check(&state, proof)), (truth, truth), "{position}");
        assert!(!findings.wrong.is_empty(), "{position}");
    }
}

#[test]
fn it_can_be_stopped_and_loses_nothing() {
    let state: State = "6x6 a1".parse().unwrap();
    let ledger = honest(&state, "stopped");
    let before = records(&ledger, state.board()).len();
    let leading = leads(&state);
    leading.cancel.store(true, Relaxed);
    let request = Certify { lead: &leading, ledger: &ledger, explicit: false, threads: 1, alone: 0 };
    assert!(matches!(request.run(&mut |_| {}), Err(CertifyError::Stopped(StopReason::Interrupt))));
    assert!(records(&ledger, state.board()).len() >= before);
    let (proof, findings) = certify(&state, &ledger);
    assert_eq!(check(&state, proof), findings.winner);
}
