//! A parsed file.
use crate::directives::{Directive, read};
use crate::facts::function_options::FunctionOptions;
use crate::facts::linker_names::LinkerNames;
use crate::facts::thread_state::ThreadState;
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
    /// What holds for single functions.
    pub(crate) options: FunctionOptions,
    /// What is said about the state of threads.
    pub(crate) thread_state: ThreadState,
    /// Names that may stand for other objects.
    pub(crate) linker_names: LinkerNames,
}

impl Parsed {
    /// The directives that begin in some bytes.
    pub(crate) fn directives_in(&self, bytes: Range<usize>) -> &[Directive] {
        let before = |byte: usize| self.directives.partition_point(|found| found.start < byte);
        &self.directives[before(bytes.start)..before(bytes.end)]
    }
}

/// What is parsed of a text (directives blanked), and its tree.
pub(crate) fn parse_text(clean: &CleanText) -> (String, Tree) {
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
    (source, tree)
}

/// Parses a file, with what it says around its statements.
pub(crate) fn parse_file(clean: &CleanText) -> Parsed {
    let (source, tree) = parse_text(clean);
    let directives = read(&clean.text);
    let options = FunctionOptions::of_file(clean, &directives);
    let thread_state = ThreadState::of_file(clean, &directives);
    let linker_names = LinkerNames::of_text(&clean.text, &directives);
    Parsed { source, tree, directives, options, thread_state, linker_names }
}
