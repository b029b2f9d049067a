//! Instances without further order: calls, or loops over the instances of one point in time.
use crate::cut::band::BandLevels;
use crate::descent::generation::Generation;
use crate::descent::loops::BandLoops;
use crate::level::plain_sets::same_pieces;
use crate::model::reaching::Reaching;
use crate::model::statement::{Statement, extended, pin_floors};
use crate::nest::tree::{Graft, Nest};
use loopwright_presburger::*;
use loopwright_schedule::Node;

/// Code for leaves of the schedule.
pub(super) struct Leaves<'a> {
    pub(super) generation: &'a Generation<'a>,
}

impl Leaves<'_> {
    /// The instances as one piece of code that the user may make.
    pub(super) fn of_user(
        &self,
        reaching: &[Reaching],
        known: &Set,
        depth: usize,
    ) -> Result<Vec<Graft>> {
        let Generation { budget, params, .. } = self.generation;
        let mut reached = Set::empty(self.generation.space(depth));
        for each in reaching {
            reached = reached.union(&without_existentials(&each.domain(), budget)?)?;
        }
        let guard = reached.gist(known, budget)?.coalesce(budget)?;
        if guard.is_empty(budget)? {
            return Ok(Vec::new());
        }
        let inside = known.intersect(&guard)?;
        let own = self.own(reaching, &inside, depth)?;
        let otherwise = Box::new(self.generation.assembled(own, &inside)?);
        let maps = reaching.iter().map(|each| each.executed.reverse());
        let schedule = UnionMap::from_maps(params, maps);
        Ok(vec![Graft { guard, nest: Nest::Leaf { schedule, otherwise } }])
    }

    /// The instances in the generator's own way.
    pub(super) fn own(
        &self,
        reaching: &[Reaching],
        known: &Set,
        depth: usize,
    ) -> Result<Vec<Graft>> {
        let mut grafts: Vec<Graft> = Vec::new();
        for each in reaching {
            for graft in self.instances(each, known, depth)? {
                let alike = |other: &Graft| same_pieces(&other.guard, &graft.guard);
                let after = grafts.iter().rposition(alike).map_or(grafts.len(), |last| last + 1);
                grafts.insert(after, graft);
            }
        }
        Ok(grafts)
    }

    /// A user node if there is one instance per schedule point, otherwise loops over the instances.
    fn instances(&self, each: &Reaching, known: &Set, depth: usize) -> Result<Vec<Graft>> {
        let budget = self.generation.budget;
        let instance = match obvious_instance(&pin_floors(&each.executed)) {
            Some(instance) => Some(instance),
            None => searched_instance(&each.executed, known, budget)?,
        };
        let Some(instance) = instance else {
            return self.unordered(each, known, depth);
        };
        let guard = without_existentials(&each.domain(), budget)?.gist(known, budget)?;
        if guard.is_empty(budget)? {
            return Ok(Vec::new());
        }
        let statement = each.executed.space().range();
        Ok(vec![Graft { guard, nest: Nest::User { statement, instance } }])
    }

    /// Loops over the dimensions of the instances, in any order.
    fn unordered(&self, each: &Reaching, known: &Set, depth: usize) -> Result<Vec<Graft>> {
        let space = each.executed.space().range();
        let n = space.n(DimKind::Out);
        let copies = Space::set(space.param_names(), Tuple::anonymous(n));
        let copy = Map::identity(&copies).with_space_tuples(&space.map_to(&copies))?;
        let statement = Statement::new(extended(&each.executed, &copy)?, None, depth);
        let band = BandLevels {
            start: depth,
            end: depth + n,
            members: Vec::new(),
            settings: Vec::new(),
            isolate: None,
            child: &Node::Leaf,
        };
        let inside = |reaching: &[Reaching], known: &Set, depth| self.own(reaching, known, depth);
        let loops = BandLoops { generation: self.generation, inside: &inside };
        loops.band(&band, &[statement], known)
    }
}

/// The instance as a piecewise function of the schedule dimensions, if it is one and the
/// function is found; otherwise the dimensions of the instance get levels of their own, which
/// usually turn out to have a single value.
fn searched_instance(executed: &Map, known: &Set, budget: &Budget) -> Result<Option<PwMultiAff>> {
    let executed = executed.intersect_domain(known)?;
    if !executed.is_single_valued(budget)? {
        return Ok(None);
    }
    match PwMultiAff::from_map(&executed, budget) {
        Ok(instance) => Ok(Some(instance.gist(known, budget)?)),
        Err(Error::Invalid { .. }) => Ok(None),
        Err(other) => Err(other),
    }
}

/// The set with explicit floors in place of existentials.
fn without_existentials(set: &Set, budget: &Budget) -> Result<Set> {
    let unknown = |local: &Local| matches!(local, Local::Unknown);
    match set.as_map().basic_maps().iter().any(|basic| basic.locals().iter().any(unknown)) {
        true => set.make_locals_explicit(budget),
        false => Ok(set.clone()),
    }
}

/// The instance, if every coordinate is alone in an equality with the schedule dimensions.
fn obvious_instance(executed: &Map) -> Option<PwMultiAff> {
    let [basic] = executed.basic_maps() else { return None };
    let outputs = basic.offset(DimKind::Out)..basic.offset(DimKind::Local);
    let domain = executed.space().domain();
    let mut affs = Vec::new();
    for column in outputs.clone() {
        let row = basic.equalities().iter().find(|row| {
            row.get(column).abs().is_one()
                && (outputs.clone()).all(|other| other == column || row.is_zero_at(other))
                && row.first_nonzero(outputs.end..row.len()).is_none()
        })?;
        let mut value = row.slice(0..outputs.start);
        if row.sign(column) > 0 {
            value.negate();
        }
        affs.push(Aff::from_row(&domain, Vec::new(), value, Int::ONE));
    }
    let multi = MultiAff::new(executed.space().clone(), affs).ok()?;
    Some(PwMultiAff::from_multi_aff(multi))
}
