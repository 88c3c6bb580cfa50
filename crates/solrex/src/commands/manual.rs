//! `solrex completions` and `solrex man`, generated from the command line definition.

use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::CommandFactory;
use clap_complete::Shell;

use crate::cli::{Cli, Show};
use crate::{Ending, show::output};

/// Write completions for a shell
#[derive(clap::Args, Debug)]
#[command(after_help = COMPLETION_EXAMPLES)]
pub struct CompletionArgs {
    /// The shell
    shell: Shell,
}

const COMPLETION_EXAMPLES: &str = "\
Examples:
  solrex completions bash > ~/.local/share/bash-completion/completions/solrex
  solrex completions fish > ~/.config/fish/completions/solrex.fish
  solrex completions zsh > ~/.zfunc/_solrex";

/// Write the manual page
#[derive(clap::Args, Debug)]
#[command(after_help = MAN_EXAMPLES)]
pub struct ManArgs {
    /// Write the pages of all commands into this folder
    #[arg(long, value_name = "FOLDER")]
    dir: Option<PathBuf>,
}

const MAN_EXAMPLES: &str = "\
Examples:
  solrex man | man -l -
  solrex man --dir ~/.local/share/man/man1";

/// Writes completions.
pub fn completions(args: &CompletionArgs, _: Show) -> Result<Ending> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "solrex", &mut script);
    output::text(&String::from_utf8_lossy(&script))?;
    Ok(Ending::Answered)
}

/// Writes the manual.
pub fn man(args: &ManArgs, _: Show) -> Result<Ending> {
    let mut command = Cli::command();
    command.build();
    let Some(folder) = &args.dir else {
        let mut page = Vec::new();
        clap_mangen::Man::new(command).render(&mut page)?;
        output::text(&String::from_utf8_lossy(&page))?;
        return Ok(Ending::Answered);
    };
    std::fs::create_dir_all(folder)
        .and_then(|()| clap_mangen::generate_to(command, folder))
        .with_context(|| format!("cannot write the manual into '{}'", folder.display()))?;
    Ok(Ending::Answered)
}
