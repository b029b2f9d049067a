//! The tokens of statement bodies that are arithmetic.
use crate::{ArithmeticOperator, AssignmentOperator, BodyPiece, Position, Span, ValueType};

/// A token of arithmetic.
pub(crate) enum Token {
    Number(String),
    Element(usize),
    Integer(usize),
    Assign(AssignmentOperator),
    Operator(ArithmeticOperator),
    Open,
    Close,
}

/// The tokens of a body with their places; none if there are others than those of arithmetic.
pub(crate) fn tokens(body: &[BodyPiece]) -> Option<Vec<(Token, Span)>> {
    let mut tokens = Vec::new();
    for (piece, content) in body.iter().enumerate() {
        let start = Position { piece, offset: 0 };
        let whole = Span { start, end: Position { piece: piece + 1, offset: 0 } };
        match content {
            BodyPiece::Element { .. } => tokens.push((Token::Element(piece), whole)),
            BodyPiece::Expression(_) => tokens.push((Token::Integer(piece), whole)),
            BodyPiece::Text(text) => {
                let mut offset = 0;
                while let Some(rest) = text.get(offset..).filter(|rest| !rest.is_empty()) {
                    let (token, length) = next_token(rest)?;
                    let end = Position { piece, offset: offset + length };
                    let start = Position { piece, offset };
                    tokens.extend(token.map(|token| (token, Span { start, end })));
                    offset += length;
                }
            }
        }
    }
    Some(tokens)
}

/// The first token of a text (none for white space) and its length.
fn next_token(text: &str) -> Option<(Option<Token>, usize)> {
    use ArithmeticOperator as A;
    use AssignmentOperator as S;
    const TWO: [(&str, S); 4] =
        [("+=", S::Add), ("-=", S::Subtract), ("*=", S::Multiply), ("/=", S::Divide)];
    if let Some((_, operator)) = TWO.iter().find(|(form, _)| text.starts_with(form)) {
        return Some((Some(Token::Assign(*operator)), 2));
    }
    if ["++", "--", "=="].iter().any(|form| text.starts_with(form)) {
        return None;
    }
    let first = text.chars().next()?;
    let token = match first {
        ' ' => None,
        '=' => Some(Token::Assign(S::Set)),
        '+' => Some(Token::Operator(A::Add)),
        '-' => Some(Token::Operator(A::Subtract)),
        '*' => Some(Token::Operator(A::Multiply)),
        '/' => Some(Token::Operator(A::Divide)),
        '(' => Some(Token::Open),
        ')' => Some(Token::Close),
        '.' | '0'..='9' => {
            let length = number_length(text);
            let number = text.get(..length)?.to_string();
            ValueType::of_number(&number)?;
            return Some((Some(Token::Number(number)), length));
        }
        _ => return None,
    };
    Some((token, first.len_utf8()))
}

/// The length of the number that a text starts with (a preprocessing number of C).
fn number_length(text: &str) -> usize {
    let mut previous = ' ';
    for (offset, character) in text.char_indices() {
        let is_sign = matches!(character, '+' | '-') && matches!(previous, 'e' | 'E');
        if !(is_sign || character == '.' || character.is_ascii_alphanumeric()) {
            return offset;
        }
        previous = character;
    }
    text.len()
}

impl ValueType {
    /// The type of a decimal number as C has it; none for other numbers and suffixes.
    ///
    /// ```
    /// use loopwright_scop::ValueType;
    /// assert_eq!(ValueType::of_number("2.5e-3"), Some(ValueType::Floating("double".into())));
    /// assert_eq!(ValueType::of_number("2.5f"), Some(ValueType::Floating("float".into())));
    /// assert_eq!(ValueType::of_number("3"), Some(ValueType::Integer));
    /// assert_eq!(ValueType::of_number("0x1p3"), None);
    /// ```
    pub fn of_number(text: &str) -> Option<ValueType> {
        let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        let is_decimal = |c: char| c.is_ascii_digit() || matches!(c, '.' | 'e' | 'E' | '+' | '-');
        let is_floating = digits.contains(['.', 'e', 'E']);
        let is_number = digits.starts_with(|c: char| c.is_ascii_digit() || c == '.')
            && digits.contains(|c: char| c.is_ascii_digit())
            && digits.chars().all(is_decimal);
        match text.get(digits.len()..)? {
            _ if !is_number => None,
            "" if is_floating => Some(ValueType::Floating("double".into())),
            "f" | "F" if is_floating => Some(ValueType::Floating("float".into())),
            "" | "u" | "U" | "l" | "L" if !is_floating => Some(ValueType::Integer),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_types() {
        let floating = |name: &str| Some(ValueType::Floating(name.into()));
        let cases = [
            ("1", Some(ValueType::Integer)),
            ("1.", floating("double")),
            ("1.5f", floating("float")),
            ("2e10", floating("double")),
            ("1.5L", None),
            ("0x10", None),
            ("1ul", None),
        ];
        for (text, expected) in cases {
            assert_eq!(ValueType::of_number(text), expected, "{text}");
        }
    }
}
