//! The names that system headers define for types, of headers that are not parsed.
use rustc_hash::FxHashSet;

/// The names after `typedef` in a text.
///
/// *Cost.* Linear in the text.
pub(crate) fn system_types(headers: &str) -> FxHashSet<&str> {
    headers.split("typedef ").skip(1).filter_map(defined_name).collect()
}

/// The name that a definition of a type (without its keyword) defines: the last word outside of braces,
/// parentheses and brackets, or that after the first `(*`.
fn defined_name(definition: &str) -> Option<&str> {
    let mut depth = 0usize;
    let mut name = None;
    let mut rest = definition;
    while let Some(first) = rest.chars().next() {
        let length = rest.find(|c: char| !is_word(c)).unwrap_or(rest.len());
        let word = &rest[..length];
        match first {
            ';' if depth == 0 => return name,
            '(' if depth == 0 && rest[1..].trim_start().starts_with('*') => {
                let inner = rest[1..].trim_start_matches(|c: char| !is_word(c));
                return inner.split(|c: char| !is_word(c)).next();
            }
            '{' | '(' | '[' => depth += 1,
            '}' | ')' | ']' => depth = depth.saturating_sub(1),
            _ if depth == 0 && length > 0 && !word.starts_with("__attribute") => name = Some(word),
            _ => {}
        }
        rest = &rest[length.max(first.len_utf8())..];
    }
    None
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_behind_all_kinds_of_types() {
        for (text, name) in [
            ("typedef unsigned long int word;", "word"),
            ("typedef struct { int quot; int rem; } div_t;", "div_t"),
            ("typedef struct __jmp_buf_tag jmp_buf[1];", "jmp_buf"),
            ("typedef int (*comparison) (const void *, const void *);", "comparison"),
            ("typedef float v4 __attribute__ ((__vector_size__ (16)));", "v4"),
            ("typedef void function(int);", "function"),
        ] {
            assert_eq!(system_types(text), FxHashSet::from_iter([name]), "{text}");
        }
        assert!(system_types("typedef int open").is_empty());
    }
}
