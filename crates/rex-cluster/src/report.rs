//! What coordinators and workers report while they run.

use std::collections::HashSet;

use rex_search::TableError;
use rex_store::StoreError;

use crate::bus::BusError;
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

/// Why a coordinator or a worker gave up.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The ledger cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The bus is unusable, or another coordinator leads.
    #[error(transparent)]
    Bus(#[from] BusError),
    /// There is not enough memory.
    #[error(transparent)]
    Table(#[from] TableError),
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
