//! `solrex explain`: what theory says about a position without search.

use std::path::PathBuf;

use anyhow::Result;
use rex_answers::explain::{Explanation, object};

use crate::arguments::position::PositionArg;
use crate::arguments::theory::TheoryFlags;
use crate::cli::Show;
use crate::{Ending, show::output};

pub mod picture;
pub mod prose;

/// Explain a position without search: fill-in, inferior moves, pairings, symmetry
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    position: PositionArg,
    /// Also draw it to this file, with an arrow from each inferior move to a better one
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    #[command(flatten)]
    theory: TheoryFlags<true>,
}

const EXAMPLES: &str = "\
Examples:
  solrex explain 4x4 d1
  solrex explain 5x5 c3 --svg c3.svg
  solrex explain --no-hsearch '1b1w/3w/w2b/2b1 b'

All rules are on here, also those that a search leaves out, so explain may call a move inferior that a search tries.";

/// Explains each position.
pub fn run(args: &Args, show: Show) -> Result<Ending> {
    args.position.for_each(show, |state| {
        let explanation = Explanation::new(state, &args.theory.options);
        output::answer(show, || object(&explanation), || prose::describe(&explanation))?;
        if let Some(path) = &args.svg {
            output::file(path, picture::svg(&explanation))?;
        }
        Ok(Ending::Answered)
    })
}
