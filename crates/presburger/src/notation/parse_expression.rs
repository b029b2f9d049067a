//! Recursive descent over conditions and expressions.
//!
//! Expressions and formulas share their parentheses, so both are parsed by one ladder of
//! precedences whose steps return a [`Term`] that is either; whether an operator got operands of
//! the right sort is checked where it is applied. There is no backtracking. From loose to tight:
//!
//! ```text
//! term       := disjunction ["implies" term]  |  disjunction "?" term ":" term
//! disjunction:= conjunction {("or" | "||" | "|") conjunction}
//! conjunction:= negation {("and" | "&&" | "&") negation}
//! negation   := ("not" | "!") negation | exists | comparison
//! comparison := list {relation list}          where list := sum {"," sum}
//! sum        := ["-"] factor {("+" | "-") factor}
//! factor     := atom ["*" factor] | atom {("/" | "//" | "%" | "mod" | "*") atom} | number factor
//! ```
//!
//! As in isl, a factor before an atom multiplies what the division makes of it: `3i mod 4` is
//! `3 * (i mod 4)`, and `-i // 2` is `-(i // 2)`.
use crate::core::error::Result;
use crate::notation::lexer::{Kind, Token, error};
use crate::notation::parser::{Mode, Parser};
use crate::notation::syntax::{Expression, Formula, Relation};
use loopwright_exact::Int;

/// The most digits of a power: user input must not exhaust the memory.
const POWER_DIGITS: usize = 10_000;
/// The greatest exponent of an expression that is no number.
const MAX_EXPONENT: u32 = 100;

/// Something in a place where both expressions and formulas may stand.
enum Term {
    Value(Expression),
    Truth(Formula),
}

impl<'a> Parser<'a> {
    pub(super) fn formula(&mut self) -> Result<Formula> {
        let position = self.peek().position;
        let term = self.term(true)?;
        truth(term, position)
    }

    pub(super) fn value(&mut self, lists: bool) -> Result<Expression> {
        let position = self.peek().position;
        let term = self.term(lists)?;
        value(term, position)
    }

    /// Reads an expression or a formula; `lists`: whether `i, j >= 0` is one comparison here.
    fn term(&mut self, lists: bool) -> Result<Term> {
        self.nest()?;
        let position = self.peek().position;
        let first = self.disjunction(lists)?;
        let term = if self.accept_keyword("implies") {
            let premise = truth(first, position)?;
            let position = self.peek().position;
            let conclusion = self.term(lists)?;
            Term::Truth(Formula::Or(vec![
                Formula::Not(Box::new(premise)),
                truth(conclusion, position)?,
            ]))
        } else if self.accept("?") {
            let condition = Box::new(truth(first, position)?);
            let then = Box::new(self.value(lists)?);
            self.expect(":")?;
            Term::Value(Expression::Choice(condition, then, Box::new(self.value(lists)?)))
        } else {
            first
        };
        self.depth -= 1;
        Ok(term)
    }

    fn disjunction(&mut self, lists: bool) -> Result<Term> {
        self.joined(lists, ["or", "||", "|"], Formula::Or, Self::conjunction)
    }

    fn conjunction(&mut self, lists: bool) -> Result<Term> {
        self.joined(lists, ["and", "&&", "&"], Formula::And, Self::negation)
    }

    /// Reads operands between any of three spellings of an operator.
    fn joined(
        &mut self,
        lists: bool,
        [word, double, single]: [&str; 3],
        join: fn(Vec<Formula>) -> Formula,
        operand: fn(&mut Self, bool) -> Result<Term>,
    ) -> Result<Term> {
        let mut position = self.peek().position;
        let first = operand(self, lists)?;
        if !(self.is_keyword(word) || self.is_symbol(double) || self.is_symbol(single)) {
            return Ok(first);
        }
        let mut parts = vec![truth(first, position)?];
        while self.accept_keyword(word) || self.accept(double) || self.accept(single) {
            position = self.peek().position;
            let part = operand(self, lists)?;
            parts.push(truth(part, position)?);
        }
        Ok(Term::Truth(join(parts)))
    }

    fn negation(&mut self, lists: bool) -> Result<Term> {
        if self.accept_keyword("not") || self.accept("!") {
            self.nest()?;
            let position = self.peek().position;
            let operand = self.negation(lists)?;
            self.depth -= 1;
            return Ok(Term::Truth(Formula::Not(Box::new(truth(operand, position)?))));
        }
        if self.accept_keyword("exists") {
            return self.exists().map(Term::Truth);
        }
        self.comparison(lists)
    }

    /// Reads `(e0, e1 = floor(..): formula)` or `e0, e1: formula`.
    fn exists(&mut self) -> Result<Formula> {
        self.nest()?;
        let visible = self.scope.len();
        let parenthesized = self.accept("(");
        let bracketed = self.accept("[");
        let mut bound = Vec::new();
        while self.peek().kind == Kind::Word {
            let name = self.advance().text;
            let value = match self.accept("=") {
                true => Some(self.value(false)?),
                false => None,
            };
            bound.push((self.bind(name), value));
            if !self.accept(",") {
                break;
            }
        }
        if bracketed {
            self.expect("]")?;
        }
        self.expect(":")?;
        let body = match parenthesized && self.is_symbol(")") {
            true => Formula::Constant(true),
            false => self.formula()?,
        };
        if parenthesized {
            self.expect(")")?;
        }
        self.scope.truncate(visible);
        self.depth -= 1;
        Ok(Formula::Exists(bound, Box::new(body)))
    }

    fn comparison(&mut self, lists: bool) -> Result<Term> {
        let position = self.peek().position;
        let first = self.sum()?;
        let is_list = lists && self.is_symbol(",");
        if !is_list && comparator(self.peek()).is_none() {
            return Ok(first);
        }
        let mut left = vec![value(first, position)?];
        self.rest_of_list(lists, &mut left)?;
        let mut parts = Vec::new();
        while let Some(comparator) = comparator(self.peek()) {
            let position = self.advance().position;
            let start = self.peek().position;
            let term = self.sum()?;
            let mut right = vec![value(term, start)?];
            self.rest_of_list(lists, &mut right)?;
            parts.push(compare(&left, comparator, &right, position)?);
            left = right;
        }
        if parts.is_empty() {
            return Err(self.unexpected("a comparison"));
        }
        Ok(Term::Truth(if parts.len() == 1 { parts.remove(0) } else { Formula::And(parts) }))
    }

    fn rest_of_list(&mut self, lists: bool, list: &mut Vec<Expression>) -> Result<()> {
        while lists && self.accept(",") {
            let position = self.peek().position;
            let term = self.sum()?;
            list.push(value(term, position)?);
        }
        Ok(())
    }

    fn sum(&mut self) -> Result<Term> {
        let position = self.peek().position;
        let first = self.factor()?;
        if !self.is_symbol("+") && !self.is_symbol("-") {
            return Ok(first);
        }
        let mut addends = vec![value(first, position)?];
        loop {
            let negative = self.is_symbol("-");
            if !negative && !self.is_symbol("+") {
                return Ok(Term::Value(balanced_sum(addends)));
            }
            self.advance();
            let position = self.peek().position;
            let factor = self.factor()?;
            let mut next = value(factor, position)?;
            if negative {
                next = Expression::Negative(Box::new(next));
            }
            addends.push(next);
        }
    }

    fn factor(&mut self) -> Result<Term> {
        self.nest()?;
        let position = self.peek().position;
        let term = if self.accept("-") {
            let factor = self.factor()?;
            Term::Value(Expression::Negative(Box::new(value(factor, position)?)))
        } else {
            let is_number = self.peek().kind == Kind::Number;
            let atom = self.atom()?;
            self.factor_after(atom, is_number, position)?
        };
        self.depth -= 1;
        Ok(term)
    }

    /// Reads what multiplies or divides an atom.
    fn factor_after(&mut self, atom: Term, is_number: bool, position: usize) -> Result<Term> {
        let next = self.peek();
        let starts_factor = match next.keyword {
            Some(word) => is_function(word),
            None => next.kind == Kind::Word || self.is_symbol("("),
        };
        let juxtaposed = is_number && starts_factor;
        if juxtaposed || self.is_symbol("*") {
            self.accept("*");
            let start = self.peek().position;
            let right = self.factor()?;
            let (left, right) = (value(atom, position)?, value(right, start)?);
            let product = Expression::Product(Box::new(left), Box::new(right));
            return Ok(Term::Value(product.at(position)));
        }
        let mut term = atom;
        loop {
            let join: fn(Box<Expression>, Box<Expression>) -> Expression = if self.is_symbol("/") {
                Expression::Quotient
            } else if self.is_symbol("//") {
                |a, b| Expression::Floor(Box::new(Expression::Quotient(a, b)))
            } else if self.is_symbol("%") || self.is_keyword("mod") {
                Expression::Modulo
            } else if self.is_symbol("*") {
                Expression::Product
            } else {
                return Ok(term);
            };
            self.advance();
            let start = self.peek().position;
            let negative = self.accept("-");
            let atom = self.atom()?;
            let mut right = value(atom, start)?;
            if negative {
                right = Expression::Negative(Box::new(right));
            }
            let joined = join(Box::new(value(term, position)?), Box::new(right));
            term = Term::Value(joined.at(position));
        }
    }

    fn atom(&mut self) -> Result<Term> {
        let token = self.peek();
        match (token.kind, token.text) {
            (Kind::Number, _) => {
                self.advance();
                self.power(token.number()?).map(|n| Term::Value(Expression::Number(n)))
            }
            (Kind::Symbol, "(") => {
                self.advance();
                let term = self.term(true)?;
                let term = if self.is_symbol(":") { self.piecewise(term, token)? } else { term };
                self.expect(")")?;
                self.powered(term, token)
            }
            (Kind::Symbol, "[") => {
                self.advance();
                let inner = self.value(false)?;
                self.expect("]")?;
                self.powered(Term::Value(Expression::Floor(Box::new(inner))), token)
            }
            (Kind::Word, text) => {
                if let Some(word) = token.keyword {
                    return self.keyword(token, word);
                }
                let variable = self.find(text).ok_or_else(|| {
                    error(token.position, format!("expected a declared name, found `{text}`"))
                })?;
                self.advance();
                self.powered(Term::Value(Expression::Variable(variable)), token)
            }
            _ => Err(self.unexpected("an expression")),
        }
    }

    /// Reads a constant, or a function with its arguments.
    fn keyword(&mut self, token: Token<'a>, word: &'static str) -> Result<Term> {
        let term = match word {
            "true" | "false" => Term::Truth(Formula::Constant(word == "true")),
            "NaN" => Term::Value(Expression::NotANumber),
            "infty" | "infinity" if self.mode == Mode::Polynomial => {
                Term::Value(Expression::Infinity)
            }
            "infty" | "infinity" => return Err(self.unexpected("a finite expression")),
            _ if is_function(word) => {
                self.advance();
                let term = self.call(token, word).map(Term::Value)?;
                return self.powered(term, token);
            }
            _ => return Err(self.unexpected("an expression")),
        };
        self.advance();
        Ok(term)
    }

    /// Reads the exponent after an expression that is no number: `i^2`.
    fn powered(&mut self, base: Term, start: Token<'a>) -> Result<Term> {
        if !self.accept("^") {
            return Ok(base);
        }
        let token = self.advance();
        let exponent = match token.kind {
            Kind::Number => token.number()?.to_i64().and_then(|e| u32::try_from(e).ok()),
            _ => None,
        };
        match exponent.filter(|e| *e <= MAX_EXPONENT) {
            Some(exponent) => {
                let base = Box::new(value(base, start.position)?);
                Ok(Term::Value(Expression::Power(base, exponent).at(start.position)))
            }
            None => {
                let message = format!("expected a small exponent, found {}", token.describe());
                Err(error(token.position, message))
            }
        }
    }

    /// Reads the exponents after a number: `2^10`.
    fn power(&mut self, mut base: Int) -> Result<Int> {
        while self.accept("^") {
            let token = self.advance();
            if token.kind != Kind::Number {
                let message = format!("expected an exponent, found {}", token.describe());
                return Err(error(token.position, message));
            }
            let digits = base.to_string().len();
            let exponent = token.number()?.to_i64().and_then(|e| u32::try_from(e).ok());
            base = match exponent {
                Some(e) if digits.saturating_mul(e as usize) <= POWER_DIGITS => base.pow(e),
                _ => return Err(error(token.position, "expected a smaller exponent")),
            };
        }
        Ok(base)
    }

    /// Reads `: condition; value : condition ...` after the first value of a piecewise expression.
    fn piecewise(&mut self, first: Term, start: Token<'a>) -> Result<Term> {
        let mut pieces = Vec::new();
        let mut piece = value(first, start.position)?;
        loop {
            self.expect(":")?;
            pieces.push((self.formula()?, piece));
            if !self.accept(";") {
                return Ok(Term::Value(Expression::Piecewise(pieces)));
            }
            piece = self.value(false)?;
        }
    }

    /// Reads the arguments of a function.
    fn call(&mut self, function: Token<'a>, name: &'static str) -> Result<Expression> {
        self.expect("(")?;
        let mut arguments = vec![self.value(false)?];
        while self.accept(",") {
            arguments.push(self.value(false)?);
        }
        self.expect(")")?;
        if name == "min" {
            return Ok(Expression::Minimum(arguments));
        }
        if name == "max" {
            return Ok(Expression::Maximum(arguments));
        }
        let divides = matches!(name, "floord" | "ceild");
        if arguments.len() != 1 + usize::from(divides) {
            return Err(error(
                function.position,
                format!(
                    "expected {} argument(s) of `{}`, found {}",
                    1 + usize::from(divides),
                    name,
                    arguments.len()
                ),
            ));
        }
        let divisor = if divides { arguments.pop() } else { None };
        let mut operand = arguments.remove(0);
        if let Some(divisor) = divisor {
            let quotient = Expression::Quotient(Box::new(operand), Box::new(divisor));
            operand = quotient.at(function.position);
        }
        Ok(match name {
            "floor" | "floord" => Expression::Floor(Box::new(operand)),
            _ => Expression::Ceiling(Box::new(operand)),
        })
    }
}

fn is_function(word: &str) -> bool {
    matches!(word, "floor" | "ceil" | "ceiling" | "floord" | "ceild" | "min" | "max")
}

fn value(term: Term, position: usize) -> Result<Expression> {
    match term {
        Term::Value(expression) => Ok(expression),
        Term::Truth(_) => Err(error(position, "expected an expression, found a condition")),
    }
}

fn truth(term: Term, position: usize) -> Result<Formula> {
    match term {
        Term::Truth(formula) => Ok(formula),
        Term::Value(_) => Err(error(position, "expected a condition, found an expression")),
    }
}

/// A relation between lists: each pair, or the lists in lexicographic order.
#[derive(Clone, Copy)]
enum Comparator {
    Pairs(Relation),
    Lexicographic(Relation),
}

fn comparator(token: Token<'_>) -> Option<Comparator> {
    if token.kind != Kind::Symbol {
        return None;
    }
    Some(match token.text {
        "<" => Comparator::Pairs(Relation::Less),
        "<=" => Comparator::Pairs(Relation::LessEqual),
        "=" | "==" => Comparator::Pairs(Relation::Equal),
        "!=" => Comparator::Pairs(Relation::NotEqual),
        ">=" => Comparator::Pairs(Relation::GreaterEqual),
        ">" => Comparator::Pairs(Relation::Greater),
        "<<" => Comparator::Lexicographic(Relation::Less),
        "<<=" => Comparator::Lexicographic(Relation::LessEqual),
        ">>=" => Comparator::Lexicographic(Relation::GreaterEqual),
        ">>" => Comparator::Lexicographic(Relation::Greater),
        _ => return None,
    })
}

fn compare(
    left: &[Expression],
    by: Comparator,
    right: &[Expression],
    position: usize,
) -> Result<Formula> {
    let atom =
        |l: &Expression, r: Relation, e: &Expression| Formula::Compare(l.clone(), r, e.clone());
    match by {
        Comparator::Pairs(relation) => {
            let mut all: Vec<Formula> =
                left.iter().flat_map(|l| right.iter().map(move |r| atom(l, relation, r))).collect();
            Ok(if all.len() == 1 { all.remove(0) } else { Formula::And(all) })
        }
        Comparator::Lexicographic(_) if left.len() != right.len() => {
            Err(error(position, "expected as many expressions on the right as on the left"))
        }
        Comparator::Lexicographic(relation) => {
            let strict = match relation {
                Relation::Less | Relation::LessEqual => Relation::Less,
                _ => Relation::Greater,
            };
            let mut cases = Vec::new();
            for depth in 0..left.len() {
                let by = if depth + 1 == left.len() { relation } else { strict };
                let mut parts: Vec<Formula> =
                    (0..depth).map(|i| atom(&left[i], Relation::Equal, &right[i])).collect();
                parts.push(atom(&left[depth], by, &right[depth]));
                cases.push(Formula::And(parts));
            }
            Ok(Formula::Or(cases))
        }
    }
}

/// The sum of expressions as a tree of logarithmic depth: trees are walked and dropped recursively, and
/// printed polynomials may have hundreds of thousands of terms.
fn balanced_sum(mut addends: Vec<Expression>) -> Expression {
    while addends.len() > 1 {
        let mut pairs = Vec::with_capacity(addends.len().div_ceil(2));
        let mut rest = addends.into_iter();
        while let Some(left) = rest.next() {
            pairs.push(match rest.next() {
                Some(right) => Expression::Sum(Box::new(left), Box::new(right)),
                None => left,
            });
        }
        addends = pairs;
    }
    addends.pop().unwrap_or(Expression::Number(Int::ZERO))
}
