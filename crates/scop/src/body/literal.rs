//! Constants in bodies.
use super::scalar_type::{FloatingType, ScalarType};
use super::tokens::{TokenKind, tokens};

/// The kinds of constants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Literal {
    /// `3`, `0x1Ful`
    Integer,
    /// `2.5e-3f`
    Floating,
    /// `'x'`
    Character,
    /// `"text"`
    String,
}

impl Literal {
    /// The kind of constant that a text is; none if it is none.
    ///
    /// ```
    /// use loopwright_scop::Literal;
    /// assert_eq!(Literal::of("2.5e-3"), Some(Literal::Floating));
    /// assert_eq!(Literal::of("0x1F"), Some(Literal::Integer));
    /// assert_eq!(Literal::of("n"), None);
    /// ```
    pub fn of(text: &str) -> Option<Literal> {
        let [token] = tokens(text)[..] else { return None };
        match token.kind {
            TokenKind::Quoted if text.starts_with('"') => Some(Literal::String),
            TokenKind::Quoted => Some(Literal::Character),
            TokenKind::Number => {
                let is_floating = match is_hexadecimal(text) {
                    true => text.contains(['p', 'P', '.']),
                    false => text.contains(['.', 'e', 'E']),
                };
                Some(if is_floating { Literal::Floating } else { Literal::Integer })
            }
            _ => None,
        }
    }
}

fn is_hexadecimal(text: &str) -> bool {
    text.starts_with("0x") || text.starts_with("0X")
}

impl ScalarType {
    /// The type of a decimal number as C has it; none for other numbers and suffixes.
    ///
    /// ```
    /// use loopwright_scop::{FloatingType, ScalarType};
    /// let double = ScalarType::Floating(FloatingType::Double);
    /// assert_eq!(ScalarType::of_number("2.5e-3"), Some(double));
    /// assert_eq!(ScalarType::of_number("3"), Some(ScalarType::INT));
    /// assert_eq!(ScalarType::of_number("0x1p3"), None);
    /// ```
    pub fn of_number(text: &str) -> Option<ScalarType> {
        let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        let is_decimal = |c: char| c.is_ascii_digit() || matches!(c, '.' | 'e' | 'E' | '+' | '-');
        let is_floating = digits.contains(['.', 'e', 'E']);
        let is_number = digits.starts_with(|c: char| c.is_ascii_digit() || c == '.')
            && digits.contains(|c: char| c.is_ascii_digit())
            && digits.chars().all(is_decimal);
        match text.get(digits.len()..)? {
            _ if !is_number => None,
            "" if is_floating => Some(ScalarType::Floating(FloatingType::Double)),
            "f" | "F" if is_floating => Some(ScalarType::Floating(FloatingType::Float)),
            "" if !is_floating && digits.parse::<i32>().is_ok() => Some(ScalarType::INT),
            "" | "l" | "L" if !is_floating => {
                Some(ScalarType::Integer { is_signed: true, bytes: 8 })
            }
            "u" | "U" if !is_floating => {
                let bytes = if digits.parse::<u32>().is_ok() { 4 } else { 8 };
                Some(ScalarType::Integer { is_signed: false, bytes })
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_types() {
        let floating = |of| Some(ScalarType::Floating(of));
        let integer = |is_signed, bytes| Some(ScalarType::Integer { is_signed, bytes });
        let cases = [
            ("1", integer(true, 4)),
            ("3000000000", integer(true, 8)),
            ("1u", integer(false, 4)),
            ("1.", floating(FloatingType::Double)),
            ("1.5f", floating(FloatingType::Float)),
            ("2e10", floating(FloatingType::Double)),
            ("1.5L", None),
            ("0x10", None),
            ("1ul", None),
        ];
        for (text, expected) in cases {
            assert_eq!(ScalarType::of_number(text), expected, "{text}");
        }
    }
}
