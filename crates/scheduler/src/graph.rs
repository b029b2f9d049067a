//! The dependence graph: statements, and the disjuncts of all constraint relations.
pub(crate) mod dependence;
mod integer_distances;
pub(crate) mod statement;
pub(crate) mod subgraph;

use crate::algebra::farkas::Generators;
use crate::algebra::rows::{bounds_parameters_above, narrow, system};
use crate::algebra::vectors::{Vector, to_rows};
use crate::graph::dependence::Dependence;
use crate::graph::statement::Statement;
use crate::problem::band_problem::{BandEdge, BandNode, BandProblem};
use crate::problem::constraint_kinds::{ConstraintKinds, TagPair};
use crate::{Options, ScheduleConstraints};
use loopwright_presburger::{
    BasicMap, Budget, Cone, DimKind, Map, Name, Result, Row, Set, Space, Tuple, UnionMap,
};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// The statements in their natural order, and the parameters.
#[derive(Clone, Debug)]
pub(crate) struct Graph {
    pub(crate) n_params: usize,
    pub(crate) statements: Vec<Statement>,
}

/// Reads the constraints.
///
/// Equal disjuncts of several relations become one dependence of several kinds.
pub(crate) fn build(
    constraints: &ScheduleConstraints,
    budget: &Budget,
) -> Result<(Graph, Vec<Dependence>)> {
    let space = parameters(constraints);
    let n_params = space.n(DimKind::Param);
    let domain = constraints.domain.align_params(&space);
    let mut statements = Vec::new();
    for set in domain.sets() {
        if !set.plain_is_empty() {
            statements.push(Statement::new(&set, n_params, budget)?);
        }
    }
    statements.sort_by_cached_key(|s| {
        natural_key(&s.space.output().map(Tuple::to_string).unwrap_or_default())
    });
    let graph = Graph { n_params, statements };
    let context = context_rows(&constraints.context, &space)?;
    let mut reader = DisjunctReader {
        graph: &graph,
        space,
        context,
        by_name: by_name(&graph.statements),
        tuples: BTreeMap::new(),
        known: FxHashMap::default(),
        cones: FxHashMap::default(),
        dependences: Vec::new(),
        n_words: 0,
        budget,
    };
    reader.read(&constraints.validity, ConstraintKinds::VALIDITY)?;
    reader.read(&constraints.proximity, ConstraintKinds::PROXIMITY)?;
    reader.read(&constraints.coincidence, ConstraintKinds::COINCIDENCE)?;
    if !constraints.conditional_validity.plain_is_empty() {
        reader.read(&constraints.condition, ConstraintKinds::CONDITION)?;
        reader.read(&constraints.conditional_validity, ConstraintKinds::CONDITIONAL_VALIDITY)?;
    }
    let dependences = reader.dependences;
    Ok((graph, dependences))
}

/// A space of all parameters.
pub(crate) fn parameters(constraints: &ScheduleConstraints) -> Space {
    let mut names: Vec<Name> = constraints.domain.param_names();
    let maps = [
        &constraints.validity,
        &constraints.proximity,
        &constraints.coincidence,
        &constraints.condition,
        &constraints.conditional_validity,
    ];
    let more = maps.iter().flat_map(|map| map.param_names());
    for name in more.chain(constraints.context.space().param_names().iter().cloned()) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    Space::params(&names)
}

/// The inequalities of the context over `[1 | params]` that do not just bound a parameter above.
fn context_rows(context: &Set, space: &Space) -> Result<Vec<Vector>> {
    let n_params = space.n(DimKind::Param);
    let mut rows = Vec::new();
    let pieces = context.align_params(space).basic_sets();
    if let [piece] = pieces.as_slice() {
        let no_locals = |row: &&Row| row.first_nonzero(1 + n_params..row.len()).is_none();
        for row in piece.as_basic_map().inequalities().iter().filter(no_locals) {
            let row = narrow(row)?[..=n_params].to_vec();
            if !bounds_parameters_above(&row, n_params) {
                rows.push(row);
            }
        }
    }
    Ok(rows)
}

/// Orders names with numbers by number: `S2` before `S10`.
fn natural_key(name: &str) -> Vec<(String, u64)> {
    let mut key = Vec::new();
    let mut rest = name;
    while !rest.is_empty() {
        let text = rest.find(|c: char| c.is_ascii_digit()).unwrap_or(rest.len());
        let (word, tail) = rest.split_at(text);
        let digits = tail.find(|c: char| !c.is_ascii_digit()).unwrap_or(tail.len());
        let (number, tail) = tail.split_at(digits);
        key.push((word.to_string(), number.parse().unwrap_or(u64::MAX)));
        rest = tail;
    }
    key
}

/// The statements with each name of a tuple.
fn by_name(statements: &[Statement]) -> FxHashMap<Option<Name>, Vec<usize>> {
    let mut by_name: FxHashMap<Option<Name>, Vec<usize>> = FxHashMap::default();
    for (index, statement) in statements.iter().enumerate() {
        let name = statement.space.output().and_then(Tuple::name).cloned();
        by_name.entry(name).or_default().push(index);
    }
    by_name
}

type System = (Vec<Vector>, Vec<Vector>);

struct DisjunctReader<'a> {
    graph: &'a Graph,
    space: Space,
    context: Vec<Vector>,
    /// The statements with each name of a tuple.
    by_name: FxHashMap<Option<Name>, Vec<usize>>,
    /// The (tagged) tuples that were met in conditions and conditional validity.
    tuples: BTreeMap<Tuple, usize>,
    known: FxHashMap<(usize, usize, Option<TagPair>, System), usize>,
    cones: FxHashMap<(usize, usize, usize, System), Cone>,
    dependences: Vec<Dependence>,
    /// The numbers in their generators.
    n_words: usize,
    budget: &'a Budget,
}

impl DisjunctReader<'_> {
    fn read(&mut self, relation: &UnionMap, kind: ConstraintKinds) -> Result<()> {
        for map in relation.align_params(&self.space).maps() {
            self.read_map(map, kind)?;
        }
        Ok(())
    }

    fn read_map(&mut self, map: &Map, kind: ConstraintKinds) -> Result<()> {
        let (Some(input), Some(output)) = (map.space().input(), map.space().output()) else {
            return Ok(());
        };
        let (Some(source), Some(sink)) = (self.statement(input), self.statement(output)) else {
            return Ok(()); // not between instances of the domain: irrelevant
        };
        let conditional =
            kind.any(ConstraintKinds::CONDITION.and(ConstraintKinds::CONDITIONAL_VALIDITY));
        let tags =
            conditional.then(|| TagPair { source: self.tuple(input), sink: self.tuple(output) });
        let orders = kind.any(ConstraintKinds::VALIDITY.and(ConstraintKinds::CONDITIONAL_VALIDITY));
        let others = match orders && source == sink {
            true => {
                self.without_self_pairs(map, self.graph.statements[source].space.n(DimKind::Out))?
            }
            false => map.clone(),
        };
        for basic in others.basic_maps().iter().filter(|basic| !basic.plain_is_empty()) {
            self.read_disjunct((source, sink), basic, kind, tags)?;
        }
        Ok(())
    }

    /// The pairs of a relation between instances of one statement that are two instances: nothing orders an
    /// instance and itself. The dimensions of an instance are the first `n` of a tuple, before those of a
    /// tag.
    fn without_self_pairs(&self, map: &Map, n: usize) -> Result<Map> {
        let same = (0..n).fold(map.clone(), |same, d| same.equate(DimKind::In, d, DimKind::Out, d));
        match same.is_empty(self.budget)? {
            true => Ok(map.clone()),
            false => map.subtract(&same, self.budget),
        }
    }

    /// The statement of a tuple, or of the first part of a tagged tuple.
    fn statement(&self, tuple: &Tuple) -> Option<usize> {
        let of = |tuple: &Tuple| {
            let same = |&&s: &&usize| self.graph.statements[s].space.output() == Some(tuple);
            self.by_name.get(&tuple.name().cloned())?.iter().find(same).copied()
        };
        of(tuple).or_else(|| tuple.as_nested().and_then(|(instance, _)| of(instance)))
    }

    fn tuple(&mut self, tuple: &Tuple) -> usize {
        if let Some(&known) = self.tuples.get(tuple) {
            return known;
        }
        self.tuples.insert(tuple.clone(), self.tuples.len());
        self.tuples.len() - 1
    }

    fn read_disjunct(
        &mut self,
        (source, sink): (usize, usize),
        relation: &BasicMap,
        kind: ConstraintKinds,
        tags: Option<TagPair>,
    ) -> Result<()> {
        let system = system(relation)?;
        let key = (source, sink, tags, system.clone());
        if let Some(&index) = self.known.get(&key) {
            let dependence: &mut Dependence = &mut self.dependences[index];
            dependence.kinds = dependence.kinds.and(kind);
            return Ok(());
        }
        let offsets = (relation.offset(DimKind::In), relation.offset(DimKind::Out));
        let cone = self.cone((source, sink), relation, offsets, system)?;
        let mut dependence =
            Dependence::new((source, sink), relation.clone(), offsets, cone, kind, tags);
        if dependence.is_empty(self.budget)? {
            return Ok(());
        }
        dependence.project(&self.graph.statements, self.graph.n_params)?;
        // What is done with a dependence later costs more than to write it down, and copies of it are kept.
        let n_words = dependence.generators.n_words();
        self.n_words += n_words;
        self.budget.spend(n_words as u64, "schedule")?;
        self.budget.keep(self.n_words, "schedule")?;
        self.known.insert(key, self.dependences.len());
        self.dependences.push(dependence);
        Ok(())
    }

    /// The cone of a disjunct, with the equalities of the domains and the context.
    fn cone(
        &mut self,
        (source, sink): (usize, usize),
        relation: &BasicMap,
        offsets: (usize, usize),
        system: System,
    ) -> Result<Cone> {
        let key = (source, sink, offsets.1, system);
        if let Some(cone) = self.cones.get(&key) {
            return Ok(cone.clone());
        }
        let width = relation.n_columns();
        let (mut equalities, mut inequalities) = key.3.clone();
        for (statement, offset) in [(source, offsets.0), (sink, offsets.1)] {
            for equality in &self.graph.statements[statement].equalities {
                let (head, dims) = equality.split_at(1 + self.graph.n_params);
                let mut row = vec![0; width];
                row[..head.len()].copy_from_slice(head);
                row[offset..offset + dims.len()].copy_from_slice(dims);
                equalities.push(row);
            }
        }
        for context in &self.context {
            let mut row = context.clone();
            row.resize(width, 0);
            inequalities.push(row);
        }
        let cone =
            Cone::polyhedron(width, &to_rows(&equalities), &to_rows(&inequalities), self.budget)?;
        self.cones.insert(key, cone.clone());
        Ok(cone)
    }
}

impl Graph {
    /// The problem of scheduling some statements; `earlier` are the coefficients of outer members
    /// of each of them.
    pub(crate) fn band_problem(
        &self,
        statements: &[usize],
        dependences: &[Dependence],
        earlier: &[Vec<Vector>],
        options: &Options,
    ) -> Result<BandProblem> {
        let nodes = statements.iter().zip(earlier).map(|(&s, earlier)| {
            let statement = &self.statements[s];
            let extents = (0..statement.dim()).map(|j| statement.extent(&statement.unit(j)));
            BandNode::new(earlier.clone(), extents.collect(), options)
        });
        let mut problem =
            BandProblem { n_params: self.n_params, nodes: nodes.collect(), edges: Vec::new() };
        let node = |statement: usize| statements.binary_search(&statement);
        for dependence in dependences {
            let (Ok(source), Ok(sink)) = (node(dependence.source), node(dependence.sink)) else {
                continue;
            };
            let generators = self.between_nodes(dependence, source == sink)?;
            let (kinds, tags) = (dependence.kinds, dependence.tags);
            problem.edges.push(BandEdge { source, sink, kinds, tags, generators });
        }
        Ok(problem)
    }

    /// The generators over the coordinates of both ends, or over their difference.
    fn between_nodes(&self, dependence: &Dependence, same: bool) -> Result<Generators> {
        if !same {
            return Ok(dependence.generators.clone());
        }
        let head = 1 + self.n_params;
        let dim = self.statements[dependence.source].dim();
        let difference = |g: &[i64]| {
            let constants = g[..head].iter().map(|&e| i128::from(e));
            let pairs = g[head..head + dim].iter().zip(&g[head + dim..]);
            constants.chain(pairs.map(|(&x, &y)| i128::from(y) - i128::from(x))).collect()
        };
        dependence.generators.map(difference)
    }
}

#[cfg(test)]
mod tests {
    use super::natural_key;

    #[test]
    fn numbers_in_names_count() {
        let mut names = ["S10[]", "S2[]", "T1[]", "S[]"];
        names.sort_by_key(|name| natural_key(name));
        assert_eq!(names, ["S2[]", "S10[]", "S[]", "T1[]"]);
    }
}
