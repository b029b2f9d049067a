//! Operations on relations.
use super::operation::{Arguments, Failure};
use super::shared_rows::relation_rows;
use super::value::Value;
use loopwright_presburger::{Map, MultiAff, PwMultiAff, Set};

relation_rows! {
    /// isl's `map_*` and `basic_map_*`.
    TABLE: Map, Set;
    sample(o; a) => a.sample(o.budget)?;
    union_disjoint(o; a, b: Map) => a.union(b)?;
    complement(o; a) => a.complement(o.budget)?;
    project_out(o; a) => { let d = o.dims()?; a.project_out(d.kind, d.first, d.count) };
    eliminate(o; a) => { let d = o.dims()?; a.eliminate(d.kind, d.first, d.count) };
    flat_domain_product(o; a, b: Map) => a.flat_domain_product_within(b, o.budget)?;
    card(o; a) => a.card(o.budget)?;
    sum(o; a) => sum(o, a)?;
    preimage_domain_multi_aff(o; a, f: MultiAff) => f.to_map().apply_range_within(a, o.budget)?;
    preimage_domain_pw_multi_aff(o; a, f: PwMultiAff) => f.to_map().apply_range_within(a, o.budget)?;
    preimage_range_multi_aff(o; a, f: MultiAff) => a.apply_range_within(&f.to_map().reverse(), o.budget)?;
    preimage_range_pw_multi_aff(o; a, f: PwMultiAff) => a.apply_range_within(&f.to_map().reverse(), o.budget)?;
    remove_locals(o; a) => a.remove_locals();
    gist_basic_map(o; a, b: Map) => a.gist(b, o.budget)?;
    convex_hull(o; a) => a.convex_hull(o.budget)?;
    unshifted_simple_hull(o; a) => a.unshifted_simple_hull(o.budget)?;
    lexmin_pw_multi_aff(o; a) => a.lexmin_pw_multi_aff(o.budget)?;
    lexmax_pw_multi_aff(o; a) => a.lexmax_pw_multi_aff(o.budget)?;
    partial_lexmin(o; a, b: Set) => a.partial_lexmin(b, o.budget)?;
    partial_lexmax(o; a, b: Set) => a.partial_lexmax(b, o.budget)?;
    dim_min(o; a) => a.dim_min(o.position()?, o.budget)?;
    dim_max(o; a) => a.dim_max(o.position()?, o.budget)?;
    lex_lt_map(o; a, b: Map) => a.lex_lt_map(b)?;
    lex_le_map(o; a, b: Map) => a.lex_le_map(b)?;
}

/// The sum of two relations; of one, the sum of the numbers of images over its domain, or over the
/// second elements of a domain of pairs.
fn sum(o: &Arguments<'_>, a: &Map) -> Result<Value, Failure> {
    match (o.operands.len(), a.curry()) {
        (2, _) => Ok(a.sum(o.operand(1)?)?.into()),
        (_, Ok(second)) => Ok(second.card(o.budget)?.into()),
        _ => Ok(a.wrap().card(o.budget)?.into()),
    }
}
