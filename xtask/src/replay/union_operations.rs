//! Operations on unions over several spaces.
use super::shared_rows::{all_rows, relation_rows};
use super::value::Value;
use loopwright_presburger::{Set, UnionMap, UnionSet};

all_rows! {
    /// isl's `union_set_*`.
    OF_SETS: UnionSet;
    sample_point(o; a) => Value::Point(a.sample(o.budget)?);
    apply(o; a, b: UnionMap) => a.apply_within(b, o.budget)?;
    lex_lt_union_set(o; a, b: UnionSet) => a.lex_lt_union_set(b)?;
    lex_le_union_set(o; a, b: UnionSet) => a.lex_le_union_set(b)?;
}

relation_rows! {
    /// isl's `union_map_*`.
    OF_MAPS: UnionMap, UnionSet;
    project_out(o; a) => a.project_out_params(o.params()?.first, o.params()?.count);
    lex_lt_union_map(o; a, b: UnionMap) => a.lex_lt_union_map(b)?;
    lex_le_union_map(o; a, b: UnionMap) => a.lex_le_union_map(b)?;
}
