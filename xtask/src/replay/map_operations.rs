//! Operations on relations.
use super::operation::operations;
use loopwright_presburger::{Map, MultiAff, PwMultiAff, Set};

operations! {
    /// isl's `map_*` and `basic_map_*`.
    TABLE: Map;
    is_empty(o; a) => a.is_empty(o.budget)?;
    is_single_valued(o; a) => a.is_single_valued(o.budget)?;
    is_injective(o; a) => a.is_injective(o.budget)?;
    is_bijective(o; a) => a.is_bijective(o.budget)?;
    is_subset(o; a, b: Map) => a.is_subset(b, o.budget)?;
    is_equal(o; a, b: Map) => a.is_equal(b, o.budget)?;
    is_disjoint(o; a, b: Map) => a.is_disjoint(b, o.budget)?;
    is_strict_subset(o; a, b: Map) => a.is_strict_subset(b, o.budget)?;
    sample(o; a) => a.sample(o.budget)?;

    intersect(o; a, b: Map) => a.intersect(b)?;
    intersect_params(o; a, b: Set) => a.intersect_params(b)?;
    intersect_domain(o; a, b: Set) => a.intersect_domain(b)?;
    intersect_range(o; a, b: Set) => a.intersect_range(b)?;
    union(o; a, b: Map) => a.union(b)?;
    union_disjoint(o; a, b: Map) => a.union(b)?;
    subtract(o; a, b: Map) => a.subtract(b, o.budget)?;
    subtract_domain(o; a, b: Set) => a.subtract_domain(b, o.budget)?;
    subtract_range(o; a, b: Set) => a.subtract_range(b, o.budget)?;

    domain(o; a) => a.domain();
    range(o; a) => a.range();
    params(o; a) => a.params();
    reverse(o; a) => a.reverse();
    deltas(o; a) => a.deltas()?;
    deltas_map(o; a) => a.deltas_map()?;
    complement(o; a) => a.complement(o.budget)?;
    project_out(o; a) => { let d = o.dims()?; a.project_out(d.kind, d.first, d.count) };
    eliminate(o; a) => { let d = o.dims()?; a.eliminate(d.kind, d.first, d.count) };

    apply_range(o; a, b: Map) => a.apply_range(b)?;
    apply_domain(o; a, b: Map) => a.apply_domain(b)?;
    product(o; a, b: Map) => a.product(b)?;
    range_product(o; a, b: Map) => a.range_product(b)?;
    domain_product(o; a, b: Map) => a.domain_product(b)?;
    flat_range_product(o; a, b: Map) => a.flat_range_product(b)?;
    flat_domain_product(o; a, b: Map) => a.flat_domain_product(b)?;
    sum(o; a, b: Map) => a.sum(b)?;
    preimage_domain_multi_aff(o; a, f: MultiAff) => f.to_map().apply_range(a)?;
    preimage_domain_pw_multi_aff(o; a, f: PwMultiAff) => f.to_map().apply_range(a)?;
    preimage_range_multi_aff(o; a, f: MultiAff) => a.apply_range(&f.to_map().reverse())?;
    preimage_range_pw_multi_aff(o; a, f: PwMultiAff) => a.apply_range(&f.to_map().reverse())?;

    coalesce(o; a) => a.coalesce(o.budget)?;
    compute_divs(o; a) => a.compute_divs(o.budget)?;
    detect_equalities(o; a) => a.detect_equalities(o.budget)?;
    make_disjoint(o; a) => a.make_disjoint(o.budget)?;
    remove_redundancies(o; a) => a.remove_redundancies(o.budget)?;
    remove_divs(o; a) => a.remove_divs();
    gist(o; a, b: Map) => a.gist(b, o.budget)?;
    gist_basic_map(o; a, b: Map) => a.gist(b, o.budget)?;
    gist_params(o; a, b: Set) => a.gist_params(b, o.budget)?;
    gist_domain(o; a, b: Set) => a.gist_domain(b, o.budget)?;
    gist_range(o; a, b: Set) => a.gist_range(b, o.budget)?;

    affine_hull(o; a) => a.affine_hull(o.budget)?;
    convex_hull(o; a) => a.convex_hull(o.budget)?;
    polyhedral_hull(o; a) => a.polyhedral_hull(o.budget)?;
    simple_hull(o; a) => a.simple_hull(o.budget)?;
    unshifted_simple_hull(o; a) => a.unshifted_simple_hull(o.budget)?;

    lexmin(o; a) => a.lexmin(o.budget)?;
    lexmax(o; a) => a.lexmax(o.budget)?;
    lexmin_pw_multi_aff(o; a) => a.lexmin_pw_multi_aff(o.budget)?;
    lexmax_pw_multi_aff(o; a) => a.lexmax_pw_multi_aff(o.budget)?;
    partial_lexmin(o; a, b: Set) => a.partial_lexmin(b, o.budget)?;
    partial_lexmax(o; a, b: Set) => a.partial_lexmax(b, o.budget)?;
    dim_min(o; a) => a.dim_min(o.position()?, o.budget)?;
    dim_max(o; a) => a.dim_max(o.position()?, o.budget)?;

    transitive_closure(o; a) => a.transitive_closure(o.budget)?;
    lex_lt_map(o; a, b: Map) => a.lex_lt_map(b)?;
    lex_le_map(o; a, b: Map) => a.lex_le_map(b)?;
}
