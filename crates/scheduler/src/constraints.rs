//! What a schedule has to respect and what it should achieve.
mod isl_text;
mod prefix;

use loopwright_presburger::{MultiUnionPwAff, Set, UnionMap, UnionSet};

/// Schedule constraints, as isl has them ("Scheduling for PPCG", section 4).
///
/// A relation `a -> b` of each kind says, about the time `f` of the two instances:
/// * *validity*: `f(b) >= f(a)`, and `a` is ordered before `b` in the end;
/// * *proximity*: `|f(b) - f(a)|` should be small;
/// * *coincidence*: `f(b) = f(a)` is wanted at as many outer levels as possible;
/// * *conditional validity*: like validity, but only where an adjacent *condition* (one that ends
///   where the conditional pair starts, or starts where it ends) has its two ends at different
///   times. Both relations may carry reference tags, `[S[i] -> R1[]] -> [T[j] -> R2[]]`; then
///   adjacency compares tagged elements.
#[derive(Clone, Debug)]
pub struct ScheduleConstraints {
    /// The instances to be scheduled.
    pub domain: UnionSet,
    /// What is known about the parameters (a parameter set).
    pub context: Set,
    /// An outer schedule that the schedule will be put below: only pairs of instances at the same
    /// place of it are left to order.
    pub prefix: Option<MultiUnionPwAff>,
    /// Pairs that must not be reordered.
    pub validity: UnionMap,
    /// Pairs that should be close to each other.
    pub proximity: UnionMap,
    /// Pairs that should be at the same time.
    pub coincidence: UnionMap,
    /// Pairs (tagged or not) that make adjacent conditional pairs hold when they are apart.
    pub condition: UnionMap,
    /// Pairs (tagged or not) that hold next to a condition that is apart.
    pub conditional_validity: UnionMap,
}

impl ScheduleConstraints {
    /// The constraints on `domain` without any relation.
    pub fn on_domain(domain: UnionSet, context: Set) -> Self {
        ScheduleConstraints {
            domain,
            context,
            prefix: None,
            validity: UnionMap::empty(),
            proximity: UnionMap::empty(),
            coincidence: UnionMap::empty(),
            condition: UnionMap::empty(),
            conditional_validity: UnionMap::empty(),
        }
    }
}
