//! Quasi-polynomials and their minima and maxima, in and out.
//!
//! An item is a domain and an expression: `[i] -> (1/2*i^2 + n*floor((i)/2)) : 0 <= i < n`. What is
//! rounded must be quasi-affine. A condition may only involve quasi-affine expressions.
use crate::core::budget::Budget;
use crate::core::error::{Error, Result};
use crate::core::map::Map;
use crate::core::set::Set;
use crate::core::space::{DimKind, Space};
use crate::core::tuple::Name;
use crate::functions::aff::Aff;
use crate::functions::piecewise::Piecewise;
use crate::functions::union_piecewise::UnionPiecewise;
use crate::notation::expression_text::{Columns, column_names, parameters_text, tuples_text};
use crate::notation::lexer::error;
use crate::notation::lower;
use crate::notation::parser::{Mode, Parser};
use crate::notation::print_set::condition_text;
use crate::notation::syntax::{Element, Expression, Item, Variable};
use crate::polynomials::fold::{
    FoldKind, PwQPolynomialFold, QPolynomialFold, UnionPwQPolynomialFold,
};
use crate::polynomials::pw_qpolynomial::{PwQPolynomial, UnionPwQPolynomial};
use crate::polynomials::qpolynomial::QPolynomial;
use loopwright_exact::{Int, Rational, Value};
use std::fmt;

/// The work allowed for the expansion of one expression.
const EXPANSION_BUDGET: u64 = 1 << 22;

/// The state of reading the expression of one item over `domain`.
struct Reader {
    domain: Space,
    position: usize,
    budget: Budget,
}

impl Reader {
    fn refuse<T>(&self, message: &str) -> Result<T> {
        Err(error(self.position, message))
    }

    fn polynomial(&self, expression: &Expression) -> Result<QPolynomial> {
        let constant = |value: &Value| Ok(QPolynomial::constant(&self.domain, value));
        match expression {
            Expression::Number(value) => constant(&Value::from(value.clone())),
            Expression::NotANumber => constant(&Value::NotANumber),
            Expression::Infinity => constant(&Value::Infinity),
            Expression::Variable(Variable::Dimension(dimension)) => {
                let n_params = self.domain.n(DimKind::Param);
                Ok(match dimension.checked_sub(n_params) {
                    None => QPolynomial::variable(&self.domain, DimKind::Param, *dimension),
                    Some(position) => QPolynomial::variable(&self.domain, DimKind::Out, position),
                })
            }
            Expression::Sum(a, b) => self.polynomial(a)?.add(&self.polynomial(b)?),
            Expression::Negative(a) => Ok(self.polynomial(a)?.neg()),
            Expression::Product(a, b) => {
                let (a, b) = (self.polynomial(a)?, self.polynomial(b)?);
                self.budget.spend(a.n_terms() * b.n_terms(), "the expansion of a polynomial")?;
                a.mul(&b)
            }
            Expression::Power(a, exponent) => self.polynomial(a)?.pow(*exponent, &self.budget),
            Expression::Quotient(a, b) => {
                let divisor = self.divisor(b)?;
                Ok(self.polynomial(a)?.scale(&Rational::new(Int::ONE, divisor)))
            }
            Expression::Floor(a) => Ok(QPolynomial::from_aff(&self.affine(a)?.floor())),
            Expression::Ceiling(a) => Ok(QPolynomial::from_aff(&self.affine(a)?.ceil())),
            Expression::Modulo(a, b) => {
                let divisor = self.divisor(b)?;
                Ok(QPolynomial::from_aff(&self.affine(a)?.modulo(&divisor)))
            }
            Expression::At(position, operation) => {
                self.polynomial(operation).map_err(|error| self.inside(error, *position))
            }
            _ => self.refuse("expected a polynomial"),
        }
    }

    /// An error about the whole as one about the operation at a position.
    fn inside(&self, error: Error, position: usize) -> Error {
        match error {
            Error::Parse { position: whole, message } if whole == self.position => {
                Error::Parse { position, message }
            }
            other => other,
        }
    }

    fn affine(&self, expression: &Expression) -> Result<Aff> {
        match self.polynomial(expression)?.to_aff() {
            Some(aff) => Ok(aff),
            None => self.refuse("expected an affine expression"),
        }
    }

    fn divisor(&self, expression: &Expression) -> Result<Int> {
        match self.polynomial(expression)?.as_constant().and_then(|value| value.to_int()) {
            Some(divisor) if !divisor.is_zero() => Ok(divisor),
            _ => self.refuse("expected a constant divisor"),
        }
    }

    fn fold(&self, expression: &Expression) -> Result<QPolynomialFold> {
        let (kind, list) = match expression {
            Expression::Minimum(list) => (FoldKind::Minimum, list.as_slice()),
            Expression::Maximum(list) => (FoldKind::Maximum, list.as_slice()),
            _ => return self.refuse("expected a minimum or a maximum of polynomials"),
        };
        let mut fold: Option<QPolynomialFold> = None;
        for member in list {
            let member = QPolynomialFold::from_polynomial(kind, self.polynomial(member)?);
            fold = Some(match fold {
                None => member,
                Some(fold) => fold.fold(&member)?,
            });
        }
        fold.map_or_else(|| self.refuse("expected a polynomial"), Ok)
    }
}

/// A piece: its domain, and what `read` makes of its expression.
fn piece<E>(
    item: &Item,
    params: &[Name],
    read: fn(&Reader, &Expression) -> Result<E>,
) -> Result<(Space, Set, E)> {
    let tuple = item.input.as_ref().map(|tuple| tuple.tuple.clone());
    let domain = Space::params(params).with_tuples(None, tuple);
    let Some([Element::Value(expression)]) = item.output.as_ref().map(|o| o.elements.as_slice())
    else {
        return Err(error(item.position, "expected a polynomial"));
    };
    let budget = Budget::steps(EXPANSION_BUDGET);
    let reader = Reader { domain: domain.clone(), position: item.position, budget };
    let value = read(&reader, expression)?;
    let condition = Item { input: None, output: item.input.clone(), ..item.clone() };
    let set = Set(Map::from_basic_maps(domain.clone(), lower::relation(&condition, &domain)?));
    Ok((domain, set, value))
}

/// The pieces of a text, grouped by domain.
fn functions<E: crate::Expression>(
    text: &str,
    read: fn(&Reader, &Expression) -> Result<E>,
) -> Result<Vec<Piecewise<E>>> {
    let mut parser = Parser::new(text, Mode::Polynomial)?;
    let params = parser.parameters()?;
    let items = parser.items()?;
    parser.end()?;
    let mut groups: Vec<(Space, Vec<(Set, E)>)> = Vec::new();
    for item in &items {
        let (space, domain, value) = piece(item, &params, read)?;
        match groups.iter_mut().find(|(known, _)| *known == space) {
            Some((_, pieces)) => pieces.push((domain, value)),
            None => groups.push((space, vec![(domain, value)])),
        }
    }
    Ok(groups.into_iter().map(|(space, pieces)| Piecewise::from_pieces(space, pieces)).collect())
}

fn single<E: crate::Expression>(
    text: &str,
    read: fn(&Reader, &Expression) -> Result<E>,
) -> Result<Piecewise<E>> {
    let mut functions = functions(text, read)?;
    match (functions.pop(), functions.is_empty()) {
        (Some(function), true) => Ok(function),
        (None, _) => Err(error(text.len(), "expected a polynomial, found no piece with a space")),
        _ => Err(error(0, "expected one space, found a second space")),
    }
}

impl QPolynomial {
    /// Reads `[n] -> { [i] -> (1/2*i^2 + n*floor((i)/2)) }`.
    ///
    /// ```
    /// # use loopwright_presburger::{Int, QPolynomial, Value};
    /// let triangle = QPolynomial::parse("{ [i] -> (1/2*i^2 + 1/2*i) }")?;
    /// assert_eq!(triangle.eval(&[Int::from(4)]), Value::from(10));
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Parse`] with the byte position.
    pub fn parse(text: &str) -> Result<Self> {
        let function = single(text, Reader::polynomial)?;
        match function.pieces() {
            [(domain, polynomial)] if domain.plain_is_universe() => Ok(polynomial.clone()),
            _ => Err(error(0, "expected a single polynomial without conditions")),
        }
    }
}

impl PwQPolynomial {
    /// Reads `[n] -> { [i] -> (1/2*i^2 + n*floor((i)/2)) : 0 <= i < n; [i] -> 3 : i < 0 }`; the
    /// pieces must be disjoint.
    ///
    /// ```
    /// # use loopwright_presburger::PwQPolynomial;
    /// let count = PwQPolynomial::parse("[n] -> { [i] -> n*i : 0 <= i < n; [i] -> 3 : i < 0 }")?;
    /// assert_eq!(count.pieces().len(), 2);
    /// assert_eq!(count.to_string(), "[n] -> { [i] -> (n*i) : 0 <= i < n; [i] -> (3) : i < 0 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Parse`] with the byte position.
    pub fn parse(text: &str) -> Result<Self> {
        single(text, Reader::polynomial)
    }
}

impl UnionPwQPolynomial {
    /// Reads `{ A[i] -> i^2; B[] -> 3 }`.
    ///
    /// ```
    /// # use loopwright_presburger::UnionPwQPolynomial;
    /// let union = UnionPwQPolynomial::parse("{ A[i] -> i^2; B[] -> 3 }")?;
    /// assert_eq!(union.parts().len(), 2);
    /// assert_eq!(union.to_string(), "{ A[i] -> (i^2); B[] -> (3) }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Parse`] with the byte position.
    pub fn parse(text: &str) -> Result<Self> {
        Ok(UnionPwQPolynomial::from_parts(functions(text, Reader::polynomial)?))
    }
}

impl PwQPolynomialFold {
    /// Reads `[n] -> { [i] -> max(i^2, n*i) : i > 0 }`.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Int, PwQPolynomialFold, Value};
    /// let fold = PwQPolynomialFold::parse("[n] -> { [i] -> max(i^2, n*i) : i > 0 }")?;
    /// let value = fold.eval(&[Int::from(7), Int::from(3)], &Budget::unlimited())?;
    /// assert_eq!(value, Some(Value::from(21)));
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Parse`] with the byte position.
    pub fn parse(text: &str) -> Result<Self> {
        single(text, Reader::fold)
    }
}

impl UnionPwQPolynomialFold {
    /// Reads `{ A[i] -> max(i^2, 4*i); B[] -> max(3) }`.
    ///
    /// ```
    /// # use loopwright_presburger::UnionPwQPolynomialFold;
    /// let union = UnionPwQPolynomialFold::parse("{ A[i] -> max(i^2, 4*i); B[] -> max(3) }")?;
    /// assert_eq!(union.to_string(), "{ A[i] -> max((i^2), (4*i)); B[] -> max((3)) }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Parse`] with the byte position.
    pub fn parse(text: &str) -> Result<Self> {
        Ok(UnionPwQPolynomialFold::from_parts(functions(text, Reader::fold)?))
    }
}

/// `(1/2*i^2 - n*floor((i)/2) + 3)`, or the name of a value that is no polynomial.
fn polynomial_text(q: &QPolynomial, names: &[String]) -> String {
    if let Some(special) = &q.special {
        return special.to_string();
    }
    let columns = Columns::new(names, &q.locals);
    let mut terms: Vec<_> = q.polynomial.terms().collect();
    terms.sort_by_key(|(monomial, _)| std::cmp::Reverse(monomial.iter().map(|f| f.1).sum::<u32>()));
    let mut text = String::new();
    for (monomial, coefficient) in terms {
        text.push_str(match (text.is_empty(), coefficient.signum() < 0) {
            (true, true) => "-",
            (true, false) => "",
            (false, true) => " - ",
            (false, false) => " + ",
        });
        let size = coefficient.abs();
        let factor = |&(column, exponent): &(usize, u32)| match exponent {
            1 => columns.text(column).to_owned(),
            _ => format!("{}^{exponent}", columns.text(column)),
        };
        let is_one = size == Rational::one() && !monomial.is_empty();
        let number = (!is_one).then(|| size.to_string());
        let factors: Vec<String> = number.into_iter().chain(monomial.iter().map(factor)).collect();
        text.push_str(&factors.join("*"));
    }
    if text.is_empty() { "0".to_owned() } else { format!("({text})") }
}

fn fold_text(fold: &QPolynomialFold, names: &[String]) -> String {
    let name = match fold.kind() {
        FoldKind::Minimum => "min",
        FoldKind::Maximum => "max",
    };
    let members: Vec<String> = fold.members().iter().map(|m| polynomial_text(m, names)).collect();
    format!("{name}({})", members.join(", "))
}

/// `[i] -> value : condition` for every piece.
fn items<E: crate::Expression>(
    function: &Piecewise<E>,
    nothing: &str,
    text: fn(&E, &[String]) -> String,
) -> Vec<String> {
    let names = column_names(function.space());
    let n_before = 1 + function.space().param_names().len();
    let domain = match tuples_text(function.space(), &names[n_before..]).as_str() {
        "" => String::new(),
        tuple => format!("{tuple} -> "),
    };
    if function.pieces().is_empty() {
        return vec![format!("{domain}{nothing} : false")];
    }
    let item = |(set, e): &(Set, E)| match condition_text(set, &names).as_str() {
        "" => format!("{domain}{}", text(e, &names)),
        condition => format!("{domain}{} : {condition}", text(e, &names)),
    };
    function.pieces().iter().map(item).collect()
}

fn braced(f: &mut fmt::Formatter<'_>, space: &Space, items: &[String]) -> fmt::Result {
    write!(f, "{}{{ {} }}", parameters_text(space), items.join("; "))
}

/// Prints isl's notation; [`QPolynomial::parse`] reads it back.
impl fmt::Display for QPolynomial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let everywhere = Piecewise::everywhere(self.clone());
        braced(f, &self.space, &items(&everywhere, "0", polynomial_text))
    }
}

/// Prints isl's notation; [`PwQPolynomial::parse`] reads it back.
impl fmt::Display for PwQPolynomial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        braced(f, self.space(), &items(self, "0", polynomial_text))
    }
}

/// The parts of a union in one pair of braces.
fn braced_union<E: crate::Expression>(
    f: &mut fmt::Formatter<'_>,
    union: &UnionPiecewise<E>,
    text: fn(&E, &[String]) -> String,
) -> fmt::Result {
    let params = union.parts().iter().map(|part| part.space());
    let params = params.fold(Space::params(&[]), |all, space| all.merge_params(space));
    let texts = union.parts().iter().flat_map(|part| items(part, "0", text));
    braced(f, &params, &texts.collect::<Vec<_>>())
}

impl fmt::Display for UnionPwQPolynomial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        braced_union(f, self, polynomial_text)
    }
}

impl fmt::Display for UnionPwQPolynomialFold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        braced_union(f, self, fold_text)
    }
}

/// Prints isl's notation; [`PwQPolynomialFold::parse`] reads it back.
impl fmt::Display for PwQPolynomialFold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        braced(f, self.space(), &items(self, "max(0)", fold_text))
    }
}
