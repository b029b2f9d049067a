//! Linear forms with a common denominator.
use loopwright_exact::Int;

/// `(Σ coefficient * variable + constant) / denominator`, where the variables are the dimensions
/// followed by the locals, and the terms are sorted and not zero.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Linear {
    pub(super) terms: Vec<(usize, Int)>,
    pub(super) constant: Int,
    pub(super) denominator: Int,
}

impl Linear {
    pub(super) fn constant(value: Int) -> Self {
        Linear { terms: Vec::new(), constant: value, denominator: Int::ONE }
    }

    pub(super) fn variable(variable: usize) -> Self {
        Linear { terms: vec![(variable, Int::ONE)], constant: Int::ZERO, denominator: Int::ONE }
    }

    pub(super) fn as_constant(&self) -> Option<&Int> {
        (self.terms.is_empty() && self.denominator.is_one()).then_some(&self.constant)
    }

    pub(super) fn scaled(&self, factor: &Int) -> Self {
        if factor.is_zero() {
            return Linear::constant(Int::ZERO);
        }
        let terms = self.terms.iter().map(|(v, c)| (*v, c * factor)).collect();
        Linear { terms, constant: &self.constant * factor, denominator: self.denominator.clone() }
            .reduced()
    }

    /// The exact quotient by a number that is not zero.
    pub(super) fn divided(&self, divisor: &Int) -> Self {
        let mut quotient = self.scaled(&Int::from(i64::from(divisor.signum())));
        quotient.denominator = &quotient.denominator * &divisor.abs();
        quotient.reduced()
    }

    pub(super) fn plus(&self, other: &Self) -> Self {
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

    pub(super) fn minus(&self, other: &Self) -> Self {
        self.plus(&other.scaled(&Int::from(-1)))
    }

    /// Cancels a common factor with the denominator.
    pub(super) fn reduced(mut self) -> Self {
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
