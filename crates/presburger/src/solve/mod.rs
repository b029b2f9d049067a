//! Questions about one conjunction: is there a point, which is the least value, what follows from it.

pub(crate) mod basis_reduction;
pub(crate) mod bounded;
pub(crate) mod cutting_planes;
pub(crate) mod double_description;
pub(crate) mod elimination;
pub(crate) mod heuristic_sample;
pub(crate) mod implicit_equalities;
pub(crate) mod integer_minimum;
pub(crate) mod lexicographic;
pub(crate) mod optimum;
pub(crate) mod pivot;
pub(crate) mod plainly_irredundant;
pub(crate) mod point_search;
pub(crate) mod redundancy;
pub(crate) mod sample;
pub(crate) mod simplex;
pub(crate) mod slices;
pub(crate) mod system;
pub(crate) mod tight_constraints;
pub(crate) mod vertex_enumeration;
pub(crate) mod windows;
