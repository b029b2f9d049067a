//! What variables hold at the place that a walk has reached.
use crate::model::pieces::Pieces;
use crate::model::pointer_target::Target;
use std::collections::BTreeMap;

/// The values of variables: they flow from statement to statement, and are joined after branches.
#[derive(Clone, Default)]
pub(crate) struct Values {
    /// The values of variables that stand for affine expressions.
    pub(crate) known: BTreeMap<u32, Pieces>,
    /// The values of changes inside of the expression that is being read, by their nodes.
    pub(crate) side_values: BTreeMap<usize, (u32, Pieces)>,
    /// Where the pointers lead that the region sets.
    pub(crate) pointers: BTreeMap<u32, Vec<Target>>,
    /// Data variables declared in each open block of the region.
    pub(crate) blocks: Vec<Vec<u32>>,
    /// The variables of opaque statements themselves, and their names there.
    pub(crate) own_names: BTreeMap<u32, String>,
}
