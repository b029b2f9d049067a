//! The words that are no identifiers.
use super::token_class::Class;
use crate::syntax::kind::Kind;
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// Words without a kind that other texts have.
const KEYWORDS: [(Class, &[&str]); 10] = [
    (
        Class::Size,
        &[
            "signed",
            "unsigned",
            "long",
            "short",
            "_Complex",
            "__complex__",
            "__signed__",
            "__signed",
        ],
    ),
    (
        Class::Storage,
        &[
            "extern",
            "static",
            "auto",
            "register",
            "inline",
            "__inline",
            "__inline__",
            "__forceinline",
            "thread_local",
            "__thread",
            "_Thread_local",
        ],
    ),
    (
        Class::Qualifier,
        &[
            "const",
            "__const",
            "__const__",
            "constexpr",
            "volatile",
            "__volatile",
            "__volatile__",
            "restrict",
            "__restrict",
            "__restrict__",
            "__extension__",
            "_Atomic",
            "_Noreturn",
            "noreturn",
            "_Nonnull",
        ],
    ),
    (Class::Tag, &["struct", "union", "enum"]),
    (Class::Typeof, &["typeof", "__typeof__", "__typeof", "typeof_unqual"]),
    (Class::Attribute, &["__attribute__", "__attribute"]),
    (Class::Assembly, &["asm", "__asm__", "__asm"]),
    (Class::AlignAs, &["alignas", "_Alignas"]),
    (Class::AlignOf, &["__alignof__", "__alignof", "_alignof", "alignof", "_Alignof"]),
    (
        Class::Keyword,
        &[
            "if", "else", "switch", "case", "default", "while", "do", "for", "return", "break",
            "continue", "goto", "sizeof", "typedef", "_Generic", "__real__", "__real", "__imag__",
            "__imag",
        ],
    ),
];

/// Words whose nodes are more than words.
const NAMED: [(Class, Kind, &[&str]); 5] = [
    (
        Class::Primitive,
        Kind::PrimitiveType,
        &[
            "bool",
            "char",
            "int",
            "float",
            "double",
            "void",
            "size_t",
            "ssize_t",
            "ptrdiff_t",
            "intptr_t",
            "uintptr_t",
            "charptr_t",
            "nullptr_t",
            "max_align_t",
            "int8_t",
            "int16_t",
            "int32_t",
            "int64_t",
            "uint8_t",
            "uint16_t",
            "uint32_t",
            "uint64_t",
            "char8_t",
            "char16_t",
            "char32_t",
            "char64_t",
        ],
    ),
    (
        Class::Primitive,
        Kind::TypeIdentifier,
        &[
            "_Bool",
            "__int128",
            "__int128_t",
            "__uint128_t",
            "__float128",
            "_Float16",
            "_Float32",
            "_Float64",
            "_Float128",
            "_Float32x",
            "_Float64x",
            "__builtin_va_list",
        ],
    ),
    (Class::Constant, Kind::True, &["true", "TRUE"]),
    (Class::Constant, Kind::False, &["false", "FALSE"]),
    (Class::Constant, Kind::Null, &["NULL", "nullptr"]),
];

static WORDS: LazyLock<FxHashMap<&'static str, (Class, Kind)>> = LazyLock::new(|| {
    let own = KEYWORDS
        .iter()
        .flat_map(|(class, words)| words.iter().map(|word| (*word, (*class, kind_of_word(word)))));
    let named = NAMED.iter();
    let named =
        named.flat_map(|(class, kind, words)| words.iter().map(|word| (*word, (*class, *kind))));
    own.chain(named).collect()
});

/// The kind of a keyword's nodes.
fn kind_of_word(word: &str) -> Kind {
    let own = Kind::ALL.iter().find(|kind| kind.name() == word);
    own.copied().unwrap_or(Kind::Word)
}

/// The class and kind of a word.
pub(super) fn word(text: &str) -> (Class, Kind) {
    WORDS.get(text).copied().unwrap_or((Class::Identifier, Kind::Identifier))
}
