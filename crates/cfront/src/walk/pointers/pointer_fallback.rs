//! Pointers that a walk over a region has lost, and the arrays that they may lead into.
//!
//! A walk that is refused because it is not known where pointers lead is repeated with those pointers as ones
//! that depend on data (`data_dependent_pointers.rs`). What they may lead into is said by all their
//! assignments in the region, whatever their order, and by what they lead to before it if they are not set
//! first.
use crate::diagnostics::diagnostic::Code;
use crate::facts::control::declared_names;
use crate::facts::ctypes::declarator;
use crate::facts::scope::Entity;
use crate::syntax::kind::{Field, Kind};
use crate::syntax::queries::{
    NameSet, changed_names, mentions, named_children, strip_parentheses, visit,
};
use crate::syntax::tree::Node;
use crate::walk::extractor::Extractor;
use crate::walk::pointers::null_tests::is_null;
use crate::walk::region_facts::DataDependentPointers;
use std::collections::BTreeSet;

impl<'t> Extractor<'_, 't> {
    /// Pointers that a walk has lost, to be walked as data-dependent ones; none if it was refused for other
    /// reasons.
    pub(crate) fn lost_pointers(&self, nodes: &[Node<'t>]) -> DataDependentPointers {
        let refusals = self.out.diagnostics();
        if refusals.is_empty() || refusals.iter().any(|refusal| refusal.code != Code::Pointer) {
            return DataDependentPointers::new();
        }
        let set = set_names(self, nodes);
        let is_named = |name: &&String| {
            let is_word = |text: &str| {
                let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
                words.into_iter().any(|word| word == name.as_str())
            };
            refusals.iter().any(|refusal| is_word(&refusal.message))
        };
        let mut lost: Vec<&String> = set.iter().filter(is_named).collect();
        if lost.is_empty() || !self.facts.lessons.data_dependent.is_empty() {
            lost = set.iter().collect();
        }
        let mut found = DataDependentPointers::new();
        for name in lost {
            found.extend(self.data_dependent_from(nodes, name, &set).unwrap_or_default());
        }
        found
    }

    /// A data-dependent pointer, and those that it is set from; none if it is not known what they may lead
    /// to.
    fn data_dependent_from(
        &self,
        nodes: &[Node<'t>],
        name: &str,
        set: &BTreeSet<String>,
    ) -> Option<DataDependentPointers> {
        let inside: NameSet<'_> =
            nodes.iter().flat_map(|node| declared_names(self.facts.source, *node)).collect();
        let mut found = DataDependentPointers::new();
        let mut waiting = vec![name.to_string()];
        while let Some(name) = waiting.pop() {
            if found.contains_key(&name) {
                continue;
            }
            let outer = self.scopes.lookup(&name).is_some();
            if outer == inside.contains(name.as_str())
                || self.scopes.index.addresses.contains_key(&name)
            {
                return None;
            }
            let mut bases = self.sources(nodes, &name)?;
            if outer && !self.is_set_first(nodes, &name) {
                bases.insert(name.clone());
            }
            for base in &bases {
                if set.contains(base) {
                    waiting.push(base.clone());
                } else if inside.contains(base.as_str()) {
                    return None;
                }
            }
            found.insert(name, bases);
        }
        for _ in 0..found.len() {
            let before = found.clone();
            for bases in found.values_mut() {
                let more = bases.iter().filter_map(|base| before.get(base)).flatten();
                let more: Vec<String> = more.cloned().collect();
                bases.extend(more);
            }
        }
        // What is only a pointer of the region, or set before it is used, leads nowhere by itself.
        let leads_by_itself = |name: &String| {
            !found.contains_key(name)
                || self.scopes.lookup(name).is_some() && !self.is_set_first(nodes, name)
        };
        let kept = found.iter().map(|(name, bases)| {
            (name.clone(), bases.iter().filter(|base| leads_by_itself(base)).cloned().collect())
        });
        Some(kept.collect())
    }

    /// The names of arrays and pointers in what the statements set a pointer to; none if that is not
    /// understood.
    fn sources(&self, nodes: &[Node<'t>], name: &str) -> Option<BTreeSet<String>> {
        let mut found = Some(BTreeSet::new());
        for &root in nodes {
            visit(root, |node, _| {
                let field = |name| node.field(name);
                let target = match node.kind() {
                    Kind::AssignmentExpression => {
                        field(Field::Left).filter(|_| node.operator() == Some(token!("=")))
                    }
                    Kind::InitDeclarator => {
                        declarator(self.facts.source, node).map(|parts| parts.name)
                    }
                    _ => None,
                };
                let is_meant = target.is_some_and(|t| self.text(strip_parentheses(t)) == name);
                if let Some(value) =
                    field(Field::Right).or(field(Field::Value)).filter(|_| is_meant)
                {
                    let more = self
                        .sources_of(value, 0)
                        .filter(|s| !s.is_empty() || is_null(self.facts.source, value));
                    found = found.take().zip(more).map(|(mut all, more)| {
                        all.extend(more);
                        all
                    });
                }
                found.is_some()
            });
        }
        found
    }

    /// The names of arrays and pointers in which the address that an expression yields may lie; none if that
    /// is not understood.
    fn sources_of(&self, node: Node<'t>, n_steps: usize) -> Option<BTreeSet<String>> {
        let node = strip_parentheses(node);
        let field = |name| node.field(name);
        let operator = node.operator();
        let both = |a: Option<BTreeSet<String>>, b: Option<BTreeSet<String>>| {
            a.zip(b).map(|(a, b)| a.union(&b).cloned().collect())
        };
        match (node.kind(), operator) {
            (Kind::Identifier, _) => {
                let name = self.text(node);
                let dimensions = match self.scopes.lookup(name) {
                    Some(Entity::Variable(v)) => &self.variable(v).declared.dimensions[..],
                    Some(_) => &[],
                    // A pointer of the region.
                    None => return Some(BTreeSet::from([name.to_string()])),
                };
                let is_address = dimensions.len() > n_steps;
                Some(is_address.then(|| name.to_string()).into_iter().collect())
            }
            (Kind::SubscriptExpression, _) | (Kind::PointerExpression, Some(token!("*"))) => {
                self.sources_of(field(Field::Argument)?, n_steps + 1)
            }
            (Kind::PointerExpression, Some(token!("&"))) => {
                let target = strip_parentheses(field(Field::Argument)?);
                let is_element = target.kind() == Kind::SubscriptExpression;
                self.sources_of(target.field(Field::Argument).filter(|_| is_element)?, 0)
            }
            (Kind::BinaryExpression, Some(token!("+") | token!("-"))) => both(
                self.sources_of(field(Field::Left)?, n_steps),
                self.sources_of(field(Field::Right)?, n_steps),
            ),
            (Kind::ConditionalExpression, _) => both(
                self.sources_of(field(Field::Consequence)?, n_steps),
                self.sources_of(field(Field::Alternative)?, n_steps),
            ),
            (Kind::UpdateExpression, _) => self.sources_of(field(Field::Argument)?, n_steps),
            (
                Kind::BinaryExpression | Kind::NumberLiteral | Kind::Null | Kind::UnaryExpression,
                _,
            ) => Some(BTreeSet::new()),
            _ => None,
        }
    }

    /// Whether the first of the statements that mentions a pointer sets it.
    fn is_set_first(&self, nodes: &[Node<'t>], name: &str) -> bool {
        let is_mentioned = |node: Node<'t>| {
            mentions(self.facts.source, node, name).next().is_some()
                || node.has_kind(&[Kind::LabeledStatement])
        };
        let first = nodes.iter().find(|node| is_mentioned(**node));
        let set = first.filter(|first| first.kind() == Kind::ExpressionStatement);
        set.and_then(|set| named_children(*set).next()).is_some_and(|set| {
            let field = |name| set.field(name);
            set.kind() == Kind::AssignmentExpression
                && set.operator() == Some(token!("="))
                && field(Field::Left).is_some_and(|left| self.text(strip_parentheses(left)) == name)
                && field(Field::Right).is_some_and(|right| !is_mentioned(right))
        })
    }
}

/// The names of pointers (or of what may be ones) that statements change or declare.
fn set_names(walk: &Extractor<'_, '_>, nodes: &[Node<'_>]) -> BTreeSet<String> {
    let mut names: BTreeSet<String> = BTreeSet::new();
    for &node in nodes {
        let set = changed_names(walk.facts.source, node).into_iter();
        let declared = declared_names(walk.facts.source, node);
        names.extend(set.chain(declared).map(str::to_string));
    }
    names.retain(|name| match walk.scopes.lookup(name) {
        Some(Entity::Variable(variable)) => walk.is_pointer_variable(variable),
        Some(_) => false,
        None => true,
    });
    names
}
