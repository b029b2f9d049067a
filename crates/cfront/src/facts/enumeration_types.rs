//! The integer types of enumerations.
//!
//! C leaves the choice to the compiler. GCC and Clang take `unsigned int` where no constant is negative (so in
//! `i < kind` both sides are unsigned), and `int` where one is. Of enumerations with other attributes or with
//! constants that are no `int` nothing is known.
use crate::facts::ctypes::ScalarType;
use crate::facts::scope::{Entity, Scopes};
use crate::syntax::kind::{Field, Kind};
use crate::syntax::queries::{children, named_children, text};
use crate::syntax::tree::Node;
use loopwright_scop::ElementKind;
use rustc_hash::FxHashMap;

/// The types of the enumerations that a file defines; none where it is not known.
#[derive(Clone, Debug, Default)]
pub(crate) struct EnumerationTypes {
    /// By tag; none if a file uses a tag for several ones.
    by_tag: FxHashMap<String, Option<ScalarType>>,
    by_start: FxHashMap<usize, Option<ScalarType>>,
}

impl EnumerationTypes {
    /// Those of a whole file.
    pub(crate) fn of_file(source: &str, root: Node<'_>) -> Self {
        let defined: Vec<Node<'_>> =
            root.of_kind(Kind::EnumSpecifier).filter(is_definition).collect();
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

    fn add(&mut self, source: &str, node: Node<'_>, scalar: Option<ScalarType>) {
        if let Some(tag) = node.field(Field::Name) {
            let known = self.by_tag.entry(text(source, tag).to_string());
            known.and_modify(|scalar| *scalar = None).or_insert_with(|| scalar.clone());
        }
        self.by_start.insert(node.start_byte(), scalar);
    }

    /// The type of the enumeration that a specifier names or defines.
    pub(crate) fn find(&self, source: &str, specifier: Node<'_>) -> Option<ScalarType> {
        if let Some(scalar) = self.by_start.get(&specifier.start_byte()) {
            return scalar.clone();
        }
        let tag = specifier.field(Field::Name)?;
        self.by_tag.get(text(source, tag))?.clone()
    }
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
