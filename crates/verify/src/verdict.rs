//! What a check finds out.
use loopwright_presburger::{Aff, Budget, DimKind, Error, Int, Map, Optimum, Result};
use std::fmt;

/// The steps (see [`Budget`]) for finding a small example; beyond, any one will do.
const SMALLEST_STEPS: u64 = 500_000;

/// The outcome of a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proof {
    /// It holds for all values of the parameters.
    Proved,
    /// It does not hold.
    Refuted(Vec<Violation>),
    /// The budget ran out, in the named operation.
    OutOfBudget(&'static str),
}

/// One way in which a check fails, in words, with an example where there is one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// What is wrong.
    pub message: String,
    /// A pair of statement instances that shows it, with values of the parameters.
    pub example: Option<String>,
}

/// A failure without an example.
pub(crate) fn violation(message: String) -> Violation {
    Violation { message, example: None }
}

impl Proof {
    /// Whether the property holds for sure.
    pub fn is_proved(&self) -> bool {
        matches!(self, Proof::Proved)
    }

    /// The outcome of a check that collects violations; other errors are passed on.
    pub(crate) fn from_violations(result: Result<Vec<Violation>>) -> Result<Proof> {
        match result {
            Ok(violations) if violations.is_empty() => Ok(Proof::Proved),
            Ok(violations) => Ok(Proof::Refuted(violations)),
            Err(Error::Exceeded { operation, .. }) => Ok(Proof::OutOfBudget(operation)),
            Err(error) => Err(error),
        }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.message)?;
        match &self.example {
            Some(example) => write!(f, ", for example {example}"),
            None => Ok(()),
        }
    }
}

/// Steps for finding out that nothing is left to compare.
const LEFT_STEPS: u64 = 2_000_000;

/// Whether no pair is left, where that is soon seen: the next comparison does not need it.
///
/// To find one integer pair can take longer than the comparisons themselves.
pub(crate) fn is_soon_empty(pairs: &Map, budget: &Budget) -> Result<bool> {
    if pairs.plain_is_empty() {
        return Ok(true);
    }
    Ok(budget.attempt(LEFT_STEPS, |part| pairs.is_empty(part))?.unwrap_or(false))
}

/// Reports the pairs of `relation` as a violation if there are any.
pub(crate) fn violation_if_any(
    relation: &Map,
    message: impl FnOnce() -> String,
    budget: &Budget,
) -> Result<Option<Violation>> {
    let found = found_example(relation, budget)?;
    Ok(found.map(|example| Violation { message: message(), example }))
}

/// The example of a pair, if there are pairs.
fn found_example(relation: &Map, budget: &Budget) -> Result<Option<Option<String>>> {
    if relation.plain_is_empty() || relation.is_empty(budget)? {
        return Ok(None);
    }
    let point = match smallest_point(relation) {
        Ok(point) => point,
        Err(_) => relation.sample_point(budget)?,
    };
    Ok(Some(point.map(|point| pair_text(relation, &point))))
}

/// A pair with the least sum of the parameters, among those the least parameters one after the other,
/// and then the lexicographically least instances. Negative parameters come only where there are no
/// others.
fn smallest_point(relation: &Map) -> Result<Option<Vec<Int>>> {
    let budget = &Budget::steps(SMALLEST_STEPS);
    let mut pairs = relation.wrap();
    let space = pairs.space().clone();
    let n_params = pairs.n(DimKind::Param);
    let mut natural = pairs.clone();
    for param in 0..n_params {
        natural = natural.lower_bound(DimKind::Param, param, &Int::ZERO);
    }
    if !natural.is_empty(budget)? {
        pairs = natural;
        let mut sum = Aff::zero(&space);
        for param in 0..n_params {
            sum = sum.add(&Aff::variable(&space, DimKind::Param, param))?;
        }
        if let Optimum::At(least) = pairs.min_val(&sum, budget)? {
            pairs = pairs.intersect(&sum.add_constant(&-&least).zero_set())?;
        }
    }
    for (kind, count) in [(DimKind::Param, n_params), (DimKind::Out, pairs.n(DimKind::Out))] {
        for position in 0..count {
            if let Optimum::At(least) = pairs.dim_min_val(kind, position, budget)? {
                pairs = pairs.fix(kind, position, &least);
            }
        }
    }
    pairs.sample_point(budget)
}

/// `S0[1, 2] -> S1[1, 3] with n = 4`.
fn pair_text(relation: &Map, point: &[Int]) -> String {
    let space = relation.space();
    let n_params = space.param_names().len();
    let tuple_text = |tuple: Option<&loopwright_presburger::Tuple>, values: &[Int]| {
        let name = tuple.and_then(|t| t.name()).map_or("", |n| n);
        let values: Vec<String> = values.iter().map(|v| v.to_string()).collect();
        format!("{name}[{}]", values.join(", "))
    };
    let n_in = space.input().map_or(0, |t| t.n_dims());
    let (params, rest) = point.split_at(n_params);
    let (from, to) = rest.split_at(n_in);
    let mut text =
        format!("{} -> {}", tuple_text(space.input(), from), tuple_text(space.output(), to));
    let bindings: Vec<String> =
        space.param_names().iter().zip(params).map(|(name, v)| format!("{name} = {v}")).collect();
    if !bindings.is_empty() {
        text.push_str(&format!(" with {}", bindings.join(", ")));
    }
    text
}
