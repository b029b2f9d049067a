//! Whether the order of a multifor statement keeps that of a sequential program, and which loops are
//! independent.
use crate::error::MultiforError;
use crate::model::{Conflict, Model};
use crate::multifor::Multifor;
use crate::order::execution_order;
use crate::tree::compression;
use loopwright_cfront::Code;
use loopwright_presburger::{Budget, DimKind, Int, Map, Result, Tuple};
use loopwright_scop::{Statement, StatementId};
use std::collections::BTreeMap;

/// Two instances whose order is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ViolatedPair {
    /// The instance that has to come first, as `loop 0: i0 = 1, j0 = 1`.
    pub source: String,
    /// Its place in the referential domain.
    pub source_position: Vec<Int>,
    /// The instance that has to come later.
    pub sink: String,
    /// Its place in the referential domain.
    pub sink_position: Vec<Int>,
    /// The variable that both access.
    pub array: String,
    /// Values of symbolic constants for which this happens, as `N = 4`.
    pub parameters: String,
}

impl std::fmt::Display for ViolatedPair {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let place = |position: &[Int]| {
            let parts: Vec<String> = position.iter().map(Int::to_string).collect();
            parts.join(", ")
        };
        write!(
            f,
            "({}) at point ({}) and ({}) at point ({}) both access `{}`",
            self.source,
            place(&self.source_position),
            self.sink,
            place(&self.sink_position),
            self.array
        )?;
        if !self.parameters.is_empty() {
            write!(f, ", for {}", self.parameters)?;
        }
        Ok(())
    }
}

/// What is known about the order of the instances of a multifor statement.
pub(crate) struct Orders<'a> {
    pub(crate) multifor: &'a Multifor,
    pub(crate) model: &'a Model,
    pub(crate) conflicts: Vec<Conflict>,
    /// For each statement of the model its tuples in the order of the multifor statement.
    executed: BTreeMap<StatementId, Map>,
    /// For each statement of the model its tuples in the order that is to be kept.
    original: BTreeMap<StatementId, Map>,
    pub(crate) budget: &'a Budget,
}

impl<'a> Orders<'a> {
    /// The orders, where the one that is to be kept has `original` tuples.
    pub(crate) fn new(
        multifor: &'a Multifor,
        model: &'a Model,
        conflicts: Vec<Conflict>,
        original: BTreeMap<StatementId, Map>,
        budget: &'a Budget,
    ) -> Result<Self> {
        let of_bodies = execution_order(multifor, budget)?;
        let inner = text_order(model, budget)?;
        let mut executed = BTreeMap::new();
        for (statement, body) in model.statements() {
            let outer = model.on_statement(multifor, statement, body, &of_bodies[body], budget)?;
            let all = outer.flat_range_product_within(&inner[&statement.id], budget)?;
            executed.insert(statement.id, all);
        }
        Ok(Orders { multifor, model, conflicts, executed, original, budget })
    }

    fn statement(&self, id: StatementId) -> (&'a Statement, usize) {
        let statement = self.model.region.scop.statement(id);
        (statement, self.model.body_of[id.0 as usize].unwrap_or(0))
    }

    pub(crate) fn nest(&self, id: StatementId) -> usize {
        self.multifor.bodies[self.statement(id).1].nest
    }

    /// The pairs of a conflict of which the first has to come first.
    pub(crate) fn kept(&self, conflict: &Conflict) -> Result<Map> {
        let before =
            before(&self.original[&conflict.first], &self.original[&conflict.second], self.budget)?;
        conflict.relation.intersect_within(&before, self.budget)
    }

    /// A pair that the multifor statement executes in the wrong order; none if there is no such pair.
    pub(crate) fn violation(&self) -> Result<Option<ViolatedPair>> {
        for conflict in &self.conflicts {
            let after = before(
                &self.executed[&conflict.second],
                &self.executed[&conflict.first],
                self.budget,
            )?
            .reverse();
            let wrong = self.kept(conflict)?.intersect_within(&after, self.budget)?;
            if let Some(pair) = self.pair(conflict, &wrong)? {
                return Ok(Some(pair));
            }
        }
        Ok(None)
    }

    /// A conflict between instances of different loops that are at the same point of the outer `n_levels`
    /// levels.
    pub(crate) fn conflict_at_point(&self, n_levels: usize) -> Result<Option<ViolatedPair>> {
        for conflict in &self.conflicts {
            if self.nest(conflict.first) == self.nest(conflict.second) {
                continue;
            }
            let same = self.same_point(conflict, n_levels)?;
            let both = conflict.relation.intersect_within(&same, self.budget)?;
            if let Some(pair) = self.pair(conflict, &both)? {
                return Ok(Some(pair));
            }
        }
        Ok(None)
    }

    /// The pairs of instances at the same point of the outer `n_levels` levels and in the same phases of
    /// these.
    fn same_point(&self, conflict: &Conflict, n_levels: usize) -> Result<Map> {
        let n_components = 2 * n_levels.max(1) - 1;
        let outer = |id: &StatementId| {
            let map = &self.executed[id];
            let n = map.n(DimKind::Out);
            let kept = if n_levels == 0 { 0 } else { n_components.min(n) };
            map.project_out(DimKind::Out, kept, n - kept)
        };
        outer(&conflict.first).apply_range_within(&outer(&conflict.second).reverse(), self.budget)
    }

    /// A conflict between different iterations of the loop over the level at a depth, among the instances of
    /// some nests, for given points of the levels around.
    pub(crate) fn carried(&self, depth: usize, nests: &[usize]) -> Result<Option<ViolatedPair>> {
        let levels = self.multifor.root.all();
        let own = nests.iter().copied().collect();
        for conflict in &self.conflicts {
            let is_in = |id| nests.contains(&self.nest(id));
            if !is_in(conflict.first) || !is_in(conflict.second) {
                continue;
            }
            let (first, second) =
                (&self.executed[&conflict.first], &self.executed[&conflict.second]);
            let position = 2 * depth;
            if position >= first.n(DimKind::Out) {
                continue;
            }
            // Points that are compressed to one iteration are executed by one thread.
            let factor = levels
                .iter()
                .filter(|level| level.depth == depth)
                .map(|level| compression(level, &own))
                .fold(0, |a: i64, b| if a == 0 || a == b { b } else { 1 })
                .max(1);
            let iteration = |map: &Map| -> Result<Map> {
                let n = map.n(DimKind::Out);
                let outer = map.project_out(DimKind::Out, position + 1, n - position - 1);
                outer.apply_range_within(&compressed(&outer, position, factor)?, self.budget)
            };
            let (first, second) = (iteration(first)?, iteration(second)?);
            let other = differs_last(&second, position)?;
            let pairs = first
                .apply_range_within(&other, self.budget)?
                .apply_range_within(&second.reverse(), self.budget)?;
            let both = conflict.relation.intersect_within(&pairs, self.budget)?;
            if let Some(pair) = self.pair(conflict, &both)? {
                return Ok(Some(pair));
            }
        }
        Ok(None)
    }

    /// An example of pairs.
    pub(crate) fn pair(&self, conflict: &Conflict, pairs: &Map) -> Result<Option<ViolatedPair>> {
        let Some(point) = pairs.sample_point(self.budget)? else { return Ok(None) };
        let n_params = pairs.n(DimKind::Param);
        let (parameters, instances) = point.split_at(n_params);
        let (first, second) = instances.split_at(pairs.n(DimKind::In));
        let names = pairs.space().param_names();
        let values: Vec<String> = names
            .iter()
            .zip(parameters)
            .filter(|(name, _)| self.multifor.parameters.contains(name))
            .map(|(name, value)| format!("{name} = {value}"))
            .collect();
        let position = |id, instance: &[Int]| self.position(id, names, parameters, instance);
        Ok(Some(ViolatedPair {
            source: self.instance_text(conflict.first, first),
            source_position: position(conflict.first, first)?,
            sink: self.instance_text(conflict.second, second),
            sink_position: position(conflict.second, second)?,
            array: conflict.array.clone(),
            parameters: values.join(", "),
        }))
    }

    fn instance_text(&self, id: StatementId, instance: &[Int]) -> String {
        let (_, body) = self.statement(id);
        let body = &self.multifor.bodies[body];
        let indices = body.loops.iter().zip(instance);
        let texts: Vec<String> =
            indices.map(|(each, value)| format!("{} = {value}", each.index)).collect();
        format!("loop {}: {}", body.nest, texts.join(", "))
    }

    /// The place of an instance in the referential domain.
    fn position(
        &self,
        id: StatementId,
        names: &[loopwright_presburger::Name],
        parameters: &[Int],
        instance: &[Int],
    ) -> Result<Vec<Int>> {
        let (_, body) = self.statement(id);
        let body = &self.multifor.bodies[body];
        let own = body.domain.space().param_names();
        let value =
            |name| names.iter().position(|other| other == name).map(|at| parameters[at].clone());
        let mut point: Vec<Int> =
            own.iter().map(|name| value(name).unwrap_or_else(|| Int::from(0))).collect();
        point.extend(instance.iter().take(body.loops.len()).cloned());
        let mut place = Vec::new();
        for each in body.positions() {
            let value = each.eval(&point, self.budget)?;
            place.extend(value.map(|value| value.floor()));
        }
        Ok(place)
    }
}

/// The pairs of which the first has a lexicographically smaller tuple.
fn before(first: &Map, second: &Map, budget: &Budget) -> Result<Map> {
    let less = Map::lex_lt(&first.space().range());
    first.apply_range_within(&less, budget)?.apply_range_within(&second.reverse(), budget)
}

/// Tuples with the component at a position divided by a factor, rounded down.
pub(crate) fn compressed(map: &Map, position: usize, factor: i64) -> Result<Map> {
    use loopwright_presburger::{Aff, MultiAff, Space};
    let names = map.space().param_names();
    let n = map.n(DimKind::Out);
    let domain = Space::set(names, Tuple::anonymous(n));
    let members = (0..n).map(|at| {
        let variable = Aff::variable(&domain, DimKind::Out, at);
        if at == position { variable.scale_down(&factor.into()).floor() } else { variable }
    });
    let space = Space::map(names, Tuple::anonymous(n), Tuple::anonymous(n));
    Ok(MultiAff::new(space, members.collect())?.to_map())
}

/// The pairs of tuples that differ in the component at a position and agree before.
fn differs_last(map: &Map, position: usize) -> Result<Map> {
    let space = map.space().range();
    let same =
        |map: Map| (0..position).fold(map, |map, at| map.equate(DimKind::In, at, DimKind::Out, at));
    let universe = || Map::universe(space.map_from_set());
    let less = same(universe()).order_lt(DimKind::In, position, DimKind::Out, position);
    let greater = same(universe()).order_lt(DimKind::Out, position, DimKind::In, position);
    less.union(&greater)
}

/// The order of the nests one after the other: the number of the nest.
pub(crate) fn order_of_nests(
    multifor: &Multifor,
    model: &Model,
    budget: &Budget,
) -> Result<BTreeMap<StatementId, Map>> {
    let of = |(statement, body): (&Statement, usize)| {
        let nest = multifor.bodies[body].nest as i64;
        let map = crate::order::constant_map(statement.domain.space(), nest);
        Ok((statement.id, map.intersect_domain_within(&statement.domain, budget)?))
    };
    model.statements().map(of).collect()
}

/// The order of the statements of a model in its text.
pub(crate) fn text_order(model: &Model, budget: &Budget) -> Result<BTreeMap<StatementId, Map>> {
    program_order(&model.region.scop, budget)
}

/// The order of the statements of a region, as tuples.
pub(crate) fn program_order(
    scop: &loopwright_scop::Scop,
    budget: &Budget,
) -> Result<BTreeMap<StatementId, Map>> {
    let flat = scop.schedule.flatten()?;
    let mut found = BTreeMap::new();
    for map in flat.maps() {
        let name = map.space().input().and_then(Tuple::name).cloned();
        let statement = scop.statements.iter().find(|each| Some(&each.name) == name.as_ref());
        if let Some(statement) = statement {
            let own = map.intersect_domain_within(&statement.domain, budget)?;
            found.insert(statement.id, own);
        }
    }
    Ok(found)
}

/// The refusal of a statement whose order is wrong.
pub(crate) fn refusal(multifor: &Multifor, what: &str, pair: &ViolatedPair) -> MultiforError {
    MultiforError::new(Code::UnsupportedStatement, multifor.syntax.start, what.to_string())
        .because(pair.to_string())
}
