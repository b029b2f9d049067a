//! What is copied to a device and back suffices: every read finds its value there, and the program finds
//! every result.
//!
//! All statements run on the device, so a value that is read comes from a write there or from before the
//! region. The latter are the live-in accesses: their elements have to be copied in. After the region the
//! live-out elements have to be copied back. What else is copied back must hold the value that the program
//! has there: it was written for sure by the region, or copied in. All of it lies in the memory that is
//! allocated.
use crate::verdict::{Proof, Violation};
use loopwright_dataflow::{Dependences, LiveAccess};
use loopwright_device::{DeviceArray, Transfers};
use loopwright_presburger::{Budget, DimKind, Int, Result, Set};
use loopwright_scop::{AccessKind, Array, ArrayId, Scop};

/// Checks the transfers of a region of which all statements run on a device.
///
/// *Exactness.* That of the dependences. *Cost.* A few subtractions for each array.
///
/// # Errors
/// Those of the operations; a limit is an outcome.
pub fn check_transfers(
    scop: &Scop,
    dependences: &Dependences,
    transfers: &Transfers,
    budget: &Budget,
) -> Result<Proof> {
    let mut violations = Vec::new();
    for (id, array) in (0u32..).map(ArrayId).zip(&scop.arrays) {
        let check = Check { scop, dependences, array, id, budget };
        match check.violations(transfers.of(id)) {
            Ok(found) => violations.extend(found),
            Err(error) => return Proof::from_violations(Err(error)),
        }
    }
    Proof::from_violations(Ok(violations))
}

/// Checks that all elements that the statements of a program access have memory on a device, for a program
/// made from that of the transfers: `own_memory` are its arrays with memory of their own.
///
/// *Exactness.* Exact. *Cost.* One subtraction for each array.
///
/// # Errors
/// Those of the operations; a limit is an outcome.
pub fn check_memory(
    scop: &Scop,
    transfers: &Transfers,
    own_memory: &[ArrayId],
    dependences: &Dependences,
    budget: &Budget,
) -> Result<Proof> {
    let mut violations = Vec::new();
    for (id, array) in (0u32..).map(ArrayId).zip(&scop.arrays) {
        if own_memory.contains(&id) {
            continue;
        }
        let check = Check { scop, dependences, array, id, budget };
        match check.without_memory(transfers.of(id)) {
            Ok(found) => violations.extend(found),
            Err(error) => return Proof::from_violations(Err(error)),
        }
    }
    Proof::from_violations(Ok(violations))
}

struct Check<'a> {
    scop: &'a Scop,
    dependences: &'a Dependences,
    array: &'a Array,
    id: ArrayId,
    budget: &'a Budget,
}

impl Check<'_> {
    /// Elements that are accessed and have no memory.
    fn without_memory(&self, planned: Option<&DeviceArray>) -> Result<Option<Violation>> {
        let (used, written, _) = self.accessed()?;
        let Some(used) = used else { return Ok(None) };
        let used = used.intersect(&self.array.elements(used.space())?)?;
        let without = match planned {
            Some(planned) => used.subtract(&planned.accessed.as_set(used.space())?, self.budget)?,
            None if self.array.is_scalar() && written.is_none() => return Ok(None),
            None => used,
        };
        self.not_empty(&without, "has no memory on the device where it is accessed")
    }

    fn violations(&self, planned: Option<&DeviceArray>) -> Result<Vec<Violation>> {
        let mut violations = Vec::new();
        let (used, written, sure) = self.accessed()?;
        let Some(used) = used else { return Ok(violations) };
        let Some(planned) = planned else {
            // A scalar that is only read is passed by value.
            if !self.array.is_scalar() || written.is_some() {
                violations.extend(self.not_empty(&used, "has no memory on the device")?);
            }
            return Ok(violations);
        };
        let space = used.space().clone();
        let elements = self.array.elements(&space)?;
        let set = |part: &Option<loopwright_device::Elements>| match part {
            None => Ok(Set::empty(space.clone())),
            Some(part) => part.as_set(&space)?.intersect(&elements),
        };
        let (copied_in, copied_out) = (set(&planned.copy_in)?, set(&planned.copy_out)?);
        let allocated = planned.accessed.as_set(&space)?;
        let mut missing = |all: &Set, known: &Set, what: &str| -> Result<()> {
            // A program that accesses other elements means nothing.
            let all = all.intersect(&elements)?;
            violations.extend(self.not_empty(&all.subtract(known, self.budget)?, what)?);
            Ok(())
        };
        missing(&used, &allocated, "has no memory on the device where it is accessed")?;
        missing(&copied_in, &allocated, "has no memory on the device where it is copied to")?;
        missing(&copied_out, &allocated, "has no memory on the device where it is copied from")?;
        let live_in = self.live(&self.dependences.live_in, &space)?;
        missing(&live_in, &copied_in, "is read before it is written and not copied to the device")?;
        let live_out = self.live(&self.dependences.live_out, &space)?;
        missing(&live_out, &copied_out, "has a result that is not copied back")?;
        let has_value = copied_in.union(&sure.unwrap_or_else(|| Set::empty(space.clone())))?;
        missing(&copied_out, &has_value, "is copied back where nothing was written")?;
        if space.n(DimKind::Out) > 0 && !planned.may_be_in_front {
            let negative = used.upper_bound(DimKind::Out, 0, &Int::from(-1));
            if self.array.extents.first().is_some_and(Option::is_none) {
                violations.extend(self.not_empty(&negative, "has negative subscripts")?);
            }
        }
        Ok(violations)
    }

    /// The elements that are accessed, those that may be written, and those that are written for sure.
    fn accessed(&self) -> Result<(Option<Set>, Option<Set>, Option<Set>)> {
        let (mut used, mut written, mut sure) = (None, None, None);
        let add = |all: &mut Option<Set>, more: &Set| -> Result<()> {
            *all = Some(all.take().map_or(Ok(more.clone()), |all: Set| all.union(more))?);
            Ok(())
        };
        let executed = self.scop.statements.iter().filter(|statement| !statement.is_kill);
        for access in executed.flat_map(|statement| &statement.accesses) {
            if access.array != self.id || access.kind == AccessKind::Kill {
                continue;
            }
            let range = access.relation.range().intersect_params(&self.scop.context)?;
            add(&mut used, &range)?;
            if access.kind != AccessKind::Read {
                add(&mut written, &range)?;
            }
            if access.kind == AccessKind::MustWrite {
                add(&mut sure, &range)?;
            }
        }
        Ok((used, written, sure))
    }

    /// The elements of live accesses.
    fn live(&self, accesses: &[LiveAccess], space: &loopwright_presburger::Space) -> Result<Set> {
        let mut all = Set::empty(space.clone());
        if self.array.declared_in_scop {
            return Ok(all);
        }
        for access in accesses.iter().filter(|access| access.array == self.id) {
            all = all.union(&access.relation.range())?;
        }
        all.intersect_params(&self.scop.context)?.intersect(&self.array.elements(space)?)
    }

    fn not_empty(&self, set: &Set, what: &str) -> Result<Option<Violation>> {
        if set.plain_is_empty() || set.is_empty(self.budget)? {
            return Ok(None);
        }
        let message = format!("`{}` {what}", self.array.name);
        Ok(Some(Violation { message, example: None }))
    }
}
