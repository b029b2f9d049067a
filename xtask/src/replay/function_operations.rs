//! Operations on piecewise functions.
use super::operation::operations;
use loopwright_presburger::{Map, PwAff, PwMultiAff, Set};

operations! {
    /// isl's `pw_aff_*`.
    OF_EXPRESSIONS: PwAff;
    coalesce(o; a) => a.coalesce(o.budget)?;
    gist(o; a, b: Set) => a.gist(b, o.budget)?;
    le_set(o; a, b: PwAff) => a.le_set(b)?;
    lt_set(o; a, b: PwAff) => a.lt_set(b)?;
    ge_set(o; a, b: PwAff) => a.ge_set(b)?;
    gt_set(o; a, b: PwAff) => a.gt_set(b)?;
    eq_set(o; a, b: PwAff) => a.eq_set(b)?;
    ne_set(o; a, b: PwAff) => a.ne_set(b)?;
}

operations! {
    /// isl's `pw_multi_aff_*` of functions.
    OF_TUPLES: PwMultiAff;
    coalesce(o; a) => a.coalesce(o.budget)?;
    gist(o; a, b: Set) => a.gist(b, o.budget)?;
    pullback_pw_multi_aff(o; a, b: PwMultiAff) => a.pullback(b)?;
}

operations! {
    /// isl's `pw_multi_aff_*` of relations.
    FROM_RELATIONS: Map;
    map(o; a) => PwMultiAff::from_map(a, o.budget)?;
}
