//! How many workers one coordinator can keep busy, and how much more they search than one alone.
//!
//! ```text
//! cargo run --release -p rex-tools -- simulate measure 6x6 e3
//! cargo run --release -p rex-tools -- simulate search 6x6 a3 --workers 1,2,4
//! ```
//!
//! `measure` leads a search for a while, with one worker in the same thread. It says how long a job takes on average,
//! how long the coordinator takes per answer, with and without writing its file, and so how many workers keep it busy
//! all the time: with more of them, jobs wait.
//!
//! `search` leads real searches by several workers in one thread, and counts time in nodes. A job takes as long as it has
//! nodes; then the other workers have its news. While its answer travels to the coordinator, and the results travel
//! back, the worker takes another job if there is one. As over NATS, workers have tables of their own and tell each other
//! all unsolved numbers. The same arguments give the same figures on any machine.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail};
use rex_cluster::{Answer, Coordinator, Job, Ledger, Message, Open, Plan, solver_for, worth_telling};
use rex_game::State;
use rex_search::{Explored, Numbers, Settings, Solver, Work};
use rex_store::{Place, Record};

/// How long `measure` runs.
const MEASURED: Duration = Duration::from_secs(60);
/// In `search`: the time from an answer to the jobs that follow from it, in nodes: 14 ms, as on a slow disk.
const OVER_A_SERVER: u64 = 350;
/// Bytes per table in `search`.
const MEMORY: u64 = 1 << 27;

/// Measure and simulate how many workers one coordinator can keep busy
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(clap::Subcommand, Debug)]
enum What {
    /// Lead a search for a minute, and say what a job and an answer take
    Measure {
        /// As 6x6 e3
        #[arg(required = true)]
        position: Vec<String>,
    },
    /// Simulate a search with this many workers, counting time in nodes
    Search {
        /// Numbers of workers, as 1,2,4
        #[arg(long, value_name = "LIST", value_delimiter = ',', required = true)]
        workers: Vec<usize>,
        /// As 6x6 a3
        #[arg(required = true)]
        position: Vec<String>,
    },
}

/// Runs one of the simulations.
pub fn run(args: &Args) -> Result<()> {
    match &args.what {
        What::Measure { position } => measure(&position.join(" ").parse()?),
        What::Search { workers, position } => search(workers, &position.join(" ").parse()?),
    }
}

fn measure(state: &State) -> Result<()> {
    let path = std::env::temp_dir().join(format!("solrex-measure-{}.redb", std::process::id()));
    let ledger = Ledger::open(&path)?;
    let mut coordinator = coordinator(state, ledger.resume(state)?)?;
    let worker = solver(state, 1 << 28)?;
    let (mut searching, mut thinking, mut writing) = (Duration::ZERO, Duration::ZERO, Duration::ZERO);
    let (mut answers, started) = (0u32, Instant::now());
    while started.elapsed() < MEASURED && coordinator.winner().is_none() {
        let jobs = timed(&mut thinking, || coordinator.hand_out(7));
        timed(&mut writing, || ledger.commit(&coordinator.changes()))?;
        for job in jobs {
            // The budget that jobs have when the tree is large.
            let question = worker.at(&job.node.node).until(job.limit()).budget(Plan::default().budget);
            let Ok(found) = timed(&mut searching, || question.explore()) else { continue };
            let answer = Answer::of(&job, "measured", &found).write();
            timed(&mut thinking, || anyhow::Ok(coordinator.accept(&Answer::read(&answer)?, &mut |_| None)?))?;
            answers += 1;
        }
    }
    drop(ledger);
    std::fs::remove_file(&path)?;
    let micros = |time: Duration| time.as_micros() / u128::from(answers.max(1));
    println!(
        "{answers} answers; {} µs of search, {} µs of work and {} µs of writing for each: {:.0} workers keep it busy",
        micros(searching),
        micros(thinking),
        micros(writing),
        searching.as_secs_f64() / (thinking + writing).as_secs_f64().max(1e-9),
    );
    Ok(())
}

/// Does something, and adds the time it takes.
fn timed<T>(time: &mut Duration, work: impl FnOnce() -> T) -> T {
    let begun = Instant::now();
    let done = work();
    *time += begun.elapsed();
    done
}

fn solver(state: &State, memory: u64) -> Result<Solver> {
    Ok(Solver::new(state.board(), Settings { memory, ..Settings::default() })?)
}

/// A coordinator that has got this far.
fn coordinator(state: &State, open: Open) -> Result<Coordinator> {
    let coordinator = Coordinator::new(state, solver(state, 1 << 24)?, Plan::default(), open);
    coordinator.map_err(|_| anyhow!("this position is decided without search"))
}

fn search(workers: &[usize], state: &State) -> Result<()> {
    let alone = Solver::new(state.board(), Settings::default())?;
    let alone = alone.ask(state).verdict().nodes;
    println!("{state}: {alone} nodes with one thread of one process");
    for &workers in workers {
        let Searched { nodes, jobs, time } = searched(workers, state)?;
        println!(
            "{workers:>7} workers {nodes:>10} nodes in {jobs:>6} jobs, {:.2} times as many; {:.2} times the time it would take without delays",
            nodes as f64 / alone as f64,
            time as f64 * workers as f64 / nodes as f64
        );
    }
    Ok(())
}

/// A worker in a search simulated in one thread.
#[derive(Default)]
struct Player {
    /// Its job and the result, which the others learn when the job's time is up.
    at: Option<(Job, Explored)>,
    /// Its answers on their way, the oldest first.
    answers: VecDeque<Answer>,
    /// How much of what was shared it has heard.
    facts: usize,
    news: usize,
}

/// The next event of a simulated search, and the worker it concerns.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Turn {
    /// Its oldest answer reaches the coordinator.
    Answer(usize),
    /// It finishes its job, or looks for one.
    Worker(usize),
}

/// What a search took.
struct Searched {
    nodes: u64,
    jobs: u64,
    /// In nodes.
    time: u64,
}

/// Simulates a search with this many workers.
fn searched(workers: usize, state: &State) -> Result<Searched> {
    let board = state.board();
    let mut coordinator = coordinator(state, Open::default())?;
    let settings = Settings { memory: MEMORY, note: Some(1), ..Settings::default() };
    let solvers: Vec<_> = (0..workers).map(|_| solver_for(board, &settings)).collect::<Result<_, _>>()?;
    let mut players: Vec<Player> = (0..workers).map(|_| Player::default()).collect();
    let (mut facts, mut news): (Vec<(Place, Record)>, Vec<Numbers>) = (Vec::new(), Vec::new());
    let telling = worth_telling(workers - 1);
    coordinator.hear_of(workers);
    let mut queue = VecDeque::from(coordinator.hand_out(workers));
    let mut turns: BinaryHeap<_> = (0..workers).map(|worker| Reverse((0, Turn::Worker(worker)))).collect();
    let mut idle = Vec::new();
    let mut all = Searched { nodes: 0, jobs: 0, time: 0 };
    while coordinator.winner().is_none() {
        let Some(Reverse((now, turn))) = turns.pop() else {
            bail!("no worker has anything to do");
        };
        all.time = now;
        let number = match turn {
            Turn::Worker(number) => number,
            Turn::Answer(number) => {
                let answer = players[number].answers.pop_front().context("an answer without a job")?;
                coordinator.accept(&answer, &mut |_| None)?;
                let least = Work::of(coordinator.share());
                let solved = coordinator.changes().solved.into_iter();
                facts.extend(solved.filter(|(_, record)| record.work >= least));
                queue.extend(coordinator.hand_out(workers));
                turns.extend(idle.drain(..).map(|number| Reverse((now, Turn::Worker(number)))));
                all.jobs += 1;
                continue;
            }
        };
        let player = &mut players[number];
        let solver = &solvers[number];
        if let Some((job, found)) = player.at.take() {
            let mut solved = solver.take_solved();
            solved.retain(|solved| solved.nodes >= job.share);
            let mut answer = Answer::of(&job, "one of them", &found);
            answer.solved = rex_cluster::facts(board, &solved);
            player.answers.push_back(answer);
            news.extend(
                solver.numbers(solver.take_met()).into_iter().filter(|numbers| {
                    numbers.entry.work >= telling && numbers.entry.bounds.winner().is_none()
                }),
            );
            turns.push(Reverse((now + OVER_A_SERVER, Turn::Answer(number))));
            turns.push(Reverse((now, Turn::Worker(number))));
            continue;
        }
        let Some(job) = queue.pop_front() else {
            idle.push(number);
            continue;
        };
        solver.learn(
            facts[player.facts..].iter().flat_map(|(place, record)| rex_store::solved_nodes(place, record)),
        );
        solver.learn_met(news[player.news..].iter().copied());
        (player.facts, player.news) = (facts.len(), news.len());
        let found = solver.at(&job.node.node).until(job.limit()).budget(job.budget).explore();
        let found = found.map_err(|reason| anyhow!(reason.word()))?;
        all.nodes += found.nodes;
        turns.push(Reverse((now + found.nodes.max(1), Turn::Worker(number))));
        player.at = Some((job, found));
    }
    Ok(all)
}
