//! Small integer algebra: vectors and sparse rows of machine words, ranks and null spaces, Farkas' lemma.
pub(crate) mod echelon;
pub(crate) mod farkas;
pub(crate) mod rows;
pub(crate) mod terms;
pub(crate) mod vectors;
