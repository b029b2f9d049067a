//! Recursive descent over the tokens of isl's notation.
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
//! factor     := atom ["*" factor] | atom {("/" | "%" | "mod") atom} | number factor
//! ```
use super::lexer::{Kind, Token, error, tokenize};
use super::syntax::{Element, Expression, Formula, Item, Relation, TupleSyntax, Variable};
use crate::{Error, Name, Result, Tuple};

/// How deep parentheses may nest: user input must not exhaust the stack.
const DEPTH_LIMIT: usize = 128;

/// What the last tuple of an item means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// Its positions are dimensions of a set or of a relation.
    Relation,
    /// Its positions are expressions over what stands before it.
    Function,
}

/// Something in a place where both expressions and formulas may stand.
enum Term {
    Value(Expression),
    Truth(Formula),
}

/// A parser over the tokens of one text.
pub(super) struct Parser<'a> {
    tokens: Vec<Token<'a>>,
    next: usize,
    mode: Mode,
    /// The visible names, inner ones last.
    scope: Vec<(&'a str, Variable)>,
    n_dimensions: usize,
    n_bound: usize,
    depth: usize,
}

impl<'a> Parser<'a> {
    /// A parser at the start of `text`.
    pub(super) fn new(text: &'a str, mode: Mode) -> Result<Self> {
        let tokens = tokenize(text)?;
        Ok(Parser {
            tokens,
            next: 0,
            mode,
            scope: Vec::new(),
            n_dimensions: 0,
            n_bound: 0,
            depth: 0,
        })
    }

    pub(super) fn peek(&self) -> Token<'a> {
        self.tokens[self.next]
    }

    fn advance(&mut self) -> Token<'a> {
        let token = self.peek();
        if token.kind != Kind::End {
            self.next += 1;
        }
        token
    }

    fn is_symbol(&self, symbol: &str) -> bool {
        self.peek().kind == Kind::Symbol && self.peek().text == symbol
    }

    fn is_word(&self, word: &str) -> bool {
        self.peek().kind == Kind::Word && self.peek().text == word
    }

    /// Takes a symbol if it is next.
    pub(super) fn accept(&mut self, symbol: &str) -> bool {
        let found = self.is_symbol(symbol);
        self.next += usize::from(found);
        found
    }

    fn accept_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        self.next += usize::from(found);
        found
    }

    /// Takes a symbol that must be next.
    pub(super) fn expect(&mut self, symbol: &str) -> Result<()> {
        if self.accept(symbol) { Ok(()) } else { Err(self.unexpected(&format!("`{symbol}`"))) }
    }

    /// The error that something else was expected here.
    pub(super) fn unexpected(&self, expected: &str) -> Error {
        error(
            self.peek().position,
            format!("expected {expected}, found {}", self.peek().describe()),
        )
    }

    /// Makes sure that the text ends here.
    pub(super) fn end(&self) -> Result<()> {
        if self.peek().kind == Kind::End {
            Ok(())
        } else {
            Err(self.unexpected("the end of the text"))
        }
    }

    /// The token after the bracket that closes the one at token `open`.
    fn after_bracket(&self, open: usize) -> Token<'a> {
        let mut depth = 0;
        for (index, token) in self.tokens.iter().enumerate().skip(open) {
            match token.text {
                "[" if token.kind == Kind::Symbol => depth += 1,
                "]" if token.kind == Kind::Symbol => {
                    depth -= 1;
                    if depth == 0 {
                        return self.tokens[index + 1];
                    }
                }
                _ => {}
            }
        }
        self.tokens[self.tokens.len() - 1]
    }

    /// Whether a tuple starts here that is followed by an arrow.
    fn tuple_with_arrow(&self) -> bool {
        let open = self.next + usize::from(self.peek().kind == Kind::Word);
        self.tokens[open].text == "[" && self.after_bracket(open).text == "->"
    }

    /// Reads `[n, m] ->` if it is there.
    pub(super) fn parameters(&mut self) -> Result<Vec<Name>> {
        let mut names: Vec<Name> = Vec::new();
        if !(self.is_symbol("[") && self.tuple_with_arrow()) {
            return Ok(names);
        }
        self.expect("[")?;
        while !self.is_symbol("]") {
            let token = self.advance();
            if token.kind != Kind::Word {
                return Err(error(
                    token.position,
                    format!("expected a parameter, found {}", token.describe()),
                ));
            }
            if self.find(token.text).is_some() {
                return Err(error(
                    token.position,
                    format!("the parameter `{}` is declared twice", token.text),
                ));
            }
            names.push(token.text.into());
            self.bind_dimension(token.text);
            if !self.accept(",") {
                break;
            }
        }
        self.expect("]")?;
        self.expect("->")?;
        Ok(names)
    }

    /// Reads `{ item; item }`.
    pub(super) fn items(&mut self) -> Result<Vec<Item>> {
        if self.is_word("rat") {
            return Err(self.unexpected("a set of integers"));
        }
        self.expect("{")?;
        let mut items = Vec::new();
        loop {
            while self.accept(";") {}
            if self.accept("}") {
                return Ok(items);
            }
            items.push(self.item()?);
            if !self.is_symbol(";") && !self.is_symbol("}") {
                return Err(self.unexpected("`;` or `}`"));
            }
        }
    }

    fn item(&mut self) -> Result<Item> {
        let position = self.peek().position;
        let (visible, n_params) = (self.scope.len(), self.n_dimensions);
        self.n_bound = 0;
        let mut input = None;
        let mut output = None;
        if !self.is_symbol(":") {
            if self.tuple_with_arrow() {
                input = Some(self.tuple()?);
                self.expect("->")?;
            }
            output = Some(match self.mode {
                Mode::Relation => self.tuple()?,
                Mode::Function => self.value_tuple()?,
            });
        }
        let condition = match self.accept(":") && !self.is_symbol(";") && !self.is_symbol("}") {
            true => self.formula()?,
            false => Formula::Constant(true),
        };
        self.scope.truncate(visible);
        self.n_dimensions = n_params;
        Ok(Item { position, input, output, condition, n_bound: self.n_bound })
    }

    /// The name before a bracket, if there is one.
    pub(super) fn tuple_name(&mut self) -> Option<Name> {
        (self.peek().kind == Kind::Word).then(|| self.advance().text.into())
    }

    /// Reads `Name[...]`, whose positions become dimensions.
    fn tuple(&mut self) -> Result<TupleSyntax> {
        self.nest()?;
        let name = self.tuple_name();
        self.expect("[")?;
        let syntax = if self.starts_nested() {
            let input = self.tuple()?;
            self.expect("->")?;
            let output = self.tuple()?;
            let tuple = Tuple::nested(input.tuple, output.tuple).with_name(name);
            TupleSyntax { tuple, elements: [input.elements, output.elements].concat() }
        } else {
            let mut names = Vec::new();
            let mut elements = Vec::new();
            while !self.is_symbol("]") {
                let (name, element) = self.element()?;
                names.push(name);
                elements.push(element);
                if !self.accept(",") {
                    break;
                }
            }
            let tuple = Tuple::anonymous(elements.len()).with_name(name).with_dim_names(&names);
            TupleSyntax { tuple, elements }
        };
        self.expect("]")?;
        self.depth -= 1;
        Ok(syntax)
    }

    /// Whether the content of a bracket is a wrapped relation.
    fn starts_nested(&self) -> bool {
        self.tuple_with_arrow()
    }

    /// Reads one position of a tuple: a new name (with or without a value), `*`, a value or a range.
    fn element(&mut self) -> Result<(Option<Name>, Element)> {
        if self.accept("*") {
            self.n_dimensions += 1;
            return Ok((None, Element::Free));
        }
        let token = self.peek();
        if token.kind == Kind::Word && !is_reserved(token.text) && self.find(token.text).is_none() {
            self.advance();
            let element = match self.accept("=") {
                true => Element::Value(self.value(false)?),
                false => Element::Free,
            };
            self.bind_dimension(token.text);
            return Ok((Some(token.text.into()), element));
        }
        let first = self.value(false)?;
        self.n_dimensions += 1;
        Ok((
            None,
            match self.accept(":") {
                true => Element::Between(first, self.value(false)?),
                false => Element::Value(first),
            },
        ))
    }

    /// Reads `Name[...]`, whose positions are expressions.
    fn value_tuple(&mut self) -> Result<TupleSyntax> {
        self.nest()?;
        let name = self.tuple_name();
        self.expect("[")?;
        let syntax = if self.starts_nested() {
            let input = self.value_tuple()?;
            self.expect("->")?;
            let output = self.value_tuple()?;
            let tuple = Tuple::nested(input.tuple, output.tuple).with_name(name);
            TupleSyntax { tuple, elements: [input.elements, output.elements].concat() }
        } else {
            let mut elements = Vec::new();
            while !self.is_symbol("]") {
                elements.push(Element::Value(self.value(false)?));
                if !self.accept(",") {
                    break;
                }
            }
            TupleSyntax { tuple: Tuple::anonymous(elements.len()).with_name(name), elements }
        };
        self.expect("]")?;
        self.depth -= 1;
        Ok(syntax)
    }

    fn find(&self, name: &str) -> Option<Variable> {
        self.scope.iter().rev().find(|(n, _)| *n == name).map(|(_, v)| *v)
    }

    fn bind_dimension(&mut self, name: &'a str) {
        self.scope.push((name, Variable::Dimension(self.n_dimensions)));
        self.n_dimensions += 1;
    }

    fn bind(&mut self, name: &'a str) -> usize {
        self.scope.push((name, Variable::Bound(self.n_bound)));
        self.n_bound += 1;
        self.n_bound - 1
    }

    fn nest(&mut self) -> Result<()> {
        self.depth += 1;
        if self.depth > DEPTH_LIMIT {
            return Err(error(self.peek().position, "the expression is nested too deeply"));
        }
        Ok(())
    }

    fn formula(&mut self) -> Result<Formula> {
        let position = self.peek().position;
        let term = self.term(true)?;
        truth(term, position)
    }

    fn value(&mut self, lists: bool) -> Result<Expression> {
        let position = self.peek().position;
        let term = self.term(lists)?;
        value(term, position)
    }

    /// Reads an expression or a formula; `lists`: whether `i, j >= 0` is one comparison here.
    fn term(&mut self, lists: bool) -> Result<Term> {
        self.nest()?;
        let position = self.peek().position;
        let first = self.disjunction(lists)?;
        let term = if self.accept_word("implies") {
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
        if !(self.is_word(word) || self.is_symbol(double) || self.is_symbol(single)) {
            return Ok(first);
        }
        let mut parts = vec![truth(first, position)?];
        while self.accept_word(word) || self.accept(double) || self.accept(single) {
            position = self.peek().position;
            let part = operand(self, lists)?;
            parts.push(truth(part, position)?);
        }
        Ok(Term::Truth(join(parts)))
    }

    fn negation(&mut self, lists: bool) -> Result<Term> {
        if self.accept_word("not") || self.accept("!") {
            self.nest()?;
            let position = self.peek().position;
            let operand = self.negation(lists)?;
            self.depth -= 1;
            return Ok(Term::Truth(Formula::Not(Box::new(truth(operand, position)?))));
        }
        if self.accept_word("exists") {
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
        let mut sum = value(first, position)?;
        loop {
            let negative = self.is_symbol("-");
            if !negative && !self.is_symbol("+") {
                return Ok(Term::Value(sum));
            }
            self.advance();
            let position = self.peek().position;
            let factor = self.factor()?;
            let mut next = value(factor, position)?;
            if negative {
                next = Expression::Negative(Box::new(next));
            }
            sum = Expression::Sum(Box::new(sum), Box::new(next));
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
        let juxtaposed = is_number
            && (next.text == "("
                || next.kind == Kind::Word && (!is_reserved(next.text) || is_function(next.text)));
        if juxtaposed || self.is_symbol("*") {
            self.accept("*");
            let start = self.peek().position;
            let right = self.factor()?;
            let (left, right) = (value(atom, position)?, value(right, start)?);
            return Ok(Term::Value(Expression::Product(Box::new(left), Box::new(right))));
        }
        let mut term = atom;
        loop {
            let join = if self.is_symbol("/") {
                Expression::Quotient
            } else if self.is_symbol("%") || self.is_word("mod") {
                Expression::Modulo
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
            term = Term::Value(join(Box::new(value(term, position)?), Box::new(right)));
        }
    }

    fn atom(&mut self) -> Result<Term> {
        let token = self.peek();
        match (token.kind, token.text) {
            (Kind::Number, _) => {
                self.advance();
                Ok(Term::Value(Expression::Number(token.number()?)))
            }
            (Kind::Symbol, "(") => {
                self.advance();
                let term = self.term(true)?;
                self.expect(")")?;
                Ok(term)
            }
            (Kind::Symbol, "[") => {
                self.advance();
                let inner = self.value(false)?;
                self.expect("]")?;
                Ok(Term::Value(Expression::Floor(Box::new(inner))))
            }
            (Kind::Word, "true" | "false") => {
                self.advance();
                Ok(Term::Truth(Formula::Constant(token.text == "true")))
            }
            (Kind::Word, "NaN") => {
                self.advance();
                Ok(Term::Value(Expression::NotANumber))
            }
            (Kind::Word, text) if is_function(text) => {
                self.advance();
                self.call(token).map(Term::Value)
            }
            (Kind::Word, text) if !is_reserved(text) => {
                let variable = self.find(text).ok_or_else(|| {
                    error(token.position, format!("expected a declared name, found `{text}`"))
                })?;
                self.advance();
                Ok(Term::Value(Expression::Variable(variable)))
            }
            _ => Err(self.unexpected("an expression")),
        }
    }

    /// Reads the arguments of a function.
    fn call(&mut self, function: Token<'a>) -> Result<Expression> {
        self.expect("(")?;
        let mut arguments = vec![self.value(false)?];
        while self.accept(",") {
            arguments.push(self.value(false)?);
        }
        self.expect(")")?;
        if function.text == "min" {
            return Ok(Expression::Minimum(arguments));
        }
        if function.text == "max" {
            return Ok(Expression::Maximum(arguments));
        }
        let divides = matches!(function.text, "floord" | "ceild");
        if arguments.len() != 1 + usize::from(divides) {
            return Err(error(
                function.position,
                format!(
                    "expected {} argument(s) of `{}`, found {}",
                    1 + usize::from(divides),
                    function.text,
                    arguments.len()
                ),
            ));
        }
        let divisor = if divides { arguments.pop() } else { None };
        let mut operand = arguments.remove(0);
        if let Some(divisor) = divisor {
            operand = Expression::Quotient(Box::new(operand), Box::new(divisor));
        }
        Ok(match function.text {
            "floor" | "floord" => Expression::Floor(Box::new(operand)),
            _ => Expression::Ceiling(Box::new(operand)),
        })
    }
}

fn is_function(word: &str) -> bool {
    matches!(word, "floor" | "ceil" | "ceiling" | "floord" | "ceild" | "min" | "max")
}

pub(super) fn is_reserved(word: &str) -> bool {
    is_function(word)
        || matches!(
            word,
            "and"
                | "or"
                | "not"
                | "exists"
                | "implies"
                | "true"
                | "false"
                | "mod"
                | "NaN"
                | "infty"
                | "infinity"
        )
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
