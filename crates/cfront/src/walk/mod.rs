//! The walk over the statements of a region, which collects what becomes a scop.

pub(crate) mod affine;
pub(crate) mod affine_uses;
pub(crate) mod annotations;
pub(crate) mod arrays;
pub(crate) mod calls;
pub(crate) mod control;
pub(crate) mod conversions;
pub(crate) mod declarations;
pub(crate) mod enumerations;
pub(crate) mod extract;
pub(crate) mod finish;
pub(crate) mod incoming_values;
pub(crate) mod loops;
pub(crate) mod members;
pub(crate) mod memory_parameters;
pub(crate) mod non_affine_accesses;
pub(crate) mod pointers;
pub(crate) mod references;
pub(crate) mod sizes;
pub(crate) mod statement_body;
pub(crate) mod statement_locals;
pub(crate) mod symbolic_values;
pub(crate) mod unsigned_wrap;
