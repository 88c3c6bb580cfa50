//! Coordinator and workers in one process: the same winners as the table of all positions, whatever happens on the way.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use rex_cluster::bus::{Incoming, LeaderBus, WorkerBus};
use rex_cluster::local::Hub;
use rex_cluster::{
    Answer, Beat, BusError, Coordinator, Fact, Job, Lead, Ledger, Message, Outcome, Plan, Refusal, Report,
    WireNode, Worker, WorkerSettings, lead, solution, solver_for,
};
use rex_game::{Board, Player, State};
use rex_oracle::Oracle;
use rex_search::{Bounds, INFINITE, Part, Settings, Solved, Solver};
use rex_store::{Known, Place, Record, Store, record_of};
use rex_theory::fill_in::RULES;

const SMALL: Plan = Plan { budget: 5, least: 5, fraction: 100, factor: 1, share: 2 };

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
    Lead {
        state: *state,
        plan,
        memory: 1 << 20,
        silence: Duration::from_secs(60),
        note_reporters: false,
        cancel: Arc::default(),
    }
}

/// Solves a state with so many workers, with one table for all or one for each; who wins and by which move.
fn solve(
    state: &State,
    one_table: bool,
    workers: usize,
    ledger: Ledger,
) -> (Option<Player>, Option<rex_game::Cell>) {
    let hub = Hub::default();
    let leading = leads(state, SMALL);
    let stop = Arc::new(AtomicBool::new(false));
    let one = one_table.then(|| solver_for(state.board(), &settings(1 << 20)).unwrap());
    let outcome = std::thread::scope(|scope| {
        for number in 0..workers {
            let (mut bus, cancel, one) = (hub.worker(), stop.clone(), one.clone());
            scope.spawn(move || {
                let search = settings(1 << 20);
                let settings = WorkerSettings { name: format!("worker {number}"), search, cancel };
                let log = &mut |_: Report| {};
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
        let one_table = number / 2 % 2 == 0;
        let (winner, best) = solve(state, one_table, 1 + number % 3, Ledger::open(&path).unwrap());
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
        solve(&position.parse().unwrap(), false, 2, Ledger::open(&path).unwrap());
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

/// Where nothing is written down yet.
fn nothing(_: &Place) -> Option<Record> {
    None
}

/// A job without limits.
fn job(id: &str, node: WireNode, budget: u64, share: u64) -> Job {
    let Bounds { last, notlast } = Bounds::NO_LIMIT;
    Job { id: id.to_owned(), root: "r".to_owned(), node, limit: [last, notlast], budget, share }
}

/// A worker without a bus.
fn answer(solver: &Solver, job: &Job) -> Answer {
    let found = solver.at(&job.node.node).until(job.limit()).budget(job.budget).explore().unwrap();
    Answer::of(job, "me", &found)
}

fn coordinator(state: &State, ledger: &Ledger) -> Coordinator {
    let solver = solver(state.board());
    ledger
        .each_solved(state.board(), &mut |place, record| {
            solver.learn(rex_store::solved_nodes(&place, &record))
        })
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
    let expected = solver(state.board()).ask(&state).verdict().winner;
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
        coordinator_now.accept(&answer, &mut nothing).unwrap();
        taken += 1;
        old.push(answer);
        if step % 3 == 2 {
            // Killed before it was written down: the answer comes again, since nobody has acknowledged it.
            kills += 1;
            drop(ledger);
            ledger = Ledger::open(&path);
            coordinator_now = coordinator(&state, ledger.as_ref().unwrap());
            let again = old.last().unwrap();
            assert_eq!(coordinator_now.accept(again, &mut nothing), Ok(()));
            assert_eq!(coordinator_now.accept(again, &mut nothing), Err(Refusal::Late(again.id.clone())));
            late += 1;
        }
    }
    assert_eq!(coordinator_now.winner(), expected);
    assert!(kills > 2 && taken > 10 && late == kills, "{kills} {taken}");
    // It is all there for the next one.
    drop(ledger);
    assert_eq!(coordinator(&state, &Ledger::open(&path).unwrap()).winner(), expected);
}

/// Before positions were written with their board, their notes were two bytes shorter. Nobody can read those any more, so
/// they go, and all other notes stay.
#[test]
fn notes_of_an_older_version_are_cleared() {
    let state: State = "5x5 c1 d2".parse().unwrap();
    let path = fresh("older notes");
    let ledger = Ledger::open(&path).unwrap();
    let mut before = coordinator(&state, &ledger);
    before.hand_out(2);
    ledger.commit(&before.changes()).unwrap();
    let notes = |store: &Store| {
        let mut notes = BTreeMap::new();
        store.each_note(b"", &mut |name, note| drop(notes.insert(name.to_vec(), note.to_vec()))).unwrap();
        notes
    };
    let store = ledger.into_store();
    let now = notes(&store);
    for kind in [b'l', b'g', b'j'] {
        assert!(now.keys().any(|name| name[0] == kind), "{kind}");
    }
    let position = [7; 17];
    let older = [
        ([&b"l"[..], &position].concat(), vec![1; 8]),
        ([&b"g"[..], &position].concat(), Vec::new()),
        ([&b"j"[..], &99u64.to_be_bytes()].concat(), [&[1; 24][..], &position].concat()),
    ];
    store.put_with_notes([], &older.map(|(name, note)| (name, Some(note)))).unwrap();
    assert_eq!(notes(&store).len(), now.len() + 3);
    let ledger = Ledger::of(store).unwrap();
    let after = coordinator(&state, &ledger);
    assert_eq!(after.jobs(), before.jobs());
    assert_eq!(notes(&ledger.into_store()), now);
}

#[test]
fn a_ledger_of_another_version_is_refused_and_left_alone() {
    let path = fresh("another version");
    let name = Ledger::open(&path).unwrap().name().to_owned();
    // Version 1 had no note of its version.
    for (version, says) in [(None, "version 1"), (Some(vec![3]), "version 3")] {
        let store = Store::open(&path).unwrap();
        store.put_with_notes([], &[(b"version".to_vec(), version)]).unwrap();
        drop(store);
        let Err(refused) = Ledger::open(&path) else { panic!("{says} is not refused") };
        let refused = refused.to_string();
        let wanted = format!("its ledger has {says}; expected 2. It was not changed");
        assert!(refused.ends_with(&wanted), "{refused}");
    }
    Store::open(&path).unwrap().put_with_notes([], &[(b"version".to_vec(), Some(vec![2]))]).unwrap();
    assert_eq!(Ledger::open(&path).unwrap().name(), name);
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
        (lie.id, lie.bounds) = (id.to_owned(), [0, INFINITE]);
        lie
    };
    for id in ["", "1", "x-y", "99-0", "-", "18446744073709551616-1"] {
        assert_eq!(coordinator.accept(&lie(id), &mut nothing), Err(Refusal::Unknown(id.to_owned())));
    }
    // The right number with a wrong guess of the rest.
    let guessed = format!("{}-{:x}", jobs[0].id.split('-').next().unwrap(), 12345);
    assert_eq!(coordinator.accept(&lie(&guessed), &mut nothing), Err(Refusal::Unknown(guessed)));
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
        let work = rex_search::Work::of(1000);
        Fact::new(&place, &Record { known: Known::NOTLAST, best: [None; 2], work, rules: RULES })
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
        assert!(matches!(coordinator.accept(&answer, &mut nothing), Err(Refusal::Message(_))), "{answer:?}");
        assert_eq!((coordinator.jobs_out(), coordinator.bounds()), (0, before));
        assert!(coordinator.changes().solved.is_empty());
    }
}

/// The winners that an answer names, for a position or its moves, must not contradict what another answer, this one or the
/// ledger says. Otherwise the ledger would refuse what follows, and the run would end.
#[test]
fn a_wrong_winner_of_what_is_decided_meanwhile_is_refused() {
    let state: State = "5x5 c1 d2".parse().unwrap();
    let ledger = Ledger::open(&fresh("meanwhile")).unwrap();
    let mut coordinator = coordinator(&state, &ledger);
    let jobs = coordinator.hand_out(3);
    let [first, second, third, ..] = &jobs[..] else { panic!("{} jobs", jobs.len()) };
    let decided = |job: &Job, winner: Part| {
        let bounds = Bounds::won_by(winner);
        let mut answer = Answer::to(job, "w");
        answer.bounds = [bounds.last, bounds.notlast];
        answer
    };
    let fact = |job: &Job, winner: Part| {
        let solved = Solved { node: job.node.node, winner, best: None, nodes: 1000 };
        let (place, record) = record_of(state.board(), &solved, RULES);
        (place, record, Fact::new(&place, &record))
    };
    // By the same answer, by one that is not written down yet, and by one that is.
    let mut both = decided(first, Part::Last);
    both.solved = vec![fact(first, Part::Notlast).2];
    let refused = Err(Refusal::Contradiction(fact(first, Part::Last).0.to_string()));
    assert_eq!(coordinator.accept(&both, &mut nothing), refused);
    let mut honest = Answer::to(second, "w");
    honest.solved = vec![fact(third, Part::Last).2];
    assert_eq!(coordinator.accept(&honest, &mut nothing), Ok(()));
    let refused = Err(Refusal::Contradiction(fact(third, Part::Last).0.to_string()));
    assert_eq!(coordinator.accept(&decided(third, Part::Notlast), &mut nothing), refused);
    assert_eq!(
        coordinator.accept(&decided(third, Part::Last), &mut nothing),
        Err(Refusal::Late(third.id.clone()))
    );
    ledger.commit(&coordinator.changes()).unwrap();
    let written = |place: &Place| ledger.record_at(place).unwrap();
    assert!(written(&fact(third, Part::Last).0).is_some());
    // A move that leads to a position of which only the ledger knows.
    let job = coordinator.hand_out(3).remove(0);
    let child = solver(state.board()).children(&job.node.node).unwrap()[0];
    let solved = Solved { node: child.node, winner: Part::Last, best: None, nodes: 1000 };
    let (place, record) = record_of(state.board(), &solved, RULES);
    let mut written = |asked: &Place| if *asked == place { Some(record) } else { written(asked) };
    let mut lie = Answer::to(&job, "w");
    let won = Bounds::won_by(Part::Notlast);
    lie.children = vec![(state.board().name(child.cell), won.last, won.notlast)];
    assert_eq!(coordinator.accept(&lie, &mut written), Err(Refusal::Contradiction(place.to_string())));
    // Nothing of it is left: all that follows can be written down.
    ledger.commit(&coordinator.changes()).unwrap();
}

/// What is solved is filled in as far as the rules go, however little work it took: whoever reads it finds nothing to fill in.
#[test]
fn no_honest_answer_is_refused_whatever_is_shared() {
    let state: State = "6x6 d3 e4 a4 d2 b3 f1".parse().unwrap();
    let mut states: Vec<State> = state.moves().into_iter().map(|cell| state.play(cell)).collect();
    states.push("6x6 a1".parse().unwrap());
    for state in states {
        let hub = Hub::default();
        let stop = Arc::new(AtomicBool::new(false));
        let outcome = std::thread::scope(|scope| {
            let (mut bus, cancel) = (hub.worker(), stop.clone());
            scope.spawn(move || {
                let settings =
                    WorkerSettings { name: "honest".to_owned(), search: settings(1 << 22), cancel };
                Worker::new(settings, &mut |_| {}).run(&mut bus).unwrap();
            });
            let ledger = Ledger::open(&fresh("honest")).unwrap();
            let plan = Plan { share: 1, ..Plan::default() };
            let outcome = lead(&leads(&state, plan), &ledger, &mut hub.leader(), &mut |_| {});
            stop.store(true, Relaxed);
            outcome.unwrap()
        });
        assert!(outcome.winner.is_some(), "{state}");
        assert_eq!(outcome.status.refused, 0, "{state}");
    }
}

/// Whatever number of nodes workers claim, nothing overflows.
#[test]
fn workers_that_claim_too_many_nodes_break_nothing() {
    let state: State = "4x4 c2".parse().unwrap();
    let expected = solver(state.board()).ask(&state).verdict().winner;
    let ledger = Ledger::open(&fresh("boasting")).unwrap();
    let mut coordinator = coordinator(&state, &ledger);
    let worker = solver(state.board());
    while coordinator.winner().is_none() {
        coordinator.hand_out(2);
        for job in coordinator.jobs() {
            let mut boast = answer(&worker, &job);
            boast.nodes = u64::MAX;
            let _ = coordinator.accept(&boast, &mut nothing);
        }
        ledger.commit(&coordinator.changes()).unwrap();
    }
    assert_eq!((coordinator.winner(), coordinator.nodes()), (expected, u64::MAX));
    let outcome = lead(&leads(&state, SMALL), &ledger, &mut Hub::default().leader(), &mut |_| {}).unwrap();
    let outcome = Outcome { nodes: u64::MAX, ..outcome };
    let answer = solution(&leads(&state, SMALL), ledger, &outcome, 1, |error| panic!("{error}")).unwrap();
    assert_eq!((answer.winner, answer.nodes), (expected, u64::MAX));
}

/// A worker whose solver was made for a job that wants few solved positions tells the next job all that it wants.
#[test]
fn each_job_says_for_itself_which_solved_positions_it_wants() {
    let state: State = "5x5 a1 e1".parse().unwrap();
    let hub = Hub::default();
    let mut leader = hub.leader();
    let node = WireNode { board: state.board(), node: solver(state.board()).node_of(&state).unwrap() };
    let job = |id: &str, budget: u64, share: u64| job(id, node, budget, share);
    let stop = Arc::new(AtomicBool::new(false));
    let mut answer_to = |job: Job| {
        leader.send(std::slice::from_ref(&job)).unwrap();
        loop {
            for incoming in leader.receive(Duration::from_secs(60)).unwrap() {
                if let Incoming::Answer(bytes, ()) = incoming {
                    let answer = Answer::read(&bytes).unwrap();
                    assert_eq!(answer.id, job.id);
                    return answer;
                }
            }
        }
    };
    let [few, many] = std::thread::scope(|scope| {
        let (mut bus, cancel) = (hub.worker(), stop.clone());
        scope.spawn(move || {
            let settings = WorkerSettings { name: "w".to_owned(), search: settings(1 << 20), cancel };
            Worker::new(settings, &mut |_| {}).run(&mut bus).unwrap();
        });
        let answers = [answer_to(job("1-1", 5, 1_000_000)), answer_to(job("2-2", 100_000, 1))];
        stop.store(true, Relaxed);
        answers
    });
    assert_eq!(few.solved.len(), 0);
    assert!(!many.solved.is_empty());
}

/// However many workers say that they are there, and whatever they are called, the status is small enough for a server.
#[test]
fn a_crowd_of_workers_does_not_make_the_status_too_large() {
    const SERVER_TAKES: usize = 1 << 20;
    let state: State = "4x4 c2".parse().unwrap();
    let hub = Hub::default();
    let name = |number: usize| format!("{number:05}{}", "\"".repeat(75));
    let crowd = (0..20_000).map(|number| Beat::new(&name(number), 4096, None, u64::MAX).write());
    let cancel: Arc<AtomicBool> = Arc::default();
    let mut leader =
        Crowded { hub: hub.leader(), beats: crowd.collect(), largest: 0, cancel: cancel.clone() };
    let leading = Lead { cancel, ..leads(&state, SMALL) };
    let ledger = Ledger::open(&fresh("crowd")).unwrap();
    let outcome = lead(&leading, &ledger, &mut leader, &mut |_| {}).unwrap();
    assert!(outcome.status.workers.len() > 1000, "{}", outcome.status.workers.len());
    assert!(leader.largest < SERVER_TAKES, "{}", leader.largest);
}

/// A leader's end at which many workers are heard of.
struct Crowded {
    hub: rex_cluster::local::LocalLeader,
    beats: Vec<Vec<u8>>,
    largest: usize,
    cancel: Arc<AtomicBool>,
}

impl LeaderBus for Crowded {
    type Receipt = ();

    fn claim(&mut self, status: &rex_cluster::LeadStatus) -> Result<(), BusError> {
        self.largest = self.largest.max(status.write().len());
        // Seen by a claim: that is enough.
        self.cancel.store(!status.workers.is_empty(), Relaxed);
        self.hub.claim(status)
    }

    fn receive(&mut self, _patience: Duration) -> Result<Vec<Incoming<()>>, BusError> {
        Ok(self.beats.drain(..).map(Incoming::Beat).collect())
    }

    fn send(&mut self, jobs: &[Job]) -> Result<(), BusError> {
        self.hub.send(jobs)
    }

    fn share(&mut self, solved: &[(Place, Record)]) -> Result<bool, BusError> {
        self.hub.share(solved)
    }

    fn acknowledge(&mut self, (): ()) {}

    fn leave(&mut self, solved: bool) {
        self.hub.leave(solved);
    }
}

#[test]
fn the_position_itself_is_for_who_is_alone_unless_symmetry_decides_it() {
    // How many of the first jobs for so many workers are about the position itself, and how many are not.
    let first_jobs = |position: &str, workers: usize| {
        let state: State = position.parse().unwrap();
        let Ok(mut coordinator) = Coordinator::new(&state, solver(state.board()), SMALL, Default::default())
        else {
            panic!("it is decided at once")
        };
        let root = solver(state.board()).node_of(&state).unwrap();
        let jobs = coordinator.hand_out(workers);
        let whole = jobs.iter().filter(|job| job.node.node == root).count();
        (whole, jobs.len() - whole)
    };
    assert_eq!(first_jobs("5x5 c1 d2", 0), (1, 0));
    assert_eq!(first_jobs("5x5 c1 d2", 1), (2, 0));
    assert_eq!(first_jobs("5x5 c1 d2", 2), (0, 3));
    assert_eq!(first_jobs("6x6", 1), (0, 2));
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
    assert_eq!(coordinator.accept(&answer(&worker, &job), &mut nothing), Err(Refusal::Late(job.id.clone())));
    assert_eq!(coordinator.accept(&answer(&worker, &renewed), &mut nothing), Ok(()));
    assert_eq!(coordinator.renew(&job.id), None);
}

/// A bus end that a liar uses: what it sends is refused, and the honest worker's answer counts.
#[test]
fn lies_on_the_bus_are_refused_and_reported() {
    let state: State = "4x4 c2".parse().unwrap();
    let expected = solver(state.board()).ask(&state).verdict().winner;
    let hub = Hub::default();
    let mut liar = hub.worker();
    let node = format!("0404{:034x}", 0).try_into().unwrap();
    let job = job("7-7", node, 1, 1);
    let mut lie = Answer::to(&job, "liar");
    lie.bounds = [0, INFINITE];
    liar.answer(&job, &lie, &Vec::new()).unwrap();
    let text = String::from_utf8(lie.write()).unwrap().replacen("\"v\":4", "\"v\":3", 1);
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
    for part in ["there is no job '7-7'", "has version 3", "cannot be read"] {
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

    fn claim(&mut self, status: &rex_cluster::LeadStatus) -> Result<(), rex_cluster::BusError> {
        self.hub.claim(status)
    }

    fn receive(&mut self, patience: Duration) -> Result<Vec<Incoming<()>>, rex_cluster::BusError> {
        let mut taken: Vec<_> = self.more.drain(..).map(|bytes| Incoming::Answer(bytes, ())).collect();
        taken.extend(self.hub.receive(patience)?);
        Ok(taken)
    }

    fn send(&mut self, jobs: &[Job]) -> Result<(), rex_cluster::BusError> {
        self.hub.send(jobs)
    }

    fn share(&mut self, solved: &[(Place, Record)]) -> Result<bool, rex_cluster::BusError> {
        self.hub.share(solved)
    }

    fn acknowledge(&mut self, (): ()) {}

    fn leave(&mut self, solved: bool) {
        self.hub.leave(solved);
    }
}
