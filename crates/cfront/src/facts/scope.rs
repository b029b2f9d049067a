//! Variables and which name means what at a place.
use crate::facts::ctypes::{DeclaredType, Oddity, ScalarType, declarator};
use crate::facts::file_index::FileIndex;
use crate::facts::integer_type::IntegerType;
use crate::facts::type_names::TypeNames;
use crate::facts::variables::{MemberPath, Origin, Variable, Variables};
use crate::syntax::kind::{Field, Kind};
use crate::syntax::queries::{
    children, integer_literal, named_children, names_in_error, old_style_declarations, parameters,
    strip_parentheses, text,
};
use crate::syntax::tree::Node;
use rustc_hash::FxHashMap;
use std::collections::HashSet;
use std::sync::Arc;

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Entity {
    /// The variable with an index.
    Variable(u32),
    /// A constant of an enumeration.
    Constant(i64),
    /// A function.
    Function,
}

/// All variables seen, and the names in scope.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scopes<'t> {
    pub(crate) variables: Variables<'t>,
    pub(crate) types: Arc<TypeNames<'t>>,
    /// What is where in the file.
    pub(crate) index: Arc<FileIndex<'t>>,
    /// The functions that the file defines.
    pub(crate) defined_functions: Arc<HashSet<String>>,
    /// What names mean in the open blocks; most of it is shared with other copies.
    pub(crate) stack: Vec<Arc<FxHashMap<String, Entity>>>,
}

const MAX_CONSTANT_DEPTH: usize = 64;

impl<'t> Scopes<'t> {
    /// Opens a block.
    pub(crate) fn push(&mut self) {
        self.stack.push(Arc::default());
    }

    /// Closes a block.
    pub(crate) fn pop(&mut self) {
        self.stack.pop();
    }

    /// The meaning of a name.
    pub(crate) fn lookup(&self, name: &str) -> Option<Entity> {
        self.stack.iter().rev().find_map(|scope| scope.get(name).copied())
    }

    /// The variable that a name stands for outside of all functions.
    pub(crate) fn global(&self, name: &str) -> Option<u32> {
        match self.stack.first()?.get(name)? {
            Entity::Variable(variable) => Some(*variable),
            Entity::Constant(_) | Entity::Function => None,
        }
    }

    /// Adds a variable to the innermost block.
    pub(crate) fn add(&mut self, variable: Variable<'t>) -> u32 {
        let index = self.variables.len() as u32;
        self.bind(&variable.name, Entity::Variable(index));
        self.variables.push(variable);
        index
    }

    /// Adds a variable that no name in the text stands for.
    pub(crate) fn add_unnamed(
        &mut self,
        name: String,
        declared: DeclaredType<'t>,
        origin: Origin,
        member: Option<MemberPath>,
    ) -> u32 {
        let index = self.variables.len() as u32;
        self.variables.push(Variable { name, declared, origin, constant: None, member });
        index
    }

    fn bind(&mut self, name: &str, entity: Entity) {
        if let Some(scope) = self.stack.last_mut() {
            Arc::make_mut(scope).insert(name.to_string(), entity);
        }
    }

    /// Adds the variables of a declaration (or parameter); returns them with their initialisers.
    pub(crate) fn declare(
        &mut self,
        source: &str,
        declaration: Node<'t>,
        origin: Origin,
    ) -> Vec<(u32, Option<Node<'t>>)> {
        self.enumerators(source, declaration);
        let base = self.types.base_type(source, declaration);
        let mut declared = Vec::new();
        let nodes: Vec<Node<'t>> = declaration.all_in_field(Field::Declarator).collect();
        for node in nodes {
            let Some(parts) = declarator(source, node) else { continue };
            let name = text(source, parts.name);
            if parts.is_function && parts.dimensions.is_empty() {
                self.bind(name, Entity::Function);
                continue;
            }
            let value = node.field(Field::Value).filter(|_| node.kind() == Kind::InitDeclarator);
            let mut full = base.clone();
            full.dimensions = parts.dimensions;
            full.dimensions.extend(base.dimensions.iter().copied());
            full.is_restrict |= parts.is_restrict;
            full.oddity = full.oddity.or(parts.is_volatile.then_some(Oddity::Volatile));
            full.oddity = full.oddity.or(Oddity::of_storage(source, declaration));
            let constant = value
                .filter(|_| full.is_const && full.dimensions.is_empty() && full.scalar.is_integer())
                .and_then(|value| self.initial_constant(source, value, &full.scalar));
            let name = name.to_string();
            let variable = Variable { name, declared: full, origin, constant, member: None };
            declared.push((self.add(variable), value));
        }
        declared
    }

    /// Adds the type names of a `typedef`.
    pub(crate) fn define_type(&mut self, source: &str, definition: Node<'t>) {
        self.enumerators(source, definition);
        let base = self.types.base_type(source, definition);
        let nodes: Vec<Node<'t>> = definition.all_in_field(Field::Declarator).collect();
        for node in nodes {
            let Some(parts) = declarator(source, node) else {
                // A redefinition of a keyword-like name (`typedef int bool`).
                continue;
            };
            let mut full = base.clone();
            full.dimensions = parts.dimensions;
            full.dimensions.extend(base.dimensions.iter().copied());
            Arc::make_mut(&mut self.types).insert(text(source, parts.name), full);
        }
    }

    pub(crate) fn define_function(&mut self, source: &str, definition: Node<'t>) {
        let declarator_node = definition.field(Field::Declarator);
        if let Some(parts) = declarator_node.and_then(|node| declarator(source, node)) {
            let name = text(source, parts.name);
            self.bind(name, Entity::Function);
            Arc::make_mut(&mut self.defined_functions).insert(name.to_string());
        }
    }

    /// Hides what has the names that text declares which is not understood.
    pub(crate) fn hide(&mut self, source: &str, error: Node<'t>) {
        let mut kinds = children(error).map(Node::kind);
        let first = kinds.next();
        let is_expression = first == Some(Kind::Identifier)
            && !matches!(kinds.next(), Some(Kind::Identifier | token!("*")));
        let is_statement = matches!(
            first,
            Some(
                token!("for")
                    | token!("if")
                    | token!("else")
                    | token!("while")
                    | token!("do")
                    | token!("switch")
                    | token!("case")
                    | token!("return")
                    | token!("goto")
                    | token!("(")
                    | token!("*")
            )
        );
        if !is_expression && !is_statement {
            for name in names_in_error(source, error) {
                self.bind(name, Entity::Function);
            }
        }
    }

    /// Opens the scope of a function: its parameters.
    pub(crate) fn enter_function(&mut self, source: &str, definition: Node<'t>) {
        self.push();
        for parameter in parameters(definition) {
            match parameter.kind() {
                Kind::ParameterDeclaration => {
                    self.declare(source, parameter, Origin::Argument);
                }
                // Without a declaration it is an `int`.
                Kind::Identifier => {
                    let declared = DeclaredType::of_scalar(ScalarType::int());
                    let name = text(source, parameter).to_string();
                    let origin = Origin::Argument;
                    self.add(Variable { name, declared, origin, constant: None, member: None });
                }
                _ => {}
            }
        }
        for declaration in old_style_declarations(definition) {
            self.declare(source, declaration, Origin::Argument);
        }
    }

    /// Opens the scope of a function of the file that is called; returns the names that it cannot see.
    pub(crate) fn enter_called(
        &mut self,
        source: &str,
        definition: Node<'t>,
    ) -> Vec<Arc<FxHashMap<String, Entity>>> {
        let hidden = self.stack.split_off(1.min(self.stack.len()));
        self.enter_function(source, definition);
        hidden
    }

    /// Closes the scopes of a called function.
    pub(crate) fn leave_called(&mut self, hidden: Vec<Arc<FxHashMap<String, Entity>>>) {
        self.stack.truncate(1);
        self.stack.extend(hidden);
    }

    /// Adds the constants of the enumerations in a declaration.
    pub(crate) fn enumerators(&mut self, source: &str, node: Node<'t>) {
        for specifier in children(node).chain([node]) {
            if specifier.kind() != Kind::EnumSpecifier {
                continue;
            }
            let Some(body) = specifier.field(Field::Body) else { continue };
            let mut next = Some(0);
            for item in named_children(body).filter(|item| item.kind() == Kind::Enumerator) {
                if let Some(value) = item.field(Field::Value) {
                    next = self.enumerator_value(source, value);
                }
                if let Some(name) = item.field(Field::Name) {
                    // Without a value that is known, and an `int`, it is still no variable.
                    let value = next.filter(|value| i32::try_from(*value).is_ok());
                    let entity = value.map_or(Entity::Function, Entity::Constant);
                    self.bind(text(source, name), entity);
                }
                next = next.and_then(|value: i64| value.checked_add(1));
            }
        }
    }

    /// The value that is given to a constant of an enumeration, if it is computed without unsigned numbers.
    fn enumerator_value(&self, source: &str, value: Node<'t>) -> Option<i64> {
        let is_int = |literal: Node<'t>| {
            integer_literal(text(source, literal)).is_some_and(|(value, suffix)| {
                i32::try_from(value).is_ok() && !suffix.contains('u')
            })
        };
        let literal = strip_parentheses(value);
        let is_literal =
            literal.kind() == Kind::NumberLiteral && !text(source, literal).starts_with('-');
        let is_signed = is_literal || value.of_kind(Kind::NumberLiteral).all(is_int);
        self.constant(source, value, 0).filter(|_| is_signed)
    }

    /// The value of a constant variable of an integer type, if it is that of its initializer and that is
    /// computed without unsigned numbers.
    fn initial_constant(&self, source: &str, value: Node<'t>, scalar: &ScalarType) -> Option<i64> {
        let is_signed_literal = |literal: Node<'t>| {
            integer_literal(text(source, literal)).is_some_and(|(value, suffix)| {
                !suffix.contains('u')
                    && (suffix.contains('l') || i32::try_from(value.abs()).is_ok())
            })
        };
        let is_signed_name = |name: Node<'t>| match self.lookup(text(source, name)) {
            Some(Entity::Variable(variable)) => {
                let scalar = &self.variables.get(variable as usize)?.declared.scalar;
                Some(IntegerType::of(scalar).promoted().signed)
            }
            other => Some(other.is_some()),
        };
        let node = strip_parentheses(value);
        let is_single = matches!(node.kind(), Kind::NumberLiteral | Kind::Identifier);
        let is_signed = || {
            value.of_kind(Kind::NumberLiteral).all(is_signed_literal)
                && value.of_kind(Kind::Identifier).all(|name| is_signed_name(name) == Some(true))
        };
        let is_kept = |value: &i64| match scalar.is_truth_value() {
            true => matches!(value, 0 | 1),
            false => {
                scalar.has_sign() && IntegerType::of(scalar).holds(*value)
                    || (0..128).contains(value)
            }
        };
        let constant = self.constant(source, value, 0).filter(|_| is_single || is_signed());
        constant.filter(is_kept)
    }

    /// The value of a constant integer expression.
    pub(crate) fn constant(&self, source: &str, node: Node<'t>, depth: usize) -> Option<i64> {
        if depth > MAX_CONSTANT_DEPTH {
            return None;
        }
        let node = strip_parentheses(node);
        let operand = |field| node.field(field).and_then(|n| self.constant(source, n, depth + 1));
        match node.kind() {
            Kind::NumberLiteral | Kind::CharLiteral => Some(integer_literal(text(source, node))?.0),
            Kind::Identifier => match self.lookup(text(source, node))? {
                Entity::Constant(value) => Some(value),
                Entity::Variable(v) => self.variables.get(v as usize)?.constant,
                Entity::Function => None,
            },
            Kind::UnaryExpression => {
                let value = operand(Field::Argument)?;
                match node.operator()? {
                    token!("-") => value.checked_neg(),
                    token!("+") => Some(value),
                    token!("~") => Some(!value),
                    _ => None,
                }
            }
            Kind::BinaryExpression => {
                let (a, b) = (operand(Field::Left)?, operand(Field::Right)?);
                match node.operator()? {
                    token!("+") => a.checked_add(b),
                    token!("-") => a.checked_sub(b),
                    token!("*") => a.checked_mul(b),
                    token!("/") => a.checked_div(b),
                    token!("%") => a.checked_rem(b),
                    token!("<<") if (0..62).contains(&b) => a.checked_mul(1 << b),
                    token!("|") => Some(a | b),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}
