//! Where to cut statements.
use crate::ScheduleConstraints;
use crate::algebra::echelon::Echelon;
use crate::algebra::rows::narrow;
use crate::algebra::vectors::Vector;
use crate::graph::parameters;
use loopwright_presburger::{
    Aff, BasicMap, Budget, DimKind, Int, Map, Optimum, Result, Row, Set, Space, Tuple,
};
use std::collections::BTreeMap;

/// Distances up to this one, in absolute value, are short.
const SHORT: i64 = 4;

/// The number of dimensions of a statement that may be cut; more would make too many pieces.
const MAX_CUTS: usize = 3;

/// A cut of a statement: instances with `2 * dim <= sum` are in the lower half.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Cut {
    /// The dimension.
    pub(super) dim: usize,
    /// Twice the middle, over `[1 | params]`.
    pub(super) sum: Vector,
}

/// A statement and its cuts, at most one per dimension; all instances may be in one half.
#[derive(Clone, Debug)]
pub(super) struct CutStatement {
    pub(super) domain: Set,
    pub(super) cuts: Vec<Cut>,
}

/// The cuts of all statements, all over the same parameters; none if there are none.
pub(super) fn cuts(
    constraints: &ScheduleConstraints,
    budget: &Budget,
) -> Result<Option<Vec<CutStatement>>> {
    let space = parameters(constraints);
    let sets = constraints.domain.align_params(&space).sets();
    let statements =
        sets.into_iter().map(|domain| CutStatement { domain, cuts: Vec::new() }).collect();
    let mut finder = CutFinder { statements, edges: Vec::new(), n_params: space.n(DimKind::Param) };
    finder.read(constraints, &space);
    for ((statement, dim), sums) in finder.folds(budget)? {
        finder.cut(statement, Cut { dim, sum: middle_one(sums) });
    }
    finder.spread(budget)?;
    let statements = finder.statements;
    let mut is_useful = false;
    for CutStatement { domain, cuts } in &statements {
        if cuts.len() > MAX_CUTS {
            return Ok(None);
        }
        for cut in cuts {
            is_useful |= has_two_halves(domain, cut, budget)?;
        }
    }
    Ok(is_useful.then_some(statements))
}

/// A piece of a relation between two statements.
struct Edge {
    source: usize,
    sink: usize,
    relation: BasicMap,
}

/// The sums of the coordinates of both ends of folding dependences, per statement and dimension.
type Folds = BTreeMap<(usize, usize), Vec<Vector>>;

struct CutFinder {
    statements: Vec<CutStatement>,
    edges: Vec<Edge>,
    n_params: usize,
}

impl CutFinder {
    /// Collects the pieces of what has to be in order.
    fn read(&mut self, constraints: &ScheduleConstraints, space: &Space) {
        for relation in [&constraints.validity, &constraints.conditional_validity] {
            for map in relation.align_params(space).maps() {
                let ends =
                    (self.statement(map.space().input()), self.statement(map.space().output()));
                let (Some(source), Some(sink)) = ends else { continue };
                let pieces = map.basic_maps().iter().filter(|piece| !piece.plain_is_empty());
                self.edges.extend(pieces.map(|piece| Edge {
                    source,
                    sink,
                    relation: piece.clone(),
                }));
            }
        }
    }

    /// The statement of a tuple, or of the first part of a tagged one.
    fn statement(&self, tuple: Option<&Tuple>) -> Option<usize> {
        let of = |tuple: &Tuple| {
            let same = |s: &CutStatement| s.domain.space().output() == Some(tuple);
            self.statements.iter().position(same)
        };
        let tuple = tuple?;
        of(tuple).or_else(|| tuple.as_nested().and_then(|(instance, _)| of(instance)))
    }

    /// The dimensions that both ends of a dependence have.
    fn shared_dims(&self, edge: &Edge) -> std::ops::Range<usize> {
        let dims = |statement: usize| self.statements[statement].domain.n_dims();
        0..dims(edge.source).min(dims(edge.sink))
    }

    fn folds(&self, budget: &Budget) -> Result<Folds> {
        let mut folds = Folds::new();
        for edge in &self.edges {
            for dim in self.shared_dims(edge) {
                let Some(sum) = self.sum(&edge.relation, dim, budget)? else { continue };
                for statement in [edge.source, edge.sink] {
                    folds.entry((statement, dim)).or_default().push(sum.clone());
                }
            }
        }
        self.add_folds_of_copies(&mut folds)?;
        Ok(folds)
    }

    /// Adds the folds of pairs of dependences by way of a statement that lacks the dimension, such as
    /// one that copies an end of an array to the other end.
    fn add_folds_of_copies(&self, folds: &mut Folds) -> Result<()> {
        for (middle, statement) in self.statements.iter().enumerate() {
            let lacking = statement.domain.n_dims();
            let (sources, sinks) =
                (self.ends(middle, lacking, true)?, self.ends(middle, lacking, false)?);
            for (source, dim, from) in &sources {
                for (sink, _, to) in sinks.iter().filter(|(_, other, _)| other == dim) {
                    let distance: Vector = to.iter().zip(from).map(|(b, a)| b - a).collect();
                    if is_short_constant(&distance) {
                        continue;
                    }
                    let sum: Vector = from.iter().zip(to).map(|(a, b)| a + b).collect();
                    for statement in [source, sink] {
                        folds.entry((*statement, *dim)).or_default().push(sum.clone());
                    }
                }
            }
        }
        Ok(())
    }

    /// The coordinates, from dimension `first` on, of the other ends of the dependences into or out of a
    /// statement that are functions of the parameters: `(statement, dimension, function)`.
    fn ends(&self, at: usize, first: usize, into: bool) -> Result<Vec<(usize, usize, Vector)>> {
        let mut ends = Vec::new();
        for Edge { source, sink, relation } in &self.edges {
            let (near, far, kind) =
                if into { (sink, source, DimKind::In) } else { (source, sink, DimKind::Out) };
            if *near != at {
                continue;
            }
            for dim in first..self.statements[*far].domain.n_dims() {
                let end = self.as_function(relation, &[(relation.offset(kind) + dim, 1)])?;
                ends.extend(end.map(|function| (*far, dim, function)));
            }
        }
        ends.sort();
        ends.dedup();
        Ok(ends)
    }

    /// The sum of the coordinates of both ends as a function over `[1 | params]`, if the distance is
    /// long and the sum the same for all pairs, or nearly the same in short ranges of both coordinates.
    fn sum(&self, relation: &BasicMap, dim: usize, budget: &Budget) -> Result<Option<Vector>> {
        let [source, sink] = [DimKind::In, DimKind::Out].map(|kind| relation.offset(kind) + dim);
        if let Some(sum) = self.as_function(relation, &[(source, 1), (sink, 1)])? {
            return Ok((!is_short(relation, dim, budget)?).then_some(sum));
        }
        let Some(distance) = self.as_function(relation, &[(source, -1), (sink, 1)])? else {
            return Ok(None);
        };
        if is_short_constant(&distance) {
            return Ok(None);
        }
        let Some([lower, upper]) = self.short_range(relation, dim, budget)? else {
            return Ok(None);
        };
        let ends = lower.iter().zip(&upper).map(|(low, high)| low + high);
        Ok(Some(ends.zip(&distance).map(|(ends, distance)| ends + distance).collect()))
    }

    /// Bounds of a coordinate of the source, over `[1 | params]`, that differ by a small constant.
    fn short_range(
        &self,
        relation: &BasicMap,
        dim: usize,
        budget: &Budget,
    ) -> Result<Option<[Vector; 2]>> {
        let head = 1 + self.n_params;
        let source = Map::from_basic_map(relation.clone()).domain();
        let after = source.n_dims() - dim - 1;
        let alone = source.project_out(DimKind::Out, dim + 1, after);
        let alone = alone.project_out(DimKind::Out, 0, dim).remove_redundancies(budget)?;
        let (mut lower, mut upper) = (Vec::new(), Vec::new());
        for piece in alone.basic_sets() {
            for row in piece.inequalities().iter().filter(|row| row.len() == head + 1) {
                let row = narrow(row)?;
                match row[head] {
                    1 => lower.push(row[..head].iter().map(|&e| -e).collect::<Vector>()),
                    -1 => upper.push(row[..head].to_vec()),
                    _ => {}
                }
            }
        }
        let pairs = lower.iter().flat_map(|low| upper.iter().map(move |high| (low, high)));
        let mut near = pairs.filter(|(low, high)| {
            let width: Vector = high.iter().zip(*low).map(|(h, l)| h - l).collect();
            is_short_constant(&width)
        });
        Ok(near.next().map(|(low, high)| [low.clone(), high.clone()]))
    }

    /// A combination of columns as a function over `[1 | params]`, if the equalities determine it.
    fn as_function(&self, relation: &BasicMap, columns: &[(usize, i64)]) -> Result<Option<Vector>> {
        let head = 1 + self.n_params;
        let n_variables = relation.n_columns() - head;
        // Over [dims and locals | the result | 1 and params], so that the variables are solved for first.
        let arranged = |row: &[i64], result: i64| -> Vector {
            row[head..].iter().copied().chain([result]).chain(row[..head].iter().copied()).collect()
        };
        let mut definition = vec![0; relation.n_columns()];
        columns.iter().for_each(|&(column, factor)| definition[column] = factor);
        let mut echelon = Echelon::of(&[arranged(&definition, -1)])?;
        for row in relation.equalities() {
            echelon.insert(&arranged(&narrow(row)?, 0))?;
        }
        let is_of_result = |row: &&Vector| row.iter().position(|&e| e != 0) == Some(n_variables);
        let Some(row) = echelon.rows().find(is_of_result) else { return Ok(None) };
        let (factor, function) = (row[n_variables], &row[n_variables + 1..]);
        Ok((factor.abs() == 1).then(|| function.iter().map(|&e| -factor * e).collect()))
    }

    /// Cuts a statement, unless the dimension is cut already; whether it was not.
    fn cut(&mut self, statement: usize, cut: Cut) -> bool {
        let cuts = &mut self.statements[statement].cuts;
        let is_new = cuts.iter().all(|other| other.dim != cut.dim);
        if is_new {
            cuts.push(cut);
            cuts.sort_by_key(|cut| cut.dim);
        }
        is_new
    }

    /// Cuts what is at a short distance from a cut statement at the same place.
    fn spread(&mut self, budget: &Budget) -> Result<()> {
        let mut known: BTreeMap<(usize, usize), bool> = BTreeMap::new();
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for index in 0..self.edges.len() {
                let (source, sink) = (self.edges[index].source, self.edges[index].sink);
                for (from, to) in [(source, sink), (sink, source)] {
                    for cut in self.statements[from].cuts.clone() {
                        if from == to || !self.shared_dims(&self.edges[index]).contains(&cut.dim) {
                            continue;
                        }
                        let key = (index, cut.dim);
                        let short = match known.get(&key) {
                            Some(&short) => short,
                            None => is_short(&self.edges[index].relation, cut.dim, budget)?,
                        };
                        known.insert(key, short);
                        changed |= short && self.cut(to, cut);
                    }
                }
            }
        }
        Ok(())
    }
}

/// Among those that differ by constants from most others, the one in the middle.
fn middle_one(sums: Vec<Vector>) -> Vector {
    let mut classes: BTreeMap<Vector, Vec<i64>> = BTreeMap::new();
    for sum in sums {
        classes.entry(sum[1..].to_vec()).or_default().push(sum[0]);
    }
    let mut largest: (Vector, Vec<i64>) = Default::default();
    for (parameters, constants) in classes {
        if constants.len() > largest.1.len() {
            largest = (parameters, constants);
        }
    }
    let (parameters, mut constants) = largest;
    constants.sort_unstable();
    let middle = constants.get(constants.len() / 2).copied();
    middle.into_iter().chain(parameters).collect()
}

/// Whether there are instances on both sides of a cut, more than one step away from it: two statements that
/// run in opposite directions only meet in the middle.
fn has_two_halves(domain: &Set, cut: &Cut, budget: &Budget) -> Result<bool> {
    let moved = |by: i64| {
        let mut cut = cut.clone();
        cut.sum[0] += by;
        halves(domain.space(), &cut)
    };
    let ([lower, _], [_, upper]) = (moved(-2), moved(2));
    Ok(!domain.intersect(&lower)?.is_empty(budget)?
        && !domain.intersect(&upper)?.is_empty(budget)?)
}

/// Whether a function over `[1 | params]` is a short distance.
fn is_short_constant(function: &[i64]) -> bool {
    function[0].abs() <= SHORT && function[1..].iter().all(|&entry| entry == 0)
}

/// Whether all distances of a relation in a dimension are short.
fn is_short(relation: &BasicMap, dim: usize, budget: &Budget) -> Result<bool> {
    let columns = relation.n_columns();
    let mut row = vec![Int::ZERO; columns];
    row[relation.offset(DimKind::In) + dim] = Int::from(-1);
    row[relation.offset(DimKind::Out) + dim] = Int::from(1);
    let pairs = Map::from_basic_map(relation.clone()).wrap();
    let width = 1 + pairs.space().n_all();
    let row: Row = row.into_iter().take(width).collect();
    let distance = Aff::from_row(pairs.space(), Vec::new(), row, Int::from(1));
    let is_small = |optimum: Optimum| match optimum {
        Optimum::Empty => true,
        Optimum::Unbounded => false,
        Optimum::At(value) => value.to_i64().is_some_and(|value| value.abs() <= SHORT),
    };
    Ok(is_small(pairs.min_val(&distance, budget)?) && is_small(pairs.max_val(&distance, budget)?))
}

/// The lower and the upper half of a space.
pub(super) fn halves(space: &Space, cut: &Cut) -> [Set; 2] {
    let head = 1 + space.n(DimKind::Param);
    let mut lower = Row::zeros(1 + space.n_all());
    for (column, &entry) in cut.sum.iter().enumerate() {
        lower.set(column, Int::from(entry));
    }
    lower.set(head + cut.dim, Int::from(-2));
    let lower = Aff::from_row(space, Vec::new(), lower, Int::from(1));
    let upper = lower.neg().add_constant(&Int::from(-1));
    [lower.nonneg_set(), upper.nonneg_set()]
}

/// The mirror image of the dimension of a cut: `sum - dim`.
pub(super) fn mirrored(space: &Space, cut: &Cut) -> Aff {
    let head = 1 + space.n(DimKind::Param);
    let mut row = Row::zeros(1 + space.n_all());
    for (column, &entry) in cut.sum.iter().enumerate() {
        row.set(column, Int::from(entry));
    }
    row.set(head + cut.dim, Int::from(-1));
    Aff::from_row(space, Vec::new(), row, Int::from(1))
}
