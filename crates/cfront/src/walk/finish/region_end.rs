//! What the surroundings of a region say at the end of a walk.
use crate::facts::liveness::Surroundings;
use std::collections::{BTreeSet, HashSet};

/// What `Extractor::finish` knows about the region's surroundings.
pub(crate) struct Context<'a, 't> {
    pub(crate) surroundings: &'a Surroundings<'a, 't>,
    /// Names of the function's variables that are assigned somewhere.
    pub(crate) changed_names: &'a HashSet<String>,
    /// All names of the program.
    pub(crate) used_names: &'a BTreeSet<String>,
    /// The function around the region.
    pub(crate) function: crate::syntax::tree::Node<'t>,
    /// Whether variables that may be the same memory are taken to be different.
    pub(crate) assume_no_alias: bool,
}
