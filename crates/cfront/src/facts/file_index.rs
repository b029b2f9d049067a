//! Where a file declares, assigns and calls what.
use crate::facts::ctypes::declarator;
use crate::facts::element_uses::ElementUses;
use crate::facts::function_names::{FunctionKey, FunctionNames, OUTSIDE};
use crate::facts::pointer_uses::PointerUses;
use crate::facts::side_effects::Functions;
use crate::syntax::kind::{Field, Kind};
use crate::syntax::queries::{named_children, names_in_error, strip_parentheses, text};
use crate::syntax::tree::Node;
use rustc_hash::FxHashMap;
use std::collections::HashSet;
use std::sync::{Arc, OnceLock};

/// A declaration of a variable or a parameter.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DeclarationSite<'t> {
    pub(crate) function: FunctionKey,
    pub(crate) node: Node<'t>,
    /// The declarator; none where the declaration reads as a call (`type (*name)[n];`), with the name
    /// of the type.
    pub(crate) declarator: Result<Node<'t>, Node<'t>>,
}

/// The declarations, assignments and mentions of a file by name; those of a name by the functions that they
/// are in.
#[derive(Debug, Default)]
pub(crate) struct FileIndex<'t> {
    pub(crate) functions: FxHashMap<FunctionKey, Node<'t>>,
    pub(crate) function_names: FxHashMap<String, FunctionKey>,
    pub(crate) declarations: FxHashMap<String, Vec<DeclarationSite<'t>>>,
    /// What is assigned to a name, and in which function.
    pub(crate) values: FxHashMap<String, Vec<(FunctionKey, Node<'t>)>>,
    /// The names whose address is taken, and in which functions.
    pub(crate) addresses: FxHashMap<String, Vec<FunctionKey>>,
    /// The functions with instructions of the machine.
    pub(crate) with_assembly: HashSet<FunctionKey>,
    /// The mentions of functions that the file defines.
    pub(crate) mentions: FxHashMap<String, Vec<(FunctionKey, Node<'t>)>>,
    /// The names of each function, once they are needed.
    names: FxHashMap<FunctionKey, OnceLock<Arc<FunctionNames<'t>>>>,
    /// What the functions do, once it is needed.
    definitions: OnceLock<Functions<'t>>,
    /// How arrays are used, once it is needed.
    element_uses: OnceLock<ElementUses>,
    /// How pointers are used, once it is needed.
    pointer_uses: OnceLock<PointerUses<'t>>,
}

/// The kinds of nodes that say something about names.
const INDEXED: [Kind; 7] = [
    Kind::Declaration,
    Kind::ParameterDeclaration,
    Kind::ExpressionStatement,
    Kind::AssignmentExpression,
    Kind::PointerExpression,
    Kind::Error,
    Kind::GnuAsmExpression,
];

impl<'t> FileIndex<'t> {
    /// Reads a file.
    pub(crate) fn of_file(source: &str, root: Node<'t>) -> Self {
        let mut index = FileIndex::default();
        let functions: Vec<Node<'t>> = root.of_kind(Kind::FunctionDefinition).collect();
        let mut end = 0;
        for &function in &functions {
            if function.start_byte() >= end {
                end = function.end_byte();
                index.add_function(source, function);
            }
        }
        let around = |node: Node<'t>| around(&functions, node);
        for mention in root.of_kind(Kind::Identifier) {
            if index.function_names.contains_key(text(source, mention)) {
                let name = text(source, mention).to_string();
                index.mentions.entry(name).or_default().push((around(mention), mention));
            }
        }
        for node in root.of_kinds(&INDEXED) {
            index.add(source, node, around(node));
        }
        index.declarations.values_mut().for_each(|all| all.sort_by_key(|site| site.function));
        index.values.values_mut().for_each(|all| all.sort_by_key(|(function, _)| *function));
        index.addresses.values_mut().for_each(|all| all.sort_unstable());
        index
    }

    /// The declarations of a name in a function, or outside of functions.
    pub(crate) fn declarations_in(
        &self,
        function: FunctionKey,
        name: &str,
    ) -> &[DeclarationSite<'t>] {
        in_function(self.declarations.get(name), function, |site| site.function)
    }

    /// What is assigned to a name in a function.
    pub(crate) fn values_in(
        &self,
        function: FunctionKey,
        name: &str,
    ) -> &[(FunctionKey, Node<'t>)] {
        in_function(self.values.get(name), function, |(function, _)| *function)
    }

    /// Whether a function takes the address of what has a name.
    pub(crate) fn is_addressed_in(&self, function: FunctionKey, name: &str) -> bool {
        !in_function(self.addresses.get(name), function, |function| *function).is_empty()
    }

    /// The names of a function of the file.
    pub(crate) fn names_of(&self, source: &str, function: Node<'t>) -> Arc<FunctionNames<'t>> {
        let read = || Arc::new(FunctionNames::of_function(source, function));
        match self.names.get(&function.start_byte()) {
            Some(names) => names.get_or_init(read).clone(),
            None => read(),
        }
    }

    /// The functions, of which one contains `node`.
    pub(crate) fn definitions(&self, source: &str, node: Node<'t>) -> &Functions<'t> {
        self.definitions.get_or_init(|| Functions::of_file(source, node.root()))
    }

    /// How the arrays of the file are used.
    pub(crate) fn element_uses(&self, source: &str, root: Node<'t>) -> &ElementUses {
        self.element_uses.get_or_init(|| ElementUses::of_file(source, root))
    }

    /// How the pointers of the file are used.
    pub(crate) fn pointer_uses(&self, source: &str, root: Node<'t>) -> &PointerUses<'t> {
        self.pointer_uses.get_or_init(|| {
            let mut functions: Vec<Node<'t>> = self.functions.values().copied().collect();
            functions.sort_unstable_by_key(|function| function.start_byte());
            PointerUses::of_file(source, root, |node| around(&functions, node))
        })
    }

    fn add_function(&mut self, source: &str, node: Node<'t>) {
        self.functions.insert(node.start_byte(), node);
        self.names.insert(node.start_byte(), OnceLock::new());
        let parts = node.field(Field::Declarator).and_then(|n| declarator(source, n));
        if let Some(parts) = parts {
            self.function_names.insert(text(source, parts.name).to_string(), node.start_byte());
        }
    }

    fn add(&mut self, source: &str, node: Node<'t>, function: FunctionKey) {
        match node.kind() {
            Kind::Declaration | Kind::ParameterDeclaration => {
                for inner in node.all_in_field(Field::Declarator) {
                    if let Some(parts) = declarator(source, inner) {
                        let is_prototype = parts.is_function && parts.dimensions.is_empty();
                        if is_prototype || (function == OUTSIDE && node.kind() != Kind::Declaration)
                        {
                            continue;
                        }
                        let site = DeclarationSite { function, node, declarator: Ok(inner) };
                        let name = text(source, parts.name).to_string();
                        self.declarations.entry(name).or_default().push(site);
                    }
                }
            }
            Kind::ExpressionStatement => {
                if let Some((name, callee)) = misread_declaration(node) {
                    let site = DeclarationSite { function, node, declarator: Err(callee) };
                    let name = text(source, name).to_string();
                    self.declarations.entry(name).or_default().push(site);
                }
            }
            Kind::AssignmentExpression => {
                let field = |name| node.field(name);
                let is_plain =
                    field(Field::Operator).is_some_and(|operator| operator.kind() == token!("="));
                let (Some(left), Some(right)) = (field(Field::Left), field(Field::Right)) else {
                    return;
                };
                let left = strip_parentheses(left);
                if is_plain && left.kind() == Kind::Identifier {
                    let name = text(source, left).to_string();
                    self.values.entry(name).or_default().push((function, right));
                }
            }
            Kind::PointerExpression if text(source, node).starts_with('&') => {
                let argument = node.field(Field::Argument).map(strip_parentheses);
                if let Some(argument) = argument.filter(|a| a.kind() == Kind::Identifier) {
                    let name = text(source, argument).to_string();
                    self.addresses.entry(name).or_default().push(function);
                }
            }
            Kind::Error => {
                for name in names_in_error(source, node) {
                    self.addresses.entry(name.to_string()).or_default().push(function);
                    self.values.entry(name.to_string()).or_default().push((function, node));
                }
            }
            Kind::GnuAsmExpression => {
                self.with_assembly.insert(function);
            }
            _ => {}
        }
    }
}

/// The function of a list in order that a node is in.
fn around<'t>(functions: &[Node<'t>], node: Node<'t>) -> FunctionKey {
    let after = functions.partition_point(|f| f.start_byte() <= node.start_byte());
    let last = after.checked_sub(1).map(|position| functions[position]);
    let inside = last.filter(|function| node.start_byte() < function.end_byte());
    inside.map_or(OUTSIDE, |function| function.start_byte())
}

/// The part of a list sorted by functions that belongs to one of them.
fn in_function<T>(
    all: Option<&Vec<T>>,
    function: FunctionKey,
    function_of: impl Fn(&T) -> FunctionKey,
) -> &[T] {
    let all = all.map_or(&[][..], |all| all);
    let start = all.partition_point(|item| function_of(item) < function);
    let end = all.partition_point(|item| function_of(item) <= function);
    &all[start..end]
}

/// The name and the type of a declaration `type (*name)[n];`, which reads as a call as long as the names
/// of types are not known.
fn misread_declaration<'t>(node: Node<'t>) -> Option<(Node<'t>, Node<'t>)> {
    let mut inner = named_children(node).next()?;
    while inner.kind() == Kind::SubscriptExpression {
        inner = inner.field(Field::Argument)?;
    }
    let is_call = inner.kind() == Kind::CallExpression;
    let call = Some(inner).filter(|_| is_call)?;
    let pointer = named_children(call.field(Field::Arguments)?).next()?;
    let is_pointer = pointer.kind() == Kind::PointerExpression;
    let name = pointer.field(Field::Argument).filter(|_| is_pointer)?;
    Some((name, call.field(Field::Function)?))
}
