//! The values that variables have where a region begins, from the statements in front of it.
use crate::facts::control::declared_names;
use crate::facts::ctypes;
use crate::facts::scope::Entity;
use crate::facts::variables::Origin;
use crate::syntax::kind::{Field, Kind};
use crate::syntax::queries::{NameSet, changed_names, named_children, strip_parentheses};
use crate::syntax::tree::Node;
use crate::walk::extractor::Extractor;
use crate::walk::symbolic_values::Update;

/// So many statements before a region are searched for values, lest many regions in a row cost the
/// square of their number.
const MAX_STATEMENTS_BEFORE: usize = 100;

impl<'t> Extractor<'_, 't> {
    /// Learns the values that straight code directly before the region gives to followed variables.
    pub(crate) fn values_before(&mut self, first: Node<'t>) {
        let mut changed = NameSet::default();
        let before = std::iter::successors(first.prev_named_sibling(), |n| n.prev_named_sibling());
        for node in before.take(MAX_STATEMENTS_BEFORE) {
            if self.at.names.followed.is_subset(&changed)
                && self.facts.moved.outer.is_subset(&changed)
            {
                return;
            }
            if !matches!(node.kind(), Kind::ExpressionStatement | Kind::Declaration) {
                let jumps = node.has_kind(&[Kind::LabeledStatement, Kind::CaseStatement]);
                changed.extend(changed_names(self.facts.source, node));
                if jumps {
                    return;
                }
                continue;
            }
            self.value_before(node, &changed);
            changed.extend(changed_names(self.facts.source, node));
            changed.extend(declared_names(self.facts.source, node));
        }
    }

    /// Learns from one statement before the region; `changed` is what happens between.
    fn value_before(&mut self, node: Node<'t>, changed: &NameSet<'_>) {
        let mut found: Vec<(Node<'t>, Node<'t>)> = Vec::new();
        if node.kind() == Kind::Declaration {
            for declarator in node.all_in_field(Field::Declarator) {
                let name =
                    ctypes::declarator(self.facts.source, declarator).map(|parts| parts.name);
                found.extend(name.zip(declarator.field(Field::Value)));
            }
        } else if let Some(assignment) = named_children(node).next().map(strip_parentheses)
            && assignment.kind() == Kind::AssignmentExpression
            && assignment.operator() == Some(token!("="))
        {
            let field = |name| assignment.field(name);
            found.extend(field(Field::Left).zip(field(Field::Right)));
        }
        let at_once = changed_names(self.facts.source, node);
        for (name, value) in found {
            if let Some(pointer) = self.moving_pointer(name) {
                if !changed.contains(self.text(strip_parentheses(name))) {
                    self.set_before_region(pointer, value, |n| {
                        !changed.contains(n) && !at_once.contains(n)
                    });
                }
                continue;
            }
            let Some(variable) = self.followed_variable(name) else { continue };
            let is_free = |name| !changed.contains(name) && !at_once.contains(name);
            let mut mentioned = value.of_kind(Kind::Identifier).map(|mention| self.text(mention));
            let own = self.text(strip_parentheses(name));
            let is_kept = !changed.contains(own)
                && self.is_private(own)
                && mentioned.all(|name| is_free(name) && self.is_private(name));
            let update = Update { variable, operand: Some(value), sign: 0, is_postfix: false };
            if is_kept && let Some(value) = self.updated_value(value, &update) {
                self.values.known.insert(variable, value);
            }
        }
    }

    /// Whether a name is a constant, or a variable that only assignments of the function change.
    pub(crate) fn is_private(&self, name: &str) -> bool {
        match self.scopes.lookup(name) {
            Some(Entity::Constant(_)) => true,
            Some(Entity::Variable(variable)) => {
                let is_local = !matches!(
                    self.variable(variable).origin,
                    Origin::File { .. } | Origin::Local { is_static: true }
                );
                is_local && !self.scopes.index.addresses.contains_key(name)
            }
            _ => false,
        }
    }
}
