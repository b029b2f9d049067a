//! Where a file first declares its names: a body that is written before a name is declared would not be C.
use crate::facts::ctypes::declarator;
use crate::inlining::callee::Callee;
use crate::syntax::kind::{Field, Kind};
use crate::syntax::queries::{named_children, text};
use crate::syntax::tree::Node;
use rustc_hash::FxHashMap;

/// The first byte at which each name is declared outside of functions.
pub(crate) struct FirstDeclarations(FxHashMap<String, usize>);

impl FirstDeclarations {
    /// Reads a file.
    pub(crate) fn of_file(source: &str, root: Node<'_>) -> Self {
        let mut found = FirstDeclarations(FxHashMap::default());
        for item in named_children(root) {
            for node in item.all_in_field(Field::Declarator) {
                let parts = declarator(source, node);
                parts.into_iter().for_each(|parts| found.add(source, parts.name));
            }
            let is_body = |node: &Node<'_>| node.field(Field::Body).is_some();
            let kinds = [Kind::StructSpecifier, Kind::UnionSpecifier, Kind::EnumSpecifier];
            if item.kind() != Kind::FunctionDefinition {
                let tags = kinds.into_iter().flat_map(|kind| item.of_kind(kind)).filter(is_body);
                let constants = item.of_kind(Kind::Enumerator);
                for name in tags.chain(constants).filter_map(|node| node.field(Field::Name)) {
                    found.add(source, name);
                }
                // Names that the reader of types finds in other places.
                item.of_kind(Kind::TypeIdentifier).for_each(|name| found.add(source, name));
            }
        }
        found
    }

    fn add(&mut self, source: &str, name: Node<'_>) {
        let place = self.0.entry(text(source, name).to_string()).or_insert(name.start_byte());
        *place = (*place).min(name.start_byte());
    }

    /// Whether all that the body of a function names is declared before a byte, or nowhere in the file (but
    /// in headers of the system).
    pub(crate) fn has_before(&self, callee: &Callee<'_>, byte: usize) -> bool {
        let is_before = |name: &String| self.0.get(name).is_none_or(|place| *place < byte);
        callee.definition.start_byte() < byte
            || callee.free.iter().chain(&callee.types).all(is_before)
    }
}
