//! Tuples of values and of piecewise expressions, in and out.
//!
//! Every position of a tuple of piecewise expressions is read (and printed) as a function of its
//! own: `{ A[i] -> B[((i) : i > 0; (2) : i = 0), (3)] }`.
use crate::core::error::Result;
use crate::core::space::Space;
use crate::core::tuple::Tuple;
use crate::functions::multi_pw_aff::MultiPwAff;
use crate::functions::multi_val::MultiVal;
use crate::functions::piecewise::PwAff;
use crate::notation::expression_text::{column_names, parameters_text, tuple_text, tuples_text};
use crate::notation::lexer::{Kind, error};
use crate::notation::parser::{Mode, Parser};
use crate::notation::print_function::aff_text;
use crate::notation::print_set::condition_text;
use crate::notation::read_function::pw_aff_of_item;
use crate::notation::syntax::{Item, TupleSyntax};
use loopwright_exact::Value;
use std::fmt;

impl Parser<'_> {
    /// Reads `3`, `-1/2`, `infty`, `-infty` or `NaN`.
    pub(super) fn constant(&mut self) -> Result<Value> {
        if self.accept("-") {
            return Ok(-&self.constant()?);
        }
        let token = self.advance();
        match (token.kind, token.keyword) {
            (Kind::Number, _) => {
                let value = Value::from(token.number()?);
                match self.accept("/") {
                    true => Ok(&value / &self.constant()?),
                    false => Ok(value),
                }
            }
            (_, Some("infty" | "infinity")) => Ok(Value::Infinity),
            (_, Some("NaN")) => Ok(Value::NotANumber),
            _ => {
                let message = format!("expected a constant, found {}", token.describe());
                Err(error(token.position, message))
            }
        }
    }

    /// Reads `Name[1, 2/3]` or `Name[A[1] -> B[]]`.
    fn constant_tuple(&mut self, values: &mut Vec<Value>) -> Result<Tuple> {
        self.nest()?;
        let name = self.tuple_name();
        self.expect("[")?;
        let tuple = if self.tuple_with_arrow() {
            let first = self.constant_tuple(values)?;
            self.expect("->")?;
            let second = self.constant_tuple(values)?;
            Tuple::nested(first, second)
        } else {
            let before = values.len();
            while !self.is_symbol("]") {
                values.push(self.constant()?);
                if !self.accept(",") {
                    break;
                }
            }
            Tuple::anonymous(values.len() - before)
        };
        self.expect("]")?;
        self.depth -= 1;
        Ok(tuple.with_name(name))
    }
}

impl MultiVal {
    /// Reads `{ A[1, 2/3, infty] }`.
    ///
    /// ```
    /// use loopwright_presburger::MultiVal;
    /// let values = MultiVal::parse("{ A[1, -2/3, infty] }")?;
    /// assert_eq!(values.add(&values)?.to_string(), "{ A[2, -4/3, infty] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Parse`](crate::Error::Parse) with the byte position.
    pub fn parse(text: &str) -> Result<Self> {
        let mut parser = Parser::new(text, Mode::Function)?;
        let params = parser.parameters()?;
        parser.expect("{")?;
        let mut values = Vec::new();
        let tuple = parser.constant_tuple(&mut values)?;
        parser.expect("}")?;
        parser.end()?;
        MultiVal::new(Space::set(&params, tuple), values)
    }
}

impl fmt::Display for MultiVal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let values: Vec<String> = self.members().iter().map(Value::to_string).collect();
        let anonymous = Tuple::anonymous(0);
        let tuple = self.space().output().unwrap_or(&anonymous);
        write!(f, "{}{{ {} }}", parameters_text(self.space()), tuple_text(tuple, &values))
    }
}

impl MultiPwAff {
    /// Reads `{ A[i] -> B[((i) : i > 0; (2) : i = 0), (3)] }`.
    ///
    /// ```
    /// # use loopwright_presburger::MultiPwAff;
    /// let f = MultiPwAff::parse("{ A[i] -> B[((i) : i > 0; (2) : i = 0), (3)] }")?;
    /// assert_eq!(f.members()[0].pieces().len(), 2);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Parse`](crate::Error::Parse) with the byte position.
    pub fn parse(text: &str) -> Result<Self> {
        let mut parser = Parser::new(text, Mode::Function)?;
        let params = parser.parameters()?;
        let mut items = parser.items()?;
        parser.end()?;
        let (Some(item), true) = (items.pop(), items.is_empty()) else {
            return Err(error(text.len(), "expected one tuple of expressions"));
        };
        let Some(output) = &item.output else {
            return Err(error(item.position, "expected a tuple of expressions"));
        };
        let input = item.input.as_ref().map(|tuple| tuple.tuple.clone());
        let space = Space::params(&params).with_tuples(input, Some(output.tuple.clone()));
        let member = |element| {
            let elements = vec![element];
            let output = Some(TupleSyntax { tuple: Tuple::anonymous(1), elements });
            pw_aff_of_item(Item { output, ..item.clone() }, &params)
        };
        let members = output.elements.iter().cloned().map(member).collect::<Result<_>>()?;
        MultiPwAff::new(space, members)
    }
}

/// `(1 + i)`, or `((1 + i) : i > 0; (3) : i = 0)`.
fn member_text(member: &PwAff, names: &[String]) -> String {
    let pieces = member.pieces();
    let piece = |value: String, condition: String| match condition.is_empty() {
        true => value,
        false => format!("{value} : {condition}"),
    };
    let texts: Vec<String> = pieces
        .iter()
        .map(|(domain, aff)| piece(aff_text(aff, names), condition_text(domain, names)))
        .collect();
    match pieces {
        [] => "((0) : false)".to_owned(),
        [(domain, _)] if condition_text(domain, names).is_empty() => texts.join("; "),
        _ => format!("({})", texts.join("; ")),
    }
}

impl fmt::Display for MultiPwAff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let domain = self.space().domain();
        let names = column_names(&domain);
        let n_before = 1 + domain.param_names().len();
        let members: Vec<String> = self.members().iter().map(|m| member_text(m, &names)).collect();
        let anonymous = Tuple::anonymous(0);
        let range = tuple_text(self.space().output().unwrap_or(&anonymous), &members);
        let text = match tuples_text(&domain, &names[n_before..]).as_str() {
            "" => range,
            domain => format!("{domain} -> {range}"),
        };
        write!(f, "{}{{ {text} }}", parameters_text(&domain))
    }
}
