//! Arrays of row pointers (`double **A`): whether their rows are different memory.
//!
//! They are if the file shows all that is ever stored in the table: every `A[i] = ..` in it takes new
//! memory from an allocating function, the table is used in no other way than `A[i][j]`,
//! `f(A[i])` and the like, and functions that get the table as a whole are functions of the file that use
//! it no other way either. A table may also come from a function of the file that builds it so.
use crate::facts::ctypes::Dimension;
use crate::facts::points_to::File;
use crate::facts::side_effects::parameter_names;
use crate::syntax::kind::{Field, Kind};
use crate::syntax::queries::{has_storage, mentions, named_children, strip_parentheses, text};
use crate::syntax::tree::Node;

/// How many calls, inwards and outwards, are looked at.
const MAX_DEPTH: usize = 6;

impl<'t> File<'_, 't> {
    /// Whether the rows of a table that a name stands for in a function are different memory, and not
    /// that of anything else.
    pub(crate) fn has_own_rows(&self, function: Node<'t>, name: &str, depth: usize) -> bool {
        if depth > MAX_DEPTH {
            return false;
        }
        let is_local = !self.declarations(function, name).is_empty();
        let within = if is_local { function } else { self.root };
        let declared = self.declarations(within, name);
        let [declared] = &declared[..] else { return false };
        let is_table = matches!(declared.dimensions[..], [_, Dimension::Pointer]);
        let is_hidden = is_local || has_storage(self.source, declared.node, "static");
        if !is_table || !is_hidden || !self.keeps_rows(within, name, depth) {
            return false;
        }
        let Some(values) = self.values(within, name) else { return false };
        if let Some(position) = declared.parameter {
            return values.is_empty() && self.is_given_own_rows(function, position, depth + 1);
        }
        let is_extern = has_storage(self.source, declared.node, "extern");
        let makes_rows = |value: &Node<'t>| {
            self.is_nothing(*value)
                || self.is_allocation(*value)
                || self.returns_own_rows(*value, depth + 1)
        };
        !is_extern && declared.value.iter().chain(&values).all(makes_rows)
    }

    /// Whether all calls of a function give it tables with rows of their own.
    fn is_given_own_rows(&self, function: Node<'t>, position: usize, depth: usize) -> bool {
        if !has_storage(self.source, function, "static") {
            return false;
        }
        let calls = self.function_name(function).and_then(|name| self.calls(name));
        calls.is_some_and(|calls| {
            calls.iter().all(|&(caller, arguments)| {
                let given = named_children(arguments).nth(position).map(strip_parentheses);
                given.is_some_and(|given| {
                    given.kind() == Kind::Identifier
                        && self.has_own_rows(caller, text(self.source, given), depth)
                })
            })
        })
    }

    /// Whether a value comes from a function of the file that returns a table that it has built.
    fn returns_own_rows(&self, value: Node<'t>, depth: usize) -> bool {
        let call = self.without_casts(value);
        let callee = call.field(Field::Function).filter(|_| call.kind() == Kind::CallExpression);
        let definition = callee.and_then(|callee| self.definition(text(self.source, callee)));
        let Some(definition) = definition else { return false };
        let returns = definition.of_kind(Kind::ReturnStatement);
        let found: Vec<Option<Node<'t>>> = returns
            .map(|node| named_children(node).next().map(|value| self.without_casts(value)))
            .collect();
        !found.is_empty()
            && found.into_iter().all(|returned| {
                returned.is_some_and(|returned| {
                    let name = text(self.source, returned);
                    let is_local = self
                        .declarations(definition, name)
                        .iter()
                        .any(|d| !has_storage(self.source, d.node, "static"));
                    self.is_nothing(returned)
                        || (returned.kind() == Kind::Identifier
                            && is_local
                            && self.has_own_rows(definition, name, depth))
                })
            })
    }

    pub(crate) fn is_nothing(&self, value: Node<'t>) -> bool {
        let bare = self.without_casts(value);
        bare.kind() == Kind::Null || text(self.source, bare) == "0"
    }

    /// Whether nothing but new memory is stored in a table, and nobody else can store in it.
    fn keeps_rows(&self, within: Node<'t>, name: &str, depth: usize) -> bool {
        mentions(self.source, within, name).all(|node| self.keeps_rows_at(node, depth))
    }

    /// Whether one mention of a table leaves its rows as they are, or gives it a new one.
    fn keeps_rows_at(&self, mention: Node<'t>, depth: usize) -> bool {
        let Some((parent, node)) = outer(mention) else { return false };
        let is = |field: Field| parent.field(field).is_some_and(|n| n.id() == node.id());
        match parent.kind() {
            Kind::SubscriptExpression if is(Field::Argument) => self.keeps_row(parent),
            Kind::SizeofExpression | Kind::InitDeclarator if !is(Field::Value) => true,
            Kind::SizeofExpression => true,
            Kind::PointerExpression if !text(self.source, parent).starts_with('&') => {
                self.keeps_row(parent)
            }
            Kind::ArrayDeclarator => is(Field::Declarator),
            Kind::PointerDeclarator | Kind::ParameterDeclaration | Kind::Declaration => true,
            Kind::AssignmentExpression => is(Field::Left),
            Kind::ReturnStatement => true,
            Kind::BinaryExpression => {
                let operator = parent.operator();
                matches!(operator, Some(token!("==") | token!("!=") | token!("&&") | token!("||")))
            }
            Kind::UnaryExpression => text(self.source, parent).starts_with('!'),
            Kind::ArgumentList => self.callee_keeps_rows(parent, node, depth),
            Kind::IfStatement | Kind::WhileStatement => is(Field::Condition),
            _ => false,
        }
    }

    /// Whether a use of `A[i]` leaves the table as it is, or stores new memory.
    fn keeps_row(&self, row: Node<'t>) -> bool {
        let Some((parent, node)) = outer(row) else { return false };
        let is = |field: Field| parent.field(field).is_some_and(|n| n.id() == node.id());
        match parent.kind() {
            Kind::AssignmentExpression if is(Field::Left) => {
                let is_plain = parent.operator() == Some(token!("="));
                let right = parent.field(Field::Right);
                is_plain
                    && right
                        .is_some_and(|right| self.is_allocation(right) || self.is_nothing(right))
            }
            Kind::UpdateExpression => false,
            Kind::PointerExpression => !text(self.source, parent).starts_with('&'),
            _ => true,
        }
    }

    /// Whether a function that is given a table leaves its rows as they are.
    fn callee_keeps_rows(&self, list: Node<'t>, argument: Node<'t>, depth: usize) -> bool {
        let callee = list.parent().and_then(|call| call.field(Field::Function));
        let Some(callee) = callee.map(|callee| text(self.source, strip_parentheses(callee))) else {
            return false;
        };
        let Some(definition) = self.definition(callee) else { return callee == "free" };
        let position = named_children(list).position(|n| n.id() == argument.id());
        let parameter = position.and_then(|position| self.parameter(definition, position));
        let Some(name) = parameter.filter(|_| depth < MAX_DEPTH) else { return false };
        let declared = self.declarations(definition, &name);
        let is_table =
            matches!(declared.first().map(|d| &d.dimensions[..]), Some([_, Dimension::Pointer]));
        let is_kept = self.values(definition, &name).is_some_and(|values| values.is_empty());
        declared.len() == 1
            && is_table
            && is_kept
            && self.keeps_rows(definition, &name, depth + 1)
            && !self.returns(definition, &name)
    }

    /// The name of a parameter.
    fn parameter(&self, definition: Node<'t>, position: usize) -> Option<String> {
        let name = parameter_names(self.source, definition).into_iter().nth(position)?;
        Some(name).filter(|name| !name.is_empty())
    }

    fn returns(&self, definition: Node<'t>, name: &str) -> bool {
        let returned = definition.of_kind(Kind::ReturnStatement).flat_map(named_children);
        returned
            .map(|value| self.without_casts(value))
            .any(|value| text(self.source, value) == name)
    }
}

/// The node around an expression, without parentheses, and what stands in it.
fn outer(node: Node<'_>) -> Option<(Node<'_>, Node<'_>)> {
    let mut node = node;
    loop {
        let parent = node.parent()?;
        if parent.kind() != Kind::ParenthesizedExpression {
            return Some((parent, node));
        }
        // The condition of a statement has parentheses of its own.
        let is_condition = parent.parent().is_some_and(|outer| outer.kind().is_statement());
        if is_condition {
            return Some((parent.parent()?, parent));
        }
        node = parent;
    }
}
