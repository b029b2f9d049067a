//! What a region is made of while it is read: linear expressions, conditions, symbols, statements and
//! accesses.

pub(crate) mod affine_uses;
pub(crate) mod apart;
pub(crate) mod comparison;
pub(crate) mod conditions;
pub(crate) mod delinearized_shape;
pub(crate) mod filters;
pub(crate) mod linear;
pub(crate) mod memory_parameter;
pub(crate) mod needed;
pub(crate) mod null_test;
pub(crate) mod overwritten;
pub(crate) mod pieces;
pub(crate) mod pointer_offsets;
pub(crate) mod pointer_target;
pub(crate) mod raw_model;
pub(crate) mod run_time;
pub(crate) mod spaces;
pub(crate) mod symbols;
pub(crate) mod value;
