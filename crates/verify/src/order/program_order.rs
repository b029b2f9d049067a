//! Whether two schedules run all instances in one order.
//!
//! The pairs of instances that the first one has in strict order are found level by level; among those the
//! second one must not have any that is not in strict order ([`crate::check_schedule`] has the same method
//! for pairs that depend on each other).
use crate::order::schedule::{Comparison, Times};
use loopwright_presburger::{Budget, DimKind, Map, Result};
use loopwright_schedule::ScheduleTree;
use loopwright_scop::{Scop, StatementId};

/// Whether `tree` runs the instances that it has in the order in which `order` runs them, for all values of
/// the parameters in the scop's context. Instances that `order` runs at the same time may come in any order.
///
/// *Exactness.* Exact, if the answer comes before the budget runs out.
/// *Cost.* Some emptiness checks for every two statements and level.
///
/// # Errors
/// For malformed trees, and if the budget runs out.
///
/// ```
/// use loopwright_presburger::Budget;
/// use loopwright_schedule::ScheduleTree;
/// let text = "void f(int n, double a[n][n]) {\n#pragma scop\n  for (int i = 0; i < n; i++)\n    for (int j = 0; j < n; j++)\n\
///             a[i][j] = 1;\n#pragma endscop\n}\n";
/// let scop = loopwright_cfront::SourceFile::from_text("f.c", text).extract().unwrap().remove(0).scop;
/// let tree = |members: &str| {
///     let domain = &scop.schedule.domain;
///     ScheduleTree::parse(&format!("domain: \"{domain}\"\nchild: {{ schedule: \"{members}\" }}\n")).unwrap()
/// };
/// let same = |members| {
///     loopwright_verify::runs_in_order_of(&scop, &tree(members), &scop.schedule, &Budget::steps(1_000_000)).unwrap()
/// };
/// assert!(same("[{ S0[i, j] -> [2i + 1] }, { S0[i, j] -> [j] }]"));
/// assert!(!same("[{ S0[i, j] -> [j] }, { S0[i, j] -> [i] }]"));
/// ```
pub fn runs_in_order_of(
    scop: &Scop,
    tree: &ScheduleTree,
    order: &ScheduleTree,
    budget: &Budget,
) -> Result<bool> {
    let (found, wanted) = (Times::new(scop, &tree.flatten()?), Times::new(scop, &order.flatten()?));
    let executed: Vec<StatementId> =
        scop.statements.iter().filter(|s| !s.is_kill).map(|s| s.id).collect();
    let n_pairs = (executed.len() as u64).saturating_pow(2);
    budget.spend(n_pairs, "comparing the order of two statements")?;
    for &first in &executed {
        for &second in &executed {
            for pairs in wanted.before(first, second, budget)? {
                let pairs = pairs.intersect_params(&scop.context)?;
                for wrong in found.not_before(first, second, &pairs, budget)? {
                    if !wrong.is_empty(budget)? {
                        return Ok(false);
                    }
                }
            }
        }
    }
    Ok(true)
}

impl Times {
    /// The pairs `first -> second` of instances that are in strict order, in parts.
    fn before(&self, first: StatementId, second: StatementId, budget: &Budget) -> Result<Vec<Map>> {
        let (Some(a), Some(b)) = (&self.times[first.0 as usize], &self.times[second.0 as usize])
        else {
            return Ok(Vec::new());
        };
        let fixed = |map: &Map, level| map.plain_get_val_if_fixed(DimKind::Out, level);
        let (mut parts, mut equal): (Vec<Map>, Option<Map>) = (Vec::new(), None);
        for level in 0..self.n_levels {
            let both = (fixed(a, level), fixed(b, level));
            if let (Some(x), Some(y)) = &both {
                if x == y {
                    continue;
                }
                if x > y {
                    return Ok(parts);
                }
            }
            let (a, b) = ((first.0 as usize, a), (second.0 as usize, b));
            let compare = |sign| self.components.at_level(a, b, level, sign, budget);
            let with_equal = |pairs: Map| match &equal {
                Some(equal) => equal.intersect(&pairs),
                None => Ok(pairs),
            };
            let less = with_equal(compare(Comparison::Less)?)?;
            if !less.is_empty(budget)? {
                parts.push(less);
            }
            if matches!(both, (Some(_), Some(_))) {
                return Ok(parts);
            }
            let rest = with_equal(compare(Comparison::Equal)?)?;
            if rest.is_empty(budget)? {
                return Ok(parts);
            }
            equal = Some(rest);
        }
        Ok(parts)
    }
}
