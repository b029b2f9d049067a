//! Conditions that a place of a region needs.
use crate::model::conditions::Disjunction;

/// What has to hold at a place of the region.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Needed {
    /// When the place is reached, if the condition is about loops.
    pub(crate) domain: Disjunction,
    /// The loops that it is about; none for a condition on symbolic constants.
    pub(crate) loops: Vec<u32>,
    /// What has to hold there.
    pub(crate) holds: Disjunction,
    /// The byte of the text.
    pub(crate) at: usize,
    /// What it is good for.
    pub(crate) reason: String,
    /// Whether it is only about symbolic constants for which the place is reached: for others there is
    /// nothing to run, so the region may stay as it was.
    pub(crate) is_where_reached: bool,
}
