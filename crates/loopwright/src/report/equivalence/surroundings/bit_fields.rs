//! Bit-fields that regions only read.
//!
//! A model gives a bit-field all values of its type. If both programs only read it, and it has the type that
//! it has in expressions, they read values of that type: what is equal for all of these is equal. A difference
//! may be one for values that it never holds.
use super::file::File;
use super::items::Item;
use super::tokens::Token;
use std::ops::Range;

/// Types whose bit-fields have that type, or `int`, in expressions: an `unsigned` one would become an `int`.
const KEPT: [&[&str]; 5] =
    [&["int"], &["signed"], &["signed", "int"], &["short"], &["short", "int"]];

const CHANGES: [&str; 13] =
    ["=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "++", "--"];

/// A bit-field of a structure.
pub(super) struct BitField<'f> {
    pub(super) name: &'f str,
    /// Whether reading it gives a value of the type that it is declared with.
    has_kept_type: bool,
}

/// The bit-fields that an item declares.
pub(super) fn bit_fields<'f>(file: &'f File, item: &Item) -> Vec<BitField<'f>> {
    let own = &file.tokens[item.range.clone()];
    let has = |word: &str| own.iter().any(|token| token.is(word));
    if item.body.is_some() || !(has("struct") || has("union")) {
        return Vec::new();
    }
    let is_field = |at: &usize| {
        let next = |n: usize| own.get(at + n);
        own[*at].is_word()
            && next(1).is_some_and(|own| own.is(":"))
            && next(2).is_some_and(|own| !own.is(":"))
    };
    let field = |at: usize| {
        let is_end = |token: &Token| matches!(&*token.text, ";" | "{" | "}" | ",");
        let start = own[..at].iter().rposition(is_end).map_or(0, |end| end + 1);
        let words: Vec<&str> = own[start..at].iter().map(|token| &*token.text).collect();
        let is_first = start > 0 && !own[start - 1].is(",");
        let has_kept_type = is_first && KEPT.contains(&&*words) && !has("union");
        BitField { name: &own[at].text, has_kept_type }
    };
    (1..own.len()).filter(is_field).map(field).collect()
}

impl BitField<'_> {
    /// Whether functions, as far as the ends of their regions, do nothing with it but read it.
    pub(super) fn is_only_read(&self, files: [&File; 2]) -> bool {
        self.has_kept_type && files.iter().all(|file| self.is_only_read_in(file))
    }

    fn is_only_read_in(&self, file: &File) -> bool {
        let range = file.function.range.start..file.region.end;
        let mut uses = range.clone().filter(|at| file.tokens[*at].names(self.name));
        uses.all(|at| is_read(&file.tokens, &range, at))
    }
}

/// Whether a word is the last member of an expression that is read.
fn is_read(tokens: &[Token], range: &Range<usize>, at: usize) -> bool {
    let is_access = |token: &Token| token.is(".") || token.is("->");
    let mut start = at;
    while start > range.start && is_access(&tokens[start - 1]) {
        let mut end = start - 1;
        // Subscripts and parentheses in front of the member.
        while end > range.start && (tokens[end - 1].is("]") || tokens[end - 1].is(")")) {
            let Some(open) = opening(tokens, end - 1) else { return false };
            end = open;
        }
        if end <= range.start {
            return false;
        }
        start = if tokens[end - 1].is_word() { end - 1 } else { end };
    }
    if start == at {
        return false;
    }
    let next = &tokens[at + 1].text;
    let before = &tokens[start.saturating_sub(1)].text;
    let is_alone = next == ")" && before == "(";
    !is_alone && !CHANGES.contains(&&**next) && !matches!(&**before, "++" | "--" | "&")
}

/// The position of the bracket that a closing one belongs to.
fn opening(tokens: &[Token], close: usize) -> Option<usize> {
    let mut depth = 0usize;
    for at in (0..=close).rev() {
        match &*tokens[at].text {
            ")" | "]" | "}" => depth += 1,
            "(" | "[" | "{" => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}
