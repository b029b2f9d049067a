//! Which references may touch a common element, found without looking at all pairs.
//!
//! References to one array that are constant in a dimension of it meet only those with the same constant
//! there, and those that are not constant. Per array the dimension with the most different constants divides
//! them, so that thousands of statements that each touch an element or a row of their own have few partners
//! each.
use crate::engine::reference::Reference;
use loopwright_presburger::{DimKind, Int};
use loopwright_scop::ArrayId;
use rustc_hash::{FxHashMap, FxHashSet};

/// References by what they may touch; numbers are positions in the list that it was made of.
#[derive(Debug, Default)]
pub(crate) struct Meeting {
    arrays: FxHashMap<ArrayId, Divided>,
}

/// The references of one array.
#[derive(Debug, Default)]
struct Divided {
    dimension: usize,
    by_constant: FxHashMap<Int, Vec<usize>>,
    /// Those that are not constant in the dimension.
    others: Vec<usize>,
    all: Vec<usize>,
}

impl Meeting {
    /// The references of a list.
    pub(crate) fn of<'r>(references: impl Iterator<Item = &'r Reference>) -> Self {
        let mut lists: FxHashMap<ArrayId, Vec<(usize, &Reference)>> = FxHashMap::default();
        for (position, reference) in references.enumerate() {
            lists.entry(reference.array).or_default().push((position, reference));
        }
        let arrays = lists.into_iter().map(|(array, list)| (array, Divided::new(&list)));
        Meeting { arrays: arrays.collect() }
    }

    /// The positions of those that may touch an element which the reference touches, in increasing order.
    pub(crate) fn partners(&self, reference: &Reference) -> Vec<usize> {
        let Some(divided) = self.arrays.get(&reference.array) else { return Vec::new() };
        let Some(constant) = fixed(reference, divided.dimension) else {
            return divided.all.clone();
        };
        let mut partners = divided.others.clone();
        partners.extend(divided.by_constant.get(&constant).into_iter().flatten());
        partners.sort_unstable();
        partners
    }
}

impl Divided {
    fn new(list: &[(usize, &Reference)]) -> Self {
        let n_dims = list.iter().map(|(_, reference)| reference.relation.n(DimKind::Out)).min();
        let n_constants = |dimension: usize| {
            let constants = list.iter().filter_map(|(_, reference)| fixed(reference, dimension));
            constants.collect::<FxHashSet<Int>>().len()
        };
        let dimension = (0..n_dims.unwrap_or(0)).max_by_key(|&dim| n_constants(dim)).unwrap_or(0);
        let mut divided = Divided { dimension, ..Divided::default() };
        for (position, reference) in list {
            divided.all.push(*position);
            match fixed(reference, dimension) {
                Some(constant) => divided.by_constant.entry(constant).or_default().push(*position),
                None => divided.others.push(*position),
            }
        }
        divided
    }
}

/// The subscript in a dimension if it is the same for all instances.
fn fixed(reference: &Reference, dimension: usize) -> Option<Int> {
    let has_dimension = dimension < reference.relation.n(DimKind::Out);
    let value = || reference.relation.plain_get_val_if_fixed(DimKind::Out, dimension);
    has_dimension.then(value).flatten()
}
