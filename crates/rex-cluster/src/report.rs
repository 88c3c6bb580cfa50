//! What coordinators and workers tell while they work.

use std::collections::HashSet;

use crate::message::Status;

/// What is told.
pub enum Report<'a> {
    /// How things are, about once a second; from a coordinator.
    Status(&'a Status),
    /// Something that a person may want to know.
    Note(&'a str),
    /// Something that a person should know: nothing goes on as long as it is so.
    Warning(&'a str),
}

/// What is wrong with a bus: each complaint is told once, and when all is well again.
#[derive(Default)]
pub(crate) struct Trouble {
    told: HashSet<String>,
}

impl Trouble {
    /// It does not work, for this reason.
    pub fn found(&mut self, reason: &str, report: &mut dyn FnMut(Report)) {
        if self.told.insert(reason.to_owned()) {
            report(Report::Warning(&format!("{reason}; waiting")));
        }
    }

    /// It works.
    pub fn over(&mut self, report: &mut dyn FnMut(Report)) {
        if !self.told.is_empty() {
            self.told.clear();
            report(Report::Warning("working again"));
        }
    }
}
