//! Names that mean something else to the linker than the text says: other names for one variable or function
//! (`alias`, `__asm__`, `#pragma weak a = b`, `#pragma redefine_extname a b`), and weak definitions, in whose
//! place those of another file may be taken.
//!
//! Wherever in the file that is said, it holds for all uses of the name.
use crate::directives::{Directive, Family};
use crate::text::attributes::{after_literal, attribute_items, attribute_lists};
use std::collections::BTreeMap;
use std::ops::Range;

/// Attributes after which a declaration may stand for another object than its own.
const ATTRIBUTES: [&str; 6] = ["alias", "weakref", "weak", "ifunc", "selectany", "copy_of"];

/// Names of this file that may stand for other objects, with the byte of what says so.
#[derive(Clone, Debug, Default)]
pub(crate) struct LinkerNames {
    names: BTreeMap<String, Renamed>,
}

/// What is said about a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Renamed {
    /// Where that is said.
    pub(crate) byte: usize,
    /// By what, in the words of the file.
    pub(crate) by: String,
    /// Whether it is a pragma.
    pub(crate) is_pragma: bool,
}

impl LinkerNames {
    /// Reads a text with these directives.
    pub(crate) fn of_text(text: &str, directives: &[Directive]) -> LinkerNames {
        let mut all = LinkerNames::default();
        let is_about_names = |own: &&Directive| {
            own.family == Family::Other && matches!(&*own.name, "weak" | "redefine_extname")
        };
        for own in directives.iter().filter(is_about_names) {
            let name = words(&own.text).map(|range| &own.text[range]).nth(1);
            let by = format!("#pragma {}", own.text);
            all.add(name, Renamed { byte: own.start, by, is_pragma: true });
        }
        for (bytes, list) in attribute_lists(text) {
            if attribute_items(list).any(|(name, _)| ATTRIBUTES.contains(&name)) {
                all.add_declared(text, bytes);
            }
        }
        for bytes in labels(text) {
            all.add_declared(text, bytes);
        }
        all
    }

    fn add<'t>(&mut self, names: impl IntoIterator<Item = &'t str>, renamed: Renamed) {
        for name in names {
            self.names.entry(name.to_string()).or_insert_with(|| renamed.clone());
        }
    }

    /// Adds the words of the declaration around some bytes: its names are among them, others are types.
    fn add_declared(&mut self, text: &str, bytes: Range<usize>) {
        let by = text[bytes.clone()].split_whitespace().collect::<Vec<_>>().join(" ");
        let start = text[..bytes.start].rfind([';', '{', '}']).map_or(0, |at| at + 1);
        let behind = &text[bytes.end..];
        let end = bytes.end + behind.find([';', '{', '}']).unwrap_or(behind.len());
        for part in [start..bytes.start, bytes.end..end] {
            let part = &text[part];
            let renamed = Renamed { byte: bytes.start, by: by.clone(), is_pragma: false };
            self.add(outside_of_lists(part), renamed);
        }
    }

    /// Whether there is none.
    pub(crate) fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// What is said about a name.
    pub(crate) fn get(&self, name: &str) -> Option<&Renamed> {
        self.names.get(name)
    }
}

/// The words of a text that are names, outside of literals.
fn words(text: &str) -> impl Iterator<Item = Range<usize>> {
    let bytes = text.as_bytes();
    let is_word = |at: usize| {
        bytes.get(at).is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_' || *b >= 0x80)
    };
    let mut at = 0;
    std::iter::from_fn(move || {
        while at < bytes.len() {
            match bytes[at] {
                quote @ (b'"' | b'\'') => at = after_literal(bytes, at, quote),
                _ if is_word(at) => {
                    let start = at;
                    while is_word(at) {
                        at += 1;
                    }
                    if !bytes[start].is_ascii_digit() {
                        return Some(start..at);
                    }
                }
                _ => at += 1,
            }
        }
        None
    })
}

/// The names of a part of a declaration outside of parameters; those in parentheses of their own are kept
/// (`double (*rows)[4]`).
fn outside_of_lists(part: &str) -> Vec<&str> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let is_parameter = |range: &Range<usize>| {
        let before = &part[..range.start];
        let is_open = before.matches('(').count() > before.matches(')').count();
        before.rfind('(').filter(|_| is_open).is_some_and(|at| {
            before[..at].trim_end().ends_with(is_word)
                && !part[at + 1..].trim_start().starts_with('*')
        })
    };
    words(part).filter(|range| !is_parameter(range)).map(|range| &part[range]).collect()
}

/// Labels of declarations, `__asm__("name")`, with their brackets: names stand in front of them. (So does `)`
/// in `if (x) asm("nop");`, where no name is outside of the parentheses.)
fn labels(text: &str) -> Vec<Range<usize>> {
    if !text.contains("asm") {
        return Vec::new();
    }
    let is_label = |word: &Range<usize>| {
        let before = text[..word.start].trim_end();
        let is_behind_name =
            before.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | ')' | ']'));
        matches!(&text[word.clone()], "asm" | "__asm" | "__asm__") && is_behind_name
    };
    let end = |word: Range<usize>| {
        let behind = &text[word.end..];
        let blanks = behind.len() - behind.trim_start().len();
        let close = behind[blanks..].strip_prefix('(')?.find(')')?;
        Some(word.start..word.end + blanks + close + 2)
    };
    words(text).filter(is_label).filter_map(end).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::directives::read;

    #[test]
    fn names_are_found_wherever_they_are_given() {
        let cases: [(&str, &[&str], &[&str]); 10] = [
            ("extern double d __attribute__((alias(\"c\")));", &["d"], &["c"]),
            (
                "double x; __attribute__((weak)) double g(double y) { return y; }",
                &["g"],
                &["x", "y"],
            ),
            ("double g(double x) __asm__(\"h\");", &["g"], &["h", "x"]),
            ("extern double (*p)[4] asm (\"q\"), r;", &["p", "r"], &["q"]),
            ("void f(void) { int x; __asm__ volatile(\"nop\" : \"=r\"(x)); }", &[], &["x", "f"]),
            ("void f(int x) { if (x) asm(\"nop\"); else asm(\"cld\"); }", &[], &["f"]),
            ("#pragma weak a = b\nint c;", &["a"], &["b", "c"]),
            ("_Pragma(\"redefine_extname a b\") int c;", &["a"], &["b", "c"]),
            ("int a; void f(void) {\n#pragma weak a\n}", &["a"], &["f"]),
            ("double d __attribute__((aligned(8)));", &[], &["d"]),
        ];
        for (text, renamed, others) in cases {
            let found = LinkerNames::of_text(text, &read(text));
            assert!(renamed.iter().all(|name| found.get(name).is_some()), "{text}: {found:?}");
            assert!(others.iter().all(|name| found.get(name).is_none()), "{text}: {found:?}");
        }
    }
}
