//! Texts of which one is chosen when the program runs.
pub(crate) mod buffers;
pub(crate) mod floats;
pub(crate) mod kept_variables;
pub(crate) mod length_variables;
pub(crate) mod many_blocks;
pub(crate) mod narrower;
pub(crate) mod on_device;
pub(crate) mod tile_variables;
pub(crate) mod trials;
pub(crate) mod whole_vectors;
