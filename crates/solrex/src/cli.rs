//! The command line.

use std::ffi::OsString;

use anyhow::Result;
use clap::{Parser, Subcommand, ValueEnum};

#[cfg(not(all(feature = "cluster", feature = "serve")))]
use crate::commands::absent;
#[cfg(feature = "cluster")]
use crate::commands::cluster;
#[cfg(feature = "serve")]
use crate::server;
use crate::{
    Ending, arguments::environment, commands::audit, commands::bench, commands::census, commands::check,
    commands::convert, commands::db, commands::explain, commands::manual, commands::moves,
    commands::openings, commands::play, commands::prove, commands::puzzles, commands::solve,
    commands::version, htp, show::log,
};

/// Solves Reverse Hex exactly: whoever connects their own two sides loses.
#[derive(Parser, Debug)]
#[command(name = "solrex", version, long_about = ABOUT, after_help = EXAMPLES, max_term_width = 100)]
#[command(disable_help_subcommand = true)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    show: Show,
}

const ABOUT: &str = "\
Solves Reverse Hex exactly: whoever connects their own two sides loses.

Black owns the top and bottom sides, White the left and right sides. A POSITION is any of

  6x6                    the empty board with 6 rows and 6 columns, Black to move
  6x6 e3 d4              moves from the empty board, Black first
  '1b1w/3w/w2b/2b1 b'    rows from the top (numbers are empty cells), then the side to move
  'https://hexworld…'    a HexWorld link (Red is Black)
  @FILE                  a file with one of these, a drawn board, or SGF
  -                      standard input, one position per line";

const EXAMPLES: &str = "\
Examples:
  solrex solve 5x5 a1 c3
  solrex moves 4x4 c2
  solrex explain '1b1w/3w/w2b/2b1 b'
  solrex openings 5x5

Exit status: 0 answered, 1 a check failed, 2 bad input, 3 stopped by a limit or a signal.";

/// The words of a command line as clap wants them: `5x5 a1` means `solve 5x5 a1`, and `help solve` is `solve --help`.
pub fn in_full(mut words: Vec<OsString>) -> Vec<OsString> {
    let is_flag = |word: &OsString| word.to_string_lossy().starts_with('-') && word != "-";
    let Some(first) = words.iter().skip(1).position(|word| !is_flag(word)).map(|at| at + 1) else {
        return words;
    };
    // This flag has a word of its own.
    if words[first - 1] == "--color" {
        return words;
    }
    let word = words[first].to_string_lossy();
    if word == "help" {
        words.remove(first);
        words.push("--help".into());
    } else if word == "-" || word.contains('/') || word.starts_with(|c: char| c == '@' || c.is_ascii_digit())
    {
        words.insert(first, "solve".into());
    }
    words
}

/// How answers are shown.
#[derive(clap::Args, Clone, Copy, Debug)]
#[command(next_help_heading = "Output")]
pub struct Show {
    /// Print one JSON object per line
    #[arg(long, global = true, display_order = 1000)]
    pub json: bool,
    /// When to use colour; NO_COLOR in the environment turns auto off
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", display_order = 1001)]
    color: Colour,
    /// Whether an answer is one line. Some commands have a flag for that.
    #[arg(skip)]
    pub quiet: bool,
    /// Report progress on standard error, with timestamps
    #[arg(short, long, global = true, display_order = 1002)]
    verbose: bool,
}

impl Show {
    /// The same, with answers of one line if `quiet`.
    pub fn in_one_line(self, quiet: bool) -> Show {
        Show { quiet, ..self }
    }
}

#[derive(Clone, Copy, ValueEnum, Debug)]
enum Colour {
    Auto,
    Always,
    Never,
}

#[derive(Subcommand, Debug)]
enum Command {
    Solve(solve::Args),
    Moves(moves::Args),
    Explain(explain::Args),
    Openings(openings::Args),
    Prove(prove::Args),
    Check(check::Args),
    Audit(audit::Args),
    Convert(convert::Args),
    Play(play::Args),
    Puzzles(puzzles::Args),
    #[cfg(feature = "serve")]
    Serve(server::Args),
    /// Explore Rex in the browser: solve positions, ask why, play, solve puzzles
    #[cfg(not(feature = "serve"))]
    #[command(after_help = absent::how_to_build!("serve"))]
    Serve(absent::Args),
    Htp(htp::Args),
    Db(db::Args),
    #[cfg(feature = "cluster")]
    Cluster(cluster::Args),
    /// Run one search on many machines
    #[cfg(not(feature = "cluster"))]
    #[command(after_help = absent::how_to_build!("cluster"))]
    Cluster(absent::Args),
    Census(census::Args),
    Bench(bench::Args),
    Completions(manual::CompletionArgs),
    Man(manual::ManArgs),
    Version(version::Args),
}

impl Cli {
    /// Runs the command.
    pub fn run(self) -> Result<Ending> {
        if self.show.verbose {
            log::start(self.show.json);
        }
        environment::read()?;
        match self.show.color {
            Colour::Auto => {}
            Colour::Always => anstream::ColorChoice::Always.write_global(),
            Colour::Never => anstream::ColorChoice::Never.write_global(),
        }
        match self.command {
            Command::Solve(args) => solve::run(&args, self.show),
            Command::Moves(args) => moves::run(&args, self.show),
            Command::Explain(args) => explain::run(&args, self.show),
            Command::Openings(args) => openings::run(&args, self.show),
            Command::Prove(args) => prove::run(&args, self.show),
            Command::Check(args) => check::run(&args, self.show),
            Command::Audit(args) => audit::run(&args, self.show),
            Command::Convert(args) => convert::run(&args, self.show),
            Command::Play(args) => play::run(&args, self.show),
            Command::Puzzles(args) => puzzles::run(&args, self.show),
            #[cfg(feature = "serve")]
            Command::Serve(args) => server::run(&args, self.show),
            #[cfg(not(feature = "serve"))]
            Command::Serve(args) => absent::run(&args, "serve"),
            Command::Htp(args) => htp::run(&args, self.show),
            Command::Db(args) => db::run(&args, self.show),
            #[cfg(feature = "cluster")]
            Command::Cluster(args) => cluster::run(&args, self.show),
            #[cfg(not(feature = "cluster"))]
            Command::Cluster(args) => absent::run(&args, "cluster"),
            Command::Bench(args) => bench::run(&args, self.show),
            Command::Census(args) => census::run(&args, self.show),
            Command::Completions(args) => manual::completions(&args, self.show),
            Command::Man(args) => manual::man(&args, self.show),
            Command::Version(args) => version::run(&args, self.show),
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::Cli;

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_command_has_examples_that_can_be_read() {
        let program = Cli::command();
        let mut commands: Vec<(String, &clap::Command)> = Vec::new();
        for command in program.get_subcommands() {
            let name = command.get_name();
            let below = command.get_subcommands().map(|sub| (format!("{name} {}", sub.get_name()), sub));
            commands.extend(below);
            commands.push((name.to_owned(), command));
        }
        assert!(commands.iter().any(|(name, _)| name == "db stats"));
        for (name, command) in commands {
            let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            assert!(help.starts_with("Examples:\n"), "{name}");
            let examples = help.lines().skip(1).take_while(|line| line.starts_with("  "));
            for example in examples.filter(|line| line.trim_start().starts_with("solrex ")) {
                assert!(example.trim_start().starts_with(&format!("solrex {name}")), "{name}: {example}");
            }
        }
    }
}
