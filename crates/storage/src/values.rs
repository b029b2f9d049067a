//! The values of a scheduled program: what each statement writes, at which distances that is read, and how
//! many cells it needs.
use crate::allocation::Allocation;
use crate::index_set_splitting::{BoundedUse, is_boundary};
use crate::occupancy::{Consumer, is_occupancy_vector, length};
use crate::places::{Place, places};
use crate::quasi_universal::quasi_universal_vectors;
use crate::successive_modulo::{successive_moduli, values_at_one_time};
use crate::universe::{Bands, RunKind};
use loopwright_dataflow::{Dependence, Dependences};
use loopwright_exact::Int;
use loopwright_presburger::{
    Aff, Budget, DimKind, Map, MultiAff, Optimum, PwAff, PwQPolynomial, Result, Set, Space,
    UnionMap,
};
use loopwright_schedule::ScheduleTree;
use loopwright_scop::{AccessKind, ArrayId, Scop, Statement, StatementId};

/// The values that a statement writes into an array, at one place of a schedule.
#[derive(Clone, Debug)]
pub struct StatementValues {
    /// The statement.
    pub statement: StatementId,
    /// The array.
    pub array: ArrayId,
    /// How the loops around it run.
    pub bands: Bands,
    /// What reads the values, one for each reference that does; distances that vary are the greatest ones in
    /// each component. The producers are points of the loops. Or why there are no vectors.
    pub uses: std::result::Result<Vec<BoundedUse>, String>,
    /// Occupancy vectors, shortest first.
    pub vectors: Vec<Vec<Int>>,
    /// The number of values.
    pub n_values: PwQPolynomial,
    /// The points of the loops at which there are values.
    points: Set,
    /// From the instances to these.
    loops: Map,
    /// From the instances to the times at which their values are read, in flat schedules; with that of the
    /// instances.
    times: (Map, Map),
}

impl StatementValues {
    /// The number of cells with a vector, if values are written to the cells of their own statement.
    ///
    /// # Errors
    /// Those of counting.
    pub fn n_cells(&self, vector: &[Int], budget: &Budget) -> Result<Option<PwQPolynomial>> {
        let allocation = Allocation::along(vector);
        allocation.map(|allocation| allocation.n_cells(&self.points, budget)).transpose()
    }

    /// Whether a vector is an occupancy vector here: a use that it does not pass is none of those whose
    /// values another instance, that far away, overwrites. So the last values of a nest may be read by the
    /// next one.
    ///
    /// # Errors
    /// If the budget runs out.
    pub fn allows(&self, vector: &[Int], budget: &Budget) -> Result<bool> {
        let Ok(uses) = &self.uses else { return Ok(false) };
        if !is_occupancy_vector(vector, &[], &self.bands, budget)? {
            return Ok(false);
        }
        for bounded in uses {
            let consumer = std::slice::from_ref(&bounded.consumer);
            if !is_occupancy_vector(vector, consumer, &self.bands, budget)? {
                let next = multiples(vector)?;
                let overwriting = bounded.producers.apply_within(&next, budget)?;
                if !overwriting.is_disjoint(&self.points, budget)? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// The vectors for all uses, and for those that are not about a boundary of the points, as far as they
    /// are allowed.
    fn with_vectors(mut self, budget: &Budget) -> Result<Self> {
        let Ok(uses) = &self.uses else { return Ok(self) };
        let (mut all, mut main) = (Vec::new(), Vec::new());
        for bounded in uses {
            all.push(bounded.consumer.clone());
            if !is_boundary(&bounded.producers, &self.points, budget)? {
                main.push(bounded.consumer.clone());
            }
        }
        let mut found = quasi_universal_vectors(&main, &self.bands);
        found.extend(quasi_universal_vectors(&all, &self.bands));
        found.sort_by_cached_key(|vector| (length(vector), vector.clone()));
        found.dedup();
        let mut vectors = Vec::new();
        for vector in found {
            if self.allows(&vector, budget)? {
                vectors.push(vector);
            }
        }
        self.vectors = vectors;
        Ok(self)
    }

    /// The least modulus of a dimension of the array for which values that it brings into one cell are an
    /// occupancy vector apart; none if none up to `most` does. One if elements in that dimension are written
    /// by one instance each.
    ///
    /// *Exactness.* It looks at values of this statement only: a proposal, to be proved. *Cost.* A
    /// composition of relations and `most` tests.
    ///
    /// # Errors
    /// If the budget runs out.
    pub fn modulus(
        &self,
        write: &Map,
        dimension: usize,
        most: u32,
        budget: &Budget,
    ) -> Result<Option<Int>> {
        let apart = self.step_to_next_element(write, dimension, budget)?;
        if apart.is_empty(budget)? {
            return Ok(Some(Int::ONE));
        }
        let Some(step) = constants(&apart, true, budget)? else { return Ok(None) };
        for modulus in 1..=i64::from(most) {
            for sign in [1, -1] {
                let factor = Int::from(sign * modulus);
                let vector: Vec<Int> = step.iter().map(|component| component * &factor).collect();
                if self.allows(&vector, budget)? {
                    return Ok(Some(Int::from(modulus)));
                }
            }
        }
        Ok(None)
    }

    /// How far instances are apart, along the loops, that write elements a unit in `dimension` apart.
    fn step_to_next_element(&self, write: &Map, dimension: usize, budget: &Budget) -> Result<Set> {
        let elements = write.space().range();
        let unit = |at| if at == dimension { Int::ONE } else { Int::ZERO };
        let unit: Vec<Int> = (0..elements.n(DimKind::Out)).map(unit).collect();
        let next = shift(&elements, &unit)?;
        let instances = write
            .apply_range_within(&next, budget)?
            .apply_range_within(&write.reverse(), budget)?
            .intersect_domain_within(&self.loops.domain(), budget)?;
        self.loops
            .reverse()
            .apply_range_within(&instances, budget)?
            .apply_range_within(&self.loops, budget)?
            .deltas()
    }

    /// Moduli for the iterators of the statement in the lexicographic order of the schedule, by the method of
    /// Lefebvre and Feautrier: the product of them is the number of cells of that baseline.
    ///
    /// # Errors
    /// If the budget runs out.
    pub fn successive_moduli(&self, budget: &Budget) -> Result<Vec<Option<PwAff>>> {
        let (own, uses) = &self.times;
        successive_moduli(&values_at_one_time(own, uses, budget)?, budget)
    }
}

/// From points to those that a vector leads to when it is taken once or several times.
fn multiples(vector: &[Int]) -> Result<Map> {
    let list = |entry: &dyn Fn(usize) -> String| {
        (0..vector.len()).map(entry).collect::<Vec<_>>().join(", ")
    };
    let (from, to) = (list(&|at| format!("z{at}")), list(&|at| format!("y{at}")));
    let steps = (0..vector.len()).map(|at| format!("y{at} = z{at} + {} * k", vector[at]));
    let steps = steps.collect::<Vec<_>>().join(" and ");
    Map::parse(&format!("{{ [{from}] -> [{to}] : exists k : k >= 1 and {steps} }}"))
}

/// From points to those a vector further.
fn shift(points: &Space, vector: &[Int]) -> Result<Map> {
    let coordinate = |(at, step)| Aff::variable(points, DimKind::Out, at).add_constant(step);
    let affs = vector.iter().enumerate().map(coordinate).collect();
    Ok(MultiAff::new(points.map_to(points), affs)?.to_map())
}

/// The values of each statement of `scop` in the order of `tree`, whose flow `dependences` has.
///
/// *Exactness.* The distances are those of the exact flow, for all sizes in the context. *Cost.* A few
/// integer optimizations per flow dependence and loop.
///
/// # Errors
/// For malformed trees, and if the budget runs out.
pub fn statement_values(
    scop: &Scop,
    dependences: &Dependences,
    tree: &ScheduleTree,
    budget: &Budget,
) -> Result<Vec<StatementValues>> {
    let tree = tree.without_expansions()?;
    let all = places(&tree)?;
    let flat = tree.flatten()?;
    let mut values = Vec::new();
    for place in &all {
        let Some(statement) = statement_of(scop, place) else { continue };
        let mut written: Vec<ArrayId> = Vec::new();
        for access in statement.accesses_of(&[AccessKind::MustWrite, AccessKind::MayWrite]) {
            if !written.contains(&access.array) {
                written.push(access.array);
            }
        }
        for array in written {
            let uses: Vec<&Dependence> = dependences
                .nearest_flow()
                .iter()
                .filter(|flow| flow.array == array && flow.source.0 == statement.id)
                .collect();
            let found = Found { scop, place, all: &all, uses: &uses, budget };
            let bounded = found.uses()?;
            let instances = place.instances.intersect_params(&scop.context)?;
            let own = flat.extract(&place.instances.space().map_to(&flat_space(&flat)));
            let own = own.intersect_domain(&instances)?;
            let reads = found.times_of_uses(&flat, &own)?;
            let own = StatementValues {
                statement: statement.id,
                array,
                bands: place.bands.clone(),
                uses: bounded,
                vectors: Vec::new(),
                n_values: instances.card(budget)?,
                points: instances.apply_within(&place.loops, budget)?,
                loops: place.loops.intersect_domain(&instances)?,
                times: (own, reads),
            };
            values.push(own.with_vectors(budget)?);
        }
    }
    Ok(values)
}

/// The space of the times of a flat schedule.
fn flat_space(flat: &UnionMap) -> Space {
    let first = flat.maps().first().map(|map| map.space().range());
    first.unwrap_or_default()
}

fn statement_of<'s>(scop: &'s Scop, place: &Place) -> Option<&'s Statement> {
    let name = place.instances.space().output()?.name()?.clone();
    scop.statement_named(&name).filter(|statement| !statement.is_kill)
}

/// A place of a statement and the flow from it.
struct Found<'a> {
    scop: &'a Scop,
    place: &'a Place,
    all: &'a [Place],
    uses: &'a [&'a Dependence],
    budget: &'a Budget,
}

impl Found<'_> {
    /// What reads the values, or why that has no distances.
    fn uses(&self) -> Result<std::result::Result<Vec<BoundedUse>, String>> {
        let mut uses = Vec::new();
        for flow in self.uses {
            let reader = self.scop.statement(flow.sink.0);
            let is_its =
                |place: &&Place| place.instances.space().has_equal_tuples(reader.domain.space());
            for other in self.all.iter().filter(is_its) {
                let own = self.between(flow, other)?;
                if own.is_empty(self.budget)? {
                    continue;
                }
                let (n_shared, is_behind) = self.place.shared_loops(other);
                let apart = self.apart(&own, other, n_shared)?;
                let Some(distance) = constants(&apart, false, self.budget)? else {
                    let name = &reader.name;
                    return Ok(Err(format!(
                        "the distance to its use in {name} grows with the sizes"
                    )));
                };
                let producers = own.domain().apply_within(&self.place.loops, self.budget)?;
                let consumer = Consumer { distance, is_behind };
                uses.push(BoundedUse { consumer, producers: producers.coalesce(self.budget)? });
            }
        }
        Ok(Ok(uses))
    }

    /// A flow from this place to another one.
    fn between(&self, flow: &Dependence, other: &Place) -> Result<Map> {
        flow.relation
            .intersect_params_within(&self.scop.context, self.budget)?
            .intersect_domain_within(&self.place.instances, self.budget)?
            .intersect_range_within(&other.instances, self.budget)
    }

    /// The distances of a flow to consumers at another place, along shared loops.
    fn apart(&self, flow: &Map, other: &Place, n_shared: usize) -> Result<Set> {
        let from = self.place.outer_loops(n_shared).reverse();
        let loops = from
            .apply_range_within(flow, self.budget)?
            .apply_range_within(&other.outer_loops(n_shared), self.budget)?;
        loops.deltas()
    }

    /// From the instances to the times at which their values are read.
    fn times_of_uses(&self, flat: &UnionMap, own: &Map) -> Result<Map> {
        let mut times = Map::empty(own.space().clone());
        for flow in self.uses {
            let readers = flow.relation.space().range();
            let of_readers = flat.extract(&readers.map_to(&own.space().range()));
            let read = flow.relation.apply_range_within(&of_readers, self.budget)?;
            let read = read.intersect_domain_within(&own.domain(), self.budget)?;
            times = times.union(&read)?;
        }
        times.coalesce(self.budget)
    }
}

/// The greatest value of each dimension, if these are numbers, and if they have to be the only ones.
fn constants(apart: &Set, only: bool, budget: &Budget) -> Result<Option<Vec<Int>>> {
    let mut distance = Vec::with_capacity(apart.n_dims());
    for dimension in 0..apart.n_dims() {
        let Optimum::At(greatest) = apart.dim_max_val(DimKind::Out, dimension, budget)? else {
            return Ok(None);
        };
        if only
            && apart.dim_min_val(DimKind::Out, dimension, budget)? != Optimum::At(greatest.clone())
        {
            return Ok(None);
        }
        distance.push(greatest);
    }
    Ok(Some(distance))
}

impl StatementValues {
    /// Whether all loops around the statement are one permutable band.
    #[must_use]
    pub fn is_fully_tilable(&self) -> bool {
        matches!(&self.bands.runs[..], [run] if run.kind == RunKind::Tilable)
    }
}

/// Moduli for the dimensions of an array, outermost first, as the occupancy vectors of all statements that
/// write it propose them: each one alone is likely to be right in a tiled program, several at once in loops
/// that run in order.
///
/// # Errors
/// If the budget runs out.
pub fn proposed_moduli(
    scop: &Scop,
    values: &[StatementValues],
    array: ArrayId,
    most: u32,
    budget: &Budget,
) -> Result<Vec<(usize, Int)>> {
    let mut proposed = Vec::new();
    'dimensions: for dimension in 0..scop.array(array).extents.len() {
        let mut least = Int::ONE;
        for own in values.iter().filter(|values| values.array == array) {
            let statement = scop.statement(own.statement);
            let writes = statement.accesses_of(&[AccessKind::MustWrite]);
            for write in writes.filter(|access| access.array == array) {
                match own.modulus(&write.relation, dimension, most, budget)? {
                    Some(modulus) => least = least.max(modulus),
                    None => continue 'dimensions,
                }
            }
        }
        proposed.push((dimension, least));
    }
    Ok(proposed)
}
