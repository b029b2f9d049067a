//! The members of structures and unions, with their types.
use crate::facts::ctypes::{DeclaredType, declarator};
use crate::facts::records::{Record, RecordId};
use crate::facts::type_names::TypeNames;
use crate::syntax::kind::{Field, Kind};
use crate::syntax::queries::{children, named_children, text};
use crate::syntax::tree::Node;

/// A member of a structure or union.
#[derive(Clone, Debug)]
pub(crate) struct Member<'t> {
    pub(crate) declared: DeclaredType<'t>,
    /// Whether it shares memory with other members: in a union, or as a field of bits.
    pub(crate) shares_memory: bool,
}

/// Structures nested deeper without names than this are not looked into.
pub(crate) const MAX_DEPTH: usize = 16;

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
