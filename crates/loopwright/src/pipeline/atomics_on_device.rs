//! Updates that are one instruction each on a device: the region without the order of these, where it has no
//! independent loops otherwise.
use crate::pipeline::analysis::Analysed;
use crate::pipeline::one_schedule::{ScheduleChoice, scheduled};
use crate::pipeline::outcome::Stage;
use crate::pipeline::run::{Run, stage_budget_by};
use loopwright_dataflow::{Dependences, with_atomic_updates};
use loopwright_device::{are_in_independent_loops, with_atomic_marks};
use loopwright_presburger::{Name, Result};
use loopwright_schedule::{AtomicMark, Node, ScheduleTree};
use loopwright_scop::{Scop, StatementId};
use std::collections::BTreeSet;

/// A region whose updates may run at any time.
pub(crate) struct AtomicProgram {
    /// Its dependences without the order of these updates.
    pub(crate) dependences: Dependences,
    /// Its schedule, with marks for these.
    pub(crate) chosen: ScheduleChoice,
}

/// The region with updates by one instruction for those that are in no independent loop otherwise, if that
/// makes them independent; none if there are no such updates. A schedule that is given says itself where they
/// are.
///
/// # Errors
/// Those of the operations, a limit among them.
pub(crate) fn with_updates_at_any_time(
    analysed: &Analysed,
    chosen: &ScheduleChoice,
    run: Run<'_>,
) -> Result<Option<AtomicProgram>> {
    let is_given = run.options.scheduler.is_given();
    if !run.options.devices.atomic_updates || is_given && !has_marks(&chosen.tree) {
        return Ok(None);
    }
    let scop = &analysed.region.scop;
    let found = run.time(Stage::Dependences, || {
        let budget = stage_budget_by(run.options);
        // What is reassociated is in no order either, but must not run at one time.
        let in_order = match analysed.dependences.reassociation {
            None => analysed.dependences.clone(),
            Some(_) => Dependences::of_scop(scop, &budget)?,
        };
        with_atomic_updates(scop, &in_order, &budget)
    })?;
    let Some(dependences) = found else { return Ok(None) };
    if is_given {
        return Ok(Some(AtomicProgram { dependences, chosen: chosen.clone() }));
    }
    let names = updated(scop, &dependences);
    if are_in_independent_loops(&chosen.tree, &names)? {
        return Ok(None);
    }
    let outer = loopwright_scheduler::Options { outer_coincidence: true, ..run.options.scheduling };
    let free = Analysed {
        region: analysed.region.clone(),
        dependences: dependences.clone(),
        remarks: Vec::new(),
        drops_instances: analysed.drops_instances,
    };
    let tree = scheduled(&free, &outer, run)?.tree;
    if !are_in_independent_loops(&tree, &names)? {
        return Ok(None);
    }
    let Some(tree) = with_atomic_marks(&tree, &names)? else { return Ok(None) };
    let mut chosen = ScheduleChoice::untransformed(tree, run.options);
    let list: Vec<&str> = names.iter().map(|name| &**name).collect();
    chosen
        .notes
        .push(format!("each update of {} is one instruction, at any time", list.join(", ")));
    Ok(Some(AtomicProgram { dependences, chosen }))
}

/// Whether a tree has marks for updates by one instruction.
fn has_marks(tree: &ScheduleTree) -> bool {
    let mut found = false;
    tree.root.for_each(&mut |node| {
        found |= matches!(node, Node::Mark(name, _) if AtomicMark::parse(name).is_some());
    });
    found
}

/// The names of the statements whose updates are in no order.
fn updated(scop: &Scop, dependences: &Dependences) -> BTreeSet<Name> {
    let name = |id: StatementId| scop.statement(id).name.clone();
    let pairs = dependences.atomic.iter();
    pairs.flat_map(|pair| [name(pair.source.0), name(pair.sink.0)]).collect()
}
