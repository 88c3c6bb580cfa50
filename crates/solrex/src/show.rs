//! What commands show: text and colour, JSON, pictures, progress and the log.

pub mod certificate;
pub mod counter;
pub mod log;
pub mod output;
pub mod progress;
pub mod style;
pub mod text;
