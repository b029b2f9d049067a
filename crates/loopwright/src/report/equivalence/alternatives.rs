//! Conditions that choose between two copies of the same statements.
//!
//! Texts that tools print have loops twice where it is decided when the program runs whether threads share them: once with
//! a directive, once without. What such a condition is does not matter.
use super::c_text::{blanked, closing};
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

/// `if (condition) then else otherwise`.
struct Alternatives {
    condition: Range<usize>,
    then: Range<usize>,
    otherwise: Range<usize>,
}

impl Alternatives {
    fn at(code: &str, at: usize) -> Option<Self> {
        let open = skip_blanks(code, at + 2);
        let close = code[open..].starts_with('(').then(|| closing(code, open)).flatten()?;
        let then = block(code, close + 1)?;
        let word = skip_blanks(code, then.end);
        let after = code[word..].starts_with("else").then_some(word + 4)?;
        let otherwise = block(code, after)?;
        Some(Alternatives { condition: open..close + 1, then, otherwise })
    }

    /// Whether both do the same, and the condition does nothing.
    fn are_copies(&self, code: &str) -> bool {
        let condition = &code[self.condition.clone()];
        let tokens =
            |range: &Range<usize>| code[range.clone()].split_whitespace().collect::<String>();
        let assigns =
            condition.replace("==", "").replace("<=", "").replace(">=", "").replace("!=", "");
        let does_nothing =
            !assigns.contains('=') && !condition.contains("++") && !condition.contains("--");
        does_nothing && !has_call(condition) && tokens(&self.then) == tokens(&self.otherwise)
    }
}

/// The block in braces that begins at a place.
fn block(code: &str, at: usize) -> Option<Range<usize>> {
    let open = skip_blanks(code, at);
    let close = code[open..].starts_with('{').then(|| closing(code, open)).flatten()?;
    Some(open..close + 1)
}

fn skip_blanks(code: &str, at: usize) -> usize {
    code.len() - code[at..].trim_start().len()
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Where a word is next.
fn next_word(code: &str, word: &str, mut from: usize) -> Option<usize> {
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
    use super::without_copies;

    #[test]
    fn copies_are_left_out() {
        let text = "if ((double)n * m > 5) {\n  #pragma omp parallel for\n  a();\n} else {\n  a();\n}\nb();";
        let kept = "{\n  #pragma omp parallel for\n  a();\n}\n\n\nb();";
        let lines = |text: &str| text.lines().map(|l| l.trim().to_string()).collect::<Vec<_>>();
        assert_eq!(lines(&without_copies(text)), lines(kept));
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
