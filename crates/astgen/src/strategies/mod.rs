//! The strategies of cutting, one per paper.
pub(crate) mod baseline;
pub(crate) mod groups;
pub(crate) mod kelly_pugh;
pub(crate) mod separation;
