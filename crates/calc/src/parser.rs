//! Recursive descent over statements. From loose to tight:
//!
//! ```text
//! statement  := [name ":="] expression | ("print" | "assert" | "write" file | "source") expression
//! expression := order {("=" | "==" | "<=" | "<" | ">=" | ">") order}
//! order      := sum {("<<" | "<<=" | ">>" | ">>=") sum}
//! sum        := product {("+" | "-" | "->-") product}
//! product    := chain {("*" | "%" | "->*") chain}
//! chain      := unary {("." | "before" | "after" | "->" | "cross" | "cross_range" | "@") unary}
//! unary      := function unary | "-" unary | postfix
//! postfix    := operand {"(" expression ")" | "[" expression "]" | "^" exponent}
//! ```
//! `codegen` and `schedule` take whole expressions up to their keywords, `any` and `last` take sums.
use super::functions::{UNAVAILABLE, function};
use super::keywords::KEYWORDS;
use super::literals::literal_value;
use super::operators::Operator;
use super::problem::{Outcome, Problem};
use super::scanner::{Kind as Sort, Scanner, Token};
use super::syntax::{Dependences, Expression, Kind, Statement};
use super::value::Value;
use loopwright_presburger::Int;

/// How deep expressions may nest: user input must not exhaust the stack.
const DEPTH_LIMIT: usize = 100;

/// How many operators of one level may follow each other.
const CHAIN_LIMIT: usize = 4000;

/// How many bytes may be read in looking for the ends of brackets that are never closed.
const MOST_WASTED: usize = 1 << 26;

pub(super) struct Parser<'a> {
    scanner: Scanner<'a>,
    depth: usize,
    /// Whether `before` ends an operand, as in `any A before B`, and is no operator.
    stops_at_before: bool,
    /// The bytes that were read for nothing, behind brackets that are never closed.
    n_wasted: usize,
}

impl<'a> Parser<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Parser { scanner: Scanner::new(text), depth: 0, stops_at_before: false, n_wasted: 0 }
    }

    /// The next statement with its position; none at the end. After a problem, the next call goes on
    /// behind the next semicolon, or ends the text where brackets that are never closed would have it
    /// read again and again.
    pub(super) fn statement(&mut self) -> Outcome<Option<(usize, Statement)>> {
        (self.depth, self.stops_at_before) = (0, false);
        let start = self.scanner;
        let result = self.whole_statement();
        if result.is_err() {
            self.scanner = start;
            let n_unclosed = self.scanner.skip_statement();
            self.n_wasted += n_unclosed * (self.scanner.remaining() + 1);
            if self.n_wasted > MOST_WASTED {
                self.scanner.skip_all();
                let message = "too many brackets are never closed; the rest is not read";
                return Err(Problem::limit(start.position(), message));
            }
        }
        result
    }

    fn whole_statement(&mut self) -> Outcome<Option<(usize, Statement)>> {
        let first = self.peek()?;
        if first.kind == Sort::End {
            return Ok(None);
        }
        let statement = self.statement_body(first)?;
        let end = self.peek()?;
        if end.kind != Sort::End {
            self.expect(";")?;
        }
        Ok(Some((first.position, statement)))
    }

    fn statement_body(&mut self, first: Token<'a>) -> Outcome<Statement> {
        match (first.kind, first.text) {
            (Sort::Symbol, ";") => return Ok(Statement::Empty),
            (Sort::Word, "print") => {
                self.next()?;
                return Ok(Statement::Print(self.expression()?));
            }
            (Sort::Word, "assert") => {
                self.next()?;
                return Ok(Statement::Assert(self.expression()?));
            }
            (Sort::Word, "source") => {
                self.next()?;
                return Ok(Statement::Source(self.unary()?));
            }
            (Sort::Word, "write") => {
                self.next()?;
                return Ok(Statement::Write(self.postfix()?, self.expression()?));
            }
            (Sort::Word, "help") => {
                self.next()?;
                return Ok(Statement::Help);
            }
            (Sort::Word, name) => {
                let before = self.scanner;
                self.next()?;
                if self.accept(":=")? {
                    self.check_name(first)?;
                    return Ok(Statement::Assign(name.to_owned(), self.expression()?));
                }
                self.scanner = before;
            }
            _ => {}
        }
        Ok(Statement::Print(self.expression()?))
    }

    fn check_name(&self, token: Token<'_>) -> Outcome<()> {
        if KEYWORDS.contains(&token.text) || function(token.text).is_some() {
            let message = format!("expected the name of a variable, found `{}`", token.text);
            return Err(Problem::new(token.position, message));
        }
        Ok(())
    }

    /// The next piece, which stays.
    fn peek(&self) -> Outcome<Token<'a>> {
        let mut ahead = self.scanner;
        ahead.next()
    }

    fn next(&mut self) -> Outcome<Token<'a>> {
        self.scanner.next()
    }

    fn accept(&mut self, text: &str) -> Outcome<bool> {
        let token = self.peek()?;
        let found = matches!(token.kind, Sort::Symbol | Sort::Word) && token.text == text;
        if found {
            self.next()?;
        }
        Ok(found)
    }

    fn expect(&mut self, text: &str) -> Outcome<()> {
        if self.accept(text)? {
            return Ok(());
        }
        let token = self.peek()?;
        let message = format!("expected `{text}`, found {}", token.describe());
        Err(Problem::new(token.position, message))
    }

    fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Outcome<T>) -> Outcome<T> {
        self.depth += 1;
        if self.depth > DEPTH_LIMIT {
            let message = "the expression is nested too deeply";
            return Err(Problem::limit(self.scanner.position(), message));
        }
        let result = parse(self);
        self.depth -= 1;
        result
    }

    fn expression(&mut self) -> Outcome<Expression> {
        self.with_before(false, 0)
    }

    /// An expression in which `before` is an operator, or is not.
    fn with_before(&mut self, stops: bool, level: usize) -> Outcome<Expression> {
        let outside = std::mem::replace(&mut self.stops_at_before, stops);
        let result = self.nested(|parser| parser.level(level));
        self.stops_at_before = outside;
        result
    }

    /// Binary operators of one level of precedence and everything tighter.
    fn level(&mut self, level: usize) -> Outcome<Expression> {
        if level == Operator::LEVELS {
            return self.unary();
        }
        let mut left = self.level(level + 1)?;
        for n_operators in 0.. {
            let token = self.peek()?;
            let operator = match token.kind {
                Sort::Word if token.text == "before" && self.stops_at_before => None,
                Sort::Symbol | Sort::Word => Operator::at_level(token.text, level),
                _ => None,
            };
            let Some(operator) = operator else { break };
            if n_operators == CHAIN_LIMIT {
                let message = format!("more than {CHAIN_LIMIT} operators in a row");
                return Err(Problem::limit(token.position, message));
            }
            self.next()?;
            let right = self.level(level + 1)?;
            let kind = Kind::Binary(operator, Box::new(left), Box::new(right));
            left = Expression { position: token.position, kind };
        }
        Ok(left)
    }

    fn unary(&mut self) -> Outcome<Expression> {
        self.nested(Self::unary_inside)
    }

    fn unary_inside(&mut self) -> Outcome<Expression> {
        let token = self.peek()?;
        let position = token.position;
        let kind = match (token.kind, token.text) {
            (Sort::Symbol, "-") => {
                self.next()?;
                let zero = Expression { position, kind: Kind::Value(Value::Integer(Int::ZERO)) };
                Kind::Binary(Operator::Difference, Box::new(zero), Box::new(self.unary()?))
            }
            (Sort::Word, "any" | "last") => self.dependences()?,
            (Sort::Word, "codegen") => {
                self.next()?;
                let what = Box::new(self.expression()?);
                Kind::Codegen(what, self.clause("using")?)
            }
            (Sort::Word, "schedule") => {
                self.next()?;
                let domain = Box::new(self.expression()?);
                let respecting = self.clause("respecting")?;
                Kind::Schedule(domain, respecting, self.clause("minimizing")?)
            }
            (Sort::Word, "read") => {
                self.next()?;
                Kind::Read(Box::new(self.unary()?))
            }
            (Sort::Word, "parse_file") => {
                self.next()?;
                Kind::ParseFile(Box::new(self.unary()?))
            }
            (Sort::Word, name) => match function(name) {
                Some(function) => {
                    self.next()?;
                    Kind::Call(function, Box::new(self.unary()?))
                }
                None => return self.postfix(),
            },
            _ => return self.postfix(),
        };
        Ok(Expression { position, kind })
    }

    /// A keyword and its operand, if the keyword is next.
    fn clause(&mut self, keyword: &str) -> Outcome<Option<Box<Expression>>> {
        if !self.accept(keyword)? {
            return Ok(None);
        }
        Ok(Some(Box::new(self.expression()?)))
    }

    fn dependences(&mut self) -> Outcome<Kind> {
        let operand = |parser: &mut Self| parser.with_before(true, Operator::LEVEL_OF_SUMS);
        let any = if self.accept("any")? { Some(operand(self)?) } else { None };
        let last = if self.accept("last")? { Some(operand(self)?) } else { None };
        self.expect("before")?;
        let sinks = operand(self)?;
        self.expect("under")?;
        let schedule = operand(self)?;
        Ok(Kind::Dependences(Box::new(Dependences { any, last, sinks, schedule })))
    }

    fn postfix(&mut self) -> Outcome<Expression> {
        let mut expression = self.operand()?;
        for n_steps in 0.. {
            let token = self.peek()?;
            if token.kind != Sort::Symbol {
                break;
            }
            if n_steps == DEPTH_LIMIT && ["(", "[", "^"].contains(&token.text) {
                return Err(Problem::limit(token.position, "the expression is nested too deeply"));
            }
            let inner = Box::new(expression);
            let kind = match token.text {
                "(" => {
                    self.next()?;
                    let argument = self.expression()?;
                    self.expect(")")?;
                    Kind::Apply(inner, Box::new(argument))
                }
                "[" => {
                    self.next()?;
                    let index = self.expression()?;
                    self.expect("]")?;
                    Kind::Index(inner, Box::new(index))
                }
                "^" => {
                    self.next()?;
                    Kind::Power(inner, self.exponent()?)
                }
                _ => return Ok(*inner),
            };
            expression = Expression { position: token.position, kind };
        }
        Ok(expression)
    }

    /// `+`, or a number with or without sign.
    fn exponent(&mut self) -> Outcome<Option<i64>> {
        if self.accept("+")? {
            return Ok(None);
        }
        let negative = self.accept("-")?;
        let token = self.next()?;
        let number = if token.kind == Sort::Number { token.text.parse::<i64>().ok() } else { None };
        match number {
            Some(number) => Ok(Some(if negative { -number } else { number })),
            None => {
                let message = format!("expected `+` or an exponent, found {}", token.describe());
                Err(Problem::new(token.position, message))
            }
        }
    }

    fn operand(&mut self) -> Outcome<Expression> {
        if let Some(literal) = self.scanner.literal()? {
            let value =
                literal_value(literal.text).map_err(|e| Problem::of(literal.position, &e))?;
            return Ok(Expression { position: literal.position, kind: Kind::Value(value) });
        }
        let token = self.next()?;
        let position = token.position;
        let kind = match (token.kind, token.text) {
            (Sort::Number, digits) => Kind::Value(Value::Integer(number(digits, position)?)),
            (Sort::Text, text) => Kind::Value(Value::Text(text.to_owned())),
            (Sort::Symbol, "(") => return self.parenthesized(position),
            (Sort::Word, "True") => Kind::Value(Value::Boolean(true)),
            (Sort::Word, "False") => Kind::Value(Value::Boolean(false)),
            (Sort::Word, name) if UNAVAILABLE.iter().any(|(known, _)| *known == name) => {
                let reason = UNAVAILABLE.iter().find(|(known, _)| *known == name);
                let reason = reason.map_or("", |(_, reason)| reason);
                return Err(Problem::new(position, format!("`{name}` {reason}")));
            }
            (Sort::Word, name) if !KEYWORDS.contains(&name) => Kind::Variable(name.to_owned()),
            _ => {
                let message = format!("expected a value, found {}", token.describe());
                return Err(Problem::new(position, message));
            }
        };
        Ok(Expression { position, kind })
    }

    /// A value in parentheses, or a list of several.
    fn parenthesized(&mut self, position: usize) -> Outcome<Expression> {
        if self.accept(")")? {
            return Ok(Expression { position, kind: Kind::List(Vec::new()) });
        }
        let first = self.expression()?;
        if self.accept(")")? {
            return Ok(first);
        }
        let mut members = vec![first];
        while self.accept(",")? {
            members.push(self.expression()?);
        }
        self.expect(")")?;
        Ok(Expression { position, kind: Kind::List(members) })
    }
}

fn number(digits: &str, position: usize) -> Outcome<Int> {
    digits.parse().map_err(|_| Problem::new(position, format!("`{digits}` is not a number")))
}
