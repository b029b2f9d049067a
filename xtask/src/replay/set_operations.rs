//! Operations on sets.
use super::operation::operations;
use super::value::{Extended, Value};
use loopwright_presburger::{Aff, BasicSet, Map, MultiAff, PwMultiAff, Set};

operations! {
    /// isl's `set_*` and `basic_set_*`.
    TABLE: Set;
    is_empty(o; a) => a.is_empty(o.budget)?;
    is_subset(o; a, b: Set) => a.is_subset(b, o.budget)?;
    is_equal(o; a, b: Set) => a.is_equal(b, o.budget)?;
    is_disjoint(o; a, b: Set) => a.is_disjoint(b, o.budget)?;
    is_strict_subset(o; a, b: Set) => a.is_strict_subset(b, o.budget)?;
    is_bounded(o; a) => a.is_bounded(o.budget)?;
    is_singleton(o; a) => a.is_singleton(o.budget)?;
    sample(o; a) => a.sample(o.budget)?;
    sample_point(o; a) => Value::Point(Some(a.sample(o.budget)?).filter(is_not_empty));

    intersect(o; a, b: Set) => a.intersect(b)?;
    intersect_params(o; a, b: Set) => a.intersect_params(b)?;
    union(o; a, b: Set) => a.union(b)?;
    subtract(o; a, b: Set) => a.subtract(b, o.budget)?;
    complement(o; a) => a.complement(o.budget)?;
    product(o; a, b: Set) => a.product(b)?;
    apply(o; a, b: Map) => a.apply(b)?;
    params(o; a) => a.params();
    project_out(o; a) => { let d = o.dims()?; a.project_out(d.kind, d.first, d.count) };
    eliminate(o; a) => { let d = o.dims()?; a.eliminate(d.kind, d.first, d.count) };
    preimage_multi_aff(o; a, f: MultiAff) => f.preimage(a)?;
    preimage_pw_multi_aff(o; a, f: PwMultiAff) => a.apply(&f.to_map().reverse())?;

    coalesce(o; a) => a.coalesce(o.budget)?;
    compute_divs(o; a) => a.compute_divs(o.budget)?;
    detect_equalities(o; a) => a.detect_equalities(o.budget)?;
    make_disjoint(o; a) => a.make_disjoint(o.budget)?;
    remove_redundancies(o; a) => a.remove_redundancies(o.budget)?;
    remove_divs(o; a) => a.remove_divs();
    gist(o; a, b: Set) => a.gist(b, o.budget)?;
    gist_basic_set(o; a, b: Set) => a.gist(b, o.budget)?;
    gist_params(o; a, b: Set) => a.gist_params(b, o.budget)?;

    affine_hull(o; a) => a.affine_hull(o.budget)?;
    convex_hull(o; a) => a.convex_hull(o.budget)?;
    polyhedral_hull(o; a) => a.polyhedral_hull(o.budget)?;
    bounded_simple_hull(o; a) => a.bounded_simple_hull(o.budget)?;
    simple_hull(o; a) => a.simple_hull(o.budget)?;
    unshifted_simple_hull(o; a) => a.unshifted_simple_hull(o.budget)?;

    lexmin(o; a) => a.lexmin(o.budget)?;
    lexmax(o; a) => a.lexmax(o.budget)?;
    lexmin_pw_multi_aff(o; a) => a.lexmin_pw_multi_aff(o.budget)?;
    lexmax_pw_multi_aff(o; a) => a.lexmax_pw_multi_aff(o.budget)?;
    dim_min(o; a) => a.dim_min(o.position()?, o.budget)?;
    dim_max(o; a) => a.dim_max(o.position()?, o.budget)?;
    min_val(o; a, f: Aff) => Extended::minimum(a.min_val(f, o.budget)?);
    max_val(o; a, f: Aff) => Extended::maximum(a.max_val(f, o.budget)?);

    partial_lexmin(o; a, b: Set) => a.partial_lexmin(b, o.budget)?;
    partial_lexmax(o; a, b: Set) => a.partial_lexmax(b, o.budget)?;
    lex_lt_set(o; a, b: Set) => a.lex_lt_set(b)?;
    lex_le_set(o; a, b: Set) => a.lex_le_set(b)?;
}

fn is_not_empty(sample: &BasicSet) -> bool {
    !sample.plain_is_empty()
}
