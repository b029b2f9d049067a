//! The arithmetic of statement bodies.
//!
//! A body is text with holes ([`BodyPiece`]), printed as the programmer wrote it. Transformations
//! that compute parts of it elsewhere (panels), or print it in another form (vector variables), need
//! its structure. [`Assignment::of`] reads it, if it has one of the plain forms
//!
//! ```text
//! element op value        op:    =  +=  -=  *=  /=
//!                         value: numbers, elements, integer expressions, + - * / ( ) and negation
//! ```
//!
//! Whatever else there is (calls, casts, comparisons, conditions, names that are no variables of the
//! model) has no structure here, and such a body stays text. Nothing is ever rearranged: the tree is
//! that of C's grammar, so that computing a subtree elsewhere computes the same value.
use crate::tokens::{Token, tokens};
use crate::{BodyPiece, Scop};

/// A body that assigns a value to an element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assignment {
    /// The piece that is assigned to.
    pub target: usize,
    /// How.
    pub operator: AssignmentOperator,
    /// What.
    pub value: Expression,
}

/// The operators of assignments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AssignmentOperator {
    /// `=`
    Set,
    /// `+=`
    Add,
    /// `-=`
    Subtract,
    /// `*=`
    Multiply,
    /// `/=`
    Divide,
}

/// A part of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expression {
    /// What it is.
    pub kind: ExpressionKind,
    /// Where it stands in the body, parentheses around it included.
    pub span: Span,
}

/// The forms of expressions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExpressionKind {
    /// A number, as the program has it.
    Number(String),
    /// The array element or scalar at this piece of the body.
    Element(usize),
    /// The integer expression over iterators and parameters at this piece of the body.
    Integer(usize),
    /// The negative.
    Negate(Box<Expression>),
    /// An operation.
    Binary(ArithmeticOperator, Box<Expression>, Box<Expression>),
}

/// The operators of arithmetic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArithmeticOperator {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`
    Divide,
}

/// A part of a body, from one place to another (without the latter).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// Where it starts.
    pub start: Position,
    /// Where what follows starts.
    pub end: Position,
}

/// A place in a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The piece.
    pub piece: usize,
    /// The byte in its text; 0 in pieces that are no text.
    pub offset: usize,
}

/// The type of the value of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ValueType {
    /// Some integer type: converted to the other operand's type, if that is a floating one.
    Integer,
    /// A floating type, as C has it.
    Floating(String),
}

impl Assignment {
    /// The assignment that a body consists of; none if it is anything else.
    ///
    /// *Exactness.* What is returned is the C grammar's reading. *Cost.* Linear in the text.
    ///
    /// ```
    /// use loopwright_scop::{ArrayId, Assignment, AssignmentOperator, BodyPiece};
    /// let text = |text: &str| BodyPiece::Text(text.into());
    /// let variable = |id| BodyPiece::Element {
    ///     base: "v".into(), array: ArrayId(id), subscripts: Vec::new(),
    /// };
    /// let body = [variable(0), text(" += ("), variable(1), text(" - 2.5) * "), variable(2)];
    /// let read = Assignment::of(&body).unwrap();
    /// assert_eq!((read.target, read.operator), (0, AssignmentOperator::Add));
    /// assert_eq!(read.value.elements(), [2, 4]);
    /// assert!(Assignment::of(&[variable(0), text(" = sqrt("), variable(1), text(")")]).is_none());
    /// ```
    pub fn of(body: &[BodyPiece]) -> Option<Assignment> {
        let tokens = tokens(body)?;
        let [(Token::Element(target), _), (Token::Assign(operator), _), rest @ ..] = &tokens[..]
        else {
            return None;
        };
        let mut parser = Parser { tokens: rest, depth: 0 };
        let value = parser.sum()?;
        let is_whole = parser.tokens.is_empty();
        is_whole.then_some(Assignment { target: *target, operator: *operator, value })
    }
}

impl Expression {
    /// The pieces of the array elements and scalars in it, from left to right.
    pub fn elements(&self) -> Vec<usize> {
        let mut found = Vec::new();
        self.for_each(&mut |part| {
            if let ExpressionKind::Element(piece) = part.kind {
                found.push(piece);
            }
        });
        found
    }

    /// Calls `visit` for the expression and all parts of it, the whole first, left before right.
    pub fn for_each<'a>(&'a self, visit: &mut impl FnMut(&'a Expression)) {
        visit(self);
        match &self.kind {
            ExpressionKind::Negate(part) => part.for_each(visit),
            ExpressionKind::Binary(_, left, right) => {
                left.for_each(visit);
                right.for_each(visit);
            }
            _ => {}
        }
    }

    /// The type of the value, by C's conversions; none where it is not sure: operands of different
    /// floating types, elements of unknown types, or of integer types (which may be promoted).
    pub fn value_type(&self, body: &[BodyPiece], scop: &Scop) -> Option<ValueType> {
        match &self.kind {
            ExpressionKind::Number(text) => ValueType::of_number(text),
            ExpressionKind::Integer(_) => Some(ValueType::Integer),
            ExpressionKind::Element(piece) => {
                let BodyPiece::Element { array, .. } = body.get(*piece)? else { return None };
                let floating = scop.array(*array).floating_type()?;
                Some(ValueType::Floating(floating.to_string()))
            }
            ExpressionKind::Negate(part) => part.value_type(body, scop),
            ExpressionKind::Binary(_, left, right) => {
                match (left.value_type(body, scop)?, right.value_type(body, scop)?) {
                    (a, ValueType::Integer) => Some(a),
                    (ValueType::Integer, b) => Some(b),
                    (a, b) => (a == b).then_some(a),
                }
            }
        }
    }

    /// Whether two expressions are the same operations in the same order on leaves that are the
    /// `same`; parentheses that only repeat the structure do not count.
    pub fn has_same_operations(
        &self,
        other: &Expression,
        same: &mut impl FnMut(&ExpressionKind, &ExpressionKind) -> bool,
    ) -> bool {
        use ExpressionKind::{Binary, Negate};
        match (&self.kind, &other.kind) {
            (Negate(a), Negate(b)) => a.has_same_operations(b, same),
            (Binary(x, a, b), Binary(y, c, d)) => {
                x == y && a.has_same_operations(c, same) && b.has_same_operations(d, same)
            }
            (Negate(_) | Binary(..), _) | (_, Negate(_) | Binary(..)) => false,
            (a, b) => same(a, b),
        }
    }
}

impl Span {
    /// The pieces of a part of a body.
    ///
    /// ```
    /// use loopwright_scop::{BodyPiece, Position, Span};
    /// let body = [BodyPiece::Text("x = 2.5 * 3".into())];
    /// let start = Position { piece: 0, offset: 4 };
    /// let span = Span { start, end: Position { piece: 0, offset: 7 } };
    /// assert!(matches!(&span.pieces(&body)[..], [BodyPiece::Text(text)] if text == "2.5"));
    /// ```
    pub fn pieces(&self, body: &[BodyPiece]) -> Vec<BodyPiece> {
        let mut found = Vec::new();
        for (index, piece) in body.iter().enumerate() {
            let from = if index == self.start.piece { self.start.offset } else { 0 };
            let is_inside = index >= self.start.piece && index <= self.end.piece;
            match piece {
                BodyPiece::Text(text) if is_inside => {
                    let to = if index == self.end.piece { self.end.offset } else { text.len() };
                    let part = text.get(from..to).unwrap_or_default();
                    if !part.is_empty() {
                        found.push(BodyPiece::Text(part.to_string()));
                    }
                }
                other if is_inside && index < self.end.piece => found.push(other.clone()),
                _ => {}
            }
        }
        found
    }

    /// The body with this part replaced by one piece.
    pub fn replaced(&self, body: &[BodyPiece], by: BodyPiece) -> Vec<BodyPiece> {
        let first = Position { piece: 0, offset: 0 };
        let last = Position { piece: body.len(), offset: 0 };
        let mut pieces = Span { start: first, end: self.start }.pieces(body);
        pieces.push(by);
        pieces.extend(Span { start: self.end, end: last }.pieces(body));
        pieces
    }
}

/// Parentheses and negations inside each other that are read; deeper ones are no arithmetic.
const DEEPEST: usize = 100;

/// Terms and factors of one sum or product that are read: trees are dropped recursively.
const LONGEST: usize = 1000;

struct Parser<'a> {
    tokens: &'a [(Token, Span)],
    depth: usize,
}

impl Parser<'_> {
    fn sum(&mut self) -> Option<Expression> {
        use ArithmeticOperator::{Add, Subtract};
        self.chain(|operator| matches!(operator, Add | Subtract), Self::product)
    }

    fn product(&mut self) -> Option<Expression> {
        use ArithmeticOperator::{Divide, Multiply};
        self.chain(|operator| matches!(operator, Multiply | Divide), Self::operand)
    }

    /// Operands with operators of one precedence between them, from left to right.
    fn chain(
        &mut self,
        is_own: fn(ArithmeticOperator) -> bool,
        operand: fn(&mut Self) -> Option<Expression>,
    ) -> Option<Expression> {
        let mut left = operand(self)?;
        for _ in 0..LONGEST {
            let [(Token::Operator(operator), _), rest @ ..] = self.tokens else { break };
            let operator = *operator;
            if !is_own(operator) {
                break;
            }
            self.tokens = rest;
            let right = operand(self)?;
            let span = Span { start: left.span.start, end: right.span.end };
            let kind = ExpressionKind::Binary(operator, Box::new(left), Box::new(right));
            left = Expression { kind, span };
        }
        Some(left)
    }

    fn operand(&mut self) -> Option<Expression> {
        let [(token, span), rest @ ..] = self.tokens else { return None };
        self.tokens = rest;
        let leaf = |kind| Some(Expression { kind, span: *span });
        match token {
            Token::Number(text) => leaf(ExpressionKind::Number(text.clone())),
            Token::Element(piece) => leaf(ExpressionKind::Element(*piece)),
            Token::Integer(piece) => leaf(ExpressionKind::Integer(*piece)),
            Token::Operator(ArithmeticOperator::Subtract) => {
                let part = self.deeper(Self::operand)?;
                let whole = Span { start: span.start, end: part.span.end };
                Some(Expression { kind: ExpressionKind::Negate(Box::new(part)), span: whole })
            }
            Token::Open => {
                let inside = self.deeper(Self::sum)?;
                let [(Token::Close, close), rest @ ..] = self.tokens else { return None };
                self.tokens = rest;
                Some(Expression {
                    kind: inside.kind,
                    span: Span { start: span.start, end: close.end },
                })
            }
            _ => None,
        }
    }

    fn deeper(&mut self, read: fn(&mut Self) -> Option<Expression>) -> Option<Expression> {
        self.depth += 1;
        let result = if self.depth > DEEPEST { None } else { read(self) };
        self.depth -= 1;
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ArrayId;

    /// A body from text in which every letter is an element, `@` an integer expression.
    fn body(text: &str) -> Vec<BodyPiece> {
        let mut pieces: Vec<BodyPiece> = Vec::new();
        for character in text.chars() {
            match (character, pieces.last_mut()) {
                ('a'..='z', _) => pieces.push(BodyPiece::Element {
                    base: character.to_string().as_str().into(),
                    array: ArrayId(0),
                    subscripts: Vec::new(),
                }),
                (_, Some(BodyPiece::Text(text))) => text.push(character),
                _ => pieces.push(BodyPiece::Text(character.to_string())),
            }
        }
        pieces
    }

    /// The text with all parentheses written.
    fn full(expression: &Expression, body: &[BodyPiece]) -> String {
        match &expression.kind {
            ExpressionKind::Number(text) => text.clone(),
            ExpressionKind::Element(piece) => match &body[*piece] {
                BodyPiece::Element { base, .. } => base.with(&[]),
                other => format!("{other:?}"),
            },
            ExpressionKind::Integer(_) => "@".into(),
            ExpressionKind::Negate(part) => format!("(-{})", full(part, body)),
            ExpressionKind::Binary(operator, left, right) => {
                let sign = match operator {
                    ArithmeticOperator::Add => '+',
                    ArithmeticOperator::Subtract => '-',
                    ArithmeticOperator::Multiply => '*',
                    ArithmeticOperator::Divide => '/',
                };
                format!("({}{sign}{})", full(left, body), full(right, body))
            }
        }
    }

    #[test]
    fn precedence_and_associativity_are_those_of_c() {
        let cases = [
            ("a = b - c - d", "((b-c)-d)"),
            ("a = b - (c - d)", "(b-(c-d))"),
            ("a += b*c*d + e*d*f", "(((b*c)*d)+((e*d)*f))"),
            ("a -= b / c * d", "((b/c)*d)"),
            ("a *= - b * c", "((-b)*c)"),
            ("a /= -(b + - c) - 1.5", "((-(b+(-c)))-1.5)"),
            ("a = ((b))", "b"),
            ("a = 1E-3 * b + .5", "((1E-3*b)+.5)"),
        ];
        for (text, expected) in cases {
            let pieces = body(text);
            let read = Assignment::of(&pieces).unwrap_or_else(|| panic!("{text}"));
            assert_eq!(full(&read.value, &pieces), expected, "{text}");
        }
    }

    #[test]
    fn anything_else_is_no_assignment() {
        let cases = [
            "a",
            "a = ",
            "a = b c",
            "a = b + + c",
            "a = b--",
            "a = --b",
            "a = (b",
            "a = b)",
            "a == b",
            "a = b == c",
            "a = b ? c : d",
            "a = b % c",
            "a = &b",
            "a = 0X1P3 * b",
            "a = b = c",
            "a = 1.5L * b",
            "a = b, c",
            "",
            "1 = a",
            "a = 1E * b",
            "a = . * b",
        ];
        for text in cases {
            assert_eq!(Assignment::of(&body(text)), None, "{text}");
        }
        let deep = format!("a = {}b{}", "(".repeat(100_000), ")".repeat(100_000));
        assert_eq!(Assignment::of(&body(&deep)), None);
        let long = format!("a = b{}", " + b".repeat(100_000));
        assert_eq!(Assignment::of(&body(&long)), None);
    }

    #[test]
    fn parts_are_cut_out_and_replaced() {
        let pieces = body("a += (b * 2.5) * c - 1");
        let read = Assignment::of(&pieces).unwrap();
        let mut spans = Vec::new();
        read.value.for_each(&mut |part| spans.push(part.span));
        let text = |pieces: &[BodyPiece]| {
            let one = |piece: &BodyPiece| match piece {
                BodyPiece::Text(text) => text.clone(),
                BodyPiece::Element { base, .. } => base.with(&[]),
                BodyPiece::Expression(_) => String::new(),
            };
            pieces.iter().map(one).collect::<String>()
        };
        let cut: Vec<String> = spans.iter().map(|span| text(&span.pieces(&pieces))).collect();
        let expected = ["(b * 2.5) * c - 1", "(b * 2.5) * c", "(b * 2.5)", "b", "2.5", "c", "1"];
        assert_eq!(cut, expected);
        let by = || body("p").remove(0);
        assert_eq!(text(&spans[2].replaced(&pieces, by())), "a += p * c - 1");
        assert_eq!(text(&spans[0].replaced(&pieces, by())), "a += p");
        assert_eq!(text(&spans[4].replaced(&pieces, by())), "a += (b * p) * c - 1");
    }
}
