//! The number of schedule dimensions outside, and sets over them.
use loopwright_presburger::*;

/// The most schedule dimensions that code is generated for: each is a level of several recursions, and
/// relations have a column for each (400 take a gigabyte).
const MOST_DIMENSIONS: usize = 256;

/// That there are no more schedule dimensions than code is generated for.
pub(crate) fn within_depth(dimensions: usize) -> Result<()> {
    match dimensions <= MOST_DIMENSIONS {
        true => Ok(()),
        false => Err(Error::too_large("loop generation: a schedule of more than 256 dimensions")),
    }
}

/// A set over parameters, or over the dimensions from `first` on, at depth `depth`, with the
/// parameters of `params` and its own.
pub(crate) fn set_at_depth(set: &Set, params: &Space, first: usize, depth: usize) -> Result<Set> {
    let (set, first) = match set.space().is_params() {
        true => (set.from_params(Tuple::anonymous(0)), 0),
        false => {
            let tuple = Tuple::anonymous(set.n(DimKind::Out));
            let space = Space::set(set.space().param_names(), tuple);
            (set.flatten().with_space_tuples(&space)?, first)
        }
    };
    let set = set.align_params(params).insert_dims(DimKind::Out, 0, first);
    let n = set.n(DimKind::Out);
    Ok(set.insert_dims(DimKind::Out, n, depth.saturating_sub(n)))
}
