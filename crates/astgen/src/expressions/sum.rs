//! Sums of terms with integer coefficients, on their way to readable expressions.
use crate::expressions::expression::AstExpr;
use loopwright_presburger::Int;

/// Where a term comes from, which fixes the order of terms: iterators, divisions, parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Origin {
    /// The iterator of a dimension.
    Iterator(usize),
    /// A quotient or remainder.
    Division(usize),
    /// A symbolic constant.
    Parameter(usize),
}

impl Origin {
    /// How deep in the loops the value of the term may change.
    fn depth(self) -> (u8, usize) {
        match self {
            Origin::Iterator(position) => (2, position),
            Origin::Division(position) => (1, position),
            Origin::Parameter(_) => (0, 0),
        }
    }
}

/// `constant + Σ coefficient · term`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sum {
    terms: Vec<(Origin, Int, AstExpr)>,
    constant: Int,
}

impl Sum {
    /// Adds `coefficient · term`.
    pub(crate) fn push(&mut self, origin: Origin, coefficient: Int, term: AstExpr) {
        if !coefficient.is_zero() {
            self.terms.push((origin, coefficient, term));
        }
    }

    /// Adds to the constant.
    pub(crate) fn add_constant(&mut self, value: &Int) {
        self.constant = &self.constant + value;
    }

    /// The value, if there are no terms.
    pub(crate) fn as_constant(&self) -> Option<&Int> {
        self.terms.is_empty().then_some(&self.constant)
    }

    /// The place of the deepest iterator; constants and parameters come first.
    pub(crate) fn depth(&self) -> (u8, usize) {
        self.terms.iter().map(|(origin, ..)| origin.depth()).max().unwrap_or((0, 0))
    }

    /// The constant part.
    pub(crate) fn constant_part(&self) -> &Int {
        &self.constant
    }

    /// The expression: positive terms first; a leading constant rather than a leading minus.
    pub(crate) fn into_expr(mut self) -> AstExpr {
        self.terms.sort_by_key(|(origin, coefficient, _)| (coefficient.is_negative(), *origin));
        let leading_minus = self.terms.first().is_some_and(|(_, c, _)| c.is_negative());
        let mut result = None;
        if leading_minus && self.constant.is_positive() {
            result = Some(AstExpr::Int(std::mem::take(&mut self.constant)));
        }
        for (_, coefficient, term) in self.terms {
            result = Some(append(result, &coefficient, Some(term)));
        }
        if !self.constant.is_zero() {
            result = Some(append(result, &self.constant, None));
        }
        result.unwrap_or(AstExpr::Int(Int::ZERO))
    }

    /// The sum divided by a positive `divisor` that is known to divide its value.
    ///
    /// What is divisible term by term stays outside of the division: `(n + 2 c0 + 4) / 2` becomes
    /// `n / 2 + c0 + 2`.
    pub(crate) fn div_exact(self, divisor: &Int) -> Sum {
        if divisor.is_one() {
            return self;
        }
        let constant_divides = self.constant.is_divisible_by(divisor);
        let (outside, inside): (Vec<_>, Vec<_>) =
            self.terms.into_iter().partition(|(_, c, _)| c.is_divisible_by(divisor));
        let mut result = Sum::default();
        for (origin, coefficient, term) in outside {
            result.push(origin, coefficient.div_exact(divisor), term);
        }
        let mut rest = Sum { terms: inside, constant: Int::ZERO };
        if constant_divides {
            result.constant = self.constant.div_exact(divisor);
        } else {
            rest.constant = self.constant;
        }
        if let Some(origin) = rest.terms.iter().map(|term| term.0).max() {
            let quotient = AstExpr::DivExact(Box::new(rest.into_expr()), int(divisor));
            result.push(origin, Int::ONE, quotient);
        }
        result
    }

    /// The condition `self >= 0` or `self == 0`, with the deepest iterator on the left.
    pub(crate) fn compare_with_zero(self, is_equality: bool) -> AstExpr {
        let Sum { terms, constant } = self.reduced(is_equality);
        if terms.is_empty() {
            let holds = if is_equality { constant.is_zero() } else { !constant.is_negative() };
            return AstExpr::int(holds.into());
        }
        let deepest = terms.iter().max_by_key(|(origin, ..)| origin.depth());
        let left_is_positive = deepest.is_some_and(|(_, coefficient, _)| coefficient.is_positive());
        let (left, right): (Vec<_>, Vec<_>) =
            terms.into_iter().partition(|(_, c, _)| c.is_positive() == left_is_positive);
        if left_is_positive {
            let offset = -&constant;
            compare(left, negated(right), offset, is_equality, Direction::AtLeast)
        } else {
            compare(negated(left), right, constant, is_equality, Direction::AtMost)
        }
    }

    /// Divided by the greatest common divisor of the coefficients; inequalities are tightened.
    fn reduced(mut self, is_equality: bool) -> Sum {
        let mut divisor = self.terms.iter().fold(Int::ZERO, |gcd, (_, c, _)| gcd.gcd(c));
        if is_equality {
            divisor = divisor.gcd(&self.constant);
        }
        if divisor.is_zero() || divisor.is_one() {
            return self;
        }
        for (_, coefficient, _) in &mut self.terms {
            *coefficient = coefficient.div_exact(&divisor);
        }
        self.constant = self.constant.div_floor(&divisor);
        self
    }
}

enum Direction {
    AtLeast,
    AtMost,
}

type Terms = Vec<(Origin, Int, AstExpr)>;

fn negated(terms: Terms) -> Terms {
    terms.into_iter().map(|(origin, coefficient, term)| (origin, -&coefficient, term)).collect()
}

/// `left <= right + offset` or `left >= right + offset`, strict where that saves the offset.
fn compare(left: Terms, right: Terms, offset: Int, is_equality: bool, way: Direction) -> AstExpr {
    let left = Box::new(Sum { terms: left, constant: Int::ZERO }.into_expr());
    let strict = match way {
        Direction::AtLeast => offset.is_one(),
        Direction::AtMost => (-&offset).is_one(),
    } && !right.is_empty();
    let constant = if strict && !is_equality { Int::ZERO } else { offset };
    let right = Box::new(Sum { terms: right, constant }.into_expr());
    match way {
        _ if is_equality => AstExpr::Eq(left, right),
        Direction::AtLeast if strict => AstExpr::Gt(left, right),
        Direction::AtLeast => AstExpr::Ge(left, right),
        Direction::AtMost if strict => AstExpr::Lt(left, right),
        Direction::AtMost => AstExpr::Le(left, right),
    }
}

/// `sum + coefficient · term`, where no sum means nothing yet and no term means one.
fn append(sum: Option<AstExpr>, coefficient: &Int, term: Option<AstExpr>) -> AstExpr {
    let magnitude = coefficient.abs();
    let negative = coefficient.is_negative();
    let product = match term {
        None if sum.is_none() => return AstExpr::Int(coefficient.clone()),
        None => AstExpr::Int(magnitude),
        Some(term) if magnitude.is_one() => term,
        Some(term) if sum.is_none() && negative => {
            return AstExpr::Mul(int(coefficient), Box::new(term));
        }
        Some(term) => AstExpr::Mul(int(&magnitude), Box::new(term)),
    };
    match (sum, negative) {
        (None, false) => product,
        (None, true) => AstExpr::Neg(Box::new(product)),
        (Some(sum), false) => AstExpr::Add(Box::new(sum), Box::new(product)),
        (Some(sum), true) => AstExpr::Sub(Box::new(sum), Box::new(product)),
    }
}

/// A boxed constant.
pub(crate) fn int(value: &Int) -> Box<AstExpr> {
    Box::new(AstExpr::Int(value.clone()))
}
