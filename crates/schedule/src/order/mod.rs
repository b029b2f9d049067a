//! What order a tree means: what reaches its nodes, its flat relation, and whether it is well-formed.
pub(crate) mod check;
pub(crate) mod flatten;
pub(crate) mod origin_loops;
pub(crate) mod precedence;
pub(crate) mod queries;
pub(crate) mod reaching;
