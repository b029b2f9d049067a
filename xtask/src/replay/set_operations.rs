//! Operations on sets.
use super::shared_rows::all_rows;
use super::value::{Extended, Value};
use loopwright_presburger::{Aff, BasicSet, Map, MultiAff, PwMultiAff, Set};

all_rows! {
    /// isl's `set_*` and `basic_set_*`.
    TABLE: Set;
    card(o; a) => a.card(o.budget)?;
    is_bounded(o; a) => a.is_bounded(o.budget)?;
    is_singleton(o; a) => a.is_singleton(o.budget)?;
    sample(o; a) => a.sample(o.budget)?;
    sample_point(o; a) => Value::Point(Some(a.sample(o.budget)?).filter(is_not_empty));
    complement(o; a) => a.complement(o.budget)?;
    apply(o; a, b: Map) => a.apply_within(b, o.budget)?;
    project_out(o; a) => { let d = o.dims()?; a.project_out(d.kind, d.first, d.count) };
    eliminate(o; a) => { let d = o.dims()?; a.eliminate(d.kind, d.first, d.count) };
    preimage_multi_aff(o; a, f: MultiAff) => f.preimage(a)?;
    preimage_pw_multi_aff(o; a, f: PwMultiAff) => a.apply_within(&f.to_map().reverse(), o.budget)?;
    remove_locals(o; a) => a.remove_locals();
    gist_basic_set(o; a, b: Set) => a.gist(b, o.budget)?;
    convex_hull(o; a) => a.convex_hull(o.budget)?;
    bounded_simple_hull(o; a) => a.bounded_simple_hull(o.budget)?;
    unshifted_simple_hull(o; a) => a.unshifted_simple_hull(o.budget)?;
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
