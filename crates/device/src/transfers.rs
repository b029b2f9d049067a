//! Which elements of arrays are copied to the device before a region, and back after it.
//!
//! All of a region runs on the device, so that its data stays there: an array is copied at most once in each
//! direction. What has to be copied is known exactly (`loopwright_dataflow::copy_sets`, "Scheduling for
//! PPCG", section 5.2); copied is the least box around it, or for arrays that are parts of a linear one the
//! least range of memory. An element of that box that comes back without having been written for sure must
//! have its value from before, so then it is also copied in.
use loopwright_dataflow::{CopySets, Dependences, copy_sets};
use loopwright_presburger::{
    Aff, Budget, DimKind, Error, Int, Map, PwAff, Result, Set, Space, UnionSet,
};
use loopwright_scop::{AccessKind, Array, ArrayId, Scop};

/// Elements of an array: a box, or all that lie between two elements in memory.
#[derive(Clone, Debug)]
pub struct Elements {
    /// For which values of the parameters there are any.
    pub params: Set,
    /// The least subscripts, over the parameters.
    pub least: Vec<PwAff>,
    /// The greatest subscripts, over the parameters.
    pub most: Vec<PwAff>,
    /// Whether it is the range of memory from the element `least` to the element `most`, and not the box.
    pub is_range: bool,
}

/// An array that has memory on the device.
#[derive(Clone, Debug)]
pub struct DeviceArray {
    /// The array.
    pub array: ArrayId,
    /// All elements that the region accesses.
    pub accessed: Elements,
    /// The elements that are copied to the device; none if there is nothing to be copied.
    pub copy_in: Option<Elements>,
    /// The elements that are copied back; none if there is nothing to be copied.
    pub copy_out: Option<Elements>,
    /// Whether the region writes it.
    pub is_written: bool,
    /// Whether elements in front of the first one may be accessed, as a pointer allows: then this is checked
    /// when the region runs, which is left to the processor if there are such elements.
    pub may_be_in_front: bool,
}

/// The steps for finding the least box around a set; without it all of the array is copied.
const HULL_STEPS: u64 = 300_000;

/// The arrays of a region on the device.
#[derive(Clone, Debug, Default)]
pub struct Transfers {
    /// One for each array that the region accesses; scalars that it only reads are passed by value.
    pub arrays: Vec<DeviceArray>,
}

impl Transfers {
    /// The transfers of a region. `is_linear` says of an array of several dimensions whether its elements are
    /// parts of a linear array, of which the program need not have all rows as a whole.
    ///
    /// *Cost.* A few optimisations and subtractions per array.
    ///
    /// # Errors
    /// In words, if the elements of an array are not bounded; those of the operations, a limit among them.
    pub fn of_region(
        scop: &Scop,
        dependences: &Dependences,
        is_linear: &dyn Fn(ArrayId) -> bool,
        budget: &Budget,
    ) -> Result<std::result::Result<Transfers, String>> {
        let sets = copy_sets(scop, dependences, budget)?;
        let mut arrays = Vec::new();
        for (id, array) in (0u32..).map(ArrayId).zip(&scop.arrays) {
            let accesses = Accesses::of(scop, id)?;
            let Some(mut accessed) = accesses.all else { continue };
            if array.is_scalar() && !accesses.is_written {
                continue;
            }
            let known = array.elements(accessed.space())?;
            accessed = accessed.intersect_params(&scop.context)?;
            let may_be_in_front = may_be_in_front(array, &accessed, budget)?;
            if !may_be_in_front {
                accessed = accessed.intersect(&known)?;
            }
            let of_space = |set: &UnionSet| -> Result<Set> {
                let own = set.extract(accessed.space()).intersect_params(&scop.context)?;
                own.intersect(&known)
            };
            let planned = Planned { array, accesses: &accesses.sure, is_linear: is_linear(id) };
            let Some(all) = planned.hull(&accessed, budget)? else {
                if accessed.is_empty(budget)? {
                    continue;
                }
                let name = &array.name;
                return Ok(Err(format!("the elements of `{name}` that are used are not bounded")));
            };
            let CopySets { copy_in, copy_out } = &sets;
            let (copy_in, copy_out) =
                planned.copies(of_space(copy_in)?, of_space(copy_out)?, budget)?;
            let is_written = accesses.is_written;
            arrays.push(DeviceArray {
                array: id,
                accessed: all,
                copy_in,
                copy_out,
                is_written,
                may_be_in_front,
            });
        }
        Ok(Ok(Transfers { arrays }))
    }

    /// The same for a program made from that of the transfers, whose copies read more of what was there
    /// before than its statements use: these elements are copied to the device as well, so that no copy reads
    /// memory without a value.
    ///
    /// *Cost.* One subtraction for each access of a value from before, and the box around what is missing.
    ///
    /// # Errors
    /// Those of the operations, a limit among them.
    pub fn with_reads_of(
        mut self,
        scop: &Scop,
        dependences: &Dependences,
        is_linear: &dyn Fn(ArrayId) -> bool,
        budget: &Budget,
    ) -> Result<Transfers> {
        for own in &mut self.arrays {
            let array = scop.array(own.array);
            let mut read: Option<Set> = None;
            for live in dependences.live_in.iter().filter(|live| live.array == own.array) {
                let accesses = &scop.statement(live.statement).accesses;
                let is_meant = |access: &&loopwright_scop::Access| {
                    access.reference == live.reference && access.array == own.array
                };
                for access in accesses.iter().filter(is_meant) {
                    let part = access.relation.intersect_domain(&live.instances)?.range();
                    add(&mut read, &part.intersect_params(&scop.context)?)?;
                }
            }
            let Some(read) = read else { continue };
            let read = read.intersect(&array.elements(read.space())?)?;
            let copied =
                own.copy_in.as_ref().map(|copied| copied.as_set(read.space())).transpose()?;
            let all = copied.map_or(Ok(read.clone()), |copied| copied.union(&read))?;
            let is_known = match &own.copy_in {
                Some(copied) => read.is_subset(&copied.as_set(read.space())?, budget)?,
                None => read.is_empty(budget)?,
            };
            if !is_known {
                let planned = Planned { array, accesses: &None, is_linear: is_linear(own.array) };
                own.copy_in = planned.hull(&all, budget)?;
            }
        }
        Ok(self)
    }

    /// The same for a program in which statements copy boxes around what others access of some arrays: all
    /// elements of these that the region accesses, and those between, are copied to the device, so that all
    /// of a box has a value.
    pub fn with_boxes_of(mut self, arrays: &[ArrayId], scop: &Scop) -> Transfers {
        for own in self.arrays.iter_mut().filter(|own| arrays.contains(&own.array)) {
            if !scop.array(own.array).declared_in_scop {
                own.copy_in = Some(own.accessed.clone());
            }
        }
        self
    }

    /// The array's memory on the device, if it has any.
    pub fn of(&self, array: ArrayId) -> Option<&DeviceArray> {
        self.arrays.iter().find(|known| known.array == array)
    }
}

/// Whether a first subscript may be negative: not of arrays, whose first extent is known, nor where there is
/// no limit for it.
fn may_be_in_front(array: &Array, elements: &Set, budget: &Budget) -> Result<bool> {
    if array.extents.first().is_none_or(Option::is_some) {
        return Ok(false);
    }
    let in_front = elements.upper_bound(DimKind::Out, 0, &Int::from(-1));
    let part = budget.part(HULL_STEPS);
    let is_empty = in_front.is_empty(&part);
    budget.charge(&part);
    match is_empty {
        Err(Error::Exceeded { .. }) => Ok(true),
        is_empty => Ok(!is_empty?),
    }
}

/// What a region does with an array.
struct Accesses {
    /// The elements that are read or written; none if there are no such accesses.
    all: Option<Set>,
    /// The elements that are written for sure.
    sure: Option<Set>,
    is_written: bool,
}

impl Accesses {
    fn of(scop: &Scop, array: ArrayId) -> Result<Accesses> {
        let (mut all, mut sure, mut is_written) = (None, None, false);
        let executed = scop.statements.iter().filter(|statement| !statement.is_kill);
        let accesses = executed.flat_map(|statement| &statement.accesses);
        for access in accesses.filter(|access| access.array == array) {
            if access.kind == AccessKind::Kill {
                continue;
            }
            let range = access.relation.range();
            if access.kind == AccessKind::MustWrite {
                add(&mut sure, &range)?;
            }
            is_written |= access.kind != AccessKind::Read;
            add(&mut all, &range)?;
        }
        Ok(Accesses { all, sure, is_written })
    }
}

fn add(all: &mut Option<Set>, more: &Set) -> Result<()> {
    *all = Some(match all.take() {
        None => more.clone(),
        Some(all) => all.union(more)?,
    });
    Ok(())
}

/// An array whose transfers are planned.
struct Planned<'a> {
    array: &'a Array,
    accesses: &'a Option<Set>,
    is_linear: bool,
}

impl Planned<'_> {
    /// What is copied in and out, for exact sets.
    fn copies(
        &self,
        copy_in: Set,
        copy_out: Set,
        budget: &Budget,
    ) -> Result<(Option<Elements>, Option<Elements>)> {
        if self.array.declared_in_scop {
            return Ok((None, None));
        }
        let space = copy_in.space().clone();
        let (into, out) = (self.hull(&copy_in, budget)?, self.hull(&copy_out, budget)?);
        let Some(out) = out else { return Ok((into, None)) };
        let back = out.as_set(&space)?.intersect(&self.array.elements(&space)?)?;
        let mut has_value = self.accesses.clone().unwrap_or_else(|| Set::empty(space.clone()));
        if let Some(into) = &into {
            has_value = has_value.union(&into.as_set(&space)?)?;
        }
        let is_covered = match back.is_subset(&has_value, budget) {
            Err(Error::Exceeded { .. }) => false,
            other => other?,
        };
        let into = match is_covered {
            true => into,
            false => self.hull(&copy_in.union(&back)?, budget)?,
        };
        Ok((into, Some(out)))
    }

    /// The least box or range around a set, or all of the array if that costs too much; none if the set is
    /// empty or not bounded.
    fn hull(&self, set: &Set, budget: &Budget) -> Result<Option<Elements>> {
        let part = budget.part(HULL_STEPS);
        let hull = self.least_hull(set, &part);
        budget.charge(&part);
        match hull {
            Err(Error::Exceeded { .. }) if !self.is_linear => Ok(self.whole(set)),
            hull => hull,
        }
    }

    /// All of the array; none if its extents are not known.
    fn whole(&self, set: &Set) -> Option<Elements> {
        let extents: Option<Vec<PwAff>> = self.array.extents.iter().cloned().collect();
        let last = |extent: PwAff| {
            let pieces = extent.pieces().iter();
            let pieces = pieces.map(|(at, value)| (at.clone(), value.add_constant(&Int::from(-1))));
            PwAff::from_pieces(extent.space().clone(), pieces.collect())
        };
        let most: Vec<PwAff> = extents?.into_iter().map(last).collect();
        let zero = |most: &PwAff| PwAff::from_aff(Aff::zero(most.domain_space()));
        Some(Elements {
            params: Set::universe(set.space().to_params()),
            least: most.iter().map(zero).collect(),
            most,
            is_range: false,
        })
    }

    fn least_hull(&self, set: &Set, budget: &Budget) -> Result<Option<Elements>> {
        let set = &set.coalesce(budget)?;
        if set.is_empty(budget)? || !set.is_bounded(budget)? {
            return Ok(None);
        }
        let n = set.n(DimKind::Out);
        let is_range = self.is_linear && n > 1;
        let ends = match is_range {
            true => [set.lexmin(budget)?, set.lexmax(budget)?],
            false => [set.clone(), set.clone()],
        };
        let [first, last] = ends;
        let least = (0..n).map(|at| first.dim_min(at, budget)?.coalesce(budget));
        let most = (0..n).map(|at| last.dim_max(at, budget)?.coalesce(budget));
        Ok(Some(Elements {
            params: set.params().coalesce(budget)?,
            least: least.collect::<Result<_>>()?,
            most: most.collect::<Result<_>>()?,
            is_range,
        }))
    }
}

impl Elements {
    /// The elements as a set in the space of an array; of a range also those that the extents of the array
    /// exclude.
    ///
    /// # Errors
    /// If the space has another number of dimensions.
    pub fn as_set(&self, space: &Space) -> Result<Set> {
        let all = Set::universe(space.clone()).intersect_params(&self.params)?;
        if self.is_range {
            let point = |of: &[PwAff]| all.intersect(&compared(of, space, |a, b| a.eq_set(b))?);
            let from = point(&self.least)?.apply(&Map::lex_le(space))?;
            let to = point(&self.most)?.apply(&Map::lex_ge(space))?;
            return from.intersect(&to);
        }
        let from = compared(&self.least, space, |subscript, least| subscript.ge_set(least))?;
        let to = compared(&self.most, space, |subscript, most| most.ge_set(subscript))?;
        all.intersect(&from)?.intersect(&to)
    }
}

/// The elements whose subscripts all compare with values of the parameters as asked for.
fn compared(
    values: &[PwAff],
    space: &Space,
    compare: impl Fn(&Aff, &Aff) -> Result<Set>,
) -> Result<Set> {
    let tuple = space.output().cloned().unwrap_or_default();
    let mut all = Set::universe(space.clone());
    for (at, value) in values.iter().enumerate() {
        let subscript = Aff::variable(space, DimKind::Out, at);
        let mut own: Option<Set> = None;
        for (domain, value) in value.insert_domain(&tuple)?.pieces() {
            let piece = compare(&subscript, value)?.intersect(domain)?;
            own = Some(own.map_or(Ok(piece.clone()), |others| others.union(&piece))?);
        }
        all = all.intersect(&own.unwrap_or_else(|| Set::empty(space.clone())))?;
    }
    Ok(all)
}
