//! The words that are no identifiers.
use super::lexer::Class;
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// Words whose nodes are called after them.
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

/// Words whose nodes have another kind than the word.
const NAMED: [(Class, &str, &[&str]); 5] = [
    (
        Class::Primitive,
        "primitive_type",
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
        "type_identifier",
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
    (Class::Constant, "true", &["true", "TRUE"]),
    (Class::Constant, "false", &["false", "FALSE"]),
    (Class::Constant, "null", &["NULL", "nullptr"]),
];

static WORDS: LazyLock<FxHashMap<&'static str, (Class, &'static str)>> = LazyLock::new(|| {
    let own = KEYWORDS
        .iter()
        .flat_map(|(class, words)| words.iter().map(|word| (*word, (*class, *word))));
    let named = NAMED.iter();
    let named =
        named.flat_map(|(class, kind, words)| words.iter().map(|word| (*word, (*class, *kind))));
    own.chain(named).collect()
});

/// The class and kind of a word.
pub(super) fn word(text: &str) -> (Class, &'static str) {
    WORDS.get(text).copied().unwrap_or((Class::Identifier, "identifier"))
}
