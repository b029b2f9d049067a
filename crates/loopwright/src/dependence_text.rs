//! The dependences of a region as text: one named relation in isl's notation per line.
use loopwright_dataflow::{
    Dependence, Dependences, LiveAccess, Reduction, input_dependences, live_instances, reductions,
    tagged, untagged,
};
use loopwright_presburger::{Budget, Result, UnionMap, UnionSet};
use loopwright_schedule::yaml::quote;
use loopwright_scop::Scop;

/// Steps for what is only computed to be printed: input dependences, live instances.
const EXTRA_STEPS: u64 = 20_000_000;

/// All relations, as `docs/dependences.md` describes them. What reaches a limit is left out, and
/// a comment says so.
pub(crate) fn dependences_text(scop: &Scop, dependences: &Dependences) -> Result<String> {
    let budget = Budget::steps(EXTRA_STEPS);
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
    line("live_in", accesses(&dependences.live_in));
    line("live_out", accesses(&dependences.live_out));
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

fn accesses(list: &[LiveAccess]) -> Result<String> {
    let all = list.iter().try_fold(UnionMap::empty(), |all, access| {
        all.union(&UnionMap::from_map(access.relation.clone()))
    });
    Ok(all?.to_string())
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
