//! C in: preprocessing, parsing, finding regions, extracting a scop, diagnostics.
