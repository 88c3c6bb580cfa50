//! Coordinator and workers in one process: the same winners as the table of all positions, whatever happens on the way.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use rex::{Board, Player, State};
use rex_cluster::bus::{Incoming, LeaderBus, WorkerBus};
use rex_cluster::local::Hub;
use rex_cluster::{
    Answer, Coordinator, Fact, Job, Lead, Ledger, Plan, Refusal, Report, Worker, WorkerSettings, lead,
    solution, solver_for,
};
use rex_oracle::Oracle;
use rex_search::bounds::Bounds;
use rex_search::{Limits, Settings, Solver};
use rex_store::{Known, Place, Record};

const SMALL: Plan = Plan { budget: 5, least: 5, part: 100, room: 1, share: 2, together: false };

fn fresh(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.redb"));
    let _ = std::fs::remove_file(&path);
    path
}

fn settings(memory: u64) -> Settings {
    Settings { memory, ..Settings::default() }
}

fn solver(board: Board) -> Solver {
    Solver::new(board, settings(1 << 20)).unwrap()
}

fn leads(state: &State, plan: Plan) -> Lead {
    Lead { state: *state, plan, memory: 1 << 20, silence: Duration::from_secs(60), cancel: Arc::default() }
}

/// Solves a state with so many workers, with one table if they work together; who wins and by which move.
fn solve(state: &State, plan: Plan, workers: usize, ledger: Ledger) -> (Option<Player>, Option<rex::Cell>) {
    let hub = Hub::default();
    let leading = leads(state, plan);
    let stop = Arc::new(AtomicBool::new(false));
    let one = plan.together.then(|| solver_for(state.board(), plan.share, &settings(1 << 20)).unwrap());
    let outcome = std::thread::scope(|scope| {
        for number in 0..workers {
            let (mut bus, cancel, one) = (hub.worker(), stop.clone(), one.clone());
            scope.spawn(move || {
                let search = settings(1 << 20);
                let settings = WorkerSettings { name: format!("worker {number}"), search, cancel };
                let log = &mut |_: &str| {};
                let mut worker = match one {
                    Some(solver) => Worker::sharing(solver, settings, log),
                    None => Worker::new(settings, log),
                };
                worker.run(&mut bus).unwrap();
            });
        }
        let outcome = lead(&leading, &ledger, &mut hub.leader(), &mut |_| {});
        stop.store(true, Relaxed);
        outcome.unwrap()
    });
    let answer = solution(&leading, ledger, &outcome, 1, |error| panic!("{error}")).unwrap();
    assert_eq!(answer.winner, outcome.winner, "{state}");
    (answer.winner, answer.best)
}

#[test]
fn winners_are_those_of_the_table_of_all_positions() {
    let oracle = Oracle::new(Board::new(4, 4).unwrap());
    let path = fresh("winners");
    let start = State::new(oracle.board());
    let mut states = vec![start];
    states.extend(start.moves().into_iter().map(|cell| start.play(cell)));
    let corner = start.play(start.moves().first().unwrap());
    states.extend(corner.moves().into_iter().map(|cell| corner.play(cell)));
    for (number, state) in states.iter().enumerate() {
        // Half of them begin with nothing, half with what the others have left behind.
        if number % 2 == 0 {
            let _ = std::fs::remove_file(&path);
        }
        let plan = Plan { together: number / 2 % 2 == 0, ..SMALL };
        let (winner, best) = solve(state, plan, 1 + number % 3, Ledger::open(&path).unwrap());
        assert_eq!(winner, Some(oracle.winner(state)), "{state}");
        if winner == Some(state.to_move) {
            assert_eq!(oracle.winner(&state.play(best.unwrap())), state.to_move, "{state}");
        }
    }
}

#[test]
fn what_is_written_down_is_true() {
    let oracle = Oracle::new(Board::new(4, 4).unwrap());
    let path = fresh("true");
    for position in ["4x4", "4x4 c2", "4x4 d1", "4x4 b2 c3", "4x4 d1 a1"] {
        solve(&position.parse().unwrap(), SMALL, 2, Ledger::open(&path).unwrap());
    }
    let mut games = 0;
    let check = &mut |place: Place, record: Record| {
        assert_eq!(place.flaw(&record), None);
        for last in Player::BOTH {
            if let Some(winner) = record.known.winner(last) {
                assert_eq!(winner, oracle.winner(&place.field(last).to_state()), "{place} {last}");
                games += 1;
            }
        }
    };
    Ledger::open(&path).unwrap().each_solved(oracle.board(), check).unwrap();
    assert!(games > 10, "{games}");
}

/// A worker without a bus.
fn answer(solver: &Solver, job: &Job) -> Answer {
    let found =
        solver.explore(&job.node.node, job.limit(), job.budget, &Limits::default(), &mut |_| {}).unwrap();
    Answer::of(job, "me", &found)
}

fn coordinator(state: &State, ledger: &Ledger) -> Coordinator {
    let solver = solver(state.board());
    ledger
        .each_solved(state.board(), &mut |place, record| solver.learn(rex_store::facts(&place, &record)))
        .unwrap();
    let open = ledger.resume(state).unwrap();
    let Ok(coordinator) = Coordinator::new(state, solver, SMALL, open) else {
        panic!("it is decided at once")
    };
    coordinator
}

#[test]
fn a_coordinator_that_is_killed_at_any_moment_goes_on() {
    let state: State = "5x5 a1 e1".parse().unwrap();
    let expected = solver(state.board()).verdict(&state, &Limits::default(), &mut |_| {}).winner;
    let path = fresh("killed");
    let worker = solver(state.board());
    let mut coordinator_now = coordinator(&state, &Ledger::open(&path).unwrap());
    let mut ledger = Ledger::open(&path);
    let (mut kills, mut taken, mut late) = (0, 0, 0);
    let mut old: Vec<Answer> = Vec::new();
    for step in 0.. {
        assert!(step < 100_000, "no end in sight");
        let ledger_now = ledger.as_ref().unwrap();
        coordinator_now.hand_out(2);
        ledger_now.commit(&coordinator_now.changes()).unwrap();
        if coordinator_now.winner().is_some() {
            break;
        }
        let jobs = coordinator_now.jobs();
        let answer = answer(&worker, &jobs[step % jobs.len()]);
        coordinator_now.take(&answer).unwrap();
        taken += 1;
        old.push(answer);
        if step % 3 == 2 {
            // Killed before it was written down: the answer comes again, since nobody has acknowledged it.
            kills += 1;
            drop(ledger);
            ledger = Ledger::open(&path);
            coordinator_now = coordinator(&state, ledger.as_ref().unwrap());
            let again = old.last().unwrap();
            assert_eq!(coordinator_now.take(again), Ok(()));
            assert_eq!(coordinator_now.take(again), Err(Refusal::Late(again.id.clone())));
            late += 1;
        }
    }
    assert_eq!(coordinator_now.winner(), expected);
    assert!(kills > 2 && taken > 10 && late == kills, "{kills} {taken}");
    // It is all there for the next one.
    drop(ledger);
    assert_eq!(coordinator(&state, &Ledger::open(&path).unwrap()).winner(), expected);
}

#[test]
fn answers_that_nobody_asked_for_change_nothing() {
    let state: State = "5x5 c1 d2".parse().unwrap();
    let ledger = Ledger::open(&fresh("liars")).unwrap();
    let mut coordinator = coordinator(&state, &ledger);
    let jobs = coordinator.hand_out(2);
    coordinator.changes();
    let honest = answer(&solver(state.board()), &jobs[0]);
    let lie = |id: &str| {
        let mut lie = honest.clone();
        (lie.id, lie.bounds) = (id.to_owned(), [0, 0xff_ffff]);
        lie
    };
    for id in ["", "1", "x-y", "99-0", "-", "18446744073709551616-1"] {
        assert_eq!(coordinator.take(&lie(id)), Err(Refusal::Unknown(id.to_owned())));
    }
    // The right number with a wrong guess of the rest.
    let guessed = format!("{}-{:x}", jobs[0].id.split('-').next().unwrap(), 12345);
    assert_eq!(coordinator.take(&lie(&guessed)), Err(Refusal::Unknown(guessed)));
    assert!(coordinator.changes().is_empty());
    assert_eq!(coordinator.jobs_out(), jobs.len());
}

#[test]
fn impossible_answers_to_real_jobs_free_the_job_and_change_nothing_else() {
    let state: State = "5x5 c1 d2".parse().unwrap();
    let ledger = Ledger::open(&fresh("impossible")).unwrap();
    let mut coordinator = coordinator(&state, &ledger);
    let fact = |board: &str| {
        let place = Place { board: board.parse().unwrap(), stones: Default::default() };
        let work = rex_search::table::Work::of(1000);
        Fact::new(&place, &Record { known: Known::NOTLAST, best: [None; 2], work, rules: 1 })
    };
    let lies: [&dyn Fn(&mut Answer); 5] = [
        &|answer| answer.bounds = [0, 0],
        &|answer| answer.bounds = [0, 7],
        &|answer| answer.children = vec![("z9".to_owned(), 1, 1)],
        &|answer| answer.solved = vec![Fact { at: "00".to_owned(), is: "zz".to_owned() }],
        &|answer| answer.solved = vec![fact("6x6")],
    ];
    let before = coordinator.bounds();
    for lie in lies {
        let job = coordinator.hand_out(0).remove(0);
        let mut answer = Answer::to(&job, "liar");
        lie(&mut answer);
        assert!(matches!(coordinator.take(&answer), Err(Refusal::Message(_))), "{answer:?}");
        assert_eq!((coordinator.jobs_out(), coordinator.bounds()), (0, before));
        assert!(coordinator.changes().solved.is_empty());
    }
}

#[test]
fn the_position_itself_is_for_who_is_alone_or_together_unless_symmetry_decides_it() {
    // How many of the first jobs for so many workers are about the position itself, and how many are not.
    let first_jobs = |position: &str, workers: usize, together: bool| {
        let state: State = position.parse().unwrap();
        let plan = Plan { together, ..SMALL };
        let Ok(mut coordinator) = Coordinator::new(&state, solver(state.board()), plan, Default::default())
        else {
            panic!("it is decided at once")
        };
        let root = solver(state.board()).node_of(&state).unwrap();
        let jobs = coordinator.hand_out(workers);
        let whole = jobs.iter().filter(|job| job.node.node == root).count();
        (whole, jobs.len() - whole)
    };
    assert_eq!(first_jobs("5x5 c1 d2", 0, false), (1, 0));
    assert_eq!(first_jobs("5x5 c1 d2", 1, false), (2, 0));
    assert_eq!(first_jobs("5x5 c1 d2", 2, false), (0, 3));
    assert_eq!(first_jobs("5x5 c1 d2", 2, true), (3, 0));
    assert_eq!(first_jobs("6x6", 1, false), (0, 2));
    assert_eq!(first_jobs("6x6", 2, true), (0, 3));
}

#[test]
fn a_renewed_job_has_another_name_and_its_old_answer_is_late() {
    let state: State = "5x5 c1 d2".parse().unwrap();
    let ledger = Ledger::open(&fresh("renewed")).unwrap();
    let mut coordinator = coordinator(&state, &ledger);
    let job = coordinator.hand_out(0).remove(0);
    let renewed = coordinator.renew(&job.id).unwrap();
    assert_eq!((renewed.node, renewed.budget), (job.node, job.budget));
    let worker = solver(state.board());
    assert_eq!(coordinator.take(&answer(&worker, &job)), Err(Refusal::Late(job.id.clone())));
    assert_eq!(coordinator.take(&answer(&worker, &renewed)), Ok(()));
    assert_eq!(coordinator.renew(&job.id), None);
}

/// A bus end that a liar uses: what it sends is refused, and the honest worker's answer counts.
#[test]
fn lies_on_the_bus_are_refused_and_reported() {
    let state: State = "4x4 c2".parse().unwrap();
    let expected = solver(state.board()).verdict(&state, &Limits::default(), &mut |_| {}).winner;
    let hub = Hub::default();
    let mut liar = hub.worker();
    let job =
        Job::new("7-7".to_owned(), "r".to_owned(), "4x4/0/0/black".parse().unwrap(), Bounds::NO_LIMIT, 1, 1);
    let mut lie = Answer::to(&job, "liar");
    lie.bounds = [0, 0xff_ffff];
    liar.answer(&job, &lie, &Vec::new()).unwrap();
    let text = String::from_utf8(lie.write()).unwrap().replacen("\"v\":1", "\"v\":2", 1);
    let mut leader = Lying { hub: hub.leader(), more: vec![text.into_bytes(), b"garbage".to_vec()] };
    let leading = leads(&state, SMALL);
    let stop = Arc::new(AtomicBool::new(false));
    let mut notes = Vec::new();
    let outcome = std::thread::scope(|scope| {
        let (mut bus, cancel) = (hub.worker(), stop.clone());
        scope.spawn(move || {
            let settings = WorkerSettings { name: "honest".to_owned(), search: settings(1 << 20), cancel };
            Worker::new(settings, &mut |_| {}).run(&mut bus).unwrap();
        });
        let ledger = Ledger::open(&fresh("lies")).unwrap();
        let outcome = lead(&leading, &ledger, &mut leader, &mut |report| {
            if let Report::Note(note) = report {
                notes.push(note.to_owned());
            }
        });
        stop.store(true, Relaxed);
        outcome.unwrap()
    });
    assert_eq!((outcome.winner, outcome.status.refused), (expected, 3));
    for part in ["nobody gave the job '7-7'", "speaks version 2", "cannot be read"] {
        assert!(notes.iter().any(|note| note.contains(part)), "{part} in {notes:?}");
    }
}

/// A leader's end at which more comes in than was sent.
struct Lying {
    hub: rex_cluster::local::LocalLeader,
    more: Vec<Vec<u8>>,
}

impl LeaderBus for Lying {
    type Receipt = ();

    fn claim(&mut self, status: &rex_cluster::Status) -> Result<(), rex_cluster::BusError> {
        self.hub.claim(status)
    }

    fn take(&mut self, patience: Duration) -> Result<Vec<Incoming<()>>, rex_cluster::BusError> {
        let mut taken: Vec<_> = self.more.drain(..).map(|bytes| Incoming::Answer(bytes, ())).collect();
        taken.extend(self.hub.take(patience)?);
        Ok(taken)
    }

    fn give(&mut self, jobs: &[Job]) -> Result<(), rex_cluster::BusError> {
        self.hub.give(jobs)
    }

    fn share(&mut self, solved: &[(Place, Record)]) -> Result<bool, rex_cluster::BusError> {
        self.hub.share(solved)
    }

    fn acknowledge(&mut self, (): ()) {}

    fn leave(&mut self, solved: bool) {
        self.hub.leave(solved);
    }
}
