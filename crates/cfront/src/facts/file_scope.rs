//! The declarations of a whole file.
use crate::facts::ctypes::ScalarType;
use crate::facts::enumeration_types::EnumerationTypes;
use crate::facts::file_index::FileIndex;
use crate::facts::records::Records;
use crate::facts::scope::{Entity, Scopes};
use crate::facts::variables::Origin;
use crate::syntax::kind::{Field, Kind};
use crate::syntax::queries::{children, has_storage, named_children, text};
use crate::syntax::tree::Node;
use loopwright_scop::ElementKind;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The declarations of a whole file.
pub(crate) fn scopes_of_file<'t>(source: &str, root: Node<'t>) -> Scopes<'t> {
    let mut scopes = Scopes { stack: vec![Arc::default()], ..Scopes::default() };
    let types = Arc::make_mut(&mut scopes.types);
    types.records = Records::of_file(source, root);
    types.enumerations = enumerations_of_file(source, root);
    scopes.index = Arc::new(FileIndex::of_file(source, root));
    for item in named_children(root) {
        match item.kind() {
            Kind::Declaration => {
                let is_static = has_storage(source, item, "static");
                scopes.declare(source, item, Origin::File { is_static });
            }
            Kind::TypeDefinition => scopes.define_type(source, item),
            Kind::FunctionDefinition => scopes.define_function(source, item),
            _ => scopes.enumerators(source, item),
        }
    }
    scopes.variables.share();
    scopes
}

/// The types of the enumerations of a file.
fn enumerations_of_file(source: &str, root: Node<'_>) -> EnumerationTypes {
    let defined: Vec<Node<'_>> = root.of_kind(Kind::EnumSpecifier).filter(is_definition).collect();
    let mut uses: FxHashMap<&str, usize> = FxHashMap::default();
    for name in defined.iter().flat_map(|node| constants(*node)) {
        *uses.entry(text(source, name)).or_default() += 1;
    }
    let mut found = EnumerationTypes::default();
    let mut scopes = Scopes::default();
    scopes.push();
    for node in defined {
        // A constant with a name of several may be another one where a value mentions it.
        let values = items(node).filter_map(|item| item.field(Field::Value));
        let mentioned = values.flat_map(|value| value.of_kind(Kind::Identifier));
        let is_clear = mentioned
            .map(|name| text(source, name))
            .all(|name| uses.get(name).is_none_or(|uses| *uses == 1));
        scopes.enumerators(source, node);
        found.add(source, node, is_clear.then(|| type_of(source, node, &scopes)).flatten());
    }
    found
}

fn is_definition(node: &Node<'_>) -> bool {
    node.field(Field::Body).is_some()
}

/// The constants of an enumeration, with their values.
fn items(node: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    let body = node.field(Field::Body).into_iter().flat_map(named_children);
    body.filter(|item| item.kind() == Kind::Enumerator)
}

/// The names of the constants of an enumeration.
fn constants(node: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    items(node).filter_map(|item| item.field(Field::Name))
}

/// The type of an enumeration whose constants are in scope.
fn type_of(source: &str, node: Node<'_>, scopes: &Scopes<'_>) -> Option<ScalarType> {
    let changes_size = |attribute: &str| attribute.contains("packed") || attribute.contains("mode");
    let mut attributes = children(node).filter(|child| child.kind().is_attribute());
    if attributes.any(|attribute| changes_size(text(source, attribute))) {
        return None;
    }
    let mut has_negative = false;
    for name in constants(node) {
        // Constants that are no `int` have no value here.
        let Some(Entity::Constant(value)) = scopes.lookup(text(source, name)) else { return None };
        has_negative |= value < 0;
    }
    Some(match has_negative {
        true => ScalarType::int(),
        false => ScalarType::new("unsigned int", ElementKind::Unsigned, 4),
    })
}
