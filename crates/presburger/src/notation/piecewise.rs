//! Values by cases, and the disjunctions of constraints that tell the cases apart.
use crate::core::error::{Error, Result};
use crate::notation::linear::Linear;
use crate::notation::syntax::Relation;
use loopwright_exact::Int;

/// The most conjunctions a formula may expand to.
const DISJUNCT_LIMIT: usize = 1 << 14;

/// `form = 0` or `form >= 0`; the denominator of the form is 1.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Atom {
    pub(super) is_equality: bool,
    pub(super) form: Linear,
}

/// Atoms that hold together.
pub(super) type Conjunct = Vec<Atom>;

/// What an expression is in one case.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    /// A number.
    Form(Linear),
    /// Not a number: every comparison with it is false.
    NotANumber,
    /// Nothing: outside the pieces of a partial expression. Every comparison with it is false.
    Undefined,
}

impl Value {
    pub(super) fn map(self, map: impl FnOnce(Linear) -> Linear) -> Self {
        match self {
            Value::Form(form) => Value::Form(map(form)),
            other => other,
        }
    }
}

/// A value per condition; the conditions are disjoint and cover everything.
pub(super) type Pieces = Vec<(Vec<Conjunct>, Value)>;

/// One value everywhere.
pub(super) fn always(value: Value) -> Pieces {
    vec![(vec![Vec::new()], value)]
}

/// The disjunction of the cases in which two values compare, or in which they do not.
pub(super) fn compare(
    left: &Pieces,
    relation: Relation,
    right: &Pieces,
    negated: bool,
) -> Result<Vec<Conjunct>> {
    let mut disjuncts = Vec::new();
    for (left_condition, a) in left {
        for (right_condition, b) in right {
            let holds = match (a, b) {
                (Value::Form(a), Value::Form(b)) => {
                    compare_linear(a, if negated { relation.negated() } else { relation }, b)
                }
                _ if negated => vec![Vec::new()],
                _ => continue,
            };
            let condition = conjunction(left_condition, right_condition.clone())?;
            disjuncts.extend(conjunction(&condition, holds)?);
        }
    }
    Ok(disjuncts)
}

pub(super) fn push_piece(pieces: &mut Pieces, condition: Vec<Conjunct>, value: Value) {
    if !condition.is_empty() {
        pieces.push((condition, value));
    }
}

/// All pairs of pieces; an error if `join` has no result.
pub(super) fn combine(
    a: &Pieces,
    b: &Pieces,
    join: impl Fn(&Linear, &Linear) -> Option<Linear>,
) -> Result<Pieces> {
    let mut pieces = Pieces::with_capacity(a.len() * b.len());
    for (a_condition, a_value) in a {
        for (b_condition, b_value) in b {
            let value = match (a_value, b_value) {
                (Value::Form(a), Value::Form(b)) => Value::Form(join(a, b).ok_or_else(|| {
                    Error::Invalid { operation: "parse", reason: "not an affine expression".into() }
                })?),
                (Value::Undefined, _) | (_, Value::Undefined) => Value::Undefined,
                _ => Value::NotANumber,
            };
            push_piece(&mut pieces, conjunction(a_condition, b_condition.clone())?, value);
        }
    }
    Ok(pieces)
}

/// The conjunction of two disjunctions.
pub(super) fn conjunction(a: &[Conjunct], b: Vec<Conjunct>) -> Result<Vec<Conjunct>> {
    if let [conjunct] = a
        && conjunct.is_empty()
    {
        return Ok(b);
    }
    if a.len().saturating_mul(b.len()) > DISJUNCT_LIMIT {
        return Err(Error::too_large("the expansion of a formula into conjunctions"));
    }
    Ok(a.iter().flat_map(|a| b.iter().map(move |b| [&a[..], &b[..]].concat())).collect())
}

/// The disjunction that compares two forms; constants are decided.
pub(super) fn compare_linear(a: &Linear, relation: Relation, b: &Linear) -> Vec<Conjunct> {
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
pub(super) fn atom(mut form: Linear, is_equality: bool) -> Option<Conjunct> {
    form.denominator = Int::ONE;
    if !form.terms.is_empty() {
        return Some(vec![Atom { is_equality, form }]);
    }
    let holds = if is_equality { form.constant.is_zero() } else { !form.constant.is_negative() };
    holds.then(Vec::new)
}
