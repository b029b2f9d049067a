//! From formulas to basic relations.
//!
//! A formula becomes a disjunction of conjunctions of affine constraints over the dimensions and a
//! shared list of locals. Negations are pushed to the atoms, where they turn a comparison around:
//! every expression is total, so `not (a <= b)` is `a > b`, also for piecewise expressions, whose
//! pieces cover everything. Only the negation of a quantifier needs more than syntax: the body is
//! lowered to a set over everything visible there, and that set is subtracted from the universe.
//!
//! An expression is a linear form with a common denominator; over the integers `n/d >= 0` is
//! `n >= 0` and `n/d > 0` is `n - 1 >= 0`, since `d` is positive and `n` an integer.
use super::lexer::error;
use super::syntax::{Element, Expression, Formula, Item, Relation, TupleSyntax, Variable};
use crate::{BasicMap, Budget, Constraint, Error, Int, Local, Map, Result, Row, Space, Tuple};

/// The most conjunctions a formula may expand to.
const DISJUNCT_LIMIT: usize = 1 << 14;
/// The work allowed for the negation of quantifiers.
const NEGATION_BUDGET: u64 = 1 << 24;

/// `(Σ coefficient * variable + constant) / denominator`, where the variables are the dimensions
/// followed by the locals, and the terms are sorted and not zero.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Linear {
    terms: Vec<(usize, Int)>,
    constant: Int,
    denominator: Int,
}

impl Linear {
    fn constant(value: Int) -> Self {
        Linear { terms: Vec::new(), constant: value, denominator: Int::ONE }
    }

    fn variable(variable: usize) -> Self {
        Linear { terms: vec![(variable, Int::ONE)], constant: Int::ZERO, denominator: Int::ONE }
    }

    fn as_constant(&self) -> Option<&Int> {
        (self.terms.is_empty() && self.denominator.is_one()).then_some(&self.constant)
    }

    fn scaled(&self, factor: &Int) -> Self {
        if factor.is_zero() {
            return Linear::constant(Int::ZERO);
        }
        let terms = self.terms.iter().map(|(v, c)| (*v, c * factor)).collect();
        Linear { terms, constant: &self.constant * factor, denominator: self.denominator.clone() }
            .reduced()
    }

    /// The exact quotient by a number that is not zero.
    fn divided(&self, divisor: &Int) -> Self {
        let mut quotient = self.scaled(&Int::from(i64::from(divisor.signum())));
        quotient.denominator = &quotient.denominator * &divisor.abs();
        quotient.reduced()
    }

    fn plus(&self, other: &Self) -> Self {
        let denominator = self.denominator.lcm(&other.denominator);
        let (a, b) =
            (denominator.div_exact(&self.denominator), denominator.div_exact(&other.denominator));
        let mut terms = Vec::with_capacity(self.terms.len() + other.terms.len());
        let (mut i, mut j) = (0, 0);
        while i < self.terms.len() || j < other.terms.len() {
            let left = self.terms.get(i).map_or(usize::MAX, |t| t.0);
            let right = other.terms.get(j).map_or(usize::MAX, |t| t.0);
            let mut sum = Int::ZERO;
            if left <= right {
                sum = &self.terms[i].1 * &a;
                i += 1;
            }
            if right <= left {
                sum = &sum + &(&other.terms[j].1 * &b);
                j += 1;
            }
            if !sum.is_zero() {
                terms.push((left.min(right), sum));
            }
        }
        let constant = &(&self.constant * &a) + &(&other.constant * &b);
        Linear { terms, constant, denominator }.reduced()
    }

    fn minus(&self, other: &Self) -> Self {
        self.plus(&other.scaled(&Int::from(-1)))
    }

    /// Cancels a common factor with the denominator.
    fn reduced(mut self) -> Self {
        if self.denominator.is_one() {
            return self;
        }
        let common =
            self.terms.iter().fold(self.denominator.gcd(&self.constant), |g, (_, c)| g.gcd(c));
        if !common.is_one() {
            for (_, coefficient) in &mut self.terms {
                *coefficient = coefficient.div_exact(&common);
            }
            self.constant = self.constant.div_exact(&common);
            self.denominator = self.denominator.div_exact(&common);
        }
        self
    }
}

/// `form = 0` or `form >= 0`; the denominator of the form is 1.
#[derive(Clone, Debug, PartialEq)]
struct Atom {
    is_equality: bool,
    form: Linear,
}

/// Atoms that hold together.
type Conjunct = Vec<Atom>;

/// An expression per condition; the conditions are disjoint and cover everything.
type Pieces = Vec<(Vec<Conjunct>, Linear)>;

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
                let relation = if negated { relation.negated() } else { *relation };
                let (left, right) = (self.pieces(left)?, self.pieces(right)?);
                self.compare(&left, relation, &right)
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

    fn compare(&self, left: &Pieces, relation: Relation, right: &Pieces) -> Result<Vec<Conjunct>> {
        let mut disjuncts = Vec::new();
        for (left_condition, a) in left {
            for (right_condition, b) in right {
                let condition = conjunction(left_condition, right_condition.clone())?;
                disjuncts.extend(conjunction(&condition, compare_linear(a, relation, b))?);
            }
        }
        Ok(disjuncts)
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
            if let [(_, form)] = &pieces[..]
                && form.denominator.is_one()
            {
                self.bound[*variable] = Some(form.clone());
                continue;
            }
            let form = Linear::variable(self.n_dimensions + self.locals.len());
            self.locals.push(Definition::Unknown);
            if !pieces.is_empty() {
                let own = vec![(vec![Vec::new()], form.clone())];
                defining = conjunction(&defining, self.compare(&own, Relation::Equal, &pieces)?)?;
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
        Ok(if pieces.len() == 1 { pieces.pop().map(|p| p.1) } else { None })
    }

    /// The pieces of an expression.
    fn pieces(&mut self, expression: &Expression) -> Result<Pieces> {
        let always = |form| vec![(vec![Vec::new()], form)];
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
            Expression::NotANumber => return self.refuse("expected a number, found `NaN`"),
        })
    }

    fn mapped(
        &mut self,
        operand: &Expression,
        map: impl Fn(&mut Self, Linear) -> Linear,
    ) -> Result<Pieces> {
        let pieces = self.pieces(operand)?;
        Ok(pieces.into_iter().map(|(condition, form)| (condition, map(self, form))).collect())
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
                    for (relation, form) in [(wins, a), (wins.negated(), b)] {
                        let condition = conjunction(&both, compare_linear(a, relation, b))?;
                        push_piece(&mut next, condition, form.clone());
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
            for (own, form) in self.pieces(branch)? {
                push_piece(&mut pieces, conjunction(&holds, own)?, form);
            }
        }
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
            let own = vec![(vec![Vec::new()], Linear::variable(first + index))];
            let bounds = match element {
                Element::Free => continue,
                Element::Value(value) => vec![(Relation::Equal, value)],
                Element::Between(low, high) => {
                    vec![(Relation::GreaterEqual, low), (Relation::LessEqual, high)]
                }
            };
            for (relation, value) in bounds {
                let value = self.pieces(value)?;
                holds = conjunction(&holds, self.compare(&own, relation, &value)?)?;
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
    let mut pieces: Vec<(Vec<Conjunct>, Vec<Option<Linear>>)> = vec![(condition, Vec::new())];
    for element in item.output.iter().flat_map(|t| &t.elements) {
        let values: Vec<(Vec<Conjunct>, Option<Linear>)> = match element {
            Element::Value(Expression::NotANumber) => vec![(vec![Vec::new()], None)],
            Element::Value(value) => {
                lowering.pieces(value)?.into_iter().map(|(c, f)| (c, Some(f))).collect()
            }
            _ => return lowering.refuse("expected an expression in the range"),
        };
        let mut next = Vec::new();
        for (condition, forms) in &pieces {
            for (own, form) in &values {
                let condition = conjunction(condition, own.clone())?;
                next.push((condition, [&forms[..], std::slice::from_ref(form)].concat()));
            }
        }
        pieces = next;
    }
    let finish = |(condition, forms): (Vec<Conjunct>, Vec<Option<Linear>>)| FunctionPiece {
        domain: condition.iter().map(|c| lowering.basic_map(domain, c)).collect(),
        values: forms.iter().map(|form| form.as_ref().map(|form| lowering.value(form))).collect(),
    };
    Ok(pieces.into_iter().map(finish).collect())
}

impl Lowering {
    fn value(&self, form: &Linear) -> (Vec<Local>, Row, Int) {
        let used = self.used(std::iter::once(form));
        (self.local_rows(&used), self.row(form, &used), form.denominator.clone())
    }
}

fn push_piece(pieces: &mut Pieces, condition: Vec<Conjunct>, form: Linear) {
    if !condition.is_empty() {
        pieces.push((condition, form));
    }
}

/// All pairs of pieces; an error if `join` has no result.
fn combine(
    a: &Pieces,
    b: &Pieces,
    join: impl Fn(&Linear, &Linear) -> Option<Linear>,
) -> Result<Pieces> {
    let mut pieces = Pieces::with_capacity(a.len() * b.len());
    for (a_condition, a_form) in a {
        for (b_condition, b_form) in b {
            let form = join(a_form, b_form).ok_or_else(|| Error::Invalid {
                operation: "parse",
                reason: "not an affine expression".into(),
            })?;
            push_piece(&mut pieces, conjunction(a_condition, b_condition.clone())?, form);
        }
    }
    Ok(pieces)
}

/// The conjunction of two disjunctions.
fn conjunction(a: &[Conjunct], b: Vec<Conjunct>) -> Result<Vec<Conjunct>> {
    if let [conjunct] = a
        && conjunct.is_empty()
    {
        return Ok(b);
    }
    if a.len().saturating_mul(b.len()) > DISJUNCT_LIMIT {
        return Err(Error::Exceeded { operation: "the expansion of a formula into conjunctions" });
    }
    Ok(a.iter().flat_map(|a| b.iter().map(move |b| [&a[..], &b[..]].concat())).collect())
}

/// The disjunction that compares two forms; constants are decided.
fn compare_linear(a: &Linear, relation: Relation, b: &Linear) -> Vec<Conjunct> {
    let (greater, less) = (|| atom(a.minus(b), false), || atom(b.minus(a), false));
    let strictly = |mut form: Linear| {
        form.denominator = Int::ONE;
        form.constant = &form.constant - &Int::ONE;
        atom(form, false)
    };
    let single = |atom: Option<Conjunct>| atom.into_iter().collect();
    match relation {
        Relation::GreaterEqual => single(greater()),
        Relation::LessEqual => single(less()),
        Relation::Greater => single(strictly(a.minus(b))),
        Relation::Less => single(strictly(b.minus(a))),
        Relation::Equal => single(atom(a.minus(b), true)),
        Relation::NotEqual => {
            [strictly(a.minus(b)), strictly(b.minus(a))].into_iter().flatten().collect()
        }
    }
}

/// The conjunction of one constraint: empty if it always holds, none if it never does.
fn atom(mut form: Linear, is_equality: bool) -> Option<Conjunct> {
    form.denominator = Int::ONE;
    if !form.terms.is_empty() {
        return Some(vec![Atom { is_equality, form }]);
    }
    let holds = if is_equality { form.constant.is_zero() } else { !form.constant.is_negative() };
    holds.then(Vec::new)
}
