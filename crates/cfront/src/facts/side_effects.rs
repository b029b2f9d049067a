//! What a function of the file does with the memory that it is given, and with global variables.
//!
//! The answer is for whole arrays and on the safe side: a pointer that is copied, an address that is
//! taken, inline assembly or a function that is not known means that the function may do anything.
use crate::facts::control::declared_names;
use crate::facts::ctypes::{Oddity, declarator};
use crate::facts::effects::{Effects, ModRef};
use crate::facts::functions::{is_conventional, is_pure_function, may_set_errno};
use crate::facts::library::library_effects;
use crate::syntax::kind::{Field, Kind};
use crate::syntax::queries::{named_children, parameters, strip_parentheses, text, visit};
use crate::syntax::tree::Node;
use rustc_hash::FxHashMap;
use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

/// Calls inside of each other that are followed.
const MAX_DEPTH: usize = 16;

/// Functions after which the program may not go on at the same place.
const NO_RETURN: &[&str] = &[
    "__assert_fail",
    "__builtin_abort",
    "__builtin_exit",
    "__builtin_trap",
    "_Exit",
    "_exit",
    "_longjmp",
    "_setjmp",
    "abort",
    "exit",
    "fork",
    "longjmp",
    "pthread_exit",
    "quick_exit",
    "setjmp",
    "siglongjmp",
    "sigsetjmp",
    "vfork",
];

/// Those of them that return in some other way.
const RETURN_SOMEHOW: &[&str] = &["_setjmp", "fork", "setjmp", "sigsetjmp", "vfork"];

/// The functions of a file.
#[derive(Debug, Default)]
pub(crate) struct Functions<'t> {
    definitions: FxHashMap<String, Node<'t>>,
    /// The texts of the attributes of all declarations of a function.
    attributes: FxHashMap<String, Vec<String>>,
    globals: HashSet<String>,
    /// Global variables of which each thread has its own.
    per_thread: HashSet<String>,
    declared: HashSet<String>,
    /// Names outside of functions for types of numbers.
    numbers: HashSet<String>,
    /// Whether the file reads `errno`.
    reads_errno: bool,
    /// The effects that were asked for.
    known: Mutex<FxHashMap<String, Arc<Effects>>>,
}

impl<'t> Functions<'t> {
    /// The functions of the file with the given text.
    pub(crate) fn of_file(source: &str, root: Node<'t>) -> Self {
        let mut found =
            Functions { reads_errno: reads_errno(source, root), ..Functions::default() };
        for item in named_children(root) {
            if item.kind() == Kind::TypeDefinition {
                found.add_numbers(source, item);
            }
            if !matches!(item.kind(), Kind::FunctionDefinition | Kind::Declaration) {
                continue;
            }
            let declarators: Vec<Node<'t>> = item.all_in_field(Field::Declarator).collect();
            for node in declarators {
                let Some(parts) = declarator(source, node) else { continue };
                let name = text(source, parts.name);
                if !parts.is_function {
                    found.globals.insert(name.to_string());
                    if Oddity::of_storage(source, item).is_some() {
                        found.per_thread.insert(name.to_string());
                    }
                    continue;
                }
                found.declared.insert(name.to_string());
                let texts = attributes_of(source, item);
                found.attributes.entry(name.to_string()).or_default().extend(texts);
                if item.kind() == Kind::FunctionDefinition {
                    found.definitions.insert(name.to_string(), item);
                }
            }
        }
        found
    }

    /// Adds the names that a definition gives to a type of numbers, if it says nothing else about them.
    fn add_numbers(&mut self, source: &str, item: Node<'t>) {
        let has_more = item.has_kind(&[Kind::TypeQualifier]);
        if has_more || !self.is_number(source, item) || !attributes_of(source, item).is_empty() {
            return;
        }
        for node in item.all_in_field(Field::Declarator) {
            if let Some(parts) = declarator(source, node)
                && parts.dimensions.is_empty()
                && !parts.is_function
            {
                self.numbers.insert(text(source, parts.name).to_string());
            }
        }
    }

    /// Whether the type of a declaration is one of numbers.
    fn is_number(&self, source: &str, declaration: Node<'t>) -> bool {
        declaration.field(Field::Type).is_some_and(|base| match base.kind() {
            Kind::PrimitiveType | Kind::SizedTypeSpecifier | Kind::EnumSpecifier => true,
            Kind::TypeIdentifier => self.numbers.contains(text(source, base)),
            _ => false,
        })
    }

    /// Whether a parameter may be an address.
    fn is_pointer(&self, source: &str, definition: Node<'t>, position: usize) -> bool {
        let parameter = parameters(definition).nth(position);
        let declared = parameter.and_then(|parameter| parameter.field(Field::Declarator));
        let parts = declared.and_then(|node| declarator(source, node));
        let (Some(parameter), Some(parts)) = (parameter, parts) else { return true };
        !self.is_number(source, parameter) || !parts.dimensions.is_empty()
    }

    /// The definition of a function whose body says what it does.
    pub(crate) fn body_of(&self, name: &str) -> Option<Node<'t>> {
        let is_described = self.attributes.get(name).is_some_and(|texts| !texts.is_empty());
        self.definitions.get(name).copied().filter(|_| !is_described)
    }

    /// The definition of a function, whatever is said about it elsewhere.
    pub(crate) fn definition(&self, name: &str) -> Option<Node<'t>> {
        self.definitions.get(name).copied()
    }

    /// Whether the file defines a function.
    pub(crate) fn is_defined(&self, name: &str) -> bool {
        self.definitions.contains_key(name)
    }

    /// Whether the file declares a function.
    pub(crate) fn is_declared(&self, name: &str) -> bool {
        self.declared.contains(name)
    }

    /// Whether the program does not come back from a function.
    pub(crate) fn never_returns(&self, name: &str) -> bool {
        let is_known = NO_RETURN.contains(&name) && !RETURN_SOMEHOW.contains(&name);
        is_known && !self.is_defined(name)
    }

    /// Whether the file declares a variable outside of functions.
    pub(crate) fn is_global(&self, name: &str) -> bool {
        self.globals.contains(name)
    }

    /// The value that a function returns, with the names of its parameters, if that is all it does.
    pub(crate) fn returned(&self, source: &str, name: &str) -> Option<(Vec<String>, Node<'t>)> {
        let definition = *self.definitions.get(name)?;
        let body = definition.field(Field::Body)?;
        let mut statements = named_children(body);
        let only = statements.next().filter(|s| s.kind() == Kind::ReturnStatement)?;
        if statements.next().is_some() {
            return None;
        }
        Some((parameter_names(source, definition), named_children(only).next()?))
    }

    /// The effects of a call of a function by its name.
    pub(crate) fn effects(&self, source: &str, name: &str) -> Arc<Effects> {
        let known = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(effects) = known().get(name) {
            return effects.clone();
        }
        let (active, found) = (Vec::new(), FxHashMap::default());
        let mut walk =
            EffectCollector { functions: self, source, is_summary: false, active, known: found };
        let effects = Arc::new(walk.of_name(name));
        known().insert(name.to_string(), effects.clone());
        effects
    }
}

/// Whether a file reads `errno`.
fn reads_errno(source: &str, root: Node<'_>) -> bool {
    let names = ["__errno_location", "__error", "errno"];
    let mut read = names.iter().filter(|name| source.contains(**name));
    read.any(|name| root.of_kind(Kind::Identifier).any(|node| text(source, node) == *name))
}

fn attributes_of(source: &str, item: Node<'_>) -> Vec<String> {
    let body = item.field(Field::Body).filter(|b| b.kind() == Kind::CompoundStatement);
    let kinds = [Kind::AttributeSpecifier, Kind::AttributeDeclaration];
    let all = kinds.into_iter().flat_map(|kind| item.of_kind(kind));
    let before = all.filter(|node| body.is_none_or(|b| node.start_byte() < b.start_byte()));
    before.map(|node| text(source, node).to_string()).collect()
}

/// The names of a function's parameters; empty ones of those without names.
pub(crate) fn parameter_names(source: &str, definition: Node<'_>) -> Vec<String> {
    let name = |parameter: Node<'_>| {
        if parameter.kind() == Kind::Identifier {
            return Some(text(source, parameter).to_string());
        }
        let node = parameter.field(Field::Declarator)?;
        Some(text(source, declarator(source, node)?.name).to_string())
    };
    parameters(definition).map(|parameter| name(parameter).unwrap_or_default()).collect()
}

/// The words of a text.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}

struct EffectCollector<'f, 't> {
    functions: &'f Functions<'t>,
    source: &'f str,
    /// Whether the body only tells what is accessed.
    is_summary: bool,
    /// The functions whose bodies are being read.
    active: Vec<String>,
    known: FxHashMap<(String, bool), Effects>,
}

impl<'t> EffectCollector<'_, 't> {
    fn of_name(&mut self, name: &str) -> Effects {
        let key = (name.to_string(), self.is_summary);
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let effects = self.of_new_name(name);
        self.known.insert(key, effects.clone());
        effects
    }

    fn of_new_name(&mut self, name: &str) -> Effects {
        let functions = self.functions;
        let attributes = functions.attributes.get(name).map_or(&[][..], |all| all);
        let has = |word: &str| {
            attributes.iter().flat_map(|text| words(text)).any(|w| w.trim_matches('_') == word)
        };
        let is_library = !functions.definitions.contains_key(name) && is_pure_function(name);
        let is_conventional = !functions.is_declared(name) && is_conventional(name);
        if is_library && functions.reads_errno && may_set_errno(name) {
            return Effects { is_ordered: true, ..Effects::none() };
        }
        if is_library || is_conventional || has("const") {
            return Effects::none();
        }
        if has("pure") {
            let parameters = vec![ModRef::READ];
            return Effects { parameters, everything: ModRef::READ, ..Effects::none() };
        }
        let summary = attributes.iter().find_map(|text| {
            let mut words = words(text).skip_while(|word| *word != "pencil_access");
            words.nth(1)
        });
        if let Some(summary) = summary {
            let outer = std::mem::replace(&mut self.is_summary, true);
            let effects = self.of_definition(summary);
            self.is_summary = outer;
            return effects;
        }
        if NO_RETURN.contains(&name) {
            return Effects { no_return: Some(name.to_string()), ..Effects::unknown() };
        }
        match name {
            "__pencil_use" => Effects { parameters: vec![ModRef::READ], ..Effects::none() },
            "__pencil_def" => {
                let write = ModRef { reads: false, writes: true };
                Effects { parameters: vec![write], ..Effects::none() }
            }
            "__pencil_maybe" | "__pencil_kill" | "__pencil_assume" | "__builtin_assume"
            | "__builtin_expect" | "__builtin_prefetch" => Effects::none(),
            _ if functions.definitions.contains_key(name) => self.of_definition(name),
            _ => library_effects(name).unwrap_or_else(|| self.of_definition(name)),
        }
    }

    fn of_definition(&mut self, name: &str) -> Effects {
        let Some(definition) = self.functions.definitions.get(name).copied() else {
            return if self.is_summary { Effects::none() } else { Effects::unknown() };
        };
        let is_active = self.active.iter().any(|active| active == name);
        if is_active || self.active.len() >= MAX_DEPTH {
            return Effects::unknown();
        }
        self.active.push(name.to_string());
        let effects = self.body(definition);
        self.active.pop();
        effects
    }

    fn body(&mut self, definition: Node<'t>) -> Effects {
        let parameters = parameter_names(self.source, definition);
        let mut effects = Effects::none();
        effects.parameters = vec![ModRef::default(); parameters.len()];
        let Some(body) = definition.field(Field::Body) else { return Effects::unknown() };
        let locals = declared_names(self.source, body);
        let mut mentions = Vec::new();
        let mut is_opaque = false;
        visit(body, |node, _| {
            match node.kind() {
                Kind::Identifier => mentions.push(node),
                Kind::CallExpression => {
                    let callee = node.field(Field::Function).map(strip_parentheses);
                    is_opaque |= callee.is_none_or(|callee| {
                        let name = text(self.source, callee);
                        callee.kind() != Kind::Identifier
                            || locals.contains(name)
                            || parameters.iter().any(|parameter| parameter == name)
                    });
                    let effects_of = |callee: Node<'t>| self.of_name(text(self.source, callee));
                    let called = callee.map_or_else(Effects::unknown, effects_of);
                    called_effects(&mut effects, &called);
                }
                Kind::Declaration => {
                    is_opaque |= declares_pointer(self.source, node)
                        || Oddity::of_storage(self.source, node).is_some();
                }
                Kind::StorageClassSpecifier => {
                    effects.is_ordered |= text(self.source, node) == "static";
                }
                Kind::TypeQualifier => {
                    let words = ["volatile", "_Atomic"];
                    is_opaque |= words.iter().any(|w| text(self.source, node).contains(w));
                }
                Kind::GnuAsmExpression | Kind::FunctionDefinition => is_opaque = true,
                // Assembly code that is not understood.
                Kind::Word => is_opaque |= text(self.source, node).contains("asm"),
                _ => {}
            }
            true
        });
        for mention in mentions {
            let name = text(self.source, mention);
            let position = parameters.iter().position(|parameter| parameter == name);
            let is_global = self.functions.globals.contains(name);
            is_opaque |= self.functions.per_thread.contains(name);
            if position.is_none() && !is_global {
                continue;
            }
            let Some(touch) = self.touch(mention) else {
                // The value of a parameter that is a number may go anywhere.
                is_opaque |= position
                    .is_none_or(|at| self.functions.is_pointer(self.source, definition, at));
                continue;
            };
            if let Some(position) = position {
                effects.parameters[position].add(touch);
            }
            if is_global {
                effects.globals.entry(name.to_string()).or_default().add(touch);
            }
        }
        if is_opaque {
            let no_return = effects.no_return;
            return Effects { no_return, ..Effects::unknown() };
        }
        effects
    }

    /// What an expression does with the memory that a name stands for; none if more than accesses.
    fn touch(&mut self, mention: Node<'t>) -> Option<ModRef> {
        let mut node = mention;
        let (mut is_element, mut is_member) = (false, false);
        loop {
            let parent = node.parent()?;
            let is = |field| parent.field(field).is_some_and(|n| n.id() == node.id());
            match parent.kind() {
                Kind::ParenthesizedExpression => {}
                // What a member points to is other memory.
                Kind::SubscriptExpression if is_member && is(Field::Argument) => return None,
                Kind::PointerExpression if is_member => return None,
                Kind::SubscriptExpression if is(Field::Argument) => is_element = true,
                Kind::SubscriptExpression if !is_element => return self.plain(mention),
                Kind::SubscriptExpression => return Some(ModRef::READ),
                Kind::FieldExpression if is_member => return None,
                Kind::FieldExpression => (is_element, is_member) = (true, true),
                Kind::PointerExpression => {
                    let operator = parent.field(Field::Operator)?;
                    if operator.kind() == token!("&") {
                        return self.argument(parent);
                    }
                    is_element = true;
                }
                Kind::BinaryExpression if !is_element => {
                    // `*(p + i)`: what is pointed to is accessed outside.
                    let outer = strip_outside(parent);
                    let dereferenced = outer.parent().is_some_and(|p| {
                        p.kind() == Kind::PointerExpression && p.operator() == Some(token!("*"))
                    });
                    if !dereferenced {
                        return self.plain(mention);
                    }
                }
                Kind::AssignmentExpression if is(Field::Left) => {
                    let plain = parent.operator()? == token!("=");
                    return Some(ModRef { reads: !plain, writes: true });
                }
                Kind::UpdateExpression => return Some(ModRef::BOTH),
                Kind::SizeofExpression => return Some(ModRef::default()),
                Kind::ArgumentList if !is_element => {
                    let value = self.plain(mention).unwrap_or_default();
                    let mut touch = self.argument(node)?;
                    touch.add(value);
                    return Some(touch);
                }
                _ if is_element => {
                    // A row of an array may be passed on, too.
                    return match parent.kind() {
                        Kind::ArgumentList if is_member => {
                            self.argument(node).filter(|touch| *touch == ModRef::default())?;
                            Some(ModRef::READ)
                        }
                        Kind::ArgumentList => self
                            .argument(node)
                            .map(|touch| ModRef { reads: true, writes: touch.writes }),
                        _ => Some(ModRef::READ),
                    };
                }
                _ => return self.plain(mention),
            }
            node = parent;
        }
    }

    /// A name by itself in an expression: its value, which must not be an address.
    fn plain(&self, mention: Node<'t>) -> Option<ModRef> {
        let name = text(self.source, mention);
        let is_scalar =
            self.functions.globals.contains(name) && self.is_global_scalar(mention, name);
        is_scalar.then_some(ModRef::READ)
    }

    fn is_global_scalar(&self, mention: Node<'t>, name: &str) -> bool {
        let mut root = mention;
        while let Some(parent) = root.parent() {
            root = parent;
        }
        let mut all_scalar = true;
        for item in named_children(root).filter(|item| item.kind() == Kind::Declaration) {
            for node in item.all_in_field(Field::Declarator) {
                if let Some(parts) = declarator(self.source, node)
                    && text(self.source, parts.name) == name
                {
                    let base = item.field(Field::Type).map(Node::kind);
                    all_scalar &= parts.dimensions.is_empty()
                        && matches!(base, Some(Kind::PrimitiveType | Kind::SizedTypeSpecifier));
                }
            }
        }
        all_scalar
    }

    /// What a call does with an argument.
    fn argument(&mut self, node: Node<'t>) -> Option<ModRef> {
        let outer = strip_outside(node);
        let list = outer.parent().filter(|p| p.kind() == Kind::ArgumentList)?;
        let call = list.parent()?;
        let callee = call.field(Field::Function).map(strip_parentheses)?;
        let position = named_children(list).position(|n| n.id() == outer.id())?;
        let effects = self.of_name(text(self.source, callee));
        Some(effects.of_argument(position))
    }
}

/// The expression with the parentheses around it.
fn strip_outside(mut node: Node<'_>) -> Node<'_> {
    while let Some(parent) = node.parent().filter(|p| p.kind() == Kind::ParenthesizedExpression) {
        node = parent;
    }
    node
}

fn called_effects(effects: &mut Effects, called: &Effects) {
    effects.everything.add(called.everything);
    effects.is_ordered |= called.is_ordered;
    effects.no_return = effects.no_return.take().or_else(|| called.no_return.clone());
    for (name, touch) in &called.globals {
        effects.globals.entry(name.clone()).or_default().add(*touch);
    }
    let everything = effects.everything;
    effects.parameters.iter_mut().for_each(|touch| touch.add(everything));
}

fn declares_pointer(source: &str, declaration: Node<'_>) -> bool {
    declaration.all_in_field(Field::Declarator).any(|node| {
        let mut found = declarator(source, node).is_none();
        visit(node, |n, _| {
            found |= n.kind() == Kind::PointerDeclarator;
            n.kind() != Kind::InitializerList
        });
        found
    })
}
