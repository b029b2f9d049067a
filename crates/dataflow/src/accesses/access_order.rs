//! Accesses as instances of their own, `[S[i] -> A[x]]`, at the time of `S[i]`.
use crate::accesses::schedule::Schedule;
use crate::engine::order::Unordered;
use crate::{ProgramOrder, Reference};
use loopwright_presburger::{
    Budget, DimKind, Map, MultiAff, Result, Set, Space, Tuple, UnionMap, UnionSet,
};
use loopwright_schedule::{ScheduleTree, UnorderedLevel};
use loopwright_scop::{AccessKind, ArrayId, ReferenceId, StatementId};

/// The order of accesses, and the instance that each belongs to.
pub(crate) struct AccessOrder {
    pub(crate) order: ProgramOrder,
    /// Per kind of access, `[S[i] -> A[x]] -> S[i]`.
    instances: Vec<Map>,
}

impl AccessOrder {
    /// `[S[i] -> A[x]] -> S[i]`.
    pub(crate) fn instance(&self, access: StatementId) -> &Map {
        &self.instances[access.0 as usize]
    }
}

/// Collects the spaces of the accesses under a schedule.
pub(crate) struct LiftedAccesses {
    /// `S[i] -> [t]`, all times of one length.
    times: UnionMap,
    /// The instances that have a time.
    scheduled: UnionSet,
    unordered: Vec<UnorderedLevel>,
    /// The spaces `S[i] -> A[x]` so far: the position of one is its statement.
    accesses: Vec<Space>,
    /// The spaces `A[x]` so far.
    elements: Vec<Space>,
}

impl LiftedAccesses {
    pub(crate) fn new(schedule: &Schedule) -> Result<Self> {
        let (times, scheduled, unordered) = match schedule {
            Schedule::Map(map) => (uniform_times(map)?, map.domain(), Vec::new()),
            Schedule::Tree(tree) => tree_times(tree)?,
        };
        Ok(LiftedAccesses {
            times,
            scheduled,
            unordered,
            accesses: Vec::new(),
            elements: Vec::new(),
        })
    }

    /// The accesses of instances that have a time.
    pub(crate) fn scheduled(&self, accesses: &UnionMap) -> Result<UnionMap> {
        accesses.intersect_domain(&self.scheduled)
    }

    /// The reference of the access instances `[S[i] -> A[x]]` to their elements.
    pub(crate) fn reference(&mut self, access: &Map, reference: ReferenceId) -> Result<Reference> {
        let space = access.space();
        Ok(Reference {
            statement: StatementId(position(&mut self.accesses, space) as u32),
            reference,
            array: ArrayId(position(&mut self.elements, &space.range()) as u32),
            kind: AccessKind::Read,
            relation: access.range_map(),
            is_single_valued: true,
        })
    }

    /// The order of all accesses that have been made references.
    pub(crate) fn into_order(self, budget: &Budget) -> Result<AccessOrder> {
        let (mut instances, mut times, mut unordered) = (Vec::new(), Vec::new(), Vec::new());
        for (id, access) in (0u32..).map(StatementId).zip(&self.accesses) {
            let instance = Map::universe(access.clone()).domain_map();
            let of_statement = |map: &&Map| map.space().domain().has_equal_tuples(&access.domain());
            let time = self.times.maps().iter().find(of_statement);
            times.push(time.map(|time| instance.apply_range(time)).transpose()?);
            for level in &self.unordered {
                unordered.extend(self.unordered_accesses(id, &instance, level, budget)?);
            }
            instances.push(instance);
        }
        Ok(AccessOrder { order: ProgramOrder::from_times(times, unordered), instances })
    }

    /// The accesses that a level leaves unordered; none if there are none.
    fn unordered_accesses(
        &self,
        statement: StatementId,
        instance: &Map,
        level: &UnorderedLevel,
        budget: &Budget,
    ) -> Result<Option<Unordered>> {
        let space = instance.space().range();
        let here = level.instances.extract(&space);
        if here.plain_is_empty() {
            return Ok(None);
        }
        let others = self.scheduled.extract(&space).subtract(&here, budget)?;
        let accesses = |set: &Set| Ok(instance.intersect_range(set)?.domain());
        let (instances, others) = (accesses(&here)?, accesses(&others)?);
        Ok(Some(Unordered { statement, level: level.level, instances, others }))
    }
}

/// The position of a space in the list, at whose end it is put if it is new.
fn position(spaces: &mut Vec<Space>, space: &Space) -> usize {
    let known = spaces.iter().position(|known| known.has_equal_tuples(space));
    known.unwrap_or_else(|| {
        spaces.push(space.clone());
        spaces.len() - 1
    })
}

fn tree_times(tree: &ScheduleTree) -> Result<(UnionMap, UnionSet, Vec<UnorderedLevel>)> {
    let scheduled = tree.flatten()?.domain();
    Ok((tree.flatten_on_whole_spaces()?, scheduled, tree.unordered_levels()?))
}

/// The same times in one anonymous tuple, with zeros behind.
fn uniform_times(times: &UnionMap) -> Result<UnionMap> {
    let length = times.maps().iter().map(|map| map.n(DimKind::Out)).max().unwrap_or(0);
    let mut by_statement: Vec<Map> = Vec::new();
    for map in times.maps() {
        let padded = padded(map, length)?;
        let same = |other: &&mut Map| other.space().has_equal_tuples(padded.space());
        match by_statement.iter_mut().find(same) {
            Some(other) => *other = other.union(&padded)?,
            None => by_statement.push(padded),
        }
    }
    Ok(UnionMap::from_maps(times.params_space(), by_statement))
}

fn padded(times: &Map, length: usize) -> Result<Map> {
    let (space, n) = (times.space(), times.n(DimKind::Out));
    let flat = space.with_tuples(space.input().cloned(), Some(Tuple::anonymous(n)));
    let zeros = Space::set(space.param_names(), Tuple::anonymous(length - n));
    let zeros = MultiAff::zero(&space.domain().map_to(&zeros)).to_map();
    times.with_space_tuples(&flat)?.flat_range_product(&zeros)
}
