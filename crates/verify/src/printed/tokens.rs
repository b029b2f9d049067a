//! The tokens of printed C.

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    Word,
    Number,
    /// A string or a character.
    Quoted,
    Operator,
    /// A whole line of the preprocessor.
    Directive,
}

/// A token and the line that it stands in (1-based).
#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'a> {
    pub(super) kind: TokenKind,
    pub(super) text: &'a str,
    pub(super) line: u32,
}

/// Operators of two characters that the text may have; all other operators are characters of their own, on
/// both sides of a comparison.
const PAIRS: [&str; 18] = [
    "<=", ">=", "==", "!=", "&&", "||", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=",
    "->", "<<",
];

/// All tokens, without blanks and comments.
///
/// *Cost.* Linear.
pub(super) fn tokens(text: &str) -> Vec<Token<'_>> {
    let (mut found, mut rest, mut line) = (Vec::new(), text, 1);
    let mut starts_line = true;
    while let Some(first) = rest.chars().next() {
        let length = length(rest, first, starts_line);
        let (piece, after) = rest.split_at(length);
        let kind = kind(piece, first, starts_line);
        if let Some(kind) = kind {
            found.push(Token { kind, text: piece, line });
        }
        let breaks = piece.matches('\n').count();
        starts_line = match kind {
            Some(TokenKind::Directive) => true,
            Some(_) => false,
            None => starts_line || breaks > 0,
        };
        line += u32::try_from(breaks).unwrap_or(u32::MAX);
        rest = after;
    }
    found
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

/// The kind of a piece; none for blanks and comments.
fn kind(piece: &str, first: char, starts_line: bool) -> Option<TokenKind> {
    match first {
        _ if first.is_whitespace() || piece.starts_with("/*") || piece.starts_with("//") => None,
        '#' if starts_line => Some(TokenKind::Directive),
        '"' | '\'' => Some(TokenKind::Quoted),
        _ if first.is_ascii_digit() => Some(TokenKind::Number),
        '.' if piece.len() > 1 => Some(TokenKind::Number),
        _ if is_word(first) => Some(TokenKind::Word),
        _ => Some(TokenKind::Operator),
    }
}

/// The bytes of the piece at the front.
fn length(rest: &str, first: char, starts_line: bool) -> usize {
    let until = |end: usize| end.min(rest.len());
    if first.is_whitespace() {
        return rest.find(|c: char| !c.is_whitespace()).unwrap_or(rest.len());
    }
    if rest.starts_with("/*") {
        return rest
            .get(2..)
            .and_then(|inside| inside.find("*/"))
            .map_or(rest.len(), |at| until(at + 4));
    }
    if rest.starts_with("//") {
        return rest.find('\n').unwrap_or(rest.len());
    }
    if first == '#' && starts_line {
        return directive_length(rest);
    }
    if first == '"' || first == '\'' {
        return quoted_length(rest, first);
    }
    let after_dot = rest[first.len_utf8()..].chars().next();
    if first.is_ascii_digit() || (first == '.' && after_dot.is_some_and(|c| c.is_ascii_digit())) {
        return number_length(rest);
    }
    if is_word(first) {
        return rest.find(|c: char| !is_word(c)).unwrap_or(rest.len());
    }
    match PAIRS.iter().any(|pair| rest.starts_with(pair)) {
        true => 2,
        false => first.len_utf8(),
    }
}

fn directive_length(rest: &str) -> usize {
    let mut end = 0;
    for line in rest.split_inclusive('\n') {
        end += line.len();
        if !line.trim_end().ends_with('\\') {
            break;
        }
    }
    end
}

fn quoted_length(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == quote => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

/// A number as the preprocessor sees it, exponents with signs included.
fn number_length(rest: &str) -> usize {
    let mut before = ' ';
    for (at, c) in rest.char_indices() {
        let is_sign = matches!(c, '+' | '-') && matches!(before, 'e' | 'E' | 'p' | 'P');
        if !(is_word(c) || c == '.' || is_sign) {
            return at;
        }
        before = c;
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_comments_and_numbers() {
        let text = "#define f(x) \\\n (x)\nA[c0+1]<=1e-3f; // end\n/* a\n b */ '\\'' -> \"x\\\"y\"";
        let found: Vec<(&str, u32)> = tokens(text).iter().map(|t| (t.text, t.line)).collect();
        let expected = [
            ("#define f(x) \\\n (x)\n", 1),
            ("A", 3),
            ("[", 3),
            ("c0", 3),
            ("+", 3),
            ("1", 3),
            ("]", 3),
            ("<=", 3),
            ("1e-3f", 3),
            (";", 3),
            ("'\\''", 5),
            ("->", 5),
            ("\"x\\\"y\"", 5),
        ];
        assert_eq!(found, expected);
    }
}
