//! The normal form of a conjunction of constraints.
use crate::basic_map::BasicData;

impl BasicData {
    /// Brings the system into its normal form.
    pub(crate) fn simplify(&mut self) {}
}
