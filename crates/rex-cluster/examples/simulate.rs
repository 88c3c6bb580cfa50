//! How many workers one coordinator can keep busy: measured, and simulated from the measurement.
//!
//! ```text
//! cargo run --release -p rex-cluster --example simulate -- measure 6x6 e3 > jobs.txt
//! cargo run --release -p rex-cluster --example simulate -- simulate jobs.txt 400
//! ```
//!
//! `measure` leads a search with one worker in the same thread for a while. It prints the seconds of each job, and on
//! standard error what the coordinator itself took for an answer, with its file. `simulate` plays that out event by event for
//! 1 to 1,000 workers: workers take jobs and answer them, the coordinator takes so many microseconds for an answer, one after
//! the other, and messages are under way for a while. It says how much of the workers' time is search. It knows nothing of the
//! search overhead: nodes that a search with fewer workers would not have visited.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::error::Error;
use std::time::{Duration, Instant};

use rex::State;
use rex_cluster::{Answer, Coordinator, Ledger, Plan};
use rex_search::{Limits, Settings, Solver};

/// How long `measure` goes on.
const MEASURED: Duration = Duration::from_secs(60);
/// One way over a network.
const UNDER_WAY: u64 = 500;
/// Jobs for each worker in a simulation.
const JOBS: usize = 200;

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["measure", ref position @ ..] if !position.is_empty() => measure(&position.join(" ").parse()?),
        ["simulate", file, micros] => simulate(&std::fs::read_to_string(file)?, micros.parse()?),
        _ => Err("expected: measure POSITION, or simulate FILE MICROSECONDS".into()),
    }
}

fn measure(state: &State) -> Result<(), Box<dyn Error>> {
    let solver = |memory| Solver::new(state.board(), Settings { memory, ..Settings::default() });
    let path = std::env::temp_dir().join(format!("solrex-measure-{}.redb", std::process::id()));
    let ledger = Ledger::open(&path)?;
    let open = ledger.resume(state)?;
    let plan = Plan::default();
    let Ok(mut coordinator) = Coordinator::new(state, solver(1 << 24)?, plan, open) else {
        return Err("it is decided at once".into());
    };
    let worker = solver(1 << 28)?;
    let (mut thinking, mut writing, mut answers) = (Duration::ZERO, Duration::ZERO, 0u32);
    let started = Instant::now();
    while started.elapsed() < MEASURED && coordinator.winner().is_none() {
        let begin = Instant::now();
        let jobs = coordinator.hand_out(8);
        thinking += begin.elapsed();
        let begin = Instant::now();
        ledger.commit(&coordinator.changes())?;
        writing += begin.elapsed();
        for job in jobs {
            let begin = Instant::now();
            let budget = job.budget;
            let Ok(found) =
                worker.explore(&job.node.node, job.limit(), budget, &Limits::default(), &mut |_| {})
            else {
                continue;
            };
            // The small jobs of the beginning tell nothing of the rest.
            if budget >= plan.budget {
                println!("{:.6}", begin.elapsed().as_secs_f64());
            }
            let answer = Answer::of(&job, "measured", &found).write();
            let begin = Instant::now();
            coordinator.take(&Answer::read(&answer)?)?;
            thinking += begin.elapsed();
            answers += 1;
        }
    }
    drop(ledger);
    std::fs::remove_file(&path)?;
    let micros = |time: Duration| time.as_micros() / u128::from(answers.max(1));
    eprintln!(
        "{answers} answers; for each {} µs to think and {} µs to write",
        micros(thinking),
        micros(writing)
    );
    Ok(())
}

/// What happens next, at a time in microseconds.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    /// An idle worker has heard of a job.
    Begins,
    /// A worker is done, after so long; its answer is under way.
    Ends(u64),
    /// An answer is with the coordinator.
    Arrives,
}

fn simulate(times: &str, micros: u64) -> Result<(), Box<dyn Error>> {
    let jobs: Vec<u64> = times
        .lines()
        .map(|line| line.parse::<f64>().map(|seconds| (seconds * 1e6) as u64))
        .collect::<Result<_, _>>()?;
    if jobs.is_empty() {
        return Err("no job in the file".into());
    }
    let mean = jobs.iter().sum::<u64>() as f64 / jobs.len() as f64 / 1e6;
    println!("{} jobs of {mean:.3} s on average; {micros} µs for an answer", jobs.len());
    println!("{:>7} {:>10} {:>10} {:>12}", "workers", "jobs/s", "busy", "coordinator");
    for workers in [1, 2, 4, 8, 16, 32, 64, 125, 250, 500, 1000] {
        let (rate, busy, load) = play(&jobs, workers, micros);
        println!("{workers:>7} {rate:>10.1} {:>9.1}% {:>11.1}%", busy * 100.0, load * 100.0);
    }
    Ok(())
}

/// Jobs a second, the share of the workers' time that is search, and of the coordinator's that is work.
fn play(jobs: &[u64], workers: usize, micros: u64) -> (f64, f64, f64) {
    let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
    let mut length = || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        jobs[(seed % jobs.len() as u64) as usize]
    };
    let mut events = BinaryHeap::new();
    // What is handed out and waits, and those who wait for it.
    let mut queue = workers / 4;
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
                // To ask for the next job, and to get it.
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
