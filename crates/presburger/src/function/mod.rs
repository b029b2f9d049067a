//! Quasi-affine expressions, piecewise, in tuples, and over several spaces.

mod aff;
mod arithmetic;
mod binding;
mod comparison;
mod context;
mod dimensions;
mod floor;
mod from_map;
mod multi;
mod multi_aff;
mod multi_pw_aff;
mod multi_union_pw_aff;
mod multi_val;
mod piecewise;
mod preimage;
mod pw_aff;
mod pw_multi_aff;
mod tuple_operations;
mod union_piecewise;
mod union_pw_aff;
mod union_pw_multi_aff;

pub(crate) use aff::mismatch;
pub(crate) use from_map::explicit_piece;

pub use aff::Aff;
pub use multi::{Member, Multi};
pub use multi_aff::MultiAff;
pub use multi_pw_aff::MultiPwAff;
pub use multi_union_pw_aff::MultiUnionPwAff;
pub use multi_val::MultiVal;
pub use piecewise::{Expression, Piecewise};
pub use pw_aff::PwAff;
pub use pw_multi_aff::PwMultiAff;
pub use union_piecewise::UnionPiecewise;
pub use union_pw_aff::UnionPwAff;
pub use union_pw_multi_aff::UnionPwMultiAff;
