//! Conditions that need not be printed: parts that hold whatever the values of their names are, and parts that the
//! loops and conditions around imply.
//!
//! A loop's `c5 < min(n, c1 + 384)` at its first value `c1` asks for `c1 < n` and `c1 < c1 + 384`. The second holds
//! always, and the first wherever the loop over `c1` runs to `n`.
use crate::disjoint::row;
use crate::linear::Linear;
use loopwright_astgen::{AstExpr, Entry, ForLoop};
use loopwright_presburger::{Aff, BasicSet, Budget, Constraint, Error, Int, Result, Set};

/// Steps for one comparison: a few pivots in some 20 dimensions.
const STEPS: u64 = 100_000;

/// What has to be asked in front of a loop so that it runs at least once; none if it does.
///
/// # Errors
/// Those of the operations on sets.
pub(crate) fn runs(each: &ForLoop) -> Result<Option<AstExpr>> {
    if each.entry.always_runs()? {
        return Ok(None);
    }
    needed(&each.condition.with_left_side(&each.init), &each.entry)
}

/// A condition without the parts that hold in front of a loop; none if nothing is left.
///
/// # Errors
/// Those of the operations on sets.
pub(crate) fn needed(condition: &AstExpr, entry: &Entry) -> Result<Option<AstExpr>> {
    use AstExpr::{And, Le, Lt};
    match condition {
        And(parts) => {
            let mut left = Vec::new();
            for part in parts {
                left.extend(needed(part, entry)?);
            }
            Ok((!left.is_empty()).then(|| AstExpr::and(left)))
        }
        Le(lesser, greater) | Lt(lesser, greater) => {
            let is_strict = matches!(condition, Lt(..));
            let (lesser, greater) = (alternatives(lesser, false), alternatives(greater, true));
            let mut open = Vec::new();
            for &a in &lesser {
                for &b in &greater {
                    if !holds(a, b, is_strict, entry)? {
                        open.push((a, b));
                    }
                }
            }
            if open.is_empty() {
                return Ok(None);
            }
            let left = lesser.into_iter().filter(|a| open.iter().any(|(other, _)| other == a));
            let right = greater.into_iter().filter(|b| open.iter().any(|(_, other)| other == b));
            let left = Box::new(AstExpr::max(left.cloned().collect()));
            let right = Box::new(AstExpr::min(right.cloned().collect()));
            Ok(Some(if is_strict { Lt(left, right) } else { Le(left, right) }))
        }
        other => Ok(Some(other.clone())),
    }
}

/// What an expression is the least of (or the greatest of); itself, if it is none.
fn alternatives(expression: &AstExpr, least: bool) -> Vec<&AstExpr> {
    match expression {
        AstExpr::Min(list) if least => list.iter().flat_map(|e| alternatives(e, true)).collect(),
        AstExpr::Max(list) if !least => list.iter().flat_map(|e| alternatives(e, false)).collect(),
        other => vec![other],
    }
}

/// How often something is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Times {
    Once,
    AtMostOnce,
    Any,
}

/// How often a loop in steps of one runs from `start` on while the condition holds: the least of these numbers, or
/// never if that is negative. None if they are not all plain sums.
pub(crate) fn counts(start: &AstExpr, condition: &AstExpr) -> Option<Vec<Linear>> {
    let (bound, more) = match condition {
        AstExpr::Lt(_, bound) => (bound, 0),
        AstExpr::Le(_, bound) => (bound, 1),
        _ => return None,
    };
    let mut counts = Vec::new();
    for end in alternatives(bound, true) {
        for start in alternatives(start, false) {
            let count = Linear::of(end)?.minus(&Linear::of(start)?);
            counts.push(count.plus(&Linear::from_int(Int::from(more))));
        }
    }
    Some(counts)
}

/// The vectors, by their lengths, that take a number of elements that is one of `counts` (any number, if there are
/// none), where an entry says what is known of them: as many of the full length `widest` as fit, then of half of it
/// and so on. Those that are never needed are left out.
///
/// *Cost.* Three emptiness tests for each length and count.
///
/// # Errors
/// Those of the operations on sets.
pub(crate) fn vectors(counts: &[Linear], widest: i64, entry: &Entry) -> Result<Vec<(i64, Times)>> {
    let mut result = Vec::new();
    let mut lanes = widest;
    while lanes >= 1 {
        let full = lanes == widest;
        let mut found: Vec<Option<Times>> = Vec::with_capacity(counts.len());
        for count in counts {
            found.push(times(count, lanes, full, entry)?);
        }
        let unknown = if full { Times::Any } else { Times::AtMostOnce };
        match found.first() {
            Some(&first) if found.iter().all(|each| *each == first) => {
                result.extend(first.map(|times| (lanes, times)));
            }
            _ => result.push((lanes, unknown)),
        }
        lanes /= 2;
    }
    Ok(result)
}

/// How often vectors of `lanes` elements are needed; none if never. Those that are not of the full length take what
/// is left by those of twice their length.
fn times(count: &Linear, lanes: i64, full: bool, entry: &Entry) -> Result<Option<Times>> {
    let unknown = if full { Times::Any } else { Times::AtMostOnce };
    let (lanes, twice) = (Int::from(lanes), Int::from(2 * lanes));
    if let Some(count) = count.as_int() {
        let rest = if full { count.clone() } else { count.rem_euclid(&twice) };
        let has_vector = count.is_positive() && rest >= lanes;
        let times = if full && rest >= twice { Times::Any } else { Times::Once };
        return Ok(has_vector.then_some(times));
    }
    let Some(outside) = entry.outside() else { return Ok(Some(unknown)) };
    let known = outside.known();
    let Some(row) = row(count, known, outside.iterators(), 0) else { return Ok(Some(unknown)) };
    let count = Aff::from_row(known.space(), Vec::new(), row, Int::ONE);
    let rest = if full { count.clone() } else { count.modulo(&twice) };
    let is_nowhere = |sets: &[Set]| -> Result<bool> {
        let mut set = known.clone();
        for other in sets {
            set = set.intersect(other)?;
        }
        is_empty(&set)
    };
    let at_least = |form: &Aff, least: &Int| form.add_constant(&-least).nonneg_set();
    let less = |form: &Aff, bound: &Int| form.neg().add_constant(&(bound - &Int::ONE)).nonneg_set();
    if is_nowhere(&[count.positive_set(), at_least(&rest, &lanes)])? {
        return Ok(None);
    }
    let always = is_nowhere(&[less(&rest, &lanes)])? && is_nowhere(&[less(&count, &Int::ONE)])?;
    let is_once = always && (!full || is_nowhere(&[at_least(&rest, &twice)])?);
    Ok(Some(if is_once { Times::Once } else { unknown }))
}

/// Whether a form is known to be less than another in front of a loop, or not greater.
fn holds(lesser: &AstExpr, greater: &AstExpr, is_strict: bool, entry: &Entry) -> Result<bool> {
    let (Some(lesser), Some(greater)) = (Linear::of(lesser), Linear::of(greater)) else {
        return Ok(false);
    };
    let slack = greater.minus(&lesser).minus(&Linear::from_int(Int::from(i64::from(is_strict))));
    if let Some(slack) = slack.as_int() {
        return Ok(!slack.is_negative());
    }
    let Some(outside) = entry.outside() else { return Ok(false) };
    let known = outside.known();
    let violated = Linear::from_int(Int::from(-1)).minus(&slack);
    let Some(row) = row(&violated, known, outside.iterators(), 0) else { return Ok(false) };
    let violated = BasicSet::universe(known.space().clone())
        .add_constraints(vec![Constraint { is_equality: false, row }]);
    is_empty(&known.intersect(&Set::from_basic_set(violated))?)
}

fn is_empty(set: &Set) -> Result<bool> {
    match set.is_empty(&Budget::steps(STEPS)) {
        Err(Error::Exceeded { .. }) => Ok(false),
        answer => answer,
    }
}
