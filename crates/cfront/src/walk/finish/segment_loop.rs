//! Loops over a segment that two elements of memory bound: `for (k = ptr[i]; k < ptr[i + 1]; k++)`.
use crate::facts::control::change_of;
use crate::facts::ctypes::declarator;
use crate::facts::variables::{Origin, Variable};
use crate::syntax::kind::{Field, Kind};
use crate::syntax::queries::strip_parentheses;
use crate::syntax::tree::Node;
use crate::walk::extractor::Extractor;
use loopwright_scop::ElementKind;

/// A loop with a step of one, from the value of one element to before that of another.
pub(super) struct SegmentLoop<'t> {
    pub(super) node: Node<'t>,
    pub(super) starts: Node<'t>,
    pub(super) ends: Node<'t>,
}

impl<'t> Extractor<'_, 't> {
    /// The loop around a use of an iterator, if the segment is that of two elements.
    pub(super) fn segment_loop(&self, iterator: Node<'t>) -> Option<SegmentLoop<'t>> {
        let name = self.text(iterator);
        let mut node = iterator;
        let (node, start) = loop {
            let parent = node.parent().filter(|parent| self.is_in_region(*parent))?;
            let is_body = parent.field(Field::Body) == Some(node);
            if parent.kind() == Kind::ForStatement
                && is_body
                && let Some(start) = self.first_value(parent, name)
            {
                break (parent, start);
            }
            node = parent;
        };
        let body = node.field(Field::Body)?;
        let condition = strip_parentheses(node.field(Field::Condition)?);
        let (left, operator, right) = self.binary_parts(condition).ok()?;
        let is_upwards = operator == token!("<")
            && self.text(strip_parentheses(left)) == name
            && self.is_step_by_one(node.field(Field::Update)?, name);
        let is_own = change_of(self.facts.source, body, name).is_none()
            && self.declarations_of(body, name).next().is_none();
        let (starts, ends) = (self.loaded(start)?, self.loaded(right)?);
        (is_upwards && is_own && self.holds_values_of(name, &[starts, ends]))
            .then_some(SegmentLoop { node, starts, ends })
    }

    /// Whether a node is part of the region's text.
    pub(super) fn is_in_region(&self, node: Node<'t>) -> bool {
        let region = self.facts.root.start_byte()..self.facts.root.end_byte();
        region.start <= node.start_byte() && node.end_byte() <= region.end
    }

    /// What a loop gives to a variable before it begins.
    fn first_value(&self, node: Node<'t>, name: &str) -> Option<Node<'t>> {
        let initializer = node.field(Field::Initializer)?;
        if initializer.kind() == Kind::Declaration {
            return self.declarations_of(initializer, name).next()?.field(Field::Value);
        }
        let is_assigned = initializer.kind() == Kind::AssignmentExpression
            && initializer.operator() == Some(token!("="))
            && initializer.field(Field::Left).is_some_and(|left| self.text(left) == name);
        initializer.field(Field::Right).filter(|_| is_assigned)
    }

    fn is_step_by_one(&self, update: Node<'t>, name: &str) -> bool {
        let update = strip_parentheses(update);
        let of = |field| update.field(field).map(|n| self.text(strip_parentheses(n)));
        match update.kind() {
            Kind::UpdateExpression => {
                of(Field::Argument) == Some(name) && self.text(update).contains("++")
            }
            Kind::AssignmentExpression => {
                update.operator() == Some(token!("+="))
                    && of(Field::Left) == Some(name)
                    && of(Field::Right) == Some("1")
            }
            _ => false,
        }
    }

    /// The element that a value is read from: by the name of a variable that the region declares with it,
    /// too.
    pub(super) fn loaded(&self, value: Node<'t>) -> Option<Node<'t>> {
        let value = strip_parentheses(value);
        match value.kind() {
            Kind::SubscriptExpression => Some(value),
            Kind::Identifier => {
                let name = self.text(value);
                let mut all = self.declarations_of(self.facts.root, name);
                let only = all.next().filter(|_| all.next().is_none())?;
                let block = only.parent()?.parent()?;
                let is_seen = block.kind() == Kind::CompoundStatement
                    && self.is_in_region(block)
                    && block.byte_range().contains(&value.start_byte())
                    && only.end_byte() <= value.start_byte();
                let is_kept = change_of(self.facts.source, self.facts.root, name).is_none();
                let from = strip_parentheses(only.field(Field::Value)?);
                (is_seen
                    && is_kept
                    && from.kind() == Kind::SubscriptExpression
                    && self.holds_values_of(name, &[from]))
                .then_some(from)
            }
            _ => None,
        }
    }

    /// The declarators with a name that begin with a value, in a part of the region; those without one, too.
    fn declarations_of<'a>(
        &'a self,
        part: Node<'t>,
        name: &'a str,
    ) -> impl Iterator<Item = Node<'t>> + 'a {
        let own = (part.kind() == Kind::Declaration).then_some(part);
        let all = part.of_kind(Kind::Declaration).filter(move |d| Some(*d) != own).chain(own);
        let all = all.flat_map(|declaration| declaration.all_in_field(Field::Declarator));
        all.filter(move |d| {
            declarator(self.facts.source, *d).is_some_and(|d| self.text(d.name) == name)
        })
    }

    /// Whether all variables of a name have the values of elements as these are.
    fn holds_values_of(&self, name: &str, elements: &[Node<'t>]) -> bool {
        let kinds = [ElementKind::Signed, ElementKind::Unsigned];
        let own: Vec<_> =
            self.scopes.variables.iter().filter(|v| v.member.is_none() && v.name == name).collect();
        let of_elements = elements.iter().map(|element| {
            let access = self.accesses_at(*element).next()?;
            Some(&self.variable(access.1.variable).declared.scalar)
        });
        let Some(of_elements) = of_elements.collect::<Option<Vec<_>>>() else { return false };
        let holds = |holder: &crate::facts::ctypes::ScalarType| {
            of_elements.iter().all(|element| {
                let is_wider = holder.bytes > element.bytes;
                kinds.contains(&holder.kind)
                    && kinds.contains(&element.kind)
                    && !holder.is_bool
                    && element.bytes.is_some()
                    && (holder.bytes == element.bytes && holder.kind == element.kind
                        || is_wider && holder.kind == ElementKind::Signed)
            })
        };
        !own.is_empty()
            && self.is_changed_by_name(name, &own)
            && own.iter().all(|v| v.declared.dimensions.is_empty() && holds(&v.declared.scalar))
    }

    /// Whether nothing changes variables of a name but assignments to that name.
    fn is_changed_by_name(&self, name: &str, variables: &[&Variable<'t>]) -> bool {
        let mut pointers = self.facts.root.root().of_kind(Kind::PointerExpression);
        let is_address = |node: Node<'t>| {
            self.text(node).starts_with('&')
                && node
                    .field(Field::Argument)
                    .is_some_and(|a| self.text(strip_parentheses(a)) == name)
        };
        !pointers.any(is_address)
            && !variables.iter().any(|v| matches!(v.origin, Origin::File { .. }))
    }
}
