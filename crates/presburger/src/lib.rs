#![doc = include_str!("../README.md")]

mod affine_hull;
#[cfg(test)]
mod algebra_tests;
mod align;
mod basic_map;
mod basis_reduction;
mod bounded;
mod budget;
mod coalesce;
mod columns;
mod common_columns;
mod compose;
mod convex_hull;
mod cutting_planes;
mod deltas;
mod determined;
mod double_description;
mod elimination;
mod equalities;
mod error;
mod explicit_columns;
mod farkas;
mod fixed_box;
mod floors;
mod function;
mod generators;
mod gist;
mod graph;
mod guess;
mod hull_equalities;
mod hulls;
mod inequalities;
mod integer_minimum;
mod lattice_width;
mod lex_order;
mod lexicographic;
mod lexmin;
mod lexmin_problem;
mod make_disjoint;
mod map;
mod merge_solutions;
mod notation;
mod optimum;
mod over_approximation;
mod parametric_lexmin;
mod parametric_tableau;
mod paths;
mod pivot;
mod plain_form;
mod point_search;
mod points;
mod pointwise_optimum;
mod polynomial;
mod power;
mod product;
mod project;
mod quantifier_elimination;
#[cfg(test)]
mod random_rows;
mod redundancy;
mod restrict;
mod row_order;
mod sample;
mod set;
mod simple_hull;
mod simplex;
mod simplify;
mod single_valued;
mod slices;
mod sole_limits;
mod space;
mod stride;
mod subtract;
mod system;
mod tight_constraints;
mod transitive_closure;
mod union_map;
mod union_set;
mod unit_pivots;
mod unknowns;
mod vertices;

pub use basic_map::{BasicMap, BasicSet, Constraint, Local, Optimum};
pub use budget::Budget;
pub use double_description::{Cone, ConstraintSet};
pub(crate) use error::During;
pub use error::{Error, Reached, Result};
pub use fixed_box::FixedBox;
pub use function::{
    Aff, Expression, Member, Multi, MultiAff, MultiPwAff, MultiUnionPwAff, MultiVal, Piecewise,
    PwAff, PwMultiAff, UnionPiecewise, UnionPwAff, UnionPwMultiAff,
};
pub use generators::Generators;
pub use lexicographic::{Contradiction, LexicographicProblem, LexicographicSnapshot};
pub use loopwright_exact::{Int, Matrix, Rational, Row, Value};
pub use map::Map;
pub use notation::{Format, is_keyword};
pub use plain_form::PlainForm;
pub use polynomial::{
    BoundMethod, FoldKind, PwQPolynomial, PwQPolynomialFold, QPolynomial, QPolynomialFold,
    UnionPwQPolynomial, UnionPwQPolynomialFold,
};
pub use set::Set;
pub use simplex::{ConstraintId, RationalOptimum, Snapshot, Tableau};
pub use space::{DimKind, Name, Space, Tuple};
pub use stride::{LatticeTile, StrideInfo};
pub use transitive_closure::Closure;
pub use union_map::UnionMap;
pub use union_set::UnionSet;
pub use vertices::{Chamber, ParametricVertices, Vertex};
