//! Which memory names and expressions lead to, as far as the file says.
use crate::facts::ctypes::{Dimension, declarator, has_linker_name};
use crate::facts::file_index::{DeclarationSite, FileIndex};
use crate::facts::function_names::{FunctionKey, OUTSIDE};
use crate::facts::side_effects::parameter_names;
use crate::facts::type_names::TypeNames;
use crate::syntax::kind::{Field, Kind};
use crate::syntax::queries::{has_storage, named_children, strip_parentheses, text};
use crate::syntax::tree::Node;

/// Functions whose results are memory that nothing else points to.
const ALLOCATORS: [&str; 10] = [
    "malloc",
    "calloc",
    "aligned_alloc",
    "memalign",
    "valloc",
    "_mm_malloc",
    "fftw_malloc",
    "polybench_alloc_data",
    "__builtin_malloc",
    "__builtin_calloc",
];

/// How many calls outwards are looked at.
const MAX_DEPTH: usize = 4;

/// The memory that a name or an expression leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Object {
    /// A declared variable, or what a pointer variable got from allocations: distinct from all
    /// others. `function` is where, if it lives no longer than a call.
    Own { name: String, function: Option<usize>, is_automatic: bool },
    /// What the parameter of a function at a position points to.
    Parameter { function: usize, position: usize },
    /// Anything.
    Unknown,
}

/// A file in which objects are looked for.
pub(crate) struct File<'s, 't> {
    pub(crate) source: &'s str,
    pub(crate) root: Node<'t>,
    pub(crate) types: &'s TypeNames<'t>,
    pub(crate) index: &'s FileIndex<'t>,
}

/// A declaration of a name.
pub(crate) struct Declared<'t> {
    pub(crate) node: Node<'t>,
    pub(crate) dimensions: Vec<Dimension<'t>>,
    /// Whether its type is: it is not a pointer by another name.
    is_known: bool,
    pub(crate) value: Option<Node<'t>>,
    /// The position among the parameters.
    pub(crate) parameter: Option<usize>,
}

impl<'t> File<'_, 't> {
    /// The declarations of a name in a function (or, outside of functions, in a file).
    pub(crate) fn declarations(&self, within: Node<'t>, name: &str) -> Vec<Declared<'t>> {
        let sites = self.index.declarations_in(self.key(within), name);
        sites.iter().filter_map(|site| self.site(site)).collect()
    }

    /// A declaration; none if it is none.
    fn site(&self, site: &DeclarationSite<'t>) -> Option<Declared<'t>> {
        let node = site.node;
        let inner = match site.declarator {
            Ok(inner) => inner,
            Err(callee) => {
                let dimensions = vec![Dimension::Pointer];
                let declared =
                    Declared { node, dimensions, is_known: true, value: None, parameter: None };
                return self.types.contains(text(self.source, callee)).then_some(declared);
            }
        };
        let base = self.types.base_type(self.source, node);
        let is_known = base.scalar.bytes.is_some()
            || base.scalar.record.is_some()
            || base.scalar.spelling == "void";
        let mut dimensions = declarator(self.source, inner)?.dimensions;
        dimensions.extend(base.dimensions);
        let value = inner.field(Field::Value);
        let parameter = self.position_of_parameter(node, inner);
        Some(Declared { node, dimensions, is_known, value, parameter })
    }

    /// The position among a function's parameters of what a declarator of a declaration declares.
    fn position_of_parameter(&self, node: Node<'t>, inner: Node<'t>) -> Option<usize> {
        let around = node.parent()?;
        if node.kind() == Kind::ParameterDeclaration {
            return named_children(around).position(|parameter| parameter.id() == node.id());
        }
        if around.kind() != Kind::FunctionDefinition {
            return None;
        }
        let name = text(self.source, declarator(self.source, inner)?.name);
        parameter_names(self.source, around).iter().position(|parameter| parameter == name)
    }

    /// The key of a function, or of what is outside of all.
    fn key(&self, within: Node<'t>) -> FunctionKey {
        if within.id() == self.root.id() { OUTSIDE } else { within.start_byte() }
    }

    /// The memory behind a name in a function.
    pub(crate) fn named(&self, function: Node<'t>, name: &str, depth: usize) -> Object {
        let local = self.declarations(function, name);
        let (declared, within) = match &local[..] {
            [only] if !has_storage(self.source, only.node, "extern") => (only, function),
            [_, _, ..] => return Object::Unknown,
            _ => {
                let global = self.declarations(self.root, name);
                return match &global[..] {
                    [first, ..] => self.declared(first, self.root, name, depth),
                    [] => Object::Unknown,
                };
            }
        };
        self.declared(declared, within, name, depth)
    }

    fn declared(
        &self,
        declared: &Declared<'t>,
        within: Node<'t>,
        name: &str,
        depth: usize,
    ) -> Object {
        let is_pointer = |d: &Dimension<'_>| matches!(d, Dimension::Pointer);
        let is_static = has_storage(self.source, declared.node, "static");
        let is_global = within.id() == self.root.id();
        let own = Object::Own {
            name: name.to_string(),
            function: (!is_global).then(|| within.start_byte()),
            is_automatic: !is_global && !is_static,
        };
        if !declared.is_known || has_linker_name(self.source, declared.node) {
            return Object::Unknown;
        }
        // The memory that matters is that of the rows.
        if declared.dimensions.iter().skip(1).any(is_pointer) {
            let function = self.function_of(declared.node);
            let has_rows = self.has_own_rows(function.unwrap_or(within), name, depth);
            return match (has_rows, declared.parameter) {
                (false, _) => Object::Unknown,
                (true, Some(position)) => {
                    Object::Parameter { function: within.start_byte(), position }
                }
                (true, None) => own,
            };
        }
        let points = declared.dimensions.first().is_some_and(is_pointer);
        if !points && (declared.parameter.is_none() || declared.dimensions.is_empty()) {
            return own;
        }
        let Some(values) = self.values(within, name) else { return Object::Unknown };
        if let Some(position) = declared.parameter {
            let function = within.start_byte();
            let is_kept = values.is_empty();
            return if is_kept {
                Object::Parameter { function, position }
            } else {
                Object::Unknown
            };
        }
        // Other files may change a pointer that they can see.
        if is_global && !is_static {
            return Object::Unknown;
        }
        let values: Vec<Node<'t>> = declared.value.into_iter().chain(values).collect();
        let is_null = |v: &&Node<'t>| {
            let bare = self.without_casts(**v);
            bare.kind() == Kind::Null || text(self.source, bare) == "0"
        };
        let values: Vec<Node<'t>> = values.iter().filter(|v| !is_null(v)).copied().collect();
        match &values[..] {
            [] => Object::Unknown,
            all if all.iter().all(|v| self.is_allocation(*v)) => own,
            _ if self.owning(within, name).is_some() => own,
            [only] if !is_global && depth < MAX_DEPTH => self.expression(within, *only, depth + 1),
            _ => Object::Unknown,
        }
    }

    /// What is assigned to a pointer; none if its address is taken.
    pub(crate) fn values(&self, within: Node<'t>, name: &str) -> Option<Vec<Node<'t>>> {
        let key = self.key(within);
        let (index, everywhere) = (self.index, key == OUTSIDE);
        let is_hidden = match everywhere {
            true => index.addresses.contains_key(name) || !index.with_assembly.is_empty(),
            false => index.is_addressed_in(key, name) || index.with_assembly.contains(&key),
        };
        if is_hidden {
            return None;
        }
        let values = match everywhere {
            true => index.values.get(name).map_or(&[][..], |all| all),
            false => index.values_in(key, name),
        };
        Some(values.iter().map(|(_, value)| *value).collect())
    }

    pub(crate) fn without_casts(&self, node: Node<'t>) -> Node<'t> {
        let mut node = strip_parentheses(node);
        while node.kind() == Kind::CastExpression
            && let Some(value) = node.field(Field::Value)
        {
            node = strip_parentheses(value);
        }
        node
    }

    pub(crate) fn is_allocation(&self, node: Node<'t>) -> bool {
        let node = self.without_casts(node);
        let callee = node.field(Field::Function).filter(|_| node.kind() == Kind::CallExpression);
        callee.is_some_and(|callee| {
            let name = text(self.source, callee);
            ALLOCATORS.contains(&name) && self.definition(name).is_none()
        })
    }

    /// The memory that an expression points to.
    fn expression(&self, function: Node<'t>, node: Node<'t>, depth: usize) -> Object {
        let mut node = self.without_casts(node);
        let is_address = text(self.source, node).starts_with('&');
        if self.is_allocation(node) {
            let name = format!("allocation {}", node.start_byte());
            let function = Some(function.start_byte());
            return Object::Own { name, function, is_automatic: true };
        }
        loop {
            let field = |name| node.field(name);
            let inner = match node.kind() {
                Kind::Identifier => {
                    let name = text(self.source, node);
                    // A number is no address: `n + p`.
                    return match is_address || self.has_dimensions(function, name) {
                        true => self.named(function, name, depth),
                        false => Object::Unknown,
                    };
                }
                Kind::SubscriptExpression | Kind::PointerExpression => field(Field::Argument),
                Kind::BinaryExpression
                    if field(Field::Operator)
                        .is_some_and(|o| matches!(o.kind(), token!("+") | token!("-"))) =>
                {
                    field(Field::Left)
                }
                _ => None,
            };
            match inner {
                Some(inner) => node = self.without_casts(inner),
                None => return Object::Unknown,
            }
        }
    }

    /// Whether all declarations of a name are pointers or arrays.
    fn has_dimensions(&self, function: Node<'t>, name: &str) -> bool {
        let mut declared = self.declarations(function, name);
        if declared.is_empty() {
            declared = self.declarations(self.root, name);
        }
        declared.iter().all(|declared| !declared.dimensions.is_empty())
    }

    /// The definition of a function.
    pub(crate) fn definition(&self, name: &str) -> Option<Node<'t>> {
        self.function_at(*self.index.function_names.get(name)?)
    }

    pub(crate) fn function_name(&self, definition: Node<'t>) -> Option<&str> {
        let node = definition.field(Field::Declarator)?;
        Some(text(self.source, declarator(self.source, node)?.name))
    }

    /// The function around a node.
    pub(crate) fn function_of(&self, node: Node<'t>) -> Option<Node<'t>> {
        let mut node = node;
        while node.kind() != Kind::FunctionDefinition {
            node = node.parent()?;
        }
        Some(node)
    }

    fn function_at(&self, start: usize) -> Option<Node<'t>> {
        self.index.functions.get(&start).copied()
    }

    /// Whether no other pointer leads to an object: a variable that other files do not see and whose address
    /// this one does not take, an array of which it uses nothing but elements, or what a pointer leads to
    /// that it keeps to itself.
    pub(crate) fn is_private(&self, object: &Object) -> bool {
        let Object::Own { name, function, .. } = object else { return false };
        let within = function.map_or(Some(self.root), |function| self.function_at(function));
        let Some(within) = within else { return false };
        let [declared] = &self.declarations(within, name)[..] else { return false };
        let is_hidden = has_storage(self.source, declared.node, "static")
            || function.is_some() && !has_storage(self.source, declared.node, "extern");
        let is_extent = |d: &Dimension<'_>| !matches!(d, Dimension::Pointer);
        let n_dimensions = declared.dimensions.len();
        if declared.dimensions.first().is_some_and(|d| !is_extent(d)) {
            return is_hidden && declared.is_known && self.is_kept_pointer(within, name);
        }
        let is_used_plainly = match n_dimensions {
            0 => !self.index.addresses.contains_key(name.as_str()),
            n => self.index.element_uses(self.source, self.root).are_elements(name, n),
        };
        is_hidden
            && declared.is_known
            && declared.parameter.is_none()
            && declared.dimensions.iter().all(is_extent)
            && self.types.base_type(self.source, declared.node).scalar.record.is_none()
            && self.index.with_assembly.is_empty()
            && is_used_plainly
    }

    /// Whether two objects are never the same memory.
    pub(crate) fn are_distinct(&self, a: &Object, b: &Object, depth: usize) -> bool {
        a != b && (self.is_private(a) || self.is_private(b))
            || self.are_distinct_shared(a, b, depth)
    }

    /// [`File::are_distinct`] for objects that other pointers may lead to.
    pub(crate) fn are_distinct_shared(&self, a: &Object, b: &Object, depth: usize) -> bool {
        match (a, b) {
            (Object::Unknown, _) | (_, Object::Unknown) => false,
            (Object::Own { .. }, Object::Own { .. }) => a != b,
            (
                Object::Parameter { function: callee, .. },
                Object::Own { function: Some(function), is_automatic: true, .. },
            )
            | (
                Object::Own { function: Some(function), is_automatic: true, .. },
                Object::Parameter { function: callee, .. },
            ) if callee == function => true,
            (Object::Parameter { function, .. }, _) | (_, Object::Parameter { function, .. }) => {
                self.calls_pass_distinct(*function, a, b, depth)
            }
        }
    }

    /// Whether all calls of a `static` function make two objects of it distinct.
    fn calls_pass_distinct(&self, callee: usize, a: &Object, b: &Object, depth: usize) -> bool {
        let Some(definition) = self.function_at(callee) else { return false };
        let Some(name) = self.function_name(definition) else { return false };
        if depth >= MAX_DEPTH || !has_storage(self.source, definition, "static") {
            return false;
        }
        let Some(calls) = self.calls(name) else { return false };
        calls.iter().all(|&(caller, arguments)| {
            let arguments: Vec<Node<'t>> = named_children(arguments).collect();
            let passed = |object: &Object| match object {
                Object::Parameter { function, position } if *function == callee => {
                    let argument = arguments.get(*position);
                    argument.map_or(Object::Unknown, |a| self.expression(caller, *a, depth + 1))
                }
                Object::Parameter { .. } => Object::Unknown,
                other => other.clone(),
            };
            self.are_distinct(&passed(a), &passed(b), depth + 1)
        })
    }

    /// The calls of a function with the functions around them; none if it is used otherwise.
    pub(crate) fn calls(&self, name: &str) -> Option<Vec<(Node<'t>, Node<'t>)>> {
        let mut calls = Vec::new();
        for &(function, node) in self.index.mentions.get(name).into_iter().flatten() {
            let parent = node.parent()?;
            if parent.kind() == Kind::FunctionDeclarator {
                continue;
            }
            let callee = parent.field(Field::Function).map(|callee| callee.id());
            if parent.kind() != Kind::CallExpression || callee != Some(node.id()) {
                return None;
            }
            let arguments = parent.field(Field::Arguments)?;
            calls.push((self.function_at(function)?, arguments));
        }
        Some(calls)
    }
}
