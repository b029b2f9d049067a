//! The text of a statement as tokens.
use loopwright_presburger::PwAff;
use loopwright_scop::{ArrayId, BodyPiece, ElementText, Statement};

/// A token of C, or a hole of the text.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Token<'a> {
    /// A name, a keyword or a number.
    Word(&'a str),
    /// An operator or a parenthesis.
    Symbol(&'a str),
    /// A variable or an element of an array.
    Element { base: &'a ElementText, array: ArrayId, subscripts: &'a [PwAff] },
    /// An integer expression over iterators.
    Expression(&'a PwAff),
}

/// Operators of more than one character.
const LONG: [&str; 20] = [
    "<<=", ">>=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<", ">>", "<=", ">=", "==",
    "!=", "&&", "||", "++", "--",
];

impl<'a> Token<'a> {
    /// The tokens of a statement's text.
    pub(crate) fn of(statement: &'a Statement) -> Vec<Token<'a>> {
        let mut tokens = Vec::new();
        for piece in &statement.body {
            match piece {
                BodyPiece::Text(text) => scan(text, &mut tokens),
                BodyPiece::Expression(expression) => tokens.push(Token::Expression(expression)),
                BodyPiece::Element { base, array, subscripts } => {
                    tokens.push(Token::Element { base, array: *array, subscripts });
                }
            }
        }
        tokens
    }

    /// Whether this is the operator or parenthesis.
    pub(crate) fn is(self, symbol: &str) -> bool {
        matches!(self, Token::Symbol(own) if own == symbol)
    }

    /// Whether both are written alike.
    pub(crate) fn is_same(self, other: Token<'_>) -> bool {
        let text = |expression: &PwAff| expression.to_string();
        match (self, other) {
            (Token::Word(a), Token::Word(b)) | (Token::Symbol(a), Token::Symbol(b)) => a == b,
            (Token::Expression(a), Token::Expression(b)) => text(a) == text(b),
            (
                Token::Element { base, subscripts, .. },
                Token::Element { base: base_b, subscripts: subscripts_b, .. },
            ) => {
                base == base_b
                    && subscripts.len() == subscripts_b.len()
                    && subscripts.iter().zip(subscripts_b).all(|(a, b)| text(a) == text(b))
            }
            _ => false,
        }
    }
}

/// Whether both are written alike.
pub(crate) fn is_same(a: &[Token<'_>], b: &[Token<'_>]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.is_same(*b))
}

/// The tokens with their depths in parentheses and brackets; a parenthesis belongs outside.
pub(crate) fn with_depths<'t, 'a>(
    tokens: &'t [Token<'a>],
) -> impl Iterator<Item = (usize, Token<'a>)> + 't {
    let mut depth = 0usize;
    tokens.iter().map(move |token| {
        let closes = [")", "]", "}"].iter().any(|symbol| token.is(symbol));
        depth = depth.saturating_sub(usize::from(closes));
        let here = depth;
        depth += usize::from(["(", "[", "{"].iter().any(|symbol| token.is(symbol)));
        (here, *token)
    })
}

/// Where a symbol stands outside of parentheses.
pub(crate) fn positions(tokens: &[Token<'_>], symbol: &str) -> Vec<usize> {
    let all = with_depths(tokens).enumerate();
    all.filter(|(_, (depth, token))| *depth == 0 && token.is(symbol)).map(|(at, _)| at).collect()
}

/// The tokens inside a pair of parentheses (or braces) around all of them, and so on.
pub(crate) fn inside<'t, 'a>(
    mut tokens: &'t [Token<'a>],
    open: &str,
    close: &str,
) -> &'t [Token<'a>] {
    while let [first, inner @ .., _] = tokens
        && first.is(open)
        && positions(tokens, close).first() == Some(&(tokens.len() - 1))
    {
        tokens = inner;
    }
    tokens
}

fn scan<'a>(text: &'a str, tokens: &mut Vec<Token<'a>>) {
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let length = if is_of_word(first) {
            word_length(rest)
        } else {
            let long = LONG.iter().find(|symbol| rest.starts_with(**symbol));
            long.map_or(first.len_utf8(), |symbol| symbol.len())
        };
        let (token, after) = rest.split_at(length);
        tokens.push(if is_of_word(first) { Token::Word(token) } else { Token::Symbol(token) });
        rest = after.trim_start();
    }
}

fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '.'
}

/// The length of the word at the start; the sign of an exponent belongs to it.
fn word_length(text: &str) -> usize {
    let is_decimal = text.starts_with(|c: char| c.is_ascii_digit() || c == '.')
        && !text.to_ascii_lowercase().starts_with("0x");
    let mut before = ' ';
    for (at, c) in text.char_indices() {
        let is_sign = is_decimal && matches!(c, '+' | '-') && matches!(before, 'e' | 'E');
        if !is_of_word(c) && !is_sign {
            return at;
        }
        before = c;
    }
    text.len()
}
