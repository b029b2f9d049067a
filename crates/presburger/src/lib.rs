#![doc = include_str!("../README.md")]

#[cfg(test)]
mod algebra_tests;
mod closures;
mod core;
mod count;
mod functions;
mod hulls;
mod lexmin;
mod notation;
mod polynomials;
#[cfg(test)]
mod random_rows;
mod set_operations;
mod solve;
mod unions;

pub use crate::closures::closure::Closure;
pub use crate::core::basic_map::BasicMap;
pub use crate::core::basic_set::BasicSet;
pub use crate::core::budget::Budget;
pub use crate::core::constraint::{Constraint, Local};
pub use crate::core::error::{Error, Reached, Result};
pub use crate::core::map::Map;
pub use crate::core::plain_form::PlainForm;
pub use crate::core::set::Set;
pub use crate::core::space::{DimKind, Space};
pub use crate::core::tuple::{Name, Tuple};
pub use crate::core::union_map::UnionMap;
pub use crate::core::union_set::UnionSet;
pub use crate::count::bounds::CountBounds;
pub use crate::count::generating_function::GeneratingFunction;
pub use crate::count::rank::Ranking;
pub use crate::functions::aff::Aff;
pub use crate::functions::expression::Expression;
pub use crate::functions::multi::{Member, Multi};
pub use crate::functions::multi_aff::MultiAff;
pub use crate::functions::multi_pw_aff::MultiPwAff;
pub use crate::functions::multi_union_pw_aff::MultiUnionPwAff;
pub use crate::functions::multi_val::MultiVal;
pub use crate::functions::piecewise::Piecewise;
pub use crate::functions::piecewise::PwAff;
pub use crate::functions::piecewise::PwMultiAff;
pub use crate::functions::pointwise::AffineValues;
pub use crate::functions::union_piecewise::UnionPiecewise;
pub use crate::functions::union_piecewise::UnionPwAff;
pub use crate::functions::union_piecewise::UnionPwMultiAff;
pub use crate::hulls::fixed_box::FixedBox;
pub use crate::hulls::generators::Generators;
pub use crate::hulls::stride::{LatticeTile, StrideInfo};
pub use crate::hulls::vertices::{Chamber, ParametricVertices, Vertex};
pub use crate::notation::format::Format;
pub use crate::notation::lexer::is_keyword;
pub use crate::polynomials::bound::BoundMethod;
pub use crate::polynomials::fold::{
    FoldKind, PwQPolynomialFold, QPolynomialFold, UnionPwQPolynomialFold,
};
pub use crate::polynomials::pw_qpolynomial::{PwQPolynomial, UnionPwQPolynomial};
pub use crate::polynomials::qpolynomial::QPolynomial;
pub use crate::solve::double_description::{Cone, ConstraintSet};
pub use crate::solve::lexicographic::{Contradiction, LexicographicProblem, LexicographicSnapshot};
pub use crate::solve::optimum::Optimum;
pub use crate::solve::simplex::{ConstraintId, RationalOptimum, Snapshot, Tableau};
pub use loopwright_exact::{Int, Matrix, Rational, Row, Value};
