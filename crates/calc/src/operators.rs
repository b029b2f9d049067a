//! Binary operators on values.
use super::polynomials;
use super::value::Value;
use loopwright_presburger::{Budget, Error, Result, UnionMap, UnionSet};

/// A binary operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    Equal,
    Same,
    Subset,
    StrictSubset,
    Superset,
    StrictSuperset,
    LexLess,
    LexLessEqual,
    LexGreater,
    LexGreaterEqual,
    Union,
    Difference,
    RangeDifference,
    Intersection,
    RangeIntersection,
    Gist,
    Join,
    After,
    Pairs,
    Cross,
    CrossRange,
    Evaluate,
}

/// The operators with their texts and levels, loose ones first.
const OPERATORS: [(&str, usize, Operator); 23] = [
    ("=", 0, Operator::Equal),
    ("==", 0, Operator::Same),
    ("<=", 0, Operator::Subset),
    ("<", 0, Operator::StrictSubset),
    (">=", 0, Operator::Superset),
    (">", 0, Operator::StrictSuperset),
    ("<<", 1, Operator::LexLess),
    ("<<=", 1, Operator::LexLessEqual),
    (">>", 1, Operator::LexGreater),
    (">>=", 1, Operator::LexGreaterEqual),
    ("+", 2, Operator::Union),
    ("-", 2, Operator::Difference),
    ("->-", 2, Operator::RangeDifference),
    ("*", 3, Operator::Intersection),
    ("->*", 3, Operator::RangeIntersection),
    ("%", 3, Operator::Gist),
    (".", 4, Operator::Join),
    ("before", 4, Operator::Join),
    ("after", 4, Operator::After),
    ("->", 4, Operator::Pairs),
    ("cross", 4, Operator::Cross),
    ("cross_range", 4, Operator::CrossRange),
    ("@", 4, Operator::Evaluate),
];

impl Operator {
    /// The number of levels of precedence.
    pub(super) const LEVELS: usize = 5;
    /// The level of sums: looser are only comparisons.
    pub(super) const LEVEL_OF_SUMS: usize = 2;

    /// The operator with a text, if it is of a level.
    pub(super) fn at_level(text: &str, level: usize) -> Option<Self> {
        let found = OPERATORS.iter().find(|(known, at, _)| *known == text && *at == level);
        found.map(|(_, _, operator)| *operator)
    }

    fn text(self) -> &'static str {
        OPERATORS.iter().find(|(_, _, operator)| *operator == self).map_or("", |(text, _, _)| text)
    }

    /// The result for two values.
    ///
    /// # Errors
    /// If the operator is not defined for the values, or an operation on sets fails.
    pub(super) fn apply(self, left: &Value, right: &Value, budget: &Budget) -> Result<Value> {
        let result = match (left, right) {
            (Value::Set(a), Value::Set(b)) => self.on_sets(a, b, budget),
            (Value::Map(a), Value::Map(b)) => self.on_maps(a, b, budget),
            // The empty set in braces is also the empty relation.
            (Value::Map(a), Value::Set(b)) if is_nothing(b) && self.takes_equal_kinds() => {
                self.on_maps(a, &UnionMap::empty(), budget)
            }
            (Value::Set(a), Value::Map(b)) if is_nothing(a) && self.takes_equal_kinds() => {
                self.on_maps(&UnionMap::empty(), b, budget)
            }
            (Value::Map(a), Value::Set(b)) => self.on_map_and_set(a, b, budget),
            (Value::Text(_), _) | (_, Value::Text(_)) => self.on_texts(left, right),
            (Value::Boolean(a), Value::Boolean(b)) => match self {
                Operator::Union => Ok(Some((*a || *b).into())),
                Operator::Intersection => Ok(Some((*a && *b).into())),
                Operator::Equal | Operator::Same => Ok(Some((a == b).into())),
                _ => Ok(None),
            },
            (Value::Integer(a), Value::Integer(b)) => Ok(match self {
                Operator::Union => Some(Value::Integer(a + b)),
                Operator::Difference => Some(Value::Integer(a - b)),
                Operator::Intersection => Some(Value::Integer(a * b)),
                Operator::Equal | Operator::Same => Some((a == b).into()),
                Operator::Subset => Some((a <= b).into()),
                Operator::StrictSubset => Some((a < b).into()),
                Operator::Superset => Some((a >= b).into()),
                Operator::StrictSuperset => Some((a > b).into()),
                _ => None,
            }),
            _ => polynomials::apply(self, left, right, budget),
        };
        match result? {
            Some(value) => Ok(value),
            None => self.on_firsts(left, right, budget),
        }
    }

    /// Tries again with the first elements of pairs.
    fn on_firsts(self, left: &Value, right: &Value, budget: &Budget) -> Result<Value> {
        if let Some(first) = left.first_of_pair() {
            return self.apply(first, right, budget);
        }
        if let Some(first) = right.first_of_pair() {
            return self.apply(left, first, budget);
        }
        let (left, right) = (left.noun(), right.noun());
        let reason = format!("it is not defined for {left} and {right}");
        Err(Error::Invalid { operation: self.text(), reason })
    }

    fn takes_equal_kinds(self) -> bool {
        use Operator::{Difference, Equal, Intersection, Subset, Superset, Union};
        matches!(self, Union | Difference | Intersection | Equal | Subset | Superset)
    }

    fn on_sets(self, a: &UnionSet, b: &UnionSet, budget: &Budget) -> Result<Option<Value>> {
        Ok(Some(match self {
            Operator::Equal => a.is_equal(b, budget)?.into(),
            Operator::Subset => a.is_subset(b, budget)?.into(),
            Operator::StrictSubset => a.is_strict_subset(b, budget)?.into(),
            Operator::Superset => b.is_subset(a, budget)?.into(),
            Operator::StrictSuperset => b.is_strict_subset(a, budget)?.into(),
            Operator::LexLess => a.lex_lt_union_set(b)?.into(),
            Operator::LexLessEqual => a.lex_le_union_set(b)?.into(),
            Operator::LexGreater => a.lex_gt_union_set(b)?.into(),
            Operator::LexGreaterEqual => a.lex_ge_union_set(b)?.into(),
            Operator::Union => a.union(b)?.into(),
            Operator::Difference => a.subtract(b, budget)?.into(),
            Operator::Intersection => match parameters(b) {
                Some(params) => a.intersect_params_within(&params, budget)?.into(),
                None => match parameters(a) {
                    Some(params) => b.intersect_params_within(&params, budget)?.into(),
                    None => a.intersect_within(b, budget)?.into(),
                },
            },
            Operator::Gist => match parameters(b) {
                Some(params) => a.gist_params(&params, budget)?.into(),
                None => a.gist(b, budget)?.into(),
            },
            Operator::Pairs => UnionMap::from_domain_and_range_within(a, b, budget)?.into(),
            Operator::Cross => a.product_within(b, budget)?.into(),
            _ => return Ok(None),
        }))
    }

    fn on_maps(self, a: &UnionMap, b: &UnionMap, budget: &Budget) -> Result<Option<Value>> {
        Ok(Some(match self {
            Operator::Equal => a.is_equal(b, budget)?.into(),
            Operator::Subset => a.is_subset(b, budget)?.into(),
            Operator::StrictSubset => a.is_strict_subset(b, budget)?.into(),
            Operator::Superset => b.is_subset(a, budget)?.into(),
            Operator::StrictSuperset => b.is_strict_subset(a, budget)?.into(),
            Operator::LexLess => a.lex_lt_union_map(b)?.into(),
            Operator::LexLessEqual => a.lex_le_union_map(b)?.into(),
            Operator::LexGreater => a.lex_gt_union_map(b)?.into(),
            Operator::LexGreaterEqual => a.lex_ge_union_map(b)?.into(),
            Operator::Union => a.union(b)?.into(),
            Operator::Difference => a.subtract(b, budget)?.into(),
            Operator::Intersection => a.intersect_within(b, budget)?.into(),
            Operator::Gist => a.gist(b, budget)?.into(),
            Operator::Join => a.apply_range_within(b, budget)?.into(),
            Operator::After => b.apply_range_within(a, budget)?.into(),
            Operator::Cross => a.product_within(b, budget)?.into(),
            Operator::CrossRange => a.range_product_within(b, budget)?.into(),
            _ => return Ok(None),
        }))
    }

    fn on_map_and_set(self, a: &UnionMap, b: &UnionSet, budget: &Budget) -> Result<Option<Value>> {
        Ok(Some(match self {
            Operator::Intersection => match parameters(b) {
                Some(params) => a.intersect_params_within(&params, budget)?.into(),
                None => a.intersect_domain_within(b, budget)?.into(),
            },
            Operator::RangeIntersection => a.intersect_range_within(b, budget)?.into(),
            Operator::Difference => a.subtract_domain(b, budget)?.into(),
            Operator::RangeDifference => a.subtract_range(b, budget)?.into(),
            Operator::Gist => match parameters(b) {
                Some(params) => a.gist_params(&params, budget)?.into(),
                None => a.gist_domain(b, budget)?.into(),
            },
            _ => return Ok(None),
        }))
    }

    fn on_texts(self, left: &Value, right: &Value) -> Result<Option<Value>> {
        Ok(match (self, left, right) {
            (Operator::Union, ..) => Some(Value::Text(left.spliced() + &right.spliced())),
            (Operator::Equal | Operator::Same, Value::Text(a), Value::Text(b)) => {
                Some((a == b).into())
            }
            _ => None,
        })
    }
}

/// Whether a set has no spaces at all.
fn is_nothing(set: &UnionSet) -> bool {
    set.sets().is_empty()
}

/// The set of parameters that a set is, if it is one.
pub(super) fn parameters(set: &UnionSet) -> Option<loopwright_presburger::Set> {
    let mut sets = set.sets();
    match sets.pop() {
        Some(only) if sets.is_empty() && only.space().is_params() => Some(only),
        _ => None,
    }
}
