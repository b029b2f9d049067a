//! The first pass: down the schedule tree, and up again with code whose constraints are sets.
//!
//! [`tree`] walks over the nodes, [`leaf`] makes code for instances without further order, and
//! [`loops`] for the levels of a band, knowing only how these are cut and a function for what is
//! inside. [`bounds`] is about the bounds of a single loop.
//!
//! Of the three sets of constraints that accompany the descent in section 5.1 of Grosser,
//! Verdoolaege, Cohen, the union of *generated* and *pending* ones is [`crate::level::Level::known`].
//! What of it is really enforced need not be known on the way down: the second pass sees it.
pub(crate) mod bounds;
pub(crate) mod generation;
pub(crate) mod leaf;
pub(crate) mod loops;
pub(crate) mod tree;
