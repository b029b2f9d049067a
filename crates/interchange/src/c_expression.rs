//! The structure of the C expression that a body is, with its holes.
use crate::c_tokens::{TokenKind, tokens};
use loopwright_scop::BodyPiece;

/// A C expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum CExpression {
    /// The element or the integer expression at this piece of the body.
    Hole(usize),
    /// A name that is no variable of the model.
    Name(String),
    /// An integer constant, as written.
    Integer(String),
    /// A floating constant, as written.
    Floating(String),
    /// An operator with one, two or three (`?:`) operands; assignments are operators.
    Operation(String, Vec<CExpression>),
    /// A call of a function by its name.
    Call(String, Vec<CExpression>),
    /// A conversion to a type of plain words.
    Cast(String, Box<CExpression>),
}

/// The expression that a body consists of; none if it is anything else (a condition with a
/// statement, a string, a member of a structure).
///
/// *Exactness.* C's grammar, but that a name in parentheses before an operand is taken for a type only
/// if it consists of words for arithmetic types. *Cost.* Linear in the text; the nesting is limited.
pub(crate) fn expression_of(body: &[BodyPiece]) -> Option<CExpression> {
    let mut items = Vec::new();
    for (position, piece) in body.iter().enumerate() {
        match piece {
            BodyPiece::Text(text) => items.extend(
                tokens(text)
                    .into_iter()
                    .filter(|token| token.kind != TokenKind::Blank)
                    .map(|token| Item::Token(token.kind, token.text)),
            ),
            _ => items.push(Item::Hole(position)),
        }
    }
    let mut parser = Parser { items: &items, depth: 0 };
    let expression = parser.comma()?;
    parser.items.is_empty().then_some(expression)
}

#[derive(Clone, Copy)]
enum Item<'a> {
    Token(TokenKind, &'a str),
    Hole(usize),
}

/// The binary operators, those that bind weakest first.
const BINARY: [&[&str]; 10] = [
    &["||"],
    &["&&"],
    &["|"],
    &["^"],
    &["&"],
    &["==", "!="],
    &["<", ">", "<=", ">="],
    &["<<", ">>"],
    &["+", "-"],
    &["*", "/", "%"],
];

const ASSIGNMENTS: [&str; 11] = ["=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="];

const TYPE_WORDS: [&str; 9] =
    ["char", "short", "int", "long", "signed", "unsigned", "float", "double", "_Bool"];

/// Expressions inside each other that are read.
const DEEPEST: usize = 100;

struct Parser<'a> {
    items: &'a [Item<'a>],
    depth: usize,
}

impl<'a> Parser<'a> {
    fn peek(&self) -> Option<&'a str> {
        match self.items.first() {
            Some(Item::Token(_, text)) => Some(text),
            _ => None,
        }
    }

    fn take(&mut self, text: &str) -> bool {
        let found = self.peek() == Some(text);
        if found {
            self.items = &self.items[1..];
        }
        found
    }

    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        self.depth += 1;
        let result = if self.depth > DEEPEST { None } else { read(self) };
        self.depth -= 1;
        result
    }

    fn comma(&mut self) -> Option<CExpression> {
        let mut left = self.assignment()?;
        while self.take(",") {
            let right = self.assignment()?;
            left = CExpression::Operation(",".to_string(), vec![left, right]);
        }
        Some(left)
    }

    fn assignment(&mut self) -> Option<CExpression> {
        self.deeper(|parser| {
            let left = parser.conditional()?;
            let operator = ASSIGNMENTS.iter().find(|operator| parser.peek() == Some(operator));
            let Some(operator) = operator else { return Some(left) };
            parser.take(operator);
            let right = parser.assignment()?;
            Some(CExpression::Operation((*operator).to_string(), vec![left, right]))
        })
    }

    fn conditional(&mut self) -> Option<CExpression> {
        let condition = self.binary(0)?;
        if !self.take("?") {
            return Some(condition);
        }
        self.deeper(|parser| {
            let then = parser.comma()?;
            if !parser.take(":") {
                return None;
            }
            let otherwise = parser.conditional()?;
            Some(CExpression::Operation("?:".to_string(), vec![condition, then, otherwise]))
        })
    }

    fn binary(&mut self, level: usize) -> Option<CExpression> {
        let Some(operators) = BINARY.get(level) else { return self.unary() };
        let mut left = self.binary(level + 1)?;
        while let Some(operator) = operators.iter().find(|operator| self.peek() == Some(operator)) {
            self.take(operator);
            let right = self.binary(level + 1)?;
            left = CExpression::Operation((*operator).to_string(), vec![left, right]);
        }
        Some(left)
    }

    fn unary(&mut self) -> Option<CExpression> {
        self.deeper(|parser| {
            let operators = ["-", "+", "!", "~", "&", "*", "++", "--"];
            if let Some(operator) =
                operators.iter().find(|operator| parser.peek() == Some(operator))
            {
                parser.take(operator);
                let operand = parser.unary()?;
                return match *operator {
                    "+" => Some(operand),
                    operator => Some(CExpression::Operation(operator.to_string(), vec![operand])),
                };
            }
            match parser.cast_type() {
                Some(name) => Some(CExpression::Cast(name, Box::new(parser.unary()?))),
                None => parser.postfix(),
            }
        })
    }

    /// The type of a cast at the front.
    fn cast_type(&mut self) -> Option<String> {
        let [Item::Token(_, "("), rest @ ..] = self.items else { return None };
        let word = |item: &&Item<'a>| matches!(item, Item::Token(_, w) if TYPE_WORDS.contains(w));
        let count = rest.iter().take_while(word).count();
        let Some(Item::Token(_, ")")) = rest.get(count).filter(|_| count > 0) else { return None };
        let words = rest[..count].iter().filter_map(|item| match item {
            Item::Token(_, word) => Some(*word),
            Item::Hole(_) => None,
        });
        let name = words.collect::<Vec<_>>().join(" ");
        self.items = &rest[count + 1..];
        Some(name)
    }

    fn postfix(&mut self) -> Option<CExpression> {
        let mut operand = self.primary()?;
        loop {
            if self.take("(") {
                let CExpression::Name(name) = operand else { return None };
                operand = CExpression::Call(name, self.arguments()?);
            } else if matches!(self.peek(), Some("++" | "--")) {
                let operator = self.peek()?.to_string();
                self.items = &self.items[1..];
                operand = CExpression::Operation(operator, vec![operand]);
            } else {
                return Some(operand);
            }
        }
    }

    fn arguments(&mut self) -> Option<Vec<CExpression>> {
        let mut arguments = Vec::new();
        if self.take(")") {
            return Some(arguments);
        }
        loop {
            arguments.push(self.assignment()?);
            if self.take(")") {
                return Some(arguments);
            }
            if !self.take(",") {
                return None;
            }
        }
    }

    fn primary(&mut self) -> Option<CExpression> {
        let (first, rest) = self.items.split_first()?;
        self.items = rest;
        match first {
            Item::Hole(piece) => Some(CExpression::Hole(*piece)),
            Item::Token(TokenKind::Word, word) => Some(CExpression::Name((*word).to_string())),
            Item::Token(TokenKind::Number, text) => {
                let is_hexadecimal = text.starts_with("0x") || text.starts_with("0X");
                let is_floating = match is_hexadecimal {
                    true => text.contains(['p', 'P', '.']),
                    false => text.contains(['.', 'e', 'E']),
                };
                Some(match is_floating {
                    true => CExpression::Floating((*text).to_string()),
                    false => CExpression::Integer((*text).to_string()),
                })
            }
            Item::Token(_, "(") => {
                let inside = self.deeper(Self::comma)?;
                self.take(")").then_some(inside)
            }
            Item::Token(..) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(expression: &CExpression) -> String {
        match expression {
            CExpression::Hole(piece) => format!("@{piece}"),
            CExpression::Name(text) | CExpression::Integer(text) | CExpression::Floating(text) => {
                text.clone()
            }
            CExpression::Operation(operator, parts) => {
                let parts: Vec<String> = parts.iter().map(shape).collect();
                format!("({operator} {})", parts.join(" "))
            }
            CExpression::Call(name, parts) => {
                format!("{name}({})", parts.iter().map(shape).collect::<Vec<_>>().join(", "))
            }
            CExpression::Cast(name, part) => format!("<{name}>{}", shape(part)),
        }
    }

    fn read(text: &str) -> Option<String> {
        expression_of(&[BodyPiece::Text(text.to_string())]).map(|e| shape(&e))
    }

    #[test]
    fn operators_bind_as_in_c() {
        let cases = [
            ("a = b + c * d - e", "(= a (- (+ b (* c d)) e))"),
            ("a += b = -c * 2", "(+= a (= b (* (- c) 2)))"),
            ("a < b && c == d || !e", "(|| (&& (< a b) (== c d)) (! e))"),
            ("a ? b : c ? d : e", "(?: a b (?: c d e))"),
            ("(unsigned char)(a + 1) << 2", "(<< <unsigned char>(+ a 1) 2)"),
            ("f(a, (b, c), g())", "f(a, (, b c), g())"),
            ("a++ - --b", "(- (++ a) (-- b))"),
            ("1.5e-3f + 0x1F + .5", "(+ (+ 1.5e-3f 0x1F) .5)"),
        ];
        for (text, expected) in cases {
            assert_eq!(read(text).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn other_texts_are_no_expressions() {
        let deep = format!("{}a{}", "(".repeat(10_000), ")".repeat(10_000));
        for text in ["", "if (a) b = c", "a b", "a = ", "(a", "f(a", "a ? b", "\"s\"", "a.b", &deep]
        {
            assert_eq!(read(text), None, "{text:.40}");
        }
    }
}
