//! How many workers one coordinator can keep busy: measured, then simulated from the measurement.
//!
//! ```text
//! cargo run --release -p rex-tools -- simulate measure 6x6 e3 > jobs.txt
//! cargo run --release -p rex-tools -- simulate play jobs.txt 400
//! cargo run --release -p rex-tools -- simulate search apart 1,2,4 6x6 a3
//! ```
//!
//! `measure` leads a search for a while, with one worker in the same thread. It prints the seconds of each job, and on
//! standard error how long the coordinator took per answer, including writing its file. `play` simulates 1 to 1,000
//! workers, event by event, from these times. Workers take jobs and answer them, the coordinator handles one answer
//! after the other, and messages take time to arrive. It prints how much of the workers' time is search, and how much
//! of it is useful, that is, work that one worker alone would have done too. For that it needs to know how many times
//! more nodes a number of workers search in all (`play jobs.txt 400 4=1.05 16=1.2`).
//!
//! `search` measures that factor, with the real coordinator and real searches by this many workers in one thread. Time
//! is counted in nodes. A job takes as long as it has nodes; then the other workers have its news. While its answer
//! travels to the coordinator, and the results travel back, the worker takes another job if there is one. With `apart`,
//! workers have tables of their own and tell each other all unsolved numbers, as over NATS. With `silent`, they only
//! hear of solved positions, from the coordinator. The same arguments give the same numbers on any machine.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail};
use rex_cluster::{Answer, Coordinator, Job, Ledger, Message, Open, Plan, solver_for, wanted, worth_telling};
use rex_game::State;
use rex_search::{Explored, Numbers, Settings, Solver, Work};
use rex_store::{Place, Record};

/// How long `measure` runs.
const MEASURED: Duration = Duration::from_secs(60);
/// Microseconds for a message to cross the network.
const UNDER_WAY: u64 = 500;
/// In `search`: the time from an answer to the jobs that follow from it, in nodes of 0.04 ms. On a slow disk,
/// `sync_interval: always` took 11 to 18 ms in all.
const OVER_A_SERVER: u64 = 350;
/// Bytes per table in `search`.
const MEMORY: u64 = 1 << 27;
/// Jobs per worker in a simulation.
const JOBS: usize = 200;

/// Measure and simulate how many workers one coordinator can keep busy
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(clap::Subcommand, Debug)]
enum What {
    /// Lead a search for a minute, and print the seconds of each job
    Measure {
        /// As 6x6 e3
        #[arg(required = true)]
        position: Vec<String>,
    },
    /// Play measured jobs out for 1 to 1,000 workers
    Play {
        /// What `measure` printed
        jobs: PathBuf,
        /// What the coordinator takes for an answer, in microseconds
        micros: u64,
        /// The search overhead of each number of workers, as 4=1.05
        overhead: Vec<String>,
    },
    /// Simulate a search with this many workers, counting time in nodes
    Search {
        /// What workers know of each other's searches
        tables: Tables,
        /// Numbers of workers, as 1,2,4
        workers: String,
        /// As 6x6 a3
        #[arg(required = true)]
        position: Vec<String>,
    },
}

/// Runs one of the simulations.
pub fn run(args: &Args) -> Result<()> {
    match &args.what {
        What::Measure { position } => measure(&position.join(" ").parse()?),
        What::Play { jobs, micros, overhead } => {
            let jobs =
                std::fs::read_to_string(jobs).with_context(|| format!("cannot read '{}'", jobs.display()))?;
            let words: Vec<&str> = overhead.iter().map(String::as_str).collect();
            play(&jobs, *micros, &Overhead::read(&words)?)
        }
        What::Search { tables, workers, position } => search(*tables, workers, &position.join(" ").parse()?),
    }
}

fn measure(state: &State) -> Result<()> {
    let solver = |memory| Solver::new(state.board(), Settings { memory, ..Settings::default() });
    let path = std::env::temp_dir().join(format!("solrex-measure-{}.redb", std::process::id()));
    let ledger = Ledger::open(&path)?;
    let open = ledger.resume(state)?;
    let plan = Plan::default();
    let Ok(mut coordinator) = Coordinator::new(state, solver(1 << 24)?, plan, open) else {
        bail!("this position is decided without search");
    };
    let worker = solver(1 << 28)?;
    let (mut thinking, mut writing, mut answers) = (Duration::ZERO, Duration::ZERO, 0u32);
    let started = Instant::now();
    while started.elapsed() < MEASURED && coordinator.winner().is_none() {
        let begin = Instant::now();
        let jobs = coordinator.hand_out(7);
        thinking += begin.elapsed();
        let begin = Instant::now();
        ledger.commit(&coordinator.changes())?;
        writing += begin.elapsed();
        for job in jobs {
            let begin = Instant::now();
            // The budget that jobs have when the tree is large.
            let budget = plan.budget;
            let Ok(found) = worker.at(&job.node.node).until(job.limit()).budget(budget).explore() else {
                continue;
            };
            println!("{:.6}", begin.elapsed().as_secs_f64());
            let answer = Answer::of(&job, "measured", &found).write();
            let begin = Instant::now();
            coordinator.accept(&Answer::read(&answer)?, &mut |_| None)?;
            thinking += begin.elapsed();
            answers += 1;
        }
    }
    drop(ledger);
    std::fs::remove_file(&path)?;
    let micros = |time: Duration| time.as_micros() / u128::from(answers.max(1));
    eprintln!(
        "{answers} answers; {} µs of work and {} µs of writing for each",
        micros(thinking),
        micros(writing)
    );
    Ok(())
}

/// What workers know of each other's searches.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum Tables {
    /// They tell each other all numbers that are not solved, as over NATS
    Apart,
    /// They hear of solved positions from the coordinator alone
    Silent,
}

fn search(tables: Tables, workers: &str, state: &State) -> Result<()> {
    let alone = Solver::new(state.board(), Settings::default())?;
    let alone = alone.ask(state).verdict().nodes;
    println!("{state}: {alone} nodes with one thread of one process");
    for workers in workers.split(',') {
        let workers = workers.parse()?;
        let Searched { nodes, jobs, time } = searched(tables, workers, state)?;
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
fn searched(tables: Tables, workers: usize, state: &State) -> Result<Searched> {
    let board = state.board();
    let plan = Plan::default();
    let Ok(mut coordinator) = Coordinator::new(
        state,
        Solver::new(board, Settings { memory: 1 << 24, ..Settings::default() })?,
        plan,
        Open::default(),
    ) else {
        bail!("this position is decided without search");
    };
    let note = (tables == Tables::Apart).then_some(1);
    let settings = Settings { memory: MEMORY, note, ..Settings::default() };
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
                solver
                    .numbers(solver.take_met())
                    .into_iter()
                    .filter(|numbers| numbers.work >= telling && numbers.bounds.winner().is_none()),
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

/// The next event, at a time in microseconds.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    /// An idle worker gets a job.
    Begins,
    /// A worker is done after this long, and sends its answer.
    Ends(u64),
    /// An answer reaches the coordinator.
    Arrives,
}

/// How many times as many nodes this many workers search as one alone.
struct Overhead(Vec<(f64, f64)>);

impl Overhead {
    /// From words like `4=1.05`, in order.
    fn read(words: &[&str]) -> Result<Overhead, anyhow::Error> {
        let mut known = vec![(1.0, 1.0)];
        for word in words {
            let (workers, ratio) = word.split_once('=').context("expected WORKERS=RATIO")?;
            known.push((workers.parse()?, ratio.parse()?));
        }
        Ok(Overhead(known))
    }

    /// Between two known numbers it grows with the logarithm of the workers. Beyond the last it stays constant: a
    /// search that is worth more workers is larger, too.
    fn of(&self, workers: usize) -> f64 {
        let workers = workers as f64;
        let above = self.0.iter().position(|&(known, _)| known >= workers);
        match above {
            None => self.0[self.0.len() - 1].1,
            Some(0) => self.0[0].1,
            Some(at) => {
                let ((few, low), (many, high)) = (self.0[at - 1], self.0[at]);
                low + (high - low) * (workers / few).ln() / (many / few).ln()
            }
        }
    }
}

fn play(times: &str, micros: u64, overhead: &Overhead) -> Result<()> {
    let jobs: Vec<u64> = times
        .lines()
        .map(|line| line.parse::<f64>().map(|seconds| (seconds * 1e6) as u64))
        .collect::<Result<_, _>>()?;
    if jobs.is_empty() {
        bail!("no job in the file");
    }
    let mean = jobs.iter().sum::<u64>() as f64 / jobs.len() as f64 / 1e6;
    println!("{} jobs of {mean:.3} s on average; {micros} µs for an answer", jobs.len());
    println!("{:>7} {:>10} {:>10} {:>12} {:>10}", "workers", "jobs/s", "busy", "coordinator", "of use");
    for workers in [1, 2, 4, 8, 16, 32, 64, 125, 250, 500, 1000] {
        let (rate, busy, load) = play_out(&jobs, workers, micros);
        let of_use = busy / overhead.of(workers);
        println!(
            "{workers:>7} {rate:>10.1} {:>9.1}% {:>11.1}% {:>9.1}%",
            busy * 100.0,
            load * 100.0,
            of_use * 100.0
        );
    }
    Ok(())
}

/// Jobs per second, and the shares of time that workers spend searching and the coordinator spends working.
fn play_out(jobs: &[u64], workers: usize, micros: u64) -> (f64, f64, f64) {
    let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
    let mut length = || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        jobs[(seed % jobs.len() as u64) as usize]
    };
    let mut events = BinaryHeap::new();
    // Jobs handed out and waiting, and workers waiting for one.
    let mut queue = wanted(workers) - workers;
    let mut idle: usize = 0;
    let (mut busy, mut done, mut now) = (0u64, 0usize, 0u64);
    let mut free_at = 0u64;
    for _ in 0..workers {
        events.push(Reverse((UNDER_WAY, Event::Begins)));
    }
    while done < JOBS * workers {
        let Some(Reverse((time, event))) = events.pop() else { break };
        now = time;
        match event {
            Event::Begins => {
                let length = length();
                events.push(Reverse((time + length, Event::Ends(length))));
            }
            Event::Ends(length) => {
                done += 1;
                busy += length;
                free_at = free_at.max(time + UNDER_WAY) + micros;
                events.push(Reverse((free_at, Event::Arrives)));
                // One way to ask for the next job, one to get it.
                if queue > 0 {
                    queue -= 1;
                    events.push(Reverse((time + 2 * UNDER_WAY, Event::Begins)));
                } else {
                    idle += 1;
                }
            }
            Event::Arrives => {
                if idle > 0 {
                    idle -= 1;
                    events.push(Reverse((time + UNDER_WAY, Event::Begins)));
                } else {
                    queue += 1;
                }
            }
        }
    }
    let all = now.max(1) as f64;
    (done as f64 / all * 1e6, busy as f64 / all / workers as f64, (done as u64 * micros) as f64 / all)
}
