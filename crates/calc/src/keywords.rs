//! The words with a meaning in the language that are no functions.

/// Words that are no names of variables.
pub(super) const KEYWORDS: [&str; 21] = [
    "print",
    "assert",
    "write",
    "source",
    "read",
    "parse_file",
    "codegen",
    "using",
    "schedule",
    "respecting",
    "minimizing",
    "any",
    "last",
    "before",
    "under",
    "after",
    "cross",
    "cross_range",
    "True",
    "False",
    "help",
];

/// All words with a meaning in the language, functions aside.
pub(super) fn keywords() -> &'static [&'static str] {
    &KEYWORDS
}
