//! Loops and variables of a statement's own: what no model has, and kernels execute as it is written.
//!
//! A `while` loop, or a `for` loop whose iterations depend on data, is text with parts that have structure.
//! In the text there may be words of control flow and of types that mean the same in kernels, and names that
//! the statement declares. Pointers are none of it: memory of a device has other types.
use super::functions;
use super::words::{RESERVED, WORDS};
use loopwright_scop::{Body, Term, TermKind};
use std::collections::BTreeSet;

/// Words of control flow that stay inside of a statement.
pub(super) const FLOW: [&str; 10] =
    ["for", "while", "do", "break", "continue", "if", "else", "switch", "case", "default"];

/// Names of functions of kernels that are none of C's library.
const OF_KERNELS: [&str; 2] = ["min", "max"];

/// What stands for a part with structure.
pub(super) const PART: char = '\u{1}';

/// The variables that a statement declares for itself; in words what there is in its text that kernels cannot
/// have. Parts of which something else is known are left out.
pub(super) fn own_variables(
    body: &Body,
    is_known_part: &dyn Fn(&Term) -> bool,
) -> Result<BTreeSet<String>, String> {
    let mut texts = Vec::new();
    if let Some(root) = body.root() {
        root.for_each(&mut |term: &Term| {
            if *term.kind() == TermKind::Opaque && !is_known_part(term) {
                texts.push(term.texts().join(&PART.to_string()));
            }
        });
    }
    let texts: Vec<Vec<Token>> = texts.iter().map(|text| tokens(text)).collect();
    let mut own = BTreeSet::new();
    texts.iter().for_each(|text| declared(text, &mut own));
    for token in texts.iter().flatten() {
        match token {
            Token::Word(word) if is_known(word, &own) => {}
            Token::Word(word) => return Err(format!("kernels do not have `{word}`")),
            Token::Number(text) if text.ends_with(['l', 'L']) && text.contains(['.', 'e', 'p']) => {
                return Err("kernels have no `long double`".to_string());
            }
            Token::Number(_) => {}
            Token::Sign(sign) if ";,=()[]{}<>+-!?:|%^~/".contains(*sign) || *sign == PART => {}
            Token::Sign(sign) => {
                return Err(format!("it has `{sign}` in loops or declarations of its own"));
            }
        }
    }
    let is_taken = |name: &&String| {
        let name = name.as_str();
        let is_function = functions::is_known(name) || OF_KERNELS.contains(&name);
        is_function || RESERVED.contains(&name) || name.starts_with("lw_")
    };
    match own.iter().find(is_taken) {
        Some(name) => Err(format!("its variable `{name}` means something else there")),
        None => Ok(own),
    }
}

fn is_known(word: &str, own: &BTreeSet<String>) -> bool {
    WORDS.contains(&word) || FLOW.contains(&word) || own.contains(word)
}

/// A word, a number or a sign.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Token {
    Word(String),
    Number(String),
    Sign(char),
}

impl Token {
    /// The word, if it is one.
    pub(super) fn word(&self) -> Option<&str> {
        match self {
            Token::Word(word) => Some(word),
            _ => None,
        }
    }
}

/// The words, numbers and signs of a text.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut found = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let end = match first {
            c if c.is_ascii_digit() => rest.find(|c| !is_part(c) && c != '.'),
            c if is_part(c) => rest.find(|c| !is_part(c)),
            c => Some(c.len_utf8()),
        };
        let (token, after) = rest.split_at(end.unwrap_or(rest.len()));
        found.push(match first {
            c if c.is_ascii_digit() => Token::Number(token.to_string()),
            c if is_part(c) => Token::Word(token.to_string()),
            c => Token::Sign(c),
        });
        rest = after.trim_start();
    }
    found
}

/// Adds the names that a text declares: behind the words of a type, and behind commas until the declaration
/// ends.
pub(super) fn declared(text: &[Token], own: &mut BTreeSet<String>) {
    let is_type =
        |token: &Token| matches!(token, Token::Word(word) if WORDS.contains(&word.as_str()));
    let mut at = 0;
    while at < text.len() {
        let begins = at == 0 || matches!(text[at - 1], Token::Sign(';' | '{' | '}' | '('));
        if !(begins && is_type(&text[at])) {
            at += 1;
            continue;
        }
        let mut depth = 0usize;
        let mut is_name_next = true;
        while at < text.len() {
            match &text[at] {
                token if is_type(token) && is_name_next => {}
                Token::Word(name) if is_name_next => {
                    own.insert(name.clone());
                    is_name_next = false;
                }
                Token::Sign('(' | '[' | '{') => depth += 1,
                Token::Sign(')' | ']' | '}') if depth > 0 => depth -= 1,
                Token::Sign(';' | ')') => break,
                Token::Sign(',') if depth == 0 => is_name_next = true,
                // A cast, or what is no name where one belongs.
                _ if is_name_next => break,
                _ => {}
            }
            at += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use loopwright_scop::BodyPiece;

    fn of(text: &str) -> Result<Vec<String>, String> {
        own_variables(&Body::read([BodyPiece::text(text)]), &|_| false)
            .map(|own| own.into_iter().collect())
    }

    #[test]
    fn loops_and_their_variables_are_known() {
        assert_eq!(of("for (int k = 0; k < 5; k++) k += 2"), Ok(vec!["k".to_string()]));
        let two = of("{ double t = 1, u[3]; while (t < 5) { const int m = 2; t = t + m; } }");
        assert_eq!(two, Ok(["m", "t", "u"].map(String::from).to_vec()));
        assert_eq!(of("for (;;) { if (3 < 2) continue; else break; }"), Ok(Vec::new()));
    }

    #[test]
    fn what_kernels_cannot_have_is_named() {
        for (text, part) in [
            ("for (struct s x; 1; ) 2", "`struct`"),
            ("while (1) { asm(\"nop\"); }", "`asm`"),
            ("while (1) { double *p; }", "`*`"),
            ("do { goto end; } while (1)", "`goto`"),
            ("for (int min = 0; min < 3; min++) 1", "`min` means something else"),
            ("for (int sqrt = 0; sqrt < 3; sqrt++) 1", "`sqrt` means something else"),
            ("while (1) { other b = 3; }", "`other`"),
            ("while (1) { double x = 1.5L; }", "`long double`"),
        ] {
            let message = of(text).expect_err(text);
            assert!(message.contains(part), "{text}: {message}");
        }
    }
}
