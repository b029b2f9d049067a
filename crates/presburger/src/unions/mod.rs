//! Operations on unions over several spaces: each distributes over the relations whose tuples fit.

pub(crate) mod composition;
pub(crate) mod difference;
pub(crate) mod intersection;
pub(crate) mod lexicographic_optimum;
pub(crate) mod product;
pub(crate) mod simplification;
pub(crate) mod single_valued;
