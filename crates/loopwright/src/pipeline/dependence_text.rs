//! The dependences of a region as text: one named relation in isl's notation per line.
use crate::settings::effort::Effort;
use loopwright_dataflow::{
    Dependence, Dependences, LiveAccess, Reduction, copy_sets, input_dependences, live_instances,
    reductions, tagged, untagged,
};
use loopwright_presburger::{Budget, Result, UnionMap, UnionSet};
use loopwright_schedule::yaml::quote;
use loopwright_scop::{AccessKind, Scop};

/// Steps for what is only computed to be printed: input dependences, live instances.
const EXTRA_STEPS: u64 = 20_000_000;

/// All relations, as `docs/dependences.md` describes them. What reaches a limit is left out, and
/// a comment says so.
pub(crate) fn dependences_text(
    scop: &Scop,
    dependences: &Dependences,
    effort: &Effort,
) -> Result<String> {
    let budget = effort.budget(EXTRA_STEPS);
    let mut text = String::new();
    let mut line = |key: &str, value: Result<String>| match value {
        Ok(value) => text += &format!("{key}: {}\n", quote(&value)),
        Err(error) => text += &format!("# {key}: {error}\n"),
    };
    let all = |list: &[Dependence]| Ok(untagged(list)?.to_string());
    line("flow", all(&dependences.flow));
    line("order", all(&dependences.order));
    line("forced", all(&dependences.forced));
    line("false", all(&dependences.false_nearest));
    line("input", input_dependences(scop, &budget).and_then(|input| all(&input)));
    line("tagged_flow", tagged(&dependences.flow).map(|map| map.to_string()));
    line("tagged_order", tagged(&dependences.order).map(|map| map.to_string()));
    line("live_in", accesses(&dependences.live_in).map(|map| map.to_string()));
    line("live_out", accesses(&dependences.live_out).map(|map| map.to_string()));
    line("killed", killed(scop, dependences, &budget));
    let copies = copy_sets(scop, dependences, &budget);
    line("copy_in", copies.clone().map(|copies| copies.copy_in.to_string()));
    line("copy_out", copies.map(|copies| copies.copy_out.to_string()));
    line("live_instances", live_text(scop, dependences, &budget));
    line("reductions", reductions(scop, &budget).and_then(|list| reduction_text(scop, &list)));
    if !dependences.reassociated().is_empty() {
        line("reassociated", all(dependences.reassociated()));
    }
    if !dependences.is_exact {
        text += "# a limit was reached: there may be more dependences here than in the program\n";
    }
    Ok(text)
}

fn accesses(list: &[LiveAccess]) -> Result<UnionMap> {
    list.iter().try_fold(UnionMap::empty(), |all, access| {
        all.union(&UnionMap::from_map(access.relation.clone()))
    })
}

/// The writes whose values are overwritten or killed, or of no interest, after the region.
fn killed(scop: &Scop, dependences: &Dependences, budget: &Budget) -> Result<String> {
    let mut writes = UnionMap::empty();
    for statement in &scop.statements {
        for write in statement.accesses_of(&[AccessKind::MustWrite, AccessKind::MayWrite]) {
            writes = writes.union(&UnionMap::from_map(write.relation.clone()))?;
        }
    }
    Ok(writes.subtract(&accesses(&dependences.live_out)?, budget)?.coalesce(budget)?.to_string())
}

fn live_text(scop: &Scop, dependences: &Dependences, budget: &Budget) -> Result<String> {
    let live = live_instances(scop, dependences, budget)?;
    let all = live.into_iter().try_fold(UnionSet::empty(), |all, (_, instances)| {
        all.union(&UnionSet::from_set(instances))
    });
    Ok(all?.coalesce(budget)?.to_string())
}

/// The updates of the statements that are reductions.
fn reduction_text(scop: &Scop, list: &[Reduction]) -> Result<String> {
    let mut all = UnionMap::empty();
    for reduction in list {
        let accesses = &scop.statement(reduction.statement).accesses;
        for access in accesses.iter().filter(|access| access.reference == reduction.write) {
            all = all.union(&UnionMap::from_map(access.relation.clone()))?;
        }
    }
    Ok(all.to_string())
}
