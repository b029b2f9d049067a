//! The text of a file: bytes, preprocessing, lines. Nothing here knows syntax.

pub(crate) mod attributes;
pub(crate) mod bounded;
pub(crate) mod comments;
pub(crate) mod compiler_run;
pub(crate) mod digraphs;
pub(crate) mod edits;
pub(crate) mod file_bytes;
pub(crate) mod layout;
pub(crate) mod line_directives;
pub(crate) mod located;
pub(crate) mod options;
pub(crate) mod other_languages;
pub(crate) mod preprocess;
pub(crate) mod preprocessed;
pub(crate) mod system_types;
