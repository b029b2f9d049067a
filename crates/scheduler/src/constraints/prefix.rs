//! Constraints below an outer schedule that is given.
//!
//! Pairs that the outer schedule separates are no concern of the scheduler any more; conditional
//! pairs next to conditions that it separates hold in any case.
use crate::ScheduleConstraints;
use loopwright_presburger::{Budget, Result, UnionMap, UnionSet};

impl ScheduleConstraints {
    /// The constraints between instances at the same place of their prefix, without prefix.
    ///
    /// ```
    /// use loopwright_presburger::Budget;
    /// use loopwright_scheduler::ScheduleConstraints;
    /// let constraints = ScheduleConstraints::parse(
    ///     "domain: '{ S[i, j] }'
    /// prefix: '[{ S[i, j] -> [(i)] }]'
    /// validity: '{ S[i, j] -> S[i + 1, j - 1]; S[i, j] -> S[i, j + 1] }'",
    /// )?;
    /// let below = constraints.below_prefix(&Budget::unlimited())?;
    /// assert_eq!(below.validity.to_string(), "{ S[i, j] -> S[i, 1 + j] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// *Cost.* An intersection of each relation with the pairs at one place of the prefix, and a subtraction
    /// for conditional constraints.
    ///
    /// # Errors
    /// [`loopwright_presburger::Error::Exceeded`]; those of the operations on relations.
    pub fn below_prefix(&self, budget: &Budget) -> Result<ScheduleConstraints> {
        below_prefix(self, budget)
    }
}

fn below_prefix(constraints: &ScheduleConstraints, budget: &Budget) -> Result<ScheduleConstraints> {
    let Some(prefix) = &constraints.prefix else { return Ok(constraints.clone()) };
    let prefix = prefix.to_union_map()?;
    let together = |relation: &UnionMap| -> Result<UnionMap> {
        let instances = relation.domain().union(&relation.range())?;
        let places = prefix.union(&of_tagged(&instances)?.apply_range(&prefix)?)?;
        relation.intersect_within(&places.eq_at(&places)?, budget)
    };
    let condition = together(&constraints.condition)?;
    let apart = constraints.condition.subtract(&condition, budget)?;
    let conditional_validity = together(&constraints.conditional_validity)?;
    let next_to_apart = conditional_validity
        .intersect_range(&apart.domain())?
        .union(&conditional_validity.intersect_domain(&apart.range())?)?;
    Ok(ScheduleConstraints {
        domain: constraints.domain.clone(),
        context: constraints.context.clone(),
        prefix: None,
        validity: together(&constraints.validity)?.union(&next_to_apart)?,
        proximity: together(&constraints.proximity)?,
        coincidence: together(&constraints.coincidence)?,
        condition,
        conditional_validity,
    })
}

/// From tagged elements to their instances.
fn of_tagged(elements: &UnionSet) -> Result<UnionMap> {
    let mut instances = UnionMap::empty();
    for set in elements.sets() {
        if set.space().output().is_some_and(|tuple| tuple.as_nested().is_some()) {
            let relation = UnionSet::from_set(set).unwrap()?;
            instances = instances.union(&relation.domain_map())?;
        }
    }
    Ok(instances)
}
