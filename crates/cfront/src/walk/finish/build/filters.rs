//! The filters of the statements of a scop.
use super::Builder;
use crate::model::conditions::Disjunction;
use crate::model::filters::{Asked, Range, RawFilter};
use crate::model::raw_model::{RawAccess, RawStatement};
use crate::model::spaces::Columns;
use loopwright_presburger::{
    Budget, DimKind, Error, Int, Map, Name, Result as SetResult, Tuple, UnionMap,
};
use loopwright_scop::{
    AccessKind, Filter, FilterAccess, FilterValue, ReferenceId, Scop, Statement,
};

impl Builder<'_, '_, '_> {
    /// The filters of each statement; nothing if conditions on data are parts of statements.
    pub(super) fn filters(&self, scop: &Scop) -> SetResult<Vec<Vec<Filter>>> {
        if !self.walk.facts.has_filters {
            return Ok(Vec::new());
        }
        let times = scop.schedule.flatten_on_whole_spaces()?;
        let of_statement = |(raw, statement): (&RawStatement, &Statement)| {
            let filter = |own: &RawFilter| self.filter(own, raw, statement, scop, &times);
            let all = raw.filters.iter().map(filter);
            all.filter(|found| found.as_ref().map_or(true, asks)).collect()
        };
        self.walk.out.statements.iter().zip(&scop.statements).map(of_statement).collect()
    }

    fn filter(
        &self,
        filter: &RawFilter,
        raw: &RawStatement,
        statement: &Statement,
        scop: &Scop,
        times: &UnionMap,
    ) -> SetResult<Filter> {
        let evaluation = &scop.statements[filter.evaluation];
        let relation = looked_at(filter.range, statement, evaluation, times)?;
        let access =
            |value| FilterAccess { evaluation: evaluation.id, value, relation: relation.clone() };
        let references = match &filter.asked {
            Asked::Outcome => None,
            Asked::Values(holds, reads) => self
                .references(filter.evaluation, evaluation, reads)
                .map(|references| (references, holds, reads)),
        };
        let Some((references, holds, reads)) = references else {
            let space = statement.domain.space().map_to(&self.set_space(Tuple::anonymous(1)));
            let Some(holds) = filter.outcome else {
                return Err(Error::Invalid {
                    operation: "a filter",
                    reason: "the bound of a loop reads values that its model does not name".into(),
                });
            };
            let value = Int::from(i64::from(holds));
            let values = Map::universe(space).fix(DimKind::Out, 0, &value);
            let values = values.intersect_domain(&statement.domain)?;
            return Ok(Filter { accesses: vec![access(FilterValue::Outcome)], values });
        };
        let values = self.allowed(holds, reads, raw, statement)?;
        let value = |reference| access(FilterValue::Read(reference));
        Ok(Filter { accesses: references.into_iter().map(value).collect(), values })
    }

    /// The references of an evaluation that read at some places of the text; none if its model does not have
    /// them one by one.
    fn references(
        &self,
        index: usize,
        evaluation: &Statement,
        reads: &[(u32, usize)],
    ) -> Option<Vec<ReferenceId>> {
        let raw = &self.walk.out.statements[index].accesses;
        let reference = |(_, at): &(u32, usize)| {
            let is_it = |access: &RawAccess| access.at == *at && access.kind == AccessKind::Read;
            raw.iter().position(is_it).map(|position| ReferenceId(position as u32))
        };
        let is_complete = raw.len() == evaluation.accesses.len();
        is_complete.then(|| reads.iter().map(reference).collect()).flatten()
    }

    /// The values for which a condition holds, for the instances of a statement.
    fn allowed(
        &self,
        holds: &Disjunction,
        reads: &[(u32, usize)],
        raw: &RawStatement,
        statement: &Statement,
    ) -> SetResult<Map> {
        let (n_parameters, n) = (self.parameters.len(), statement.domain.n_dims());
        let mut parameters = self.parameters.clone();
        parameters.extend(reads.iter().map(|(variable, _)| *variable));
        // Names with brackets are those of no variable.
        let value = |position: usize| Name::from(format!("[{position}]"));
        let mut names = self.space.param_names().to_vec();
        names.extend((0..reads.len()).map(value));
        let space = statement.domain.space().with_params(&names);
        let floors = &self.walk.out.symbols.floors;
        let columns = Columns::new(&parameters, &raw.loops[..], 0, floors);
        let flat = columns.set(&space, &holds.0);
        let flat = flat.move_dims(DimKind::Out, n, DimKind::Param, n_parameters, reads.len());
        let range = self.set_space(Tuple::anonymous(reads.len()));
        let values =
            flat.split_dims(n).with_space_tuples(&statement.domain.space().map_to(&range))?;
        values.intersect_domain(&statement.domain)
    }
}

/// Steps for finding out whether a filter looks at anything.
const STEPS: u64 = 100_000;

/// Whether a filter may look at anything: a write in front of `continue` is behind no jump.
fn asks(filter: &Filter) -> bool {
    let budget = Budget::steps(STEPS);
    filter.accesses.is_empty()
        || !filter.accesses.iter().all(|own| own.relation.is_empty(&budget).unwrap_or(false))
}

/// From the instances of a statement to the evaluations that they look at.
fn looked_at(
    range: Range,
    statement: &Statement,
    evaluation: &Statement,
    times: &UnionMap,
) -> SetResult<Map> {
    let space = statement.domain.space().map_to(evaluation.domain.space());
    let n_common = match range {
        Range::Same => evaluation.domain.n_dims(),
        Range::Before(n_common) => n_common,
    };
    let same = (0..n_common)
        .fold(Map::universe(space), |map, dim| map.equate(DimKind::In, dim, DimKind::Out, dim));
    let within = same.intersect_domain(&statement.domain)?.intersect_range(&evaluation.domain)?;
    if range == Range::Same {
        return Ok(within);
    }
    let time = |of: &Statement| {
        times
            .maps()
            .iter()
            .find(|map| map.space().input().and_then(|tuple| tuple.name()) == Some(&of.name))
    };
    let (Some(own), Some(other)) = (time(statement), time(evaluation)) else {
        // One that never runs has no place in the order of the program.
        return Ok(Map::empty(within.space().clone()));
    };
    let earlier = Map::lex_gt(&own.space().range());
    within.intersect(&own.apply_range(&earlier)?.apply_range(&other.reverse())?)
}
