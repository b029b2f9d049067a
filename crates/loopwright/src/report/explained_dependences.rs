//! The dependences that a loop of the source carries, with two instances, an element and distances.
use crate::report::example_values::example_point;
use loopwright_cfront::{Region, SourceLoop};
use loopwright_dataflow::{Dependence, Dependences, privatizable_variables, reductions};
use loopwright_presburger::{
    Budget, DimKind, Int, Map, Optimum, Result, Set, Space, Tuple, UnionMap,
};
use loopwright_scop::{AccessKind, Array, ArrayId, ReferenceId, Scop, Statement, StatementId};

/// Steps for each question.
const STEPS: u64 = 2_000_000;

/// A loop of the source as a dimension of the statements in it.
#[derive(Clone, Debug)]
pub(crate) struct LoopOfRegion {
    pub(crate) source: SourceLoop,
    /// The position among the loops of the region around its statements.
    pub(crate) dimension: usize,
    /// The statements in it, in textual order.
    pub(crate) statements: Vec<StatementId>,
    /// Whether its iterator falls.
    pub(crate) descending: bool,
}

/// A dependence between different iterations of a loop.
#[derive(Clone, Debug)]
pub(crate) struct Carried {
    pub(crate) source: StatementId,
    pub(crate) sink: StatementId,
    pub(crate) array: ArrayId,
    pub(crate) kind: &'static str,
    /// The lowest and highest distance per common loop, where there is one.
    pub(crate) distances: Vec<(Option<Int>, Option<Int>)>,
    /// Two instances with the element on which they meet.
    pub(crate) example: Option<Example>,
    /// Whether it vanishes when each iteration has a copy of the variable.
    pub(crate) is_private: bool,
    /// The operator, if both are updates of a reduction.
    pub(crate) operator: Option<&'static str>,
}

/// Two instances that depend on each other.
#[derive(Clone, Debug)]
pub(crate) struct Example {
    pub(crate) source: String,
    pub(crate) sink: String,
    pub(crate) element: String,
    /// The values of the parameters.
    pub(crate) parameters: Vec<(String, Int)>,
    /// The iterators of the first instance, and of the second.
    pub(crate) iterators: (Vec<Int>, Vec<Int>),
}

/// The loops of the source that are dimensions of the statements of a region.
///
/// Those whose statements have another number of dimensions than there are loops around them are left out:
/// there the front end has seen the loops in another way. A statement that stands where a loop begins is not
/// in it: it is the loop as one statement, or stores the last value of what the loop changes. Nor is what a
/// condition changes (`while (n--)`) when it does not hold any more.
pub(crate) fn loops_of_region(region: &Region, all: &[SourceLoop]) -> Vec<LoopOfRegion> {
    let lines = region.first_line..=region.last_line;
    let inside: Vec<&SourceLoop> =
        all.iter().filter(|l| lines.contains(&l.start.0) && lines.contains(&l.end.0)).collect();
    let is_in = |of: &SourceLoop, statement: &Statement| {
        let position = (statement.location.line, statement.location.column);
        of.contains(position) && of.start != position
    };
    let around = |statement: &Statement| inside.iter().filter(|l| is_in(l, statement)).count();
    let statements = &region.scop.statements;
    let is_last_test = |statement: &Statement| {
        let is_same = |other: &&Statement| other.location == statement.location;
        let depth = around(statement);
        statement.iterators.len() + 1 == depth
            && statements.iter().filter(is_same).any(|other| other.iterators.len() == depth)
    };
    let mut found = Vec::new();
    for source in &inside {
        let dimension = inside.iter().filter(|l| l.contains(source.start)).count() - 1;
        let statements: Vec<&Statement> = statements
            .iter()
            .filter(|s| !s.is_kill && is_in(source, s) && !is_last_test(s))
            .collect();
        if statements.is_empty() || statements.iter().any(|s| around(s) != s.iterators.len()) {
            continue;
        }
        let descending = is_descending(&region.scop, statements[0], dimension);
        let statements = statements.iter().map(|s| s.id).collect();
        found.push(LoopOfRegion { source: (*source).clone(), dimension, statements, descending });
    }
    found
}

fn is_descending(scop: &Scop, statement: &Statement, dimension: usize) -> bool {
    let loops = crate::report::explained_schedule::loops_around(&scop.schedule, statement);
    let first = loops.first().and_then(|chain| chain.get(dimension));
    first.is_some_and(|found| found.expression.starts_with('-'))
}

/// The number of loops that two statements share.
pub(crate) fn n_common(loops: &[LoopOfRegion], a: StatementId, b: StatementId) -> usize {
    loops.iter().filter(|l| l.statements.contains(&a) && l.statements.contains(&b)).count()
}

/// The dependences between different iterations of a loop, for equal iterations of those around it.
pub(crate) fn carried(
    scop: &Scop,
    dependences: &Dependences,
    loops: &[LoopOfRegion],
    of: &LoopOfRegion,
) -> Result<Vec<Carried>> {
    let budget = Budget::steps(STEPS);
    let private =
        private_arrays(scop, dependences, of.dimension, &of.statements).unwrap_or_default();
    let updates = reductions(scop, &budget).unwrap_or_default();
    let mut found: Vec<Carried> = Vec::new();
    let all = dependences.flow.iter().chain(&dependences.order).chain(&dependences.forced);
    for dependence in all {
        let (source, sink) = (dependence.source.0, dependence.sink.0);
        if !of.statements.contains(&source) || !of.statements.contains(&sink) {
            continue;
        }
        let relation = between_iterations(&dependence.relation, of.dimension)?;
        let relation = relation.intersect_params(&scop.context)?;
        let kind = kind(scop, dependence);
        let is_known = |c: &Carried| {
            (c.source, c.sink, c.array, c.kind) == (source, sink, dependence.array, kind)
        };
        if found.iter().any(is_known) || relation.is_empty(&Budget::steps(STEPS)).unwrap_or(false) {
            continue;
        }
        let update = updates.iter().find(|update| {
            update.statement == source && source == sink && update.array == dependence.array
        });
        found.push(Carried {
            source,
            sink,
            array: dependence.array,
            kind,
            distances: distances(&relation, n_common(loops, source, sink)),
            example: example(scop, dependence, &relation),
            is_private: private.contains(&dependence.array),
            operator: update.map(|update| update.operator.clause()),
        });
    }
    Ok(found)
}

/// The part of a dependence between different iterations of a loop.
pub(crate) fn between_iterations(relation: &Map, d: usize) -> Result<Map> {
    let outer = same_outer(relation, d);
    let up = outer.order_lt(DimKind::In, d, DimKind::Out, d);
    up.union(&outer.order_lt(DimKind::Out, d, DimKind::In, d))
}

/// The part with equal values of the first dimensions.
fn same_outer(relation: &Map, n: usize) -> Map {
    (0..n).fold(relation.clone(), |map, k| map.equate(DimKind::In, k, DimKind::Out, k))
}

/// A dependence with the instances, among those of `same`, whose sink comes before its source along a loop;
/// `n` is the number of loops that they have in common.
fn backwards(
    scop: &Scop,
    dependence: &Dependence,
    same: &Map,
    along: &LoopOfRegion,
    n: usize,
) -> Result<Option<Carried>> {
    let d = along.dimension;
    let back = match along.descending {
        false => same.order_lt(DimKind::Out, d, DimKind::In, d),
        true => same.order_lt(DimKind::In, d, DimKind::Out, d),
    };
    let back = back.intersect_params(&scop.context)?;
    if back.is_empty(&Budget::steps(STEPS)).unwrap_or(false) {
        return Ok(None);
    }
    Ok(Some(Carried {
        source: dependence.source.0,
        sink: dependence.sink.0,
        array: dependence.array,
        kind: kind(scop, dependence),
        distances: distances(&back, n),
        example: example(scop, dependence, &back),
        is_private: false,
        operator: None,
    }))
}

/// The dependence that keeps a loop and the next one inside from being tiled together as they
/// stand: one against the direction of the inner one.
pub(crate) fn against_tiling(
    scop: &Scop,
    dependences: &Dependences,
    loops: &[LoopOfRegion],
    outer: &LoopOfRegion,
    inner: &LoopOfRegion,
) -> Result<Option<Carried>> {
    let private =
        private_arrays(scop, dependences, outer.dimension, &outer.statements).unwrap_or_default();
    for dependence in dependences.flow.iter().chain(&dependences.order).chain(&dependences.forced) {
        let (source, sink) = (dependence.source.0, dependence.sink.0);
        let both = [source, sink].iter().all(|s| inner.statements.contains(s));
        if !both || private.contains(&dependence.array) {
            continue;
        }
        let same = same_outer(&dependence.relation, outer.dimension);
        let n = n_common(loops, source, sink);
        if let Some(found) = backwards(scop, dependence, &same, inner, n)? {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// The dependence that keeps two loops, one after the other, from being fused as they stand: from
/// an iteration of the first one to an earlier one of the second.
pub(crate) fn against_fusion(
    scop: &Scop,
    dependences: &Dependences,
    loops: &[LoopOfRegion],
    first: &LoopOfRegion,
    second: &LoopOfRegion,
) -> Result<Option<Carried>> {
    for dependence in dependences.flow.iter().chain(&dependences.order).chain(&dependences.forced) {
        let (source, sink) = (dependence.source.0, dependence.sink.0);
        if !first.statements.contains(&source) || !second.statements.contains(&sink) {
            continue;
        }
        let same = same_outer(&dependence.relation, first.dimension);
        let n = n_common(loops, source, sink) + 1;
        if let Some(found) = backwards(scop, dependence, &same, first, n)? {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// The variables of which each iteration of a loop can have a copy: the dimension of its statements.
pub(crate) fn private_arrays(
    scop: &Scop,
    dependences: &Dependences,
    dimension: usize,
    statements: &[StatementId],
) -> Result<Vec<ArrayId>> {
    let times = statements.iter().map(|id| {
        let statement = scop.statement(*id);
        let n = statement.iterators.len();
        let all: Vec<String> = (0..n).map(|k| format!("i{k}")).collect();
        let outer = &all[..(dimension + 1).min(n)];
        format!("{}[{}] -> [{}]", statement.name, all.join(", "), outer.join(", "))
    });
    let times = UnionMap::parse(&format!("{{ {} }}", times.collect::<Vec<_>>().join("; ")))?;
    let budget = Budget::steps(STEPS);
    privatizable_variables(scop, dependences, &times, Array::may_be_private, &budget)
}

fn access_kind(scop: &Scop, (statement, reference): (StatementId, ReferenceId)) -> AccessKind {
    let mut accesses = scop.statement(statement).accesses.iter();
    accesses.find(|access| access.reference == reference).map_or(AccessKind::Read, |a| a.kind)
}

/// The kind of a dependence: `flow`, `anti`, `output`.
pub(crate) fn kind(scop: &Scop, dependence: &Dependence) -> &'static str {
    let is_read = |end| access_kind(scop, end) == AccessKind::Read;
    match (is_read(dependence.source), is_read(dependence.sink)) {
        (false, true) => "flow",
        (true, false) => "anti",
        (false, false) => "output",
        (true, true) => "input",
    }
}

/// The least and greatest differences of the iterators of the common loops.
pub(crate) fn distances(relation: &Map, n_common: usize) -> Vec<(Option<Int>, Option<Int>)> {
    let n = n_common.min(relation.n(DimKind::In)).min(relation.n(DimKind::Out));
    (0..n).map(|k| distance(relation, k).unwrap_or((None, None))).collect()
}

fn distance(relation: &Map, k: usize) -> Result<(Option<Int>, Option<Int>)> {
    let only = |map: Map, kind: DimKind| {
        let n = map.n(kind);
        map.project_out(kind, k + 1, n - k - 1).project_out(kind, 0, k)
    };
    let map = only(only(relation.clone(), DimKind::In), DimKind::Out);
    let space = Space::map(map.space().param_names(), Tuple::anonymous(1), Tuple::anonymous(1));
    let deltas = map.with_space_tuples(&space)?.deltas()?;
    let budget = Budget::steps(STEPS);
    let value = |optimum: Optimum| match optimum {
        Optimum::At(value) => Some(value),
        _ => None,
    };
    let least = deltas.dim_min_val(DimKind::Out, 0, &budget)?;
    let greatest = deltas.dim_max_val(DimKind::Out, 0, &budget)?;
    Ok((value(least), value(greatest)))
}

/// Two instances of a dependence; none if a limit is reached.
fn example(scop: &Scop, dependence: &Dependence, relation: &Map) -> Option<Example> {
    let [first, second] = [dependence.source, dependence.sink].map(|end| scop.statement(end.0));
    // Relations may be larger than what there is.
    let inside =
        relation.intersect_domain(&first.domain).and_then(|r| r.intersect_range(&second.domain));
    let relation = &inside.ok()?;
    let point = example_point(scop, relation)?;
    let names = relation.space().param_names();
    let (parameters, rest) = point.split_at(names.len().min(point.len()));
    let (from, to) = rest.split_at(relation.n(DimKind::In).min(rest.len()));
    let parameters: Vec<(String, Int)> =
        names.iter().zip(parameters).map(|(n, v)| (n.to_string(), v.clone())).collect();
    let elements = elements(scop, dependence.source, from, &parameters)
        .zip(elements(scop, dependence.sink, to, &parameters))
        .and_then(|(a, b)| a.intersect(&b).ok());
    let name = &scop.array(dependence.array).name;
    let subscripts = elements.and_then(|both| subscripts(&both)).unwrap_or_default();
    Some(Example {
        source: instance(first, from),
        sink: instance(second, to),
        element: format!("{name}{subscripts}"),
        parameters,
        iterators: (from.to_vec(), to.to_vec()),
    })
}

/// An instance with the names of its iterators: `S1[i = 0, j = 2]`.
fn instance(statement: &Statement, values: &[Int]) -> String {
    let values: Vec<String> =
        statement.iterators.iter().zip(values).map(|(n, v)| format!("{n} = {v}")).collect();
    format!("{}[{}]", statement.name, values.join(", "))
}

/// The elements that a reference of an instance may be about.
fn elements(
    scop: &Scop,
    (statement, reference): (StatementId, ReferenceId),
    values: &[Int],
    parameters: &[(String, Int)],
) -> Option<Set> {
    let accesses = &scop.statement(statement).accesses;
    let access = accesses.iter().find(|access| access.reference == reference)?;
    let mut relation = access.relation.clone();
    for (position, value) in values.iter().enumerate() {
        relation = relation.fix(DimKind::In, position, value);
    }
    for (name, value) in parameters {
        if let Some(position) = relation.find_param(name) {
            relation = relation.fix(DimKind::Param, position, value);
        }
    }
    Some(relation.range())
}

/// The subscripts of one of some elements, without negative ones if there is one.
fn subscripts(elements: &Set) -> Option<String> {
    let n = elements.n(DimKind::Out);
    let bounded = (0..n).fold(elements.clone(), |set, position| {
        set.lower_bound(DimKind::Out, position, &Int::from(0))
    });
    let point = |set: &Set| set.sample_point(&Budget::steps(STEPS)).ok().flatten();
    let point = point(&bounded).or_else(|| point(elements))?;
    let n_parameters = elements.n(DimKind::Param).min(point.len());
    Some(point[n_parameters..].iter().map(|value| format!("[{value}]")).collect())
}
