//! The integer types of enumerations.
//!
//! C leaves the choice to the compiler. GCC and Clang take `unsigned int` where no constant is negative (so
//! in `i < kind` both sides are unsigned), and `int` where one is. Of enumerations with other attributes or
//! with constants that are no `int` nothing is known.
use crate::facts::ctypes::ScalarType;
use crate::syntax::kind::Field;
use crate::syntax::queries::text;
use crate::syntax::tree::Node;
use rustc_hash::FxHashMap;

/// The types of the enumerations that a file defines; none where it is not known.
#[derive(Clone, Debug, Default)]
pub(crate) struct EnumerationTypes {
    /// By tag; none if a file uses a tag for several ones.
    by_tag: FxHashMap<String, Option<ScalarType>>,
    by_start: FxHashMap<usize, Option<ScalarType>>,
}

impl EnumerationTypes {
    pub(crate) fn add(&mut self, source: &str, node: Node<'_>, scalar: Option<ScalarType>) {
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
