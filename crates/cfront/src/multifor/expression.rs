//! Integer expressions in the heads of multifor statements.
use super::tokens::{Refusal, Tokens};
use std::fmt;

/// An integer expression, as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MultiforExpression {
    /// A constant.
    Int(i64),
    /// An index or a symbolic constant.
    Name(String),
    /// The negative.
    Neg(Box<MultiforExpression>),
    /// The sum.
    Add(Box<MultiforExpression>, Box<MultiforExpression>),
    /// The difference.
    Sub(Box<MultiforExpression>, Box<MultiforExpression>),
    /// The product.
    Mul(Box<MultiforExpression>, Box<MultiforExpression>),
    /// The quotient, rounded towards zero as in C.
    Div(Box<MultiforExpression>, Box<MultiforExpression>),
    /// The remainder, with the sign of the dividend as in C.
    Rem(Box<MultiforExpression>, Box<MultiforExpression>),
}

/// What stands deeper is refused.
const MAX_DEPTH: usize = 100;

impl MultiforExpression {
    /// The names in it, from left to right.
    ///
    /// ```
    /// use loopwright_cfront::MultiforExpression;
    /// let sum = MultiforExpression::parse("2*n - i/3").unwrap();
    /// assert_eq!(sum.names(), ["n", "i"]);
    /// ```
    pub fn names(&self) -> Vec<&str> {
        use MultiforExpression::*;
        match self {
            Int(_) => Vec::new(),
            Name(name) => vec![name],
            Neg(a) => a.names(),
            Add(a, b) | Sub(a, b) | Mul(a, b) | Div(a, b) | Rem(a, b) => {
                [a.names(), b.names()].concat()
            }
        }
    }

    /// The expression that a text has; none if it is not understood.
    ///
    /// ```
    /// use loopwright_cfront::MultiforExpression;
    /// assert_eq!(MultiforExpression::parse("(n + 1) / 2").unwrap().to_string(), "(n + 1) / 2");
    /// assert!(MultiforExpression::parse("f(n)").is_none());
    /// ```
    pub fn parse(text: &str) -> Option<MultiforExpression> {
        let mut tokens = Tokens::new(text);
        let expression = sum(&mut tokens, 0).ok()?;
        tokens.is_at_end().then_some(expression)
    }

    /// How tightly the outermost operator binds.
    fn strength(&self) -> u8 {
        use MultiforExpression::*;
        match self {
            Add(..) | Sub(..) => 1,
            Mul(..) | Div(..) | Rem(..) => 2,
            Neg(_) => 3,
            Int(value) if *value < 0 => 3,
            Int(_) | Name(_) => 4,
        }
    }

    fn print(&self, f: &mut fmt::Formatter<'_>, least: u8) -> fmt::Result {
        use MultiforExpression::*;
        if self.strength() < least {
            write!(f, "(")?;
            self.print(f, 0)?;
            return write!(f, ")");
        }
        let (a, operator, b) = match self {
            Int(value) => return write!(f, "{value}"),
            Name(name) => return write!(f, "{name}"),
            Neg(a) => {
                write!(f, "-")?;
                return a.print(f, 4);
            }
            Add(a, b) => (a, "+", b),
            Sub(a, b) => (a, "-", b),
            Mul(a, b) => (a, "*", b),
            Div(a, b) => (a, "/", b),
            Rem(a, b) => (a, "%", b),
        };
        let strength = self.strength();
        a.print(f, strength)?;
        write!(f, " {operator} ")?;
        b.print(f, strength + 1)
    }
}

/// Prints the expression as C.
impl fmt::Display for MultiforExpression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.print(f, 0)
    }
}

/// Reads sums of products.
pub(super) fn sum(tokens: &mut Tokens<'_>, depth: usize) -> Result<MultiforExpression, Refusal> {
    use MultiforExpression::*;
    let mut left = product(tokens, depth)?;
    loop {
        let is_sum = match tokens.text() {
            "+" => true,
            "-" => false,
            _ => return Ok(left),
        };
        tokens.take();
        let right = Box::new(product(tokens, depth)?);
        left = if is_sum { Add(Box::new(left), right) } else { Sub(Box::new(left), right) };
    }
}

fn product(tokens: &mut Tokens<'_>, depth: usize) -> Result<MultiforExpression, Refusal> {
    use MultiforExpression::*;
    let mut left = operand(tokens, depth)?;
    loop {
        let make: fn(_, _) -> _ = match tokens.text() {
            "*" => Mul,
            "/" => Div,
            "%" => Rem,
            _ => return Ok(left),
        };
        tokens.take();
        left = make(Box::new(left), Box::new(operand(tokens, depth)?));
    }
}

fn operand(tokens: &mut Tokens<'_>, depth: usize) -> Result<MultiforExpression, Refusal> {
    if depth > MAX_DEPTH {
        return Err(tokens.expected("less nesting"));
    }
    match tokens.text() {
        "-" => {
            tokens.take();
            Ok(MultiforExpression::Neg(Box::new(operand(tokens, depth + 1)?)))
        }
        "+" => {
            tokens.take();
            operand(tokens, depth + 1)
        }
        "(" => {
            tokens.take();
            let inner = sum(tokens, depth + 1)?;
            tokens.expect(")")?;
            Ok(inner)
        }
        text if tokens.is_name() => {
            let name = text.to_string();
            tokens.take();
            Ok(MultiforExpression::Name(name))
        }
        _ => tokens.integer().map(MultiforExpression::Int),
    }
}
