//! What a file says before a region is walked over: types, scopes, what functions do, where pointers lead.

pub(crate) mod called_functions;
pub(crate) mod control;
pub(crate) mod counted_loops;
pub(crate) mod ctypes;
pub(crate) mod element_uses;
pub(crate) mod enumeration_types;
pub(crate) mod file_index;
pub(crate) mod for_header;
pub(crate) mod function_names;
pub(crate) mod functions;
pub(crate) mod hidden_pointers;
pub(crate) mod integer_type;
pub(crate) mod library;
pub(crate) mod liveness;
pub(crate) mod loop_pragmas;
pub(crate) mod points_to;
pub(crate) mod records;
pub(crate) mod region_names;
pub(crate) mod region_scopes;
pub(crate) mod row_pointers;
pub(crate) mod scope;
pub(crate) mod side_effects;
pub(crate) mod variables;
