//! What coordinators and workers report while they run.

use std::collections::HashSet;

use crate::message::LeadStatus;

/// A report.
pub enum Report<'a> {
    /// The status of a coordinator, about once a second.
    Status(&'a LeadStatus),
    /// Something the user may want to know.
    Note(&'a str),
    /// Something the user should know: the search is stuck until it is fixed.
    Warning(&'a str),
}

/// Problems with a bus. Each one is reported once, and so is the end of the trouble.
#[derive(Default)]
pub(crate) struct Trouble {
    told: HashSet<String>,
}

impl Trouble {
    /// The bus does not work, for this reason.
    pub fn found(&mut self, reason: &str, report: &mut dyn FnMut(Report)) {
        if self.told.insert(reason.to_owned()) {
            report(Report::Warning(&format!("{reason}; waiting")));
        }
    }

    /// The bus works.
    pub fn over(&mut self, report: &mut dyn FnMut(Report)) {
        if !self.told.is_empty() {
            self.told.clear();
            report(Report::Warning("working again"));
        }
    }
}
