//! Order dependences that hold whenever validity is respected.
//!
//! Around statements that stay in order anyway (calls, a row of updates of one element) there are an order
//! dependence for every two of them, and all are implied: directly, or by a chain of two relations that hold.
//! The second link of a chain is a validity relation, the first one again holds or is implied, so that chains
//! of any length are found one link at a time. What is implied need not be among the constraints: for
//! validity because a chain of pairs in order is in order, for coincidence because its distances add up to
//! that of the pair.
use crate::settings::effort::Effort;
use loopwright_dataflow::{Dependence, Dependences};
use loopwright_presburger::{Map, PlainForm, Result, UnionMap};
use loopwright_scop::StatementId;
use rustc_hash::FxHashMap;

/// From this number of order dependences on, those that are valid in any case are looked for: around 16 calls
/// that stay in order there are thousands.
const MANY: usize = 500;

/// Steps for each form of relations.
const IMPLIED_STEPS: u64 = 20_000;

/// Links into a statement that are tried as the last one of a chain.
const LAST_LINKS: usize = 4;

/// The order dependences of pairs of statements that validity does not order in the same way anyway; all of
/// them if there are few.
pub(crate) fn not_implied<'a>(
    dependences: &'a Dependences,
    validity: &UnionMap,
    effort: &Effort,
) -> Vec<&'a Dependence> {
    if dependences.order.len() < MANY {
        return dependences.order.iter().collect();
    }
    let mut known = Known::of_validity(dependences, validity);
    let mut order: Vec<&Dependence> = dependences.order.iter().collect();
    // The first links of chains to a statement lead to earlier ones.
    order.sort_by_key(|dependence| dependence.sink.0);
    order.retain(|dependence| !known.implies(dependence, effort));
    order
}

/// A relation, and the number of its form.
type Link = (u32, Map);

/// What is known to be in order.
#[derive(Default)]
struct Known {
    forms: FxHashMap<PlainForm, u32>,
    /// What holds between two statements.
    links: FxHashMap<(StatementId, StatementId), Link>,
    /// The statements from which validity leads to one, the nearest first.
    before: FxHashMap<StatementId, Vec<StatementId>>,
    /// Whether a form is contained in another one, or in two after each other.
    contained: FxHashMap<(u32, u32, Option<u32>), bool>,
}

impl Known {
    fn of_validity(dependences: &Dependences, validity: &UnionMap) -> Self {
        let mut known = Known::default();
        for dependence in dependences.flow.iter().chain(&dependences.forced) {
            let ends = (dependence.source.0, dependence.sink.0);
            if !known.links.contains_key(&ends) {
                let link = known.link(validity.extract(dependence.relation.space()));
                known.links.insert(ends, link);
                known.before.entry(ends.1).or_default().push(ends.0);
            }
        }
        for (statement, before) in &mut known.before {
            before.retain(|other| other < statement);
            before.sort_unstable_by(|a, b| b.cmp(a));
            before.truncate(LAST_LINKS);
        }
        known
    }

    fn link(&mut self, relation: Map) -> Link {
        let next = u32::try_from(self.forms.len()).unwrap_or(u32::MAX);
        (*self.forms.entry(PlainForm::new(relation.clone())).or_insert(next), relation)
    }

    /// Whether a dependence holds because of what is known; then that it does is known too.
    fn implies(&mut self, dependence: &Dependence, effort: &Effort) -> bool {
        let (source, sink) = (dependence.source.0, dependence.sink.0);
        let own = self.link(dependence.relation.clone());
        if let Some(link) = self.links.get(&(source, sink))
            && contains(&mut self.contained, &own, (link, None), effort)
        {
            return true;
        }
        for between in self.before.get(&sink).into_iter().flatten() {
            let first = self.links.get(&(source, *between));
            let last = self.links.get(&(*between, sink));
            if let (Some(first), Some(last)) = (first, last)
                && contains(&mut self.contained, &own, (first, Some(last)), effort)
            {
                self.links.entry((source, sink)).or_insert(own);
                return true;
            }
        }
        false
    }
}

/// Whether all pairs of a relation are among those of one link, or of two after each other.
fn contains(
    contained: &mut FxHashMap<(u32, u32, Option<u32>), bool>,
    (form, pairs): &Link,
    ((first_form, first), last): (&Link, Option<&Link>),
    effort: &Effort,
) -> bool {
    let key = (*form, *first_form, last.map(|(form, _)| *form));
    *contained.entry(key).or_insert_with(|| {
        let budget = effort.budget(IMPLIED_STEPS);
        let is_subset = || -> Result<bool> {
            match last {
                Some((_, last)) => {
                    pairs.is_subset(&first.apply_range_within(last, &budget)?, &budget)
                }
                None => pairs.is_subset(first, &budget),
            }
        };
        is_subset().unwrap_or(false)
    })
}
