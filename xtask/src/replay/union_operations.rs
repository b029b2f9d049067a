//! Operations on unions over several spaces.
use super::operation::operations;
use super::value::Value;
use loopwright_presburger::{Set, UnionMap, UnionSet};

operations! {
    /// isl's `union_set_*`.
    OF_SETS: UnionSet;
    is_empty(o; a) => a.is_empty(o.budget)?;
    is_subset(o; a, b: UnionSet) => a.is_subset(b, o.budget)?;
    is_equal(o; a, b: UnionSet) => a.is_equal(b, o.budget)?;
    is_disjoint(o; a, b: UnionSet) => a.is_disjoint(b, o.budget)?;
    is_strict_subset(o; a, b: UnionSet) => a.is_strict_subset(b, o.budget)?;
    sample_point(o; a) => Value::Point(a.sample(o.budget)?);

    intersect(o; a, b: UnionSet) => a.intersect(b)?;
    intersect_params(o; a, b: Set) => a.intersect_params(b)?;
    union(o; a, b: UnionSet) => a.union(b)?;
    subtract(o; a, b: UnionSet) => a.subtract(b, o.budget)?;
    apply(o; a, b: UnionMap) => a.apply(b)?;
    product(o; a, b: UnionSet) => a.product(b)?;
    params(o; a) => a.params();

    coalesce(o; a) => a.coalesce(o.budget)?;
    compute_divs(o; a) => a.compute_divs(o.budget)?;
    detect_equalities(o; a) => a.detect_equalities(o.budget)?;
    remove_redundancies(o; a) => a.remove_redundancies(o.budget)?;
    gist(o; a, b: UnionSet) => a.gist(b, o.budget)?;
    gist_params(o; a, b: Set) => a.gist_params(b, o.budget)?;
    affine_hull(o; a) => a.affine_hull(o.budget)?;
    polyhedral_hull(o; a) => a.polyhedral_hull(o.budget)?;
    simple_hull(o; a) => a.simple_hull(o.budget)?;

    lexmin(o; a) => a.lexmin(o.budget)?;
    lexmax(o; a) => a.lexmax(o.budget)?;
    lex_lt_union_set(o; a, b: UnionSet) => a.lex_lt_union_set(b)?;
    lex_le_union_set(o; a, b: UnionSet) => a.lex_le_union_set(b)?;
}

operations! {
    /// isl's `union_map_*`.
    OF_MAPS: UnionMap;
    is_empty(o; a) => a.is_empty(o.budget)?;
    is_single_valued(o; a) => a.is_single_valued(o.budget)?;
    is_injective(o; a) => a.is_injective(o.budget)?;
    is_bijective(o; a) => a.is_bijective(o.budget)?;
    is_subset(o; a, b: UnionMap) => a.is_subset(b, o.budget)?;
    is_equal(o; a, b: UnionMap) => a.is_equal(b, o.budget)?;
    is_disjoint(o; a, b: UnionMap) => a.is_disjoint(b, o.budget)?;
    is_strict_subset(o; a, b: UnionMap) => a.is_strict_subset(b, o.budget)?;

    intersect(o; a, b: UnionMap) => a.intersect(b)?;
    intersect_params(o; a, b: Set) => a.intersect_params(b)?;
    intersect_domain(o; a, b: UnionSet) => a.intersect_domain(b)?;
    intersect_range(o; a, b: UnionSet) => a.intersect_range(b)?;
    union(o; a, b: UnionMap) => a.union(b)?;
    subtract(o; a, b: UnionMap) => a.subtract(b, o.budget)?;
    subtract_domain(o; a, b: UnionSet) => a.subtract_domain(b, o.budget)?;
    subtract_range(o; a, b: UnionSet) => a.subtract_range(b, o.budget)?;

    domain(o; a) => a.domain();
    range(o; a) => a.range();
    params(o; a) => a.params();
    reverse(o; a) => a.reverse();
    deltas(o; a) => a.deltas()?;
    deltas_map(o; a) => a.deltas_map()?;
    project_out(o; a) => a.project_out_params(o.params()?.first, o.params()?.count);

    apply_range(o; a, b: UnionMap) => a.apply_range(b)?;
    apply_domain(o; a, b: UnionMap) => a.apply_domain(b)?;
    product(o; a, b: UnionMap) => a.product(b)?;
    range_product(o; a, b: UnionMap) => a.range_product(b)?;
    domain_product(o; a, b: UnionMap) => a.domain_product(b)?;
    flat_range_product(o; a, b: UnionMap) => a.flat_range_product(b)?;

    coalesce(o; a) => a.coalesce(o.budget)?;
    compute_divs(o; a) => a.compute_divs(o.budget)?;
    detect_equalities(o; a) => a.detect_equalities(o.budget)?;
    remove_redundancies(o; a) => a.remove_redundancies(o.budget)?;
    gist(o; a, b: UnionMap) => a.gist(b, o.budget)?;
    affine_hull(o; a) => a.affine_hull(o.budget)?;
    polyhedral_hull(o; a) => a.polyhedral_hull(o.budget)?;
    simple_hull(o; a) => a.simple_hull(o.budget)?;
    gist_params(o; a, b: Set) => a.gist_params(b, o.budget)?;
    gist_domain(o; a, b: UnionSet) => a.gist_domain(b, o.budget)?;
    gist_range(o; a, b: UnionSet) => a.gist_range(b, o.budget)?;

    lexmin(o; a) => a.lexmin(o.budget)?;
    lexmax(o; a) => a.lexmax(o.budget)?;
    transitive_closure(o; a) => a.transitive_closure(o.budget)?;
    lex_lt_union_map(o; a, b: UnionMap) => a.lex_lt_union_map(b)?;
    lex_le_union_map(o; a, b: UnionMap) => a.lex_le_union_map(b)?;
}
