//! The types of elements and parameters as all languages have them.
use super::booleans::{is_boolean, type_in_kernels};
use super::language::Language;
use loopwright_scop::{Array, ElementKind, FloatingType};

/// Words of types that mean the same everywhere, in any order, with the type that they are.
const INTEGERS: [(&[&str], &str); 15] = [
    (&["int"], "int"),
    (&["signed"], "int"),
    (&["unsigned"], "unsigned int"),
    (&["long"], "long"),
    (&["long", "long"], "long"),
    (&["long", "unsigned"], "unsigned long"),
    (&["long", "long", "unsigned"], "unsigned long"),
    (&["short"], "short"),
    (&["short", "unsigned"], "unsigned short"),
    (&["char", "signed"], "signed char"),
    (&["char", "unsigned"], "unsigned char"),
    (&["size_t"], "unsigned long"),
    (&["ptrdiff_t"], "long"),
    (&["int32_t"], "int"),
    (&["int64_t"], "long"),
];

/// The type of a parameter; none if it is not known to be the same on a device.
pub(super) fn parameter_type(c_type: &str) -> Option<&'static str> {
    let is_type = |word: &&str| !matches!(*word, "const" | "register");
    let mut words: Vec<&str> = c_type.split_whitespace().filter(is_type).collect();
    words.sort_unstable();
    let is_long_form = words.len() > 1 && words.contains(&"int");
    words.retain(|word| !(is_long_form && *word == "int"));
    let is_signed_form = words.len() > 1 && !words.contains(&"char");
    words.retain(|word| !(is_signed_form && *word == "signed"));
    INTEGERS.iter().find(|(known, _)| *known == words).map(|(_, text)| *text)
}

/// The type of elements; none if a device has no such type.
pub(super) fn element_type(array: &Array, language: Language) -> Option<&'static str> {
    let own = array.element_type.as_str();
    if is_boolean(array) {
        return Some(type_in_kernels(language));
    }
    let is_strange = ["volatile", "_Atomic", "omplex", "_Bool", "bool"];
    if is_strange.iter().any(|word| own.contains(word)) {
        return None;
    }
    match (array.floating_type(), array.element_kind, array.element_bytes) {
        (Some(FloatingType::Float), ..) => Some("float"),
        (Some(FloatingType::Double), ..) => Some("double"),
        (Some(_), ..) => None,
        (None, ElementKind::Signed, Some(1)) => Some("signed char"),
        (None, ElementKind::Signed, Some(2)) => Some("short"),
        (None, ElementKind::Signed, Some(4)) => Some("int"),
        (None, ElementKind::Signed, Some(8)) => Some("long"),
        // Of one byte also: _Bool by another name.
        (None, ElementKind::Unsigned, Some(1)) => {
            matches!(own, "unsigned char" | "uint8_t").then_some("unsigned char")
        }
        (None, ElementKind::Unsigned, Some(2)) => Some("unsigned short"),
        (None, ElementKind::Unsigned, Some(4)) => Some("unsigned int"),
        (None, ElementKind::Unsigned, Some(8)) => Some("unsigned long"),
        _ => parameter_type(own),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_a_type_may_come_in_any_order() {
        assert_eq!(parameter_type("const int"), Some("int"));
        assert_eq!(parameter_type("long int"), Some("long"));
        assert_eq!(parameter_type("unsigned long int"), Some("unsigned long"));
        assert_eq!(parameter_type("int unsigned"), Some("unsigned int"));
        assert_eq!(parameter_type("signed long"), Some("long"));
        assert_eq!(parameter_type("my_int"), None);
    }
}
