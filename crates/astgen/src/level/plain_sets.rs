//! Cheap tests of sets: what their constraints say without any search.
use loopwright_presburger::{BasicMap, Row, Set};

/// Whether a set obviously has no constraints.
pub(crate) fn is_universe(set: &Set) -> bool {
    let basics = set.as_map().basic_maps();
    basics
        .iter()
        .any(|b| b.equalities().is_empty() && b.inequalities().is_empty() && !b.plain_is_empty())
}

/// Whether two basic sets have the same constraints, up to their order.
pub(crate) fn plain_equal(a: &BasicMap, b: &BasicMap) -> bool {
    let same = |a: &[Row], b: &[Row]| a.len() == b.len() && a.iter().all(|row| b.contains(row));
    a.locals() == b.locals()
        && a.space().param_names() == b.space().param_names()
        && same(a.equalities(), b.equalities())
        && same(a.inequalities(), b.inequalities())
}

/// Whether two sets are described by the same constraints.
pub(crate) fn same_pieces(a: &Set, b: &Set) -> bool {
    let (a, b) = (a.as_map().basic_maps(), b.as_map().basic_maps());
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| plain_equal(a, b))
}
