//! When the region reads memory for sure, as a condition in front of it.
//!
//! What is behind a pointer may be read in front of the region where the region reads it too: what is never
//! read may be behind a null pointer. In
//!
//! ```c
//! if (g != NULL)
//!   for (i = 0; i < n; i++)
//!     for (j = 0; j < g->m; j++) ..
//! ```
//!
//! that is where `g != NULL && 0 < n`: the conditions of the branches around, and those of the loops around
//! for their first iterations. A body runs at all if and only if it does so first, so the condition is exact,
//! provided that all names in it keep their values in the region and that no jump leaves the loops earlier.
use crate::facts::control::is_left_early;
use crate::facts::for_header::header;
use crate::facts::scope::Entity;
use crate::syntax::kind::{Field, Kind};
use crate::syntax::queries::named_children;
use crate::syntax::tree::Node;
use crate::walk::extractor::Extractor;
use crate::walk::pointers::null_tests::is_null;

impl<'t> Extractor<'_, 't> {
    /// The condition under which the region evaluates an expression at least once, empty if always; none if
    /// that is not found out.
    pub(crate) fn evaluated_where(&self, node: Node<'t>) -> Option<String> {
        if node.start_byte() >= self.facts.first_obstacle {
            return None;
        }
        let mut guards = Vec::new();
        let mut node = node;
        while node.id() != self.facts.root.id() {
            let parent = node.parent()?;
            if parent.id() == self.facts.root.id() {
                guards.reverse();
                return Some(guards.join(" && "));
            }
            guards.extend(self.evaluated_in(node, parent)?);
            node = parent;
        }
        None
    }

    /// The condition under which a node is evaluated at least once if its parent is.
    pub(crate) fn evaluated_in(&self, node: Node<'t>, parent: Node<'t>) -> Option<Option<String>> {
        let is = |field| parent.field(field).is_some_and(|n| n.id() == node.id());
        let operator = parent.operator();
        let is_evaluated = match parent.kind() {
            Kind::ForStatement if is(Field::Body) => return self.first_iteration(parent).map(Some),
            Kind::IfStatement if !is(Field::Condition) => {
                let condition = parent.field(Field::Condition)?;
                let holds = self.kept_condition(condition, None)?;
                return Some(Some(match is(Field::Alternative) {
                    true => format!("!{holds}"),
                    false => holds,
                }));
            }
            Kind::ForStatement => is(Field::Initializer) || is(Field::Condition),
            Kind::IfStatement | Kind::SwitchStatement | Kind::ConditionalExpression => {
                is(Field::Condition)
            }
            Kind::BinaryExpression => {
                is(Field::Left) || !matches!(operator, Some(token!("&&") | token!("||")))
            }
            Kind::CompoundStatement
            | Kind::ExpressionStatement
            | Kind::Declaration
            | Kind::ElseClause => true,
            Kind::InitDeclarator => is(Field::Value),
            Kind::SizeofExpression => false,
            Kind::CallExpression => !self.is_annotation(parent),
            kind => kind.is_expression() || kind == Kind::ArgumentList,
        };
        is_evaluated.then_some(None)
    }

    /// The condition under which the body of a loop runs.
    fn first_iteration(&self, node: Node<'t>) -> Option<String> {
        let field = |name| node.field(name);
        if is_left_early(field(Field::Body)?) {
            return None;
        }
        let initializer = field(Field::Initializer)?;
        let (name, start) = match initializer.kind() {
            Kind::Declaration => {
                let mut declared = initializer.all_in_field(Field::Declarator);
                let only = declared.next().filter(|_| declared.next().is_none())?;
                let name = only.field(Field::Declarator)?;
                (name, only.field(Field::Value)?)
            }
            _ => {
                let parts =
                    header(self.facts.source, node).filter(|header| header.starts.is_empty())?;
                (parts.place, parts.value)
            }
        };
        let Some(Entity::Variable(iterator)) = self.scopes.lookup(self.text(name)) else {
            return None;
        };
        let declared = &self.variable(iterator).declared;
        if name.kind() != Kind::Identifier || !declared.dimensions.is_empty() {
            return None;
        }
        let value = self.kept_condition(start, None)?;
        let value = match &*declared.scalar.spelling {
            "int" if start.kind() == Kind::NumberLiteral => value,
            spelling => format!("({spelling}) ({value})"),
        };
        let holds =
            self.kept_condition(field(Field::Condition)?, Some((self.text(name), &value)))?;
        Some(format!("({holds})"))
    }

    /// The text of an expression that has the same value in front of the region, with a value in place of a
    /// name; none if something in it may change, or if it reads memory that is no symbolic constant.
    fn kept_condition(&self, node: Node<'t>, given: Option<(&str, &str)>) -> Option<String> {
        let inner = |field| self.kept_condition(node.field(field)?, given);
        let operator = || Some(self.text(node.field(Field::Operator)?));
        if is_null(self.facts.source, node) {
            return Some("0".to_string());
        }
        match node.kind() {
            Kind::Identifier => match given.filter(|(name, _)| *name == self.text(node)) {
                Some((_, value)) => Some(value.to_string()),
                None => self.is_kept_name(self.text(node)).then(|| self.text(node).to_string()),
            },
            Kind::NumberLiteral | Kind::CharLiteral | Kind::True | Kind::False => {
                Some(self.flat_text(node).into_owned())
            }
            Kind::ParenthesizedExpression => {
                let only = named_children(node).next()?;
                Some(format!("({})", self.kept_condition(only, given)?))
            }
            // `__real__` and `__imag__` are no operators of integers.
            Kind::UnaryExpression if operator()?.len() == 1 => {
                Some(format!("{}({})", operator()?, inner(Field::Argument)?))
            }
            Kind::BinaryExpression => {
                Some(format!("{} {} {}", inner(Field::Left)?, operator()?, inner(Field::Right)?))
            }
            _ => self.kept_constant(node),
        }
    }

    /// The text of an integer in memory that is a symbolic constant already.
    fn kept_constant(&self, node: Node<'t>) -> Option<String> {
        let mut names = node.of_kind(Kind::Identifier);
        let text = self.flat_text(node);
        let constant = self.used_constants().find(|constant| constant.text == *text)?;
        if !names.all(|name| self.is_kept_name(self.text(name))) {
            return None;
        }
        Some(match constant.guards.is_empty() {
            true => constant.text.clone(),
            false => format!("({})", constant.value()),
        })
    }

    /// Whether a name has the meaning and the value that it has in front of the region.
    pub(crate) fn is_kept_name(&self, name: &str) -> bool {
        match self.scopes.lookup(name) {
            Some(Entity::Constant(_)) => !self.out.own_constants().contains_key(name),
            Some(Entity::Variable(v)) => {
                let variable = self.variable(v);
                !variable.in_region()
                    && variable.declared.oddity.is_none()
                    && self.active_loop(v).is_none()
                    && !self.is_changed_name(name)
                    && !self.values.pointers.contains_key(&v)
                    && !self.values.own_names.contains_key(&v)
            }
            _ => false,
        }
    }
}
