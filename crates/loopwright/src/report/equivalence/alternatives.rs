//! Conditions that choose between two copies of the same statements.
//!
//! Texts that tools print have loops twice where it is decided when the program runs whether threads share
//! them: once with a directive, once without. What such a condition is does not matter. They also have the
//! statements of a region twice, new and as they were, under one condition on sizes or addresses that no
//! model has: then both are looked at.
use super::c_text::{blanked, body_of, closing, is_word};
use std::ops::Range;

/// A text with blanks in place of conditions between copies, and of the second copy.
pub(super) fn without_copies(text: &str) -> String {
    let mut result = text.as_bytes().to_vec();
    let code = blanked(text);
    let mut from = 0;
    while let Some(at) = next_word(&code, "if", from) {
        from = at + 2;
        let Some(found) = Alternatives::at(&code, at) else { continue };
        if !found.are_copies(&code) {
            continue;
        }
        for range in [at..found.then.start, found.then.end..found.otherwise.end] {
            let blank = |byte: &mut u8| *byte = if *byte == b'\n' { b'\n' } else { b' ' };
            result[range].iter_mut().for_each(blank);
        }
        from = found.then.start;
    }
    String::from_utf8(result).unwrap_or_else(|_| text.to_string())
}

/// The two texts between which a condition chooses that is computed with other types than integers, where a
/// function has one such condition outside of all loops and blocks; none if there is no function like that,
/// or several.
pub(super) fn versions(text: &str, functions: &[String]) -> Option<[String; 2]> {
    let code = blanked(text);
    let of_function = |function: &String| {
        let body = body_of(text, function)?;
        let (mut from, mut found) = (body.start, None);
        while let Some(at) = next_word(&code[..body.end], "if", from) {
            from = at + 2;
            let Some(own) = Alternatives::at(&code, at).filter(|own| own.is_about_the_run(&code))
            else {
                continue;
            };
            let before = &code[body.start..at];
            let is_outermost = before.matches('{').count() == before.matches('}').count();
            if !is_outermost || found.is_some() {
                return None;
            }
            from = own.otherwise.end;
            found = Some((at, own));
        }
        found
    };
    let mut all = functions.iter().filter_map(of_function);
    let (Some((at, own)), None) = (all.next(), all.next()) else { return None };
    let without = |ranges: &[Range<usize>; 2]| {
        let mut result = text.as_bytes().to_vec();
        for range in ranges {
            let blank = |byte: &mut u8| *byte = if *byte == b'\n' { b'\n' } else { b' ' };
            result[range.clone()].iter_mut().for_each(blank);
        }
        String::from_utf8(result).ok()
    };
    let first = without(&[at..own.then.start, own.then.end..own.otherwise.end])?;
    let nothing = own.otherwise.end..own.otherwise.end;
    Some([first, without(&[at..own.otherwise.start, nothing])?])
}

/// `if (condition) then else otherwise`.
pub(super) struct Alternatives {
    pub(super) condition: Range<usize>,
    then: Range<usize>,
    pub(super) otherwise: Range<usize>,
}

impl Alternatives {
    /// Those that begin at a place.
    pub(super) fn at(code: &str, at: usize) -> Option<Self> {
        let open = skip_blanks(code, at + 2);
        let close = code[open..].starts_with('(').then(|| closing(code, open)).flatten()?;
        let then = block(code, close + 1)?;
        let word = skip_blanks(code, then.end);
        let after = code[word..].starts_with("else").then_some(word + 4)?;
        let otherwise = block(code, after)?;
        Some(Alternatives { condition: open..close + 1, then, otherwise })
    }

    /// Whether the condition is one on addresses, or on sizes as floating numbers, and does nothing else.
    fn is_about_the_run(&self, code: &str) -> bool {
        let condition = &code[self.condition.clone()];
        let casts = ["(double)", "(unsigned long)"];
        let is_fraction =
            |own: &[u8]| own[0].is_ascii_digit() && own[1] == b'.' && own[2].is_ascii_digit();
        let has_floating = condition.as_bytes().windows(3).any(is_fraction)
            || casts.iter().any(|cast| condition.contains(cast));
        has_floating && self.does_nothing(code)
    }

    /// Whether both do the same, and the condition does nothing.
    fn are_copies(&self, code: &str) -> bool {
        let tokens =
            |range: &Range<usize>| -> String { code[range.clone()].split_whitespace().collect() };
        self.does_nothing(code) && tokens(&self.then) == tokens(&self.otherwise)
    }

    /// Whether the condition only compares.
    fn does_nothing(&self, code: &str) -> bool {
        only_computes(&code[self.condition.clone()])
    }
}

/// Whether an expression calls nothing and changes nothing.
pub(super) fn only_computes(expression: &str) -> bool {
    let mut rest = expression.replace("sizeof", "").replace("__extension__", "");
    for comparison in ["==", "<=", ">=", "!="] {
        rest = rest.replace(comparison, " < ");
    }
    let changes = rest.contains('=') || rest.contains("++") || rest.contains("--");
    !changes && !has_call(&rest)
}

/// The block in braces that begins at a place.
fn block(code: &str, at: usize) -> Option<Range<usize>> {
    let open = skip_blanks(code, at);
    let close = code[open..].starts_with('{').then(|| closing(code, open)).flatten()?;
    Some(open..close + 1)
}

pub(super) fn skip_blanks(code: &str, at: usize) -> usize {
    code.len() - code[at..].trim_start().len()
}

/// Where a word is next.
pub(super) fn next_word(code: &str, word: &str, mut from: usize) -> Option<usize> {
    while let Some(found) = code[from..].find(word) {
        let at = from + found;
        from = at + word.len();
        if !code[..at].ends_with(is_word) && !code[from..].starts_with(is_word) {
            return Some(at);
        }
    }
    None
}

/// Whether there is a name in front of a parenthesis.
fn has_call(condition: &str) -> bool {
    let opens = condition.char_indices().filter(|(_, c)| *c == '(');
    opens.into_iter().any(|(at, _)| condition[..at].trim_end().ends_with(is_word))
}

#[cfg(test)]
mod tests {
    use super::{versions, without_copies};

    #[test]
    fn copies_are_left_out() {
        let text = "if ((double)n * m > 5) {\n  #pragma omp parallel for\n  a();\n} else {\n  a();\n}\nb();";
        let kept = "{\n  #pragma omp parallel for\n  a();\n}\n\n\nb();";
        let lines = |text: &str| text.lines().map(|l| l.trim().to_string()).collect::<Vec<_>>();
        assert_eq!(lines(&without_copies(text)), lines(kept));
    }

    #[test]
    fn conditions_on_the_run_choose_between_two_texts() {
        let text =
            "void f(int n) {\n  if ((double)n * n > 5) {\n    a();\n  } else {\n    b();\n  }\n}\n";
        let [first, second] = versions(text, &["f".to_string()]).unwrap();
        assert!(first.contains("a();") && !first.contains("b();") && !first.contains("if"));
        assert!(second.contains("b();") && !second.contains("a();") && !second.contains("if"));
        assert_eq!(first.lines().count(), text.lines().count());
        for other in [text.replace("(double)n", "n"), text.replace("n * n >", "g(n) >")] {
            assert_eq!(versions(&other, &["f".to_string()]), None, "{other}");
        }
    }

    #[test]
    fn other_alternatives_stay() {
        for text in [
            "if (n > 5) { a(); } else { b(); }",
            "if (n++ > 5) { a(); } else { a(); }",
            "if (f(n)) { a(); } else { a(); }",
            "if (n = 5) { a(); } else { a(); }",
            "if (n > 5) { a(); }",
            "// if (n > 5) { a(); } else { a(); }",
        ] {
            assert_eq!(without_copies(text), text);
        }
    }
}
