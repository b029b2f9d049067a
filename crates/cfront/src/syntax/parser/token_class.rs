//! Classes of tokens.

/// What a token can begin or be part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    Identifier,
    Number,
    Character,
    Text,
    /// `true`, `NULL` and the like.
    Constant,
    /// A name of a type that is a keyword, or that no header need define.
    Primitive,
    /// `unsigned`, `long` and the like, `_Complex`.
    Size,
    Storage,
    Qualifier,
    /// `struct`, `union`, `enum`.
    Tag,
    Typeof,
    Attribute,
    Assembly,
    AlignAs,
    AlignOf,
    /// Any other keyword.
    Keyword,
    Sign,
    /// What is no token of C.
    Unknown,
    End,
}
