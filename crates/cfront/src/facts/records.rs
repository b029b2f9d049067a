//! Structures and unions: their members.
use crate::facts::ctypes::{DeclaredType, TypeNames, declarator};
use crate::syntax::kind::{Field, Kind};
use crate::syntax::queries::{children, named_children, text};
use crate::syntax::tree::Node;
use rustc_hash::FxHashMap;

/// The index of a structure or union of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct RecordId(u32);

/// The structures and unions that a file defines.
#[derive(Clone, Debug, Default)]
pub(crate) struct Records<'t> {
    records: Vec<Record<'t>>,
    /// By tag; none if a file uses a tag for several ones.
    by_tag: FxHashMap<String, Option<RecordId>>,
    by_start: FxHashMap<usize, RecordId>,
}

#[derive(Clone, Copy, Debug)]
struct Record<'t> {
    body: Node<'t>,
    is_union: bool,
}

/// A member of a structure or union.
#[derive(Clone, Debug)]
pub(crate) struct Member<'t> {
    pub(crate) declared: DeclaredType<'t>,
    /// Whether it shares memory with other members: in a union, or as a field of bits.
    pub(crate) shares_memory: bool,
}

/// Structures nested deeper without names than this are not looked into.
const MAX_DEPTH: usize = 16;

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

impl<'t> TypeNames<'t> {
    /// The member of a structure or union with a name, also inside of members without names.
    pub(crate) fn member(&self, source: &str, record: RecordId, name: &str) -> Option<Member<'t>> {
        self.member_within(source, record, name, 0)
    }

    fn member_within(
        &self,
        source: &str,
        record: RecordId,
        name: &str,
        depth: usize,
    ) -> Option<Member<'t>> {
        let Record { body, is_union } = *self.records.records.get(record.0 as usize)?;
        for field in named_children(body).filter(|field| field.kind() == Kind::FieldDeclaration) {
            let base = self.base_type(source, field);
            let is_bits = children(field).any(|child| child.kind() == Kind::BitfieldClause);
            let declarators: Vec<Node<'t>> = field.all_in_field(Field::Declarator).collect();
            if declarators.is_empty()
                && depth < MAX_DEPTH
                && let Some(inner) = base.scalar.record
                && let Some(mut member) = self.member_within(source, inner, name, depth + 1)
            {
                member.shares_memory |= is_union;
                return Some(member);
            }
            for node in declarators {
                let Some(parts) = declarator(source, node) else { continue };
                if text(source, parts.name) == name && !parts.is_function {
                    let mut declared = base.clone();
                    declared.dimensions = parts.dimensions;
                    declared.dimensions.extend(base.dimensions.iter().copied());
                    return Some(Member { declared, shares_memory: is_union || is_bits });
                }
            }
        }
        None
    }
}
