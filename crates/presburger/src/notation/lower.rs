//! From formulas to basic relations.
//!
//! A formula becomes a disjunction of conjunctions of affine constraints over the dimensions and a shared
//! list of locals. Negations are pushed to the atoms, where they turn a comparison around: `not (a <= b)` is
//! `a > b`, also for piecewise expressions, whose pieces cover everything (with pieces that have no number,
//! which compare with nothing). Only the negation of a quantifier needs more than syntax: the body is lowered
//! to a set over everything visible there, and that set is subtracted from the universe.
//!
//! An expression is a linear form with a common denominator; over the integers `n/d >= 0` is
//! `n >= 0` and `n/d > 0` is `n - 1 >= 0`, since `d` is positive and `n` an integer.
use crate::core::basic_map::BasicMap;
use crate::core::budget::Budget;
use crate::core::constraint::{Constraint, Local};
use crate::core::error::{Error, Result};
use crate::core::map::Map;
use crate::core::space::Space;
use crate::core::tuple::Tuple;
use crate::notation::lexer::error;
use crate::notation::linear::Linear;
use crate::notation::piecewise::{
    Atom, Conjunct, Pieces, Value, always, combine, compare, compare_linear, conjunction,
    push_piece,
};
use crate::notation::syntax::{
    Element, Expression, Formula, Item, Relation, TupleSyntax, Variable,
};
use loopwright_exact::{Int, Row};

/// The work allowed for the negation of quantifiers.
const NEGATION_BUDGET: u64 = 1 << 24;

#[derive(Clone, Debug, PartialEq)]
enum Definition {
    Unknown,
    Floor(Linear),
}

/// The state of lowering one item.
pub(super) struct Lowering {
    position: usize,
    n_dimensions: usize,
    locals: Vec<Definition>,
    /// The values of the bound variables.
    bound: Vec<Option<Linear>>,
}

/// A conjunction as the parts of a basic relation.
pub(super) struct Parts {
    pub(super) locals: Vec<Local>,
    pub(super) constraints: Vec<Constraint>,
}

impl Lowering {
    pub(super) fn new(item: &Item, n_dimensions: usize) -> Self {
        Lowering {
            position: item.position,
            n_dimensions,
            locals: Vec::new(),
            bound: vec![None; item.n_bound],
        }
    }

    fn refuse<T>(&self, message: &str) -> Result<T> {
        Err(error(self.position, message))
    }

    /// The disjunction for a formula, or for its negation.
    fn formula(&mut self, formula: &Formula, negated: bool) -> Result<Vec<Conjunct>> {
        match formula {
            Formula::Constant(value) => {
                Ok(if *value != negated { vec![Vec::new()] } else { Vec::new() })
            }
            Formula::Not(inner) => self.formula(inner, !negated),
            Formula::And(parts) if !negated => self.all(parts, negated),
            Formula::Or(parts) if negated => self.all(parts, negated),
            Formula::And(parts) | Formula::Or(parts) => {
                let mut disjuncts = Vec::new();
                for part in parts {
                    disjuncts.extend(self.formula(part, negated)?);
                }
                Ok(disjuncts)
            }
            Formula::Compare(left, relation, right) => {
                let (left, right) = (self.pieces(left)?, self.pieces(right)?);
                compare(&left, *relation, &right, negated)
            }
            Formula::Exists(bindings, body) => self.exists(bindings, body, negated),
        }
    }

    /// The conjunction of formulas.
    fn all(&mut self, parts: &[Formula], negated: bool) -> Result<Vec<Conjunct>> {
        let mut product = vec![Vec::new()];
        for part in parts {
            let factor = self.formula(part, negated)?;
            product = conjunction(&product, factor)?;
        }
        Ok(product)
    }

    fn exists(
        &mut self,
        bindings: &[(usize, Option<Expression>)],
        body: &Formula,
        negated: bool,
    ) -> Result<Vec<Conjunct>> {
        let mut defining = vec![Vec::new()];
        let visible = self.locals.len();
        for (variable, value) in bindings {
            let pieces = match value {
                Some(value) => self.pieces(value)?,
                None => Vec::new(),
            };
            if let [(_, Value::Form(form))] = &pieces[..]
                && form.denominator.is_one()
            {
                self.bound[*variable] = Some(form.clone());
                continue;
            }
            let form = Linear::variable(self.n_dimensions + self.locals.len());
            self.locals.push(Definition::Unknown);
            if !pieces.is_empty() {
                let own = always(Value::Form(form.clone()));
                let equal = compare(&own, Relation::Equal, &pieces, false)?;
                defining = conjunction(&defining, equal)?;
            }
            self.bound[*variable] = Some(form);
        }
        let needs_subtraction = self.locals[visible..].contains(&Definition::Unknown);
        if !negated || !needs_subtraction {
            let body = self.formula(body, negated)?;
            return conjunction(&defining, body);
        }
        self.complement(visible, defining, body)
    }

    /// The negation of `exists locals[visible..]: defining and body`.
    fn complement(
        &mut self,
        visible: usize,
        defining: Vec<Conjunct>,
        body: &Formula,
    ) -> Result<Vec<Conjunct>> {
        let n_outer = self.n_dimensions + visible;
        let disjuncts = {
            let body = self.formula(body, false)?;
            conjunction(&defining, body)?
        };
        // Inside, the visible locals are dimensions like all others.
        let inner_locals = self.locals.split_off(visible);
        let inner = Lowering {
            position: self.position,
            n_dimensions: n_outer,
            locals: inner_locals,
            bound: Vec::new(),
        };
        let space = Space::set(&[], Tuple::anonymous(n_outer));
        let basics = disjuncts.iter().map(|c| inner.basic_map(&space, c)).collect();
        let holds = Map::from_basic_maps(space.clone(), basics);
        let fails = Map::universe(space).subtract(&holds, &Budget::steps(NEGATION_BUDGET))?;
        Ok(fails
            .basic_maps()
            .iter()
            .filter(|b| !b.plain_is_empty())
            .map(|b| self.adopt(b, n_outer))
            .collect())
    }

    /// The constraints of a basic set over everything visible; its locals are appended to ours.
    fn adopt(&mut self, basic: &BasicMap, n_outer: usize) -> Conjunct {
        let first = self.n_dimensions + self.locals.len();
        let linear = |row: &Row, denominator: Int| {
            let terms = (1..row.len())
                .filter(|c| !row.is_zero_at(*c))
                .map(|c| {
                    (if c - 1 < n_outer { c - 1 } else { first + c - 1 - n_outer }, row.get(c))
                })
                .collect();
            Linear { terms, constant: row.get(0), denominator }
        };
        let locals = basic.locals().iter().map(|local| match local {
            Local::Unknown => Definition::Unknown,
            Local::Floor { numerator, denominator } => {
                Definition::Floor(linear(numerator, denominator.clone()))
            }
        });
        self.locals.extend(locals);
        let atom = |is_equality| move |row: &Row| Atom { is_equality, form: linear(row, Int::ONE) };
        let equalities = basic.equalities().iter().map(atom(true));
        equalities.chain(basic.inequalities().iter().map(atom(false))).collect()
    }

    /// The single value of an expression that does not branch.
    fn single(&mut self, expression: &Expression) -> Result<Option<Linear>> {
        let mut pieces = self.pieces(expression)?;
        match pieces.pop() {
            Some((_, Value::Form(form))) if pieces.is_empty() => Ok(Some(form)),
            _ => Ok(None),
        }
    }

    /// The pieces of an expression.
    fn pieces(&mut self, expression: &Expression) -> Result<Pieces> {
        let always = |form| always(Value::Form(form));
        Ok(match expression {
            Expression::Number(value) => always(Linear::constant(value.clone())),
            Expression::Variable(Variable::Dimension(dimension)) => {
                always(Linear::variable(*dimension))
            }
            Expression::Variable(Variable::Bound(bound)) => match &self.bound[*bound] {
                Some(form) => always(form.clone()),
                None => return self.refuse("a bound variable is used outside its quantifier"),
            },
            Expression::Sum(a, b) => {
                let (a, b) = (self.pieces(a)?, self.pieces(b)?);
                combine(&a, &b, |a, b| Some(a.plus(b)))?
            }
            Expression::Negative(a) => self.mapped(a, |_, a| a.scaled(&Int::from(-1)))?,
            Expression::Floor(a) => self.mapped(a, |lowering, a| lowering.floor(&a))?,
            Expression::Ceiling(a) => self.mapped(a, |lowering, a| lowering.ceiling(&a))?,
            Expression::Product(a, b) => self.product(a, b)?,
            Expression::Quotient(a, b) => {
                let divisor = self.divisor(b)?;
                self.mapped(a, |_, a| a.divided(&divisor))?
            }
            Expression::Modulo(a, b) => {
                let divisor = self.divisor(b)?;
                if divisor.is_negative() {
                    return self.refuse("expected a positive modulus");
                }
                self.mapped(a, |lowering, a| {
                    let quotient = lowering.floor(&a.divided(&divisor));
                    a.minus(&quotient.scaled(&divisor))
                })?
            }
            Expression::Minimum(list) => self.extremum(list, Relation::LessEqual)?,
            Expression::Maximum(list) => self.extremum(list, Relation::GreaterEqual)?,
            Expression::Choice(condition, then, otherwise) => {
                self.choice(condition, then, otherwise)?
            }
            Expression::Piecewise(pieces) => self.cases(pieces)?,
            Expression::At(position, operation) => {
                let outside = std::mem::replace(&mut self.position, *position);
                let pieces = self.pieces(operation)?;
                self.position = outside;
                pieces
            }
            Expression::NotANumber => super::piecewise::always(Value::NotANumber),
            Expression::Infinity => return self.refuse("expected a finite expression"),
            Expression::Power(base, exponent) => {
                let pieces = self.pieces(base)?;
                let is_constant = |value: &Value| match value {
                    Value::Form(form) => form.terms.is_empty(),
                    _ => true,
                };
                if *exponent != 1 && !pieces.iter().all(|(_, value)| is_constant(value)) {
                    return self.refuse("expected an affine expression, found a power");
                }
                let power = |form: Linear| match form.terms.is_empty() {
                    true => Linear::constant(form.constant.pow(*exponent))
                        .divided(&form.denominator.pow(*exponent)),
                    false => form,
                };
                let powers = pieces.into_iter().map(|(holds, value)| (holds, value.map(power)));
                powers.collect()
            }
        })
    }

    fn mapped(
        &mut self,
        operand: &Expression,
        map: impl Fn(&mut Self, Linear) -> Linear,
    ) -> Result<Pieces> {
        let pieces = self.pieces(operand)?;
        let mapped = |(condition, value): (_, Value)| (condition, value.map(|f| map(self, f)));
        Ok(pieces.into_iter().map(mapped).collect())
    }

    /// The constant not equal to zero that stands below a fraction.
    fn divisor(&mut self, expression: &Expression) -> Result<Int> {
        let form = self.single(expression)?;
        match form.as_ref().and_then(Linear::as_constant) {
            Some(value) if !value.is_zero() => Ok(value.clone()),
            Some(_) => self.refuse("division by zero"),
            None => self.refuse("expected a constant divisor"),
        }
    }

    fn product(&mut self, a: &Expression, b: &Expression) -> Result<Pieces> {
        let (a, b) = (self.pieces(a)?, self.pieces(b)?);
        let times = |a: &Linear, b: &Linear| {
            let (constant, form) = if a.terms.is_empty() { (a, b) } else { (b, a) };
            constant
                .terms
                .is_empty()
                .then(|| form.scaled(&constant.constant).divided(&constant.denominator))
        };
        match combine(&a, &b, times) {
            Err(Error::Invalid { .. }) => self.refuse("expected a constant factor in a product"),
            result => result,
        }
    }

    fn extremum(&mut self, list: &[Expression], wins: Relation) -> Result<Pieces> {
        let mut best = Pieces::new();
        for (index, expression) in list.iter().enumerate() {
            let other = self.pieces(expression)?;
            if index == 0 {
                best = other;
                continue;
            }
            let mut next = Pieces::new();
            for (best_condition, a) in &best {
                for (other_condition, b) in &other {
                    let both = conjunction(best_condition, other_condition.clone())?;
                    let (a, b) = match (a, b) {
                        (Value::Form(a), Value::Form(b)) => (a, b),
                        (Value::Undefined, _) | (_, Value::Undefined) => {
                            push_piece(&mut next, both, Value::Undefined);
                            continue;
                        }
                        _ => {
                            push_piece(&mut next, both, Value::NotANumber);
                            continue;
                        }
                    };
                    for (relation, form) in [(wins, a), (wins.negated(), b)] {
                        let condition = conjunction(&both, compare_linear(a, relation, b))?;
                        push_piece(&mut next, condition, Value::Form(form.clone()));
                    }
                }
            }
            best = next;
        }
        Ok(best)
    }

    fn choice(
        &mut self,
        condition: &Formula,
        then: &Expression,
        otherwise: &Expression,
    ) -> Result<Pieces> {
        let mut pieces = Pieces::new();
        for (negated, branch) in [(false, then), (true, otherwise)] {
            let holds = self.formula(condition, negated)?;
            for (own, value) in self.pieces(branch)? {
                push_piece(&mut pieces, conjunction(&holds, own)?, value);
            }
        }
        Ok(pieces)
    }

    /// The first of several conditional values whose condition holds.
    fn cases(&mut self, cases: &[(Formula, Expression)]) -> Result<Pieces> {
        let mut pieces = Pieces::new();
        let mut before = vec![Vec::new()];
        for (condition, value) in cases {
            let holds = conjunction(&before, self.formula(condition, false)?)?;
            for (own, value) in self.pieces(value)? {
                push_piece(&mut pieces, conjunction(&holds, own)?, value);
            }
            before = conjunction(&before, self.formula(condition, true)?)?;
        }
        push_piece(&mut pieces, before, Value::Undefined);
        Ok(pieces)
    }

    fn floor(&mut self, form: &Linear) -> Linear {
        if form.denominator.is_one() {
            return form.clone();
        }
        if form.terms.is_empty() {
            return Linear::constant(form.constant.div_floor(&form.denominator));
        }
        let definition = Definition::Floor(form.clone());
        let local = self.locals.iter().position(|d| *d == definition).unwrap_or_else(|| {
            self.locals.push(definition);
            self.locals.len() - 1
        });
        Linear::variable(self.n_dimensions + local)
    }

    fn ceiling(&mut self, form: &Linear) -> Linear {
        self.floor(&form.scaled(&Int::from(-1))).scaled(&Int::from(-1))
    }

    /// What the positions of a tuple say about its dimensions.
    fn elements(&mut self, tuple: &TupleSyntax, first: usize) -> Result<Vec<Conjunct>> {
        let mut holds = vec![Vec::new()];
        for (index, element) in tuple.elements.iter().enumerate() {
            let own = always(Value::Form(Linear::variable(first + index)));
            let bounds = match element {
                Element::Free => continue,
                Element::Value(value) => [Some((Relation::Equal, value)), None],
                Element::Between(low, high) => [
                    low.as_ref().map(|low| (Relation::GreaterEqual, low)),
                    high.as_ref().map(|high| (Relation::LessEqual, high)),
                ],
            };
            for (relation, value) in bounds.into_iter().flatten() {
                let value = self.pieces(value)?;
                holds = conjunction(&holds, compare(&own, relation, &value, false)?)?;
            }
        }
        Ok(holds)
    }

    /// The basic relation of a conjunction.
    fn basic_map(&self, space: &Space, conjunct: &Conjunct) -> BasicMap {
        let Parts { locals, constraints } = self.parts(conjunct);
        BasicMap::from_constraints(space.clone(), locals, constraints)
    }

    /// The rows of a conjunction, with the locals that it uses.
    fn parts(&self, conjunct: &Conjunct) -> Parts {
        let used = self.used(conjunct.iter().map(|a| &a.form));
        let constraints = conjunct
            .iter()
            .map(|a| Constraint { is_equality: a.is_equality, row: self.row(&a.form, &used) })
            .collect();
        Parts { locals: self.local_rows(&used), constraints }
    }

    /// The column of each local that the forms use, directly or through floors.
    fn used<'f>(&self, forms: impl Iterator<Item = &'f Linear>) -> Vec<Option<usize>> {
        let mut used = vec![false; self.locals.len()];
        let mark = |form: &Linear, used: &mut [bool]| {
            for (variable, _) in &form.terms {
                if *variable >= self.n_dimensions {
                    used[variable - self.n_dimensions] = true;
                }
            }
        };
        for form in forms {
            mark(form, &mut used);
        }
        for local in (0..self.locals.len()).rev() {
            if let (true, Definition::Floor(form)) = (used[local], &self.locals[local]) {
                mark(form, &mut used);
            }
        }
        let mut column = self.n_dimensions;
        let next = |used: bool| {
            used.then(|| {
                column += 1;
                column
            })
        };
        used.into_iter().map(next).collect()
    }

    fn row(&self, form: &Linear, used: &[Option<usize>]) -> Row {
        let mut row = Row::zeros(1 + self.n_dimensions + used.iter().flatten().count());
        row.set(0, form.constant.clone());
        for (variable, coefficient) in &form.terms {
            let column = match variable.checked_sub(self.n_dimensions) {
                None => 1 + variable,
                Some(local) => used[local].expect("the locals of a form are marked as used"),
            };
            row.set(column, coefficient.clone());
        }
        row
    }

    fn local_rows(&self, used: &[Option<usize>]) -> Vec<Local> {
        let definitions = self.locals.iter().zip(used).filter(|(_, column)| column.is_some());
        definitions
            .map(|(definition, _)| match definition {
                Definition::Unknown => Local::Unknown,
                Definition::Floor(form) => Local::Floor {
                    numerator: self.row(form, used),
                    denominator: form.denominator.clone(),
                },
            })
            .collect()
    }
}

/// The basic relations of an item whose tuples are all dimensions.
pub(super) fn relation(item: &Item, space: &Space) -> Result<Vec<BasicMap>> {
    let mut lowering = Lowering::new(item, space.n_all());
    let mut holds = vec![Vec::new()];
    let mut first = space.param_names().len();
    for tuple in item.input.iter().chain(&item.output) {
        holds = conjunction(&holds, lowering.elements(tuple, first)?)?;
        first += tuple.elements.len();
    }
    holds = conjunction(&holds, lowering.formula(&item.condition, false)?)?;
    Ok(holds.iter().map(|c| lowering.basic_map(space, c)).collect())
}

/// A piece of a function: its domain and one numerator, with the locals of all, per expression.
pub(super) struct FunctionPiece {
    pub(super) domain: Vec<BasicMap>,
    /// Floors, row and denominator of each expression; none for not-a-number.
    pub(super) values: Vec<Option<(Vec<Local>, Row, Int)>>,
}

/// The pieces of an item whose last tuple holds expressions over `domain`.
pub(super) fn function(item: &Item, domain: &Space) -> Result<Vec<FunctionPiece>> {
    let mut lowering = Lowering::new(item, domain.n_all());
    let mut condition = match &item.input {
        Some(tuple) => lowering.elements(tuple, domain.param_names().len())?,
        None => vec![Vec::new()],
    };
    condition = conjunction(&condition, lowering.formula(&item.condition, false)?)?;
    let mut pieces: Vec<(Vec<Conjunct>, Vec<Value>)> = vec![(condition, Vec::new())];
    for element in item.output.iter().flat_map(|t| &t.elements) {
        let Element::Value(value) = element else {
            return lowering.refuse("expected an expression in the range");
        };
        let cases = lowering.pieces(value)?;
        let mut next = Vec::new();
        for (condition, values) in &pieces {
            for (own, value) in cases.iter().filter(|(_, value)| *value != Value::Undefined) {
                let condition = conjunction(condition, own.clone())?;
                next.push((condition, [&values[..], std::slice::from_ref(value)].concat()));
            }
        }
        pieces = next;
    }
    let finish = |(condition, values): (Vec<Conjunct>, Vec<Value>)| FunctionPiece {
        domain: condition.iter().map(|c| lowering.basic_map(domain, c)).collect(),
        values: values.iter().map(|value| lowering.value(value)).collect(),
    };
    Ok(pieces.into_iter().map(finish).collect())
}

impl Lowering {
    fn value(&self, value: &Value) -> Option<(Vec<Local>, Row, Int)> {
        let Value::Form(form) = value else { return None };
        let used = self.used(std::iter::once(form));
        Some((self.local_rows(&used), self.row(form, &used), form.denominator.clone()))
    }
}
