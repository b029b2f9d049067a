//! Types of C: specifiers, declarators, and what is known about a scalar type.
use crate::facts::records::RecordId;
use crate::syntax::kind::{Field, Kind};
use crate::syntax::queries::{children, has_storage, text};
use crate::syntax::tree::Node;
use loopwright_scop::{self as scop, ElementKind, FloatingType};

/// A scalar type as it is spelled, and what is known about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ScalarType {
    /// The text for declarations, without qualifiers and storage classes.
    pub(crate) spelling: String,
    pub(crate) kind: ElementKind,
    pub(crate) bytes: Option<u64>,
    /// The structure or union that it is, if its members are known.
    pub(crate) record: Option<RecordId>,
    /// Whether it is `_Bool`, by whatever name.
    pub(crate) is_bool: bool,
    /// Whether it is `char` without a word about its sign, by whatever name.
    pub(crate) is_plain_char: bool,
}

impl ScalarType {
    /// The type of numbers that it is.
    pub(crate) fn of_numbers(&self) -> Option<scop::ScalarType> {
        let bytes = self.bytes?;
        Some(match (self.kind, bytes) {
            (ElementKind::Signed, _) => scop::ScalarType::Integer { is_signed: true, bytes },
            (ElementKind::Unsigned, _) => scop::ScalarType::Integer { is_signed: false, bytes },
            (ElementKind::Floating, 4) => scop::ScalarType::Floating(FloatingType::Float),
            (ElementKind::Floating, 8) => scop::ScalarType::Floating(FloatingType::Double),
            (ElementKind::Floating, 16) => scop::ScalarType::Floating(FloatingType::LongDouble),
            (ElementKind::Floating | ElementKind::Other, _) => return None,
        })
    }

    pub(crate) fn new(spelling: &str, kind: ElementKind, bytes: u64) -> Self {
        ScalarType {
            kind,
            bytes: Some(bytes),
            is_bool: spelling.to_ascii_lowercase().contains("bool"),
            is_plain_char: spelling == "char",
            ..ScalarType::other(spelling)
        }
    }

    /// Whether values are integers.
    pub(crate) fn is_integer(&self) -> bool {
        matches!(self.kind, ElementKind::Signed | ElementKind::Unsigned)
    }

    /// Whether it only has the values 0 and 1.
    pub(crate) fn is_truth_value(&self) -> bool {
        self.is_bool
    }

    /// Whether its sign is the same for all compilers: not that of plain `char`.
    pub(crate) fn has_sign(&self) -> bool {
        !self.is_plain_char
    }

    /// The type of what is declared without one.
    pub(crate) fn int() -> Self {
        ScalarType::new("int", ElementKind::Signed, 4)
    }

    pub(crate) fn other(spelling: &str) -> Self {
        let spelling = spelling.to_string();
        ScalarType {
            spelling,
            kind: ElementKind::Other,
            bytes: None,
            record: None,
            is_bool: false,
            is_plain_char: false,
        }
    }
}

/// One level of a declarator, from the name outwards.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Dimension<'t> {
    /// `*`.
    Pointer,
    /// `[expression]`.
    Extent(Node<'t>),
    /// `[]`.
    Unknown,
}

/// Whether a declaration gives names for the linker, or registers, to what it declares.
pub(crate) fn has_linker_name(source: &str, declaration: Node<'_>) -> bool {
    declaration.kind() == Kind::Declaration
        && text(source, declaration).contains("asm")
        && declaration.has_kind(&[Kind::GnuAsmExpression])
}

/// Why accesses of a variable can be no part of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Oddity {
    /// Each access is to happen.
    Volatile,
    /// Each access is to happen at once, as other threads may see it.
    Atomic,
    /// Each thread has a variable of its own.
    PerThread,
    /// It has another name for the linker, which may be that of another variable.
    Renamed,
}

impl Oddity {
    /// What the storage classes of a declaration, and a name for the linker, make of what it declares.
    pub(crate) fn of_storage(source: &str, declaration: Node<'_>) -> Option<Self> {
        let classes = ["_Thread_local", "thread_local", "__thread"];
        let is_per_thread = classes.iter().any(|class| has_storage(source, declaration, class));
        let is_renamed = || has_linker_name(source, declaration);
        match is_per_thread {
            true => Some(Oddity::PerThread),
            false => is_renamed().then_some(Oddity::Renamed),
        }
    }

    /// What a qualifier without its underscores makes of a variable.
    pub(crate) fn of_qualifier(word: &str) -> Option<Self> {
        match word {
            "volatile" => Some(Oddity::Volatile),
            "Atomic" => Some(Oddity::Atomic),
            _ => None,
        }
    }

    /// What is said about such a variable after its name.
    pub(crate) fn said(self) -> &'static str {
        match self {
            Oddity::Volatile => "is volatile",
            Oddity::Atomic => "is atomic",
            Oddity::PerThread => "is a variable of each thread",
            Oddity::Renamed => "has another name for the linker (`__asm__`)",
        }
    }

    /// Why it is refused.
    pub(crate) fn reason(self) -> &'static str {
        match self {
            Oddity::Volatile => "each access of it is to happen, once, in order",
            Oddity::Atomic => "other threads may see each access of it, in order",
            Oddity::PerThread => "the threads of a parallel loop would access others",
            Oddity::Renamed => "another variable may have that name, and be the same memory",
        }
    }
}

/// A type with the dimensions of a declarator.
#[derive(Clone, Debug)]
pub(crate) struct DeclaredType<'t> {
    pub(crate) scalar: ScalarType,
    pub(crate) dimensions: Vec<Dimension<'t>>,
    pub(crate) oddity: Option<Oddity>,
    pub(crate) is_const: bool,
    /// Whether it is a pointer (or an array parameter) that is qualified `restrict`.
    pub(crate) is_restrict: bool,
}

impl DeclaredType<'_> {
    /// A scalar without qualifiers.
    pub(crate) fn of_scalar(scalar: ScalarType) -> Self {
        DeclaredType {
            scalar,
            dimensions: Vec::new(),
            oddity: None,
            is_const: false,
            is_restrict: false,
        }
    }
}

/// A name with its type, from a declarator.
#[derive(Clone, Debug)]
pub(crate) struct Declarator<'t> {
    pub(crate) name: Node<'t>,
    pub(crate) dimensions: Vec<Dimension<'t>>,
    pub(crate) is_function: bool,
    /// Whether the outermost dimension is qualified `restrict`.
    pub(crate) is_restrict: bool,
    /// Whether a pointer on the way is volatile itself.
    pub(crate) is_volatile: bool,
}

const MAX_DECLARATOR_DEPTH: usize = 32;

/// Splits a declarator into the name and its dimensions, from the name outwards.
pub(crate) fn declarator<'t>(source: &str, node: Node<'t>) -> Option<Declarator<'t>> {
    // From the outside in; the dimensions are collected in reverse.
    let mut dimensions = Vec::new();
    let mut node = node;
    let mut is_function = false;
    let (mut is_restrict, mut is_volatile) = (false, false);
    for _ in 0..MAX_DECLARATOR_DEPTH {
        match node.kind() {
            Kind::Identifier | Kind::TypeIdentifier | Kind::FieldIdentifier => {
                dimensions.reverse();
                let name = node;
                return Some(Declarator {
                    name,
                    dimensions,
                    is_function,
                    is_restrict,
                    is_volatile,
                });
            }
            Kind::ArrayDeclarator => {
                is_restrict = has_restrict(source, node);
                dimensions.push(match node.field(Field::Size) {
                    Some(size) if size.is_named() => Dimension::Extent(size),
                    _ => Dimension::Unknown,
                });
            }
            Kind::PointerDeclarator => {
                is_restrict = has_restrict(source, node);
                is_volatile |= has_qualifier(source, node, "volatile");
                dimensions.push(Dimension::Pointer);
            }
            Kind::FunctionDeclarator => is_function = true,
            Kind::InitDeclarator | Kind::ParenthesizedDeclarator | Kind::AttributedDeclarator => {}
            _ => return None,
        }
        let inner = node.field(Field::Declarator);
        node = inner.or_else(|| {
            children(node).find(|c| c.kind().is_declarator() || c.kind() == Kind::Identifier)
        })?;
    }
    None
}

fn has_restrict(source: &str, declarator: Node<'_>) -> bool {
    has_qualifier(source, declarator, "restrict")
}

fn has_qualifier(source: &str, declarator: Node<'_>, word: &str) -> bool {
    let mut qualifiers = children(declarator).filter(|c| c.kind() == Kind::TypeQualifier);
    qualifiers.any(|qualifier| text(source, qualifier).contains(word))
}

/// A type made of keywords, in any order (`long unsigned int`).
pub(crate) fn primitive_type(words: &[&str]) -> ScalarType {
    let count = |word: &str| words.iter().filter(|w| **w == word).count();
    let spelling = words.join(" ");
    let is_complex = count("_Complex") + count("__complex__") > 0;
    let (kind, bytes) = if count("void") + count("__int128") > 0 || words.is_empty() {
        return ScalarType::other(&spelling);
    } else if is_complex && count("float") + count("double") == 1 {
        let part = if count("float") > 0 { 4 } else { 8 << count("long") };
        (ElementKind::Other, 2 * part)
    } else if is_complex {
        return ScalarType::other(&spelling);
    } else if count("double") > 0 {
        (ElementKind::Floating, if count("long") > 0 { 16 } else { 8 })
    } else if count("float") > 0 {
        (ElementKind::Floating, 4)
    } else if count("bool") + count("_Bool") > 0 {
        (ElementKind::Unsigned, 1)
    } else if let Some(known) = words.first().filter(|_| words.len() == 1).and_then(|w| exact(w)) {
        known
    } else {
        let bytes = match () {
            () if count("char") > 0 => 1,
            () if count("short") > 0 => 2,
            () if count("long") > 0 => 8,
            () if count("int") + count("unsigned") + count("signed") > 0 => 4,
            () => return ScalarType::other(&spelling),
        };
        let unsigned = count("unsigned") > 0;
        (if unsigned { ElementKind::Unsigned } else { ElementKind::Signed }, bytes)
    };
    ScalarType::new(&spelling, kind, bytes)
}

/// The types of `<stddef.h>`, `<stdint.h>`, `<stdbool.h>`.
pub(crate) fn standard_type(name: &str) -> Option<ScalarType> {
    let (kind, bytes) = match name {
        "bool" | "_Bool" => (ElementKind::Unsigned, 1),
        "uint" => (ElementKind::Unsigned, 4),
        "ushort" => (ElementKind::Unsigned, 2),
        "ulong" => (ElementKind::Unsigned, 8),
        "float_t" => (ElementKind::Floating, 4),
        "double_t" => (ElementKind::Floating, 8),
        _ => exact(name)?,
    };
    Some(ScalarType::new(name, kind, bytes))
}

fn exact(name: &str) -> Option<(ElementKind, u64)> {
    let stem = name.strip_suffix("_t")?;
    match stem {
        "size" | "uintptr" | "uintmax" => return Some((ElementKind::Unsigned, 8)),
        "ssize" | "ptrdiff" | "intptr" | "intmax" | "off" => {
            return Some((ElementKind::Signed, 8));
        }
        _ => {}
    }
    let (kind, rest) = match stem.strip_prefix('u') {
        Some(rest) => (ElementKind::Unsigned, rest),
        None => (ElementKind::Signed, stem),
    };
    let rest = rest.strip_prefix("int")?;
    let (fast, rest) = match rest.strip_prefix("_fast") {
        Some(rest) => (true, rest),
        None => (false, rest.strip_prefix("_least").unwrap_or(rest)),
    };
    let bytes = match rest {
        "8" => 1,
        "16" if fast => 8,
        "16" => 2,
        "32" if fast => 8,
        "32" => 4,
        "64" => 8,
        _ => return None,
    };
    Some((kind, bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_in_any_order() {
        let t = primitive_type(&["long", "unsigned", "int"]);
        assert_eq!((t.kind, t.bytes), (ElementKind::Unsigned, Some(8)));
        let t = primitive_type(&["unsigned", "char"]);
        assert_eq!((t.kind, t.bytes), (ElementKind::Unsigned, Some(1)));
        let complex = primitive_type(&["long", "double", "_Complex"]);
        assert_eq!((complex.kind, complex.bytes), (ElementKind::Other, Some(32)));
        for words in [&["void"][..], &["int", "_Complex"], &["unsigned", "__int128"]] {
            assert_eq!(primitive_type(words).kind, ElementKind::Other);
        }
        assert_eq!(exact("uint_least16_t"), Some((ElementKind::Unsigned, 2)));
        assert_eq!(exact("xint8_t"), None);
    }
}
