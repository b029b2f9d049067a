//! What the scheduler returns.
use loopwright_schedule::ScheduleTree;

/// Something the caller may want to tell the user about how a schedule was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The statements concerned.
    pub statements: Vec<String>,
    /// What was done, as a sentence.
    pub message: String,
}

/// A schedule and how it came about.
#[derive(Clone, Debug)]
pub struct Scheduled {
    /// The schedule.
    pub tree: ScheduleTree,
    /// Fallbacks that were taken, and statements that were cut.
    pub notes: Vec<Note>,
    /// The names of the statements whose halves were scheduled separately, see
    /// [`crate::split_index_sets`].
    pub cut: Vec<String>,
    /// Whether statements were kept apart that [`crate::Fuse::Typed`] would have put into common loops.
    pub keeps_apart: bool,
}
