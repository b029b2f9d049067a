//! Structures and unions: their members.
use crate::syntax::kind::{Field, Kind};
use crate::syntax::queries::text;
use crate::syntax::tree::Node;
use rustc_hash::FxHashMap;

/// The index of a structure or union of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct RecordId(pub(crate) u32);

/// The structures and unions that a file defines.
#[derive(Clone, Debug, Default)]
pub(crate) struct Records<'t> {
    pub(crate) records: Vec<Record<'t>>,
    /// By tag; none if a file uses a tag for several ones.
    by_tag: FxHashMap<String, Option<RecordId>>,
    by_start: FxHashMap<usize, RecordId>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Record<'t> {
    pub(crate) body: Node<'t>,
    pub(crate) is_union: bool,
}

impl<'t> Records<'t> {
    /// All structures and unions of a file.
    pub(crate) fn of_file(source: &str, root: Node<'t>) -> Self {
        let mut found = Records::default();
        let kinds = [Kind::StructSpecifier, Kind::UnionSpecifier];
        root.of_kinds(&kinds).into_iter().for_each(|node| found.add(source, node));
        found
    }

    fn add(&mut self, source: &str, node: Node<'t>) {
        let is_union = node.kind() == Kind::UnionSpecifier;
        let Some(body) = node.field(Field::Body) else { return };
        let id = RecordId(self.records.len() as u32);
        self.records.push(Record { body, is_union });
        self.by_start.insert(node.start_byte(), id);
        if let Some(name) = node.field(Field::Name) {
            let known = self.by_tag.entry(text(source, name).to_string());
            known.and_modify(|id| *id = None).or_insert(Some(id));
        }
    }

    /// The structure or union that a specifier names or defines, if its members are known.
    pub(crate) fn find(&self, source: &str, specifier: Node<'_>) -> Option<RecordId> {
        if let Some(id) = self.by_start.get(&specifier.start_byte()) {
            return Some(*id);
        }
        let name = specifier.field(Field::Name)?;
        *self.by_tag.get(text(source, name))?
    }
}
