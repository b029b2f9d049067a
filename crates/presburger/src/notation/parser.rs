//! Items and their tuples; conditions and expressions are read by [`super::parse_expression`].
//!
//! ```text
//! text    := [parameters "->"] "{" {item ";"} "}"
//! item    := [tuple ["->" tuple]] [":" condition]
//! tuple   := [name] "[" (tuple "->" tuple | element {"," element}) "]"
//! element := name ["=" value] | value | "*"    where value may be a range low:high
//! ```
use crate::core::error::{Error, Result};
use crate::core::tuple::{Name, Tuple};
use crate::notation::lexer::{Kind, Token, error, tokenize};
use crate::notation::syntax::{
    Element, Expression, Formula, Item, Relation, TupleSyntax, Variable,
};

/// How deep parentheses may nest: user input must not exhaust the stack.
const DEPTH_LIMIT: usize = 128;

/// What the last tuple of an item means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// Its positions are dimensions of a set or of a relation.
    Relation,
    /// Its positions are expressions over what stands before it.
    Function,
    /// It is no tuple, but a single expression over what stands before it.
    Polynomial,
}

/// A parser over the tokens of one text.
pub(super) struct Parser<'a> {
    tokens: Vec<Token<'a>>,
    next: usize,
    pub(super) mode: Mode,
    /// The visible names, inner ones last.
    pub(super) scope: Vec<(&'a str, Variable)>,
    n_dimensions: usize,
    n_bound: usize,
    pub(super) depth: usize,
    /// What the declarations of the parameters say about them.
    about_parameters: Vec<Formula>,
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
            about_parameters: Vec::new(),
        })
    }

    /// All tokens.
    pub(super) fn tokens(&self) -> &[Token<'a>] {
        &self.tokens
    }

    /// Says what the last tuples of the following items mean.
    pub(super) fn set_mode(&mut self, mode: Mode) {
        self.mode = mode;
    }

    pub(super) fn peek(&self) -> Token<'a> {
        self.tokens[self.next]
    }

    pub(super) fn advance(&mut self) -> Token<'a> {
        let token = self.peek();
        if token.kind != Kind::End {
            self.next += 1;
        }
        token
    }

    pub(super) fn is_symbol(&self, symbol: &str) -> bool {
        self.peek().kind == Kind::Symbol && self.peek().text == symbol
    }

    pub(super) fn is_keyword(&self, word: &str) -> bool {
        self.peek().keyword == Some(word)
    }

    /// Takes a symbol if it is next.
    pub(super) fn accept(&mut self, symbol: &str) -> bool {
        let found = self.is_symbol(symbol);
        self.next += usize::from(found);
        found
    }

    pub(super) fn accept_keyword(&mut self, word: &str) -> bool {
        let found = self.is_keyword(word);
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
    pub(super) fn tuple_with_arrow(&self) -> bool {
        let open = self.next + usize::from(self.peek().kind == Kind::Word);
        self.tokens[open].text == "[" && self.after_bracket(open).text == "->"
    }

    /// Reads `[n, m = 0:9] ->` if it is there.
    pub(super) fn parameters(&mut self) -> Result<Vec<Name>> {
        let mut names: Vec<Name> = Vec::new();
        if !(self.is_symbol("[") && self.tuple_with_arrow()) {
            return Ok(names);
        }
        self.expect("[")?;
        while !self.is_symbol("]") {
            let token = self.advance();
            if token.kind != Kind::Word || token.keyword.is_some() {
                let message = format!("expected a parameter, found {}", token.describe());
                return Err(error(token.position, message));
            }
            if self.find(token.text).is_some() {
                let message = format!("the parameter `{}` is declared twice", token.text);
                return Err(error(token.position, message));
            }
            let parameter = Expression::Variable(Variable::Dimension(self.n_dimensions));
            if self.accept("=") {
                let element = self.value_or_range()?;
                self.about_parameters.extend(restrictions(&parameter, element));
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
        self.refuse_rational()?;
        self.expect("{")?;
        self.refuse_rational()?;
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

    /// Sets of rational points are not integer sets with another condition, so they are refused.
    fn refuse_rational(&self) -> Result<()> {
        let token = self.peek();
        let follows = self.tokens.get(self.next + 1);
        if token.text.eq_ignore_ascii_case("rat") && follows.is_some_and(|t| t.text == ":") {
            return Err(self.unexpected("a set of integers"));
        }
        Ok(())
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
                Mode::Polynomial => TupleSyntax {
                    tuple: Tuple::anonymous(1),
                    elements: vec![Element::Value(self.value(false)?)],
                },
            });
        }
        let has_condition = self.accept(":") || self.accept("|");
        let mut condition = match has_condition && !self.is_symbol(";") && !self.is_symbol("}") {
            true => self.formula()?,
            false => Formula::Constant(true),
        };
        if !self.about_parameters.is_empty() {
            let declared = self.about_parameters.iter().cloned();
            condition = Formula::And(declared.chain([condition]).collect());
        }
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
        let is_name = token.kind == Kind::Word && token.keyword.is_none();
        if is_name && self.find(token.text).is_none() {
            self.advance();
            let element = match self.accept("=") {
                true => self.value_or_range()?,
                false => Element::Free,
            };
            self.bind_dimension(token.text);
            return Ok((Some(token.text.into()), element));
        }
        let element = self.value_or_range()?;
        self.n_dimensions += 1;
        Ok((None, element))
    }

    /// Reads `value`, `low:high`, `low:`, `:high` or `:`.
    fn value_or_range(&mut self) -> Result<Element> {
        let low = if self.is_symbol(":") { None } else { Some(self.value(false)?) };
        match (self.accept(":"), low) {
            (false, Some(value)) => Ok(Element::Value(value)),
            (_, low) => {
                let is_open = self.is_symbol(",") || self.is_symbol("]");
                let high = if is_open { None } else { Some(self.value(false)?) };
                Ok(Element::Between(low, high))
            }
        }
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

    pub(super) fn find(&self, name: &str) -> Option<Variable> {
        self.scope.iter().rev().find(|(n, _)| *n == name).map(|(_, v)| *v)
    }

    fn bind_dimension(&mut self, name: &'a str) {
        self.scope.push((name, Variable::Dimension(self.n_dimensions)));
        self.n_dimensions += 1;
    }

    pub(super) fn bind(&mut self, name: &'a str) -> usize {
        self.scope.push((name, Variable::Bound(self.n_bound)));
        self.n_bound += 1;
        self.n_bound - 1
    }

    pub(super) fn nest(&mut self) -> Result<()> {
        self.depth += 1;
        if self.depth > DEPTH_LIMIT {
            return Err(error(self.peek().position, crate::core::error::TOO_DEEP));
        }
        Ok(())
    }
}

/// What a declaration `name = element` says.
fn restrictions(name: &Expression, element: Element) -> Vec<Formula> {
    let compare = |by, value| Formula::Compare(name.clone(), by, value);
    match element {
        Element::Free => Vec::new(),
        Element::Value(value) => vec![compare(Relation::Equal, value)],
        Element::Between(low, high) => {
            let low = low.map(|value| compare(Relation::GreaterEqual, value));
            let high = high.map(|value| compare(Relation::LessEqual, value));
            low.into_iter().chain(high).collect()
        }
    }
}
