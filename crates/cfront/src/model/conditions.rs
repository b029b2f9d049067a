//! Conditions on linear forms: conjunctions, and disjunctions of them.
use crate::model::linear::{Limit, Linear, MAX_PIECES};

/// `linear = 0` or `linear >= 0`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Condition {
    pub(crate) is_equality: bool,
    pub(crate) linear: Linear,
}

impl Condition {
    /// `linear >= 0`.
    pub(crate) fn nonnegative(linear: Linear) -> Self {
        Condition { is_equality: false, linear }
    }

    /// `linear = 0`.
    pub(crate) fn zero(linear: Linear) -> Self {
        Condition { is_equality: true, linear }
    }

    fn truth(&self) -> Option<bool> {
        let value = self.linear.as_constant()?;
        Some(if self.is_equality { value == 0 } else { value >= 0 })
    }

    /// The conditions of which at least one holds where this one does not.
    fn negated(&self) -> Result<Vec<Condition>, Limit> {
        let below = Condition::nonnegative(self.linear.scale(-1)?.add_constant(-1)?);
        if !self.is_equality {
            return Ok(vec![below]);
        }
        Ok(vec![below, Condition::nonnegative(self.linear.add_constant(-1)?)])
    }
}

/// All of these hold.
pub(crate) type Conjunction = Vec<Condition>;

/// Conjunctions of which at least one holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Disjunction(pub(crate) Vec<Conjunction>);

/// Both; none if they obviously contradict.
pub(crate) fn conjoin(a: &Conjunction, b: &Conjunction) -> Option<Conjunction> {
    let mut both = a.clone();
    for condition in b {
        match condition.truth() {
            Some(true) => continue,
            Some(false) => return None,
            None => {}
        }
        if both.contains(condition) {
            continue;
        }
        if both.iter().any(|other| contradicts(condition, other)) {
            return None;
        }
        both.push(condition.clone());
    }
    Some(both)
}

/// Whether two conditions have no common solution because their symbols cancel.
fn contradicts(a: &Condition, b: &Condition) -> bool {
    let sum = a.linear.constant_sum(1, &b.linear);
    let difference = a.linear.constant_sum(-1, &b.linear);
    match (a.is_equality, b.is_equality) {
        (true, true) => sum.is_some_and(|s| s != 0) || difference.is_some_and(|d| d != 0),
        // a = 0 and b >= 0: with a = -b + s, b = s; with a = b + d, b = -d.
        (true, false) => sum.is_some_and(|s| s < 0) || difference.is_some_and(|d| d > 0),
        (false, true) => sum.is_some_and(|s| s < 0) || difference.is_some_and(|d| d < 0),
        (false, false) => sum.is_some_and(|s| s < 0),
    }
}

impl Disjunction {
    /// Holds always.
    pub(crate) fn always() -> Self {
        Disjunction(vec![Vec::new()])
    }

    /// Holds never.
    pub(crate) fn never() -> Self {
        Disjunction(Vec::new())
    }

    /// One condition.
    pub(crate) fn single(condition: Condition) -> Self {
        Disjunction(conjoin(&Vec::new(), &vec![condition]).into_iter().collect())
    }

    /// Both hold.
    pub(crate) fn and(&self, other: &Disjunction) -> Result<Disjunction, Limit> {
        let mut result = Vec::with_capacity(self.0.len().max(other.0.len()));
        for a in &self.0 {
            for b in &other.0 {
                result.extend(conjoin(a, b));
            }
            if result.len() > MAX_PIECES {
                return Err(Limit::Pieces);
            }
        }
        Ok(Disjunction(result))
    }

    /// One of them holds.
    pub(crate) fn or(mut self, other: Disjunction) -> Result<Disjunction, Limit> {
        self.0.extend(other.0);
        if self.0.len() > MAX_PIECES { Err(Limit::Pieces) } else { Ok(self) }
    }

    /// The same with pairwise disjoint conjunctions.
    pub(crate) fn disjoint(&self) -> Result<Disjunction, Limit> {
        let mut result = Disjunction::never();
        let mut before = Disjunction::never();
        for conjunction in &self.0 {
            let this = Disjunction(vec![conjunction.clone()]);
            let rest = this.minus(&before)?;
            result = result.or(rest)?;
            before = before.or(this)?;
        }
        Ok(result)
    }

    /// What holds here and in none of the conjunctions of `other`. What a conjunction has in common with
    /// those here is no question.
    pub(crate) fn without(&self, other: &Disjunction) -> Result<Disjunction, Limit> {
        let mut result = Disjunction::never();
        for own in &self.0 {
            let mut rest = Disjunction(vec![own.clone()]);
            for conjunction in &other.0 {
                let mut more = conjunction.clone();
                more.retain(|condition| !own.contains(condition));
                rest = rest.and(&disjoint_negation(&more)?)?;
            }
            result = result.or(rest)?;
        }
        Ok(result)
    }

    /// What holds here and in none of the conjunctions of `other`, in disjoint pieces.
    pub(crate) fn minus(&self, other: &Disjunction) -> Result<Disjunction, Limit> {
        let mut rest = self.clone();
        for conjunction in &other.0 {
            rest = rest.and(&disjoint_negation(conjunction)?)?;
        }
        Ok(rest)
    }
}

/// The complement of a conjunction in disjoint pieces: `not c1`, `c1 and not c2`, ...
pub(crate) fn disjoint_negation(conjunction: &Conjunction) -> Result<Disjunction, Limit> {
    let mut pieces = Vec::new();
    let mut held: Conjunction = Vec::new();
    for condition in conjunction {
        for negation in condition.negated()? {
            pieces.extend(conjoin(&held, &vec![negation]));
        }
        held.push(condition.clone());
    }
    if pieces.len() > MAX_PIECES { Err(Limit::Pieces) } else { Ok(Disjunction(pieces)) }
}
