//! Which variables may share memory.
//!
//! A region whose accesses are analysed per variable must not have two variables for the same memory,
//! if one of them is written. For every such pair one of these is proved:
//!
//! * they are different objects: declared variables, memory from different calls of an allocating
//!   function, what a parameter points to and the function's own variables; or the function is
//!   `static` and all its calls in the file pass different objects;
//! * one of the pointers is `restrict` (C11 6.7.3.1);
//! * their elements are of types that may not access the same memory (C11 6.5, paragraph 7).
//!
//! Otherwise the user has to say so. Parameters that are declared as arrays (`double A[n][n]`) are taken
//! to be different, which is an assumption of the region, unless a call in the file passes the same
//! memory twice.
use crate::ctypes::{Dimension, ScalarType, TypeNames, declarator};
use crate::diagnostic::Code;
use crate::extract::Extractor;
use crate::file_index::{DeclarationSite, FileIndex, FunctionKey, OUTSIDE};
use crate::scope::{Origin, Variable, has_storage};
use crate::syntax::{named_children, strip_parentheses, text};
use loopwright_scop::{AccessKind, ElementKind};
use std::collections::BTreeSet;
use tree_sitter::Node;

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
enum Object {
    /// A declared variable, or what a pointer variable got from allocations: distinct from all
    /// others. `function` is where, if it lives no longer than a call.
    Own { name: String, function: Option<usize>, is_automatic: bool },
    /// What the parameter of a function at a position points to.
    Parameter { function: usize, position: usize },
    /// Anything.
    Unknown,
}

/// Two variables (or one, with rows) that are not known to be different memory.
struct Pair {
    variables: (u32, u32),
    /// Whether both are declared as arrays, and nothing in the file speaks against different ones.
    is_declared: bool,
}

/// A file in which objects are looked for.
struct File<'s, 't> {
    source: &'s str,
    root: Node<'t>,
    types: &'s TypeNames<'t>,
    index: &'s FileIndex<'t>,
}

/// A declaration of a name.
struct Declared<'t> {
    node: Node<'t>,
    dimensions: Vec<Dimension<'t>>,
    /// Whether its type is: it is not a pointer by another name.
    is_known: bool,
    value: Option<Node<'t>>,
    /// The position among the parameters.
    parameter: Option<usize>,
}

impl<'t> File<'_, 't> {
    /// The declarations of a name in a function (or, outside of functions, in a file).
    fn declarations(&self, within: Node<'t>, name: &str) -> Vec<Declared<'t>> {
        let key = self.key(within);
        let sites = self.index.declarations.get(name).into_iter().flatten();
        sites.filter(|site| site.function == key).filter_map(|site| self.site(site)).collect()
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
        let value = inner.child_by_field_name("value");
        let list = node.parent().filter(|_| node.kind() == "parameter_declaration");
        let parameter = list.and_then(|list| {
            named_children(list).position(|parameter| parameter.id() == node.id())
        });
        Some(Declared { node, dimensions, is_known, value, parameter })
    }

    /// The key of a function, or of what is outside of all.
    fn key(&self, within: Node<'t>) -> FunctionKey {
        if within.id() == self.root.id() { OUTSIDE } else { within.start_byte() }
    }

    /// The memory behind a name in a function.
    fn named(&self, function: Node<'t>, name: &str, depth: usize) -> Object {
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
        // What rows of pointers lead to is not known.
        if !declared.is_known || declared.dimensions.iter().skip(1).any(is_pointer) {
            return Object::Unknown;
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
            bare.kind() == "null" || text(self.source, bare) == "0"
        };
        let values: Vec<Node<'t>> = values.iter().filter(|v| !is_null(v)).copied().collect();
        match &values[..] {
            [] => Object::Unknown,
            all if all.iter().all(|v| self.is_allocation(*v)) => own,
            [only] if !is_global && depth < MAX_DEPTH => self.expression(within, *only, depth + 1),
            _ => Object::Unknown,
        }
    }

    /// What is assigned to a pointer; none if its address is taken.
    fn values(&self, within: Node<'t>, name: &str) -> Option<Vec<Node<'t>>> {
        let key = self.key(within);
        let is_within = |function: FunctionKey| key == OUTSIDE || function == key;
        let taken = self.index.addresses.get(name).into_iter().flatten();
        let is_taken = taken.copied().any(is_within);
        if is_taken || self.index.with_assembly.iter().copied().any(is_within) {
            return None;
        }
        let values = self.index.values.get(name).into_iter().flatten();
        Some(values.filter(|(function, _)| is_within(*function)).map(|(_, value)| *value).collect())
    }

    fn without_casts(&self, node: Node<'t>) -> Node<'t> {
        let mut node = strip_parentheses(node);
        while node.kind() == "cast_expression"
            && let Some(value) = node.child_by_field_name("value")
        {
            node = strip_parentheses(value);
        }
        node
    }

    fn is_allocation(&self, node: Node<'t>) -> bool {
        let node = self.without_casts(node);
        let callee =
            node.child_by_field_name("function").filter(|_| node.kind() == "call_expression");
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
            let field = |name| node.child_by_field_name(name);
            let inner = match node.kind() {
                "identifier" => {
                    let name = text(self.source, node);
                    // A number is no address: `n + p`.
                    return match is_address || self.has_dimensions(function, name) {
                        true => self.named(function, name, depth),
                        false => Object::Unknown,
                    };
                }
                "subscript_expression" | "pointer_expression" => field("argument"),
                "binary_expression"
                    if field("operator").is_some_and(|o| matches!(o.kind(), "+" | "-")) =>
                {
                    field("left")
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
    fn definition(&self, name: &str) -> Option<Node<'t>> {
        self.function_at(*self.index.function_names.get(name)?)
    }

    fn function_name(&self, definition: Node<'t>) -> Option<&str> {
        let node = definition.child_by_field_name("declarator")?;
        Some(text(self.source, declarator(self.source, node)?.name))
    }

    fn function_at(&self, start: usize) -> Option<Node<'t>> {
        self.index.functions.get(&start).copied()
    }

    /// Whether two objects are never the same memory.
    fn are_distinct(&self, a: &Object, b: &Object, depth: usize) -> bool {
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

    /// Whether a call in the file passes the same memory for both of two parameters.
    fn is_passed_twice(&self, a: &Object, b: &Object) -> bool {
        let (
            Object::Parameter { function, position: first },
            Object::Parameter { position: second, .. },
        ) = (a, b)
        else {
            return a == b;
        };
        let definition = self.function_at(*function);
        let Some(name) = definition.and_then(|d| self.function_name(d)) else { return false };
        let calls = self.calls(name).unwrap_or_default();
        calls.iter().any(|&(caller, arguments)| {
            let arguments: Vec<Node<'t>> = named_children(arguments).collect();
            let passed = [first, second].map(|position| {
                let argument = arguments.get(*position);
                argument.map_or(Object::Unknown, |a| self.expression(caller, *a, 1))
            });
            passed[0] != Object::Unknown && passed[0] == passed[1]
        })
    }

    /// The calls of a function with the functions around them; none if it is used otherwise.
    fn calls(&self, name: &str) -> Option<Vec<(Node<'t>, Node<'t>)>> {
        let mut calls = Vec::new();
        for &(function, node) in self.index.mentions.get(name).into_iter().flatten() {
            let parent = node.parent()?;
            if parent.kind() == "function_declarator" {
                continue;
            }
            let callee = parent.child_by_field_name("function").map(|callee| callee.id());
            if parent.kind() != "call_expression" || callee != Some(node.id()) {
                return None;
            }
            let arguments = parent.child_by_field_name("arguments")?;
            calls.push((self.function_at(function)?, arguments));
        }
        Some(calls)
    }
}

impl<'t> Extractor<'_, 't> {
    /// Refuses (or, `is_assumed`, notes) pairs of variables that may be the same memory, where that
    /// matters.
    pub(crate) fn check_overlap(&mut self, function: Node<'t>, is_assumed: bool) {
        let mut root = function;
        while let Some(parent) = root.parent() {
            root = parent;
        }
        // The names of types stay what they are.
        let types = self.scopes.types.clone();
        let index = self.scopes.index.clone();
        let file = File { source: self.source, root, types: &types, index: &index };
        let is_write = |kind| matches!(kind, AccessKind::MustWrite | AccessKind::MayWrite);
        let accesses = || self.statements.iter().flat_map(|s| &s.accesses);
        let written: BTreeSet<u32> =
            accesses().filter(|a| is_write(a.kind)).map(|a| a.variable).collect();
        let used = accesses().filter(|a| a.kind != AccessKind::Kill).map(|a| a.variable);
        let used = used.chain(self.affine_uses.keys().copied());
        let used: BTreeSet<u32> = used.chain(self.iterator_variables.iter().copied()).collect();
        let memory: Vec<(u32, Object)> = used
            .into_iter()
            .filter(|v| self.is_in_memory(&file, function, *v))
            .map(|v| (v, self.object(&file, function, v)))
            .collect();
        let mut found = Vec::new();
        for (position, (a, of_a)) in memory.iter().enumerate() {
            if written.contains(a) && self.has_rows(*a) {
                found.push(Pair { variables: (*a, *a), is_declared: false });
            }
            for (b, of_b) in &memory[position + 1..] {
                let matters = written.contains(a) || written.contains(b);
                if matters && !self.never_overlap(*a, *b) && !file.are_distinct(of_a, of_b, 0) {
                    let are_arrays = self.is_declared_array(*a) && self.is_declared_array(*b);
                    let is_declared = are_arrays && !file.is_passed_twice(of_a, of_b);
                    found.push(Pair { variables: (*a, *b), is_declared });
                }
            }
        }
        let (assumed, refused): (Vec<Pair>, Vec<Pair>) =
            found.into_iter().partition(|pair| is_assumed || pair.is_declared);
        self.assume_no_overlap(&assumed);
        self.refuse_overlap(&refused, &written);
    }

    fn assume_no_overlap(&mut self, pairs: &[Pair]) {
        let mut names: Vec<String> = Vec::new();
        for &Pair { variables: (a, b), .. } in pairs {
            if a == b {
                self.assume(format!("the rows of `{}` do not overlap", self.variable(a).name));
                continue;
            }
            for variable in [a, b] {
                let name = self.variable(variable).name.clone();
                if !names.contains(&name) {
                    names.push(name);
                }
            }
        }
        if !names.is_empty() {
            let names = names.join("`, `");
            self.assume(format!("the memory behind `{names}` does not overlap other arrays"));
        }
    }

    fn refuse_overlap(&mut self, pairs: &[Pair], written: &BTreeSet<u32>) {
        let Some(&Pair { variables: (a, b), .. }) = pairs.first() else { return };
        let accesses = || self.statements.iter().flat_map(|s| &s.accesses);
        let at = accesses().find(|x| x.variable == a || x.variable == b).map_or(0, |x| x.at);
        let name = |v: u32| &self.variable(v).name;
        let message = match a == b {
            true => format!("the rows of `{}` may overlap", name(a)),
            false => format!("`{}` and `{}` may be the same memory", name(a), name(b)),
        };
        let changed = if written.contains(&a) { name(a) } else { name(b) };
        let more = match pairs.len() {
            1 => String::new(),
            n => format!(" ({} more such pairs)", n - 1),
        };
        let reason = format!("the region writes `{changed}`{more}");
        let hint = "declare the pointers `restrict`, or say that they do not overlap with \
                    --assume-no-alias";
        let refusal = self.refuse_at(Code::Overlap, at, message).with_reason(reason);
        self.diagnostics.push(*refusal.with_hint(hint).0);
    }

    /// Whether a variable is declared as an array, not as a pointer.
    fn is_declared_array(&self, variable: u32) -> bool {
        let declared = self.variable(variable);
        let root = self.variable(self.root(variable));
        let is_pointer = |d: &Dimension<'_>| matches!(d, Dimension::Pointer);
        !declared.declared.dimensions.iter().any(is_pointer)
            && !root.declared.dimensions.iter().any(is_pointer)
    }

    /// Whether the function around the region takes the address of a variable, or others see it.
    pub(crate) fn is_visible_elsewhere(&self, function: Node<'t>, variable: u32) -> bool {
        let types = self.scopes.types.clone();
        let index = self.scopes.index.clone();
        let mut root = function;
        while let Some(parent) = root.parent() {
            root = parent;
        }
        let file = File { source: self.source, root, types: &types, index: &index };
        let variable = self.variable(variable);
        matches!(variable.origin, Origin::File { .. } | Origin::Local { is_static: true })
            || file.values(function, &variable.name).is_none()
    }

    /// Whether a pointer could lead to a variable: arrays, globals, what has its address taken.
    fn is_in_memory(&self, file: &File<'_, 't>, function: Node<'t>, variable: u32) -> bool {
        let root = self.variable(self.root(variable));
        !self.variable(variable).declared.dimensions.is_empty()
            || !root.declared.dimensions.is_empty()
            || matches!(root.origin, Origin::File { .. } | Origin::Local { is_static: true })
            || file.values(function, &root.name).is_none()
    }

    fn object(&self, file: &File<'_, 't>, function: Node<'t>, variable: u32) -> Object {
        let declared = self.variable(variable);
        let root = self.variable(self.root(variable));
        if declared.member.as_ref().is_some_and(|m| m.crosses_pointer) || self.has_rows(variable) {
            return Object::Unknown;
        }
        let is_pointer = matches!(root.declared.dimensions.first(), Some(Dimension::Pointer));
        if root.in_region() && !is_pointer {
            let name = format!("{} {}", root.name, self.root(variable));
            let function = Some(function.start_byte());
            return Object::Own { name, function, is_automatic: true };
        }
        file.named(function, &root.name, 0)
    }

    /// Whether a variable has pointers to its rows.
    fn has_rows(&self, variable: u32) -> bool {
        let is_pointer = |d: &Dimension<'_>| matches!(d, Dimension::Pointer);
        self.variable(variable).declared.dimensions.iter().skip(1).any(is_pointer)
    }

    /// Whether two variables are not the same memory by their declarations alone.
    fn never_overlap(&self, a: u32, b: u32) -> bool {
        let (of_a, of_b) = (self.variable(a), self.variable(b));
        let crosses =
            |v: &Variable<'_>| v.member.as_ref().is_some_and(|member| member.crosses_pointer);
        let is_restrict = |v: u32, of: &Variable<'_>| {
            !crosses(of) && !self.has_rows(v) && self.variable(self.root(v)).declared.is_restrict
        };
        let are_members = self.root(a) == self.root(b) && !crosses(of_a) && !crosses(of_b);
        are_members
            || is_restrict(a, of_a)
            || is_restrict(b, of_b)
            || are_incompatible(&of_a.declared.scalar, &of_b.declared.scalar)
    }
}

/// Whether C does not allow to access the same memory with both types.
fn are_incompatible(a: &ScalarType, b: &ScalarType) -> bool {
    let is_plain = |t: &ScalarType| t.kind != ElementKind::Other && t.bytes.is_some();
    let is_character = |t: &ScalarType| t.is_integer() && t.bytes == Some(1);
    is_plain(a)
        && is_plain(b)
        && !is_character(a)
        && !is_character(b)
        && (a.is_integer() != b.is_integer() || a.bytes != b.bytes)
}
