//! Regions of a file: where they are, extracting them, and putting generated text back in place.

pub(crate) mod autodetect;
pub(crate) mod bindings;
pub(crate) mod control_tree;
pub(crate) mod counted_lines;
pub(crate) mod detection;
pub(crate) mod detection_result;
pub(crate) mod extraction;
pub(crate) mod fragments;
pub(crate) mod known_values;
pub(crate) mod one_thread;
pub(crate) mod parsed;
pub(crate) mod places;
pub(crate) mod pragmas;
pub(crate) mod program_words;
pub(crate) mod reading;
pub(crate) mod region;
pub(crate) mod region_directives;
pub(crate) mod replaceable_lines;
pub(crate) mod replacement;
pub(crate) mod sequential;
pub(crate) mod source;
pub(crate) mod source_loops;
pub(crate) mod unexpanded_lines;
pub(crate) mod updates;
pub(crate) mod versions;
pub(crate) mod with_bodies;
