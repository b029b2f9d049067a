//! What a read finds, as the value that its element held before updates, and these updates.
//!
//! Updates are definitions that add something to what an element holds ([`crate::accumulation`]) by one
//! operator whose operands may come in any order. Dataflow analysis that passes over them tells which other
//! write, if any, a read would see without them; updates between that write and the read are what has been
//! added since. So a sum of a whole loop is one value and a relation, where going back from update to update
//! would need an induction.
use crate::program::{Program, Sources};
use crate::value::{Operator, ReadId};
use loopwright_presburger::{Budget, Map, Result};

/// A read, taken apart.
#[derive(Clone, Debug)]
pub(crate) struct PastUpdates {
    /// Where the value before the updates comes from.
    pub(crate) sources: Sources,
    /// Definitions that accumulate, and for each read the instances of them whose updates it sees.
    pub(crate) updates: Vec<(usize, Map)>,
}

impl PastUpdates {
    /// What a read finds, past updates by an operator; none if dataflow analysis reaches its limit.
    ///
    /// *Cost.* One dataflow analysis for the read, and for each update a composition with the order of
    /// instances.
    ///
    /// # Errors
    /// The budget is used up.
    pub(crate) fn of(
        program: &Program,
        read: ReadId,
        operator: &Operator,
        budget: &Budget,
    ) -> Result<Option<PastUpdates>> {
        let is_update = |definition: usize| {
            let own = program.accumulation(definition);
            own.is_some_and(|own| own.operator == *operator)
        };
        let Some(sources) = program.sources_past(read, &is_update, budget)? else {
            return Ok(None);
        };
        let own = &program.reads[read.0];
        let mut updates = Vec::new();
        for (at, update) in program.definitions.iter().enumerate() {
            if update.array != own.array || !is_update(at) {
                continue;
            }
            let domain = &program.statements[update.statement].domain;
            let to = update.relation.intersect_domain_within(domain, budget)?;
            let same = own.relation.apply_range_within(&to.reverse(), budget)?;
            let Some(earlier) =
                program.earlier((own.statement, update.statement), &same, budget)?
            else {
                return Ok(None);
            };
            let seen = since(program, &sources, (update.statement, &earlier), budget)?;
            let Some(seen) = seen else { return Ok(None) };
            if !seen.is_empty(budget)? {
                updates.push((at, seen.coalesce(budget)?));
            }
        }
        Ok(Some(PastUpdates { sources, updates }))
    }

    /// All definitions that the read may see.
    pub(crate) fn definitions(&self) -> impl Iterator<Item = &(usize, Map)> {
        self.sources.definitions.iter().chain(&self.updates)
    }
}

/// Of reads and earlier updates of their elements, those behind the write that the read would see without
/// updates.
fn since(
    program: &Program,
    sources: &Sources,
    (statement, earlier): (usize, &Map),
    budget: &Budget,
) -> Result<Option<Map>> {
    let mut seen = Map::empty(earlier.space().clone());
    if let Some(before) = &sources.before {
        seen = seen.union(&earlier.intersect_domain_within(&before.domain(), budget)?)?;
    }
    for (definition, from) in &sources.definitions {
        let written = program.definitions[*definition].statement;
        // Pairs of updates and writes of one element in any order, then those in the order of the question.
        let pairs = earlier.reverse().apply_range_within(from, budget)?;
        let Some(later) = program.earlier((statement, written), &pairs, budget)? else {
            return Ok(None);
        };
        let behind = from.apply_range_within(&later.reverse(), budget)?;
        seen = seen.union(&earlier.intersect_within(&behind, budget)?)?;
    }
    Ok(Some(seen))
}
