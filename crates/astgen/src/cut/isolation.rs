//! Loops of their own for an isolated part of the schedule space.
//!
//! At every level the isolated set, projected to the dimensions so far, cuts the domain into what
//! comes before it, the part itself, what comes after it, and the rest, which is reached only where
//! nothing is isolated. Grosser, Verdoolaege, Cohen, section 5.6.
use crate::level::Level;
use crate::level::localized::localized;
use loopwright_presburger::*;

/// The parts of the values of dimension `level`, in order.
pub(crate) struct Parts {
    /// Smaller than some isolated value.
    pub(crate) before: Set,
    /// Isolated, without gaps.
    pub(crate) center: Set,
    /// Greater than some isolated value.
    pub(crate) after: Set,
    /// Not comparable.
    pub(crate) other: Set,
}

/// Cuts all points at depth `level + 1` by `isolated`, a set at the depth of the band's end; none
/// if nothing is isolated where `known` holds.
pub(crate) fn parts(isolated: &Set, level: Level<'_>) -> Result<Option<Parts>> {
    let inner = isolated.n(DimKind::Out) - level.dimension - 1;
    let projected = isolated.project_out(DimKind::Out, level.dimension + 1, inner);
    let here = level.around();
    let projected = localized(&projected, level.dimension).intersect(&here)?;
    if projected.is_empty(level.budget)? {
        return Ok(None);
    }
    let center = Set::from_basic_set(projected.unshifted_simple_hull(level.budget)?);
    let universe = Set::universe(center.space().clone());
    let before = compared(&center, level.dimension, -1)?.subtract(&center, level.budget)?;
    let after = compared(&center, level.dimension, 1)?
        .subtract(&center, level.budget)?
        .subtract(&before, level.budget)?;
    let other = universe.subtract(&center, level.budget)?.subtract(&before, level.budget)?;
    let other = other.subtract(&after, level.budget)?;
    Ok(Some(Parts { before, center, after, other }))
}

/// The points `x` with `sign (x - y) > 0` in dimension `level` for some `y` in `set` that has the
/// same outer dimensions.
fn compared(set: &Set, level: usize, sign: i64) -> Result<Set> {
    let pairs = set.insert_dims(DimKind::Out, level, 1);
    let width = 1 + pairs.space().n_all();
    let mut row = Row::zeros(width);
    row.set(0, -&Int::ONE);
    row.set(width - 2, Int::from(sign));
    row.set(width - 1, Int::from(-sign));
    let constraint = Constraint { is_equality: false, row };
    let order = BasicMap::from_constraints(pairs.space().clone(), Vec::new(), vec![constraint]);
    let order = Set::from_basic_set(BasicSet::from_basic_map(order));
    Ok(pairs.intersect(&order)?.project_out(DimKind::Out, level + 1, 1))
}
