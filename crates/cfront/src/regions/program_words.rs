//! What the names in a region mean in the words of C, and the functions of the file that it calls, for text
//! that is compiled apart from the program.
use crate::facts::ctypes::{DeclaredType, ScalarType, declarator};
use crate::facts::effects::{Effects, ModRef};
use crate::facts::scope::{Entity, Scopes};
use crate::syntax::kind::{Field, Kind};
use crate::syntax::queries::{parameters, text};
use crate::syntax::tree::Node;
use loopwright_scop::{FloatingType, ProgramWords, ScalarType as Numbers};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// The words of statements of a function.
pub(crate) fn program_words<'t>(
    source: &str,
    scopes: &Scopes<'t>,
    function: Node<'t>,
    statements: &[Node<'t>],
) -> ProgramWords {
    let mut meanings = BTreeMap::new();
    for statement in statements {
        let names = Names { source, scopes, hidden: declared_in(source, *statement) };
        for (range, meaning) in names.meanings(*statement) {
            let words = source.get(range).unwrap_or_default().split_whitespace();
            meanings.insert(words.collect::<Vec<_>>().join(" "), meaning);
        }
    }
    // What a statement declares for itself has no other meaning in another one.
    let own = statements.iter().flat_map(|statement| declared_in(source, *statement));
    own.for_each(|name| drop(meanings.remove(name)));
    ProgramWords { meanings, functions: functions(source, scopes, function, statements) }
}

/// The texts of the functions that some statements call, and of those that these call: type, declarator and
/// body.
fn functions<'t>(
    source: &str,
    scopes: &Scopes<'t>,
    function: Node<'t>,
    statements: &[Node<'t>],
) -> BTreeMap<String, String> {
    // Names outside of functions, as far as the function of the region has no types of its own with these.
    let types = function.of_kind(Kind::TypeDefinition);
    let own_types: BTreeSet<&str> = types.flat_map(|node| declared_in(source, node)).collect();
    let mut outside = scopes.clone();
    outside.stack.truncate(1);
    let mut found = BTreeMap::new();
    let mut open: Vec<Node<'t>> = statements.to_vec();
    while let Some(node) = open.pop() {
        for call in node.of_kind(Kind::CallExpression) {
            let Some(name) = call.field(Field::Function).map(|callee| text(source, callee)) else {
                continue;
            };
            if found.contains_key(name) || !scopes.index.function_names.contains_key(name) {
                continue;
            }
            let functions = scopes.index.definitions(source, node);
            let effects = functions.effects(source, name);
            if !is_of_arguments(&effects) {
                continue;
            }
            let Some(definition) = functions.definition(name) else { continue };
            let parts = [Field::Type, Field::Declarator, Field::Body].map(|f| definition.field(f));
            if let [Some(returned), Some(declarator), Some(body)] = parts {
                let mut hidden = declared_in(source, definition);
                hidden.extend(&own_types);
                let names = Names { source, scopes: &outside, hidden };
                let constant = only_read(source, definition, &effects);
                let all = [
                    names.text_of(returned, &[]),
                    names.text_of(declarator, &constant),
                    names.text_of(body, &[]),
                ];
                found.insert(name.to_string(), all.join(" "));
                open.push(body);
            }
        }
    }
    found
}

/// Whether a function does nothing but use the memory behind its arguments, and return.
fn is_of_arguments(effects: &Effects) -> bool {
    let is_nothing = |of: &ModRef| !of.reads && !of.writes;
    [&effects.rest, &effects.everything].into_iter().all(is_nothing)
        && effects.globals.values().all(is_nothing)
        && !effects.is_ordered
        && effects.no_return.is_none()
}

/// Where the parameters begin that are pointers to what the function only reads.
fn only_read(source: &str, definition: Node<'_>, effects: &Effects) -> Vec<usize> {
    let is_pointer = |parameter: &Node<'_>| {
        let node = parameter.field(Field::Declarator);
        let parts = node.and_then(|node| declarator(source, node));
        parts.is_some_and(|parts| !parts.dimensions.is_empty() && !parts.is_function)
    };
    let all = parameters(definition).enumerate();
    let read = all.filter(|(at, own)| is_pointer(own) && !effects.of_argument(*at).writes);
    read.map(|(_, parameter)| parameter.start_byte()).collect()
}

/// The names that a text declares.
fn declared_in<'s>(source: &'s str, node: Node<'_>) -> BTreeSet<&'s str> {
    let names = node.of_kinds(&[Kind::Identifier, Kind::TypeIdentifier]);
    let is_declared = |name: &Node<'_>| {
        let Some(around) = name.parent() else { return false };
        let is_constant = around.kind() == Kind::Enumerator;
        let field = if is_constant { Field::Name } else { Field::Declarator };
        name.place() == field
            || around.kind().is_declarator() && around.field(Field::Declarator).is_none()
    };
    names.into_iter().filter(is_declared).map(|name| text(source, name)).collect()
}

/// What names mean where a text stands.
struct Names<'s, 't> {
    source: &'s str,
    scopes: &'s Scopes<'t>,
    /// Names that the text declares for itself.
    hidden: BTreeSet<&'s str>,
}

impl<'t> Names<'_, 't> {
    /// The places of names that mean something in the words of C, with their meanings.
    fn meanings(&self, node: Node<'t>) -> Vec<(Range<usize>, String)> {
        let kinds = [
            Kind::TypeDescriptor,
            Kind::TypeIdentifier,
            Kind::PrimitiveType,
            Kind::EnumSpecifier,
            Kind::Identifier,
            Kind::SizeofExpression,
        ];
        let of = |node: Node<'t>| Some((node.byte_range(), self.meaning(node)?));
        node.of_kinds(&kinds).into_iter().filter_map(of).collect()
    }

    fn meaning(&self, node: Node<'t>) -> Option<String> {
        let name = text(self.source, node);
        if self.hidden.contains(name) {
            return None;
        }
        let types = &self.scopes.types;
        match node.kind() {
            Kind::Identifier => match self.scopes.lookup(name)? {
                Entity::Constant(value) => constant(value),
                Entity::Variable(_) | Entity::Function => None,
            },
            Kind::TypeIdentifier => of_type(&types.named(name)),
            Kind::EnumSpecifier if node.field(Field::Body).is_none() => {
                of_number(&types.enumeration_type(self.source, node))
            }
            Kind::PrimitiveType if !is_of_c(name) => of_type(&types.named(name)),
            Kind::TypeDescriptor => {
                let is_plain = node.field(Field::Declarator).is_none() && !self.hides(node);
                let known = is_plain && !name.split_whitespace().all(is_of_c);
                of_type(&types.base_type(self.source, node)).filter(|_| known)
            }
            Kind::SizeofExpression => {
                let named = node.field(Field::Type)?;
                let known = named.field(Field::Declarator).is_none() && !self.hides(named);
                let declared = types.base_type(self.source, named);
                let is_number =
                    declared.dimensions.is_empty() && declared.scalar.of_numbers().is_some();
                let bytes = declared.scalar.bytes.filter(|_| known && is_number)?;
                Some(format!("{bytes}ul"))
            }
            _ => None,
        }
    }

    /// Whether a type has a name that the text declares for itself.
    fn hides(&self, named: Node<'t>) -> bool {
        let names = named.of_kinds(&[Kind::TypeIdentifier, Kind::PrimitiveType]);
        names.into_iter().any(|name| self.hidden.contains(text(self.source, name)))
    }

    /// The text of a node with the meanings of its names; where one contains another, with that of the whole.
    /// What begins at some places is constant.
    fn text_of(&self, node: Node<'t>, constant: &[usize]) -> String {
        let (mut written, mut at) = (String::new(), node.start_byte());
        let mut parts: Vec<(Range<usize>, String)> =
            constant.iter().map(|&byte| (byte..byte, "const ".to_string())).collect();
        parts.extend(self.meanings(node));
        parts.sort_by_key(|(range, _)| range.start);
        for (range, meaning) in parts {
            if range.start < at {
                continue;
            }
            written.push_str(self.source.get(at..range.start).unwrap_or_default());
            written.push_str(&meaning);
            at = range.end;
        }
        written + self.source.get(at..node.end_byte()).unwrap_or_default()
    }
}

/// Whether a word is one of C's own for types that are the same everywhere.
fn is_of_c(word: &str) -> bool {
    let words =
        ["int", "long", "short", "char", "signed", "unsigned", "float", "double", "const", "void"];
    words.contains(&word)
}

/// A constant of an enumeration, which is an `int`.
fn constant(value: i64) -> Option<String> {
    let value = i32::try_from(value).ok()?;
    Some(match value {
        i32::MIN => format!("({} - 1)", value + 1),
        _ if value < 0 => format!("({value})"),
        _ => value.to_string(),
    })
}

fn of_type(declared: &DeclaredType<'_>) -> Option<String> {
    let is_plain = declared.dimensions.is_empty() && declared.oddity.is_none();
    of_number(&declared.scalar).filter(|_| is_plain)
}

/// A type of numbers in the words of C.
fn of_number(scalar: &ScalarType) -> Option<String> {
    if scalar.is_bool {
        return Some("bool".to_string());
    }
    if scalar.is_plain_char {
        return Some("char".to_string());
    }
    let words = match scalar.of_numbers()? {
        Numbers::Floating(FloatingType::LongDouble) => return None,
        Numbers::Floating(floating) => floating.keyword(),
        Numbers::Integer { is_signed: true, bytes: 1 } => "signed char",
        Numbers::Integer { is_signed: true, bytes: 2 } => "short",
        Numbers::Integer { is_signed: true, bytes: 4 } => "int",
        Numbers::Integer { is_signed: true, bytes: 8 } => "long",
        Numbers::Integer { is_signed: false, bytes: 1 } => "unsigned char",
        Numbers::Integer { is_signed: false, bytes: 2 } => "unsigned short",
        Numbers::Integer { is_signed: false, bytes: 4 } => "unsigned int",
        Numbers::Integer { is_signed: false, bytes: 8 } => "unsigned long",
        Numbers::Integer { .. } => return None,
    };
    Some(words.to_string())
}
