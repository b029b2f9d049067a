//! Operations on sets and relations whose result is one: differences, projections, products, compositions.

pub(crate) mod coalesce;
pub(crate) mod compose;
pub(crate) mod deltas;
pub(crate) mod gist;
pub(crate) mod lex_order;
pub(crate) mod make_disjoint;
pub(crate) mod map_from_function;
pub(crate) mod nesting;
pub(crate) mod over_approximation;
pub(crate) mod plain_projection;
pub(crate) mod points;
pub(crate) mod product;
pub(crate) mod project;
pub(crate) mod restrict;
pub(crate) mod single_valued;
pub(crate) mod subtract;
