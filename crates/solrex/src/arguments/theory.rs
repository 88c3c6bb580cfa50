//! The theory switches as flags, built from the one table of options.

use clap::{Arg, ArgAction, ArgMatches, Command, FromArgMatches};
use rex_theory::{OptionInfo, Options};

/// Switches that start from the defaults, or with `ALL` with everything on. Each has one flag, which changes
/// it: `--no-NAME` if it is on, `--NAME` if it is off.
#[derive(Clone, Copy, Debug)]
pub struct TheoryFlags<const ALL: bool> {
    /// The options that the flags select.
    pub options: Options,
}

impl<const ALL: bool> TheoryFlags<ALL> {
    fn start() -> Options {
        if ALL { Options::all() } else { Options::default() }
    }
}

/// The flag of a switch that starts `on` or off.
pub fn flag(info: &OptionInfo, on: bool) -> String {
    if on { format!("no-{}", info.name) } else { info.name.to_owned() }
}

impl<const ALL: bool> clap::Args for TheoryFlags<ALL> {
    fn augment_args(command: Command) -> Command {
        Options::TABLE.iter().fold(command, |command, info| {
            let on = (info.get)(&Self::start());
            let help = format!("{}: {}", if on { "Off" } else { "On" }, info.help.trim());
            command.arg(
                Arg::new(info.name)
                    .long(flag(info, on))
                    .help(help)
                    .help_heading("Theory (no answer depends on it)")
                    .action(ArgAction::SetTrue),
            )
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<const ALL: bool> FromArgMatches for TheoryFlags<ALL> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut options = Self::start();
        for info in Options::TABLE.iter().filter(|info| matches.get_flag(info.name)) {
            (info.set)(&mut options, !(info.get)(&Self::start()));
        }
        Ok(TheoryFlags { options })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        Self::from_arg_matches(matches).map(|flags| *self = flags)
    }
}
