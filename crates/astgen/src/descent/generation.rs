//! What stays the same during a generation.
use crate::cut::Cut;
use crate::nest::condition_tree::assembled;
use crate::nest::tree::{Graft, Nest};
use crate::options::choices::Options;
use loopwright_presburger::{Budget, Result, Set, Space, Tuple};

/// What all of the descent knows.
pub(crate) struct Generation<'a> {
    pub(crate) options: &'a Options,
    pub(crate) budget: &'a Budget,
    /// All parameters.
    pub(crate) params: Space,
    /// How the values of levels are cut.
    pub(crate) cut: &'a dyn Cut,
}

impl Generation<'_> {
    /// The space of sets at depth `depth`.
    pub(crate) fn space(&self, depth: usize) -> Space {
        Space::set(self.params.param_names(), Tuple::anonymous(depth))
    }

    /// Grafts in a row as one nest, where `known` holds.
    pub(crate) fn assembled(&self, grafts: Vec<Graft>, known: &Set) -> Result<Nest> {
        assembled(grafts, known, self.options.allow_else, self.budget)
    }
}
