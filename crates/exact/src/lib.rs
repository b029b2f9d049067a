//! Exact integers, rationals, rows, matrices and their normal forms.
//!
//! * [`Int`]: an integer without bound; one machine word as long as it fits.
//! * [`Rational`]: a fraction of two [`Int`]s in lowest terms.
//! * [`Value`]: a fraction, an infinity, or not a number.
//! * [`Row`]: a vector of integers that is either all machine words or all big integers.
//! * [`Matrix`]: rows of equal length; Hermite and Smith normal forms, adjugates,
//!   reduced bases of lattices.

mod adjugate;
mod hermite;
mod int;
mod lll;
mod matrix;
mod rational;
mod row;
mod smith;
mod value;

pub use hermite::{Hermite, IntegerSolution};
pub use int::{Int, ParseIntError};
pub use matrix::Matrix;
pub use rational::Rational;
pub use row::Row;
pub use smith::Smith;
pub use value::Value;
