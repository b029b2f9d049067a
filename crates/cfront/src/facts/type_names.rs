//! The names of types that are known, and the types that declarations give.
use crate::facts::ctypes::{DeclaredType, Oddity, ScalarType, primitive_type, standard_type};
use crate::facts::enumeration_types::EnumerationTypes;
use crate::facts::records::Records;
use crate::syntax::kind::{Field, Kind};
use crate::syntax::queries::{children, text};
use crate::syntax::tree::Node;
use rustc_hash::FxHashMap;

/// The type names that are known, user's and standard ones.
#[derive(Clone, Debug, Default)]
pub(crate) struct TypeNames<'t> {
    names: FxHashMap<String, DeclaredType<'t>>,
    pub(crate) records: Records<'t>,
    pub(crate) enumerations: EnumerationTypes,
}

impl<'t> TypeNames<'t> {
    /// Adds a user's type name.
    pub(crate) fn insert(&mut self, name: &str, declared: DeclaredType<'t>) {
        self.names.insert(name.to_string(), declared);
    }

    /// Whether a name is a type.
    pub(crate) fn contains(&self, name: &str) -> bool {
        self.names.contains_key(name) || standard_type(name).is_some()
    }

    /// The base type of a declaration (or parameter, type definition, type descriptor).
    pub(crate) fn base_type(&self, source: &str, node: Node<'t>) -> DeclaredType<'t> {
        let mut words = Vec::new();
        let mut named = None;
        let (mut record, mut enumeration) = (None, None);
        let mut like = None;
        let (mut oddity, mut is_const) = (None, false);
        for child in children(node) {
            match child.kind() {
                Kind::TypeQualifier => {
                    let qualifier = text(source, child).trim_matches('_');
                    oddity = oddity.or(Oddity::of_qualifier(qualifier));
                    is_const |= qualifier == "const";
                }
                Kind::PrimitiveType | Kind::SizedTypeSpecifier => {
                    let all = text(source, child).split_whitespace();
                    let of_word = |word: &str| Oddity::of_qualifier(word.trim_matches('_'));
                    oddity = oddity.or(all.clone().find_map(of_word));
                    words.extend(all.filter(|word| of_word(word).is_none()));
                }
                // Behind it comes what a `typedef` defines.
                Kind::TypeIdentifier => named = named.or(Some(text(source, child))),
                Kind::StructSpecifier | Kind::UnionSpecifier => record = Some(child),
                Kind::EnumSpecifier => enumeration = Some(child),
                Kind::MacroTypeSpecifier => like = Some(text(source, child)),
                _ => {}
            }
        }
        let plain = |scalar| DeclaredType {
            scalar,
            dimensions: Vec::new(),
            oddity: None,
            is_const: false,
            is_restrict: false,
        };
        let mut declared = match (record.or(enumeration), named, like) {
            (Some(record), ..) if enumeration.is_none() => plain(self.record_type(source, record)),
            (Some(enumeration), ..) => plain(self.enumeration_type(source, enumeration)),
            (_, Some(name), _) if words.is_empty() => self.named(name),
            // The type of an expression, whatever it is.
            (_, _, Some(like)) => plain(ScalarType::other(like)),
            _ => plain(primitive_type(&words)),
        };
        declared.oddity = declared.oddity.or(oddity);
        declared.is_const |= is_const;
        declared
    }

    /// A structure or union; without a tag it has no text for declarations.
    fn record_type(&self, source: &str, specifier: Node<'t>) -> ScalarType {
        let keyword = specifier.kind().name().strip_suffix("_specifier").unwrap_or("struct");
        let tag = specifier.field(Field::Name).map(|name| text(source, name));
        let spelling = tag.map_or(String::new(), |tag| format!("{keyword} {tag}"));
        let record = self.records.find(source, specifier);
        ScalarType { record, ..ScalarType::other(&spelling) }
    }

    /// The integers that an enumeration is; one that is not known and has no tag has no text for
    /// declarations.
    pub(crate) fn enumeration_type(&self, source: &str, specifier: Node<'t>) -> ScalarType {
        let tag = specifier.field(Field::Name).map(|name| text(source, name));
        let spelling = tag.map_or(String::new(), |tag| format!("enum {tag}"));
        let known = self.enumerations.find(source, specifier);
        known.unwrap_or_else(|| ScalarType::other(&spelling))
    }

    /// The type that a name stands for.
    pub(crate) fn named(&self, name: &str) -> DeclaredType<'t> {
        if let Some(known) = self.names.get(name) {
            let mut known = known.clone();
            // A name of a scalar type is printed as the user spells it.
            if known.dimensions.is_empty() {
                known.scalar.spelling = name.to_string();
            }
            return known;
        }
        DeclaredType {
            scalar: standard_type(name).unwrap_or_else(|| ScalarType::other(name)),
            dimensions: Vec::new(),
            oddity: None,
            is_const: false,
            is_restrict: false,
        }
    }
}
