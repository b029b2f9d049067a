//! Which dependences between accesses are sure: the sink's only one, from a sure source that no
//! kill may follow.
use crate::accesses::role::Role;
use crate::engine::Engine;
use crate::engine::order::surely_empty;
use crate::{Dependence, ProgramOrder, Reference};
use loopwright_presburger::{Budget, Map, Result, Set};
use loopwright_scop::StatementId;

/// The question which dependences are sure.
pub(crate) struct SureDependences<'a> {
    pub(crate) engine: &'a Engine<'a>,
    pub(crate) order: &'a ProgramOrder,
    pub(crate) kills: &'a [&'a Reference],
    pub(crate) budget: &'a Budget,
}

impl SureDependences<'_> {
    /// The sure part of the dependences.
    pub(crate) fn among(
        &self,
        dependences: &[Dependence],
        sinks: &[&Reference],
    ) -> Result<Vec<Dependence>> {
        let mut sure = Vec::new();
        for sink in sinks {
            let of_sink = dependences.iter().filter(|d| d.sink.0 == sink.statement);
            let of_sink: Vec<&Dependence> = of_sink.collect();
            let several = self.sinks_of_several(&by_source(&of_sink)?)?;
            let is_sure = |d: &&&Dependence| d.source.1 == Role::MustSource.reference();
            for dependence in of_sink.iter().filter(is_sure) {
                let mut relation = dependence.relation.clone();
                for sinks in &several {
                    relation = relation.subtract_range(sinks, self.budget)?;
                }
                relation = self.without_killed(relation, dependence.source.0, sink)?;
                if !surely_empty(&relation, self.budget) {
                    sure.push(Dependence { relation, ..(*dependence).clone() });
                }
            }
        }
        Ok(sure)
    }

    /// Sink accesses with more than one source.
    fn sinks_of_several(&self, sources: &[(StatementId, Map)]) -> Result<Vec<Set>> {
        let mut several = Vec::new();
        for (position, (_, relation)) in sources.iter().enumerate() {
            let to_source = relation.reverse();
            if !to_source.is_single_valued(self.budget)? {
                let pairs = to_source.range_product(&to_source)?;
                let different = Map::lex_lt(&to_source.space().range()).wrap();
                several.push(pairs.intersect_range(&different)?.domain());
            }
            for (_, other) in &sources[position + 1..] {
                several.push(relation.range().intersect(&other.range())?);
            }
        }
        several.retain(|set| !surely_empty(set.as_map(), self.budget));
        Ok(several)
    }

    /// The relation without those pairs between which a kill may run: one that is before the sink
    /// and not ordered with the source.
    fn without_killed(
        &self,
        mut relation: Map,
        source: StatementId,
        sink: &Reference,
    ) -> Result<Map> {
        for kill in self.kills.iter().filter(|kill| kill.array == sink.array) {
            for to_sink in self.engine.memory_based(&[kill], &[sink])? {
                let Some(mut unordered) = self.order.unordered(source, kill.statement)? else {
                    continue;
                };
                if source == kill.statement {
                    let space = unordered.space().domain();
                    let different = Map::lex_lt(&space).union(&Map::lex_gt(&space))?;
                    unordered = unordered.intersect(&different)?;
                }
                let at_element = same_access_element(&unordered)?;
                let killed = unordered.intersect(&at_element)?.apply_range(&to_sink.relation)?;
                relation = relation.subtract(&killed, self.budget)?;
            }
        }
        Ok(relation)
    }
}

/// The pairs `[S[i] -> A[x]] -> [T[j] -> A[x]]` in the space of a relation between accesses.
fn same_access_element(relation: &Map) -> Result<Map> {
    let element = |set: Set| -> Result<Map> { Ok(set.unwrap()?.range_map()) };
    let domain = Set::universe(relation.space().domain());
    let range = Set::universe(relation.space().range());
    element(domain)?.apply_range(&element(range)?.reverse())
}

/// One relation per source statement.
fn by_source(dependences: &[&Dependence]) -> Result<Vec<(StatementId, Map)>> {
    let mut sources: Vec<(StatementId, Map)> = Vec::new();
    for dependence in dependences {
        match sources.iter_mut().find(|(source, _)| *source == dependence.source.0) {
            Some((_, relation)) => *relation = relation.union(&dependence.relation)?,
            None => sources.push((dependence.source.0, dependence.relation.clone())),
        }
    }
    Ok(sources)
}
