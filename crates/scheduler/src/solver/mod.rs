//! Integer programs, and their lexicographic minima.
pub(crate) mod elimination;
pub(crate) mod lexicographic_program;
pub(crate) mod nontrivial;
