//! What has to be copied if the arrays of a region live in another memory while it runs.
use crate::{Dependences, LiveAccess};
use loopwright_presburger::{Budget, Result, UnionSet};
use loopwright_scop::{AccessKind, Scop};

/// The elements to be copied before and after a region.
#[derive(Clone, Debug)]
pub struct CopySets {
    /// Elements whose value from before is read, or is still there afterwards.
    pub copy_in: UnionSet,
    /// Elements that may be written and seen afterwards.
    pub copy_out: UnionSet,
}

/// The elements to be copied into another memory before, and out of it after, a region that runs
/// there as a whole ("Scheduling for PPCG", section 5.2).
///
/// An element that is copied out but only written perhaps keeps its value otherwise, so it is
/// copied in as well, unless a kill says that this value is not needed.
///
/// *Exactness.* That of the dependences. *Cost.* One subtraction.
///
/// ```
/// use loopwright_dataflow::{Dependences, copy_sets};
/// use loopwright_presburger::Budget;
/// use loopwright_scop::Scop;
/// // for (int i = 0; i < 9; i++) s = A[0];
/// let text = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/assignment.scop"));
/// let scop = Scop::parse(text)?;
/// let budget = Budget::steps(1_000_000);
/// let copies = copy_sets(&scop, &Dependences::of_scop(&scop, &budget)?, &budget)?;
/// assert_eq!(copies.copy_in.to_string(), "{ A[0] }");
/// assert_eq!(copies.copy_out.to_string(), "{ s[] }");
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
///
/// # Errors
/// If the budget runs out.
pub fn copy_sets(scop: &Scop, dependences: &Dependences, budget: &Budget) -> Result<CopySets> {
    let elements = |list: &[LiveAccess]| {
        list.iter().try_fold(UnionSet::empty(), |all, access| {
            all.union(&UnionSet::from_set(access.relation.range()))
        })
    };
    let copy_out = elements(&dependences.live_out)?;
    let mut lost = UnionSet::empty();
    for access in scop.statements.iter().flat_map(|statement| &statement.accesses) {
        if matches!(access.kind, AccessKind::MustWrite | AccessKind::Kill) {
            lost = lost.union(&UnionSet::from_set(access.relation.range()))?;
        }
    }
    let may_persist = copy_out.subtract(&lost, budget)?;
    let copy_in = elements(&dependences.live_in)?.union(&may_persist)?;
    Ok(CopySets { copy_in: copy_in.coalesce(budget)?, copy_out: copy_out.coalesce(budget)? })
}
