//! Functions whose bodies can stand in place of a call.
use crate::facts::control::declared_names;
use crate::facts::ctypes::{Oddity, declarator};
use crate::facts::effects::Effects;
use crate::facts::side_effects::{Functions, parameter_names};
use crate::syntax::kind::{Field, Kind};
use crate::syntax::queries::{
    NameSet, changed_names, has_storage, mentioned_names, named_children, old_style_declarations,
    parameters, strip_parentheses, text, written_places,
};
use crate::syntax::tree::Node;
use std::collections::BTreeSet;

/// Bodies of more bytes stay functions.
const MAX_BODY: usize = 6000;

/// What a body must not have: its meaning would be another one elsewhere.
const BOUND_TO_A_FUNCTION: [Kind; 14] = [
    Kind::Error,
    Kind::GnuAsmExpression,
    Kind::FunctionDefinition,
    Kind::GotoStatement,
    Kind::LabeledStatement,
    Kind::TypeDefinition,
    Kind::StructSpecifier,
    Kind::UnionSpecifier,
    Kind::EnumSpecifier,
    Kind::AttributeSpecifier,
    Kind::AttributeDeclaration,
    Kind::OffsetofExpression,
    Kind::GenericExpression,
    Kind::Word,
];

/// Names that mean something about the function in which they stand.
const NAMES_OF_A_FUNCTION: [&str; 8] = [
    "__func__",
    "__FUNCTION__",
    "__PRETTY_FUNCTION__",
    "alloca",
    "__builtin_alloca",
    "__builtin_return_address",
    "__builtin_frame_address",
    "setjmp",
];

/// A parameter of a function.
pub(crate) struct Parameter<'t> {
    pub(crate) name: String,
    /// The words of its type.
    pub(crate) specifiers: String,
    /// The name with its stars and dimensions; none of a parameter that is `int` as nothing declares it.
    pub(crate) declarator: Option<Node<'t>>,
    /// Whether the body assigns it or takes its address.
    pub(crate) is_changed: bool,
}

/// A function that can be written in place of its calls.
pub(crate) struct Callee<'t> {
    pub(crate) name: String,
    pub(crate) definition: Node<'t>,
    pub(crate) body: Node<'t>,
    pub(crate) parameters: Vec<Parameter<'t>>,
    /// The type of what it returns, as text; none of `void`.
    pub(crate) returned: Option<String>,
    /// The names that it declares.
    pub(crate) own: BTreeSet<String>,
    /// The other names in its body.
    pub(crate) free: BTreeSet<String>,
    /// The names of types and tags in it.
    pub(crate) types: BTreeSet<String>,
}

impl<'t> Callee<'t> {
    /// A function of the file, if its body can stand elsewhere.
    pub(crate) fn of(source: &str, functions: &Functions<'t>, name: &str) -> Option<Self> {
        let definition = functions.body_of(name)?;
        let body = definition.field(Field::Body)?;
        if definition.has_error() || body.byte_range().len() > MAX_BODY || is_bound(source, body) {
            return None;
        }
        let returned = returned_type(source, definition)?;
        let changed = changed_names(source, body);
        let parameters = parameters_of(source, definition, &changed)?;
        let mut own: BTreeSet<String> =
            declared_names(source, body).into_iter().map(str::to_string).collect();
        let mentioned = mentioned_names(source, body);
        // One name for two things would be written as one.
        let is_shared = |name: &String| {
            functions.is_declared(name)
                || functions.is_global(name)
                || parameters.iter().any(|p| p.name == *name)
        };
        if own.iter().any(is_shared) {
            return None;
        }
        own.extend(parameters.iter().map(|parameter| parameter.name.clone()));
        let free =
            mentioned.into_iter().filter(|name| !own.contains(*name)).map(str::to_string).collect();
        let types = definition.of_kind(Kind::TypeIdentifier);
        let types = types.map(|node| text(source, node).to_string()).collect();
        Some(Callee {
            name: name.to_string(),
            definition,
            body,
            parameters,
            returned,
            own,
            free,
            types,
        })
    }

    /// Whether the body has a loop.
    pub(crate) fn has_loop(&self) -> bool {
        self.body.has_kind(&[Kind::ForStatement, Kind::WhileStatement, Kind::DoStatement])
    }

    /// Whether its own statements may change more than its variables.
    pub(crate) fn writes_memory(&self, source: &str) -> bool {
        let is_own = |place: Node<'t>| {
            let place = strip_parentheses(place);
            place.kind() == Kind::Identifier && self.own.contains(text(source, place))
        };
        !written_places(self.body).all(is_own)
    }

    /// The functions that it calls, each by its name; none if a pointer decides about one.
    pub(crate) fn called<'s>(&self, source: &'s str) -> Option<BTreeSet<&'s str>> {
        let calls = self.body.of_kind(Kind::CallExpression);
        calls
            .map(|call| {
                let callee = call.field(Field::Function).map(strip_parentheses)?;
                let name = text(source, callee);
                (callee.kind() == Kind::Identifier && !self.own.contains(name)).then_some(name)
            })
            .collect()
    }
}

/// Whether calls of a function cannot be in a region that nobody asked for.
pub(crate) fn is_effect(effects: &Effects) -> bool {
    effects.everything.writes || effects.is_ordered || effects.no_return.is_some()
}

/// Whether a call may change memory.
pub(crate) fn may_write(effects: &Effects) -> bool {
    is_effect(effects)
        || effects.parameters.iter().any(|touch| touch.writes)
        || effects.globals.values().any(|touch| touch.writes)
}

/// Whether a body means something else where another function is around it.
fn is_bound(source: &str, body: Node<'_>) -> bool {
    let defines = |node: &Node<'_>| match node.kind() {
        // The name of a type that is known elsewhere may stand in it.
        Kind::StructSpecifier | Kind::UnionSpecifier | Kind::EnumSpecifier => {
            node.field(Field::Body).is_some()
        }
        _ => true,
    };
    let is_odd = |node: Node<'_>| {
        has_storage(source, node, "static")
            || has_storage(source, node, "extern")
            || Oddity::of_storage(source, node).is_some()
    };
    let is_volatile = |node: Node<'_>| {
        let words = text(source, node);
        ["volatile", "_Atomic"].iter().any(|word| words.contains(word))
    };
    body.of_kinds(&BOUND_TO_A_FUNCTION).iter().any(defines)
        || body.of_kind(Kind::Declaration).any(is_odd)
        || body.of_kind(Kind::TypeQualifier).any(is_volatile)
        || body
            .of_kind(Kind::Identifier)
            .any(|node| NAMES_OF_A_FUNCTION.contains(&text(source, node)))
}

/// The type of what a function returns: `Some(None)` of `void`; none if it is not understood.
fn returned_type(source: &str, definition: Node<'_>) -> Option<Option<String>> {
    let node = definition.field(Field::Declarator)?;
    let parts = declarator(source, node)?;
    if !parts.is_function || !parts.dimensions.is_empty() || node.kind() != Kind::FunctionDeclarator
    {
        return None;
    }
    let words = text(source, definition).get(..node.start_byte() - definition.start_byte())?;
    let type_words: Vec<&str> = words.split_whitespace().filter(|w| !is_storage(w)).collect();
    match type_words[..] {
        ["void"] => Some(None),
        [] => Some(Some("int".to_string())),
        _ => Some(Some(type_words.join(" "))),
    }
}

fn is_storage(word: &str) -> bool {
    matches!(
        word,
        "static"
            | "inline"
            | "extern"
            | "__inline"
            | "__inline__"
            | "_Noreturn"
            | "register"
            | "restrict"
            | "__restrict"
            | "__restrict__"
            | "__extension__"
    )
}

/// The parameters of a function; none if one is not understood.
fn parameters_of<'t>(
    source: &str,
    definition: Node<'t>,
    changed: &NameSet<'_>,
) -> Option<Vec<Parameter<'t>>> {
    let names = parameter_names(source, definition);
    if names.len() == 1 && names[0].is_empty() {
        let only = parameters(definition).next()?;
        return (text(source, only).trim() == "void").then(Vec::new);
    }
    let old: Vec<Node<'t>> = old_style_declarations(definition).collect();
    let listed: Vec<Node<'t>> = parameters(definition).collect();
    let mut found = Vec::with_capacity(names.len());
    for (name, node) in names.into_iter().zip(listed) {
        let declaration = match node.kind() {
            Kind::ParameterDeclaration => Some((node, node.field(Field::Declarator)?)),
            Kind::Identifier => old.iter().find_map(|declaration| {
                let mut all = declaration.all_in_field(Field::Declarator);
                let is_own = |d: &Node<'t>| {
                    declarator(source, *d).is_some_and(|p| text(source, p.name) == name)
                };
                Some((*declaration, all.find(is_own)?))
            }),
            _ => return None,
        };
        let is_changed = changed.contains(name.as_str());
        let Some((declaration, node)) = declaration else {
            let specifiers = "int".to_string();
            found.push(Parameter { name, specifiers, declarator: None, is_changed });
            continue;
        };
        if name.is_empty() || declarator(source, node)?.is_function {
            return None;
        }
        let first = declaration.field(Field::Declarator)?.start_byte();
        let words = source.get(declaration.start_byte()..first)?;
        let words: Vec<&str> = words.split_whitespace().filter(|w| !is_storage(w)).collect();
        if words.contains(&"volatile") || declaration.has_kind(&[Kind::AttributeSpecifier]) {
            return None;
        }
        let specifiers = words.join(" ");
        found.push(Parameter { name, specifiers, declarator: Some(node), is_changed });
    }
    // Two of one name, or with what is no parameter.
    let is_plain = named_children(definition).all(|child| child.kind() != Kind::Error);
    is_plain.then_some(found)
}
