//! A parsed file.
use crate::directives::{Directive, read};
use crate::syntax::parser::parse;
use crate::syntax::tree::Tree;
use crate::text::attributes::without_idle_attributes;
use crate::text::preprocess::CleanText;
use crate::text::system_types::system_types;
use std::ops::Range;

/// The text that is parsed (directives blanked) and its tree.
pub(crate) struct Parsed {
    pub(crate) source: String,
    pub(crate) tree: Tree,
    /// The directives of the text, in its order: each is about the statement behind it
    /// ([`governed`](crate::regions::one_thread::governed)).
    pub(crate) directives: Vec<Directive>,
}

impl Parsed {
    /// The directives that begin in some bytes.
    pub(crate) fn directives_in(&self, bytes: Range<usize>) -> &[Directive] {
        let before = |byte: usize| self.directives.partition_point(|found| found.start < byte);
        &self.directives[before(bytes.start)..before(bytes.end)]
    }
}

/// Parses a text.
pub(crate) fn parse_file(clean: &CleanText) -> Parsed {
    let mut source = String::with_capacity(clean.text.len());
    for line in clean.text.split_inclusive('\n') {
        if line.trim_start().starts_with('#') {
            source.extend(line.bytes().map(|b| if b == b'\n' { '\n' } else { ' ' }));
        } else {
            source.push_str(line);
        }
    }
    let source = without_idle_attributes(source);
    let tree = parse(&source, system_types(&clean.system_text).into_iter());
    Parsed { source, tree, directives: read(&clean.text) }
}
