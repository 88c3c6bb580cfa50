//! `rex-tools export-training`: solved positions to train a net with.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use rex_game::{Board, Random, State};
use rex_search::{Limits, Node, Settings, Solver};
use rex_theory::{Field, OptionInfo, Options};
use serde_json::json;

mod data;

use crate::draw::Stones;
use data::Lessons;
pub use data::stones_as_bytes;

/// Write solved positions for training a net
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Rows x columns, such as 5x5; Black is Last in all positions, so 5x6 and 6x5 differ
    #[arg(value_name = "SIZE")]
    board: Board,
    /// Where to write the positions to train with
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Take what is solved below these openings, as a1,d2
    #[arg(long, value_name = "LIST", value_delimiter = ',', required_unless_present = "random")]
    openings: Vec<String>,
    /// Take what is solved below this many random positions
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    random: Option<u64>,
    /// Another number gives other random positions, the same number the same ones
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Random positions have half of this many stones, drawn from this range, for Last, and as many and up to three more
    /// for Notlast
    #[arg(long, value_name = "A-B", default_value = "3-10")]
    stones: Stones,
    /// What is solved below these openings goes to --test-output, and nothing of it to --output
    #[arg(long, value_name = "LIST", value_delimiter = ',', requires = "test_output")]
    test_openings: Vec<String>,
    /// Where to write the positions to test with
    #[arg(long, value_name = "FILE", requires = "test_openings")]
    test_output: Option<PathBuf>,
    /// Stop each search after this many nodes [default: 30,000 for random positions]
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Memory for the search, in MiB; the same command gives the same file anywhere, so it is fixed
    #[arg(long, value_name = "MIB", default_value_t = 512)]
    memory: u64,
    /// Threads to search with; with several the files differ from run to run
    #[arg(long, value_name = "N", default_value_t = 1)]
    threads: usize,
    /// Do without this rule of the theory, as hsearch; may be given several times
    #[arg(long, value_name = "RULE", value_parser = rule)]
    without: Vec<&'static OptionInfo>,
}

const EXAMPLES: &str = "\
Examples:
  rex-tools export-training 6x6 --random 1000 --seed 1 -o 6x6.bin
  rex-tools export-training 6x6 --openings a1,c1 --test-openings d1 -o train.bin --test-output test.bin
  rex-tools export-training 7x7 --random 300 --stones 6-12 --nodes 100000 -o 7x7.bin

Each filled position comes once, up to symmetry, with its winner, the work it took and the winning move that was met.
docs/training.md has the format. What was solved below an unsolved position counts too. The files are written at the end;
what is told about them is one JSON object for each.";

/// Nodes per random position, unless a flag says otherwise.
const NODES: u64 = 30_000;

/// The rule of this name.
fn rule(name: &str) -> Result<&'static OptionInfo, String> {
    let names = || Options::TABLE.iter().map(|info| info.name).collect::<Vec<_>>().join(", ");
    Options::named(name).ok_or_else(|| format!("expected one of {}", names()))
}

/// Solves positions and writes everything solved on the way.
pub fn run(args: &Args) -> Result<()> {
    let board = args.board;
    let named = !args.openings.is_empty() || !args.test_openings.is_empty();
    if named && !board.is_square() {
        bail!("openings need a square board, where Last can always be Black; {board} is not");
    }
    let training = openings(board, &args.openings)?;
    let test = openings(board, &args.test_openings)?;
    if let Some((name, _)) = test.iter().find(|(_, state)| training.iter().any(|(_, t)| same(t, state))) {
        bail!("{name} (or its rotation) is given for both training and testing");
    }
    if args.test_output.as_ref() == Some(&args.output) {
        bail!("--output and --test-output are the same file");
    }
    if args.random.is_some() {
        args.stones.check(board)?;
    }
    let mut theory = Options::default();
    for rule in &args.without {
        (rule.set)(&mut theory, false);
    }
    let settings = Settings {
        theory,
        memory: args.memory << 20,
        threads: args.threads,
        remember: Some(0),
        ..Settings::default()
    };
    let mut limits = Limits { nodes: args.nodes, ..Limits::default() };
    let (mut tested, mut learned) = (Harvest::default(), Harvest::default());
    tested.gather(&settings, &limits, test.into_iter().map(|(_, state)| state), board)?;
    learned.gather(&settings, &limits, training.into_iter().map(|(_, state)| state), board)?;
    if let Some(count) = args.random {
        limits.nodes = limits.nodes.or(Some(NODES));
        let mut random = Random(args.seed);
        let drawn = (0..count).map(|_| args.stones.draw(board, &mut random));
        learned.gather(&settings, &limits, drawn, board)?;
    }
    learned.lessons.leave_out(&tested.lessons);
    if let Some(path) = &args.test_output {
        tested.write(path, board)?;
    }
    learned.write(&args.output, board)
}

fn openings(board: Board, names: &[String]) -> Result<Vec<(String, State)>> {
    let state = |name: &String| Ok((name.clone(), format!("{board} {name}").parse()?));
    names.iter().map(state).collect()
}

/// Whether two states are images of each other.
fn same(one: &State, other: &State) -> bool {
    Node::of(&Field::new(one)).0 == Node::of(&Field::new(other)).0
}

/// Writes a file, whole or not at all.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<()> {
    let part = PathBuf::from(format!("{}.part", path.display()));
    std::fs::write(&part, bytes)
        .and_then(|()| std::fs::rename(&part, path))
        .with_context(|| format!("cannot write '{}'", path.display()))
}

/// The results of some searches.
#[derive(Default)]
struct Harvest {
    lessons: Lessons,
    searched: u64,
    unsolved: u64,
    nodes: u64,
    time: Duration,
}

impl Harvest {
    /// Solves states with one table, and adds everything that was solved.
    fn gather(
        &mut self,
        settings: &Settings,
        limits: &Limits,
        states: impl Iterator<Item = State>,
        board: Board,
    ) -> Result<()> {
        let started = Instant::now();
        let solver = Solver::new(board, settings.clone())?;
        for state in states {
            let solution = solver.ask(&state).limits(limits).verdict();
            self.searched += 1;
            self.unsolved += u64::from(solution.winner.is_none());
            self.nodes += solution.nodes;
            for solved in solver.take_solved() {
                self.lessons.add(&solved);
            }
        }
        self.time += started.elapsed();
        Ok(())
    }

    /// Writes the file, and tells about it.
    fn write(&self, path: &Path, board: Board) -> Result<()> {
        write_whole(path, &self.lessons.bytes(board))?;
        let Harvest { lessons, searched, unsolved, nodes, time } = self;
        let told = json!({
            "file": path.display().to_string(),
            "board": board.to_string(),
            "positions": lessons.len(),
            "last_wins": lessons.last_wins(),
            "with_move": lessons.with_move(),
            "searched": searched,
            "unsolved": unsolved,
            "nodes": nodes,
            "seconds": time.as_secs_f64(),
        });
        println!("{told}");
        Ok(())
    }
}
